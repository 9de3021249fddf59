"""If Qt would abort, or cannot be imported, one line names the remedy."""

import ctypes
import os
import socket
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


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libxcb-icccm.so.4", "libxcb-icccm4"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ],
)
def test_a_library_that_windows_need(
    without: list[str], library: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without.append(library)
    monkeypatch.setenv("DISPLAY", ":0")
    assert package in platforms.refusal()


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"DISPLAY": ":77"}, ["':77'"]),
        ({"DISPLAY": "localhost:77"}, ["'localhost:77'"]),
        ({"DISPLAY": "nobody's"}, ["nobody's"]),
        ({"WAYLAND_DISPLAY": "wayland-7"}, ["'wayland-7'"]),
        ({"WAYLAND_DISPLAY": "/nowhere/wayland-7"}, ["wayland-7"]),
        ({"WAYLAND_DISPLAY": "wayland-7", "DISPLAY": ":77"}, ["'wayland-7'", "':77'"]),
        ({"XDG_SESSION_TYPE": "wayland", "DISPLAY": ":77"}, ["':77'"]),
        ({"QT_QPA_PLATFORM": "wayland"}, ["'wayland-0'"]),
        ({"QT_QPA_PLATFORM": "xcb"}, ["DISPLAY"]),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":77"}, ["':77'"]),
        ({"QT_QPA_PLATFORM": "wayland;xcb"}, ["'wayland-0'", "DISPLAY"]),
        ({"QT_QPA_PLATFORM": "xbc"}, ["'xbc'", "offscreen", "xcb", "unset"]),
        ({"QT_QPA_PLATFORM": "xbc;nothing"}, ["'xbc;nothing'", "xcb"]),
        ({"QT_QPA_PLATFORM": "eglfs"}, ["'eglfs'", "unset"]),
        ({"QT_QPA_PLATFORM": "linuxfb"}, ["'linuxfb'", "unset"]),
    ],
)
def test_a_display_that_is_named_and_does_not_answer(
    named: dict[str, str], words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    assert platforms.has_display()
    said = platforms.refusal()
    assert said
    assert "\n" not in said
    for word in words:
        assert word in said


@pytest.mark.parametrize("platform", ["", "offscreen", "minimal", "offscreen:configfile=/nowhere"])
def test_where_nobody_sees_a_window_there_is_no_display(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    assert not platforms.has_display()


def test_systems_that_have_a_display_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for system in ("darwin", "win32"):
        monkeypatch.setattr("sys.platform", system)
        assert platforms.has_display()
        assert platforms.refusal() == ""


@pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}")
def test_an_x_server_that_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with screen(tmp_path) as made:
        monkeypatch.setenv("DISPLAY", made.display)
        assert platforms.refusal() == ""
        monkeypatch.setenv("WAYLAND_DISPLAY", "absent")  # Qt then tries X
        assert platforms.refusal() == ""


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


def test_an_x_server_that_refuses(
    refusing: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", f"127.0.0.1:{refusing}")
    assert "refuses" in platforms.refusal()
    assert capfd.readouterr().err == ""  # the line that the command line prints is the only one


def test_a_compositor_that_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket may not be long
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("wayland-7")
        server.listen()
        monkeypatch.setenv("XDG_RUNTIME_DIR", ".")
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
        assert platforms.refusal() == ""
    os.unlink("wayland-7")
    assert "'wayland-7'" in platforms.refusal()
