"""Error, bias and variance over w, and a cursor that sets w."""

import math
from dataclasses import dataclass
from typing import Literal

from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF

from latviz.app.look.theme import Theme
from latviz.app.widgets import chart, keys
from latviz.app.widgets import painting as p
from latviz.app.widgets.chart import PaintedAxes
from latviz.app.widgets.painting import Painted
from latviz.app.widgets.shortcuts import keyed
from latviz.app.work.activity import Activity
from latviz.app.work.timers import once_after
from latviz.core import digits
from latviz.core.types import Floats
from latviz.engine.settings.palette import SLOT_COLORS
from latviz.wings.bench.copies import Outcome
from latviz.wings.bench.experiment import WINDOWS, Experiment

Marker = Literal["circle", "square", "triangle", "none"]
Pen = Qt.PenStyle

_NAMES = (
    ("Error", "share of pixels, over all copies, whose state is wrong"),
    ("Bias", "share of pixels whose commonest state is wrong"),
    ("Variance", "share of pixels, over all copies, that differ from their commonest state"),
    ("… inside regions", "variance where the whole window is in one true state"),
    ("Upper bound", "upper limit of the variance inside regions, if the codebook is known"),
)
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)
_MOST_STEPS = 5


@dataclass(frozen=True, eq=False)
class Series:
    """A curve over the windows, recognisable by marker and line without its colour."""

    name: str
    tip: str
    values: Floats
    band: Floats | None
    color: QColor
    line: Pen
    marker: Marker

    def text_at(self, k: int) -> str:
        """Return the value at a window, with half its band; "–" if it is not known."""
        if math.isnan(self.values[k]):
            return "–"
        text = digits.share(self.values[k])
        if self.band is None or math.isnan(self.band[k, 0]):
            return text
        half = digits.share((self.band[k, 1] - self.band[k, 0]) / 2)
        return f"{text.removesuffix('%').rstrip()} ± {half}"


def series_of(outcome: Outcome, theme: Theme) -> list[Series]:
    """Return error, bias, variance, the variance inside regions, and its bound."""
    r, text, muted = outcome.result, theme.color("text"), theme.color("muted")
    # Blue and vermilion on a light ground, sky blue and orange on a dark one.
    slots = (0, 1) if theme.name == "light" else (3, 6)
    blue, orange = (QColor(*SLOT_COLORS[slot].tolist()) for slot in slots)
    drawn: tuple[tuple[Floats, Floats | None, QColor, Pen, Marker], ...] = (
        (r.error, r.error_band, text, Pen.SolidLine, "circle"),
        (r.bias, r.bias_band, blue, Pen.SolidLine, "square"),
        (r.variance, r.variance_band, orange, Pen.SolidLine, "triangle"),
        (outcome.inside, None, orange, Pen.DotLine, "none"),
        (outcome.bound, None, muted, Pen.DashLine, "none"),
    )
    return [Series(name, tip, *curve) for (name, tip), curve in zip(_NAMES, drawn, strict=True)]


def scale_of(outcome: Outcome) -> tuple[float, float]:
    """Return the top of the scale and the step between its lines, in shares."""
    r = outcome.result
    most = float(max(values.max() for values in (r.error, r.bias, r.variance)))
    step = next((s for s in _STEPS if math.ceil(most / s - 1e-9) <= _MOST_STEPS), _STEPS[-1])
    return step * max(1, math.ceil(most / step - 1e-9)), step


def pixel_text(outcome: Outcome | None, window: int, node: tuple[int, int] | None) -> str:
    """Return a pixel's truth, its commonest state, and the share of copies with it."""
    k = None if outcome is None else outcome.index_of(window)
    if outcome is None or k is None or node is None or max(node) >= outcome.experiment.side:
        return ""
    r = outcome.result
    share = 1.0 - float(r.variance_maps[k][node])
    return (
        f"Row {node[0]}, column {node[1]}: true state {outcome.truth[node] + 1}, "
        f"commonest state {r.modes[k][node] + 1}, in {digits.share(share)} of the copies."
    )


def activity_text(outcome: Outcome | None, activity: Activity, experiment: Experiment) -> str:
    """Return the number of copies behind the curves on screen.

    While more copies are decoded, only the progress bar is ahead of the screen.
    """
    if activity.work == "failed":
        return "This cannot be computed"
    if outcome is None:
        return "Waiting for the first copies…"
    if activity.work == "computing":
        other = (
            "" if outcome.experiment.copied == experiment.copied else " of the previous settings"
        )
        return f"Results of {outcome.result.replicates} copies{other}"
    known = f"{outcome.result.replicates} of {outcome.experiment.replicates} copies"
    return f"{known}, stopped" if activity.work == "declined" else known


