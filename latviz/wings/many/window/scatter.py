"""A plot whose points are images."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent, QPainter

from latviz.app.widgets import chart, keys
from latviz.app.widgets import painting as p
from latviz.app.widgets.chart import PaintedAxes
from latviz.app.widgets.painting import Painted
from latviz.app.widgets.shortcuts import keyed
from latviz.core import digits
from latviz.engine.geometry.axes import ticks, with_room

_RADIUS = 3.5
_NEAR = 12.0
"""Pixels from a point within which the pointer means it."""
_MARGIN = 0.05
"""Room around the points, as a share of their range."""


@dataclass(frozen=True)
class Point:
    """An image: its place on the shelf, its name, its two numbers, whether it is learned from."""

    place: int
    name: str
    x: float
    y: float
    is_learned: bool


class Scatter(Painted):
    """Draws a point for each image; a click shows it."""

    wanted = pyqtSignal(int)  # place of the image to show

    def __init__(self) -> None:
        super().__init__()
        self.points: Sequence[Point] = ()
        self.titles = ("", "")
        self._shown = -1
        self._hovered: Point | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Plot of images")
        self.setMinimumSize(160, 120)

    def show_points(self, points: Sequence[Point], titles: tuple[str, str], shown: int) -> None:
        """Draw these points, and mark the image on screen."""
        self.points, self.titles, self._shown = points, titles, shown
        self._hovered = None
        named = f"{titles[1]} against {titles[0]}, {len(points):,} images"
        self.setAccessibleDescription(
            f"{named}. {keyed('`Left` and `Right` move between them, `Enter` shows one.')}"
        )
        self.update()

    def show_shown(self, shown: int) -> None:
        """Circle another image as the one on screen."""
        self._shown = shown
        self.update()

    def paint_all(self, painter: QPainter) -> None:
        """Draw the axes and the points."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.points:
            painter.setPen(self.theme.color("muted"))
            painter.drawText(QRectF(self.rect()), p.CENTER, "No results yet")
            return
        axes = self._axes()
        self._draw_axes(painter, axes)
        for point in self.points:
            self._draw_point(painter, axes, point)
        for point in self.points:
            if point.place == self._shown:
                painter.setPen(self.theme.pen("text", 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(axes.point(point.x, point.y), 2 * _RADIUS, 2 * _RADIUS)
        if self._hovered is not None:
            self._draw_name(painter, axes, self._hovered)

    def tip_at(self, position: QPointF) -> str | None:
        """Return the tool tip for the image at a position."""
        point = self.point_at(position)
        if point is None:
            return None
        values = zip(self.titles, (point.x, point.y), strict=True)
        numbers = (f"{title}: {digits.measure(value)}" for title, value in values)
        return "\n".join((point.name, *numbers))

    def point_at(self, position: QPointF) -> Point | None:
        """Return the image nearest to a position, if it is near."""
        if not self.points:
            return None
        axes = self._axes()

        def far(point: Point) -> float:
            away = axes.point(point.x, point.y) - position
            return math.hypot(away.x(), away.y())

        nearest = min(self.points, key=far)
        return nearest if far(nearest) <= _NEAR else None

    def place_of(self, point: Point) -> QPointF:
        """Return the place of an image."""
        return self._axes().point(point.x, point.y)

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Set the image under the pointer off."""
        if event is not None:
            self._hover(self.point_at(event.position()))

    def leaveEvent(self, _: object) -> None:
        """Set nothing off."""
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Show the image under the pointer."""
        if event is None or event.button() != Qt.MouseButton.LeftButton:
            return
        point = self.point_at(event.position())
        if point is not None:
            self.wanted.emit(point.place)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Step through the images from left to right, and show one."""
        arrow = keys.arrow(event)
        if event is None or not self.points:
            return
        if keys.is_enter(event) and self._hovered is not None:
            self.wanted.emit(self._hovered.place)
        elif arrow is not None and arrow[0]:
            self._step(arrow[0])
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        order = sorted(self.points, key=lambda point: (point.x, point.y, point.place))
        now = self._hovered or next((q for q in order if q.place == self._shown), order[0])
        self._hover(order[(order.index(now) + by) % len(order)])

    def _hover(self, point: Point | None) -> None:
        if point is not self._hovered:
            self._hovered = point
            self.update()

    def _axes(self) -> PaintedAxes:
        line = p.text_height(self.font())
        left = line + 8 + max(p.text_width(self.font(), text) for text in ("0.000", "−00.0"))
        rect = QRectF(self.rect()).adjusted(left, 8, -10, -(2 * line + 10))
        xs, ys = [q.x for q in self.points], [q.y for q in self.points]
        return PaintedAxes.over(rect, _range(xs), _range(ys))

    def _draw_axes(self, painter: QPainter, axes: PaintedAxes) -> None:
        """Draw the grid lines, their texts, and the names of the axes."""
        rect, line = axes.rect, p.text_height(painter.font())
        across = ticks(*axes.across, max(2, int(rect.width() / 70)))
        up = ticks(*axes.up, max(2, int(rect.height() / 40)))
        for x in across:
            chart.draw_upright(painter, axes, x, self.theme.pen("line", 1))
        rules = ((y, digits.plain(y)) for y in up)
        chart.draw_rules(painter, axes, self.theme, rules, (rect.left(), 4.0))
        painter.setPen(self.theme.color("muted"))
        for x in across:
            room = QRectF(axes.x(x) - 40, rect.bottom() + 2, 80, line)
            painter.drawText(room, p.CENTER, digits.plain(x))
        painter.setPen(self.theme.color("text"))
        below = QRectF(rect.left(), rect.bottom() + line + 4, rect.width(), line + 2)
        painter.drawText(below, p.CENTER, self.titles[0])
        painter.save()
        painter.translate(line / 2 + 2, rect.center().y())
        painter.rotate(-90)
        room = QRectF(-rect.height() / 2, -line / 2, rect.height(), line)
        painter.drawText(room, p.CENTER, self.titles[1])
        painter.restore()

    def _draw_point(self, painter: QPainter, axes: PaintedAxes, point: Point) -> None:
        """Draw a disc for an image that is learned from, a ring for others."""
        painter.setPen(self.theme.pen("accent", 1.5))
        painter.setBrush(self.theme.color("accent" if point.is_learned else "panel"))
        painter.drawEllipse(axes.point(point.x, point.y), _RADIUS, _RADIUS)

    def _draw_name(self, painter: QPainter, axes: PaintedAxes, point: Point) -> None:
        """Draw the name of an image next to its point, inside the frame."""
        place, font = axes.point(point.x, point.y), painter.font()
        width, height = p.text_width(font, point.name) + 8, p.text_height(font) + 4
        left = place.x() + 8
        if left + width > self.width():
            left = max(0.0, place.x() - 8 - width)
        room = QRectF(left, max(0.0, place.y() - height - 2), width, height)
        painter.setPen(self.theme.pen("line", 1))
        painter.setBrush(self.theme.color("raised"))
        painter.drawRect(room)
        painter.setPen(self.theme.color("text"))
        painter.drawText(room, p.CENTER, point.name)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return the range of an axis, with room around the values."""
    low, high = min(values), max(values)
    return with_room(values, _MARGIN, 0.0 if low < high else max(abs(low), 1.0) * _MARGIN)
