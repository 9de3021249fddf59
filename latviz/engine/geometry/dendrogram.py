"""The last merges of Fast PNN: the codebooks of every N, and a tree to draw."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from latviz.core import data
from latviz.core.data.hand_cut import HandCut
from latviz.core.types import Floats, Matrix

DECADES = 8
"""Costs that are this many powers of ten below the greatest are drawn as that."""

MARGIN = 0.09
"""Distance of the cheapest merge from the leaves, and of the most costly one from the top."""

Rows = NDArray[np.int64]
Cut = int | NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Cuts:
    """The codebook of every N up to a largest one, and the relation of their rows."""

    # (N, M) each, N = 1 first, in the tree's own order. Rows beyond the tree's largest codebook
    # repeat the first, and get no nodes
    codebooks: tuple[Matrix, ...]
    # the row that takes row k in from k + 1 to k codewords; -1 for row 0
    joins: Annotated[NDArray[np.int64], "(n,)"]
    costs: Annotated[Floats, "(n,)"]  # the rise in squared error by that; NaN for row 0
    # (N,) each: signatures behind each row of the n codebooks that differ
    weights: tuple[Floats, ...]

    def branch(self, row: int, n: int) -> int:
        """Return the row of ``codebooks[n - 1]`` that a row of a larger codebook is part of."""
        while row >= n:
            row = int(self.joins[row]) if row < len(self.joins) else 0
        return row


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """The merges among the last clusters of a `MergeTree`, the leaves."""

    # Clusters are named by their rows in ``MergeTree.codebook(n)``, and leaves by theirs in
    # ``codebook(n_leaves)``. From n + 1 clusters to n, row n joins row ``joins[n]``, the heavier of
    # both; all other rows keep their numbers. Arrays over merges are indexed by n, 1 <= n <
    # n_leaves; their first entry is unused. If the tree is cut by hand, the leaves may differ from
    # those of a straight cut, and merges between the last ones are left out. A *cut* is the number
    # of clusters of a straight cut, or bool (n_leaves,), True for undone merges.
    joins: Annotated[Rows, "(n_leaves,)"]  # which row takes row n in; first -1
    # rise in squared error from n + 1 clusters to n; first NaN
    costs: Annotated[Matrix, "(n_leaves,)"]
    weights: Annotated[Matrix, "(n_leaves,)"]  # of the signatures behind each leaf
    order: Annotated[Rows, "(n_leaves,)"]  # leaves from left to right, without crossing branches
    # number in the tree of the result of each merge; first -1
    clusters: Annotated[Rows, "(n_leaves,)"]

    @classmethod
    def of(
        cls, joins: Rows, costs: Matrix, weights: Matrix, clusters: Rows | None = None
    ) -> "Dendrogram":
        """Return the dendrogram of some merges, with its leaves in order.

        Without ``clusters`` they are those of a tree that has no other leaves.
        """
        order = [0]
        for n in range(1, joins.size):
            order.insert(order.index(int(joins[n])) + 1, n)
        if clusters is None:
            clusters = np.array([-1, *range(2 * joins.size - 2, joins.size - 1, -1)])
        result = cls(joins, costs, weights, np.array(order), clusters)
        for array in (result.joins, result.costs, result.weights, result.order, clusters):
            array.flags.writeable = False
        return result

    @property
    def n_leaves(self) -> int:
        """The largest number of clusters in the tree."""
        return self.joins.size

    @property
    def n_straight(self) -> int:
        """The number of merges that are the last ones of the tree: all for a straight cut."""
        last = self.clusters[1:2].sum() - np.arange(self.n_leaves - 1)
        return int(np.cumprod(self.clusters[1:] == last).sum())

    def undone(self, cut: "data.cutting.TreeCut") -> Cut:
        """Return a cut of the tree as a cut of the drawn part."""
        if not cut.hand:
            return min(cut.clusters.size, self.n_leaves)
        parents = cut.hierarchy.parents
        split = set(parents[cut.clusters].tolist())
        for cluster in range(int(cut.clusters.min()), cut.hierarchy.root):
            if cluster in split:
                split.add(int(parents[cluster]))
        return np.array([cluster in split for cluster in self.clusters.tolist()])

    def _is_undone(self, cut: Cut) -> NDArray[np.bool_]:
        undone = np.arange(self.n_leaves) < cut if isinstance(cut, int) else cut.copy()
        undone[0] = True
        return undone

    def rows(self, cut: Cut) -> Rows:
        """Return which cluster each leaf is in, by its place in the codebook, (n_leaves,)."""
        undone, rows = self._is_undone(cut), np.arange(self.n_leaves)
        for leaf in np.flatnonzero(~undone).tolist():
            rows[leaf] = rows[self.joins[leaf]]
        return np.asarray(np.unique(rows, return_inverse=True)[1])

    def spans(self, cut: Cut) -> Rows:
        """Return the first and last place of each cluster's leaves in `order`, shape (n, 2)."""
        owners = self.rows(cut)[self.order]
        spans = np.full((int(owners.max()) + 1, 2), self.n_leaves)
        spans[:, 1] = -1
        places = np.arange(self.n_leaves)
        np.minimum.at(spans[:, 0], owners, places)
        np.maximum.at(spans[:, 1], owners, places)
        return spans

    def bars(self) -> Matrix:
        """Return the places that each merge joins, (n_leaves, 4)."""
        # The places along `order` of the row that stays and of the one that joins it, and the n of
        # the merges that made them, 0 for leaves. Both are joined in the middle between their
        # places
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
        """Return the drawn height of each merge, (n_leaves,), from 0 (leaves) to 1 (top)."""
        # Logarithms of costs; those of cost 0 and those `DECADES` below the greatest are 0. No
        # merge is lower than an earlier one. The first entry, unused, is the top
        heights = np.concatenate([[1.0], self.height_of(self.costs[1:])])
        heights[1:] = np.maximum.accumulate(heights[:0:-1])[::-1]
        return heights

    def height_of(self, costs: Matrix) -> Matrix:
        """Return the drawn heights of costs."""
        low, high = self.cost_range
        if low == high:
            return np.full(costs.shape, 0.5)
        logs = np.log10(np.maximum(costs, low) / low) / np.log10(high / low)
        return np.asarray(MARGIN + (1 - 2 * MARGIN) * logs)

    def cut(self, n: int) -> float:
        """Return the height of the cut at n clusters, between the merges before and after it."""
        heights = [*self.heights(), 0.0]
        return float(heights[n - 1] + heights[n]) / 2

    def tops(self, cut: Cut) -> Matrix:
        """Return the height of the cut above each cluster, in the order of the codebook.

        That of a straight cut is the same for all.
        """
        if isinstance(cut, int):
            return np.full(cut, self.cut(cut))
        rows, heights = self.rows(cut), self.heights()
        low, high = np.zeros(int(rows.max()) + 1), np.ones(int(rows.max()) + 1)
        undone = self._is_undone(cut)
        for merge in range(self.n_leaves - 1, 0, -1):
            kept, gone = rows[self.joins[merge]], rows[merge]
            if not undone[merge]:
                low[gone] = heights[merge]
                continue
            for row in (kept, gone):
                high[row] = min(high[row], heights[merge])
        return (low + high) / 2

    def n_at(self, height: float) -> int:
        """Return the number of clusters at a height."""
        return 1 + int(np.count_nonzero(self.heights()[1:] > height))

    def merge_at(self, place: float, height: float, reach: tuple[float, float]) -> int | None:
        """Return the n of the merge whose bar is nearest in height, if one is within reach."""
        far = np.abs(self.heights() - height)
        ends = np.sort(self.bars()[:, :2], axis=1)
        near = (ends[:, 0] - reach[0] <= place) & (place <= ends[:, 1] + reach[0])
        far[~(near & (far <= reach[1]))] = np.inf
        return int(np.argmin(far)) if np.isfinite(far).any() else None

    def lines(self, cut: Cut) -> tuple[Matrix, Rows]:
        """Return the lines to draw, (k, 4), and the row of the cluster below each, (k,)."""
        # A line is place and height of both ends. Rows are those of the clusters of the cut; -1
        # above it
        heights, owners, bars = self.heights(), self.rows(cut), self.bars()
        undone = self._is_undone(cut)
        lines: list[tuple[float, float, float, float]] = []
        rows: list[int] = []

        def stem(place: float, top: int, bottom: int, row: int) -> None:
            low, middle = (heights[bottom] if bottom else 0.0), heights[top]
            is_below = bottom == 0 or not undone[bottom]
            if undone[top] and is_below:
                middle = self.cut(cut) if isinstance(cut, int) else (middle + low) / 2
                lines.append((place, heights[top], place, middle))
                rows.append(-1)
            lines.append((place, middle, place, low))
            rows.append(int(owners[row]) if is_below else -1)

        stem(float(bars[1, :2].mean()) if self.n_leaves > 1 else 0.0, 0, int(self.n_leaves > 1), 0)
        for merge in range(1, self.n_leaves):
            kept, gone, *made_by = bars[merge].tolist()
            lines.append((kept, heights[merge], gone, heights[merge]))
            rows.append(-1 if undone[merge] else int(owners[merge]))
            stem(kept, merge, int(made_by[0]), int(self.joins[merge]))
            stem(gone, merge, int(made_by[1]), merge)
        return np.array(lines), np.array(rows)

    @property
    def cost_range(self) -> tuple[float, float]:
        """The least and the greatest cost on the scale of heights; both 0 if all costs are 0."""
        positive = self.costs[1:][self.costs[1:] > 0]
        if positive.size == 0:
            return 0.0, 0.0
        high = float(positive.max())
        return max(float(positive.min()), high * 10.0**-DECADES), high


def dendrogram(
    hierarchy: "data.cutting.ClusterHierarchy", hand: HandCut | None = None, n_most: int = 32
) -> Dendrogram:
    """Return the merges among the last ``n_most`` clusters, or all if the tree has fewer.

    Clusters split by hand are included.
    """
    tree, apart = hierarchy.tree, () if hand is None else hand.apart
    leaves = data.cutting.cut(
        hierarchy, min(n_most, hierarchy.n_leaves), map(hierarchy.holding, apart)
    )
    made = {above for leaf in leaves.tolist() for above in hierarchy.above(leaf)[1:]}
    clusters = np.array([-1, *sorted(made, reverse=True)])
    joins, row_of = np.full(leaves.size, -1), {hierarchy.root: 0}
    for n, cluster in enumerate(clusters[1:].tolist(), start=1):
        heavy, light = hierarchy.parts[cluster].tolist()
        joins[n] = row_of[heavy] = row_of[cluster]
        row_of[light] = n
    costs = np.full(leaves.size, np.nan)
    costs[1:] = tree.costs[tree.costs.size - 1 - (hierarchy.root - clusters[1:])]
    return Dendrogram.of(joins, costs, tree.cluster_weights(leaves), clusters)
