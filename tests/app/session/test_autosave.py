"""The session kept of a window that ends without warning, and how the next one opens it."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.session import autosave
from latviz.app.session.autosave import Autosave
from latviz.app.shell.settings import Settings
from latviz.app.work.activity import Failure
from latviz.engine.pictures.picture import Picture
from latviz.workspace import read_session
from tests.app.conftest import opened
from tests.app.session.conftest import crash, has_states, kept

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where windows keep their sessions."""
    monkeypatch.setenv("LATVIZ_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(autosave, "INTERVAL_MS", 50)
    folder = Settings().kept_folder
    assert folder == tmp_path / "home" / "kept"
    return folder


@pytest.fixture
def start(folder, image, begun) -> Callable[[], MainWindow]:
    return partial(begun, image)


def offered(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(window.banner.isVisible)
    assert "did not close properly" in window.banner.label.text()


def test_what_a_killed_window_kept_is_restored(qtbot, crashed, folder, start) -> None:
    crash(crashed, folder)
    (path,) = kept(folder)
    window = start()
    offered(qtbot, window)
    assert [b.text() for b in (window.banner.remedy_button, window.banner.other_button)] == [
        "Restore",
        "Discard",
    ]
    frame = opened(window, qtbot, lambda: QTest.mouseClick(window.banner.remedy_button, LEFT))
    assert (frame.request.parameters.n_states, frame.request.parameters.window) == (7, 5)
    assert kept(folder) == [path]
    window.document.set("N", n_states=9)
    qtbot.waitUntil(lambda: has_states(path, 9), timeout=20_000)
    window.close()
    assert not kept(folder)
    (work,) = folder.iterdir()
    assert work.name.startswith("work-")
    assert read_session(work)[1].shown.parameters.n_states == 9
    calm = start()
    qtbot.wait(100)
    assert not calm.banner.isVisible()
    frame = opened(calm, qtbot, calm.parts[Autosave].reopen)
    assert frame.request.parameters.n_states == 9


def test_an_offer_comes_again_until_it_is_answered_and_what_is_not_wanted_is_discarded(
    qtbot, crashed, folder, start
) -> None:
    for name in ("kept-0", "kept-1"):
        crash(crashed, folder, name)
    window = start()
    offered(qtbot, window)
    window.close()
    assert len(kept(folder)) == 2
    window = start()
    frame = window.document.frame
    for left in (1, 0):
        offered(qtbot, window)
        QTest.mouseClick(window.banner.other_button, LEFT)
        assert len(kept(folder)) == left
    assert not window.banner.isVisible()
    assert window.document.frame is frame


def kept_shape(folder: Path) -> tuple[int, ...]:
    return read_session(kept(folder)[0])[0].picture.shape


def test_nothing_new_is_not_written_and_an_image_without_a_file_is(qtbot, folder, start) -> None:
    window = start()
    qtbot.wait(300)
    assert not folder.exists()
    window.document.set("N", n_states=6)
    qtbot.waitUntil(lambda: len(kept(folder)) == 1)
    qtbot.wait(200)
    before = kept(folder)[0].stat().st_mtime_ns
    window.document.point(state=2)
    qtbot.wait(300)
    assert kept(folder)[0].stat().st_mtime_ns == before
    pixels = np.random.default_rng(1).integers(0, 256, (30, 40)).astype(np.uint8)
    window.document.open(Picture(pixels, "Pasted image", origin={"clipboard": True}))
    qtbot.waitUntil(lambda: len(kept(folder)) == 1 and kept_shape(folder) == pixels.shape)
    np.testing.assert_array_equal(read_session(kept(folder)[0])[0].picture.pixels, pixels)


def test_what_does_not_last_is_not_kept(qtbot, folder, no_leaked_threads) -> None:
    window = MainWindow(Settings(lasting=False))
    window.show()
    window.document.open(Picture(np.eye(20, dtype=np.uint8), "eye", origin={"clipboard": True}))
    qtbot.wait(200)
    discard(window)
    assert not folder.exists()


def test_what_cannot_be_kept_does_not_hide_what_else_failed(qtbot, start, monkeypatch) -> None:
    window = start()
    window.shell.fail(Failure("The picture cannot be read."))
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    tried: list[object] = []
    window.parts[Autosave].background.failed.connect(tried.append)
    window.document.set("N", n_states=6)
    qtbot.waitUntil(lambda: bool(tried))
    qtbot.wait(50)
    assert window.banner.label.text() == "The picture cannot be read."
    window.banner.hide()
    window.document.set("N", n_states=7)
    qtbot.waitUntil(window.banner.isVisible)
    assert "the disk is full" in window.banner.label.text()
