"""A chart over w: numbers and their places, rules and ticks, bands, lines and a cursor."""

from collections.abc import Iterable, Sequence

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen, QPolygonF

from latviz.app.look.theme import Theme
from latviz.app.widgets import painting as p
from latviz.engine.geometry import axes
from latviz.engine.geometry.axes import Range


class PaintedAxes(axes.Axes):
    """Positions of numbers in a rectangle of Qt."""

    @classmethod
    def over(cls, rect: QRectF, across: Range, up: Range) -> "PaintedAxes":
        """Return the axes of a rectangle."""
        return cls(rect.x(), rect.y(), rect.width(), rect.height(), across, up)

    @property
    def rect(self) -> QRectF:
        """The rectangle."""
        return QRectF(self.left, self.top, self.width, self.height)

    def point(self, x: float, y: float) -> QPointF:
        """Return the place of a pair of numbers."""
        return QPointF(self.x(x), self.y(y))


def draw_rules(
    painter: QPainter,
    axes: PaintedAxes,
    theme: Theme,
    rules: Iterable[tuple[float, str]],
    room: tuple[float, float],
) -> None:
    """Draw a line across the chart at each value, with its text at the left of the chart.

    ``room`` is the width of that space, and the gap between texts and lines.
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
    """Fill the area between two curves."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([*upper, *reversed(lower)]))


def draw_line(painter: QPainter, points: Sequence[QPointF], pen: QPen) -> None:
    """Draw a curve."""
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF(points))


def draw_upright(painter: QPainter, axes: PaintedAxes, w: float, pen: QPen) -> None:
    """Draw a vertical line at a window, such as the cursor."""
    x, rect = axes.x(w), axes.rect
    painter.setPen(pen)
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))
