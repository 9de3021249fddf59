"""The trace: measures of a field over its sweeps."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from PyQt6.QtCore import QPointF, QRectF, QSize, Qt
from PyQt6.QtGui import QPainter, QPen

from latviz.app.widgets import chart
from latviz.app.widgets import painting as p
from latviz.app.widgets.chart import PaintedAxes
from latviz.app.widgets.painting import Painted
from latviz.core import digits
from latviz.engine.geometry.axes import ticks
from latviz.wings.bench.sweeps import Measure

KEPT = 600
"""Sweeps that are drawn, the last ones."""
_LEFT, _RIGHT, _GAP = 46.0, 10.0, 8.0
_FLAT = 1e-6
_WAITING = "The curves appear with the first sweeps."


class Trace(Painted):
    """Draws the share of like neighbours, and below it the energy, over the last sweeps."""

    def __init__(self) -> None:
        super().__init__()
        self.measures: deque[Measure] = deque(maxlen=KEPT)
        self._chance = 0.5
        self.setAccessibleName("Equal neighbours and energy over the sweeps")
        self.setMinimumSize(180, 120)
        self.setToolTip(
            "Equal neighbours: the share of adjacent pairs in one state; dashed: for random "
            "states.\nEnergy: the mean of −log potential over adjacent pairs, times the strength, "
            "in nats."
        )

    def sizeHint(self) -> QSize:
        """Return the size it has by default."""
        return QSize(300, 220)

    def add(self, measures: Iterable[Measure], n_states: int) -> None:
        """Draw more sweeps; number 0 starts a new trace."""
        for measure in measures:
            if measure.sweeps == 0:
                self.measures.clear()
            self.measures.append(measure)
        self._chance = 1 / n_states
        self.setAccessibleDescription(self.in_words())
        self.update()

    def in_words(self) -> str:
        """Return the last measures."""
        if not self.measures:
            return _WAITING
        last = self.measures[-1]
        return (
            f"After {last.sweeps} sweep{'s' * (last.sweeps != 1)}, {digits.share(last.like)} of "
            f"the neighbours are equal; the energy is {digits.bits(last.energy)} nats per pair."
        )

    def paint_all(self, painter: QPainter) -> None:
        """Paint both curves, each with the last value in its title, and the sweeps below."""
        painter.setFont(p.scaled(self.font()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.measures:
            painter.setPen(self.theme.color("muted"))
            painter.drawText(QRectF(self.rect()), p.CENTER, _WAITING)
            return
        line, last = p.text_height(painter.font()), self.measures[-1]
        high = (self.height() - 3 * line - 2 * _GAP - 6) / 2
        top = QRectF(_LEFT, line + 4, self.width() - _LEFT - _RIGHT, high)
        below = top.translated(0, high + line + _GAP + 4)
        likes = [measure.like for measure in self.measures]
        self._paint_curve(
            painter, top, likes, (0.0, 1.0), "Equal neighbours", digits.share, digits.round_share
        )
        at_random = QPen(self.theme.color("muted"), 1, Qt.PenStyle.DashLine)
        y = self._axes(top, (0.0, 1.0)).y(self._chance)
        painter.setPen(at_random)
        painter.drawLine(QPointF(top.left(), y), QPointF(top.right(), y))
        energies = [measure.energy for measure in self.measures]
        bounds = min(energies), max(energies)
        if bounds[1] - bounds[0] < _FLAT:
            bounds = bounds[0] - 0.5, bounds[1] + 0.5
        self._paint_curve(painter, below, energies, bounds, "Energy, nats per pair", digits.bits)
        painter.setPen(self.theme.color("muted"))
        foot = QRectF(below.left(), below.bottom() + 2, below.width(), line)
        painter.drawText(foot, p.LEFT, str(self.measures[0].sweeps))
        painter.drawText(foot, p.CENTER, "sweeps")
        painter.drawText(foot, p.RIGHT, digits.count(last.sweeps))

    def _axes(self, rect: QRectF, bounds: tuple[float, float]) -> PaintedAxes:
        return PaintedAxes.over(rect, (0.0, max(1, len(self.measures) - 1)), bounds)

    def _paint_curve(
        self,
        painter: QPainter,
        rect: QRectF,
        values: Sequence[float],
        bounds: tuple[float, float],
        title: str,
        text_of: Callable[[float], str],
        tick_of: Callable[[float], str] = digits.plain,
    ) -> None:
        axes, line = self._axes(rect, bounds), p.text_height(painter.font())
        at = ticks(*bounds, most=3)
        rules = [(value, tick_of(value)) for value in at]
        chart.draw_rules(painter, axes, self.theme, rules, (rect.left(), 6.0))
        painter.setPen(self.theme.color("text"))
        head = QRectF(rect.left(), rect.top() - line - 2, rect.width(), line)
        painter.drawText(head, p.LEFT, f"{title}: {text_of(values[-1])}")
        points = [axes.point(k, value) for k, value in enumerate(values)]
        chart.draw_line(painter, points, QPen(self.theme.color("accent"), 1.6))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("accent"))
        painter.drawEllipse(points[-1], 3, 3)
