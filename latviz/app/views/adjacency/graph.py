"""A as a graph of states: layout, edges, the part at a position, and drawing."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from latviz.app.look.theme import Theme, legible_on
from latviz.app.views.painted import PointedPart
from latviz.app.views.space.layout import number_font
from latviz.app.widgets import painting as p
from latviz.app.widgets.heat import ColorScale, draw_ticks
from latviz.core.types import Matrix
from latviz.engine.frames.frame import Frame

Pairs = NDArray[np.int64]

EDGES_A_STATE = 3
"""The strongest edges between states that are drawn, for each state there is."""
_COUPLING = 1e-3
_SQUARINGS, _ROUNDS = 4, 20
_SAMPLES = 257
_POINTS = 17
_WIDE = 2.5  # the ellipse's longer axis, at most, in shorter ones


def circular_order(A: Matrix) -> NDArray[np.int64]:
    """Return the states in an order around a circle in which strong neighbours are near."""
    # The angle of a state is that of its point in the second and third eigenvector of the
    # normalised weights. The first state comes first, and the second in the first half
    n = len(A)
    if n < 4:
        return np.arange(n)
    weights = np.sqrt(A + A.T)
    weights += _COUPLING * max(float(weights.max()), 1.0)
    np.fill_diagonal(weights, 0.0)
    x, y = _second_and_third(weights)
    order = np.argsort(np.arctan2(y, x), kind="stable")
    order = np.roll(order, -int(np.flatnonzero(order == 0)[0]))
    if np.flatnonzero(order == 1)[0] > n / 2:
        order[1:] = order[:0:-1]
    return order


def _second_and_third(weights: Matrix) -> tuple[Matrix, Matrix]:
    """Return coordinates of states by orthogonal iteration.

    LAPACK would wait for its threads, while those of the next frame need the cores.
    """
    n, degrees = len(weights), weights.sum(axis=1)
    scale = 1 / np.sqrt(degrees)
    first = np.sqrt(degrees / degrees.sum())
    lazy = (scale[:, None] * weights * scale + np.eye(n)) / 2 - np.outer(first, first)
    for _ in range(_SQUARINGS):
        lazy = lazy @ lazy
    angles = 2 * math.pi * np.arange(n) / n
    x, y = np.cos(angles), np.sin(angles)
    for _ in range(_ROUNDS):
        x, y = lazy @ x, lazy @ y
        x = x / max(float(np.linalg.norm(x)), 1e-12)
        y = y - (x @ y) * x
        y = y / max(float(np.linalg.norm(y)), 1e-12)
    return x * scale, y * scale


def strongest(A: Matrix) -> Pairs:
    """Return the pairs (i, j) of different states with the largest positive A, shape (k, 2)."""
    n = len(A)
    pairs = np.argwhere((A > 0) & ~np.eye(n, dtype=bool))
    order = np.argsort(-A[tuple(pairs.T)], kind="stable")
    return pairs[np.sort(order[: EDGES_A_STATE * n])]


def edges_of(A: Matrix, states: Collection[int], pair: tuple[int, int] | None) -> Pairs:
    """Return all pairs to draw: every loop, the strongest, all of some states, and one pair."""
    drawn = np.diag(np.diag(A) > 0)
    drawn[tuple(strongest(A).T)] = True
    for state in states:
        drawn[state] |= A[state] > 0
        drawn[:, state] |= A[:, state] > 0
    if pair is not None:
        drawn[pair] = True
    return np.argwhere(drawn)


@dataclass(frozen=True, eq=False)
class Nodes:
    """The places of the states."""

    centres: Annotated[Matrix, "(N, 2)"]
    outward: Annotated[Matrix, "(N, 2)"]  # unit vectors away from all other states
    radii: Annotated[Matrix, "(N,)"]  # areas are as the states' shares, within bounds
    reach: float  # distance of a loop beyond its disc

    @classmethod
    def of(cls, A: Matrix, occupancy: NDArray[np.int64], room: QRectF, least: float) -> "Nodes":
        """Return states on an ellipse in a room; radii are ``least`` or more, if there is room."""
        n, side = len(A), min(room.width(), room.height())
        reach = min(max(0.06 * side, 11.0), 16.0)
        largest = max(min(0.085 * side, 26.0, 1.1 * side / n), least)
        inset = largest + reach + 2
        axes = np.maximum((room.width() / 2 - inset, room.height() / 2 - inset), 2.0)
        axes = np.minimum(axes, _WIDE * axes.min())
        places, outward, apart = _on_ellipse(n, axes)
        largest = max(min(largest, 0.42 * apart), 2.0)
        share = np.sqrt(occupancy / max(int(occupancy.max()), 1))
        radii = np.maximum(min(least, largest), largest * share)
        order = circular_order(A)
        centres, away = np.empty((n, 2)), np.empty((n, 2))
        centres[order] = np.add(places, (room.center().x(), room.center().y()))
        away[order] = outward
        return cls(centres, away, radii, reach)

    def at(self, position: QPointF) -> int | None:
        """Return the state whose disc holds a position."""
        gaps = np.hypot(*(self.centres - (position.x(), position.y())).T) - self.radii
        nearest = int(gaps.argmin())
        return nearest if gaps[nearest] <= 1 else None

    def lines(self, pairs: Pairs) -> Matrix:
        """Return the curve of each pair, from disc to disc, (k, points, 2)."""
        # Curves keep to the left of their way, which separates (i, j) from (j, i); a pair of equal
        # states has a loop
        i, j = pairs.T
        start, end = self.centres[i], self.centres[j]
        way = end - start
        left = np.stack([way[:, 1], -way[:, 0]], axis=1)
        length = np.maximum(np.hypot(*way.T), 1e-9)[:, None]
        middle = (start + end) / 2 + left * (0.13 + 5 / length)
        controls = np.stack([start, (start + 2 * middle) / 3, (end + 2 * middle) / 3, end], axis=1)
        loops = np.flatnonzero(i == j)
        out = self.outward[i[loops]]
        across = np.stack([-out[:, 1], out[:, 0]], axis=1)
        far = ((self.radii[i[loops]] + self.reach) / 0.75)[:, None]
        controls[loops, 1] += far * (out - 0.8 * across)
        controls[loops, 2] += far * (out + 0.8 * across)
        return _trimmed(controls, self.radii[i], self.radii[j])


def nearest_line(lines: Matrix, position: QPointF) -> tuple[int, float]:
    """Return the curve, shape (k, points, 2), nearest to a position, and its distance."""
    point = np.array([position.x(), position.y()])
    start, way = lines[:, :-1], np.diff(lines, axis=1)
    squared = np.maximum((way**2).sum(axis=-1), 1e-12)
    along = np.clip(((point - start) * way).sum(axis=-1) / squared, 0.0, 1.0)
    gaps = np.linalg.norm(start + along[..., None] * way - point, axis=-1).min(axis=1)
    nearest = int(gaps.argmin())
    return nearest, float(gaps[nearest])


def arrow(line: Matrix, size: float) -> tuple[Matrix, Sequence[QPointF]]:
    """Return the part of a curve before its arrow's head, and the head's corners."""
    tip = line[-1]
    away = np.hypot(*(line - tip).T)
    before = np.flatnonzero(away >= size)
    shaft = line[: before[-1] + 1] if len(before) else line[:1]
    way = tip - shaft[-1]
    way = way / max(math.hypot(*way), 1e-9) * size
    side = np.array([-way[1], way[0]]) * 0.45
    base = tip - way
    corners = [QPointF(*point.tolist()) for point in (tip, base + side, base - side)]
    return np.concatenate([shaft, base[None]]), corners


def _on_ellipse(n: int, axes: Matrix) -> tuple[Matrix, Matrix, float]:
    """Return n evenly spaced points along an ellipse, their normals, and their distance.

    The first is at the top, or at the left if the ellipse is wider than high; then clockwise.
    """
    if n == 1:
        return np.zeros((1, 2)), np.array([[0.0, -1.0]]), math.inf
    start = math.pi if axes[0] > axes[1] else -math.pi / 2
    angles = start + np.linspace(0.0, 2 * math.pi, 1441)
    curve = axes * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    steps = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(curve, axis=0).T))])
    at = np.interp(np.arange(n) * steps[-1] / n, steps, angles)
    unit = np.stack([np.cos(at), np.sin(at)], axis=1)
    normals = unit / axes
    points = axes * unit
    apart = np.hypot(*(np.roll(points, -1, axis=0) - points).T).min()
    return points, normals / np.linalg.norm(normals, axis=1, keepdims=True), float(apart)


def _trimmed(controls: Matrix, first: Matrix, last: Matrix) -> Matrix:
    """Return points of cubic curves (k, 4, 2) outside of discs around both of their ends."""
    t = np.linspace(0.0, 1.0, _SAMPLES)
    curves = _curves(controls, np.broadcast_to(t, (len(controls), _SAMPLES)))
    out = np.linalg.norm(curves - controls[:, :1], axis=-1) >= first[:, None]
    clear = np.linalg.norm(curves - controls[:, 3:], axis=-1) >= last[:, None] + 1.5
    both = out & clear
    starts, ends = t[both.argmax(axis=1)], t[_SAMPLES - 1 - both[:, ::-1].argmax(axis=1)]
    shares = np.linspace(0.0, 1.0, _POINTS)
    return _curves(controls, starts[:, None] + (ends - starts)[:, None] * shares)


def _curves(controls: Matrix, t: Matrix) -> Matrix:
    weights = np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], axis=-1)
    return np.asarray(weights @ controls)


WIDEST, THINNEST = 0.56, 0.8
_GRIP = 5.0


@dataclass(frozen=True, eq=False)
class StateGraph:
    """The states of a frame and the edges between them, in a room."""

    # An edge from i to j is as wide and as opaque as A[i, j] is large; loops have a scale of their
    # own, since they would hide the others
    frame: Frame
    room: QRectF
    font: QFont
    log: bool
    picked: int | None  # the state all of whose edges are drawn
    pair: tuple[int, int] | None  # the pair whose edge is always drawn

    @cached_property
    def nodes(self) -> Nodes:
        """The layout of the states."""
        number = p.text_width(number_font(self.font, 0.0), "8" * len(str(len(self.A)))) / 2 + 3
        return Nodes.of(self.A, self.frame.occupancy, self.room, number)

    @property
    def widest(self) -> float:
        """The width of the strongest edge, limited by loops."""
        return WIDEST * self.nodes.reach

    @property
    def A(self) -> Matrix:
        """The frame's A."""
        return self.frame.model.A

    @cached_property
    def edges(self) -> tuple[Pairs, Matrix]:
        """The pairs that the pointer can reach, and their curves."""
        picked = () if self.picked is None else (self.picked,)
        pairs = edges_of(self.A, picked, self.pair)
        return pairs, self.nodes.lines(pairs)

    @cached_property
    def scales(self) -> tuple[ColorScale, ColorScale]:
        """The scale of edges between states, and that of loops."""
        loops = np.eye(len(self.A), dtype=bool)
        between, within = np.where(loops, 0.0, self.A), np.where(loops, self.A, 0.0)
        return ColorScale.of(between, self.log), ColorScale.of(within, self.log)

    @property
    def connected(self) -> bool:
        """True if any two different states are neighbours."""
        return len(strongest(self.A)) > 0

    def spot_at(self, position: QPointF) -> PointedPart | None:
        """Return the state or the edge at a position."""
        state = self.nodes.at(position)
        if state is not None:
            return PointedPart(state)
        pairs, lines = self.edges
        if not len(pairs):
            return None
        k, gap = nearest_line(lines, position)
        near = gap <= max(_GRIP, self.width(*pairs[k].tolist()) / 2 + 1)
        return PointedPart(*pairs[k].tolist()) if near else None

    def strength(self, i: int, j: int) -> float:
        """Return the position of A[i, j] on its scale, from 0 to 1."""
        return float(self.scales[int(i == j)].positions(self.A[i, j]))

    def width(self, i: int, j: int) -> float:
        """Return the width of an edge, in pixels."""
        return max(THINNEST, self.strength(i, j) * self.widest)

    def with_all_of(self, state: int | None) -> tuple[Pairs, Matrix]:
        """Return the reachable pairs, followed by all other edges of a state."""
        pairs, lines = self.edges
        if state is None or state == self.picked:
            return pairs, lines
        known = set(map(tuple, pairs.tolist()))
        wanted = edges_of(self.A, (state,), None).tolist()
        more = np.array([pair for pair in wanted if tuple(pair) not in known], dtype=np.int64)
        if not len(more):
            return pairs, lines
        return np.concatenate([pairs, more]), np.concatenate([lines, self.nodes.lines(more)])

    def caption(self) -> tuple[str, ...]:
        """Return the meaning of the edges and the number drawn, longest text first."""
        off = ~np.eye(len(self.A), dtype=bool)
        n_all, n_drawn = np.count_nonzero(self.A[off]), len(strongest(self.A))
        if not self.connected:
            return ("No pixel has a neighbour in another state.", "No arrows")
        which = f"all {n_all}" if n_drawn == n_all else f"the strongest {n_drawn} of {n_all}"
        return (
            f"Arrows from a pixel’s state to its neighbour’s, as wide as A: {which} and loops.",
            f"Arrows: pixel to neighbour, as wide as A; {which}.",
            f"Arrows as wide as A: {which}",
            f"Arrows: {which}",
        )


