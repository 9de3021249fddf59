"""The emissions of each state: probabilities of symbols, or means and deviations of channels."""

import math
from itertools import pairwise

import numpy as np
from PyQt6.QtCore import QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PyQt6.QtGui import QColor, QFont, QPainter, QPen, QResizeEvent, QWheelEvent
from PyQt6.QtWidgets import QScrollBar, QToolTip, QWidget

from latviz.app.look.theme import to_colors
from latviz.app.views.emissions import rows
from latviz.app.views.painted import PointedPart, PointedView
from latviz.app.widgets import accessible_text as words
from latviz.app.widgets import painting as p
from latviz.app.widgets.shortcuts import keyed
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import Selection, SymbolSelection, index_of

_CHIP = 7.0
_AXIS = -1


class EmissionsView(PointedView):
    """One row a state: its share of pixels, and its bars or means.

    The window title is "Symbols by state" or "Means and covariances", as the frame is.
    """

    TITLE = "Symbols by state"
    SIZE = (270, 300)
    GAUSSIAN_TITLE = "Means and covariances"
    KEYS = keyed("Arrow keys move over the states and their bars; `Enter` highlights.")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turned = 0.0
        self._bar = QScrollBar(Qt.Orientation.Vertical, self)
        self._bar.setAccessibleName("Scroll the states")
        self._bar.hide()
        self._bar.valueChanged.connect(self._scrolled)
        self.setWindowTitle(self.TITLE)

    def figure_size(self) -> QSize:
        """Return a size in which there is room for all rows."""
        if self.frame is None:
            return self.size()
        layout, line = self.rows_layout(self.frame, scrolls=False), p.text_height(self._font())
        left_out = len(self.frame.occupancy) - layout.count
        more = left_out * max(math.ceil(line), rows.LEAST_ROW)
        return self.size() + QSize(0, more + math.ceil(line) if left_out else 0)

    def draw_frame(self) -> None:
        """Repaint, under the title that fits."""
        if self.frame is not None:
            discrete = self.frame.observations.discrete
            title = self.TITLE if discrete else self.GAUSSIAN_TITLE
            self.setWindowTitle(title)
            self.setAccessibleName(title)
            self._fit_bar(self.frame)
        super().draw_frame()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Keep the scroll bar at the right."""
        super().resizeEvent(event)
        if self.frame is not None:
            self._fit_bar(self.frame)

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Scroll the rows, if there are more than fit."""
        if event is None or self._bar.isHidden():
            super().wheelEvent(event)
            return
        self._turned += event.angleDelta().y() / 40
        rows_up = int(self._turned)
        self._turned -= rows_up
        self._bar.setValue(self._bar.value() - rows_up)
        event.accept()

    def spot_at(self, frame: Frame, position: QPointF) -> PointedPart | None:
        """Return the state and symbol or channel at a position, or a symbol of the axis."""
        layout, n_columns = self.rows_layout(frame), frame.observations.n_symbols
        cell = layout.cell_at(position, n_columns)
        if cell is not None:
            return PointedPart(*cell)
        axis = self.axis(layout)
        if not frame.observations.discrete or not axis.contains(position):
            return None
        return PointedPart(_AXIS, int((position.x() - axis.left()) * n_columns / axis.width()))

    def stepped(self, frame: Frame, spot: PointedPart | None, right: int, down: int) -> PointedPart:
        """Return the next bar, or left of the first one its state."""
        if spot is None:
            return PointedPart(self.rows_layout(frame).first)
        last, columns = len(frame.occupancy) - 1, frame.observations.n_symbols
        state = min(max(spot.state + down, 0), last)
        item = min((-1 if spot.item is None else spot.item) + right, columns - 1)
        return PointedPart(state, item if item >= 0 else None)

    def reveal(self, frame: Frame, spot: PointedPart) -> None:
        """Scroll to the row, and show its tool tip below it."""
        first, count = self._bar.value(), self.rows_layout(frame).count
        self._bar.setValue(min(max(first, spot.state - count + 1), spot.state))
        plot = self.rows_layout(frame).plot_of(spot.state)
        below = self.mapToGlobal(plot.bottomLeft().toPoint())
        QToolTip.showText(below, self.tool_tip(frame, spot), self)

    def in_words(self, frame: Frame) -> str:
        """Return each state's share and its most frequent emission."""
        return words.emissions(frame)

    def tool_tip(self, frame: Frame, spot: PointedPart) -> str:
        """Return the exact value, or the number of pixels."""
        if spot.item is None:
            return rows.state_tip(frame, spot.state)
        if spot.state == _AXIS:
            return words.symbol_name(frame, spot.item).capitalize()
        if frame.observations.discrete:
            return rows.symbol_tip(frame, spot.state, spot.item, self.inspection)
        return rows.channel_tip(frame, spot.state, spot.item)

    def symbol(self, frame: Frame, spot: PointedPart) -> int | None:
        """Return the symbol of a bar, or of the axis."""
        return spot.item if frame.observations.discrete else None

    def selection(self, frame: Frame, spot: PointedPart) -> Selection | None:
        """Return a state's pixels of a symbol, or the state."""
        if spot.item is None or spot.state == _AXIS or not frame.observations.discrete:
            return super().selection(frame, spot)
        return SymbolSelection(frame.slots[spot.state], spot.item)

    def changed(self, before: Frame, frame: Frame) -> QRect:
        """Return the states' shares if the symbols' probabilities are the same."""
        same = frame.observations is before.observations and frame.observations.discrete
        if same and frame.has_look_of(before) and np.array_equal(frame.codebook, before.codebook):
            return self._heads(self.rows_layout(frame))
        return super().changed(before, frame)

    def _heads(self, layout: rows.RowLayout) -> QRect:
        """Return the rectangle of the states' swatches and shares."""
        heads = QRectF(layout.rows)
        heads.setRight(layout.plot_of(layout.first).left())
        return heads.toRect()

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """Paint the visible rows, and the parts above and below them."""
        layout = self.rows_layout(frame)
        painter.setFont(self._font())
        for state, color in zip(layout.visible, self.colors()[layout.first :], strict=False):
            self._paint_head(painter, frame, layout.row(state), state, color)
        shows_plots = not self._heads(layout).contains(self.area)
        if shows_plots and frame.observations.discrete:
            self._paint_symbols(painter, frame, layout)
        elif shows_plots:
            self._paint_channels(painter, frame, layout)
        if self.chosen is not None:
            self._outline(painter, layout, self.chosen, self.theme.pen("text", 1))
        if shows_plots:
            self._outline_bars(painter, frame, layout)
        if shows_plots and frame.observations.discrete:
            self._paint_axis(painter, frame, layout)
        elif shows_plots:
            self._paint_ranges(painter, frame, layout)

    def _font(self) -> QFont:
        return p.scaled(self.font())

    def _swatch_width(self, frame: Frame) -> float:
        return p.text_width(self._font(), "8" * len(str(len(frame.occupancy)))) + 9

    def _share_width(self) -> float:
        return p.text_width(self._font(), "<99.9\N{NO-BREAK SPACE}%") + 6

    def rows_layout(self, frame: Frame, *, scrolls: bool | None = None) -> rows.RowLayout:
        """Return the layout of a frame's rows, with the scroll bar as is or as given."""
        if scrolls is None:
            scrolls = not self._bar.isHidden()
        right = self._bar.sizeHint().width() + 4.0 if scrolls else p.PAD
        line = p.text_height(self._font())
        discrete = frame.observations.discrete
        above = 0.0 if discrete else line + 3
        below = 4 + line + (_CHIP + 2 if discrete else line if self._ridge(frame) else 0.0)
        room = QRectF(self.rect()).adjusted(p.PAD, p.PAD + above, -right, -4 - below)
        plot = self._swatch_width(frame) + self._share_width() + 8
        first = self._bar.value() if scrolls else 0
        return rows.RowLayout.of(room, len(frame.occupancy), plot, first, line)

    def _fit_bar(self, frame: Frame) -> None:
        layout, n = self.rows_layout(frame, scrolls=False), len(frame.occupancy)
        self._bar.setVisible(layout.count < n)
        width, area = self._bar.sizeHint().width(), layout.rows.toRect()
        self._bar.setGeometry(self.width() - width, area.top(), width, area.height())
        self._bar.setRange(0, n - layout.count)
        self._bar.setPageStep(layout.count)

    def _scrolled(self) -> None:
        self.follow()
        self.update()

    def _paint_head(
        self, painter: QPainter, frame: Frame, row: QRectF, state: int, color: QColor
    ) -> None:
        empty = frame.occupancy[state] == 0
        if self.inspection is not None and self.inspection.state == state:
            painter.fillRect(row, self.theme.color("raised"))
            mark = QRectF(row.left() - 1, row.top(), 3, row.height())
            painter.fillRect(mark, self.theme.color("accent"))
        width, height = self._swatch_width(frame), p.text_height(painter.font()) + 4
        height = min(row.height() - 2, height)
        top = round(row.center().y() - height / 2)
        swatch = QRectF(row.left() + 4, top, width - 4, height)
        p.draw_swatch(painter, swatch, color, str(state + 1), self.theme, hollow=empty)
        share = QRectF(row.left() + width, row.top(), self._share_width(), row.height())
        painter.setPen(self.theme.color("muted" if empty else "text"))
        painter.drawText(share, p.RIGHT, rows.share_text(frame, state))

    def _paint_symbols(self, painter: QPainter, frame: Frame, layout: rows.RowLayout) -> None:
        B, top, colors = frame.codebook, rows.top_of(frame.codebook), self._row_colors(frame)
        for state in layout.visible:
            plot, color = layout.plot_of(state), colors[state]
            rows.draw_bars(painter, plot, B[state], top, color, self.theme)
        seen = self.inspection
        if seen is not None and seen.state in layout.visible:
            rows.draw_signature(painter, layout.plot_of(seen.state), seen, top, self.theme)

    def _paint_channels(self, painter: QPainter, frame: Frame, layout: rows.RowLayout) -> None:
        channels, room = rows.Channels.of(frame), layout.plot_of(layout.first)
        size = QSizeF(room.width() // len(channels.low), room.height())
        colors = self._row_colors(frame)
        texts = rows.written_means(channels, painter.font(), size)
        for state in layout.visible:
            plot, color = layout.plot_of(state), colors[state]
            edges = rows.column_edges(plot, len(channels.low))
            for channel, (left, right) in enumerate(pairwise(edges)):
                cell = QRectF(left, plot.top(), right - left, plot.height())
                span, text = channels.span(state, channel), texts[state][channel]
                rows.draw_mean(painter, cell, span, text, color, self.theme)

    def _row_colors(self, frame: Frame) -> list[QColor]:
        """Return the states' colours, pale for empty states."""
        panel = self.theme.color("panel")
        pairs = zip(self.colors(), frame.occupancy.tolist(), strict=True)
        return [color if count else p.mixed(panel, color, 0.35) for color, count in pairs]

    def axis(self, layout: rows.RowLayout) -> QRectF:
        """Return the rectangle of the symbols' chips."""
        plot = layout.plot_of(layout.first)
        return QRectF(plot.left(), layout.rows.bottom() + 3, plot.width(), _CHIP)

    def _paint_axis(self, painter: QPainter, frame: Frame, layout: rows.RowLayout) -> None:
        axis, names = self.axis(layout), frame.observations.names
        edges = rows.column_edges(axis, len(names))
        gap = 1 if axis.width() / len(names) >= 4 else 0
        for color, (left, right) in zip(
            to_colors(frame.observations.colors), pairwise(edges), strict=True
        ):
            chip = QRectF(left, axis.top(), right - left - gap, _CHIP)
            painter.fillRect(chip, p.outline(color, self.theme))
            painter.fillRect(chip.adjusted(gap, 1, -gap, -1), color)
        font = self._font()
        line = QRectF(axis.left(), axis.bottom() + 2, axis.width(), p.text_height(font))
        painter.setPen(self.theme.color("muted"))
        p.draw_columns(painter, line, names, font)
        painter.setFont(font)
        top = digits.plain(rows.top_of(frame.codebook))
        room = QRectF(p.PAD, axis.top() - 3, layout.plot - 8, _CHIP + 6)
        painter.drawText(
            room, p.RIGHT, p.fitting(font, room.width(), f"full bar {top}", f"≤ {top}")
        )

    def _paint_ranges(self, painter: QPainter, frame: Frame, layout: rows.RowLayout) -> None:
        channels, plot = rows.Channels.of(frame), layout.plot_of(layout.first)
        names, font, line = frame.observations.names, self._font(), p.text_height(self._font())
        below, edges = layout.rows.bottom() + 4, rows.column_edges(plot, len(names))
        for name, (left, right) in zip(names, pairwise(edges), strict=True):
            head = QRectF(left, p.PAD, right - left, line)
            painter.setPen(self.theme.color("text"))
            painter.drawText(head, p.CENTER, p.fitting(painter.font(), head.width() - 4, name))
        painter.setPen(self.theme.color("muted"))
        ends = [QRectF(left + 4, below, right - left - 8, line) for left, right in pairwise(edges)]
        p.draw_ends(painter, ends, channels.ends(), font)
        note = rows.ridge_text(self._ridge(frame))
        if note:
            room = QRectF(p.PAD, below + line, self.width() - 2 * p.PAD, line)
            painter.setFont(font)
            painter.drawText(room, p.LEFT, p.fitting(font, room.width(), note))

    def _outline(self, painter: QPainter, layout: rows.RowLayout, state: int, pen: QPen) -> None:
        if state in layout.visible:
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(layout.row(state).adjusted(0, 0, -1, -1))

    def _outline_bars(self, painter: QPainter, frame: Frame, layout: rows.RowLayout) -> None:
        """Outline the bar whose pixels are highlighted, and the one reached by arrow keys."""
        n_symbols = frame.observations.n_symbols
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for spot, color in ((self._picked_bar(frame), "accent"), (self._by_keys, "text")):
            if spot is None or spot.item is None or spot.state not in layout.visible:
                continue
            if spot.item < n_symbols:
                plot = layout.plot_of(spot.state)
                edges = rows.column_edges(plot, n_symbols)
                left, right = edges[spot.item], edges[spot.item + 1]
                painter.setPen(self.theme.pen(color, 2))
                painter.drawRect(QRectF(left, plot.top(), right - left, plot.height()))

    def _picked_bar(self, frame: Frame) -> PointedPart | None:
        picked = self.state.selection
        state = index_of(frame.slots, picked.slot) if isinstance(picked, SymbolSelection) else None
        if state is None or not isinstance(picked, SymbolSelection):
            return None
        return PointedPart(state, picked.symbol)

    def _ridge(self, frame: Frame) -> float:
        return float(getattr(frame.model, "ridge", 0.0))
