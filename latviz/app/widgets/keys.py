"""Keys that views understand."""

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QApplication, QPushButton, QToolButton

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
_SHIFT, _KEYPAD = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier


def bare(event: QKeyEvent | None) -> int:
    """Return the key that is pressed without a modifier, or 0."""
    # macOS counts arrow keys to the keypad.
    return 0 if event is None or event.modifiers() & ~_KEYPAD else event.key()


def plain(event: QKeyEvent | None) -> int:
    """Return the key that is pressed with no modifier but Shift, or 0.

    Some keyboards need Shift for digits and signs. With letters it is for the menus.
    """
    return 0 if event is None or event.modifiers() & ~(_KEYPAD | _SHIFT) else event.key()


def is_shifted(event: QKeyEvent) -> bool:
    """Return True if Shift is held."""
    return bool(event.modifiers() & _SHIFT)


def is_enter(event: QKeyEvent | None) -> bool:
    """Return True for both Enter keys."""
    return plain(event) in _ENTER


def clicks_button(event: QKeyEvent) -> bool:
    """Click the button that has the keyboard by Enter, which Qt does in dialogs only."""
    button = QApplication.focusWidget()
    if not (is_enter(event) and isinstance(button, QPushButton | QToolButton)):
        return False
    if not event.isAutoRepeat():
        button.click()
    return True


def arrow(event: QKeyEvent | None) -> tuple[int, int] | None:
    """Return the steps to the right and down for an arrow key; None for other keys."""
    return _ARROWS.get(plain(event))


def event_steps(event: QKeyEvent | None) -> int:
    """Return the steps from event to event for Ctrl and an arrow key: 1, -1, or 0."""
    held = Qt.KeyboardModifier.ControlModifier
    if event is None or event.modifiers() & ~_KEYPAD != held:
        return 0
    return _ARROWS.get(event.key(), (0, 0))[0]


def zoom_factor(event: QKeyEvent) -> float | None:
    """Return the factor that plus and minus magnify by; None for other keys."""
    return _ZOOMS.get(plain(event))
