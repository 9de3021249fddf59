"""A map that can be drawn on."""

from PyQt6.QtCore import QEvent, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent

from latviz.app.widgets import keys
from latviz.app.widgets.canvas import Canvas


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
        if isinstance(event, QKeyEvent) and self._is_kept(event):
            event.accept()
            return True
        return bool(super().event(event))

    def _is_kept(self, event: QKeyEvent) -> bool:
        if not self.drawing or event.type() != QEvent.Type.ShortcutOverride:
            return False
        brackets = Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight
        paints = event.key() in (Qt.Key.Key_Space, self.toggle_key, *brackets)
        is_digit = 0 <= event.key() - Qt.Key.Key_1 < 9
        return keys.is_plain(event) and (paints or is_digit or keys.is_enter(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paint, or choose a brush; other keys work as on other maps."""
        key, digit = event.key(), event.key() - Qt.Key.Key_1
        if not self.drawing or not keys.is_plain(event):
            super().keyPressEvent(event)
        elif (key == Qt.Key.Key_Space or keys.is_enter(event)) and self._node is not None:
            self.dabbed.emit(self._node)
        elif 0 <= digit < 9:
            self.picked.emit(digit)
        elif key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight):
            self.widened.emit(1 if key == Qt.Key.Key_BracketRight else -1)
        elif key == self.toggle_key:
            self.toggled.emit()
        else:
            super().keyPressEvent(event)
