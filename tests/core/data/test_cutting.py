"""Cuts of a merge tree by hand, against all cuts of small trees."""

from itertools import combinations

import numpy as np
import pytest

from latviz.core.data.cutting import ClusterHierarchy, TreeCut, cut
from latviz.core.data.hand_cut import HandCut, Pair
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.quantization import fast_pnn
from latviz.core.errors import ParameterError


def tree_of(n: int, seed: int, n_channels: int = 2) -> MergeTree:
    return fast_pnn(np.random.default_rng(seed).normal(size=(n, n_channels)))


def members(hierarchy: ClusterHierarchy) -> dict[int, frozenset[int]]:
    """Return the finest clusters in each cluster, from the merges alone."""
    clusters, parts = hierarchy.tree.splits(hierarchy.n_leaves)
    found = {leaf: frozenset({leaf}) for leaf in range(hierarchy.n_leaves)}
    for cluster, (one, other) in zip(clusters[::-1].tolist(), parts[::-1].tolist(), strict=True):
        found[cluster] = found[one] | found[other]
    return found


def all_splits(hierarchy: ClusterHierarchy, n: int) -> list[tuple[int, ...]]:
    """Return all sets of n - 1 clusters that can be split, each with all clusters around it."""
    held = members(hierarchy)
    inner = range(hierarchy.root, hierarchy.n_leaves - 1, -1)
    return [
        some
        for some in combinations(inner, n - 1)
        if all(k in some for c in some for k in inner if held[c] < held[k])
    ]


def naive_cut(hierarchy: ClusterHierarchy, n: int, apart: set[int], together: set[int]) -> set[int]:
    """Take the best of all cuts: the dearest merges are undone first, those within some last."""
    held = members(hierarchy)
    forced = [
        k
        for k in range(hierarchy.root, hierarchy.n_leaves - 1, -1)
        if any(held[c] <= held[k] for c in apart if c >= hierarchy.n_leaves)
    ][: n - 1]

    def whole(c: int) -> bool:
        return any(held[c] <= held[t] for t in together - set(forced))

    def worth(some: tuple[int, ...]) -> tuple[object, ...]:
        free = sorted((c for c in some if not whole(c)), reverse=True)
        return sum(c in some for c in forced), len(free), free, sorted(some, reverse=True)

    best = max(all_splits(hierarchy, n), key=worth)
    parts = {p for c in best for p in hierarchy.parts[c].tolist()} if best else {hierarchy.root}
    return parts - set(best)


@pytest.mark.parametrize("seed", range(6))
def test_a_cut_is_the_best_of_all_that_there_are(seed: int) -> None:
    rng, hierarchy = np.random.default_rng(seed), ClusterHierarchy(tree_of(7, seed))
    for _ in range(30):
        n, some = int(rng.integers(1, 8)), rng.integers(0, hierarchy.root + 1, 4)
        apart, together = set(some[:2].tolist()), set(some[2 : 2 + rng.integers(3)].tolist())
        found = cut(hierarchy, n, apart, together)
        assert set(found.tolist()) == naive_cut(hierarchy, n, apart, together)
        assert (np.diff(hierarchy.rows[found]) > 0).all()


