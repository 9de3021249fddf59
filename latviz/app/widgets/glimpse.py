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
DARK, LIGHT = "#101317", "#ffffff"
_THICKEST = 6.0
"""Pixels of the screen that the widest of its lines is wide."""
_LEAST = 4.0
"""Pixels of the screen that a window is drawn wide at least, or it could not be seen."""
_PAD, _APART = 5.0, 6.0
"""Around the text, and between it and the window, in pixels of the screen."""


class Overlay(QGraphicsItem):
    """Windows on a canvas, each with a text, in pixels of the screen; hidden at first."""

    def __init__(self, canvas: Canvas, z: float) -> None:
        super().__init__(canvas.box)
        self._canvas, self._box = canvas, canvas.box
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(z)
        self.setVisible(False)
        canvas.viewed.connect(self._place)
        canvas.box.sigResized.connect(lambda *_: self._place())

    def _place(self) -> None:
        """Have the windows painted where they are now."""
        if self.isVisible():
            self.prepareGeometryChange()
            self._find()
            self.update()

    def _find(self) -> None:
        """Find where the windows are drawn, if that does not follow each time."""

    def boundingRect(self) -> QRectF:
        """Cover all that is in view."""
        return QRectF(0, 0, self._box.width(), self._box.height())

    def _font(self) -> QFont:
        return scaled(self._canvas.font(), bold=True)

    def _ground(self, drawn: QRectF, text: str, *sides: str) -> QRectF:
        """Return the rectangle of a text at the first side of its window that is in view."""
        font, room = self._font(), Overlay.boundingRect(self).adjusted(3, 3, -3, -3)
        width = text_width(font, text) + 2 * _PAD
        ground = QRectF(0, 0, width, text_height(font) + _PAD)
        tops = {
            "below": drawn.bottom() + _APART,
            "above": drawn.top() - _APART - ground.height(),
            "inside": drawn.bottom() - _APART - ground.height(),
        }
        last = room.bottom() - ground.height()
        top = next((tops[s] for s in sides if room.top() <= tops[s] <= last), tops[sides[0]])
        left = min(drawn.center().x() - width / 2, room.right() - width)
        ground.moveTo(max(room.left(), left), max(room.top(), min(top, last)))
        return ground

    def _write(self, painter: QPainter, ground: QRectF, text: str) -> None:
        """Write a text on a dark ground."""
        painter.save()
        painter.setFont(self._font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(LIGHT), 1.5))
        painter.setBrush(QColor(DARK))
        painter.drawRoundedRect(ground, 4, 4)
        painter.drawText(ground, CENTER, text)
        painter.restore()


class Glimpse(Overlay):
    """A window at its true size on a canvas, with a text, until a moment after its last move."""

    # It is visible on any background: a light line between dark ones. It is not animated. While
    # hidden, it needs no time

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, _ABOVE_ALL)
        self._area, self.text = QRectF(), ""
        # The window, and in ``ground`` that of its text, in pixels of the box
        self.drawn, self.ground = QRectF(), QRectF()
        self._end = once_after(SHOWN_MS, self.end, canvas)

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
        return covered & super().boundingRect()

    def paint(self, painter: QPainter | None, *_: Any) -> None:
        """Draw the window in three lines, and its text on a dark ground."""
        assert painter is not None
        painter.setClipRect(super().boundingRect())
        for color, thickness in ((DARK, _THICKEST), (LIGHT, 3.5), (DARK, 1.0)):
            pen = QPen(QColor(color), thickness)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawRect(self.drawn)
        self._write(painter, self.ground, self.text)

    def _find(self) -> None:
        self.drawn = on_screen(self._box, self._area)
        self.ground = self._ground(self.drawn, self.text, "below", "above", "inside")


def on_screen(box: pg.ViewBox, area: QRectF) -> QRectF:
    """Return a window of the picture in pixels of its box, no smaller than can be seen."""
    corners = area.topLeft(), area.bottomRight()
    drawn = QRectF(*(QPointF(box.mapFromView(corner)) for corner in corners))
    across, down = (max(0.0, _LEAST - side) / 2 for side in (drawn.width(), drawn.height()))
    return drawn.adjusted(-across, -down, across, down)
