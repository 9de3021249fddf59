"""Readers that hang, as on a network disk that does not answer, and the work that continues."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz import files, workspace
from latviz.app.document import opening
from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.app.session.autosave import Autosave
from latviz.app.work.background import Background
from tests.app.conftest import join_background, opened

pytestmark = pytest.mark.usefixtures("few_views")

CLOSING = """
import sys, threading, time
from PyQt6.QtCore import QTimer
from latviz import files, workspace
from latviz.app.document.opening import Opener
from latviz.app.program import main
from latviz.app.shell.settings import Settings

reading = threading.Event()
def hang(*arguments, **options):
    reading.set()
    time.sleep(1000)
files.images.read_lattice = hang
app = main.application()
window = main.MainWindow(Settings(lasting=False))
window.show()
window.parts[Opener].open_path(sys.argv[1])
look = QTimer()
look.timeout.connect(lambda: reading.is_set() and window.close())
look.start(50)
app.exec()
main.discard(window)
print("ended", flush=True)
"""

RACING = """
import time
from PyQt6.QtCore import QEvent, QObject
from latviz.app.program import main
from latviz.app.work.background import Background

app, until, n = main.application(), time.monotonic() + 4, 0
while time.monotonic() < until:
    view, n = QObject(), n + 1
    background = Background(view)
    task = background.task()
    def report():
        for k in range(300):
            background.report(task, k / 300)
    background.start(report, print)
    time.sleep(0.0002 * (n % 11))
    view.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
print("ended", flush=True)
"""


class Disk:
    """A disk whose files of some name are read only once it answers."""

    def __init__(self) -> None:
        self.asked, self.answers = threading.Event(), threading.Event()
        self.n_asked = 0
        self._read = files.images.read_lattice

    def read(self, path: str, *roles: Any, **options: Any) -> Any:
        if Path(path).name.startswith("dead"):
            self.n_asked += 1
            self.asked.set()
            self.answers.wait()
        return self._read(path, *roles, **options)


@pytest.fixture
def disk(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """A disk that answers before threads are checked at the end."""
    disk = Disk()
    monkeypatch.setattr(files.images, "read_lattice", disk.read)
    monkeypatch.setattr(opening, "SLOW_MS", 100)
    monkeypatch.setattr(opening, "LEFT_S", 0.1)
    yield disk
    disk.answers.set()
    join_background("digest")


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, str]:
    paths = {name: str(tmp_path / f"{name}.png") for name in ("dead", "alive")}
    for k, path in enumerate(paths.values()):
        Image.fromarray(np.eye(40 + k, dtype=np.uint8) * 200).save(path)
    return paths


def test_a_person_is_told_and_may_stop_waiting_or_open_another_file(
    disk, window, qtbot, paths
) -> None:
    picture, bar = window.document.picture, window.status.opening
    window.parts[Opener].open_file(paths["dead"])
    qtbot.waitUntil(bar.isVisible)
    assert (bar.bar.minimum(), bar.bar.maximum()) == (0, 0)
    text = window.status.message.whole_text()
    assert "dead.png" in text
    assert "Esc cancels" in text
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert bar.isHidden()
    assert "cancelled" in window.status.message.whole_text()
    disk.answers.set()
    qtbot.wait(200)
    assert window.document.picture is picture
    disk.answers.clear()
    disk.n_asked = 0
    disk.asked.clear()
    for _ in range(9):  # files that are no longer needed are not read
        window.parts[Opener].open_file(paths["dead"])
    assert disk.asked.wait(20)
    opened(window, qtbot, lambda: window.parts[Opener].open_file(paths["alive"]))
    assert disk.n_asked == 1
    disk.answers.set()
    qtbot.wait(200)
    assert window.document.picture.shape == (41, 41)
    assert window.document.picture.name == "alive.png"


def test_the_program_ends_all_the_same(paths: dict[str, str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", CLOSING, paths["dead"]],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "ended\n"), ended.stderr
    assert "Traceback" not in ended.stderr


def test_views_are_deleted_while_their_jobs_report() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", RACING], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "ended\n"), ended.stderr


def test_a_failure_that_nobody_waits_for_is_not_told(qtbot: QtBot) -> None:
    background, failures, done = Background(), [], []
    background.failed.connect(failures.append)
    task, go_on = background.task(), threading.Event()

    def fail() -> None:
        go_on.wait(20)
        raise ValueError("late")

    background.start(fail, done.append, task=task)
    task.give_up()
    go_on.set()
    background.start(lambda: "next", done.append)
    qtbot.waitUntil(lambda: done == ["next"])
    assert not failures
    background.finish()


def test_work_is_recorded_though_the_disk_of_its_image_died(
    disk, window, qtbot, paths, monkeypatch
) -> None:
    opened(window, qtbot, lambda: window.parts[Opener].open_file(paths["alive"]))
    asked: list[str] = []

    def hang(path: str, _: int) -> str:
        asked.append(path)
        disk.answers.wait()
        return ""

    monkeypatch.setattr(workspace, "ANSWER_S", 0.2)
    monkeypatch.setattr(files.session_archive, "sha256_of", hang)
    folder = window.settings.kept_folder
    before = set(folder.glob("work-*"))
    pixels = window.document.picture.pixels
    for n_states in (3, 5):
        window.document.set("N", n_states=n_states)
        window.parts[Autosave]._keep()
        join_background()
        window.parts[Autosave]._end_writing(None)
    window.close()
    assert not window.isVisible()
    (path,) = set(folder.glob("work-*")) - before
    pictures, session = workspace.read_session(path)
    np.testing.assert_array_equal(pictures.picture.pixels, pixels)
    assert session.state.parameters.n_states == 5
    assert asked == [paths["alive"]]
