"""A window that is drawn over a picture for a moment, while its half-width moves."""

from typing import Any

import pyqtgraph as pg
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QPainter, QPen
from PyQt6.QtWidgets import QGraphicsItem

from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import CENTER, scaled, text_height, text_width
from latviz.app.work.timers import once_after

SHOWN_MS = 1500
"""Time that a window stays after its last move."""
_ABOVE_ALL = 210
_DARK, _LIGHT = "#101317", "#ffffff"
_THICKEST = 6.0
"""Pixels of the screen that the widest of its lines is wide."""
_LEAST = 4.0
"""Pixels of the screen that a window is drawn wide at least, or it could not be seen."""
_PAD, _APART = 5.0, 6.0
"""Around the text, and between it and the window, in pixels of the screen."""


class Glimpse(QGraphicsItem):
    """A window at its true size on a canvas, with a text, until a moment after its last move."""

    # It is visible on any background: a light line between dark ones. It is not animated. While
    # hidden, it needs no time

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas.box)
        self._canvas, self._box = canvas, canvas.box
        self._area, self.text = QRectF(), ""
        # The window, and in ``ground`` that of its text, in pixels of the box
        self.drawn, self.ground = QRectF(), QRectF()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(_ABOVE_ALL)
        self.setVisible(False)
        self._end = once_after(SHOWN_MS, self.end, canvas)
        canvas.viewed.connect(self._place)
        canvas.box.sigResized.connect(lambda *_: self._place())

    @property
    def area(self) -> QRectF:
        """The window in the picture's coordinates: columns and rows; empty while hidden."""
        return QRectF(self._area) if self.isVisible() else QRectF()

    def show_window(self, rows: slice, columns: slice, text: str) -> None:
        """Draw a window and its text, again if another one is shown."""
        width, height = columns.stop - columns.start, rows.stop - rows.start
        self._area, self.text = QRectF(columns.start, rows.start, width, height), text
        self.setVisible(True)
        self._place()
        self._end.start()

    def end(self) -> None:
        """Draw nothing from now on."""
        self._end.stop()
        self.setVisible(False)

    def boundingRect(self) -> QRectF:
        """Return the area of the window and its text, so that only that is repainted."""
        margin = _THICKEST / 2 + 1
        covered = self.drawn.united(self.ground).adjusted(-margin, -margin, margin, margin)
        return covered & self._room()

    def paint(self, painter: QPainter | None, *_: Any) -> None:
        """Draw the window in three lines, and its text on a dark ground."""
        assert painter is not None
        painter.setClipRect(self._room())
        for color, thickness in ((_DARK, _THICKEST), (_LIGHT, 3.5), (_DARK, 1.0)):
            pen = QPen(QColor(color), thickness)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawRect(self.drawn)
        painter.setFont(self._font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(_LIGHT), 1.5))
        painter.setBrush(QColor(_DARK))
        painter.drawRoundedRect(self.ground, 4, 4)
        painter.drawText(self.ground, CENTER, self.text)

    def _place(self) -> None:
        """Find where the window and its text are drawn, and have them painted there."""
        if not self.isVisible():
            return
        self.prepareGeometryChange()
        self.drawn = on_screen(self._box, self._area)
        self.ground = self._ground_next_to(self.drawn)
        self.update()

    def _room(self) -> QRectF:
        return QRectF(0, 0, self._box.width(), self._box.height())

    def _font(self) -> QFont:
        return scaled(self._canvas.font(), bold=True)

    def _ground_next_to(self, drawn: QRectF) -> QRectF:
        """Return the rectangle of the text: below the window, above it, or inside."""
        font, room = self._font(), self._room().adjusted(3, 3, -3, -3)
        width = text_width(font, self.text) + 2 * _PAD
        ground = QRectF(0, 0, width, text_height(font) + _PAD)
        below = drawn.bottom() + _APART
        above = drawn.top() - _APART - ground.height()
        inside = drawn.bottom() - _APART - ground.height()
        tops = (below, above, inside)
        top = next((y for y in tops if room.top() <= y <= room.bottom() - ground.height()), below)
        left = drawn.center().x() - width / 2
        ground.moveTo(
            max(room.left(), min(left, room.right() - width)),
            max(room.top(), min(top, room.bottom() - ground.height())),
        )
        return ground


def on_screen(box: pg.ViewBox, area: QRectF) -> QRectF:
    """Return a window of the picture in pixels of its box, no smaller than can be seen."""
    corners = area.topLeft(), area.bottomRight()
    drawn = QRectF(*(QPointF(box.mapFromView(corner)) for corner in corners))
    across, down = (max(0.0, _LEAST - side) / 2 for side in (drawn.width(), drawn.height()))
    return drawn.adjusted(-across, -down, across, down)
