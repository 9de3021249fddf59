"""The last merges of Fast PNN, as a tree to draw."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latviz.core.quantization import MergeTree

DECADES = 8
"""Costs that are this many powers of ten below the greatest are drawn as that."""

Matrix = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """The merges among the last clusters of a `MergeTree`, the leaves.

    Clusters are named by their rows in ``MergeTree.codebook(n)``, and leaves by theirs in
    ``codebook(n_leaves)``. On the way from n + 1 clusters to n, row n joins row ``joins[n]``, which
    is the heavier of both, and all other rows keep their numbers. Arrays over merges are indexed by
    n, 1 <= n < n_leaves; their first entry stands for no merge.

    Attributes
    ----------
    joins : ndarray, shape (n_leaves,), int64
        Which row takes row n in; ``joins[0]`` is -1.
    costs : ndarray, shape (n_leaves,), float64
        By how much n clusters instead of n + 1 raise the squared error; ``costs[0]`` is NaN.
    weights : ndarray, shape (n_leaves,), float64
        The weight of the signatures behind each leaf.
    order : ndarray, shape (n_leaves,), int64
        The leaves from left to right, such that no branches cross.
    """

    joins: Rows
    costs: Matrix
    weights: Matrix
    order: Rows

    @property
    def n_leaves(self) -> int:
        """The largest number of clusters in the tree."""
        return self.joins.size

    def rows(self, n: int) -> Rows:
        """Return which row of ``codebook(n)`` each leaf is in, shape (n_leaves,)."""
        rows = np.arange(self.n_leaves)
        for leaf in range(n, self.n_leaves):
            rows[leaf] = rows[self.joins[leaf]]
        return rows

    def spans(self, n: int) -> Rows:
        """Return the first and last place of each cluster's leaves in `order`, shape (n, 2)."""
        owners = self.rows(n)[self.order]
        spans = np.full((n, 2), self.n_leaves)
        spans[:, 1] = -1
        places = np.arange(self.n_leaves)
        np.minimum.at(spans[:, 0], owners, places)
        np.maximum.at(spans[:, 1], owners, places)
        return spans

    def bars(self) -> Matrix:
        """Return what each merge joins, shape (n_leaves, 4).

        The places of the row that stays and of the one that joins it, counted along `order`, and
        the n of the merges that those two came from; 0 where it is a leaf. Both are joined in the
        middle between their places.
        """
        places = np.empty(self.n_leaves)
        places[self.order] = np.arange(self.n_leaves)
        made_by = np.zeros(self.n_leaves)
        bars = np.full((self.n_leaves, 4), np.nan)
        for n in range(self.n_leaves - 1, 0, -1):
            kept = self.joins[n]
            bars[n] = places[kept], places[n], made_by[kept], made_by[n]
            places[kept], made_by[kept] = (places[kept] + places[n]) / 2, n
        return bars

    def heights(self) -> Matrix:
        """Return how high each merge is on a logarithmic scale of its cost, shape (n_leaves,).

        1 is the greatest cost and 0 the least, or what is `DECADES` below the greatest; zeros are
        at 0. No merge is lower than one before it. If all cost the same they are in the middle.
        """
        heights = np.full(self.n_leaves, np.nan)
        low, high = self.cost_range
        if high > 0:
            least = np.log10(np.maximum(self.costs[1:], low) / low)
            heights[1:] = least / np.log10(high / low) if high > low else 0.5
        else:
            heights[1:] = 0.5
        heights[1:] = np.maximum.accumulate(heights[:0:-1])[::-1]
        return heights

    @property
    def cost_range(self) -> tuple[float, float]:
        """The costs at the heights 0 and 1; both 0 if no merge costs anything."""
        positive = self.costs[1:][self.costs[1:] > 0]
        if positive.size == 0:
            return 0.0, 0.0
        high = float(positive.max())
        return max(float(positive.min()), high * 10.0**-DECADES), high


def dendrogram(tree: MergeTree, n_most: int = 32) -> Dendrogram:
    """Return the merges among the last ``n_most`` clusters, or all if the tree has fewer."""
    n_leaves = min(n_most, tree.n_max)
    joins, costs = np.full(n_leaves, -1), np.full(n_leaves, np.nan)
    costs[1:] = tree.costs[tree.costs.size - n_leaves + 1 :][::-1]
    order, weights = [0], tree.weights_of(1)
    for n in range(1, n_leaves):
        before, weights = weights, tree.weights_of(n + 1)
        joins[n] = np.argmax(before - weights[:n])
        order.insert(order.index(int(joins[n])) + 1, n)
    result = Dendrogram(joins, costs, weights, np.array(order))
    for array in (result.joins, result.costs, result.weights, result.order):
        array.flags.writeable = False
    return result
