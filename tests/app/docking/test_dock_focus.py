"""Where the keyboard is after docks were opened, closed and floated."""

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow

LEFT = Qt.MouseButton.LeftButton
ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
KEYS = {
    "controls": "1",
    "image": "2",
    "states": "3",
    "space": "4",
    "adjacency": "5",
    "indices": "6",
    "likelihood": "7",
    "emissions": "8",
    "pixel": "9",
    "map": "0",
    "pins": "!",
    "tree": '"',
    "tradeoff": "#",
}
"""Alt with a digit, as the manual's shortcuts have it; what is no digit is Shift with 1 to 3."""


def press_digit(window: MainWindow, name: str) -> None:
    """Show or hide a dock by Alt with a digit."""
    place = '!"#'.find(KEYS[name])
    key = Qt.Key(ord(KEYS[name] if place < 0 else "123"[place]))
    QTest.keyClick(focus(), key, ALT if place < 0 else ALT | SHIFT)
    settle()


def settle() -> None:
    """Let all that is due be done."""
    for _ in range(3):
        QTest.qWait(1)
        QApplication.processEvents()


def focus() -> QWidget:
    """Return what has the keyboard, which is on screen and hides no dock."""
    widget = QApplication.focusWidget()
    assert widget is not None
    assert widget.isVisible()
    assert widget.window() is QApplication.activeWindow()
    assert not widget.accessibleName().startswith("Hide ")
    return widget


def keyboard(window: MainWindow, name: str) -> QWidget:
    """Return the part of a dock that takes the keyboard."""
    if name == "controls":
        return window.controls["encoding.name"]
    return window.views[name].keyboard


def close_by_mouse(window: MainWindow, name: str) -> None:
    (button,) = (b for b in window.docks[name].bar.findChildren(QToolButton) if b.text() == "✕")
    QTest.mouseClick(button, LEFT)
    settle()


def float_by_mouse(window: MainWindow, name: str) -> None:
    QTest.mouseDClick(window.docks[name].bar.heading, LEFT)
    settle()
    assert window.docks[name].isFloating()


def test_a_dock_that_is_opened_has_the_keyboard_and_gives_it_back(window: MainWindow) -> None:
    for name in KEYS:
        dock, before = window.docks[name], "likelihood" if name != "likelihood" else "indices"
        was_visible = dock.isVisible()
        dock.hide()
        settle()  # it may have had the keyboard itself
        keyboard(window, before).setFocus()
        settle()
        press_digit(window, name)
        assert dock.isVisible(), name
        assert focus() is keyboard(window, name), name
        press_digit(window, name)
        assert not dock.isVisible(), name
        assert focus() is keyboard(window, before), name
        press_digit(window, before)
        assert not window.docks[before].isVisible(), name
        press_digit(window, before)
        assert focus() is keyboard(window, before), name
        dock.setVisible(was_visible)
        settle()


def test_closing_by_mouse_leaves_the_keyboard_where_it_was_or_gives_it_to_a_neighbour(
    window: MainWindow,
) -> None:
    keyboard(window, "states").setFocus()
    close_by_mouse(window, "states")
    assert focus() is keyboard(window, "space")  # no other dock had it before
    window.docks["states"].show()
    settle()
    for name in ("image", "states", "emissions"):
        check_closing(window, name)


def check_closing(window: MainWindow, name: str) -> None:
    other = keyboard(window, "indices")
    other.setFocus()
    close_by_mouse(window, name)
    assert focus() is other
    window.docks[name].show()
    settle()
    assert focus() is other
    keyboard(window, name).setFocus()
    close_by_mouse(window, name)
    assert focus() is other


def test_what_has_the_keyboard_keeps_it_while_its_dock_floats_and_no_longer_does(
    window: MainWindow,
) -> None:
    keyboard(window, "indices").setFocus()
    float_by_mouse(window, "states")
    assert focus() is keyboard(window, "states")  # not the controls in its title
    window.docks["states"].setFloating(False)
    settle()
    for name in ("controls", "states", "adjacency"):
        check_floating(window, name)


def check_floating(window: MainWindow, name: str) -> None:
    dock, other = window.docks[name], keyboard(window, "indices")
    other.setFocus()
    had = window.controls["n_states"].slider if name == "controls" else keyboard(window, name)
    had.setFocus()
    float_by_mouse(window, name)
    assert focus() is had
    dock.setFloating(False)
    settle()
    assert focus() is had
    dock.setFloating(True)
    settle()
    assert focus() is had
    close_by_mouse(window, name)
    assert focus() is other
    press_digit(window, name)
    assert dock.isFloating()
    assert focus() is keyboard(window, name)
    press_digit(window, name)
    assert focus() is other


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_a_dock_is_opened_and_closed_in_the_menu_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    keyboard(window, "states").setFocus()
    for shown in (True, False):
        QTest.keyClick(focus(), Qt.Key.Key_V, ALT)
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
        menu = QApplication.activePopupWidget()
        assert menu is not None
        menu.setActiveAction(window.docks["map"].toggleViewAction())  # type: ignore[attr-defined]
        QTest.keyClick(menu, Qt.Key.Key_Return)
        settle()
        assert window.docks["map"].isVisible() == shown
        window.activateWindow()  # without a display a menu that is gone stays the active window
        settle()
        assert focus() is keyboard(window, "map" if shown else "states")


def test_the_default_layout_has_the_keyboard_and_all_docks_may_be_closed(
    window: MainWindow,
) -> None:
    for name in ("tree", "tradeoff"):
        window.docks[name].show()
    settle()
    keyboard(window, "tree").setFocus()
    QTest.keyClick(focus(), Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier | SHIFT)
    settle()
    assert focus() is keyboard(window, "controls")
    for name in KEYS:
        if window.docks[name].isVisible():
            close_by_mouse(window, name)
            assert focus() is window or focus().isVisible()
    assert focus() is window
    press_digit(window, "tree")
    assert focus() is keyboard(window, "tree")
