"""Cuts of a merge tree by hand: some clusters merged and some split.

A cut is a set of clusters of the tree that hold each point once. The straight cuts, those of
`MergeTree.codebook`, undo the tree's last merges in order. The user may merge clusters that are
separate there, and split clusters that are whole.

Such a cut is stored as pairs of signatures, which have a meaning in any tree of signatures: a pair
that is *apart* splits the smallest cluster that holds both, and a pair that is *together* keeps it
whole. So it can be found again in a newly learned tree, with another window or from more
signatures. In its original tree it is exactly the same cut.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

import numpy as np

from latviz.core.checks import check_integer, check_integers
from latviz.core.data.hand_cut import HandCut, Pair
from latviz.core.data.merge_tree import MergeTree
from latviz.core.errors import ParameterError
from latviz.core.types import Counts, Floats, Matrix
from latviz.core.values import Value


class ClusterHierarchy:
    """The clusters of a merge tree, with the parts of each."""

    # The row of a cluster is that in the largest straight codebook that holds it: the heavier part
    # of a split stays in its row. No two clusters of a cut have the same

    def __init__(self, tree: MergeTree) -> None:
        # finest clusters, which have the numbers from 0
        self.tree, self.n_leaves = tree, tree.n_max
        self.root = 2 * tree.n_max - 2  # the cluster of all points
        clusters, parts = tree.splits(tree.n_max)
        # (root + 1, 2): the two parts of each, the heavier first; -1 for the finest
        self.parts = np.full((self.root + 1, 2), -1)
        self.parts[clusters] = parts
        # (root + 1,): the cluster that each is a part of; -1 for the root
        self.parents = np.full(self.root + 1, -1)
        self.parents[parts] = clusters[:, None]
        rows = [0] * (self.root + 1)  # a list: numbers of an array one by one take ten times longer
        pairs = zip(clusters.tolist(), parts.tolist(), strict=True)
        for row, (cluster, (heavy, light)) in enumerate(pairs, start=1):
            rows[heavy], rows[light] = rows[cluster], row
        self.rows = np.array(rows)  # (root + 1,): the row of each, see the docstring of the class

    @cached_property
    def finest(self) -> Matrix:
        """The codewords of the finest clusters, shape (n_leaves, M)."""
        return self.tree.codewords(np.arange(self.n_leaves))

    @cached_property
    def depth(self) -> int:
        """The most clusters that have to be split to set a finest one apart."""
        depths = np.zeros(self.root + 1, dtype=np.int64)
        for cluster in range(self.root, self.n_leaves - 1, -1):
            depths[self.parts[cluster]] = depths[cluster] + 1
        return int(depths.max())

    def above(self, cluster: int) -> list[int]:
        """Return a cluster and all that it is in, the smallest first."""
        found = []
        while cluster >= 0:
            found.append(cluster)
            cluster = int(self.parents[cluster])
        return found

    def common(self, clusters: Iterable[int]) -> int:
        """Return the smallest cluster that holds some clusters."""
        first, *others = map(self.above, clusters)
        kept = set(first).intersection(*others)
        return next(cluster for cluster in first if cluster in kept)

    def leaves(self, cluster: int) -> list[int]:
        """Return the finest clusters in a cluster."""
        found, left = [], [cluster]
        while left:
            one = left.pop()
            if one < self.n_leaves:
                found.append(one)
            else:
                left += self.parts[one].tolist()
        return found

    def holding(self, pair: Pair) -> int:
        """Return the smallest cluster that holds the finest ones nearest to two signatures."""
        # `ParameterError` if they have not as many numbers as those of the tree
        return self.common([self._nearest(pair.one), self._nearest(pair.other)])

    def pair(self, cluster: int) -> Pair:
        """Return two signatures whose smallest common cluster is this: one of each of its parts."""
        one, other = (self._middle(int(part)) for part in self.parts[cluster])
        return Pair(one, other)

    def _nearest(self, signature: tuple[float, ...]) -> int:
        n_wanted = self.finest.shape[1]
        if len(signature) != n_wanted:
            raise ParameterError(
                f"the cut by hand is for signatures of {len(signature)} numbers, but these have "
                f"{n_wanted}: reset the merges and splits"
            )
        return int(((self.finest - np.array(signature)) ** 2).sum(axis=1).argmin())

    def _middle(self, cluster: int) -> tuple[float, ...]:
        """Return the finest codeword of a cluster that is nearest to its own."""
        found = self.finest[self.leaves(cluster)]
        distances = ((found - self.tree.codewords([cluster])) ** 2).sum(axis=1)
        return tuple(found[int(distances.argmin())].tolist())


def cut(
    hierarchy: ClusterHierarchy, n: int, apart: Iterable[int] = (), together: Iterable[int] = ()
) -> Counts:
    """Return n clusters (n,) of a merge tree that hold each point once, by `Hierarchy.rows`."""
    # All clusters of ``apart`` are split, with all that hold them. Then the tree's last merges are
    # undone in order, except within clusters of ``together``, until there are n. If more are split
    # than n allows, those of the earliest merges stay whole. If no other cluster can be split,
    # clusters of ``together`` are. Finest clusters have no parts, so they have no effect
    n = check_integer("n", n, 1, hierarchy.n_leaves)
    first, root = hierarchy.n_leaves, hierarchy.root
    wanted = {
        above
        for cluster in _numbers("apart", apart, root)
        if cluster >= first
        for above in hierarchy.above(cluster)
    }
    split = set(sorted(wanted, reverse=True)[: n - 1])
    whole = set(_numbers("together", together, root)) - split
    for is_free in (True, False):
        for cluster in range(root, first - 1, -1):
            if len(split) == n - 1:
                break
            if is_free and int(hierarchy.parents[cluster]) in whole and cluster not in split:
                whole.add(cluster)
            if cluster not in whole or not is_free:
                split.add(cluster)
    return _clusters(hierarchy, split)


def _numbers(name: str, clusters: Iterable[int], last: int) -> list[int]:
    found = list(clusters)
    return check_integers(name, found, 0, last) if found else []


def _clusters(hierarchy: ClusterHierarchy, split: set[int]) -> Counts:
    """Return the clusters that remain if some are split, in the order of rows."""
    parts = hierarchy.parts[sorted(split)].reshape(-1).tolist() if split else [hierarchy.root]
    found = np.array([cluster for cluster in parts if cluster not in split])
    return found[np.argsort(hierarchy.rows[found])]


@dataclass(frozen=True, eq=False)
class TreeCut(Value):
    """A cut of a merge tree."""

    hierarchy: ClusterHierarchy
    clusters: Annotated[Counts, "(n,)"]  # by row
    hand: HandCut = field(default_factory=HandCut)  # its part made by hand

    @classmethod
    def of(cls, hierarchy: ClusterHierarchy, n: int, hand: HandCut | None = None) -> "TreeCut":
        """Return the cut of n clusters that follows from a cut by hand; straight without one."""
        # `ParameterError` if n is out of range, or signatures have not as many numbers as the
        # tree's
        kept = hand or HandCut()
        apart, together = (map(hierarchy.holding, pairs) for pairs in (kept.apart, kept.together))
        return cls(hierarchy, cut(hierarchy, n, apart, together), kept)

    @property
    def codebook(self) -> Matrix:
        """The codewords, shape (n, M)."""
        return self.hierarchy.tree.codewords(self.clusters)

    @property
    def rows(self) -> Counts:
        """The row of each cluster, shape (n,), increasing; 0 to n - 1 if the cut is straight."""
        return self.hierarchy.rows[self.clusters]

    @property
    def weights(self) -> Floats:
        """The weight of the points in each cluster, shape (n,)."""
        return self.hierarchy.tree.cluster_weights(self.clusters)

    def with_siblings(self, k: int) -> tuple[int, ...]:
        """Return cluster k, by its place in the cut, and all that merge with it first."""
        # These are in the cluster that is the tree's next merge; for the root it is only k
        parent = int(self.hierarchy.parents[self.clusters[k]])
        return (k,) if parent < 0 else self._within(parent)

    def between(self, k: int, other: int) -> tuple[int, ...]:
        """Return two clusters, by their places, and all that must be merged to merge them."""
        return self._within(self.hierarchy.common(self.clusters[[k, other]].tolist()))

    def can_split(self, k: int) -> bool:
        """Return True if cluster k, by its place, has two parts."""
        return bool(self.clusters[k] >= self.hierarchy.n_leaves)

    def merged(self, places: Sequence[int]) -> "TreeCut":
        """Return the cut with the clusters at two places or more merged, and all between them."""
        # Fewer or other places raise `ParameterError`
        chosen = check_integers("places", list(places), 0, self.clusters.size - 1)
        if len(set(chosen)) < 2:
            raise ParameterError(f"there must be at least two places to merge, got {chosen}")
        whole = self.hierarchy.common(self.clusters[chosen].tolist())
        gone = set(self._within(whole))
        left = [c for k, c in enumerate(self.clusters.tolist()) if k not in gone]
        return self._changed([*left, whole], [whole])

    def taking(self, clusters: Sequence[int]) -> "TreeCut":
        """Return the cut of other clusters of the tree, which hold each point once."""
        # New clusters that hold several of this cut are kept together by hand from now on
        chosen = check_integers("clusters", list(clusters), 0, self.hierarchy.root)
        leaves = [leaf for cluster in chosen for leaf in self.hierarchy.leaves(cluster)]
        if sorted(leaves) != list(range(self.hierarchy.n_leaves)):
            raise ParameterError("clusters must hold each point once")
        if set(chosen) == set(self.clusters.tolist()):
            return self
        within = {above for c in self.clusters.tolist() for above in self.hierarchy.above(c)[1:]}
        return self._changed(chosen, [cluster for cluster in chosen if cluster in within])

    def split(self, k: int) -> "TreeCut":
        """Return the cut with the cluster at place k split; `ParameterError` for a finest one."""
        k = check_integer("k", k, 0, self.clusters.size - 1)
        if not self.can_split(k):
            raise ParameterError(f"cluster {k} is one of the finest and has no parts")
        parts = self.hierarchy.parts[self.clusters[k]].tolist()
        return self._changed([*np.delete(self.clusters, k).tolist(), *parts])

    def _within(self, cluster: int) -> tuple[int, ...]:
        """Return the places of the clusters that lie in one."""
        above = self.hierarchy.above
        return tuple(k for k, c in enumerate(self.clusters.tolist()) if cluster in above(c))

    def _changed(self, clusters: Sequence[int], whole: Sequence[int] = ()) -> "TreeCut":
        """Return the cut of other clusters, some of which are kept whole from now on."""
        hierarchy = self.hierarchy
        found = np.array(clusters)
        found = found[np.argsort(hierarchy.rows[found])]
        split = {above for c in clusters for above in hierarchy.above(c)[1:]}
        twigs = (c for c in sorted(split) if not split & set(hierarchy.parts[c].tolist()))
        held = {hierarchy.holding(pair): pair for pair in self.hand.together}
        kept = [pair for c, pair in held.items() if c in clusters]
        new = map(hierarchy.pair, whole)
        hand = HandCut(tuple(map(hierarchy.pair, twigs)), (*kept, *new))
        return TreeCut(hierarchy, found, hand)
