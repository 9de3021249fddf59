"""Keys inside widgets: those without modifiers, and Shift where keyboards need it for signs."""

import pytest
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.views.steps.view import StepArea
from latviz.app.widgets import keys
from latviz.app.widgets.paint_canvas import PaintCanvas

Key, Held = Qt.Key, Qt.KeyboardModifier
NONE, SHIFT, CTRL, KEYPAD = (
    Held.NoModifier,
    Held.ShiftModifier,
    Held.ControlModifier,
    Held.KeypadModifier,
)
CYRILLIC = 0x0424
"""The key of a letter that Qt has no name for: its code point."""


def pressed(key: int, held: Held, kind: QEvent.Type = QEvent.Type.KeyPress) -> QKeyEvent:
    return QKeyEvent(kind, key, held)


@pytest.mark.parametrize(
    ("key", "held", "bare", "plain"),
    [
        (Key.Key_E, NONE, True, True),
        (Key.Key_E, SHIFT, False, True),
        (Key.Key_E, CTRL, False, False),
        (Key.Key_Left, KEYPAD, True, True),  # as macOS sends it
        (Key.Key_1, SHIFT, False, True),  # as French keyboards send it
        (CYRILLIC, NONE, True, True),
        (Key.Key_Q, CTRL | Held.AltModifier, False, False),  # AltGr on Windows
    ],
)
def test_modifiers_are_distinguished(key: int, held: Held, bare: bool, plain: bool) -> None:
    event = pressed(key, held)
    assert keys.bare(event) == (key if bare else 0)
    assert keys.plain(event) == (key if plain else 0)


@pytest.mark.parametrize(
    ("key", "held", "acts"),
    [
        (Key.Key_E, NONE, True),
        (Key.Key_E, SHIFT, False),  # a menu item
        (Key.Key_E, CTRL, False),
        (Key.Key_1, NONE, True),
        (Key.Key_1, SHIFT, True),
        (Key.Key_1, CTRL, False),  # a tab
        (Key.Key_BracketLeft, NONE, True),
        (Key.Key_Space, NONE, True),
        (Key.Key_Space, CTRL, False),  # switches the input method
        (Key.Key_Return, NONE, True),
        (Key.Key_Return, SHIFT, False),  # pins the pixel, as on other maps
        (CYRILLIC, NONE, False),
    ],
)
def test_keys_of_the_brush_leave_all_others_to_the_menus(key, held, acts, qtbot) -> None:
    canvas = PaintCanvas()
    qtbot.addWidget(canvas)
    canvas.toggle_key = Key.Key_E
    canvas.set_shape((20, 30))
    canvas.set_drawing(True)
    canvas.mark(slice(0, 3), slice(0, 3), (1, 1))
    did: list[object] = []
    for signal in (canvas.dabbed, canvas.picked, canvas.widened, canvas.toggled):
        signal.connect(lambda *_: did.append(None))
    asked = pressed(key, held, QEvent.Type.ShortcutOverride)
    asked.ignore()
    QApplication.sendEvent(canvas, asked)
    assert asked.isAccepted() == acts
    QApplication.sendEvent(canvas, pressed(key, held))
    assert bool(did) == acts


@pytest.mark.parametrize(
    ("made", "key", "held", "taken"),
    [
        (StepArea, Key.Key_Space, NONE, True),
        (StepArea, Key.Key_Space, CTRL, False),
        (StepArea, Key.Key_Left, KEYPAD, True),
        (StepArea, Key.Key_Left, CTRL, False),  # a smaller window
        (StepArea, CYRILLIC, NONE, False),
    ],
)
def test_parts_take_keys_without_modifiers(made, key, held, taken, qtbot) -> None:
    check_takes(made(), key, held, taken, qtbot)


def check_takes(part: QWidget, key: int, held: Held, taken: bool, qtbot: QtBot) -> None:
    qtbot.addWidget(part)
    event = pressed(key, held)
    QApplication.sendEvent(part, event)
    assert event.isAccepted() == taken
