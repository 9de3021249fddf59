"""Keys that views understand."""

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeyEvent, QKeySequence
from PyQt6.QtWidgets import QApplication, QPushButton, QToolButton

from latviz.app.widgets.shortcuts import DELETE

_ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ZOOMS: dict[int, float] = {
    Qt.Key.Key_Plus: 1.25,
    Qt.Key.Key_Equal: 1.25,
    Qt.Key.Key_Minus: 0.8,
}
_OWN = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier


def is_plain(event: QKeyEvent) -> bool:
    """Return True if no more than Shift is held: all else is for the menus."""
    return not event.modifiers() & ~_OWN


def is_shifted(event: QKeyEvent) -> bool:
    """Return True if Shift is held."""
    return bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)


def is_enter(event: QKeyEvent) -> bool:
    """Return True for both Enter keys."""
    return event.key() in _ENTER and is_plain(event)


def is_delete(event: QKeyEvent) -> bool:
    """Return True for a key that deletes what is chosen."""
    return is_plain(event) and QKeySequence(event.key()).toString() in DELETE


def clicks_button(event: QKeyEvent) -> bool:
    """Click the button that has the keyboard by Enter, which Qt does in dialogs only."""
    button = QApplication.focusWidget()
    if not (is_enter(event) and isinstance(button, QPushButton | QToolButton)):
        return False
    if not event.isAutoRepeat():
        button.click()
    return True


def arrow(event: QKeyEvent) -> tuple[int, int] | None:
    """Return the steps to the right and down for an arrow key; None for other keys."""
    return _ARROWS.get(event.key()) if is_plain(event) else None


def zoom_factor(event: QKeyEvent) -> float | None:
    """Return the factor that plus and minus magnify by; None for other keys."""
    return _ZOOMS.get(event.key()) if is_plain(event) else None
