import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage

from latviz.core import ParameterError, fast_pnn
from latviz.core.data import quantization
from latviz.core.data.quantization import merge_in_cells, merge_to
from tests import naive
from tests.core import cases
from tests.core.cases import assert_same_rows
from tests.products import every_pair

SIZES = [1, 2, 3, 5, 8, 20, 60]


def scattered(n, n_channels, seed):
    """Return points about a few centres."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(6, n_channels)) * 3
    return centres[rng.integers(6, size=n)] + rng.normal(size=(n, n_channels))


def signatures(n_symbols, seed, window=2):
    """Return the signatures of a lattice: few distinct values, many equal costs."""
    o = cases.blocky((16, 15), n_symbols, seed)
    return naive.signature_discrete(o, window, n_symbols).reshape(-1, n_symbols)


SETS = {
    "line": (scattered(120, 1, 61), None),
    "plane": (scattered(200, 2, 62), None),
    "eight channels": (scattered(300, 8, 63), None),
    "weighted": (scattered(150, 3, 64), np.random.default_rng(65).uniform(0.1, 9.0, 150)),
    "spread weights": (
        scattered(100, 2, 66),
        10.0 ** np.random.default_rng(67).uniform(-3, 3, 100),
    ),
    "offset": (scattered(120, 2, 68) + 1000.0, None),
    "signatures of 2": (signatures(2, 69), None),
    "signatures of 3": (signatures(3, 70), None),
    "signatures of 8": (signatures(8, 71), None),
    "repeated": (np.repeat(scattered(40, 2, 72), 3, axis=0), None),
    "two points": (np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1.0, 3.0])),
    "one point": (np.array([[0.25, 0.75]]), None),
}


@pytest.fixture(scope="module", params=SETS)
def run(request):
    """Return points, weights and the tree of each small set."""
    points, weights = SETS[request.param]
    return points, weights, fast_pnn(points, weights=weights)


@pytest.fixture(scope="module")
def large():
    """Return more points than exact merging takes twice, and both trees."""
    points = scattered(2100, 3, 73)
    return points, fast_pnn(points), naive.ExactPNN(points)


def clusters(tree, k):
    return tree.codebook(k), tree.weights_of(k)


def some_sizes(tree):
    """Return the small codebooks' sizes, every fourth beyond, and the largest."""
    sizes = (*range(2, 30), *range(30, tree.n_max, 4), tree.n_max)
    return sorted({k for k in sizes if 2 <= k <= tree.n_max})


def test_the_oracle_agrees_with_ward_s_linkage():
    points = scattered(150, 3, 74)
    heights = linkage(points, method="ward")[:, 2]
    np.testing.assert_allclose(naive.ExactPNN(points).costs, heights**2 / 2, rtol=1e-9, atol=0)


@pytest.mark.parametrize(
    "name", ["line", "plane", "eight channels", "weighted", "spread weights", "offset"]
)
def test_few_points_are_merged_exactly(name):
    points, weights = SETS[name]
    tree, exact = fast_pnn(points, weights=weights), naive.ExactPNN(points, weights)
    np.testing.assert_allclose(tree.costs, exact.costs, rtol=1e-5, atol=1e-9)
    for k in [*SIZES, len(points) - 1, len(points)]:
        assert exact.is_decided(k, rtol=1e-9)
        assert_same_rows(tree.codebook(k), exact.codebook(k), rtol=1e-5, atol=1e-9)


def test_every_merge_is_the_cheapest(run):
    """Costs never fall, as they would where the cheapest pair is merged later: some k will do."""
    _, _, tree = run
    assert (np.diff(tree.costs) >= -1e-9 * tree.costs[:-1] - 1e-12).all()
    for k in some_sizes(tree):
        least = naive.least_merge_cost(*clusters(tree, k))
        np.testing.assert_allclose(tree.costs[tree.n_max - k], least, rtol=1e-6, atol=1e-9)


