"""Curves over w: what each N is worth, with the thresholds of use and a cursor that is w."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen

from latviz.app.views.tradeoff.panel import Panel, TradeOffScene
from latviz.app.widgets import chart
from latviz.app.widgets import painting as p
from latviz.app.widgets.chart import Axes
from latviz.core import choice
from latviz.engine.choosing.tradeoff import Place, TradeOff
from latviz.engine.frames.section import MOST
from latviz.engine.geometry.ticks import ticks
from latviz.engine.indices import swept

_LEAST_SPAN = 1e-3
_MARGIN = 38.0
_BROAD = 7.0
"""How broad a line is that is of a part of the picture."""


@dataclass(frozen=True)
class Plot:
    """One of the plots.

    ``value`` returns its number of a `Setting`; ``threshold`` is from where on the model is
    applicable.
    """

    titles: tuple[str, ...]
    name: str
    value: "Callable[[choice.settings.Setting], float | None]"
    threshold: float | None = None

    @property
    def has_error(self) -> bool:
        """Whether a band of one standard error is drawn around the line."""
        return self.name == "code_length"


def plots_of(scene: TradeOffScene) -> list[Plot]:
    """Return the plots that there are numbers for."""
    titles = _titled(scene, "Code length, bits, left out", "Code length", "Code")
    plots = [Plot(titles, "code_length", lambda setting: setting.code_length)]
    for row, value in swept():
        plots.append(Plot(_titled(scene, row.title, *row.short), row.name, value, row.needed))
    if scene.trade_off.has_truth:
        plots.append(Plot(_titled(scene, "Accuracy"), "accuracy", lambda setting: setting.accuracy))
    return plots


def _titled(scene: TradeOffScene, *titles: str) -> tuple[str, ...]:
    return (f"{titles[0]}{scene.how}", *titles) if scene.how else titles


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
        """What is drawn; of too large a picture bands, and where they are from."""
        if self.scene is None or self.scene.trade_off.exact:
            return super().captions
        return IN_PART

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

    def axes(self, scene: TradeOffScene, plot: Plot, room: QRectF) -> Axes:
        """Return the axes of a plot in its room."""
        line = p.text_height(p.scaled(self.font(), 0.9))
        rect = room.adjusted(_MARGIN, line + 2, -8, -line - 4)
        return Axes(rect, scene.trade_off.windows[-1], *value_range(scene, plot))

    def place_at(self, scene: TradeOffScene, at: QPointF) -> Place | None:
        """Return the window under the pointer, with the N that is set."""
        plots = plots_of(scene)
        for plot, room in zip(plots, self.rects(len(plots)), strict=True):
            if room.contains(at):
                windows = scene.trade_off.windows
                w = self.axes(scene, plot, room).w(at.x())
                return scene.n, min(windows, key=lambda other: abs(other - w))
        return None

    def draw(self, painter: QPainter, scene: TradeOffScene) -> None:
        """Draw the plots."""
        plots = plots_of(scene)
        place = None if self.pointer is None else self.place_at(scene, self.pointer)
        for plot, room in zip(plots, self.rects(len(plots)), strict=True):
            axes = self.axes(scene, plot, room)
            if axes.rect.width() > 10 and axes.rect.height() > 10:
                self._draw_plot(
                    painter, scene, plot, room, axes, scene.w if place is None else place[1]
                )

    def _draw_plot(
        self,
        painter: QPainter,
        scene: TradeOffScene,
        plot: Plot,
        room: QRectF,
        axes: Axes,
        told: int,
    ) -> None:
        trade_off = scene.trade_off
        self._draw_axes(painter, plot, axes)
        painter.save()
        painter.setClipRect(axes.rect.adjusted(-1, -1, 1, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if scene.trade_off.exact:
            self._draw_lines(painter, scene, plot, axes)
        else:
            broad = QPen(self._faint("accent", 0.35), _BROAD * self.theme.stroke)
            broad.setCapStyle(Qt.PenCapStyle.RoundCap)
            chart.draw_line(painter, points(trade_off, scene.n, plot, axes), broad)
        self._draw_marks(painter, scene, plot, axes, told)
        painter.restore()
        painter.setPen(self.theme.color("text"))
        place = QRectF(
            axes.rect.left(), room.top(), axes.rect.width() + 8, p.text_height(painter.font())
        )
        titles = [f"{title}{told_text(scene, plot, told)}" for title in plot.titles]
        fitting = p.fitting(painter.font(), place.width(), *titles, plot.titles[-1])
        painter.drawText(place, p.LEFT, fitting)

    def _draw_lines(self, painter: QPainter, scene: TradeOffScene, plot: Plot, axes: Axes) -> None:
        self._draw_band(painter, scene, plot, axes)
        thin = QPen(self._faint("muted", 0.55), 1)
        for n in scene.trade_off.states:
            if n not in (1, scene.n):
                chart.draw_line(painter, points(scene.trade_off, n, plot, axes), thin)
        thick = QPen(self.theme.color("text"), 2 * self.theme.stroke)
        chart.draw_line(painter, points(scene.trade_off, scene.n, plot, axes), thick)

    def _faint(self, role: str, share: float) -> QColor:
        return p.mixed(self.theme.color("panel"), self.theme.color(role), share)

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

    def _draw_band(self, painter: QPainter, scene: TradeOffScene, plot: Plot, axes: Axes) -> None:
        if not plot.has_error:
            return
        upper, lower = [], []
        for setting in scene.trade_off.row(scene.n):
            value, error = setting.code_length, setting.standard_error
            if math.isfinite(value + error):
                upper.append(axes.point(setting.window, value + error))
                lower.append(axes.point(setting.window, value - error))
        chart.draw_band(painter, upper, lower, self._faint("accent", 0.3))

    def _draw_marks(
        self, painter: QPainter, scene: TradeOffScene, plot: Plot, axes: Axes, told: int
    ) -> None:
        """Draw the cursor, the window under the pointer, and where the code length is least."""
        accent = self.theme.color("accent")
        for w, width in {told: 1.0, scene.w: 2.0}.items():
            chart.draw_upright(painter, axes, w, QPen(accent, width * self.theme.stroke))
        marks = [(told, accent)]
        best = scene.trade_off.best_window(scene.n)
        if plot.has_error and best is not None and scene.trade_off.exact:
            marks.append((best, self.theme.color("warning")))
        painter.setPen(self.theme.pen("panel", 1))
        for w, color in marks:
            painter.setBrush(color)
            value = value_at(scene, plot, w)
            if value is not None and math.isfinite(value):
                painter.drawEllipse(axes.point(w, value), 4, 4)


def value_at(scene: TradeOffScene, plot: Plot, w: int) -> float | None:
    """Return the number of a plot at a window, with the N that is set; None if it is not known."""
    if not scene.trade_off.exact:
        return scene.now.get(plot.name) if w == scene.w else None
    found = scene.trade_off.settings.get((scene.n, w))
    return None if found is None else plot.value(found)


def told_text(scene: TradeOffScene, plot: Plot, w: int) -> str:
    """Return the number at a window, to follow a title."""
    value = value_at(scene, plot, w)
    return "" if value is None else f"  {p.signed(value, 3)}"


def points(trade_off: TradeOff, n: int, plot: Plot, axes: Axes) -> list[QPointF]:
    """Return the places of a curve's numbers; infinite ones are left out."""
    numbers = ((setting.window, plot.value(setting)) for setting in trade_off.row(n))
    return [axes.point(w, v) for w, v in numbers if v is not None and math.isfinite(v)]


def value_range(scene: TradeOffScene, plot: Plot) -> tuple[float, float]:
    """Return the least and largest number that a plot shows.

    They are those of all N that are drawn but 1 and all w but 0, which are far from all others,
    unless they are set, with the band, the threshold and what is on screen.
    """
    drawn = {scene.n, *(scene.trade_off.states if scene.trade_off.exact else ())} - {1} or {1}
    settings = [s for s in scene.trade_off.settings.values() if s.n_states in drawn]
    settings = [s for s in settings if s.window in (scene.w, *range(1, 256))] or settings
    found = _finite(map(plot.value, settings))
    if plot.has_error:
        own = [s for s in settings if s.n_states == scene.n]
        found += _finite(s.code_length + sign * s.standard_error for s in own for sign in (-1, 1))
    if not scene.trade_off.exact:
        found += _finite([scene.now.get(plot.name)])
    if plot.threshold is not None:
        found.append(plot.threshold)
    low, high = min(found, default=0.0), max(found, default=1.0)
    room = max(0.06 * (high - low), _LEAST_SPAN)
    return low - room, high + room


def _finite(numbers: Iterable[float | None]) -> list[float]:
    return [v for v in numbers if v is not None and math.isfinite(v)]
