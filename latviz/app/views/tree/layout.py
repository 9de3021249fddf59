"""Layout and texts of a merge tree."""

import math
from dataclasses import dataclass

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, QSize

from latviz.app.widgets import painting as p
from latviz.core import digits
from latviz.engine.geometry.dendrogram import Dendrogram


def merge_texts(tree: Dendrogram, n: int) -> tuple[str, ...]:
    """Return texts on the cost of the merge from n + 1 to n states, longest first.

    A merge that is only visible after a cut by hand has no number of states.
    """
    cost = digits.measure(float(tree.costs[n]))
    if n > tree.n_straight:
        return f"Merging these two adds {cost} to the squared error", f"Merging adds {cost}"
    return (
        f"From {n + 1} to {n} state{'s' if n > 1 else ''} adds {cost} to the squared error",
        f"{n + 1} → {n} adds {cost}",
    )


def cost_ticks(tree: Dendrogram) -> list[tuple[float, str]]:
    """Return heights and labels of powers of ten, or else of the least and greatest cost."""
    low, high = tree.cost_range
    if high == 0:
        return []
    powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    costs = [10.0**k for k in powers] if len(powers) > 1 else sorted({low, high})
    heights = tree.height_of(np.array(costs)).tolist()
    return [(h, digits.measure(cost)) for h, cost in zip(heights, costs, strict=True)]


@dataclass(frozen=True)
class TreeLayout:
    """Rectangles of the parts; the tree and the curve of its costs share one scale."""

    n_leaves: int
    tree: QRectF
    band: QRectF
    handle: QRectF  # room for the label of the cut, at all heights
    curve: QRectF

    @classmethod
    def of(cls, size: QSize, n_leaves: int, line: float, axis: float, label: float) -> "TreeLayout":
        """Return the layout for a line's height and the widths of the axis and the cut's label."""
        top, left = p.PAD + line + 6, p.PAD + axis
        height = max(20.0, size.height() - p.PAD - line - 4 - top)
        room = size.width() - 2 * p.PAD - axis - label - 10
        share = round(room * (0.4 if room < 200 else 0.3))
        tree = QRectF(left, top, room - share, height)
        band = QRectF(left, tree.bottom() + 4, tree.width(), line)
        handle = QRectF(tree.right() + 4, top, label, height)
        return cls(n_leaves, tree, band, handle, QRectF(handle.right() + 6, top, share, height))

    def at(self, place: float, height: float) -> QPointF:
        """Return the place of a cluster in the tree's drawing."""
        return QPointF(self.tree.left() + (place + 0.5) * self.step, self.y(height))

    def y(self, height: float) -> float:
        """Return the y of a height from 0 to 1."""
        return self.tree.bottom() - height * self.tree.height()

    def height(self, y: float) -> float:
        """Return the height from 0 to 1 at a position."""
        return min(max((self.tree.bottom() - y) / self.tree.height(), 0.0), 1.0)

    def place(self, x: float) -> float:
        """Return the place in the order of the leaves at a position."""
        return (x - self.tree.left()) / self.step - 0.5

    @property
    def step(self) -> float:
        """The distance between leaves."""
        return self.tree.width() / self.n_leaves

    def n_at(self, x: float) -> int:
        """Return the number of states at a position along the curve."""
        n = math.floor((x - self.curve.left()) / self.curve.width() * self.n_leaves) + 1
        return min(max(n, 1), self.n_leaves)

    def x_of(self, n: int) -> float:
        """Return the x of a number of states along the curve."""
        return self.curve.left() + (n - 0.5) / self.n_leaves * self.curve.width()
