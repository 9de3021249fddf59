"""The keyboard focus after docks were opened and closed."""

from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget

from latviz.app.program.window import MainWindow

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
    "tree": "0",
    "tradeoff": "!",
    "regions": '"',
    "guide": "#",
}
"""Alt with a digit, as the manual's shortcuts have it; other keys are Shift with 1 to 3."""


def press_digit(window: MainWindow, name: str) -> None:
    """Show or hide a dock by Alt with a digit."""
    place = '!"#'.find(KEYS[name])
    key = Qt.Key(ord(KEYS[name] if place < 0 else "123"[place]))
    QTest.keyClick(focus(), key, ALT if place < 0 else ALT | SHIFT)
    settle()


def settle() -> None:
    """Run all due events."""
    for _ in range(3):
        QTest.qWait(1)
        QApplication.processEvents()


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget.isVisible()
    assert widget.window() is QApplication.activeWindow()
    return widget


def keyboard(window: MainWindow, name: str) -> QWidget:
    """Return the part of a dock that takes the keyboard."""
    if name == "controls":
        return window.controls["encoding.name"]
    return window.views[name].keyboard


def close(window: MainWindow, name: str) -> None:
    window.tabs.stage.close_dock(name)
    settle()


def test_a_dock_that_is_opened_has_the_keyboard_and_gives_it_back(window: MainWindow) -> None:
    for name in KEYS:
        dock, before = window.docks[name], "likelihood" if name != "likelihood" else "indices"
        was_open = window.tabs.stage.is_open(name)
        close(window, name)  # it may have had the keyboard itself
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
        if was_open:
            window.tabs.stage.open_dock(name)
            settle()


def test_closing_leaves_the_keyboard_in_a_dock(window: MainWindow) -> None:
    check_the_next_dock_has_the_keyboard_if_none_had_it_before(window)
    window.tabs.stage.open_dock("states")
    settle()
    for name in ("image", "states", "emissions"):
        check_closing(window, name)
    check_all_docks_may_be_closed(window)


def check_closing(window: MainWindow, name: str) -> None:
    other = keyboard(window, "indices")
    other.setFocus()
    close(window, name)
    assert focus() is other
    window.tabs.stage.open_dock(name)
    settle()
    assert focus() is other
    keyboard(window, name).setFocus()
    close(window, name)
    assert focus() is other


def check_the_next_dock_has_the_keyboard_if_none_had_it_before(window: MainWindow) -> None:
    keyboard(window, "states").setFocus()
    close(window, "states")
    assert focus() is keyboard(window, "space")


def check_all_docks_may_be_closed(window: MainWindow) -> None:
    keyboard(window, "controls").setFocus()
    for name in KEYS:
        if window.docks[name].isVisible():
            close(window, name)
            assert focus() is window or focus().isVisible()
    assert focus() is window
    press_digit(window, "tree")
    assert focus() is keyboard(window, "tree")
