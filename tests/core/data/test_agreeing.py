"""Cuts of a merge tree that agree with labels, against all cuts of small trees."""

import math

import numpy as np
import pytest

from latviz.core.data.agreeing import agreeing_cuts
from latviz.core.data.cutting import ClusterHierarchy, TreeCut
from latviz.core.data.quantization import fast_pnn
from latviz.core.errors import ParameterError
from tests import naive
from tests.core.data.test_cutting import all_splits, members, tree_of


def naive_bits(hierarchy, splits, given, labels) -> float:
    """Return the cost of a cut: its departures, and the labels of each of its clusters.

    It is infinite if it merges clusters of other greatest labels.
    """
    held = members(hierarchy)
    parts = {p for c in splits for p in hierarchy.parts[c].tolist()} if splits else {hierarchy.root}
    apart = {p for c in given for p in hierarchy.parts[c].tolist()} or {hierarchy.root}
    for one in parts - set(splits):
        inside = [
            labels[sorted(held[c])].sum(axis=0) for c in apart - given if held[c] <= held[one]
        ]
        if len({int(some.argmax()) for some in inside if some.any()}) > 1:
            return math.inf
    codes = (
        naive.kt_bits([int(labels[sorted(held[c]), k].sum()) for k in range(labels.shape[1])])
        for c in parts - set(splits)
    )
    return len(set(splits) ^ given) + math.fsum(codes)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_cheapest_of_all_cuts(seed: int) -> None:
    rng, n_leaves = np.random.default_rng(seed), 7
    hierarchy = ClusterHierarchy(tree_of(n_leaves, seed))
    for _ in range(8):
        n_labels, n_given = int(rng.integers(1, 4)), int(rng.integers(1, n_leaves + 1))
        labels = rng.integers(0, 30, (n_leaves, n_labels)) * (
            rng.random((n_leaves, n_labels)) < 0.4
        )
        all_cuts = {n: all_splits(hierarchy, n) for n in range(1, n_leaves + 1)}
        given = all_cuts[n_given][int(rng.integers(len(all_cuts[n_given])))]
        parts = {p for c in given for p in hierarchy.parts[c].tolist()} or {hierarchy.root}
        cut = np.array(sorted(parts - set(given)))
        n_most = int(rng.integers(1, n_leaves + 3))
        found = agreeing_cuts(hierarchy, labels, cut, n_most)
        assert found.bits.size == min(n_most, n_leaves)
        for n in range(1, found.bits.size + 1):
            all_bits = [naive_bits(hierarchy, s, set(given), labels) for s in all_cuts[n]]
            np.testing.assert_allclose(found.bits[n - 1], min(all_bits), rtol=0, atol=1e-9)
            if min(all_bits) == math.inf:
                with pytest.raises(ParameterError):
                    found.clusters(n)
                continue
            clusters = found.clusters(n).tolist()
            splits = {a for c in clusters for a in hierarchy.above(c)[1:]}
            own = naive_bits(hierarchy, tuple(splits), set(given), labels)
            assert len(clusters) == n
            np.testing.assert_allclose(own, min(all_bits), rtol=0, atol=1e-9)
        assert found.n_best == int(found.bits.argmin()) + 1


def four() -> tuple[ClusterHierarchy, list[int]]:
    """Return the tree of two pairs of near points, and its leaves along the line."""
    hierarchy = ClusterHierarchy(fast_pnn(np.array([[0.0], [1.0], [10.0], [11.0]])))
    return hierarchy, np.argsort(hierarchy.finest[:, 0]).tolist()


def labelled(leaves: list[int], *counts: tuple[int, ...]) -> np.ndarray:
    labels = np.zeros((4, len(counts[0])), dtype=np.int64)
    labels[leaves] = counts
    return labels


def groups(hierarchy, leaves, clusters) -> set[frozenset[int]]:
    held = members(hierarchy)
    return {frozenset(leaves.index(leaf) for leaf in held[c]) for c in clusters.tolist()}


def test_it_splits_what_labels_tell_apart_and_merges_siblings_of_one_label() -> None:
    hierarchy, leaves = four()
    straight = TreeCut.of(hierarchy, 2)
    told = labelled(leaves, (40, 0), (0, 40), (0, 0), (0, 0))
    found = agreeing_cuts(hierarchy, told, straight.clusters, 4)
    assert groups(hierarchy, leaves, found.clusters(found.n_best)) == {
        frozenset({0}),
        frozenset({1}),
        frozenset({2, 3}),  # of which no label depends
    }
    finest = TreeCut.of(hierarchy, 4)
    told = labelled(leaves, (40, 0), (40, 0), (0, 40), (0, 0))
    found = agreeing_cuts(hierarchy, told, finest.clusters, 4)
    assert groups(hierarchy, leaves, found.clusters(found.n_best)) == {
        frozenset({0, 1}),
        frozenset({2}),
        frozenset({3}),
    }


def test_labels_that_are_mixed_alike_merge_nothing() -> None:
    hierarchy, leaves = four()
    finest = TreeCut.of(hierarchy, 4)
    told = labelled(leaves, (30, 29), (29, 30), (0, 0), (0, 0))
    assert agreeing_cuts(hierarchy, told, finest.clusters, 4).n_best == 4


def test_without_labels_and_with_one_label_the_given_cut_stays() -> None:
    hierarchy = ClusterHierarchy(tree_of(30, 2))
    for n in (1, 5, 30):
        straight = TreeCut.of(hierarchy, n)
        for labels in (np.zeros((30, 3), np.int64), np.full((30, 1), 9)):
            found = agreeing_cuts(hierarchy, labels, straight.clusters, 30)
            assert found.n_best == n
            np.testing.assert_array_equal(found.clusters(n), straight.clusters)


def test_a_cut_that_is_taken_is_found_again() -> None:
    tree = tree_of(40, 7)
    hierarchy, rng = ClusterHierarchy(tree), np.random.default_rng(7)
    straight = TreeCut.of(hierarchy, 6)
    labels = rng.integers(0, 20, (40, 3)) * (rng.random((40, 3)) < 0.3)
    found = agreeing_cuts(hierarchy, labels, straight.clusters, 32)
    taken = straight.taking(found.clusters(found.n_best).tolist())
    assert set(taken.clusters.tolist()) != set(straight.clusters.tolist())
    again = TreeCut.of(ClusterHierarchy(tree), taken.clusters.size, taken.hand)
    np.testing.assert_array_equal(again.clusters, taken.clusters)
    assert straight.taking(straight.clusters.tolist()) is straight


def test_what_cannot_be_is_refused() -> None:
    hierarchy, labels = ClusterHierarchy(tree_of(5, 0)), np.zeros((5, 2), np.int64)
    straight = TreeCut.of(hierarchy, 3)
    found = agreeing_cuts(hierarchy, labels, straight.clusters, 4)
    for wrong in (
        lambda: agreeing_cuts(hierarchy, labels[:4], straight.clusters, 4),
        lambda: agreeing_cuts(hierarchy, labels - 1, straight.clusters, 4),
        lambda: agreeing_cuts(hierarchy, labels, straight.clusters[:2], 4),
        lambda: agreeing_cuts(hierarchy, labels, np.array([hierarchy.root, 0]), 4),
        lambda: agreeing_cuts(hierarchy, labels, straight.clusters, 0),
        lambda: found.clusters(5),
        lambda: straight.taking([0, 1]),
        lambda: straight.taking([99]),
    ):
        with pytest.raises(ParameterError):
            wrong()
