"""A chart over w: where numbers are drawn, rules and ticks, bands, lines and a cursor."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen, QPolygonF

from latviz.app.look.theme import Theme
from latviz.app.widgets import painting as p


@dataclass(frozen=True)
class Axes:
    """Where numbers are drawn: w from 0 to ``last`` across ``rect``, ``low`` to ``high`` up it.

    ``margin`` is the room left of w = 0 and right of the last, in steps of w.
    """

    rect: QRectF
    last: int
    low: float
    high: float
    margin: float = 0.5

    @property
    def _steps(self) -> float:
        return self.last + 2 * self.margin

    def share(self, w: float) -> float:
        """Return where a window is, as a share of the width."""
        return (w + self.margin) / self._steps

    def x(self, w: float) -> float:
        """Return where a window is."""
        return self.rect.left() + self.share(w) * self.rect.width()

    def y(self, value: float) -> float:
        """Return where a value is."""
        share = (value - self.low) / (self.high - self.low)
        return self.rect.bottom() - share * self.rect.height()

    def point(self, w: float, value: float) -> QPointF:
        """Return where a value at a window is."""
        return QPointF(self.x(w), self.y(value))

    def w(self, x: float) -> int:
        """Return the window nearest to a position."""
        share = (x - self.rect.left()) / max(1.0, self.rect.width())
        return min(max(math.floor(share * self._steps - self.margin + 0.5), 0), self.last)


def draw_rules(
    painter: QPainter,
    axes: Axes,
    theme: Theme,
    rules: Iterable[tuple[float, str]],
    room: tuple[float, float],
) -> None:
    """Draw a line across the chart at each value, and its text in the room left of the chart.

    ``room`` is how wide that is, and how far from the lines texts end.
    """
    rect, line, (width, gap) = axes.rect, p.text_height(painter.font()), room
    for value, text in rules:
        y = round(axes.y(value)) + 0.5
        painter.setPen(theme.pen("line", 1))
        painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y))
        painter.setPen(theme.color("muted"))
        label = QRectF(rect.left() - width, y - line / 2, width - gap, line)
        painter.drawText(label, p.RIGHT, text)


def draw_band(
    painter: QPainter, upper: Sequence[QPointF], lower: Sequence[QPointF], color: QColor
) -> None:
    """Fill what is between two curves."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([*upper, *reversed(lower)]))


def draw_line(painter: QPainter, points: Sequence[QPointF], pen: QPen) -> None:
    """Draw a curve."""
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF(points))


def draw_upright(painter: QPainter, axes: Axes, w: float, pen: QPen) -> None:
    """Draw a line from the bottom to the top at a window: the cursor, say."""
    x, rect = axes.x(w), axes.rect
    painter.setPen(pen)
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))
