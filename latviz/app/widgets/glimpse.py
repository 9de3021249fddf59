"""A window that is drawn over a picture for a moment, while its half-width moves."""

from typing import Any

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QPainter, QPen
from PyQt6.QtWidgets import QGraphicsItem

from latviz.app.timers import once_after
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import CENTER, scaled, text_height, text_width

SHOWN_MS = 1500
"""How long a window stays after it moved last."""
_ABOVE_ALL = 210
_DARK, _LIGHT = "#101317", "#ffffff"
_LEAST = 4.0
"""Pixels of the screen that a window is drawn wide at least, or it could not be seen."""
_PAD, _APART = 5.0, 6.0
"""Around the text, and between it and the window, in pixels of the screen."""


class Glimpse(QGraphicsItem):
    """A window at its true size on a canvas, and what it is, until a moment after it moved last.

    It shows on any ground: a light line between dark ones. Nothing fades or slides. While it is
    hidden it costs nothing.
    """

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas.box)
        self._box = canvas.box
        self._area, self.text = QRectF(), ""
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(_ABOVE_ALL)
        self.setVisible(False)
        self._end = once_after(SHOWN_MS, self.end, canvas)
        canvas.viewed.connect(self.update)
        canvas.box.sigResized.connect(lambda *_: self.prepareGeometryChange())

    @property
    def area(self) -> QRectF:
        """The window in the picture's coordinates: columns and rows; empty while hidden."""
        return QRectF(self._area) if self.isVisible() else QRectF()

    def show_window(self, rows: slice, columns: slice, text: str) -> None:
        """Draw a window and what it is, anew if another one is shown."""
        width, height = columns.stop - columns.start, rows.stop - rows.start
        self._area, self.text = QRectF(columns.start, rows.start, width, height), text
        self.setVisible(True)
        self.update()
        self._end.start()

    def end(self) -> None:
        """Draw nothing from now on."""
        self._end.stop()
        self.setVisible(False)

    def boundingRect(self) -> QRectF:
        """Cover the whole box."""
        return QRectF(0, 0, self._box.width(), self._box.height())

    def paint(self, painter: QPainter | None, *_: Any) -> None:
        """Draw the window in three lines, and its text on a dark ground."""
        assert painter is not None
        drawn = self.drawn
        spare = [max(0.0, _LEAST - side) / 2 for side in (drawn.width(), drawn.height())]
        drawn.adjust(-spare[0], -spare[1], spare[0], spare[1])
        painter.setClipRect(self.boundingRect())
        for color, thickness in ((_DARK, 6.0), (_LIGHT, 3.5), (_DARK, 1.0)):
            pen = QPen(QColor(color), thickness)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawRect(drawn)
        painter.setFont(scaled(painter.font(), 1.0, bold=True))
        ground = self.ground(painter.font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(_LIGHT), 1.5))
        painter.setBrush(QColor(_DARK))
        painter.drawRoundedRect(ground, 4, 4)
        painter.drawText(ground, CENTER, self.text)

    @property
    def drawn(self) -> QRectF:
        """The window in pixels of the box."""
        corners = self._area.topLeft(), self._area.bottomRight()
        return QRectF(*(QPointF(self._box.mapFromView(corner)) for corner in corners))

    def ground(self, font: QFont) -> QRectF:
        """Return where the text is: below the window, else above it, else inside of it."""
        drawn, room = self.drawn, self.boundingRect().adjusted(3, 3, -3, -3)
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
