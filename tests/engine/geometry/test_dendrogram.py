"""The last merges against the codebooks that they lead to."""

import numpy as np
import pytest

from latviz.core.data.cutting import ClusterHierarchy
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.quantization import fast_pnn
from latviz.engine.geometry.dendrogram import MARGIN, Dendrogram, dendrogram


def random_tree(seed: int, n: int = 400, m: int = 3, **options) -> MergeTree:
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 50, n).astype(float)
    return fast_pnn(rng.dirichlet(np.full(m, 0.4), n), weights=weights, **options)


CASES = {
    "random 0": lambda: random_tree(0),
    "random 1": lambda: random_tree(1, m=2),
    "random 2": lambda: random_tree(2, m=8),
    "many": lambda: random_tree(3, 5000),
    "few exact": lambda: random_tree(4, 3000, n_exact=64),
    "few kept": lambda: random_tree(5, 500, n_exact=20),
    "few points": lambda: random_tree(6, 9),
    "two points": lambda: random_tree(7, 2),
    "one point": lambda: random_tree(8, 1),
    "grid": lambda: fast_pnn(np.indices((8, 8)).reshape(2, -1).T.astype(float)),
    "too near to cost": lambda: fast_pnn([[0.0], [1e-170], [2e-170], [1.0], [3.0]]),
}


@pytest.fixture(params=CASES, scope="module")
def pair(request) -> tuple[MergeTree, Dendrogram]:
    tree = CASES[request.param]()
    return tree, dendrogram(ClusterHierarchy(tree))


def test_branches_never_cross(pair):
    drawn = pair[1]
    assert sorted(drawn.order) == list(range(drawn.n_leaves))
    for n in range(1, drawn.n_leaves + 1):
        owners, spans = drawn.rows(n)[drawn.order], drawn.spans(n)
        covered = np.concatenate([np.arange(first, last + 1) for first, last in spans])
        assert sorted(covered) == list(range(drawn.n_leaves))
        for row, (first, last) in enumerate(spans):
            assert (owners[first : last + 1] == row).all()


def test_bars_join_the_middles_of_what_they_join(pair):
    drawn = pair[1]
    assert np.isnan(drawn.bars()[0]).all()
    for n, bar in list(enumerate(drawn.bars()))[1:]:
        spans = drawn.spans(n + 1)
        for place, row, came_from in zip(bar[:2], (drawn.joins[n], n), bar[2:], strict=True):
            assert spans[row][0] <= place <= spans[row][1]
            if came_from:
                assert place == drawn.bars()[int(came_from)][:2].mean()
                assert came_from > n
            else:
                assert spans[row][0] == spans[row][1] == place


def test_costs_that_are_all_zero_or_all_equal_are_in_the_middle():
    for tree in (random_tree(7, 2), fast_pnn([[0.0], [1e-170]])):
        drawn = dendrogram(ClusterHierarchy(tree))
        assert drawn.n_leaves == 2
        assert drawn.heights().tolist() == [1.0, 0.5]
    assert drawn.cost_range == (0.0, 0.0)


def test_a_cut_at_n_is_where_there_are_n_clusters(pair):
    drawn = pair[1]
    heights = [*drawn.heights(), 0.0]
    for n in range(1, drawn.n_leaves + 1):
        assert heights[n - 1] >= drawn.cut(n) >= heights[n]
        if heights[n - 1] > heights[n]:
            assert drawn.n_at(drawn.cut(n)) == n
    assert drawn.n_at(1.0) == 1
    assert drawn.n_at(0.0) == drawn.n_leaves


def test_lines_below_the_cut_belong_to_the_clusters_over_them(pair):
    drawn = pair[1]
    for n in range(1, drawn.n_leaves + 1):
        lines, rows = drawn.lines(n)
        spans, cut = drawn.spans(n), drawn.cut(n)
        assert set(rows) - {-1} == set(range(n))
        for (x1, y1, x2, y2), row in zip(lines, rows, strict=True):
            assert y1 >= y2
            if row < 0:
                assert min(y1, y2) >= cut
            else:
                assert max(y1, y2) <= cut
                assert spans[row][0] <= min(x1, x2) <= max(x1, x2) <= spans[row][1]
        at_the_cut = [int(row) for line, row in zip(lines, rows, strict=True) if line[1] == cut]
        assert set(at_the_cut) >= set(range(n))


def test_merges_are_found_by_their_bars():
    drawn = dendrogram(ClusterHierarchy(random_tree(0)))
    heights = drawn.heights()
    for n, bar in list(enumerate(drawn.bars()))[1:]:
        assert drawn.merge_at(bar[:2].mean(), heights[n], (0.1, 0.0)) == n
        assert drawn.merge_at(bar[:2].max() + 0.2, heights[n], (0.1, 0.0)) != n
    assert drawn.merge_at(3.0, 0.01, (0.5, 0.02)) is None
    assert drawn.merge_at(3.0, 1.0, (0.5, 0.02)) is None


def test_fewer_leaves_are_the_top_of_the_same_tree():
    tree = random_tree(9)
    small, large = dendrogram(ClusterHierarchy(tree), n_most=5), dendrogram(ClusterHierarchy(tree))
    assert small.n_leaves == 5
    assert small.joins.tolist() == large.joins[:5].tolist()
    np.testing.assert_array_equal(small.costs, large.costs[:5])
    inner = [int(row) for row in large.order if row < 5]
    assert inner == small.order.tolist()


def test_heights_are_logarithms_of_costs(pair):
    drawn = pair[1]
    heights, costs = drawn.heights()[1:], drawn.costs[1:]
    assert drawn.heights()[0] == 1.0
    assert (np.diff(heights) <= 0).all()
    assert ((heights >= MARGIN) & (heights <= 1 - MARGIN)).all()
    low, high = drawn.cost_range
    above = costs >= low
    if high > low:
        expected = MARGIN + (1 - 2 * MARGIN) * np.log(costs[above] / low) / np.log(high / low)
        np.testing.assert_allclose(heights[above], expected, rtol=0, atol=1e-6)


def test_costs_of_nothing_are_at_the_foot():
    drawn = dendrogram(ClusterHierarchy(CASES["too near to cost"]()))
    assert drawn.costs[3:].tolist() == [0.0, 0.0]
    assert drawn.heights()[3:].tolist() == [MARGIN, MARGIN]
    assert drawn.heights()[1] == pytest.approx(1 - MARGIN)
