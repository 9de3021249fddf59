"""One figure of memory, in a process of its own: ``python -m tests.bench.probe case argument``."""

import ctypes
import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.windows.decoding import decode
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.listener import Listener
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.engine.startup.compile_cache import warm_up
from latviz.workspace import read_picture
from tests.bench.pictures import photograph

SIDE = 8192


def resident(field: str) -> int:
    """Return the bytes in memory now ("VmRSS"), or at most since the last reset ("VmHWM")."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise LookupError(field)


def reset() -> int:
    """Release free memory, reset the peak, and return the bytes in memory.

    If the peak cannot be reset, figures are upper bounds.
    """
    gc.collect()
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return resident("VmRSS")


def decoding(name: str) -> float:
    """Return the bytes per pixel that decoding takes beyond its input and output."""
    lattice = encode(photograph(SIDE), Encoding(name, 8)).values
    codebook = np.random.default_rng(0).dirichlet(np.ones(8), 8)
    decode(lattice[:64, :64].copy(), codebook, 5)
    before = reset()
    states = decode(lattice, codebook, 5)
    return (resident("VmHWM") - before - states.nbytes) / states.size


class Explorer:
    """Moves the parameters of one picture and keeps the frame on screen, as the window does."""

    def __init__(self, picture: Picture, parameters: Parameters) -> None:
        self._picture, self._parameters = picture, parameters
        self._pipeline = Pipeline()
        self._frame: Frame | None = None

    def move(self, complete: bool = False, **changes: Any) -> None:
        """Compute the frames of changed parameters."""
        self._parameters = replace(self._parameters, **changes)
        request = Request(1, self._picture, self._parameters, complete=complete)
        frame = self._pipeline.run(request, Listener(show=self._show))
        assert frame.whole
        self._show(frame)

    def _show(self, frame: Frame) -> None:
        self._frame = frame


def views(name: str) -> float:
    """Return the bytes per pixel that the views shown at first take besides, after a move of w."""
    warm_up()
    picture = Picture(photograph(SIDE, colour=name == "rgb", grain=4.0), "photograph")
    before = reset()
    explorer = Explorer(picture, Parameters(Encoding(name, 8), n_states=8, window=5))
    explorer.move()
    explorer.move(window=6)
    return (resident("VmHWM") - before) / SIDE**2


def file(path: str) -> float:
    """Return the most MiB in memory while a file is opened and explored."""
    explorer = Explorer(read_picture(path), Parameters())
    explorer.move()
    explorer.move(window=4)
    explorer.move(n_states=6)
    explorer.move(complete=True)
    return resident("VmHWM") / 2**20


CASES: dict[str, Callable[[Any], float]] = {"decoding": decoding, "views": views, "file": file}

if __name__ == "__main__":
    print(CASES[sys.argv[1]](sys.argv[2]))
