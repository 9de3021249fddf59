"""The rows of the view of emissions: layout, texts and drawing."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, QSizeF, Qt
from PyQt6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from latviz.app.look.theme import Theme
from latviz.app.widgets import painting as p
from latviz.app.widgets.accessible_text import symbol_name
from latviz.core import digits
from latviz.core.types import Matrix
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection

LEAST_ROW = 15
_MOST_ROW = 110.0
_FAINT = 0.4
_FEW = 8
"""Symbols whose shares can all be read on one scale, up to 1."""


@dataclass(frozen=True)
class RowLayout:
    """The places of the rows; if not all fit, whole rows are scrolled."""

    rows: QRectF  # the visible rows
    plot: float  # from the left: the start of the plots of bars or means
    step: float  # height of a row
    first: int  # of ``count`` visible rows
    count: int

    @classmethod
    def of(cls, room: QRectF, n: int, plot: float, first: int, least: float) -> "RowLayout":
        """Return the layout of N rows in a room, from the row ``first`` if not all fit.

        No row is lower than ``least``.
        """
        count = min(n, max(1, int(room.height() // max(least, LEAST_ROW))))
        step = min(_MOST_ROW, math.floor(room.height() / count))
        rows = QRectF(room.left(), room.top(), room.width(), count * step)
        return cls(rows, plot, step, min(first, n - count), count)

    @property
    def visible(self) -> range:
        """The states whose rows are seen."""
        return range(self.first, self.first + self.count)

    def row(self, state: int) -> QRectF:
        """Return the row of a state."""
        top = self.rows.top() + (state - self.first) * self.step
        return QRectF(self.rows.left(), top, self.rows.width(), self.step)

    def plot_of(self, state: int) -> QRectF:
        """Return the rectangle of a state's bars or means."""
        return self.row(state).adjusted(self.plot, 3, -1, -2)

    def cell_at(self, position: QPointF, n_columns: int) -> tuple[int, int | None] | None:
        """Return the state at a position and which column of its plot, if any."""
        if not self.rows.contains(position):
            return None
        row = int((position.y() - self.rows.top()) / self.step)
        state = self.first + min(row, self.count - 1)
        plot = self.plot_of(state)
        across = (position.x() - plot.left()) / plot.width()
        return state, int(across * n_columns) if 0 <= across < 1 else None


def top_of(B: Matrix) -> float:
    """Return the share that a full bar stands for: 1, or of many symbols 0.5, 0.2, 0.1, ..."""
    # It never depends on the pixel, so that bars of two pixels can be compared
    largest, top = float(B.max()) if B.shape[1] > _FEW else 1.0, 1.0
    while largest <= (lower := _next_lower(top)):
        top = lower
    return top


def _next_lower(top: float) -> float:
    leading = f"{top:.0e}"[0]
    return round(top * (0.4 if leading == "5" else 0.5), 12)


def share_text(frame: Frame, state: int) -> str:
    """Return the share of pixels in a state, or "empty"."""
    count = int(frame.occupancy[state])
    return digits.share(count, frame.n_nodes) if count else "empty"


def state_tip(frame: Frame, state: int) -> str:
    """Return the number of pixels in a state."""
    count = int(frame.occupancy[state])
    share = digits.share(count, frame.n_nodes)
    all_ = digits.count(frame.n_nodes)
    nodes = f"{frame.request.picture.node_name}s"
    return f"{frame.titled(state)}: {digits.count(count)} of {all_} {nodes} ({share})"


def symbol_tip(frame: Frame, state: int, symbol: int, inspection: Inspection | None) -> str:
    """Return a symbol's probability in a state, and its share of the inspected window."""
    name, value = (
        symbol_name(frame, symbol),
        digits.probability(float(frame.codebook[state, symbol])),
    )
    text = f"{frame.titled(state)}, {name}: {value}"
    if inspection is None or inspection.state != state:
        return text
    seen = digits.probability(float(inspection.signature[symbol]))
    return f"{text}\nIn the inspected window: {seen}"


def channel_tip(frame: Frame, state: int, channel: int) -> str:
    """Return a channel's mean and standard deviation in a state."""
    channels, name = Channels.of(frame), frame.observations.names[channel]
    mean = digits.measure(float(channels.means[state, channel]))
    deviation = digits.measure(float(channels.deviations[state, channel]))
    return f"{frame.titled(state)}, {name}: mean {mean}, standard deviation {deviation}"


def ridge_text(ridge: float) -> str:
    """Return the footnote on a singular covariance, or nothing."""
    added = digits.measure(ridge)
    return f"Singular covariances: {added} added to their diagonal" if ridge > 0 else ""


