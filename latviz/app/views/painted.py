"""Base of the painted views, and their parts under the pointer."""

from typing import NamedTuple

from PyQt6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PyQt6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter
from PyQt6.QtWidgets import QWidget

from latviz.app.views.base import View
from latviz.app.widgets import keys
from latviz.app.widgets import painting as p
from latviz.app.widgets.painting import Painted
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import Selection, StateSelection


class PaintedView(View, Painted):
    """A view that repaints its frame whenever anything changes, if possible in part."""

    SIZE = (270, 190)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(150, 120)
        self.take_keyboard(self)

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """Paint the frame on the empty panel."""
        raise NotImplementedError

    def changed(self, _before: Frame, _frame: Frame) -> QRect:
        """Return the part that another frame changes."""
        return self.rect()

    def draw_frame(self) -> None:
        """Repaint what has changed."""
        if self.since is None or self.frame is None:
            self.update()
        else:
            self.update(self.changed(self.since, self.frame))

    draw_inspection = draw_theme = draw_frame

    def paint_all(self, painter: QPainter) -> None:
        """Paint the frame, or the waiting text."""
        if self.frame is not None:
            self.paint(painter, self.frame)
        elif self.state.picture is not None:
            p.draw_waiting(painter, QRectF(self.rect()), self.waiting, self.theme)


class PointedPart(NamedTuple):
    """The part under the pointer: a state (-1: none), and maybe a symbol, channel or state."""

    state: int
    item: int | None = None


class PointedView(PaintedView):
    """A painted view that follows the pointer or arrow keys, and emits the state there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spot: PointedPart | None = None
        self._pointer: QPointF | None = None
        self._by_keys: PointedPart | None = None
        self._symbol: int | None = None
        self.setMouseTracking(True)

    def spot_at(self, frame: Frame, position: QPointF) -> PointedPart | None:
        """Return the spot at a position."""
        raise NotImplementedError

    def stepped(
        self, _frame: Frame, _spot: PointedPart | None, _right: int, _down: int
    ) -> PointedPart | None:
        """Return the spot that an arrow key reaches from a spot or from none, or None.

        A step of 0 leads to the nearest spot.
        """
        return None

    def reveal(self, frame: Frame, spot: PointedPart) -> None:
        """Bring a spot into view."""

    def tool_tip(self, frame: Frame, spot: PointedPart) -> str:
        """Return the tool tip of a spot."""
        raise NotImplementedError

    def selection(self, frame: Frame, spot: PointedPart) -> Selection | None:
        """Return the selection for a click on a spot: its state by default."""
        return StateSelection(frame.slots[spot.state]) if spot.state >= 0 else None

    def symbol(self, _frame: Frame, _spot: PointedPart) -> int | None:
        """Return the symbol of a spot; None by default."""
        return None

    def draw_frame(self) -> None:
        """Repaint; the pointer may be over another spot now."""
        self.follow()
        super().draw_frame()

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Follow the pointer."""
        super().mouseMoveEvent(event)
        if event is not None:
            self._pointer, self._by_keys = event.position(), None
            self.follow()

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Handle a click on the spot under the pointer."""
        super().mousePressEvent(event)
        if event is None or self.frame is None or event.button() != Qt.MouseButton.LeftButton:
            return
        spot = self.spot_at(self.frame, event.position())
        if spot is not None:
            self.pick(self.frame, spot)

    def pick(self, frame: Frame, spot: PointedPart) -> None:
        """Handle a click on a spot: by default, highlight its selection."""
        selection = self.selection(frame, spot)
        if selection is not None:
            self.picked.emit(selection)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Step with the arrow keys; select with Enter."""
        arrow = keys.arrow(event)
        if event is None or (frame := self.frame) is None:
            return super().keyPressEvent(event)
        spot = self.stepped(frame, self.spot, *arrow) if arrow is not None else None
        if spot is not None:
            self._pointer, self._by_keys = None, spot
            self.reveal(frame, spot)
            self.follow()
            self.setAccessibleDescription(self.tool_tip(frame, spot))
        elif keys.is_enter(event) and self.spot is not None:
            self.pick(frame, self.spot)
        else:
            super().keyPressEvent(event)
        return None

    def focusOutEvent(self, event: QFocusEvent | None) -> None:
        """Clear the spot that the arrow keys reached."""
        super().focusOutEvent(event)
        self._by_keys = None
        self.follow()

    def leaveEvent(self, event: QEvent | None) -> None:
        """Clear the spot under the pointer."""
        super().leaveEvent(event)
        self._pointer = None
        self.follow()

    def tip_at(self, position: QPointF) -> str | None:
        """Return the tool tip at a position."""
        if self.frame is None:
            return None
        spot = self.spot_at(self.frame, position)
        return self.tool_tip(self.frame, spot) if spot else ""

    def follow(self) -> None:
        """Find the spot under the pointer, and emit its state or symbol if it has changed."""
        before, self.spot = self.spot, None
        if self.frame is not None and self._pointer is not None:
            self.spot = self.spot_at(self.frame, self._pointer)
        elif self.frame is not None and self._by_keys is not None:
            self.spot = self.stepped(self.frame, self._by_keys, 0, 0)
        if self.spot != before:
            self.update()
        if _state(self.spot) != _state(before):
            self.state_hovered.emit(_state(self.spot))
        symbol = None
        if self.frame is not None and self.spot is not None:
            symbol = self.symbol(self.frame, self.spot)
        if symbol != self._symbol:
            self._symbol = symbol
            self.symbol_hovered.emit(symbol)


def _state(spot: PointedPart | None) -> int | None:
    return None if spot is None or spot.state < 0 else spot.state
