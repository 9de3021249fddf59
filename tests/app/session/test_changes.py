"""A named session that was changed: the user is asked before it is closed."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import QMimeData, Qt
from PyQt6.QtGui import QImage
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.app.session import sessions
from latviz.workspace import read_session
from tests.app.conftest import begin_anew, opens, settle
from tests.app.exporting.test_files import drop
from tests.app.session.test_sessions import answered, question, saved

pytestmark = pytest.mark.usefixtures("few_views")

SAVE, DISCARD, CANCEL = (
    QMessageBox.StandardButton.Save,
    QMessageBox.StandardButton.Discard,
    QMessageBox.StandardButton.Cancel,
)
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def path(window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session that the window has saved."""
    path = tmp_path / "work.latviz"
    monkeypatch.setattr(sessions, "ask_session", lambda *_: (str(path), True))
    saved(window, qtbot)
    return path


@pytest.fixture
def image(tmp_path: Path) -> Path:
    Image.fromarray(np.eye(30, dtype=np.uint8) * 200).save(tmp_path / "next.png")
    return tmp_path / "next.png"


def change(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    """Bring the window to the session at its beginning, changed since."""
    begin_anew(qtbot, window)
    path.unlink()
    saved(window, qtbot)
    window.document.set("N", n_states=6)
    settle(qtbot, window)
    assert n_states_in(path) == 4


def n_states_in(path: Path) -> int:
    return read_session(path)[1].state.parameters.n_states


WAYS: dict[str, Callable[[MainWindow, Path], object]] = {
    "a file": lambda w, image: w.parts[Opener].open_file(str(image)),
    "a dropped file": lambda w, image: drop(w, image),
    "a demo": lambda w, _: w.parts[Opener].open_demo("stripes"),
    "the clipboard": lambda w, _: w.parts[Opener].paste(),
}


def test_opening_and_closing_ask(window, qtbot, path, image, clipboard) -> None:
    check_opening_asks(window, qtbot, path, image, clipboard)
    change(window, qtbot, path)
    check_what_is_not_saved_is_undone_into(window, qtbot, path, image)
    change(window, qtbot, path)
    check_a_save_that_fails_leaves_all_as_it_is(window, qtbot, path, image)
    path.rmdir()
    check_closing_asks(window, qtbot, path, SAVE, 6)


def check_opening_asks(window, qtbot, path, image, clipboard) -> None:
    clipboard.setImage(QImage(31, 17, QImage.Format.Format_RGB32))
    for way in WAYS.values():
        window.document.set("N", n_states=4)
        saved(window, qtbot)
        window.document.set("N", n_states=6)
        settle(qtbot, window)
        picture = window.document.picture
        way(window, image)
        box = question(window)
        assert "work.latviz" in box.text()
        assert box.defaultButton() is box.button(SAVE)
        qtbot.wait(100)
        assert window.document.picture is picture
        QTest.keyClick(box, Qt.Key.Key_Escape)
        assert question(window) is None
        qtbot.wait(100)
        assert window.document.picture is picture
        assert n_states_in(path) == 4
        way(window, image)
        opens(window, qtbot, lambda: answered(window, SAVE))
        assert n_states_in(path) == 6


def check_what_is_not_saved_is_undone_into(window, qtbot, changed, image) -> None:
    before = window.document.state
    window.parts[Opener].open_file(str(image))
    opens(window, qtbot, lambda: answered(window, DISCARD))
    assert n_states_in(changed) == 4
    assert window.windowTitle() == "next.png – latviz"
    assert not window.isWindowModified()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert question(window) is None
    assert window.document.state == before
    assert window.windowTitle() == "work.latviz[*] – camera – latviz"
    assert window.isWindowModified()
    saved(window, qtbot)
    assert n_states_in(changed) == 6


def check_a_save_that_fails_leaves_all_as_it_is(window, qtbot, changed, image) -> None:
    picture = window.document.picture
    changed.unlink()
    changed.mkdir()
    for act in (lambda: window.parts[Opener].open_file(str(image)), window.close):
        act()
        answered(window, SAVE)
        qtbot.waitUntil(window.banner.isVisible)
        assert "work.latviz: it is a folder" in window.banner.label.text()
        assert window.document.picture is picture
        assert window.isVisible()
        window.banner.hide()


def test_what_is_unchanged_or_has_no_name_asks_nothing(window, qtbot, image, path) -> None:
    opens(window, qtbot, lambda: window.parts[Opener].open_file(str(image)))
    window.document.set("N", n_states=2)
    opens(window, qtbot, lambda: window.parts[Opener].open_demo("stripes"))
    assert question(window) is None
    opens(window, qtbot, lambda: window.parts[Opener].open_file(str(path)))
    window.document.set("N", n_states=7)
    data = QMimeData()
    data.setText("no image")
    assert not window.parts[Opener].open_data(data)  # is refused before any question
    assert question(window) is None
    settle(qtbot, window)
    window.close_now()  # the end of the program is not held up
    assert not window.isVisible()
    assert window.worker.isFinished()


def test_closing_without_saving(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    window.document.set("N", n_states=6)
    settle(qtbot, window)
    check_closing_asks(window, qtbot, path, DISCARD, 4)


def check_closing_asks(window, qtbot, changed, button, n_states) -> None:
    window.close()
    assert window.isVisible()
    answered(window, CANCEL)
    assert window.isVisible()
    window.document.set("N", n_states=5)
    window.document.set("N", n_states=6)
    window.close()
    window.close()  # a user may close twice: there is one question
    assert len([box for box in window.findChildren(QMessageBox) if box.isVisible()]) == 1
    answered(window, button)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert window.worker.isFinished()
    assert n_states_in(changed) == n_states
