"""The settings are copied as a line of text, and pasted."""

import pytest
from PyQt6.QtGui import QClipboard
from pytestqt.qtbot import QtBot

from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.app.session.sessions import StateText
from tests.app.conftest import settle

pytestmark = pytest.mark.usefixtures("few_views")


def test_text_is_about_its_demo_or_the_picture_on_screen_and_bad_text_changes_nothing(
    window, qtbot, clipboard
) -> None:
    picture = window.document.picture
    window.document.set("w", window=9)
    window.parts[StateText].copy()
    assert clipboard.text() == "window=9"
    window.document.set("N", n_states=2, window=1)
    window.parts[StateText].paste()
    assert window.document.picture is picture
    assert window.document.parameters.window == 9
    assert window.document.parameters.n_states == 4
    settle(qtbot, window)
    check_bad_text(window, qtbot, clipboard)
    check_demo(window, qtbot, clipboard)


def check_bad_text(window: MainWindow, qtbot: QtBot, clipboard: QClipboard) -> None:
    before = window.document.state
    for text, words in (
        ("", "no text"),
        ("hello", "must look like"),
        ("window=70000", "from 0 to 65536"),
        ("pins=[[9999,1]]", "outside the image"),
        ("demo=nothing", "name must be one of"),
    ):
        window.banner.hide()
        clipboard.setText(text)
        window.parts[StateText].paste()
        qtbot.waitUntil(window.banner.isVisible)
        assert words in window.banner.label.text()
        assert window.document.state == before


def check_demo(window: MainWindow, qtbot: QtBot, clipboard: QClipboard) -> None:
    window.parts[Opener].open_demo("stripes")
    qtbot.waitUntil(lambda: window.document.state.knows_truth)
    window.document.set("w", window=6, decoder="belief")
    window.document.set_display(truth="errors")
    window.document.pin((3, 4))
    state = window.document.state
    window.parts[StateText].copy()
    assert (
        clipboard.text() == "demo=stripes&window=6&decoder=belief&pins=[[3,4]]&display.truth=errors"
    )
    window.parts[Opener].open_demo("blobs")
    qtbot.waitUntil(lambda: window.document.picture is not state.picture)
    window.menus["Apply settings from text"].trigger()
    qtbot.waitUntil(lambda: window.document.picture.origin == {"demo": "stripes"})
    now = window.document.state
    assert now.parameters == state.parameters
    assert now.pins == ((3, 4),)
    assert now.display == state.display
    window.document.undo_stack.undo()
    assert window.document.picture.origin == {"demo": "blobs"}
