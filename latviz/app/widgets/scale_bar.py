"""A scale bar: a round length in the picture's own unit, at its size on screen."""

import math
from typing import Any

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter
from PyQt6.QtWidgets import QGraphicsItem

from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import CENTER, scaled, text_height, text_width
from latviz.core import digits

_SHARE = 0.22
"""The most of the picture's width on screen that a bar takes."""
_LEAST = 24.0
"""Pixels of the screen below which it is left out."""
_GROUND, _LINE = "#c0101317", "#ffffff"
_PAD, _THICK, _EDGE = 5.0, 3.0, 8.0
"""Around the text, of the line, and from the corner of the view, in pixels of the screen."""


class ScaleBar(QGraphicsItem):
    """A bar in the lower left corner of the picture in view, if a unit is known."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas.box)
        self._canvas, self._step, self._unit = canvas, 0.0, ""
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(200)
        canvas.viewed.connect(self._measure)
        canvas.box.sigResized.connect(lambda *_: self._measure())
        self.length, self.text = 0.0, ""
        """Of the bar on screen, in pixels; and in the picture's unit."""
        self.ground = QRectF()

    def show_unit(self, step: float, unit: str) -> None:
        """Take the width of a pixel of the picture in a unit; "" for none."""
        self._step, self._unit = step, unit
        self._measure()

    def _measure(self) -> None:
        """Find the longest round length that fits, and where it is drawn."""
        self.prepareGeometryChange()
        self.length, per_unit = 0.0, 0.0
        if self._unit and not self._canvas.ribbon:
            per_unit = self._canvas.scale_factor / self._step
        most = _SHARE * self._canvas.box.width() / per_unit if per_unit else 0.0
        if most > 0 and math.isfinite(most):
            ten = 10.0 ** math.floor(math.log10(most))
            value = max(k * ten for k in (1, 2, 5) if k * ten <= most)
            self.length, self.text = value * per_unit, f"{digits.plain(value)} {self._unit}"
        self.setVisible(self.length >= _LEAST)
        font = scaled(self._canvas.font(), 0.9)
        width = max(self.length, text_width(font, self.text)) + 2 * _PAD
        height = text_height(font) + _THICK + 2 * _PAD
        box, below = self._canvas.box, QPointF(0.0, self._canvas.shape[0])
        corner = QPointF(box.mapFromView(below))  # of the picture, or of its part in view
        left, bottom = max(0.0, corner.x()), min(box.height(), corner.y())
        self.ground = QRectF(left + _EDGE, bottom - _EDGE - height, width, height)
        self.update()

    def boundingRect(self) -> QRectF:
        """Return its ground."""
        return self.ground

    def paint(self, painter: QPainter | None, *_: Any) -> None:
        """Draw the length in words, and the bar below."""
        assert painter is not None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(_GROUND))
        painter.drawRoundedRect(self.ground, 4, 4)
        left = self.ground.center().x() - self.length / 2
        bar = QRectF(left, self.ground.bottom() - _PAD - _THICK, self.length, _THICK)
        painter.fillRect(bar, QColor(_LINE))
        painter.setPen(QColor(_LINE))
        painter.setFont(scaled(self._canvas.font(), 0.9))
        painter.drawText(self.ground.adjusted(0, 0, 0, -_PAD - _THICK), CENTER, self.text)
