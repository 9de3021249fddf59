"""If Qt would abort, or cannot be imported, one line names the remedy."""

import ctypes
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from latviz.app.program import platforms
from tests.xvfb import missing, screen

NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE")
pytestmark = pytest.mark.posix("socket.AF_UNIX")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An environment on Linux that names no display."""
    monkeypatch.setattr("sys.platform", "linux")
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def not_found(library: str) -> str:
    """Return the linker's message on a missing library."""
    return f"{library}: cannot open shared object file: No such file or directory"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Missing libraries, on which plugins depend."""
    gone: list[str] = []
    load = ctypes.CDLL

    def loading(name: str) -> ctypes.CDLL:
        if gone and ("plugins" in name or name in gone):
            raise OSError(not_found(name if name in gone else gone[0]))
        return load(name)

    monkeypatch.setattr(ctypes, "CDLL", loading)
    return gone


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libGL.so.1", "libgl1"),
        ("libEGL.so.1", "libegl1"),
        ("libxkbcommon.so.0", "libxkbcommon0"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libfontconfig.so.1", "libfontconfig1"),
        ("libX11.so.6", "libx11-6"),
    ],
)
def test_a_library_that_an_import_misses(without: list[str], library: str, package: str) -> None:
    without.append(library)
    said = platforms.lacking(ImportError(not_found(library)))
    assert said.startswith(f"Qt needs {library}")
    assert f"apt-get install {package}" in said
    assert "\n" not in said


def test_all_packages_that_are_missing_are_said_at_once(without: list[str]) -> None:
    without += ["libEGL.so.1", "libxcb-cursor.so.0"]
    said = platforms.lacking(ImportError(not_found("libEGL.so.1")))
    assert said.endswith("apt-get install libegl1 libxcb-cursor0")


def test_errors_of_other_kinds_are_not_explained(without: list[str]) -> None:
    assert platforms.lacking(ImportError("No module named 'PyQt6'")) == ""
    without.append("libother.so.7")
    said = platforms.lacking(ImportError(not_found("libother.so.7")))
    assert said == "Qt needs libother.so.7, which is not installed"


def test_libraries_that_windows_need(without: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Qt names none: it writes this hint whatever is amiss."""
    without += ["libxcb-cursor.so.0", "libxcb-icccm.so.4"]
    monkeypatch.setenv("DISPLAY", ":0")
    told = [
        "From 6.5.0, xcb-cursor0 or libxcb-cursor0 is needed to load the Qt xcb platform plugin.",
        'Could not load the Qt platform plugin "xcb" in "" even though it was found.',
    ]
    assert platforms.refusal(told) == (
        "Qt opens no window with DISPLAY=':0': not installed: libxcb-cursor.so.0, "
        "libxcb-icccm.so.4; on Debian or Ubuntu: apt-get install libxcb-cursor0 libxcb-icccm4"
    )


EACH = """
import json, os, sys
from PyQt6.QtGui import QGuiApplication
from latviz.app.program import platforms
for named in json.loads(sys.argv[1]):
    sys.stdout.flush()
    if (process := os.fork()) == 0:
        os.dup2(1, 2)
        os.environ.update(named)
        platforms.opened(lambda: QGuiApplication([]), "--export")
        os._exit(0)
    print("exit", os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
"""


def attempts(tmp_path: Path, *named: dict[str, str]) -> list[tuple[str, int]]:
    """Return what a process writes that starts Qt under each environment, and its exit code."""
    kept = {name: value for name, value in os.environ.items() if name not in NAMES}
    done = subprocess.run(
        [sys.executable, "-c", EACH, json.dumps(named)],
        env=kept | {"XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    *all_, rest = re.split(r"exit (-?\d+)\n", done.stdout)
    assert rest == ""
    return list(zip(all_[::2], map(int, all_[1::2]), strict=True))


def test_a_display_that_is_named_and_does_not_answer(tmp_path: Path) -> None:
    """Each gives one line, and the exit code of what is wrong with the command."""
    wanted: list[tuple[dict[str, str], list[str]]] = [
        ({"DISPLAY": ":77"}, ["DISPLAY=':77'"]),
        ({"DISPLAY": "nobody's"}, ["nobody's"]),
        ({"WAYLAND_DISPLAY": "wayland-7"}, ["WAYLAND_DISPLAY='wayland-7'"]),
        ({"WAYLAND_DISPLAY": "wayland-7", "DISPLAY": ":77"}, ["'wayland-7'", "':77'"]),
        ({"XDG_SESSION_TYPE": "wayland", "DISPLAY": ":77"}, ["':77'"]),
        ({"QT_QPA_PLATFORM": "wayland"}, ["'wayland'", "wl_display", "unset QT_QPA_PLATFORM"]),
        ({"QT_QPA_PLATFORM": "xcb"}, ["'xcb'", "display", "unset"]),
        ({"QT_QPA_PLATFORM": "wayland;xcb"}, ["'wayland;xcb'", "unset"]),
        ({"QT_QPA_PLATFORM": "xbc"}, ["'xbc'", "unset"]),
        ({"QT_QPA_PLATFORM": "eglfs"}, ["'eglfs'", "unset"]),
        ({"QT_QPA_PLATFORM": "linuxfb"}, ["'linuxfb'", "unset"]),
    ]
    found = attempts(tmp_path, *(named for named, _ in wanted))
    for (named, words), (line, code) in zip(wanted, found, strict=True):
        assert code == 2, named
        assert line.startswith("latviz: Qt opens no window with ")
        assert line.endswith("; or use --export\n")
        assert line.count("\n") == 1
        for word in words:
            assert word in line


@pytest.mark.parametrize("platform", ["", "offscreen", "minimal", "offscreen:configfile=/nowhere"])
def test_where_nobody_sees_a_window_there_is_no_display(platform, monkeypatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    assert not platforms.has_display()


def test_systems_that_have_a_display_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for system in ("darwin", "win32"):
        monkeypatch.setattr("sys.platform", system)
        assert platforms.has_display()


@pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}")
def test_an_x_server_that_answers(tmp_path: Path) -> None:
    """Qt tries it after a compositor that does not."""
    with screen(tmp_path) as made:
        there = {"DISPLAY": made.display}
        found = attempts(tmp_path, there, there | {"WAYLAND_DISPLAY": "absent"})
    assert found == [("", 0), ("", 0)]


@pytest.fixture
def refusing() -> Iterator[int]:
    """Yield the number of a display whose server refuses all clients."""
    reason = b"No protocol specified\n\0\0"
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                head = bytes([0, 22, 11, 0, 0, 0, len(reason) // 4, 0])
                connection.sendall(head + reason)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1] - 6000
        thread.join()


def test_an_x_server_that_refuses(refusing: int, tmp_path: Path) -> None:
    """Its message, which a library writes, is not the line that the command line prints."""
    ((line, code),) = attempts(tmp_path, {"DISPLAY": f"127.0.0.1:{refusing}"})
    assert code == 2
    assert line.startswith(f"latviz: Qt opens no window with DISPLAY='127.0.0.1:{refusing}'")
    assert line.count("\n") == 1
