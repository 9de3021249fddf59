"""A map that can be drawn on."""

from collections.abc import Callable
from functools import partial

from PyQt6.QtCore import QEvent, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent

from latviz.app.widgets import keys
from latviz.app.widgets.canvas import Canvas

_PAINTING = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_WIDENING: dict[int, int] = {Qt.Key.Key_BracketLeft: -1, Qt.Key.Key_BracketRight: 1}


class PaintCanvas(Canvas):
    """While ``drawing``, the left button draws, and keys choose the brush and paint."""

    # The right button zooms and the middle one pans, as on other maps. Keys of the brush take
    # precedence over the shortcuts of the window
    pressed = pyqtSignal(object)  # (row, column) where a stroke begins
    moved = pyqtSignal(object)  # (row, column) where it continues
    released = pyqtSignal()
    dabbed = pyqtSignal(object)  # (row, column) that a key paints at
    picked = pyqtSignal(int)  # state whose brush a key chooses
    widened = pyqtSignal(int)  # pixels by which a key widens the brush
    toggled = pyqtSignal()  # ``toggle_key``, for actions other than painting

    drawing = False
    toggle_key = Qt.Key.Key_F
    _held = False

    def set_drawing(self, drawing: bool) -> None:
        """Start drawing, or return to looking."""
        self.drawing, self._held = drawing, False
        self.setCursor(Qt.CursorShape.CrossCursor if drawing else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a stroke."""
        node = self.node_under(event)
        if self.drawing and event.button() == Qt.MouseButton.LeftButton:
            if node is not None:
                self._held = True
                self.setFocus()
                self.pressed.emit(node)
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue the stroke."""
        super().mouseMoveEvent(event)
        node = self.node_under(event)
        if self._held and node is not None:
            self.moved.emit(node)

    def end_hold(self) -> None:
        """End the stroke, or placing."""
        super().end_hold()
        if self._held:
            self._held = False
            self.released.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Press again while drawing, or else show the whole picture."""
        if self.drawing:
            self.mousePressEvent(event)
        else:
            super().mouseDoubleClickEvent(event)

    def event(self, event: QEvent | None) -> bool:
        """Keep the keys of the brush from the window's shortcuts."""
        is_asked = event is not None and event.type() == QEvent.Type.ShortcutOverride
        if is_asked and isinstance(event, QKeyEvent) and self._act_of(event) is not None:
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paint, or choose a brush; other keys work as on other maps."""
        act = self._act_of(event)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def _act_of(self, event: QKeyEvent) -> Callable[[], None] | None:
        """Return what a key does while drawing; None for other keys."""
        key, digit = keys.bare(event), keys.plain(event) - Qt.Key.Key_1
        if not self.drawing:
            return None
        if key in _PAINTING and self._node is not None:
            return partial(self.dabbed.emit, self._node)
        if key == self.toggle_key:
            return self.toggled.emit
        if 0 <= digit < 9:
            return partial(self.picked.emit, digit)
        widens = _WIDENING.get(keys.plain(event))
        return None if widens is None else partial(self.widened.emit, widens)
