"""The histogram of a map of one number per pixel, in the list of layers and in figures."""

import math

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter
from PyQt6.QtWidgets import QWidget

from latviz.app.widgets import keys
from latviz.app.widgets import painting as p
from latviz.app.widgets.painting import Painted
from latviz.app.widgets.shortcuts import keyed
from latviz.core import digits
from latviz.engine.geometry.node_maps import BINS, NodeMap
from latviz.engine.geometry.selection import RangeSelection

LEAST_DRAG = 3
FIRST = BINS // 8
"""Width of the range that a key selects first, in bins."""
NO_COLOURS = np.zeros((256, 3), np.uint8)
_LOG = " · heights on a log scale"
_ENDS: dict[int, int] = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: BINS}


class Histogram(Painted):
    """Pixels by values of a map; a drag selects a range, a click clears it."""

    # Arrow keys move the range, with Shift its upper end; Home and End move it to the ends. Heights
    # are on a log scale, since users look for a few extreme pixels
    brushed = pyqtSignal(object)  # RangeSelection or None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.show_map(None)
        self._picked: RangeSelection | None = None
        self._start: float | None = None
        self.setMinimumHeight(64)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip("Drag over a range to highlight its pixels; click to clear")
        self.setAccessibleDescription(
            keyed("Arrow keys highlight a range and move it, with `Shift` its upper end.")
        )

    def sizeHint(self) -> QSize:
        """Return the size it has in the window by default."""
        return QSize(240, 78)

    def show_map(
        self, shown: NodeMap | None, title: str = "", table: NDArray[np.uint8] = NO_COLOURS
    ) -> None:
        """Show a map's values; ``table`` holds the colours of its range, (256, 3)."""
        self._map, self._title, self._table = shown, title, table
        self.update()

    def show_picked(self, picked: RangeSelection | None) -> None:
        """Mark the highlighted range."""
        self._picked = picked
        self.update()

    def plot(self) -> QRectF:
        """Return the rectangle of the bars."""
        line = p.text_height(self._font())
        return QRectF(self.rect()).adjusted(p.PAD, 4, -p.PAD, -2 * line - 4)

    def value_at(self, x: float) -> float:
        """Return the value that a place stands for."""
        assert self._map is not None
        plot = self.plot()
        share = min(max((x - plot.left()) / plot.width(), 0.0), 1.0)
        return self._map.low + share * (self._map.high - self._map.low)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Begin a range."""
        if event is not None and event.button() == Qt.MouseButton.LeftButton and self._map:
            self._start = event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Highlight the range between press and pointer."""
        if event is None or self._start is None or self._map is None:
            return
        ends = sorted((self._start, event.position().x()))
        if ends[1] - ends[0] >= LEAST_DRAG:
            low, high = (self.value_at(end) for end in ends)
            if ends[0] <= self.plot().left():
                low = -math.inf
            self.brushed.emit(RangeSelection(self._map.kind, low, high))

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """End the range; without a drag, clear the highlight."""
        start, self._start = self._start, None
        if event is None or start is None:
            return
        if abs(event.position().x() - start) < LEAST_DRAG:
            self.brushed.emit(None)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Move the range; without one, begin with the lowest values."""
        moved = None
        if event is not None and self._map is not None:
            moved = self._moved(event, self._map)
        if moved is None:
            super().keyPressEvent(event)
        elif moved != self._picked:
            self.brushed.emit(moved)

    def _moved(self, event: QKeyEvent, shown: NodeMap) -> RangeSelection | None:
        """Return the range that a key leads to; None for other keys."""
        arrow, to_end = keys.arrow(event), _ENDS.get(keys.plain(event))
        if arrow is None and to_end is None:
            return None
        if self._picked is None or self._picked.map != shown.kind:
            first = to_end or 0
            return shown.range_of(max(0, first - FIRST), max(FIRST, first))
        first, last = shown.bins_of(self._picked)
        step = to_end - first if to_end is not None else arrow[0] - arrow[1] if arrow else 0
        if keys.is_shifted(event):
            return shown.range_of(first, min(max(last + step, first + 1), BINS))
        step = min(max(step, -first), BINS - last)
        return shown.range_of(first + step, last + step)

    def paint_all(self, painter: QPainter) -> None:
        """Paint the bars, the highlighted range, and the axis."""
        painter.setFont(self._font())
        if self._map is not None:
            self._paint_bars(painter, self._map)
            self._paint_picked(painter, self._map)
            self._paint_axis(painter, self._map)

    def _font(self) -> QFont:
        return p.scaled(self.font())

    def _paint_bars(self, painter: QPainter, shown: NodeMap) -> None:
        plot, n = self.plot(), len(shown.counts)
        heights = np.log1p(shown.counts) / max(np.log1p(shown.counts.max()), 1e-9) * plot.height()
        edges = plot.left() + plot.width() * np.arange(n + 1) / n
        for k, height in enumerate(heights.tolist()):
            color = p.mixed(self.theme.color("muted"), self._shade(k, n), 0.75)
            bar = QRectF(edges[k], plot.bottom() - height, edges[k + 1] - edges[k] - 0.5, height)
            painter.fillRect(bar, color)
        painter.setPen(self.theme.color("line"))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())

    def _shade(self, k: int, n: int) -> QColor:
        return QColor(*self._table[min(255, 255 * k // max(1, n - 1))].tolist())

    def _paint_picked(self, painter: QPainter, shown: NodeMap) -> None:
        picked, plot = self._picked, self.plot()
        if picked is None or picked.map != shown.kind:
            return
        span = (shown.high - shown.low) or 1.0
        left, right = (
            plot.left() + plot.width() * min(max((end - shown.low) / span, 0.0), 1.0)
            for end in (picked.low, picked.high)
        )
        color = self.theme.color("accent")
        color.setAlpha(60)
        painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), color)
        painter.setPen(self.theme.color("accent"))
        for x in (left, right):
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))

    def _paint_axis(self, painter: QPainter, shown: NodeMap) -> None:
        plot, line = self.plot(), p.text_height(painter.font())
        below = QRectF(plot.left(), plot.bottom() + 2, plot.width(), line)
        painter.setPen(self.theme.color("muted"))
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, digits.measure(shown.low))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, digits.measure(shown.high))
        note = f" · {digits.count(shown.n_infinite)} at −∞" if shown.n_infinite else ""
        title = below.translated(0, line)
        whole = f"{self._title}{note}"
        text = p.fitting(painter.font(), title.width(), f"{whole}{_LOG}", whole, self._title, "")
        painter.drawText(title, Qt.AlignmentFlag.AlignHCenter, text)
