"""Checks if Qt can draw and open windows here; explains in one line where Qt would abort.

Imports nothing of Qt at the top, because its libraries may be missing.
"""

import ctypes
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from latviz.core.disk.reading import read_text
from latviz.core.printable import complain
from latviz.resources import resource

if TYPE_CHECKING:  # its libraries may be missing
    from PyQt6.QtGui import QGuiApplication

VARIABLE = "QT_QPA_PLATFORM"
OFFSCREEN = "offscreen"
PACKAGES = "system-packages.txt"
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET")
"""The variables of the environment that name a display."""
PLACES = (VARIABLE, *DISPLAYS)
"""The variables of the environment that say where windows open."""
UNSEEN = (OFFSCREEN, "minimal", "minimalegl")
"""The platforms that draw into memory."""
_NOT_FOUND = re.compile(r"(lib\S+\.so[.\d]*): cannot open shared object file")
_EMPTY = ("From 6.5.0", "Could not load")
"""How messages of Qt begin that name no reason: they come whatever is amiss."""


def has_display() -> bool:
    """Return True if the environment names a display, or the system has its own.

    A platform that draws into memory does not count: its windows are not visible.
    """
    if platform := os.environ.get(VARIABLE):
        return platform.partition(":")[0].lower() not in UNSEEN
    has_own = sys.platform in ("win32", "darwin")
    return has_own or any(os.environ.get(name) for name in DISPLAYS)


def draw_offscreen() -> None:
    """Make Qt draw into memory, even with a display; call before making an application."""
    os.environ[VARIABLE] = OFFSCREEN


_OF_WINDOW = "PyQt6", "pyqtgraph", "ziamath"
"""The packages that servers can do without."""


def lacking(error: Exception) -> str:
    """Return which packages are missing if an error is of a library that is; else nothing."""
    if isinstance(error, ModuleNotFoundError):
        name = str(error.name).partition(".")[0]
        needed = f"the window needs {name}: pip install {' '.join(_OF_WINDOW)}"
        return needed if name in _OF_WINDOW else ""
    found = _NOT_FOUND.search(str(error))
    if found is None:
        return ""
    return f"Qt needs {found[1]}, which is not installed{_remedy()}"


def opened(make: "Callable[[], QGuiApplication]", instead: str) -> None:
    """Make the application; where Qt would abort, print why in one line, and exit with code 2."""
    if not os.environ.get(VARIABLE) and sys.platform in ("win32", "darwin"):
        make()
        return
    from PyQt6.QtCore import QtMsgType, qInstallMessageHandler  # as above

    messages = list[str]()

    def take(kind: QtMsgType, _context: object, message: str | None) -> None:
        if kind == QtMsgType.QtFatalMsg:
            end(messages or [message or ""])
        messages.append(message or "")

    def end(messages: list[str]) -> NoReturn:
        os.dup2(kept, 2)
        complain(f"latviz: {refusal(messages)}; or use {instead}")
        os._exit(2)  # Qt aborts as soon as its handler returns

    with _silent() as kept:
        qInstallMessageHandler(take)
        if not make().screens():
            end(messages)
        qInstallMessageHandler(None)


def refusal(messages: list[str]) -> str:
    """Return why Qt opens no window, in a line, from its messages."""
    named = [f"{name}={os.environ[name]!r}" for name in PLACES if os.environ.get(name)]
    reasons = [line.strip() for line in messages if not line.startswith(_EMPTY)]
    unset = f"; unset {VARIABLE}" if os.environ.get(VARIABLE) else ""
    if not reasons:
        libraries = ", ".join(library for _, library in _missing()) or "a library that Qt needs"
        reasons = [f"not installed: {libraries}{_remedy()}"]
    return f"Qt opens no window with {', '.join(named)}: {', '.join(reasons)}{unset}"


def _remedy() -> str:
    """Return which packages have the libraries that are missing, or nothing."""
    packages = " ".join(package for package, _ in _missing())
    return f"; on Debian or Ubuntu: apt-get install {packages}" if packages else ""


@contextmanager
def _silent() -> Iterator[int]:
    """Suppress what libraries write to the standard error; yield a copy of where that goes."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield kept
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _missing() -> list[tuple[str, str]]:
    """Return the packages that hold libraries that are missing, and the library of each."""
    lines = (line.split() for line in read_text(resource(PACKAGES)).splitlines())
    return [(line[0], line[1]) for line in lines if len(line) == 2 and not _loads(line[1])]


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
