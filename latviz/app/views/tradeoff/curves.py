"""Curves over w: the score of each N, with thresholds and a cursor at w."""

import math
from collections.abc import Iterable

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen

from latviz.app.views.tradeoff.panel import Panel, TradeOffScene
from latviz.app.widgets import chart
from latviz.app.widgets import painting as p
from latviz.app.widgets.chart import PaintedAxes
from latviz.core import digits
from latviz.engine.choosing.curves import Curve, curves_of
from latviz.engine.choosing.tradeoff import Place
from latviz.engine.frames.section import MOST
from latviz.engine.geometry.axes import ticks, windows, with_room

_GAP = 4.0
"""Between the numbers at the left of a plot and its lines."""
_BROAD = 7.0
"""Width of the line for a part of the picture."""


IN_PART = (
    f"The picture has more than {MOST:,} pixels. Bands: its middle, N = {{n}}; dots: all of it",
    "Bands: the picture's middle, N = {n}; dots: all of it",
    "N = {n}, w = {w}",
)


class CurvesPanel(Panel):
    """Small plots that share the axis of w."""

    TITLE = "Curves over w"
    HOW_TO = "Thick: N = {n}, thin: others. Drag to set w, which is {w}"
    CAPTIONS = ("Thick: N = {n}, thin: others; w = {w}", "N = {n}, w = {w}")
    DRAGGED = True

    @property
    def captions(self) -> tuple[str, ...]:
        """The captions; for a picture in part, of bands and their source."""
        if self.scene is None or self.scene.trade_off.exact:
            return self.CAPTIONS[-1:] if self.alone else super().captions
        return IN_PART

    alone: tuple[str, ...] = ()
    """The names of the plots to draw; empty: all of them."""

    def plots(self, scene: TradeOffScene) -> list[Curve]:
        """Return the plots to draw."""
        return [p for p in curves_of(scene.trade_off) if not self.alone or p.name in self.alone]

    def rects(self, n_plots: int) -> list[QRectF]:
        """Return the rooms of the plots, titles and labels included."""
        room = self.room
        columns = min(
            {math.ceil(n_plots / rows) for rows in range(1, n_plots + 1)},
            key=lambda k: abs(math.log(1.3 * self._high(room, n_plots, k) * k / room.width())),
        )
        wide, high = room.width() / columns, self._high(room, n_plots, columns)
        return [
            QRectF(room.left() + k % columns * wide, room.top() + k // columns * high, wide, high)
            for k in range(n_plots)
        ]

    def _high(self, room: QRectF, n_plots: int, columns: int) -> float:
        return max(1.0, room.height() / math.ceil(n_plots / columns))

    @property
    def _margin(self) -> float:
        """Room for the numbers at the left of a plot."""
        return p.text_width(p.scaled(self.font()), digits.share(1.0)) + 2 * _GAP

    def axes(self, scene: TradeOffScene, plot: Curve, room: QRectF) -> PaintedAxes:
        """Return the axes of a plot in its room."""
        line = p.text_height(p.scaled(self.font()))
        rect = room.adjusted(self._margin, line + 2, -8, -line - 4)
        return PaintedAxes.over(
            rect,
            windows(scene.trade_off.windows[-1]),
            value_range(scene, plot, alone=bool(self.alone)),
        )

    def place_at(self, scene: TradeOffScene, at: QPointF) -> Place | None:
        """Return the window under the pointer, with the N that is set."""
        plots = self.plots(scene)
        for plot, room in zip(plots, self.rects(len(plots)), strict=True):
            if room.contains(at):
                windows = scene.trade_off.windows
                w = self.axes(scene, plot, room).w(at.x())
                return scene.n, min(windows, key=lambda other: abs(other - w))
        return None

    def draw(self, painter: QPainter, scene: TradeOffScene) -> None:
        """Draw the plots."""
        plots = self.plots(scene)
        place = None if self.pointer is None else self.place_at(scene, self.pointer)
        for plot, room in zip(plots, self.rects(len(plots)), strict=True):
            axes = self.axes(scene, plot, room)
            if axes.rect.width() > 10 and axes.rect.height() > 10:
                w = scene.w if place is None else place[1]
                self._draw_plot(painter, scene, plot, axes, w)
                self._draw_title(painter, scene, plot, axes, w)

    def _draw_plot(
        self, painter: QPainter, scene: TradeOffScene, plot: Curve, axes: PaintedAxes, window: int
    ) -> None:
        self._draw_axes(painter, plot, axes)
        painter.save()
        painter.setClipRect(axes.rect.adjusted(-1, -1, 1, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if scene.trade_off.exact:
            self._draw_lines(painter, scene, plot, axes)
        else:
            broad = QPen(self._faint("accent", 0.35), _BROAD * self.theme.stroke)
            broad.setCapStyle(Qt.PenCapStyle.RoundCap)
            chart.draw_line(painter, points(scene, scene.n, plot, axes), broad)
        self._draw_marks(painter, scene, plot, axes, window)
        painter.restore()

    def _draw_title(
        self, painter: QPainter, scene: TradeOffScene, plot: Curve, axes: PaintedAxes, window: int
    ) -> None:
        """Write the title of a plot, and its number at a window, above it."""
        line = p.text_height(painter.font())
        place = QRectF(axes.rect.left(), axes.rect.top() - line - 2, axes.rect.width() + 8, line)
        titles, value = titles_of(scene, plot), value_at(scene, plot, window)
        number = "" if value is None else f"  {plot.number(value)}"
        texts = (f"{title}{number}" for title in titles)
        painter.setPen(self.theme.color("text"))
        text = p.fitting(painter.font(), place.width(), *texts, titles[-1])
        painter.drawText(place, p.LEFT, text)

    def _draw_lines(
        self, painter: QPainter, scene: TradeOffScene, plot: Curve, axes: PaintedAxes
    ) -> None:
        self._draw_band(painter, scene, plot, axes)
        thin = QPen(self._faint("muted", 0.55), 1)
        for n in () if self.alone else scene.trade_off.states:
            if n not in (1, scene.n):
                chart.draw_line(painter, points(scene, n, plot, axes), thin)
        thick = QPen(self.theme.color("text"), 2 * self.theme.stroke)
        chart.draw_line(painter, points(scene, scene.n, plot, axes), thick)

    def _faint(self, role: str, share: float) -> QColor:
        return p.mixed(self.theme.color("panel"), self.theme.color(role), share)

    def _draw_axes(self, painter: QPainter, plot: Curve, axes: PaintedAxes) -> None:
        rect, line = axes.rect, p.text_height(painter.font())
        values = ticks(*axes.up, max(1, int(rect.height() / (2 * line))))
        rules = ((value, plot.tick(value)) for value in values)
        chart.draw_rules(painter, axes, self.theme, rules, (self._margin, _GAP))
        painter.setPen(self.theme.pen("line", 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if plot.needed is not None and axes.up[0] <= plot.needed <= axes.up[1]:
            y = axes.y(plot.needed)
            painter.setPen(QPen(self.theme.color("good"), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y))
        painter.setPen(self.theme.color("muted"))
        last = int(axes.across[1])
        step = 5 if last <= 30 else 10
        at = [(axes.share(w), (str(w),)) for w in range(0, last + 1, step)]
        below = QRectF(rect.left(), rect.bottom() + 2, rect.width(), line)
        p.draw_ticks(painter, below, [*at, (axes.share(step / 2), ("w",))], painter.font())

    def _draw_band(
        self, painter: QPainter, scene: TradeOffScene, plot: Curve, axes: PaintedAxes
    ) -> None:
        band = plot.band(scene.trade_off, scene.n)
        upper = [axes.point(w, high) for w, _, high in band]
        lower = [axes.point(w, low) for w, low, _ in band]
        chart.draw_band(painter, upper, lower, self._faint("accent", 0.3))

    def _draw_marks(
        self, painter: QPainter, scene: TradeOffScene, plot: Curve, axes: PaintedAxes, window: int
    ) -> None:
        """Draw the cursor, the window under the pointer, and where the code length is least."""
        accent = self.theme.color("accent")
        for w, width in {window: 1.0, scene.w: 2.0}.items():
            chart.draw_upright(painter, axes, w, QPen(accent, width * self.theme.stroke))
        marks = [(window, accent)]
        best = scene.trade_off.best_window(scene.n)
        if plot.error is not None and best is not None and scene.trade_off.exact:
            marks.append((best, self.theme.color("warning")))
        painter.setPen(self.theme.pen("panel", 1))
        for w, color in marks:
            painter.setBrush(color)
            value = value_at(scene, plot, w)
            if value is not None and math.isfinite(value):
                painter.drawEllipse(axes.point(w, value), 4, 4)


def value_at(scene: TradeOffScene, plot: Curve, w: int) -> float | None:
    """Return the number of a plot at a window, with the N that is set; None if it is not known."""
    if not scene.trade_off.exact:
        return scene.now.get(plot.name) if w == scene.w else None
    found = scene.trade_off.settings.get((scene.n, w))
    return None if found is None else plot.value(found)


def titles_of(scene: TradeOffScene, plot: Curve) -> tuple[str, ...]:
    """Return the titles of a plot, longest first, with the decoder if it differs."""
    return (f"{plot.titles[0]}{scene.how}", *plot.titles) if scene.how else plot.titles


def points(scene: TradeOffScene, n: int, plot: Curve, axes: PaintedAxes) -> list[QPointF]:
    """Return the places of a curve's numbers."""
    return [axes.point(w, value) for w, value in plot.points(scene.trade_off, n)]


def value_range(scene: TradeOffScene, plot: Curve, *, alone: bool = False) -> tuple[float, float]:
    """Return the least and largest number that a plot shows."""
    # Over all drawn N except 1 and all w except 0, which are far from the others, unless they are
    # set; with the band, the threshold and the current values. ``alone`` draws the current N only
    others = scene.trade_off.states if scene.trade_off.exact and not alone else ()
    drawn = {scene.n, *others} - {1} or {1}
    settings = [s for s in scene.trade_off.settings.values() if s.n_states in drawn]
    settings = [s for s in settings if s.window in (scene.w, *range(1, 256))] or settings
    found = _finite(map(plot.value, settings))
    shown = {s.window for s in settings if s.n_states == scene.n}
    for w, *ends in plot.band(scene.trade_off, scene.n):
        found += ends if w in shown else ()
    if not scene.trade_off.exact:
        found += _finite([scene.now.get(plot.name)])
    return with_room(found if plot.needed is None else [*found, plot.needed])


def _finite(numbers: Iterable[float | None]) -> list[float]:
    return [v for v in numbers if v is not None and math.isfinite(v)]
