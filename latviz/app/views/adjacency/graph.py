"""A as a graph of states: what is in it, how strong it is, and what is at a position."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QFont

from latviz.app.views.adjacency import graph_layout as layout
from latviz.app.views.adjacency.graph_layout import Nodes, Pairs
from latviz.app.views.painted import Spot
from latviz.app.views.space.layout import number_font
from latviz.app.widgets import painting as p
from latviz.app.widgets.heat import Scale
from latviz.core.types import Matrix
from latviz.engine.frame import Frame

WIDEST, THINNEST = 0.56, 0.8
_GRIP = 5.0


@dataclass(frozen=True, eq=False)
class Graph:
    """The states of a frame and the edges between them, in a room.

    An edge from i to j is as wide and as opaque as A[i, j] is large; loops have a scale of their
    own, since they would leave nothing to see of the others.

    Attributes
    ----------
    picked : int or None
        The state all of whose edges are drawn.
    pair : tuple of int, or None
        The pair whose edge is drawn in any case.
    """

    frame: Frame
    room: QRectF
    font: QFont
    log: bool
    picked: int | None
    pair: tuple[int, int] | None

    @cached_property
    def nodes(self) -> Nodes:
        """Where the states are."""
        number = p.text_width(number_font(self.font, 0.0), "8" * len(str(len(self.A)))) / 2 + 3
        return Nodes.of(self.A, self.frame.occupancy, self.room, number)

    @property
    def widest(self) -> float:
        """How wide the strongest edge is: no wider than a loop allows."""
        return WIDEST * self.nodes.reach

    @property
    def A(self) -> Matrix:
        """The frame's A."""
        return self.frame.model.A

    @cached_property
    def edges(self) -> tuple[Pairs, Matrix]:
        """What can be pointed at: pairs and their curves."""
        picked = () if self.picked is None else (self.picked,)
        pairs = layout.edges_of(self.A, picked, self.pair)
        return pairs, self.nodes.lines(pairs)

    @cached_property
    def scales(self) -> tuple[Scale, Scale]:
        """The scale of edges between states, and that of loops."""
        loops = np.eye(len(self.A), dtype=bool)
        between, within = np.where(loops, 0.0, self.A), np.where(loops, self.A, 0.0)
        return Scale.of(between, self.log), Scale.of(within, self.log)

    @property
    def connected(self) -> bool:
        """Whether any state has another one for its neighbour."""
        return len(layout.strongest(self.A)) > 0

    def spot_at(self, position: QPointF) -> Spot | None:
        """Return the state or the edge at a position."""
        state = self.nodes.at(position)
        if state is not None:
            return Spot(state)
        pairs, lines = self.edges
        if not len(pairs):
            return None
        k, gap = layout.nearest_line(lines, position)
        near = gap <= max(_GRIP, self.width(*pairs[k].tolist()) / 2 + 1)
        return Spot(*pairs[k].tolist()) if near else None

    def strength(self, i: int, j: int) -> float:
        """Return where A[i, j] is on its scale, from 0 to 1."""
        return float(self.scales[int(i == j)].positions(self.A[i, j]))

    def width(self, i: int, j: int) -> float:
        """Return how wide an edge is, in pixels."""
        return max(THINNEST, self.strength(i, j) * self.widest)

    def with_all_of(self, state: int | None) -> tuple[Pairs, Matrix]:
        """Return what can be pointed at, and after it all other edges of a state."""
        pairs, lines = self.edges
        if state is None or state == self.picked:
            return pairs, lines
        known = set(map(tuple, pairs.tolist()))
        wanted = layout.edges_of(self.A, (state,), None).tolist()
        more = np.array([pair for pair in wanted if tuple(pair) not in known], dtype=np.int64)
        if not len(more):
            return pairs, lines
        return np.concatenate([pairs, more]), np.concatenate([lines, self.nodes.lines(more)])

    def caption(self) -> tuple[str, ...]:
        """Return what the edges stand for and which are drawn, the longest text first."""
        off = ~np.eye(len(self.A), dtype=bool)
        n_all, n_drawn = np.count_nonzero(self.A[off]), len(layout.strongest(self.A))
        if not self.connected:
            return ("No pixel has a neighbour in another state.", "No arrows")
        which = f"all {n_all}" if n_drawn == n_all else f"the strongest {n_drawn} of {n_all}"
        return (
            f"Arrows from a pixel’s state to its neighbour’s, as wide as A: {which} and loops.",
            f"Arrows: pixel to neighbour, as wide as A; {which}.",
            f"Arrows as wide as A: {which}",
            f"Arrows: {which}",
        )