def test_from_the_distinct_points_to_their_mean(run):
    points, weights, tree = run
    wanted, masses = naive.distinct(points, weights)
    assert tree.n_max == len(wanted)
    assert tree.costs.shape == (len(wanted) - 1,)
    assert_same_rows(tree.codebook(tree.n_max), wanted, rtol=1e-12, atol=0)
    found = np.sort(tree.weights_of(tree.n_max))
    np.testing.assert_allclose(found, np.sort(masses), rtol=1e-12, atol=0)
    mean = np.average(points, axis=0, weights=weights)
    np.testing.assert_allclose(tree.codebook(1), mean[None], rtol=1e-9, atol=1e-12)
    assert_scattered(points, weights, tree)


def assert_scattered(points, weights, tree):
    """Assert that costs add up to the scatter of the points."""
    weights = np.ones(len(points)) if weights is None else weights
    scatter = naive.squared_error(points, weights, tree.codebook(1))
    np.testing.assert_allclose(tree.costs.sum(), scatter, rtol=1e-9, atol=1e-12)


def test_one_row_is_split_from_each_codebook_to_the_next(run):
    _, _, tree = run
    for k in some_sizes(tree):
        assert_split(*clusters(tree, k - 1), *clusters(tree, k), tree.costs[tree.n_max - k])


def assert_split(parents, masses, children, parts, cost):
    k = len(parents)
    changed = np.flatnonzero((children[:k] != parents).any(axis=1) | (parts[:k] != masses))
    assert len(changed) == 1
    i = changed[0]
    assert parts[i] >= parts[k]
    np.testing.assert_allclose(parts[i] + parts[k], masses[i], rtol=1e-12, atol=0)
    mean = (parts[i] * children[i] + parts[k] * children[k]) / masses[i]
    np.testing.assert_allclose(mean, parents[i], rtol=1e-9, atol=1e-12)
    wanted = naive.merge_cost(parts[i], children[i], parts[k], children[k])
    np.testing.assert_allclose(cost, wanted, rtol=1e-6, atol=1e-9)


def test_weights_stand_for_repeated_points():
    points = scattered(80, 2, 75)
    counts = np.random.default_rng(76).integers(1, 6, size=80)
    weighted = fast_pnn(points, weights=counts.astype(float))
    repeated = fast_pnn(np.repeat(points, counts, axis=0))
    np.testing.assert_allclose(weighted.costs, repeated.costs, rtol=1e-9, atol=1e-12)
    for k in SIZES:
        np.testing.assert_allclose(
            weighted.codebook(k), repeated.codebook(k), rtol=1e-9, atol=1e-12
        )
        np.testing.assert_allclose(
            weighted.weights_of(k), repeated.weights_of(k), rtol=1e-12, atol=0
        )


@st.composite
def multisets(draw):
    """Draw points of few levels, so that distances and costs tie, and their weights, if any."""
    n, n_channels = draw(st.integers(1, 60)), draw(st.integers(1, 4))
    seed, levels = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([2, 5, 40]))
    rng = np.random.default_rng(seed)
    repeated = draw(st.sampled_from([1, 1, 60]))  # more than exact merging takes
    points = rng.integers(0, levels, (n * repeated, n_channels)) / draw(st.sampled_from([1.0, 3.0]))
    weights = rng.integers(1, 5, len(points)) / 7.0 if draw(st.booleans()) else None
    return points, weights, rng.permutation(len(points))


@settings(max_examples=30)
@given(multisets(), st.sampled_from([1, 4, 1024]))
def test_the_order_of_the_points_changes_no_bit(drawn, n_exact):
    points, weights, order = drawn
    one = fast_pnn(points, weights=weights, n_exact=n_exact)
    other = fast_pnn(
        points[order], weights=None if weights is None else weights[order], n_exact=n_exact
    )
    np.testing.assert_array_equal(one.costs, other.costs)
    for k in {1, min(3, one.n_max), one.n_max}:
        np.testing.assert_array_equal(one.codebook(k), other.codebook(k))
        np.testing.assert_array_equal(one.weights_of(k), other.weights_of(k))


