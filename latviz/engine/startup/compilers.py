"""Processes that compile kernels in the background; they start before Numba is imported."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

import latviz
from latviz.core.disk.errors import ExportError
from latviz.core.disk.writing import check_target

KERNELS = Path(latviz.__file__).parent / "core" / "kernels"
MODULE = "latviz.engine.startup.compile_cache"

_early: list[subprocess.Popen[str]] = []
"""The process that `begin_early` started, until its kernels are needed."""


def apart(*arguments: str, stdin: int | None = None) -> "subprocess.Popen[str]":
    """Start an interpreter that imports this copy of latviz, from any working folder.

    The cache belongs to the files of the kernels; the working folder may hold another copy.
    """
    here = str(Path(latviz.__file__).parents[1])
    others = os.environ.get("PYTHONPATH", "")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (here, others)))}
    command = [sys.executable, "-P", *arguments]
    return subprocess.Popen(command, env=environment, text=True, stdin=stdin)


def begin_early() -> None:
    """Compile the kernels of pictures, if this is the first start, while the window is made."""
    if is_first_start():
        with suppress(OSError):
            _early.append(_of_pictures())


def _of_pictures() -> "subprocess.Popen[str]":
    """Start the process that compiles the kernels of pictures."""
    return apart("-m", MODULE, stdin=subprocess.PIPE)


def is_first_start() -> bool:
    """Return True if no kernel was compiled yet, judging without Numba.

    If Numba would store kernels in the user's folder, return False.
    """
    place = os.environ.get("NUMBA_CACHE_DIR")
    if place:
        return not any(Path(place).glob(f"{KERNELS.name}_*/*.nbi"))
    return not any(KERNELS.glob("__pycache__/*.nbi")) and _takes_files(KERNELS)


def _takes_files(folder: Path) -> bool:
    try:
        check_target(folder / "any")
    except ExportError:
        return False
    return True


class Compiling:
    """Compiles kernels in other processes; leaving its context ends these."""

    def __init__(self) -> None:
        self.begun = False
        self._processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        self._processes += _early
        _early.clear()
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.communicate()

    def begin(self, first: str) -> None:
        """Compile the kernels of pictures, first those for "symbols" or "vectors"."""
        self.begun = True
        with suppress(OSError):
            if not self._processes:
                self._processes.append(_of_pictures())
            stream = self._processes[0].stdin
            assert stream is not None
            with stream:
                stream.write(f"{first}\n")

    def begin_part(self, name: str) -> None:
        """Compile a part that only some pictures need."""
        self.begun = True
        with suppress(OSError):
            self._processes.append(apart("-m", MODULE, name))

    @property
    def running(self) -> bool:
        """True while a process runs; thread-safe."""
        return any(process.poll() is None for process in self._processes)

    def wait(self, stop: Callable[[], bool]) -> None:
        """Wait until all is compiled, or ``stop`` returns True."""
        while self.running and not stop():
            time.sleep(0.05)