def test_without_hands_it_is_the_codebook() -> None:
    tree = tree_of(60, 1)
    hierarchy = ClusterHierarchy(tree)
    for n in (1, 2, 5, 33, 60):
        found = TreeCut.of(hierarchy, n)
        np.testing.assert_array_equal(found.codebook, tree.codebook(n))
        np.testing.assert_array_equal(found.rows, np.arange(n))
        np.testing.assert_array_equal(found.weights, tree.weights_of(n))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_done_by_hand_changes_nothing_else(seed: int) -> None:
    """After any earlier steps in the same tree; and the cut is found again from its pairs."""
    rng, tree = np.random.default_rng(seed), tree_of(40, seed, 3)
    hierarchy = ClusterHierarchy(tree)
    held, now = members(hierarchy), TreeCut.of(hierarchy, 5)
    for _ in range(25):
        before = {c: held[c] for c in now.clusters.tolist()}
        k = int(rng.integers(now.clusters.size))
        if now.clusters.size > 1 and rng.random() < 0.5:
            other = int(rng.integers(now.clusters.size - 1))
            places = now.between(k, other + (other >= k))
            gone = {int(now.clusters[place]) for place in places}
            new = {frozenset.union(*(before[c] for c in gone))}
            now = now.merged([k, other + (other >= k)])
        elif now.can_split(k):
            gone = {int(now.clusters[k])}
            new = {held[c] for c in hierarchy.parts[now.clusters[k]].tolist()}
            now = now.split(k)
        else:
            continue
        wanted = {before[c] for c in before if c not in gone} | new
        assert {held[c] for c in now.clusters.tolist()} == wanted
        again = TreeCut.of(ClusterHierarchy(tree), now.clusters.size, now.hand)
        np.testing.assert_array_equal(again.clusters, now.clusters)


def test_what_was_merged_stays_whole_as_n_grows() -> None:
    hierarchy = ClusterHierarchy(tree_of(40, 3))
    straight = TreeCut.of(hierarchy, 6)
    merged = straight.merged(straight.with_siblings(5))
    (whole,) = set(merged.clusters.tolist()) - set(straight.clusters.tolist())
    for n in range(merged.clusters.size, 20):
        assert whole in TreeCut.of(hierarchy, n, merged.hand).clusters
    assert TreeCut.of(hierarchy, 40, merged.hand).clusters.size == 40


def test_it_is_found_again_in_a_tree_of_nearly_the_same_points() -> None:
    rng = np.random.default_rng(5)
    middles = np.array([[0, 0], [1.2, 0], [10, 0], [10, 9], [30, 30], [31.5, 30]])
    points = np.repeat(middles, 40, axis=0) + 0.1 * rng.normal(size=(240, 2))
    one = TreeCut.of(ClusterHierarchy(fast_pnn(points)), 4)
    far = int(((one.codebook - [30.75, 30]) ** 2).sum(axis=1).argmin())
    now = one.split(far)
    near = int(((now.codebook - [10, 9]) ** 2).sum(axis=1).argmin())
    now = now.merged(now.with_siblings(near))
    other = fast_pnn(points + 0.02 * rng.normal(size=points.shape))
    again = TreeCut.of(ClusterHierarchy(other), now.clusters.size, now.hand)
    np.testing.assert_allclose(again.codebook, now.codebook, rtol=0, atol=0.05)
    straight = TreeCut.of(ClusterHierarchy(other), now.clusters.size).codebook
    assert np.abs(straight - now.codebook).max() > 1


def test_the_depth_is_that_of_the_deepest_leaf() -> None:
    for n in (1, 2, 9, 40):
        hierarchy = ClusterHierarchy(tree_of(n, 3))
        held = members(hierarchy)
        inside = (sum(leaf in some for some in held.values()) - 1 for leaf in range(n))
        assert hierarchy.depth == max(inside)


def test_what_cannot_be_is_refused() -> None:
    hierarchy = ClusterHierarchy(tree_of(5, 0))
    whole = TreeCut.of(hierarchy, 1)
    assert whole.with_siblings(0) == (0,)
    finest = TreeCut.of(hierarchy, 5)
    assert not finest.can_split(0)
    strange = HandCut((Pair((0.0,), (1.0,)),))
    for wrong in (
        lambda: cut(hierarchy, 6),
        lambda: cut(hierarchy, 2, [9]),
        lambda: cut(hierarchy, 2, (), [-1]),
        lambda: finest.split(0),
        lambda: finest.merged([1]),
        lambda: finest.merged([1, 1]),
        lambda: finest.merged([1, 7]),
        lambda: TreeCut.of(hierarchy, 2, strange),
    ):
        with pytest.raises(ParameterError):
            wrong()
