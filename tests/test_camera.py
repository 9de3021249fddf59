"""The camera on the signature space, on a real screen in memory with OpenGL in software."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.xvfb import missing, screen

SCRIPT = """
import sys
import numpy as np
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from skimage import data
from latviz.app import opengl
from latviz.app.main import application, discard
app = application()
from latviz.app.settings import Settings
from latviz.app.window import MainWindow
from latviz.core.data.encoding import Encoding
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture
from latviz.engine.projection import FRONT

if not opengl.works():
    print("no context")
    sys.exit()

def wait(done):
    for _ in range(600):
        QTest.qWait(50)
        if done():
            return
    raise AssertionError("waited in vain")

def press(button):
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)

window = MainWindow(Settings(), "light")
window.resize(1280, 800)
window.show()
document, space = window.document, window.views["space"]
document.open(Picture(data.camera(), "camera"), Parameters(Encoding("quantiles", 4), n_states=5))
wait(lambda: document.frame is not None and document.frame.n_learned == document.frame.n_signatures)
assert space.plot.isVisible() and space.bar.camera.isVisible()

press(space.bar.camera)
wait(lambda: document.frame.space.cloud is not None and not space.plot.isVisible())
QTest.qWait(400)
camera = next(child for child in space.children() if type(child).__name__ == "Camera")
camera.grabFramebuffer().save(sys.argv[1])
cloud = document.frame.space.cloud
at, nearness = camera.to_pixels(cloud.points)
np.savez(sys.argv[2], at=at, states=cloud.states, width=camera.width(), height=camera.height(),
         slots=document.frame.slots)

QTest.mousePress(camera, Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
QTest.mouseMove(camera, QPoint(130, 100))
QTest.mouseMove(camera, QPoint(160, 110))
QTest.mouseRelease(camera, Qt.MouseButton.LeftButton, pos=QPoint(160, 110))
assert document.state.projection.turn != FRONT
wait(lambda: document.frame.request.projection == document.state.projection)

window.docks["space"].setFloating(True)
QTest.qWait(300)
window.docks["space"].setFloating(False)
QTest.qWait(300)
camera.grabFramebuffer().save(sys.argv[3])
press(space.bar.camera)
wait(lambda: space.plot.isVisible())
window.close()
discard(window)
print("seen")
"""


@pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}")
@pytest.mark.skipif(find_spec("OpenGL") is None, reason="PyOpenGL is not installed")
def test_the_camera_shows_the_sample_and_turns(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("first.png", "sample.npz", "second.png")]
    with screen(tmp_path) as on:
        environment = on.environment | {"PYTHONPATH": os.pathsep.join(sys.path)}
        environment["QT_QPA_PLATFORM"] = "xcb"
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, *map(str, files)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    if "no context" in done.stdout:
        pytest.skip("no OpenGL context can be made")
    assert "Error while drawing" not in done.stdout + done.stderr
    first, second = (np.asarray(Image.open(files[k]).convert("RGB")).astype(int) for k in (0, 2))
    sample = np.load(files[1])
    drawn = (np.abs(first - 255).sum(axis=2) > 40) & (first.max(axis=2) > 90)
    x, y = np.rint(sample["at"]).astype(int).T
    assert first.shape[:2] == (sample["height"], sample["width"])
    seen = [drawn[v - 1 : v + 2, u - 1 : u + 2].any() for u, v in zip(x, y, strict=True)]
    assert np.mean(seen) > 0.98, "points are not where they are projected to"
    assert drawn.mean() < 0.3
    assert (second != 255).any()
