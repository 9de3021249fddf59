"""The state adjacency potential A, as a heat map or a graph."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, pyqtSignal
from PyQt6.QtGui import QFont, QPainter, QPen, QResizeEvent
from PyQt6.QtWidgets import QToolButton, QWidget

from latviz.app.look.theme import legible_on, to_colors
from latviz.app.views.adjacency.graph import GraphStyle, StateGraph, draw_wedge
from latviz.app.views.mark import YOU, Mark
from latviz.app.views.painted import PointedPart, PointedView
from latviz.app.widgets import accessible_text as words
from latviz.app.widgets import painting as p
from latviz.app.widgets.heat import (
    ColorScale,
    draw_border,
    draw_grid,
    draw_scale,
    draw_table,
)
from latviz.app.widgets.shortcuts import keyed
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import PairSelection, Selection, StateSelection, index_of

_BAR = 10.0
_ORDINARY = "0.888"
"""An entry as wide as most: if it fits, wider ones do in brief, so that none is left out."""
_ENTRIES: tuple[tuple[str, Callable[[float], str]], ...] = (
    (_ORDINARY, digits.probability),
    (".888", partial(digits.narrow, decimals=3)),
    (".88", partial(digits.narrow, decimals=2)),
)
"""Formats of entries, each with an entry as wide as most: the first that fits is written."""


def spot_texts(frame: Frame, spot: PointedPart) -> tuple[str, ...]:
    """Return the texts on an entry of A or on a state, longest first."""
    row = spot.state
    if spot.item is None:
        node = frame.request.picture.node_name
        why = "its {node}s have no neighbours" if frame.occupancy[row] else "no {node} is in it"
        paired = "" if frame.pairs[row].any() else f": no pairs, because {why.format(node=node)}"
        return f"{frame.titled(row)}{paired}", frame.titled(row), f"State {row + 1}"
    value = digits.probability(float(frame.model.A[row, spot.item]))
    entry = f"A[{row + 1}, {spot.item + 1}] = {value}"
    count, known = int(frame.pairs[row, spot.item]), known_entry(frame, row, spot.item)
    pairs = f"{digits.count(count)} pair" + ("s" if count != 1 else "")
    truth = "" if known is None else f" · truth {digits.probability(known)}"
    if frame.coupling is not None:
        truth += f" · coupling {digits.probability(float(frame.coupling[row, spot.item]))}"
    return f"{entry} · A' = {pairs}{truth}", f"{entry} · {pairs}{truth}", f"{entry}{truth}", entry


def known_entry(frame: Frame, row: int, column: int) -> float | None:
    """Return the entry of the true states' own A that corresponds to one of A.

    None if true states are unknown, or one of the two has no match.
    """
    if frame.truth is None:
        return None
    one, other = (frame.truth.known_of(frame.slots[k]) for k in (row, column))
    return None if one is None or other is None else float(frame.truth.indices.A[one, other])


_LEGEND = (
    "Row: state of a {node}. Column: state of its neighbour.",
    "Rows: {node}. Columns: neighbour.",
    "{node} × neighbour",
)


def second_entry(frame: Frame, row: int, column: int) -> float | None:
    """Return the entry in brackets: of the true states if known, else of the coupling."""
    if frame.truth is not None:
        return known_entry(frame, row, column)
    return None if frame.coupling is None else float(frame.coupling[row, column])


def _second_legend(second: str) -> tuple[str, ...]:
    """Return the legend with the name of the entries in brackets."""
    return (
        *(f"{text} ({second.capitalize()})" for text in _LEGEND[:2]),
        f"In brackets: the {second}",
        f"({second.capitalize()})",
    )


@dataclass(frozen=True)
class MapLayout:
    """Rectangles of the parts of the map."""

    cells: QRectF
    header: float
    bar: QRectF
    caption: QRectF

    @classmethod
    def of(cls, size: QSize, n: int, line: float, header: float, side: QSizeF) -> "MapLayout":
        """Return the layout of N states with lines, headers and a button of given sizes."""
        # Little room above and below, as three decimals are to fit in a low window
        bottom = size.height() - p.PAD / 2 - line
        wide, high = size.width() - 3 * p.PAD - side.width(), bottom - p.PAD / 2 - 4
        room = QRectF(p.PAD, p.PAD / 2, wide, high)
        least = min(room.width(), room.height())
        header = min(header, max(6.0, round(least / (n + 1))))
        step = (least - header - 3) / n
        step = math.floor(step) if step >= 6 else max(1.0, step)
        extent = n * step
        below = room.top() + header + 3 + extent + 4
        left = room.left() + max(0.0, (room.width() - extent - header - 3) // 2)
        cells = QRectF(left + header + 3, room.top() + header + 3, extent, extent)
        bar_left = cells.right() + p.PAD
        top = room.top() + side.height() + 4 + line // 2
        bar = QRectF(bar_left, top, _BAR, max(line, cells.bottom() - top))
        return cls(cells, header, bar, QRectF(left, below, size.width() - p.PAD - left, line))

    def cell(self, row: int, column: int, n: int) -> QRectF:
        """Return the square of an entry."""
        step = self.cells.width() / n
        x, y = self.cells.left() + column * step, self.cells.top() + row * step
        return QRectF(x, y, step, step)


class AdjacencyView(PointedView):
    """A as a heat map with values where they fit and a colour scale, or as a graph of states."""

    TITLE = "State adjacency A"
    SIZE = (380, 300)
    NEEDS = frozenset({"truth"})
    MARKS = frozenset({"cell"})
    KEYS = keyed(
        "Arrow keys move over the entries, and at the left over the states; `Enter` highlights."
    )

    log_scale_toggled = pyqtSignal(bool)  # True: logarithmic colours

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._graph: tuple[object, StateGraph] | None = None
        self._log = QToolButton(self)
        self._log.setText("log")
        self._log.setCheckable(True)
        self._log.setAccessibleName("Logarithmic colours")
        self._log.setToolTip("Colours, or widths, by the logarithm")
        self._log.clicked.connect(self.log_scale_toggled)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Keep the button in its corner."""
        super().resizeEvent(event)
        self._log.resize(self._log.sizeHint())
        self._log.move(round(self.width() - p.PAD - self._log.width()), round(p.PAD))

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the content of another view, without the button."""
        self._log.hide()
        super().show_as_figure(shown, scale)

    def draw_frame(self) -> None:
        """Repaint, and press the button if colours are logarithmic."""
        self._log.setChecked(self.display.log_scale)
        super().draw_frame()

    def spot_at(self, frame: Frame, position: QPointF) -> PointedPart | None:
        """Return the entry of A, or the state of a header or disc, at a position."""
        if self.display.graph:
            return self.graph(frame).spot_at(position)
        n, layout = len(frame.occupancy), self.map_layout(frame)
        x = position.x() - layout.cells.left()
        y = position.y() - layout.cells.top()
        extent, margin = layout.cells.width(), layout.header + 3
        if not (-margin <= x < extent and -margin <= y < extent):
            return None
        row, column = int(y * n / extent), int(x * n / extent)
        if x >= 0 and y >= 0:
            return PointedPart(row, column)
        if x < 0 and y < 0:
            return None
        return PointedPart(row) if x < 0 else PointedPart(column)

    def stepped(self, frame: Frame, spot: PointedPart | None, right: int, down: int) -> PointedPart:
        """Return the next entry of A, or left of the first one the state of the row."""
        if spot is None:
            return PointedPart(0, 0)
        last, column = len(frame.occupancy) - 1, -1 if spot.item is None else spot.item
        row, column = min(max(spot.state + down, 0), last), min(column + right, last)
        return PointedPart(row, column if column >= 0 else None)

    def in_words(self, frame: Frame) -> str:
        """Return the diagonal of A."""
        return words.adjacency(frame)

    def tool_tip(self, frame: Frame, spot: PointedPart) -> str:
        """Return the entry of A and its number of pairs."""
        text = spot_texts(frame, spot)[0]
        if spot.item != spot.state or self.display.graph:
            return text
        return (
            f"{text}\nClick to highlight the pixels of {frame.called(spot.state)}; click again "
            "for its pairs."
        )

    def selection(self, frame: Frame, spot: PointedPart) -> Selection:
        """Return the pairs of an entry of A, or the state of a header or disc.

        On the heat map's diagonal it is the state, and its pairs once the state is highlighted.
        """
        state = StateSelection(frame.slots[spot.state])
        if spot.item is None:
            return state
        pairs = PairSelection(state.slot, frame.slots[spot.item])
        diagonal = spot.item == spot.state and not self.display.graph
        return state if diagonal and self.state.selection not in (state, pairs) else pairs

    def pick(self, frame: Frame, spot: PointedPart) -> None:
        """Place a requested mark on an entry, or else highlight the entry."""
        if self.free_mark is None:
            super().pick(frame, spot)
        elif spot.item is not None:
            self.placed.emit((spot.state, spot.item))

    def caption(self) -> str:
        """Return the line under the map, as it fits."""
        node = "pixel" if self.frame is None else self.frame.request.picture.node_name
        legend: tuple[str, ...] = _LEGEND
        if self.frame is not None and self._writes_second(self.frame):
            legend = _second_legend("coupling" if self.frame.truth is None else "truth")
        texts = tuple(text.format(node=node) for text in legend)
        if self.frame is not None and self.display.graph:
            texts = self.graph(self.frame).caption()
        if self.frame is not None and self.spot is not None:
            texts = spot_texts(self.frame, self.spot)
        return p.fitting(self._font(), self.width() - 2 * p.PAD, *texts)

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """Paint the map, its headers, highlights and scale, or the graph; and the caption."""
        painter.setFont(self._font())
        if self.display.graph:
            room = self._paint_graph(painter, frame)
        else:
            layout = self.map_layout(frame)
            scale = ColorScale.of(frame.model.A, self.display.log_scale).up_to(1.0)
            self._paint_cells(painter, frame, layout, scale)
            self._paint_headers(painter, frame, layout)
            self._paint_highlights(painter, layout)
            draw_scale(painter, layout.bar, scale, self.theme)
            room = layout.caption
        painter.setPen(self.theme.color("text" if self.spot else "muted"))
        text = self.caption()
        left = min(room.left(), room.right() - p.text_width(painter.font(), text))
        painter.drawText(room.adjusted(left - room.left(), 0, 0, 0), p.LEFT, text)

    def graph(self, frame: Frame) -> StateGraph:
        """Return the frame's graph, in the room that it has."""
        picked, pair = self.state.selection, self._picked_cell()
        slot = picked.slot if isinstance(picked, StateSelection) else None
        state = None if slot is None else index_of(frame.slots, slot)
        edge = None if pair is None or pair.item is None else (pair.state, pair.item)
        key = (frame, self.size(), self.font(), self.display.log_scale, state, edge)
        if self._graph is None or self._graph[0] != key:
            log = self.display.log_scale
            room = self._graph_parts()[0]
            self._graph = key, StateGraph(frame, room, self._font(), log, state, edge)
        return self._graph[1]

    def _graph_parts(self) -> tuple[QRectF, QRectF, QRectF]:
        """Return the rectangles of the graph, its scale of widths and the caption."""
        side, line = self._side(), p.text_height(self._font())
        right, bottom = self.width() - 2 * p.PAD - side.width(), self.height() - p.PAD - line
        room = QRectF(p.PAD, p.PAD, right - p.PAD, bottom - p.PAD - 2)
        top = room.top() + side.height() + 4 + line // 2
        bar = QRectF(right + p.PAD, top, _BAR, max(line, room.bottom() - line / 2 - top))
        return room, bar, QRectF(p.PAD, bottom, self.width() - 2 * p.PAD, line)

    def _paint_graph(self, painter: QPainter, frame: Frame) -> QRectF:
        """Paint the graph and its scale; return the rectangle of the caption."""
        graph, (_, bar, caption) = self.graph(frame), self._graph_parts()
        inspected = None if self.inspection is None else PointedPart(self.inspection.state)
        marks = {
            spot: self.theme.color(color)
            for spot, color in (
                (inspected, "accent"),
                (self._picked_cell(), "accent"),
                (self.spot, "text"),
            )
            if spot is not None
        }
        GraphStyle(painter, self.theme, graph, self.colors(), self.chosen, marks).draw()
        if graph.connected:
            draw_wedge(painter, bar, graph, self.theme)
        return caption

    def _font(self) -> QFont:
        return p.scaled(self.font())

    def map_layout(self, frame: Frame) -> MapLayout:
        """Return the layout of a frame's map."""
        font, n, side = self._font(), len(frame.occupancy), self._side()
        line = p.text_height(font)
        header = p.text_width(font, "8" * len(str(n))) + 8
        layout = MapLayout.of(self.size(), n, line, header, side)
        if not self._numbers_fit(layout, n):
            return MapLayout.of(self.size(), n, line, 8.0, side)
        return layout

    def _side(self) -> QSizeF:
        """Return the width of the scale with its labels, and the height of the parts above it."""
        label = max(p.text_width(self._font(), text) for text in ("10⁻⁴", _ORDINARY))
        if self.is_figure:
            return QSizeF(_BAR + 6 + label, 0)
        return QSizeF(max(_BAR + 6 + label, self._log.width() - p.PAD), self._log.height())

    def _numbers_fit(self, layout: MapLayout, n: int) -> bool:
        """Return True if every state's number fits its swatches."""
        step, widest = layout.cells.width() / n, "8" * len(str(n))
        return p.fits(self._font(), [widest], step - 4, step / 0.85)

    def _paint_cells(
        self, painter: QPainter, frame: Frame, layout: MapLayout, scale: ColorScale
    ) -> None:
        A, n, cells = frame.model.A, len(frame.occupancy), layout.cells
        rgb = self.theme.heat_table()[scale.heat(A)]
        if self.display.log_scale:
            color = p.mixed(self.theme.color("line"), self.theme.color("muted"), 0.15)
            p.draw_hatch(painter, cells, color)
            shown = np.where(A > 0, 255, 0).astype(np.uint8)
            draw_table(painter, cells, np.dstack([rgb, shown]))
        else:
            draw_table(painter, cells, rgb)
        step = cells.width() / n
        if step >= 8:
            draw_grid(painter, cells, n, self.theme.pen("panel", 1))
        draw_border(painter, cells, self.theme.pen("line", 1))
        self._paint_values(painter, frame, layout, rgb.reshape(-1, 3))
        for row in np.flatnonzero(A.sum(axis=1) == 0):
            self._paint_empty_row(painter, layout, int(row), n)

    def _paint_values(
        self, painter: QPainter, frame: Frame, layout: MapLayout, rgb: NDArray[np.uint8]
    ) -> None:
        A, n = frame.model.A, len(frame.occupancy)
        if (written := self._written(frame, layout.cells.width() / n)) is None:
            return
        font, texts, counts = written
        painter.save()
        painter.setFont(font)
        taken, colors = A.sum(axis=1) > 0, to_colors(rgb)
        for k, text in enumerate(texts):
            row, column = divmod(k, n)
            if taken[row]:
                faint = text == "0"
                painter.setPen(self.theme.color("muted") if faint else legible_on(colors[k]))
                cell = layout.cell(row, column, n)
                painter.drawText(cell, p.CENTER, f"{text}\n{counts[k]}" if counts else text)
        painter.restore()

    def _writes_second(self, frame: Frame) -> bool:
        """Return True if the heat map shows entries in brackets under those of A."""
        if self.display.graph:
            return False
        step = self.map_layout(frame).cells.width() / len(frame.slots)
        written = self._written(frame, step)
        return written is not None and bool(written[2])

    def _written(self, frame: Frame, step: float) -> tuple[QFont, list[str], list[str]] | None:
        """Return the font of A's entries, these, and those in brackets; None without room."""
        font = self._font()
        fitting = (number for text, number in _ENTRIES if p.fits(font, [text], step - 3, step))
        if (number := next(fitting, None)) is None:
            return None
        texts = map(number, frame.model.A.ravel().tolist())
        entries = [p.fitting(font, step, text, digits.brief(text)) for text in texts]
        return font, entries, self._second_texts(frame, font, step)

    def _second_texts(self, frame: Frame, font: QFont, step: float) -> list[str]:
        """Return the texts under each entry, in brackets, if they fit."""
        if frame.truth is None and frame.coupling is None:
            return []
        places = [divmod(k, len(frame.slots)) for k in range(len(frame.slots) ** 2)]
        known = [second_entry(frame, *place) for place in places]
        if not p.fits(font, [f"({_ORDINARY})\n"], step - 4, step):
            return []
        texts = ("–" if a is None else f"({digits.probability(a)})" for a in known)
        return [p.fitting(font, step, text, digits.brief(text)) for text in texts]

    def _paint_empty_row(self, painter: QPainter, layout: MapLayout, row: int, n: int) -> None:
        first = layout.cell(row, 0, n)
        band = QRectF(first.left(), first.top(), layout.cells.width(), first.height())
        middle = round(band.center().y())
        painter.setPen(self.theme.pen("muted", 1))
        painter.drawLine(QPointF(band.left() + 2, middle), QPointF(band.right() - 3, middle))
        width = p.text_width(painter.font(), "no pairs") + 8
        if width <= band.width() and p.text_height(painter.font()) <= band.height():
            left, high = round(band.center().x() - width / 2), band.height() - 2
            label = QRectF(left, band.top() + 1, width, high)
            painter.fillRect(label, self.theme.color("panel"))
            painter.drawText(label, p.CENTER, "no pairs")

    def _paint_headers(self, painter: QPainter, frame: Frame, layout: MapLayout) -> None:
        n, margin = len(frame.occupancy), layout.header + 3
        numbered = self._numbers_fit(layout, n)
        painter.save()
        painter.setFont(self._font())
        inset = 1.0 if layout.cells.width() / n >= 8 else 0.0
        for state, color in enumerate(self.colors()):
            cell = layout.cell(state, state, n)
            hollow, text = not frame.occupancy[state], str(state + 1) if numbered else ""
            above = QRectF(cell.left(), layout.cells.top() - margin, cell.width(), layout.header)
            left = QRectF(layout.cells.left() - margin, cell.top(), layout.header, cell.height())
            for rect, dx, dy in ((above, inset, 0.0), (left, 0.0, inset)):
                swatch = rect.adjusted(dx, dy, -dx, -dy)
                p.draw_swatch(painter, swatch, color, text, self.theme, hollow=hollow)
        painter.restore()

    def _paint_highlights(self, painter: QPainter, layout: MapLayout) -> None:
        if self.inspection is not None:
            self._outline(painter, layout, self.inspection.state, self.theme.pen("accent", 2))
        if self.chosen is not None:
            self._outline(painter, layout, self.chosen, self.theme.pen("text", 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for cell, color in ((self._picked_cell(), "accent"), (self.spot, "text")):
            if cell is not None and cell.item is not None:
                rect = layout.cell(cell.state, cell.item, len(self.colors()))
                painter.setPen(self.theme.pen(color, 2))
                painter.drawRect(rect.adjusted(-1, -1, 0, 0))
        if self.mark is not None:
            self._paint_mark(painter, layout, self.mark)

    def _paint_mark(self, painter: QPainter, layout: MapLayout, mark: Mark) -> None:
        """Outline the user's cell and the right one, with a line between them."""
        n = len(self.colors())
        guess, truth = (
            None if place is None else layout.cell(int(place[0]), int(place[1]), n)
            for place in (mark.place, mark.truth)
        )
        warning, good = (self.theme.pen(name, 3) for name in ("warning", "good"))
        if guess is not None and truth is not None and guess != truth:
            dashed = QPen(warning)
            dashed.setDashPattern([2.0, 1.5])
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(dashed)
            start, end = guess.center(), truth.center()
            free = 0.25 * (end - start)  # of the cells' texts
            painter.drawLine(start + free, end - free)
            painter.restore()
        for cell, pen, text in ((guess, warning, YOU), (truth, good, "✓")):
            if cell is None or (cell == truth and pen is warning):
                continue
            inside = cell.adjusted(1, 1, -2, -2)
            painter.setPen(pen)
            painter.drawRect(inside)
            wide, high = p.text_width(painter.font(), text) + 8, p.text_height(painter.font()) + 2
            tag = QRectF(inside.left(), inside.top(), wide, high)
            painter.fillRect(tag, pen.color())
            painter.setPen(legible_on(pen.color()))
            painter.drawText(tag, p.CENTER, text)

    def _picked_cell(self) -> PointedPart | None:
        """Return the entry whose pairs are highlighted, or None."""
        picked = self.state.selection
        if self.frame is None or not isinstance(picked, PairSelection):
            return None
        row, column = (index_of(self.frame.slots, slot) for slot in (picked.slot, picked.other))
        return None if row is None or column is None else PointedPart(row, column)

    def _outline(self, painter: QPainter, layout: MapLayout, state: int, pen: QPen) -> None:
        colors = self.colors()
        if state >= len(colors):
            return
        cells, margin = layout.cells, layout.header + 3
        cell = layout.cell(state, state, len(colors))
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        row = QRectF(cells.left(), cell.top(), cells.width(), cell.height())
        column = QRectF(cell.left(), cells.top(), cell.width(), cells.height())
        painter.drawRect(row.adjusted(-margin - 1, -1, 0, 0))
        painter.drawRect(column.adjusted(-1, -margin - 1, 0, 0))
