"""The core, and the command line where it draws no window, without the packages of the window."""

import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image

CODE = """
import sys
for name in ("PyQt6", "pyqtgraph", "ziamath"):
    sys.modules[name] = None
import numpy as np
from latviz import cli, core
for name in core.__all__:
    getattr(core, name)
field = np.eye(20, dtype=int)
model = core.DiscreteModel.fit(field, n_states=2, window=1)
assert model.evaluate(field).n_nodes == model.decode(field).size
print([cli.run(["a.png", *line.split()]) for line in ("--json -o a.npz", "--snapshot b.png", "")])
"""


def test_nothing_but_the_window_needs_its_packages(tmp_path: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 9, (20, 30), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout.splitlines()[-1] == "[0, 2, 2]", done.stderr
    install = "pip install PyQt6 pyqtgraph ziamath"
    assert done.stderr.splitlines() == [f"latviz: the window needs PyQt6: {install}"] * 2
