"""Colour scales for heat maps, linear and logarithmic."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QImage, QPainter, QPen

from latviz.app.look.theme import Theme
from latviz.app.widgets import painting as p
from latviz.app.widgets.lifetimes import image_of
from latviz.app.widgets.raster import takes_vectors
from latviz.core import digits
from latviz.core.types import Matrix

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MOST_TICKS = 7
_MOST_CELLS = 2048
"""Cells that are drawn as vectors, at most."""


@dataclass(frozen=True)
class ColorScale:
    """Positions of values on the colour scale, from 0 at ``low`` to 1 at ``high``."""

    low: float
    high: float
    log: bool

    @classmethod
    def of(cls, A: Matrix, log: bool) -> "ColorScale":
        """Return the scale of a matrix: from 0, or from the decade of its least positive entry."""
        positive = A[A > 0]
        if positive.size == 0:
            return cls(0.0, 1.0, False)
        low = 10.0 ** math.floor(math.log10(float(positive.min()))) if log else 0.0
        return cls(low, float(positive.max()), log)

    def up_to(self, high: float) -> "ColorScale":
        """Return the scale, reaching at least a value: one for maps that are compared."""
        return replace(self, high=max(self.high, high))

    def positions(self, values: Any) -> Matrix:
        """Return the values' places on the scale; 0 for zeros."""
        v = np.asarray(values, dtype=np.float64)
        if not self.log:
            return np.asarray(v / self.high)
        if self.high == self.low:
            return np.asarray((v > 0).astype(np.float64))
        logs = np.log(np.maximum(v, self.low) / self.low)
        return np.asarray(logs / math.log(self.high / self.low))

    def heat(self, values: Any) -> NDArray[np.uint8]:
        """Return the values' rows in a table of 256 colours."""
        return np.rint(self.positions(values) * 255).astype(np.uint8)

    def ticks(self, room: float) -> list[tuple[float, str]]:
        """Return places and labels: both ends, and others at least ``room`` apart."""
        number = digits.probability if self.high <= 1 else digits.measure
        ends = [(1.0, number(self.high)), (0.0, self._label(self.low))]
        kept = ends if self.high > self.low else ends[:1]
        for value in self._candidates(room):
            at = float(self.positions(value))
            if all(abs(at - other) >= room for other, _ in kept):
                kept.append((at, self._label(value)))
        return sorted(kept)

    def _candidates(self, room: float) -> list[float]:
        if self.log:
            first, last = round(math.log10(self.low)), math.log10(self.high)
            stride = max(1, math.ceil(room * (last - first)))
            return [10.0**k for k in range(first, math.floor(last) + 1, stride)]
        unit = 10.0 ** math.floor(math.log10(self.high * room))
        step = next(unit * k for k in (1, 2, 5, 10, 20) if unit * k >= 1.2 * room * self.high)
        return [step * k for k in range(1, math.ceil(self.high / step))]

    def _label(self, value: float) -> str:
        if not self.log:
            return digits.plain(value)
        exponent = round(math.log10(value))
        return "1" if exponent == 0 else "10" + str(exponent).translate(_SUPERSCRIPT)


def draw_table(painter: QPainter, rect: QRectF, colors: NDArray[np.uint8]) -> None:
    """Draw colours, shape (rows, columns, 3 or 4), as even cells that fill a rectangle."""
    rows, columns, depth = colors.shape
    if takes_vectors(painter) and rows * columns <= _MOST_CELLS:
        _draw_cells(painter, rect, colors)
        return
    kinds = QImage.Format
    # Qt magnifies colours of 32 bits six times as fast as those of three bytes.
    fast = kinds.Format_RGB32 if depth == 3 else kinds.Format_ARGB32_Premultiplied
    painter.drawImage(rect, image_of(colors).convertToFormat(fast))


def _draw_cells(painter: QPainter, rect: QRectF, colors: NDArray[np.uint8]) -> None:
    """Draw colours as vectors: programs that show files smooth images as small as these.

    Each cell that can be drawn over reaches as far as the table, so that no ground is seen between.
    """
    rows, columns, depth = colors.shape
    high, wide = rect.height() / rows, rect.width() / columns
    opaque = depth == 3 or bool((colors[..., 3] == 255).all())
    for row, column in np.ndindex(rows, columns):
        corner = QPointF(rect.left() + column * wide, rect.top() + row * high)
        cell = QRectF(corner, rect.bottomRight() if opaque else corner + QPointF(wide, high))
        color = QColor(*colors[row, column].tolist())
        if color.alpha():
            painter.fillRect(cell, color)


def draw_border(painter: QPainter, cells: QRectF, pen: QPen) -> None:
    """Draw a line around a table."""
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(cells.adjusted(-1, -1, 0, 0))


def draw_grid(painter: QPainter, cells: QRectF, n: int, pen: QPen) -> None:
    """Draw lines between the cells of a square table."""
    painter.setPen(pen)
    for k in range(1, n):
        step = k * cells.width() / n
        across, down = QPointF(step, 0), QPointF(0, step)
        painter.drawLine(cells.topLeft() + across, cells.bottomLeft() + across)
        painter.drawLine(cells.topLeft() + down, cells.topRight() + down)


def draw_scale(painter: QPainter, bar: QRectF, scale: ColorScale, theme: Theme) -> None:
    """Draw an upright colour bar with ticks and labels on its right."""
    draw_table(painter, bar, theme.heat_table()[::-1, None])
    painter.setPen(QPen(theme.color("line"), 1))
    painter.drawRect(bar.adjusted(-1, -1, 0, 0))
    draw_ticks(painter, bar, scale, theme)


def draw_ticks(painter: QPainter, bar: QRectF, scale: ColorScale, theme: Theme) -> None:
    """Draw ticks and labels on the right of a scale's bar."""
    line = p.text_height(painter.font())
    painter.setPen(theme.color("muted"))
    for at, text in scale.ticks(max(line / bar.height(), 1 / _MOST_TICKS)):
        y = round(bar.bottom() - at * bar.height())
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3, y))
        painter.drawText(QRectF(bar.right() + 6, y - line / 2, 99, line), p.LEFT, text)
