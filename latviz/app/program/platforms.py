"""Checks if Qt can draw and open windows here; explains in one line where Qt would abort.

Imports nothing of Qt at the top, because its libraries may be missing.
"""

import ctypes
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from latviz.core.disk.reading import read_text
from latviz.resources import resource

VARIABLE = "QT_QPA_PLATFORM"
OFFSCREEN = "offscreen"
PACKAGES = "system-packages.txt"
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET")
"""The variables of the environment that name a display."""
UNSEEN = (OFFSCREEN, "minimal", "minimalegl")
"""The platforms that draw into memory."""
_TRIAL_S = 30
_NOT_FOUND = re.compile(r"(lib\S+\.so[.\d]*): cannot open shared object file")
_PLUGIN = re.compile(r"(?:lib)?q([\w-]+)\.(?:so|dylib|dll)")
_TRIAL = """
import contextlib
with contextlib.suppress(ImportError):
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
from PyQt6.QtGui import QGuiApplication
raise SystemExit(not QGuiApplication([]).screens())
"""


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


def lacking(error: Exception) -> str:
    """Return which packages are missing if an error is of a library that is; else nothing."""
    found = _NOT_FOUND.search(str(error))
    if found is None:
        return ""
    packages = [package for package, library in _needed() if not _loads(library)]
    advice = f"; on Debian or Ubuntu: apt-get install {' '.join(packages)}" if packages else ""
    return f"Qt needs {found[1]}, which is not installed{advice}"


def refusal() -> str:
    """Return why Qt cannot open a window here, or "" if it can."""
    # An ImportError means that a library is missing that Qt needs also to draw
    named = os.environ.get(VARIABLE, "")
    if not named and sys.platform in ("win32", "darwin"):
        return ""
    names = named.lower().split(";") if named else _usual()
    plugins = _plugins()
    if not all(name in _CHECKS for name in names):
        return _tried(named, plugins)
    reasons = [_CHECKS[name](plugins) for name in names]
    return "" if "" in reasons else "; ".join(reasons)


def _needed() -> Iterator[tuple[str, str]]:
    """Yield the packages that hold libraries, and a library of each."""
    for line in read_text(resource(PACKAGES)).splitlines():
        words = line.split()
        if len(words) == 2 and words[0] != "#":
            yield words[0], words[1]


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _usual() -> list[str]:
    """Return the platforms that Qt tries on Linux by itself."""
    has_wayland = bool(
        os.environ.get("WAYLAND_DISPLAY")
        or os.environ.get("WAYLAND_SOCKET")
        or os.environ.get("XDG_SESSION_TYPE") == "wayland"
    )
    # The user cannot correct a platform that no variable names.
    has_x11 = bool(os.environ.get("DISPLAY")) or not has_wayland
    return ["wayland"] * has_wayland + ["xcb"] * has_x11


def _plugins() -> dict[str, Path]:
    """Return the files of Qt's platforms by their names."""
    from PyQt6.QtCore import QCoreApplication  # not above: its libraries may be missing

    extra = os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH", "")
    folders = [Path(path) / "platforms" for path in QCoreApplication.libraryPaths()]
    found = [
        (match[1].lower(), path)
        for folder in [*folders, *([Path(extra)] if extra else [])]
        for path in sorted(folder.glob("*"))
        if (match := _PLUGIN.fullmatch(path.name))
    ]
    # Qt had two files for Wayland, and has one now.
    return {name.removesuffix("-generic"): path for name, path in found}


def _tried(named: str, plugins: dict[str, Path]) -> str:
    """Start the named platform in another process; return the reason if that fails, or nothing."""
    names = [name.partition(":")[0] for name in named.lower().split(";")]
    unknown = [name for name in names if name not in plugins]
    if unknown == names:
        known = ", ".join(plugins)
        return f"Qt has no platform {named!r} ({VARIABLE}); choose one of {known}, or unset it"
    try:
        command = [sys.executable, "-c", _TRIAL]
        done = subprocess.run(command, capture_output=True, check=False, timeout=_TRIAL_S)
    except subprocess.TimeoutExpired:
        pass
    else:
        if done.returncode == 0:
            return ""
    return f"Qt's platform {named!r} ({VARIABLE}) does not start here; unset it"


def _linked(plugin: Path | None, name: str) -> str:
    """Return why a platform's file cannot be loaded, or nothing."""
    if plugin is None:
        return f"Qt has no platform {name!r} here"
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return lacking(error) or f"Qt's platform {name!r} cannot be loaded: {error}"
    return ""


def _x11(plugins: dict[str, Path]) -> str:
    if reason := _linked(plugins.get("xcb"), "xcb"):
        return reason
    display = os.environ.get("DISPLAY")
    if not display:
        return "DISPLAY names no display"
    if _answers():
        return ""
    return f"the display {display!r} (DISPLAY) does not respond, or refuses access"


def _answers() -> bool:
    """Return True if the X server named by DISPLAY accepts a connection."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:  # it is inside the platform's file, which was loaded: Qt itself has to ask
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    with _silent():  # it prints the message of a server that refuses
        connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed


@contextmanager
def _silent() -> Iterator[None]:
    """Suppress the errors of libraries meanwhile."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _wayland(plugins: dict[str, Path]) -> str:
    if reason := _linked(plugins.get("wayland", plugins.get("wayland-egl")), "wayland"):
        return reason
    if os.environ.get("WAYLAND_SOCKET"):  # a connection that is open already, for one use
        return ""
    name = os.environ.get("WAYLAND_DISPLAY") or "wayland-0"
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere"), name)
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(path))
    except OSError:
        return f"the display {name!r} (WAYLAND_DISPLAY) does not respond, or refuses access"
    return ""


_CHECKS: dict[str, Callable[[dict[str, Path]], str]] = {
    "xcb": _x11,
    "wayland": _wayland,
    "wayland-egl": _wayland,
}
"""Checks of platforms: return why one cannot open a window here. Unlisted platforms are tried."""
