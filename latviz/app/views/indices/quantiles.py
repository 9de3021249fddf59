"""The quantiles of the numbers in each state against those of its normal law."""

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from PyQt6.QtCore import QRectF, QSize
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import QSizePolicy, QWidget

from latviz.app.look.theme import to_colors
from latviz.app.widgets import painting as p
from latviz.app.widgets.chart import PaintedAxes, draw_line, draw_rules
from latviz.core import digits
from latviz.core.model.law import LawQuantiles
from latviz.engine.frames.frame import Frame

_REACH = 4.0
"""Standard deviations that are drawn, on both sides of the mean."""
_RULES = (-3.0, 0.0, 3.0)
_LINES, _DOT = 11, 4.0
"""Height in lines of text, and radius of the mark in pixels."""


def worst(found: Sequence[LawQuantiles]) -> LawQuantiles | None:
    """Return the quantiles that are furthest from their law; None without any."""
    return max(found, key=lambda one: one.distance, default=None)


def described(frame: Frame, found: Sequence[LawQuantiles] | None) -> tuple[str, ...]:
    """Return a sentence on the largest distance from a law, and shorter ones."""
    one = worst(found or ())
    if one is None:
        return ("No state of 400 pixels claims a normal law." if found == () else "Computing…",)
    normal, place = NormalDist(), one.place
    share = digits.share(normal.cdf(float(one.claimed[place])))
    claimed = digits.share(normal.cdf(float(one.observed[place])))
    value = digits.signed(float(one.observed[place]), 1)
    channel = frame.observations.names[one.channel]
    state = frame.titled(one.state)
    return (
        f"{state}, {channel}: {share} of the pixels are below {value} standard deviations, "
        f"by the law {claimed}.",
        f"{state}, {channel}: {share} below {value}, law {claimed}",
        f"{frame.label(one.state)}: {share} below {value}, law {claimed}",
    )


class QuantilePlot(p.Painted):
    """A line for each state, a diagonal, and a mark at the largest distance from a law."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._frame: Frame | None = None
        self._found: tuple[LawQuantiles, ...] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return a size of some lines of text."""
        return QSize(p.LEAST, round(_LINES * p.text_height(self.font())))

    minimumSizeHint = sizeHint

    def show_quantiles(self, frame: Frame) -> None:
        """Show the quantiles of a frame; of one without any, that they are being computed."""
        self._frame, self._found = frame, frame.law_quantiles
        self.setToolTip(
            "Numbers in each state (up) against its normal law (across), in standard deviations. "
            "On the diagonal they follow the law. " + described(frame, self._found)[0]
        )
        self.update()

    def paint_all(self, painter: QPainter) -> None:
        """Paint the lines."""
        if self._frame is None:
            return
        font = p.scaled(self.font())
        painter.setFont(font)
        line, left = p.text_height(font), p.text_width(font, "−3") + p.PAD
        painter.setPen(self.theme.color("muted"))
        text = p.fitting(font, self.width(), *described(self._frame, self._found))
        painter.drawText(QRectF(0.0, 0.0, self.width(), line), p.LEFT, text)
        rect = QRectF(left, line + 4, self.width() - left - 1, self.height() - 2 * line - 6)
        axes = PaintedAxes.over(rect, (-_REACH, _REACH), (-_REACH, _REACH))
        rules = [(value, digits.signed(value, 0)) for value in _RULES]
        draw_rules(painter, axes, self.theme, rules, (left, p.PAD / 2))
        below = QRectF(rect.left(), rect.bottom(), rect.width(), line)
        ticks = [(axes.share(value), (text,)) for value, text in rules]
        p.draw_ticks(painter, below, ticks, font)
        painter.save()
        painter.setClipRect(rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw(painter, axes, self._frame)
        painter.restore()

    def _draw(self, painter: QPainter, axes: PaintedAxes, frame: Frame) -> None:
        ends = axes.point(-_REACH, -_REACH), axes.point(_REACH, _REACH)
        draw_line(painter, ends, self.theme.pen("text", 1))
        colors = to_colors(frame.colors)
        for one in self._found or ():
            pen = self.theme.pen("text", 2)
            pen.setColor(p.outline(colors[one.state], self.theme))
            draw_line(painter, [axes.point(x, y) for x, y in _points(one)], pen)
        furthest = worst(self._found or ())
        if furthest is not None:
            x, y = (
                min(max(float(some[furthest.place]), -_REACH), _REACH)
                for some in (furthest.claimed, furthest.observed)
            )
            draw_line(painter, (axes.point(x, y), axes.point(y, y)), self.theme.pen("text", 2))
            painter.setBrush(self.theme.color("panel"))
            painter.drawEllipse(axes.point(x, y), _DOT, _DOT)


def _points(one: LawQuantiles) -> list[tuple[float, float]]:
    """Return the points of a line that are on the chart."""
    both = np.array([one.claimed, one.observed])
    return [(float(x), float(y)) for x, y in both.T[(np.abs(both) <= _REACH).all(axis=0)]]