KEYS = keyed("Left and right arrow keys set w, `Home` goes to the lowest error.")
WAITING = "The curves appear once two copies are decoded with every window."
FADE_AFTER_MS = 150
"""Most experiments have their curves sooner."""
_TEMPLATE = ("… inside regions", "00.0 ± 00.0 %")
_LINE = 26.0
"""Length of a curve's sample in the table."""
_RADIUS = 3.0
_FADED = 0.35


class Curves(Painted):
    """Draws an outcome's curves, with a table of the values at the cursor."""

    picked = pyqtSignal(int)  # window set with the mouse or the arrow keys

    def __init__(self) -> None:
        super().__init__()
        self._window = 0
        self._outcome: Outcome | None = None
        self._faded = False
        self._soon = once_after(FADE_AFTER_MS, self._fade, self)
        self.series: list[Series] = []
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(420, 200)
        self.setAccessibleName("Error, bias and variance over w")
        self.setCursor(Qt.CursorShape.SplitHCursor)

    def sizeHint(self) -> QSize:
        """Return the size it has by default."""
        return QSize(800, 320)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self._take(self._outcome)

    def show_outcome(self, outcome: Outcome) -> None:
        """Show the results so far; with only one window, the last curves soon fade."""
        if outcome.has_curves:
            self._soon.stop()
            self._faded = False
            self._take(outcome)
        elif not (self._faded or self._soon.isActive()):
            self._soon.start()

    def _fade(self) -> None:
        self._faded = True
        self.update()

    def show_window(self, window: int) -> None:
        """Move the cursor to a window."""
        self._window = window
        self._take(self._outcome)

    def _take(self, outcome: Outcome | None) -> None:
        self._outcome = outcome
        if outcome is not None:
            self.series = series_of(outcome, self.theme)
        values = ", ".join(f"{s.name} {s.text_at(self._window)}" for s in self.series)
        best = f" The least error is at w = {outcome.best}." if outcome is not None else ""
        self.setAccessibleDescription(f"At w = {self._window}: {values}.{best} {KEYS}")
        self.update()

    # Layout

    def _font(self) -> QFont:
        return p.scaled(self.font())

    @property
    def plot(self) -> QRectF:
        """The rectangle of the curves."""
        font = self._font()
        line = p.text_height(font)
        left = p.PAD + 2 * line + p.text_width(font, "00 %")
        table = p.text_width(p.scaled(font, bold=True), "".join(_TEMPLATE)) + _LINE + 36
        room = QRectF(self.rect()).adjusted(left, p.PAD + line, -table - p.PAD, -2.6 * line)
        return room.adjusted(0, 0, -4, -4)

    def axes(self, top: float = 1.0) -> PaintedAxes:
        """Return the axes of shares up to ``top``."""
        return PaintedAxes.over(self.plot, (0.0, WINDOWS[-1]), (0.0, top))

    # The mouse

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Move the cursor to the mouse."""
        self._drag(event)

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Move the cursor with the mouse."""
        self._drag(event)

    def _drag(self, event: QMouseEvent | None) -> None:
        if event is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self.picked.emit(self.axes().w(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Move the cursor."""
        if event is None:
            return
        arrow = keys.arrow(event)
        if arrow is not None:
            self.picked.emit(self._window + (arrow[0] or -arrow[1]))
        elif keys.bare(event) == Qt.Key.Key_Home and self._outcome is not None:
            self.picked.emit(self._outcome.best)
        else:
            super().keyPressEvent(event)

    def tip_at(self, _position: QPointF) -> str:
        """Return the meaning of the curves."""
        lines = [f"{s.name.removeprefix('… ').capitalize()}: {s.tip}." for s in self.series]
        return "\n".join([*lines, KEYS])

    # Drawing

    def paint_all(self, painter: QPainter) -> None:
        """Draw the axes, the curves, the cursor and the table."""
        painter.setFont(self._font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(_FADED if self._faded else 1.0)
        if self._outcome is not None:
            top, step = scale_of(self._outcome)
            axes = self.axes(top)
            self._paint_axes(painter, axes, step)
            self._paint_best(painter, axes, self._outcome)
            painter.save()
            painter.setClipRect(self.plot.adjusted(-5, -5, 5, 5))
            for series in reversed(self.series):
                self._paint_band(painter, series, axes)
                paint_curve(painter, series, axes)
            painter.restore()
            self._paint_cursor(painter, axes)
            self._paint_table(painter)
        else:
            painter.setOpacity(1.0)
            painter.setPen(self.theme.color("muted"))
            painter.drawText(self.rect(), p.CENTER, WAITING)

    def _paint_axes(self, painter: QPainter, axes: PaintedAxes, step: float) -> None:
        plot, line = self.plot, p.text_height(painter.font())
        shares = [k * step for k in range(round(axes.up[1] / step) + 1)]
        rules = ((share, digits.round_share(share)) for share in shares)
        chart.draw_rules(painter, axes, self.theme, rules, (plot.left(), 6.0))
        stride = 1 if plot.width() / len(WINDOWS) > p.text_width(painter.font(), "00 ") else 2
        for window in WINDOWS[::stride]:
            cell = QRectF(axes.x(window) - 20, plot.bottom() + 5, 40, line)
            painter.drawText(cell, p.CENTER, str(window))
        title = QRectF(plot.left(), plot.bottom() + 5 + line, plot.width(), line)
        painter.drawText(title, p.CENTER, "window w")
        painter.save()
        painter.translate(p.PAD + line / 2, plot.center().y())
        painter.rotate(-90)
        painter.drawText(QRectF(-80, -line / 2, 160, line), p.CENTER, "share of pixels")
        painter.restore()

    def _paint_best(self, painter: QPainter, axes: PaintedAxes, outcome: Outcome) -> None:
        x, plot = axes.x(outcome.best), self.plot
        line = p.text_height(painter.font())
        good = self.theme.color("good")
        chart.draw_upright(painter, axes, outcome.best, QPen(good, 1.5, Qt.PenStyle.DashDotLine))
        painter.setPen(good)
        text = f"least error: w = {outcome.best}"
        start = max(plot.left(), x - p.text_width(painter.font(), text) / 2)
        painter.drawText(QRectF(start, plot.top() - line - 2, plot.width(), line), p.LEFT, text)

    def _paint_band(self, painter: QPainter, series: Series, axes: PaintedAxes) -> None:
        if series.band is None or math.isnan(series.band[0, 0]):
            return
        low, high = ([axes.point(*at) for at in enumerate(ends)] for ends in series.band.T)
        color = p.mixed(self.theme.color("panel"), series.color, 0.3)
        color.setAlphaF(0.6)
        chart.draw_band(painter, high, low, color)

    def _paint_cursor(self, painter: QPainter, axes: PaintedAxes) -> None:
        x, accent = axes.x(self._window), self.theme.color("accent")
        chart.draw_upright(painter, axes, self._window, QPen(accent, 2))
        painter.setBrush(accent)
        tip = self.plot.bottom() + 1
        painter.drawPolygon(
            QPolygonF([QPointF(x, tip - 5), QPointF(x - 5, tip + 4), QPointF(x + 5, tip + 4)])
        )
        for series in self.series[:3]:
            value = float(series.values[WINDOWS.index(self._window)])
            painter.setPen(QPen(accent, 1.5))
            painter.setBrush(series.color)
            painter.drawEllipse(axes.point(self._window, value), 4.5, 4.5)

    def _paint_table(self, painter: QPainter) -> None:
        plot, font = self.plot, painter.font()
        line = p.text_height(font) + 6
        left, right = plot.right() + 20, self.width() - p.PAD
        painter.setFont(p.scaled(font, bold=True))
        painter.setPen(self.theme.color("text"))
        head = QRectF(left, plot.top() - 4, right - left, line)
        painter.drawText(head, p.LEFT, f"At w = {self._window}")
        painter.setFont(font)
        for row, series in enumerate(self.series, start=1):
            cell = head.translated(0, row * line)
            y = cell.center().y()
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(series.color, 1.8, series.line))
            painter.drawLine(QPointF(left, y), QPointF(left + _LINE, y))
            draw_marker(painter, series, QPointF(left + _LINE / 2, y))
            painter.setPen(self.theme.color("text"))
            painter.drawText(cell.adjusted(_LINE + 8, 0, 0, 0), p.LEFT, series.name)
            painter.drawText(cell, p.RIGHT, series.text_at(self._window))


def paint_curve(painter: QPainter, series: Series, axes: PaintedAxes) -> None:
    """Draw a curve with its markers, as far as it is known."""
    known = [k for k, value in enumerate(series.values) if not math.isnan(value)]
    points = [axes.point(WINDOWS[k], float(series.values[k])) for k in known]
    chart.draw_line(painter, points, QPen(series.color, 1.8, series.line))
    for point in points:
        draw_marker(painter, series, point)


def draw_marker(painter: QPainter, series: Series, at: QPointF) -> None:
    """Draw a curve's marker."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(series.color)
    r = _RADIUS
    if series.marker == "circle":
        painter.drawEllipse(at, r, r)
    elif series.marker == "square":
        painter.drawRect(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r))
    elif series.marker == "triangle":
        corners = [QPointF(0, -1.3 * r), QPointF(1.2 * r, r), QPointF(-1.2 * r, r)]
        painter.drawPolygon(QPolygonF([at + corner for corner in corners]))
