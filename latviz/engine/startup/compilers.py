"""Processes that compile kernels in the background; they start before Numba is imported."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

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
            _early.append(compiling("pictures"))


def compiling(name: str) -> "subprocess.Popen[str]":
    """Start a process that compiles a part of the kernels.

    A line to its input says which pictures come first: those of "symbols" or of "vectors".
    """
    return apart("-m", MODULE, name, stdin=subprocess.PIPE)


def early() -> "subprocess.Popen[str] | None":
    """Return the process of `begin_early`, if there is one, to the first that asks."""
    return _early.pop() if _early else None


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


class PartOfWing(NamedTuple):
    """A row of the table ``kernels`` of wings: kernels that are compiled on first use."""

    name: str
    load: Callable[..., None]
