"""Curves over w: what each N is worth, with the thresholds of use and a cursor that is w."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPen

from latviz.app.views.tradeoff.panel import Panel, Scene
from latviz.app.widgets import chart
from latviz.app.widgets import painting as p
from latviz.app.widgets.chart import Axes
from latviz.core import choice
from latviz.engine.ticks import ticks
from latviz.engine.tradeoff import Place, TradeOff

Value = Callable[["choice.settings.Setting"], float | None]

ASSOCIATIVE, INERT = 0.5, 0.9
"""From which on the model is applicable (paper 1.4, 1.5)."""
_LEAST_SPAN = 1e-3
_MARGIN = 38.0
_STYLES = Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine


@dataclass(frozen=True)
class Plot:
    """One of the plots.

    ``lines`` are drawn for the N that is set, the first of them thin for the others; ``error`` is
    half the width of a band around the first.
    """

    titles: tuple[str, ...]
    lines: tuple[Value, ...]
    error: Value | None = None
    threshold: float | None = None


def plots_of(trade_off: TradeOff) -> list[Plot]:
    """Return the plots that there are numbers for; all of these are estimates."""
    plots = [
        Plot(
            ("Code length (est.), bits, left out", "Code length (est.)", "Code (est.)", "Code"),
            (lambda s: s.code_length,),
            error=lambda s: s.standard_error,
        ),
        Plot(
            ("Associativity (est.)", "Assoc. (est.)", "Assoc."),
            (lambda s: s.associativity,),
            threshold=ASSOCIATIVE,
        ),
        Plot(("Inertia (est.)", "Inertia"), (lambda s: s.inertia,), threshold=INERT),
        Plot(
            (
                "Data (est.), pairs (est., normaliser states; dashed), bits",
                "Data (est.), pairs (est., dashed), bits",
                "Data, pairs (est.), bits",
                "Bits (est.)",
            ),
            (lambda s: s.data_bits, lambda s: s.pair_bits),
        ),
    ]
    if trade_off.has_truth:
        plots.append(Plot(("Accuracy (est.)", "Accuracy"), (lambda s: s.accuracy,)))
    return plots


class CurvesPanel(Panel):
    """Small plots that share the axis of w."""

    TITLE = "Curves over w"
    HOW_TO = (
        "Estimates (est.): every w learns from a sample, no smoothing, alpha 1. "
        "Thick: N = {n}, thin: others. Drag to set w, which is {w}"
    )
    CAPTIONS = (
        "Estimates from a sample at every w. Thick: N = {n}, thin: others; w = {w}",
        "Estimates. Thick: N = {n}; w = {w}",
        "N = {n}, w = {w}",
    )
    DRAGGED = True

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

    def axes(self, scene: Scene, plot: Plot, room: QRectF) -> Axes:
        """Return the axes of a plot in its room."""
        line = p.text_height(p.scaled(self.font(), 0.9))
        rect = room.adjusted(_MARGIN, line + 2, -8, -line - 4)
        return Axes(rect, scene.trade_off.windows[-1], *value_range(scene, plot))

    def place_at(self, scene: Scene, at: QPointF) -> Place | None:
        """Return the window under the pointer, with the N that is set."""
        plots = plots_of(scene.trade_off)
        for plot, room in zip(plots, self.rects(len(plots)), strict=True):
            if room.contains(at):
                windows = scene.trade_off.windows
                w = self.axes(scene, plot, room).w(at.x())
                return scene.n, min(windows, key=lambda other: abs(other - w))
        return None

    def draw(self, painter: QPainter, scene: Scene) -> None:
        """Draw the plots."""
        plots = plots_of(scene.trade_off)
        place = None if self.pointer is None else self.place_at(scene, self.pointer)
        for plot, room in zip(plots, self.rects(len(plots)), strict=True):
            axes = self.axes(scene, plot, room)
            if axes.rect.width() > 10 and axes.rect.height() > 10:
                self._draw_plot(
                    painter, scene, plot, room, axes, scene.w if place is None else place[1]
                )

    def _draw_plot(
        self, painter: QPainter, scene: Scene, plot: Plot, room: QRectF, axes: Axes, told: int
    ) -> None:
        trade_off, text = scene.trade_off, self.theme.color("text")
        self._draw_axes(painter, plot, axes)
        painter.save()
        painter.setClipRect(axes.rect.adjusted(-1, -1, 1, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_band(painter, scene, plot, axes)
        thin = QPen(p.mixed(self.theme.color("panel"), self.theme.color("muted"), 0.55), 1)
        for n in trade_off.states:
            if n not in (1, scene.n):
                chart.draw_line(painter, points(trade_off, n, plot.lines[0], axes), thin)
        for line, style in zip(plot.lines, _STYLES, strict=False):
            chart.draw_line(
                painter,
                points(trade_off, scene.n, line, axes),
                QPen(text, 2 * self.theme.stroke, style),
            )
        self._draw_marks(painter, scene, plot, axes, told)
        painter.restore()
        painter.setPen(text)
        place = QRectF(
            axes.rect.left(), room.top(), axes.rect.width() + 8, p.text_height(painter.font())
        )
        titles = [f"{title}{told_text(scene, plot, told)}" for title in plot.titles]
        fitting = p.fitting(painter.font(), place.width(), *titles, plot.titles[-1])
        painter.drawText(place, p.LEFT, fitting)

    def _draw_axes(self, painter: QPainter, plot: Plot, axes: Axes) -> None:
        rect, line = axes.rect, p.text_height(painter.font())
        values = ticks(axes.low, axes.high, max(1, int(rect.height() / (2 * line))))
        rules = ((value, p.significant(value, 3)) for value in values)
        chart.draw_rules(painter, axes, self.theme, rules, (_MARGIN, 4.0))
        painter.setPen(self.theme.pen("line", 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if plot.threshold is not None and axes.low <= plot.threshold <= axes.high:
            y = axes.y(plot.threshold)
            painter.setPen(QPen(self.theme.color("good"), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y))
        painter.setPen(self.theme.color("muted"))
        step = 5 if axes.last <= 30 else 10
        at = [(axes.share(w), (str(w),)) for w in range(0, axes.last + 1, step)]
        below = QRectF(rect.left(), rect.bottom() + 2, rect.width(), line)
        p.draw_ticks(painter, below, [*at, (axes.share(step / 2), ("w",))], painter.font())

    def _draw_band(self, painter: QPainter, scene: Scene, plot: Plot, axes: Axes) -> None:
        if plot.error is None:
            return
        upper, lower = [], []
        for setting in scene.trade_off.row(scene.n):
            value, error = plot.lines[0](setting), plot.error(setting)
            if value is not None and error is not None and math.isfinite(value + error):
                upper.append(axes.point(setting.window, value + error))
                lower.append(axes.point(setting.window, value - error))
        color = p.mixed(self.theme.color("panel"), self.theme.color("accent"), 0.3)
        chart.draw_band(painter, upper, lower, color)

    def _draw_marks(
        self, painter: QPainter, scene: Scene, plot: Plot, axes: Axes, told: int
    ) -> None:
        """Draw the cursor, the window under the pointer, and where the code length is least."""
        accent = self.theme.color("accent")
        for w, width in {told: 1.0, scene.w: 2.0}.items():
            chart.draw_upright(painter, axes, w, QPen(accent, width * self.theme.stroke))
        marks = [(told, accent)]
        best = scene.trade_off.best_window(scene.n)
        if plot.error is not None and best is not None:
            marks.append((best, self.theme.color("warning")))
        painter.setPen(self.theme.pen("panel", 1))
        for w, color in marks:
            painter.setBrush(color)
            for value in values_at(scene, plot, w):
                if math.isfinite(value):
                    painter.drawEllipse(axes.point(w, value), 4, 4)


def values_at(scene: Scene, plot: Plot, w: int) -> list[float]:
    """Return the numbers of a plot's lines at a window, with the N that is set."""
    found = scene.trade_off.settings.get((scene.n, w))
    values = [] if found is None else [line(found) for line in plot.lines]
    return [value for value in values if value is not None]