@pytest.mark.parametrize("n_channels", [1, 3])
def test_the_order_of_many_points_changes_no_bit(n_channels):
    """More than one thread merges, with and without ties."""
    rng = np.random.default_rng(77)
    for points in (rng.random((30_000, n_channels)), rng.integers(0, 9, (30_000, n_channels)) / 9):
        one, other = fast_pnn(points), fast_pnn(rng.permutation(points))
        np.testing.assert_array_equal(one.costs, other.costs)
        np.testing.assert_array_equal(one.codebook(one.n_max), other.codebook(one.n_max))


@pytest.mark.parametrize("n_channels", [1, 3])
def test_cells_do_not_depend_on_the_order_of_the_points(monkeypatch, n_channels):
    monkeypatch.setattr(quantization, "IN_BLOCK", 1000)
    points = scattered(4000, n_channels, 90)
    order = np.random.default_rng(91).permutation(len(points))
    one, other = merge_in_cells(points, 0.3), merge_in_cells(points[order], 0.3)
    for found, wanted in zip(
        map(sorted, map(list, other[0].T)), map(sorted, one[0].T), strict=True
    ):
        np.testing.assert_array_equal(found, wanted)


def test_points_of_one_hash_are_told_apart(monkeypatch):
    """Values decide the order of points whose hashes are the same."""
    numbered = quantization.numbered

    def colliding(rows):
        number, first, keys = numbered(rows)
        return number, first, keys & np.uint64(3)

    points = scattered(500, 2, 92)
    monkeypatch.setattr(quantization, "numbered", colliding)
    one, other = fast_pnn(points, n_exact=5), fast_pnn(points[::-1], n_exact=5)
    np.testing.assert_array_equal(one.costs, other.costs)
    np.testing.assert_array_equal(one.codebook(5), other.codebook(5))


def test_the_squared_error_is_near_that_of_exact_merging(large):
    points, tree, exact = large
    assert_scattered(points, None, tree)
    for k in (2, 4, 8, 16, 64, 256, 512, 1024):  # where exact merging begins it is farther
        found, wanted = (
            naive.squared_error(points, np.ones(len(points)), one.codebook(k))
            for one in (tree, exact)
        )
        assert found < (1.5 if k == 1024 else 1.1) * wanted, k


def test_below_the_limit_the_large_tree_is_nested_and_merges_the_cheapest_too(large):
    _, tree, _ = large
    assert tree.n_max == 1024
    for k in [*range(2, 200, 3), 500, 1000, 1024]:
        least = naive.least_merge_cost(*clusters(tree, k))
        np.testing.assert_allclose(tree.costs[-(k - 1)], least, rtol=1e-6, atol=1e-9)
    for k in [*range(1, 100), 511, 1022, 1023]:
        assert_split(*clusters(tree, k), *clusters(tree, k + 1), tree.costs[-k])


def test_equal_points_are_one_point_which_is_left_alone():
    points, weights = np.tile([[1.0, 2.0]], (3000, 1)), np.ones(3000)
    tree = fast_pnn(points, weights=weights)
    assert tree.n_max == 1
    assert tree.costs.size == 0
    np.testing.assert_allclose(tree.codebook(1), [[1.0, 2.0]], rtol=1e-12, atol=0)
    np.testing.assert_allclose(tree.weights_of(1), [3000.0], rtol=1e-12, atol=0)
    assert fast_pnn([[0.0, 1.0], [-0.0, 1.0]]).n_max == 1
    moved, heavy = scattered(1500, 2, 85), np.full(1500, 2.0)
    before = moved.copy()
    fast_pnn(moved, weights=heavy)
    np.testing.assert_array_equal(moved, before)
    np.testing.assert_array_equal(heavy, np.full(1500, 2.0))


@pytest.mark.parametrize("k", [0, -1, 4, 1000])
def test_a_codebook_of_no_such_size(k):
    tree = fast_pnn([[0.0], [1.0], [5.0]])
    for ask in (tree.codebook, tree.weights_of, tree.joins):
        with pytest.raises(ParameterError, match=rf"(?<!\d){k}\b"):
            ask(k)


