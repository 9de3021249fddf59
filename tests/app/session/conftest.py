"""A window that was killed, and its kept session."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.core.errors import ParameterError
from latviz.files.errors import SessionError
from latviz.workspace import read_session
from tests.app.conftest import noise_in, opened

CRASHING = """
import sys
from PyQt6.QtCore import QTimer
from latviz.app.document.opening import Opener
from latviz.app.program import main
from latviz.app.session import autosave

autosave.INTERVAL_MS = 50
def change(old, new):
    if new.picture is not old.picture:
        QTimer.singleShot(0, lambda: window.document.set("all", n_states=7, window=5))

with main.shown("light") as window:
    window.tabs.stage.show_only({"controls", "image", "states"})
    window.parts[Opener].open_path(sys.argv[1])
    window.document.changed.connect(change)
    main.application().exec()
"""


@pytest.fixture
def begun(begun: Callable[[], MainWindow], qtbot: QtBot) -> Callable[..., MainWindow]:
    """Begin windows with few views: what is kept, recorded and offered depends on none."""

    def begin(image: Path | None = None) -> MainWindow:
        window = begun()
        window.tabs.stage.show_only({"controls", "image", "states"})
        if image is not None:
            opened(window, qtbot, lambda: window.parts[Opener].open_path(str(image)))
        return window

    return begin


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("kept-*.latviz"))


def has_states(path: Path, n_states: int) -> bool:
    try:
        return read_session(path)[1].shown.parameters.n_states == n_states
    except (SessionError, ParameterError):
        return False


@pytest.fixture(scope="session")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The session and the lock of a process that was killed once its work was kept."""
    home = tmp_path_factory.mktemp("crashed")
    folder = home / "home" / "kept"  # as far from the image as in the tests
    command = [sys.executable, "-c", CRASHING, str(noise_in(home))]
    process = subprocess.Popen(command, env=os.environ | {"LATVIZ_HOME": str(home / "home")})
    try:
        while not any(has_states(path, 7) for path in kept(folder)):
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait(10)
    (work,), (ended,) = kept(folder), list(folder.glob("run-*.txt"))
    assert f"Work: {work.name}" in ended.read_text().splitlines()
    return sorted(folder.glob("kept-*"))


def crash(crashed: list[Path], folder: Path, name: str = "kept-0") -> None:
    """Copy the files of a killed process to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    assert {path.suffix for path in crashed} == {".latviz", ".lock"}
    for path in crashed:
        shutil.copy2(path, folder / f"{name}{path.suffix}")
