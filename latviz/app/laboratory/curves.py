"""Error, bias and variance over the windows, and a cursor that sets the window."""

import math

from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
    QResizeEvent,
)

from latviz.app.laboratory.series import Series, scale_of, series_of
from latviz.app.theme import Theme
from latviz.app.timers import once_after
from latviz.app.widgets import chart, keys
from latviz.app.widgets import painting as p
from latviz.app.widgets.chart import Axes
from latviz.app.widgets.painting import Painted
from latviz.engine.laboratory import WINDOWS, Outcome

KEYS = "Left and right arrow keys set w, Home goes to the least error."
WAITING = "The curves come once two copies were decoded with every window."
FADE_AFTER_MS = 150
"""Most experiments have their curves sooner."""
_TEMPLATE = ("… inside regions", "00.0 ± 00.0 %")
_LINE = 26.0
"""Length of a curve's sample in the table."""
_RADIUS = 3.0
_FADED = 0.35


class Curves(Painted):
    """Draws an outcome's curves, and beside them a table of the values at the cursor.

    Signals
    -------
    picked(int)
        The window that a person set: with the mouse, or with the arrow keys.
    """

    picked = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self._window = 0
        self._outcome: Outcome | None = None
        self._faded = False
        self._soon = once_after(FADE_AFTER_MS, self._fade, self)
        self.series: list[Series] = []
        self.plot = QRectF()
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
        """Show what is known now; while it is of one window alone, the last curves soon fade."""
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
        """Put the cursor onto a window."""
        self._window = window
        self._take(self._outcome)

    def _take(self, outcome: Outcome | None) -> None:
        self._outcome = outcome
        if outcome is not None:
            self.series = series_of(outcome, self.theme)
        said = ", ".join(f"{s.name} {s.text_at(self._window)}" for s in self.series)
        best = f" The least error is at w = {outcome.best}." if outcome is not None else ""
        self.setAccessibleDescription(f"At w = {self._window}: {said}.{best} {KEYS}")
        self.update()

    # Where things are

    def _font(self) -> QFont:
        return p.scaled(self.font(), 0.95)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Measure what the curves fill."""
        super().resizeEvent(event)
        self._measure()

    def changeEvent(self, event: QEvent | None) -> None:
        """Measure anew with another font."""
        super().changeEvent(event)
        if event is not None and event.type() == QEvent.Type.FontChange:
            self._measure()

    def _measure(self) -> None:
        font = self._font()
        line = p.text_height(font)
        left = p.PAD + 2 * line + p.text_width(font, "00 %")
        table = p.text_width(p.scaled(font, 1.0, bold=True), "".join(_TEMPLATE)) + _LINE + 36
        room = QRectF(self.rect()).adjusted(left, p.PAD + line, -table - p.PAD, -2.6 * line)
        self.plot = room.adjusted(0, 0, -4, -4)

    def axes(self, top: float = 1.0) -> Axes:
        """Return where shares up to ``top`` are drawn."""
        return Axes(self.plot, WINDOWS[-1], 0.0, top, margin=0.0)

    # The hand

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Put the cursor where the mouse is."""
        self._drag(event)

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Let the cursor follow the mouse."""
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
        elif event.key() == Qt.Key.Key_Home and keys.is_plain(event) and self._outcome is not None:
            self.picked.emit(self._outcome.best)
        else:
            super().keyPressEvent(event)

    def tip_at(self, _position: QPointF) -> str:
        """Return what the curves are."""
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

    def _paint_axes(self, painter: QPainter, axes: Axes, step: float) -> None:
        plot, line = self.plot, p.text_height(painter.font())
        shares = [k * step for k in range(round(axes.high / step) + 1)]
        rules = ((share, f"{round(100 * share)}\N{NO-BREAK SPACE}%") for share in shares)
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

    def _paint_best(self, painter: QPainter, axes: Axes, outcome: Outcome) -> None:
        x, plot = axes.x(outcome.best), self.plot
        line = p.text_height(painter.font())
        good = self.theme.color("good")
        chart.draw_upright(painter, axes, outcome.best, QPen(good, 1.5, Qt.PenStyle.DashDotLine))
        painter.setPen(good)
        text = f"least error: w = {outcome.best}"
        start = max(plot.left(), x - p.text_width(painter.font(), text) / 2)
        painter.drawText(QRectF(start, plot.top() - line - 2, plot.width(), line), p.LEFT, text)

    def _paint_band(self, painter: QPainter, series: Series, axes: Axes) -> None:
        if series.band is None or math.isnan(series.band[0, 0]):
            return
        low, high = ([axes.point(*at) for at in enumerate(ends)] for ends in series.band.T)
        color = p.mixed(self.theme.color("panel"), series.color, 0.3)
        color.setAlphaF(0.6)
        chart.draw_band(painter, high, low, color)

    def _paint_cursor(self, painter: QPainter, axes: Axes) -> None:
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
        painter.setFont(p.scaled(font, 1.0, bold=True))
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


def paint_curve(painter: QPainter, series: Series, axes: Axes) -> None:
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