@pytest.mark.parametrize(
    ("points", "weights", "given"),
    [
        (np.zeros((3, 2, 2)), None, r"\(3, 2, 2\)"),
        (np.zeros(5), None, r"\(5,\)"),
        (np.zeros((0, 2)), None, r"\(0, 2\)"),
        (np.zeros((3, 0)), None, r"\(3, 0\)"),
        ([[0.0], [np.nan]], None, r"\bnan\b"),
        ([[0.0], [np.inf]], None, r"\binf\b"),
        ([[0.0], [1.0]], [1.0, 1.0, 1.0], r"\(3,\)"),
        ([[0.0], [1.0]], [1.0, 0.0], r"got 0\.0"),
        ([[0.0], [1.0]], [1.0, -2.5], r"-2\.5"),
        ([[0.0], [1.0]], [1.0, np.nan], r"\bnan\b"),
    ],
)
def test_unusable_points_and_weights(points, weights, given):
    with pytest.raises(ParameterError, match=given):
        fast_pnn(points, weights=weights)


def test_merging_stops_where_it_is_told():
    points = np.random.default_rng(80).dirichlet(np.ones(4), 3000)
    centroids, weights = merge_to(points, 500)
    assert centroids.shape == (500, 4)
    assert weights.sum() == 3000
    mean = weights @ centroids / 3000
    np.testing.assert_allclose(mean, points.mean(axis=0), rtol=1e-12, atol=0)
    few = np.repeat(points[:7], 3, axis=0)
    centroids, weights = merge_to(few, 500)
    np.testing.assert_array_equal(np.sort(centroids[:, 0]), np.sort(points[:7, 0]))
    np.testing.assert_array_equal(weights, np.full(7, 3.0))


@pytest.mark.parametrize(
    ("n_channels", "side", "weighted"), every_pair([1, 3], [1e-9, 0.25, 1.5, 1e9], [False, True])
)
def test_points_in_the_same_cell_are_merged(monkeypatch, n_channels, side, weighted):
    """Cells are the same for points in blocks or all at once."""
    points = np.concatenate([scattered(700, n_channels, 88), np.zeros((2, n_channels))])
    points[-1] = -0.0
    rng = np.random.default_rng(89)
    weights = rng.uniform(0.5, 3.0, len(points)) if weighted else np.ones(len(points))
    cells = {}
    for point, weight in zip(points, weights, strict=True):
        cells.setdefault(tuple(math.floor(x / side) for x in point), []).append((weight, point))
    wanted = [math.fsum(w for w, _ in inside) for inside in cells.values()]
    means = [
        [math.fsum(w * p[c] for w, p in inside) / total for c in range(n_channels)]
        for total, inside in zip(wanted, cells.values(), strict=True)
    ]
    for block in (1 << 17, 100):
        monkeypatch.setattr(quantization, "IN_BLOCK", block)
        centroids, masses = merge_in_cells(points, side, weights if weighted else None)
        np.testing.assert_allclose(masses, wanted, rtol=1e-12, atol=0)
        np.testing.assert_allclose(centroids, means, rtol=1e-9, atol=side / quantization.IN_CELL)


@pytest.mark.parametrize("side", [0, -1.0, math.nan, math.inf, 1e-200])
def test_cells_of_no_such_side(side):
    with pytest.raises(ParameterError, match="side"):
        merge_in_cells([[0.0], [1.0]], side)


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_joins_are_the_last_merges(n):
    tree = fast_pnn(scattered(60, 3, 82))
    rows, costs = tree.joins(n)
    assert rows.shape == costs.shape == (n,)
    assert rows[0] == -1
    assert np.isnan(costs[0])
    for k in range(1, n):
        before, masses = tree.codebook(k + 1), tree.weights_of(k + 1)
        i, total = rows[k], masses[rows[k]] + masses[k]
        assert 0 <= i < k
        assert masses[i] >= masses[k]
        wanted = before[:k].copy()
        wanted[i] = (masses[i] * before[i] + masses[k] * before[k]) / total
        np.testing.assert_allclose(tree.codebook(k), wanted, rtol=1e-12, atol=1e-12)
        cost = naive.merge_cost(masses[i], before[i], masses[k], before[k])
        assert costs[k] == pytest.approx(cost, rel=1e-9)
        assert cost == pytest.approx(naive.least_merge_cost(before, masses), rel=1e-9)
