"""The sheet: state maps above curves, on one axis of w or N, with one line at the current place."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPen, QPolygonF, QResizeEvent
from PyQt6.QtWidgets import QWidget

from latviz.app.look.theme import Theme
from latviz.app.views.tradeoff.columns import SheetAxis, columns, placed
from latviz.app.views.tradeoff.maps import Maps, aspect_of
from latviz.app.views.tradeoff.scene import TradeOffScene, numbers_text
from latviz.app.widgets import chart
from latviz.app.widgets import painting as p
from latviz.app.widgets.chart import PaintedAxes
from latviz.app.widgets.rivers import HIGH, Rivers
from latviz.core import digits
from latviz.engine.choosing.curves import Curve, Row
from latviz.engine.choosing.tradeoff import Place
from latviz.engine.geometry.axes import ticks

_GAP = 6.0
_TITLES = 0.13
"""The share of the width that titles take, at most."""
_MAPS = 0.28
"""The share of the height that state maps take, at most; more where the sheet is low."""
_LOW = 72.0, 0.45
"""Pixels and the share of the height that they may take in any case."""
_BAND = 40.0
"""The height of the map of a sequence, at most."""
_LEAST_LINES = 3
"""Lines of text that a plot is high, at least."""
_BROAD = 7.0
"""Width of the line for a part of the picture."""
_LINE = 2.0
"""Width of the line at the current place."""


@dataclass(frozen=True)
class Layout:
    """Where the parts of the sheet are."""

    axis: SheetAxis
    maps: dict[int, QRectF]  # by their places on the axis
    lives: QRectF  # empty if the sheet is too low for them
    plots: list[tuple[Curve, PaintedAxes]]
    titles: float  # the width of titles
    caption: QRectF


class Sheet(p.Painted):
    """Takes clicks and drags on one axis, and paints the maps and curves of a scene over it."""

    wanted = pyqtSignal(object)  # (N, w) to set
    kept = pyqtSignal()  # keep the current column as reference, or no longer
    hovered = pyqtSignal(object)  # node under the pointer, or None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene: TradeOffScene | None = None
        self.waiting = ""
        self.alone: tuple[str, ...] = ()
        """The names of the curves to draw, without maps; empty: all of them, and maps."""
        self._maps = Maps()
        self._layout: tuple[tuple[object, ...], Layout] | None = None
        self._axis: SheetAxis | None = None
        self._pointer: QPointF | None = None
        self.rivers = Rivers(self._x_of, self._values_at)
        self.rivers.hair = "accent", _LINE
        self.rivers.setParent(self)
        self.rivers.hide()
        self.rivers.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # The sheet takes its clicks, drags and tips, as everywhere
        self.rivers.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._was_here = False  # the press was at the current place, and no drag followed
        self.setMouseTracking(True)

    def show_scene(self, scene: TradeOffScene | None) -> None:
        """Paint another scene, or none."""
        self.scene = scene
        self.arrange()
        self.update()

    def arrange(self) -> None:
        """Give the lives their place on the axis."""
        scene = self.scene
        layout = None if scene is None else self.layout_of(scene)
        self.rivers.setVisible(layout is not None and not layout.lives.isEmpty())
        if scene is None:
            self.rivers.drop()
        if scene is None or layout is None or layout.lives.isEmpty():
            return
        moved = layout.axis != self._axis
        self._axis = layout.axis
        self.rivers.setGeometry(layout.lives.toRect())
        if moved:
            self.rivers.lay_out()
        shown = self.rivers.river
        if scene.river is not shown:
            self.rivers.show_river(scene.river)
        self.rivers.show_now(scene.w)

    def _x_of(self, value: float) -> float:
        return 0.0 if self._axis is None else self._axis.x(value) - self.rivers.x()

    def _values_at(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return (
            np.full(len(x), np.nan)
            if self._axis is None
            else self._axis.values_at(x + self.rivers.x())
        )

    def apply_theme(self, theme: Theme) -> None:
        """Paint with other colours."""
        super().apply_theme(theme)
        self.rivers.apply_theme(theme)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Arrange the lives in the new room."""
        super().resizeEvent(event)
        self.arrange()

    # Places

    def layout_of(self, scene: TradeOffScene) -> Layout:
        """Return the places of all parts."""
        made_of = scene, self.size(), self.font(), self.alone
        if self._layout is None or made_of != self._layout[0]:
            self._layout = made_of, self._laid_out(scene)
        return self._layout[1]

    def _laid_out(self, scene: TradeOffScene) -> Layout:
        font, line = p.scaled(self.font()), p.text_height(p.scaled(self.font()))
        curves, room = scene.plots(self.alone), QRectF(self.rect()).adjusted(0, 4, 0, -line - 4)
        caption = QRectF(p.PAD, room.top(), room.width() - 2 * p.PAD, line if scene.note else 0.0)
        room.setTop(caption.bottom() + (2 if scene.note else 0))
        titles = max(_title_width(font, curve, _TITLES * self.width()) for curve in curves)
        gutter = p.PAD + titles + 2 * _GAP + p.text_width(font, digits.share(1.0))
        around = gutter, p.text_width(font, "N = 88") + _GAP + p.PAD
        ribbon = scene.trade_off.scope.picture.is_ribbon
        least = min(_LOW[0], _LOW[1] * room.height())
        high = min(max(least, _MAPS * room.height()), _BAND if ribbon else room.height())
        aspect = room.width() / high if ribbon else aspect_of(scene.trade_off)
        axis, shown, wide = columns(scene.values, not scene.turned, room, around, aspect, high)
        maps: dict[int, QRectF] = {}
        if scene.trade_off.exact and not self.alone:
            high = min(high, wide / aspect) if not ribbon else high
            for value, x in placed(axis, shown, wide, scene.value, scene.kept).items():
                maps[value] = QRectF(x - wide / 2, room.top() + 1, wide, high)
            room.setTop(room.top() + high + line + 4)
        lives, least = QRectF(), _LEAST_LINES * line
        if scene.has_lives and not self.alone and room.height() - HIGH >= len(curves) * least:
            high, wide = self.rivers.sizeHint().height(), axis.right - axis.left
            lives = QRectF(axis.left - _GAP, room.top(), wide + 2 * _GAP, high)
            room.setTop(lives.bottom() + _GAP)
        most = max(1, int(room.height() / least))
        return Layout(
            axis, maps, lives, self._plots(scene, curves[:most], axis, room), titles, caption
        )

    def _plots(
        self, scene: TradeOffScene, curves: list[Curve], axis: SheetAxis, room: QRectF
    ) -> list[tuple[Curve, PaintedAxes]]:
        """Return the axes of curves, one below the other."""
        high, found = room.height() / len(curves), []
        for k, curve in enumerate(curves):
            top = room.top() + k * high + _GAP
            rect = QRectF(
                axis.left, top, max(1.0, axis.right - axis.left), max(1.0, high - 2 * _GAP)
            )
            up = scene.range(curve, alone=bool(self.alone))
            found.append((curve, PaintedAxes.over(rect, axis.ends, up)))
        return found

    def value_at(self, scene: TradeOffScene, at: QPointF) -> int:
        """Return the value under a place: that of the map there, or the nearest on the axis."""
        layout = self.layout_of(scene)
        on_map = (value for value, rect in layout.maps.items() if rect.contains(at))
        return next(on_map, layout.axis.nearest(at.x()))

    def tip_at(self, position: QPointF) -> str | None:
        """Return the numbers of the place under the pointer."""
        scene = self.scene
        if scene is None:
            return None
        if self._is_on_lives(position):
            return self.rivers.tip_at(position - QPointF(self.rivers.pos()))
        return numbers_text(scene, scene.place(self.value_at(scene, position)))

    def _is_on_lives(self, at: QPointF) -> bool:
        return self.rivers.isVisible() and QRectF(self.rivers.geometry()).contains(at)

    # The hand

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Set the place under the pointer; the current one may be kept once it is released."""
        if event is not None and event.button() == Qt.MouseButton.LeftButton and self.scene:
            self._was_here = self.value_at(self.scene, event.position()) == self.scene.value
            self._ask(event.position())

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Follow the pointer, and set its place while the button is held."""
        if event is None:
            return
        self._pointer = event.position()
        self.update()
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._ask(event.position())
        if self._is_on_lives(event.position()) and not event.buttons():
            at = event.position() - QPointF(self.rivers.pos())
            none = Qt.MouseButton.NoButton
            moved = QMouseEvent(event.type(), at, none, none, event.modifiers())
            self.rivers.mouseMoveEvent(moved)
        else:
            self.rivers.leaveEvent(None)
        if self.scene is not None:
            self.hovered.emit(self._node_at(self.scene, event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """Keep the current column as reference if it was clicked."""
        if event is not None and event.button() == Qt.MouseButton.LeftButton and self._was_here:
            self._was_here = False
            self.kept.emit()

    def leaveEvent(self, event: QEvent | None) -> None:
        """Clear the place under the pointer."""
        super().leaveEvent(event)
        self._pointer = None
        self.rivers.leaveEvent(None)
        self.hovered.emit(None)
        self.update()

    def _ask(self, at: QPointF) -> None:
        scene = self.scene
        if scene is not None and (value := self.value_at(scene, at)) != scene.value:
            self._was_here = False
            self.wanted.emit(scene.place(value))

    def _node_at(self, scene: TradeOffScene, at: QPointF) -> tuple[int, ...] | None:
        """Return the pixel of a map under a place."""
        rect = next((r for r in self.layout_of(scene).maps.values() if r.contains(at)), None)
        if rect is None:
            return None
        rows, columns = scene.trade_off.scope.shape
        row = int((at.y() - rect.top()) / rect.height() * rows)
        column = int((at.x() - rect.left()) / rect.width() * columns)
        return scene.trade_off.scope.node((min(row, rows - 1), min(column, columns - 1)))

    # Drawing

    def paint_all(self, painter: QPainter) -> None:
        """Paint the scene, or the waiting text."""
        scene = self.scene
        if scene is None:
            if self.waiting:
                p.draw_waiting(painter, QRectF(self.rect()), self.waiting, self.theme)
            return
        painter.setFont(p.scaled(self.font()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        layout = self.layout_of(scene)
        here = scene.value if self._pointer is None else self.value_at(scene, self._pointer)
        painter.setPen(self.theme.color("muted"))
        if scene.note:
            text = p.fitting(painter.font(), layout.caption.width(), scene.note)
            painter.drawText(layout.caption, p.LEFT, text)
        self._draw_uprights(painter, scene, layout, here)
        for curve, axes in layout.plots:
            self._draw_plot(painter, scene, curve, axes, layout.axis)
            self._draw_marks(painter, scene, curve, axes, (layout.axis, here))
            self._draw_title(painter, scene, curve, axes, (layout.titles, here))
            self._draw_names(painter, scene, curve, axes)
        self._draw_axis(painter, scene, layout)
        self._draw_holding(painter, scene, layout)
        for value, rect in layout.maps.items():
            self._draw_map(painter, scene, value, rect)
        if layout.maps:
            first = min(layout.maps.values(), key=QRectF.left)
            other = f"w = {scene.w}" if scene.turned else f"N = {scene.n}"
            painter.setFont(p.scaled(self.font(), bold=True))
            painter.setPen(self.theme.color("text"))
            high = p.text_height(painter.font()) + 2
            label = QRectF(p.PAD, first.bottom() + 1, p.text_width(painter.font(), other), high)
            painter.drawText(label, p.LEFT, other)  # in the row of the maps' names

    def _draw_uprights(
        self, painter: QPainter, scene: TradeOffScene, layout: Layout, here: int
    ) -> None:
        """Draw the line at the current place, and thinner ones at the reference and the pointer."""
        top = min((r.bottom() for r in layout.maps.values()), default=layout.plots[0][1].rect.top())
        bottom = layout.plots[-1][1].rect.bottom()
        lines = [(value, self.theme.pen("line", 1.0)) for value in layout.maps]
        lines.append((here, QPen(self._faint("accent", 0.5), 1.0)))
        if scene.kept is not None and scene.kept in layout.axis.values:
            lines.append((scene.kept, QPen(self.theme.color("muted"), 1.5, Qt.PenStyle.DashLine)))
        lines.append((scene.value, self.theme.pen("accent", _LINE)))
        for value, pen in lines:
            painter.setPen(pen)
            x = layout.axis.x(value)
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))

    def _draw_map(self, painter: QPainter, scene: TradeOffScene, value: int, rect: QRectF) -> None:
        """Draw a map with a border that tells if it is the current one or the reference."""
        painter.fillRect(rect, self.theme.color("raised"))
        image = self._maps.image(scene, scene.place(value))
        if image is not None:
            smooth = image.width() > rect.width()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
            painter.drawImage(rect, image)
        is_now, is_kept = value == scene.value, value == scene.kept
        self._draw_window(painter, scene, value, rect)
        pen = self.theme.pen("accent" if is_now else "line", 2 if is_now else 1)
        if is_kept and not is_now:
            pen = QPen(self.theme.color("muted"), 2, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect)
        line = p.text_height(painter.font())
        below = QRectF(rect.left(), rect.bottom() + 2, rect.width(), line)
        painter.setPen(self.theme.color("accent" if is_now else "muted"))
        name = f"{scene.letter} = {value}"
        texts = (f"{name}, reference", "reference", name) if is_kept else (name, str(value))
        text = p.fitting(painter.font(), rect.width(), *texts)
        wide = p.text_width(painter.font(), text) + 8
        painter.fillRect(
            below.adjusted((below.width() - wide) / 2, 0, (wide - below.width()) / 2, 0),
            self.theme.color("panel"),
        )
        painter.drawText(below, p.CENTER, text)

    def _draw_window(
        self, painter: QPainter, scene: TradeOffScene, value: int, rect: QRectF
    ) -> None:
        """Outline the window around the inspected pixel."""
        if scene.inspected is None:
            return
        rows, columns = scene.trade_off.scope.shape
        (row, column), w = scene.inspected, scene.place(value)[1]
        high, wide = rect.height() / rows, rect.width() / columns
        corner = QPointF(rect.left() + (column - w) * wide, rect.top() + (row - w) * high)
        around = QRectF(corner, corner + QPointF((2 * w + 1) * wide, (2 * w + 1) * high))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for color, width in (("panel", 3.0), ("text", 1.0)):
            painter.setPen(self.theme.pen(color, width))
            painter.drawRect(around & rect)

    def _draw_plot(
        self,
        painter: QPainter,
        scene: TradeOffScene,
        curve: Curve,
        axes: PaintedAxes,
        axis: SheetAxis,
    ) -> None:
        """Draw the rules, the threshold and the lines of a plot."""
        rect, line = axes.rect, p.text_height(painter.font())
        values = ticks(*axes.up, max(1, int(rect.height() / (2 * line))))
        room = (p.text_width(painter.font(), digits.share(1.0)) + _GAP, _GAP)
        rules = ((value, curve.tick(value)) for value in values)
        chart.draw_rules(painter, axes, self.theme, rules, room)
        if curve.needed is not None and axes.up[0] <= curve.needed <= axes.up[1]:
            y = axes.y(curve.needed)
            painter.setPen(QPen(self.theme.color("good"), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y))
        painter.save()
        painter.setClipRect(rect.adjusted(-4, -1, 4, 1))
        if scene.trade_off.exact:
            band = [(axis.along(at), *ends) for at, *ends in scene.band(curve)]
            upper = [axes.point(x, high) for x, _, high in band]
            lower = [axes.point(x, low) for x, low, _ in band]
            chart.draw_band(painter, upper, lower, self._faint("accent", 0.3))
            thin, thick = QPen(self._faint("muted", 0.55), 1), self.theme.pen("text", 2)
        else:
            thin = thick = QPen(self._faint("accent", 0.35), _BROAD * self.theme.stroke)
        for row, pen in [*((one, thin) for one in self._thin(scene)), (scene.row, thick)]:
            points = [axes.point(axis.along(x), y) for x, y in scene.points(curve, row)]
            chart.draw_line(painter, points, pen)
        painter.restore()
        _draw_exit(painter, points, rect, thick.color())

    def _draw_marks(
        self,
        painter: QPainter,
        scene: TradeOffScene,
        curve: Curve,
        axes: PaintedAxes,
        on: tuple[SheetAxis, int],
    ) -> None:
        """Draw the numbers at the current place, at the pointer and where the error is least."""
        axis, here = on
        marks = [(here, "accent"), (scene.value, "accent")]
        best = min(scene.row, key=lambda one: one.code_length, default=None)
        if curve.error is not None and best is not None and scene.trade_off.exact:
            marks.append((scene.on_axis((best.n_states, best.window)), "warning"))
        painter.setPen(self.theme.pen("panel", 1))
        for value, color in marks:
            number = scene.number(curve, scene.place(value))
            if number is not None and axes.up[0] <= number <= axes.up[1]:
                painter.setBrush(self.theme.color(color))
                painter.drawEllipse(axes.point(axis.along(value), number), 4, 4)

    def _draw_title(
        self,
        painter: QPainter,
        scene: TradeOffScene,
        curve: Curve,
        axes: PaintedAxes,
        on: tuple[float, int],
    ) -> None:
        """Write the name of a curve at its left, and its numbers: here, and of the reference."""
        (wide, here), font = on, painter.font()
        line, top = p.text_height(font), axes.rect.top() - _GAP
        numbers: list[tuple[Place, tuple[str, ...], str]]
        numbers = [(scene.place(here), ("{}",), "text")]
        if scene.reference is not None:
            numbers.append((scene.reference, ("reference {}", "ref. {}", "{}"), "muted"))
        painter.setPen(self.theme.color("muted"))
        room = QRectF(p.PAD, top, wide, line)
        painter.drawText(room, p.LEFT, p.fitting(font, wide, *curve.titles))
        for place, texts, color in numbers:
            room.translate(0, line)
            number = scene.number(curve, place)
            if number is not None and room.bottom() <= axes.rect.bottom() + _GAP:
                painter.setFont(p.scaled(self.font(), bold=color == "text"))
                painter.setPen(self.theme.color(color))
                written = [text.format(curve.number(number)) for text in texts]
                painter.drawText(room, p.LEFT, p.fitting(painter.font(), wide, *written))
        painter.setFont(font)

    def _draw_names(
        self, painter: QPainter, scene: TradeOffScene, curve: Curve, axes: PaintedAxes
    ) -> None:
        """Write the N or w of lines at their right ends, where there is room; the current first."""
        line, taken = p.text_height(painter.font()), list[float]()
        letter = "w" if scene.turned else "N"
        for row, color in [(scene.row, "text"), *((one, "muted") for one in self._thin(scene))]:
            points = scene.points(curve, row)
            if not points or not axes.up[0] <= points[-1][1] <= axes.up[1]:
                continue
            y = axes.y(points[-1][1])
            if all(abs(y - other) >= line - 2 for other in taken):
                taken.append(y)
                text = f"{letter} = {row[-1].window if scene.turned else row[-1].n_states}"
                painter.setPen(self.theme.color(color))
                room = QRectF(axes.rect.right() + _GAP, y - line / 2, self.width(), line)
                painter.drawText(room, p.LEFT, text)

    def _thin(self, scene: TradeOffScene) -> list[Row]:
        """Return the lines that are drawn beside the current one."""
        return scene.others if scene.trade_off.exact and not self.alone else []

    def _draw_holding(self, painter: QPainter, scene: TradeOffScene, layout: Layout) -> None:
        """Write how many regions hold at the left of the lives, as far as there is room."""
        if layout.lives.isEmpty() or not scene.holding:
            return
        wide = layout.lives.left() - p.PAD - _GAP
        room = QRectF(p.PAD, layout.lives.top(), wide, layout.lives.height())
        if p.text_height(painter.font(), scene.holding, wide) <= room.height():
            painter.setPen(self.theme.color("muted"))
            painter.drawText(room, p.WRAP, scene.holding)

    def _draw_axis(self, painter: QPainter, scene: TradeOffScene, layout: Layout) -> None:
        """Write the values below the last plot."""
        axis, rect = layout.axis, layout.plots[-1][1].rect
        values = axis.values
        if axis.by_ratio:
            powers = {1 << k for k in range(values[-1].bit_length())}
            values = tuple(sorted({0, scene.w, *powers}))
        below = QRectF(0, rect.bottom() + _GAP, self.width(), p.text_height(painter.font()))
        painter.setPen(self.theme.color("muted"))
        first = [v for v in values if v == scene.value] + [v for v in values if v != scene.value]
        marks = [(axis.x(v) / self.width(), (str(v),)) for v in first]
        name = ((axis.left - p.PAD - _GAP) / self.width(), (scene.letter,))
        p.draw_ticks(painter, below, [*marks, name], painter.font())

    def _faint(self, role: str, share: float) -> QColor:
        return p.mixed(self.theme.color("panel"), self.theme.color(role), share)


def _draw_exit(painter: QPainter, points: list[QPointF], rect: QRectF, color: QColor) -> None:
    """Point an arrow at the first number of a line from where it enters the plot."""
    if len(points) < 2 or rect.top() - 1 <= points[0].y() <= rect.bottom() + 1:
        return
    (first, second), is_above = points[:2], points[0].y() < rect.top()
    edge = rect.top() if is_above else rect.bottom()
    share = (edge - first.y()) / (second.y() - first.y()) if second.y() != first.y() else 0.0
    if 0 < share <= 1:  # else the second is beyond, too
        x, tip = first.x() + share * (second.x() - first.x()), -_GAP if is_above else _GAP
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        corners = QPointF(x - 4, edge), QPointF(x + 4, edge), QPointF(x, edge + tip)
        painter.drawPolygon(QPolygonF(corners))


def _title_width(font: QFont, curve: Curve, most: float) -> float:
    """Return the width of the longest title of a curve that is not too wide."""
    widths = [p.text_width(font, title) for title in curve.titles]
    return next((wide for wide in widths if wide <= most), widths[-1])
