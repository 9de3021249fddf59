"""A key hides all but the pictures, and facts on a pixel stand in the status line."""

from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from tests.app.conftest import settle
from tests.app.docking.test_docks import sizes


def shown(window: MainWindow) -> set[str]:
    return {name for name, dock in window.docks.items() if dock.isVisible()}


def test_pictures_alone_and_the_pixel_under_the_pointer(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.enter("explore")
    check_a_key_shows_pictures_only_until_it_is_pressed_again(window, qtbot)
    check_the_status_line_tells_the_pixel_under_the_pointer(window, qtbot)


def check_a_key_shows_pictures_only_until_it_is_pressed_again(window, qtbot) -> None:
    settle(qtbot, window)
    before, bars = sizes(window), (window.menuWidget(), window.statusBar())
    w = window.document.parameters.window
    for key in (Qt.Key.Key_H, Qt.Key.Key_Escape):
        QTest.keyClick(window, Qt.Key.Key_H)
        assert shown(window) == {"image", "states"}
        assert not any(bar.isVisible() for bar in bars)
        assert window.menus["Pictures only"].isChecked()
        QTest.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
        assert window.document.parameters.window == w + 1  # keys of the hidden menus still work
        QTest.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(window, key)
        qtbot.waitUntil(lambda: sizes(window) == before)
        assert all(bar.isVisible() for bar in bars)
        assert not window.menus["Pictures only"].isChecked()
    QTest.keyClick(window, Qt.Key.Key_H)
    window.tabs.enter("tradeoff")  # another tab has its own layout
    assert "controls" in shown(window)
    window.tabs.enter("explore")
    qtbot.waitUntil(lambda: sizes(window) == before)


def check_the_status_line_tells_the_pixel_under_the_pointer(window, qtbot) -> None:
    document, message = window.document, window.status.message
    frame = settle(qtbot, window)
    window.status.end_message()
    notes = message.whole_text()
    document.pin((5, 6))  # is not under the pointer
    assert message.whole_text() == notes
    document.inspector.hover((10, 20))
    grey, state = frame.request.picture.pixels[10, 20], frame.states[10, 20] + 1
    facts = f"row 10, column 20 · value {grey} · state {state}"
    assert message.whole_text() == " · ".join(filter(None, (facts, notes)))
    document.set("Decoder", decoder="belief")
    frame = settle(qtbot, window)
    belief = frame.believed.at((10, 20)).belief[frame.states[10, 20]]
    known = message.whole_text().split(" · ")[3]
    assert known.startswith("probability ")
    assert abs(float(known.split()[1].strip("<>")) - belief) < 0.001
    document.inspector.hover(None)
    assert message.whole_text() == notes