@dataclass(frozen=True)
class Channels:
    """Means and standard deviations (N, M), and the range of each channel over the states (M,).

    All are in the channels' own units.
    """

    means: Matrix
    deviations: Matrix
    low: Matrix
    high: Matrix

    @classmethod
    def of(cls, frame: Frame) -> "Channels":
        """Return those of a frame's Gaussian model."""
        model: Any = frame.model
        own = frame.observations.in_own_units
        means = own(model.means)
        deviations = own(np.sqrt(np.diagonal(model.covariances, axis1=1, axis2=2)))
        low, high = (means - deviations).min(axis=0), (means + deviations).max(axis=0)
        flat = np.where(high > low, 0.0, 1.0)
        return cls(means, deviations, low - flat, high + flat)

    def span(self, state: int, channel: int) -> tuple[float, float, float]:
        """Return the places of mean - deviation, mean, and mean + deviation."""
        mean, deviation = self.means[state, channel], self.deviations[state, channel]
        low, extent = self.low[channel], self.high[channel] - self.low[channel]
        low_at, at, high_at = ((mean + k * deviation - low) / extent for k in (-1, 0, 1))
        return float(low_at), float(at), float(high_at)

    def decimals(self, channel: int) -> int:
        """Return the number of decimals for three digits of the channel's range."""
        extent = float(self.high[channel] - self.low[channel])
        return min(6, max(0, 3 - math.ceil(math.log10(extent))))

    def text(self, value: float, channel: int) -> str:
        """Return a value of a channel, to the channel's decimals."""
        return digits.signed(float(value), self.decimals(channel))

    def ends(self) -> list[tuple[str, str]]:
        """Return the ends of the channels' ranges."""
        pairs = enumerate(zip(self.low, self.high, strict=True))
        return [(self.text(low, k), self.text(high, k)) for k, (low, high) in pairs]


def written_means(channels: Channels, font: QFont, cell: QSizeF) -> list[list[str]]:
    """Return the means (N, M) as texts if all fit into cells of a size; else empty texts."""
    texts = [[channels.text(mean, k) for k, mean in enumerate(row)] for row in channels.means]
    widest = max(p.text_width(font, text) for row in texts for text in row)
    if widest + 6 <= cell.width() and p.text_height(font) + 12 <= cell.height():
        return texts
    return [[""] * len(row) for row in texts]


def column_edges(plot: QRectF, n_columns: int) -> list[int]:
    """Return the left edges of columns, and the right edge of the last, in whole pixels."""
    return [round(plot.left() + k * plot.width() / n_columns) for k in range(n_columns + 1)]


def draw_bars(
    painter: QPainter, plot: QRectF, values: Matrix, top: float, color: QColor, theme: Theme
) -> None:
    """Draw one bar a symbol, a full one for ``top``, on a base line."""
    edges = column_edges(plot, len(values))
    gap = 1 if plot.width() / len(values) >= 4 else 0
    heights = np.rint(values / top * plot.height())
    bottom = plot.bottom()
    bars = [
        QRectF(left, bottom - height, right - left - gap, height)
        for left, right, height in zip(edges[:-1], edges[1:], heights.tolist(), strict=True)
        if height > 0
    ]
    edge = p.outline(color, theme)
    for bar in bars:
        painter.fillRect(bar, edge)
        if edge is not color:
            painter.fillRect(bar.adjusted(gap, 1, -gap, 0), color)
    painter.fillRect(QRectF(plot.left(), bottom, plot.width(), 1), theme.color("line"))


def draw_signature(
    painter: QPainter, plot: QRectF, inspection: Inspection, top: float, theme: Theme
) -> None:
    """Draw the inspected signature as a stepped line, and a pointer on the observed symbol."""
    values = inspection.signature
    edges = column_edges(plot, len(values))
    line = QPolygonF()
    for left, right, value in zip(edges[:-1], edges[1:], values.tolist(), strict=True):
        y = round(plot.bottom() - min(1.0, value / top) * plot.height()) + 0.5
        line.append(QPointF(left + 0.5, y))
        line.append(QPointF(right + 0.5, y))
    for color, width in ((theme.color("panel"), 3.0), (theme.color("text"), 1.0)):
        painter.setPen(QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawPolyline(line)
    symbol = int(inspection.observation)
    x, y = (edges[symbol] + edges[symbol + 1]) / 2, plot.top() - 2
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("panel"), 1))
    painter.setBrush(theme.color("text"))
    painter.drawPolygon(QPolygonF([QPointF(x - 5, y), QPointF(x + 5, y), QPointF(x, y + 7)]))
    painter.restore()


def draw_mean(
    painter: QPainter,
    cell: QRectF,
    span: tuple[float, float, float],
    text: str,
    color: QColor,
    theme: Theme,
) -> None:
    """Draw a mean as a dot, one deviation either way as a bar, and its value, if any.

    ``span`` holds the places, from 0 to 1, of the mean less a deviation, itself, and more.
    """
    line, long = p.text_height(painter.font()), p.text_width(painter.font(), text)
    inner = cell.adjusted(3, 0, -3, 0)
    scale = cell.adjusted(5, line if text else 0, -5, 0)
    y, size = round(scale.center().y()), min(9.0, cell.height() - 4)
    low, x, high = (scale.left() + at * scale.width() for at in span)
    painter.fillRect(QRectF(scale.left(), y, scale.width(), 1), theme.color("line"))
    if text:
        left = min(max(inner.left(), x - long / 2), inner.right() - long)
        painter.setPen(theme.color("text"))
        painter.drawText(QRectF(left, y - 4 - line, long + 1, line), p.LEFT, text)
    edge = p.outline(color, theme)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(edge, 1))
    painter.setBrush(p.mixed(theme.color("panel"), color, _FAINT))
    painter.drawRoundedRect(QRectF(low, y - size / 3 + 0.5, high - low, size / 1.5), 2, 2)
    painter.setPen(QPen(theme.color("panel"), 1))
    painter.setBrush(edge)
    painter.drawEllipse(QPointF(x, y + 0.5), size / 2, size / 2)
    painter.restore()
