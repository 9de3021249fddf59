"""The most memory in use, each figure in a process of its own."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from tests.bench.harness import Line, Result, Skipped, settings
from tests.bench.pictures import photograph

ROOT = Path(__file__).parents[2]
MOST_MIB = 2048


def memory() -> Iterator[Line]:
    """Decoding, the views shown at first, and a file of 64 megapixels."""
    if not Path("/proc/self/status").exists():
        yield Skipped("memory", "only Linux tells the peak of a process")
        return
    notes = settings("8192² quantiles", M=8, N=8, w=5)
    yield _bytes("decode, beyond input and output", "decoding", "quantiles", 4.0, notes)
    for name in ("quantiles", "grey", "rgb"):
        letters = {"M": 8, "N": 8, "w": 6} if name == "quantiles" else {"N": 8, "w": 6}
        notes = settings(f"8192² {name}", **letters)
        yield _bytes(f"views of {name}, beyond the picture", "views", name, 16.0, notes)
    yield _file()


def _bytes(name: str, case: str, argument: str, limit: float, notes: str) -> Result:
    figure = _probed(case, argument)
    return Result(name, figure, figure, figure, "1 B/px", limit, notes, unit="B/px")


def _file() -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photograph.jpg"
        Image.fromarray(photograph(8192, colour=True, grain=4.0)).save(path, quality=90)
        figure = _probed("file", str(path))
    notes = settings("8192² JPEG, quantiles, learned from all", M=3, N=6, w=4)
    ratio, against = figure / MOST_MIB, f"{MOST_MIB} MiB"
    return Result("a file explored, in all", figure, figure, ratio, against, 1.0, notes, unit="MiB")


def _probed(case: str, argument: str) -> float:
    command = [sys.executable, "-m", "tests.bench.probe", case, argument]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    return float(done.stdout)
