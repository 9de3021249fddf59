"""What is set is copied as a line of text, and pasted."""

from PyQt6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.app.session.state_text import StateText
from tests.app.conftest import settle


def clip(text: str) -> None:
    clipboard = QGuiApplication.clipboard()
    assert clipboard is not None
    clipboard.setText(text)


def clipped() -> str:
    clipboard = QGuiApplication.clipboard()
    return "" if clipboard is None else clipboard.text()


def test_a_demo_comes_back_whole(window: MainWindow, qtbot: QtBot) -> None:
    window.parts[Opener].open_demo("stripes")
    qtbot.waitUntil(lambda: window.document.state.knows_truth)
    window.document.set("w", window=6, decoder="belief")
    window.document.set_display(truth="errors")
    window.document.pin((3, 4))
    state = window.document.state
    window.parts[StateText].copy()
    assert clipped() == "demo=stripes&window=6&decoder=belief&pins=[[3,4]]&display.truth=errors"
    window.parts[Opener].open_demo("blobs")
    qtbot.waitUntil(lambda: window.document.picture is not state.picture)
    window.menus["Set state from text"].trigger()
    qtbot.waitUntil(lambda: window.document.picture.origin == {"demo": "stripes"})
    now = window.document.state
    assert now.parameters == state.parameters
    assert now.pins == ((3, 4),)
    assert now.display == state.display
    window.document.undo_stack.undo()
    assert window.document.picture.origin == {"demo": "blobs"}


def test_without_a_demo_it_is_about_the_picture_on_screen(window: MainWindow, qtbot: QtBot) -> None:
    picture = window.document.picture
    window.document.set("w", window=9)
    window.parts[StateText].copy()
    assert clipped() == "window=9"
    window.document.set("N", n_states=2, window=1)
    window.parts[StateText].paste()
    assert window.document.picture is picture
    assert window.document.parameters.window == 9
    assert window.document.parameters.n_states == 4
    settle(qtbot, window)


def test_bad_text_changes_nothing_and_says_why(window: MainWindow, qtbot: QtBot) -> None:
    before = window.document.state
    for text, words in (
        ("", "no text"),
        ("hello", "must look like"),
        ("window=999", "from 0 to 64"),
        ("pins=[[9999,1]]", "outside the image"),
        ("demo=nothing", "name must be one of"),
    ):
        window.banner.hide()
        clip(text)
        window.parts[StateText].paste()
        qtbot.waitUntil(window.banner.isVisible)
        assert words in window.banner.label.text()
        assert window.document.state == before