def told_text(scene: Scene, plot: Plot, w: int) -> str:
    """Return the numbers at a window, to follow a title."""
    return "".join(f"  {p.signed(value, 3)}" for value in values_at(scene, plot, w))


def points(trade_off: TradeOff, n: int, value: Value, axes: Axes) -> list[QPointF]:
    """Return the places of a curve's numbers; infinite ones are left out."""
    numbers = ((setting.window, value(setting)) for setting in trade_off.row(n))
    return [axes.point(w, v) for w, v in numbers if v is not None and math.isfinite(v)]


def value_range(scene: Scene, plot: Plot) -> tuple[float, float]:
    """Return the least and largest number that a plot shows.

    They are those of the N that is set, with its band and the threshold, and of the best of others.
    """
    trade_off = scene.trade_off
    if plot.error is None:
        found = _finite(line(s) for line in plot.lines for s in trade_off.row(scene.n))
        others = trade_off.settings.values() if len(plot.lines) == 1 else ()
        found += _finite(plot.lines[0](s) for s in others if s.n_states > 1)
    else:
        own = trade_off.row(scene.n)
        found = [s.code_length + sign * s.standard_error for s in own for sign in (-1, 1)]
        found += [s.code_length for n in trade_off.states[1:] for s in trade_off.row(n)]
    if plot.threshold is not None:
        found.append(plot.threshold)
    low, high = min(found, default=0.0), max(found, default=1.0)
    room = max(0.06 * (high - low), _LEAST_SPAN)
    return low - room, high + room


def _finite(numbers: Iterable[float | None]) -> list[float]:
    return [v for v in numbers if v is not None and math.isfinite(v)]