_FAINT_EDGE, _FAINT_NODE = 0.12, 0.3
_STRONG = 2.5


@dataclass(frozen=True, eq=False)
class GraphStyle:
    """The style of a graph."""

    painter: QPainter
    theme: Theme
    graph: StateGraph
    colors: list[QColor]  # of the states
    chosen: int | None  # the state to highlight
    marks: Mapping[PointedPart, QColor]  # states and edges to outline

    def draw(self) -> None:
        """Draw the edges, the strongest last, and the states over them."""
        painter, graph = self.painter, self.graph
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pairs, lines = graph.with_all_of(self.chosen)
        edges = [
            ((i, j), graph.strength(i, j), line)
            for (i, j), line in zip(pairs.tolist(), lines, strict=True)
        ]
        for edge in sorted(edges, key=lambda edge: (PointedPart(*edge[0]) in self.marks, edge[1])):
            self._draw_edge(*edge)
        for state in range(len(self.colors)):
            self._draw_node(state)
        painter.restore()

    def _draw_edge(self, pair: tuple[int, int], strength: float, line: Matrix) -> None:
        width = self.graph.width(*pair)
        size = max(6.0, 1.7 * width)
        if pair[0] == pair[1]:
            size = min(size, 0.6 * self.graph.nodes.reach)
        shaft, head = arrow(line, size)
        color = p.outline(self.colors[pair[0]], self.theme)
        mark, faded = self.marks.get(PointedPart(*pair)), self.chosen not in (None, *pair)
        strokes = [(color, 0.0, _FAINT_EDGE if faded else 0.35 + 0.6 * strength)]
        if mark is not None:
            strokes = [(mark, 4.0, 1.0), (color, 0.0, 1.0)]
        flat, join = Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.BevelJoin
        for stroke, halo, opacity in strokes:
            self.painter.setOpacity(opacity)
            self.painter.setBrush(Qt.BrushStyle.NoBrush)
            self.painter.setPen(QPen(stroke, width + halo, Qt.PenStyle.SolidLine, flat, join))
            self.painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in shaft.tolist()]))
            self.painter.setPen(QPen(stroke, halo) if halo else Qt.PenStyle.NoPen)
            self.painter.setBrush(stroke)
            self.painter.drawPolygon(QPolygonF(head))

    def _draw_node(self, state: int) -> None:
        painter, theme, nodes = self.painter, self.theme, self.graph.nodes
        centre, radius = QPointF(*nodes.centres[state].tolist()), float(nodes.radii[state])
        empty, color = not self.graph.frame.occupancy[state], self.colors[state]
        painter.setOpacity(1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("panel"))
        painter.drawEllipse(centre, radius + 1.5, radius + 1.5)
        painter.setOpacity(1.0 if self.chosen in (None, state) else _FAINT_NODE)
        pen = QPen(theme.color("text"), _STRONG if state == self.chosen else 1.0)
        if PointedPart(state) in self.marks:
            painter.setOpacity(1.0)
            pen = QPen(self.marks[PointedPart(state)], _STRONG)
        if empty:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(theme.color("panel") if empty else color)
        painter.drawEllipse(centre, radius, radius)
        painter.setFont(number_font(self.graph.font, radius))
        if p.text_width(painter.font(), str(state + 1)) <= 2 * radius:
            painter.setPen(theme.color("muted") if empty else legible_on(color))
            painter.drawText(
                QRectF(centre.x() - 20, centre.y() - 20, 40, 40), p.CENTER, str(state + 1)
            )


def draw_wedge(painter: QPainter, bar: QRectF, graph: StateGraph, theme: Theme) -> None:
    """Draw an upright scale of widths with ticks and labels on its right."""
    middle, widest = bar.left() + graph.widest / 2, graph.widest
    ends = ((-widest, bar.top()), (widest, bar.top()), (THINNEST, bar.bottom()))
    corners = [QPointF(middle + x / 2, y) for x, y in (*ends, (-THINNEST, bar.bottom()))]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("muted"))
    painter.drawPolygon(QPolygonF(corners))
    painter.restore()
    draw_ticks(painter, bar, graph.scales[0], theme)
