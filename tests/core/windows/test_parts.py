"""Parts of a lattice give the results of the whole."""

import numpy as np
import pytest

from latviz.core import Cancelled, DiscreteModel, GaussianModel
from latviz.core.data.data_set import as_data_set
from latviz.core.data.fixed_point import to_fixed_point
from latviz.core.data.lattice import middle_of, spread_over
from latviz.core.data.quantization import merge_in_cells
from latviz.core.model import learning
from latviz.core.progress import Share
from latviz.core.windows.parts import around, bands, signatures_of_rows
from latviz.core.windows.signature import window_signature
from tests.core import cases


@pytest.mark.parametrize("window", [0, 2, 40])
@pytest.mark.parametrize("shape", [(50,), (23, 17), (9, 8, 7)], ids=str)
def test_signatures_of_rows_are_those_of_the_lattice(shape, window):
    symbols = cases.blocky(shape, 4, 90)
    vectors = to_fixed_point(cases.vectors(shape, 2, 91))
    for lattice, n in ((symbols, 4), (vectors, 2)):
        whole = window_signature(lattice, n_symbols=n, window=window)
        for rows in (slice(0, 1), slice(3, 8), slice(shape[0] - 2, shape[0])):
            found = signatures_of_rows(lattice, n, window, rows)
            np.testing.assert_array_equal(found, whole[rows])


def test_bands_cover_the_rows():
    assert list(bands((10, 100), 300)) == [slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 10)]
    assert list(bands((10, 100), 300, 6)) == [slice(0, 6), slice(6, 10)]
    assert list(bands((3, 100), 7)) == [slice(0, 1), slice(1, 2), slice(2, 3)]
    assert list(bands((7,), 4)) == [slice(0, 4), slice(4, 7)]


def test_a_part_is_no_smaller_than_a_window_if_the_lattice_is_not():
    part, inner = around(np.zeros((40, 9), dtype=np.uint8), (slice(0, 1), slice(0, 2)), 6)
    assert part.shape == (13, 9)
    assert inner == (slice(0, 1), slice(0, 2))


def squared_error(points, codebook):
    return ((points[:, None] - codebook) ** 2).sum(axis=2).min(axis=1).sum()


@pytest.mark.parametrize("kind", ["symbols", "vectors"])
def test_learning_in_parts_is_as_good_as_at_once(monkeypatch, kind):
    if kind == "symbols":
        lattices = [cases.blocky((80, 60), 5, 92), cases.blocky((30, 70), 5, 93)]
        model, options = DiscreteModel, {"n_symbols": 5}
    else:
        lattices = [cases.vectors((80, 60), 3, 92), cases.vectors((30, 70), 3, 93)]
        model, options = GaussianModel, {}
    at_once = model.fit(lattices, n_states=6, window=2, **options)
    monkeypatch.setattr(learning, "PART", 1000)
    monkeypatch.setattr(learning, "PART_CLUSTERS", 300)
    in_parts = model.fit(lattices, n_states=6, window=2, **options)
    points = np.concatenate([at_once.signature(o).reshape(-1, at_once.n_symbols) for o in lattices])
    best = squared_error(points, at_once.codebook)
    assert squared_error(points, in_parts.codebook) <= 1.05 * best
    assert not np.array_equal(at_once.codebook, in_parts.codebook)


def test_many_small_lattices_are_merged_before_all_are_together(monkeypatch):
    lattices = [cases.blocky((15, 20), 5, 92 + k) for k in range(20)]
    options = {"n_states": 6, "window": 2, "n_symbols": 5}
    at_once = DiscreteModel.fit(lattices, **options)
    monkeypatch.setattr(learning, "PART", 1000)
    monkeypatch.setattr(learning, "PART_CLUSTERS", 100)
    sizes, learn = [], learning.fast_pnn

    def spied(points, weights, progress=None):
        sizes.append(len(points))
        assert weights.sum() == 20 * 300
        return learn(points, weights=weights, progress=progress)

    monkeypatch.setattr(learning, "fast_pnn", spied)
    in_parts = DiscreteModel.fit(lattices, **options)
    assert sizes == [7 * 100]  # three lattices of 300 nodes in each part
    points = np.concatenate([at_once.signature(o).reshape(-1, 5) for o in lattices])
    best = squared_error(points, at_once.codebook)
    assert squared_error(points, in_parts.codebook) <= 1.05 * best


@pytest.mark.parametrize("outlier", [None, 1e4])
@pytest.mark.parametrize("n_channels", [1, 3])
def test_learning_in_cells_is_as_good_as_without(monkeypatch, n_channels, outlier):
    """Cells stay fine where a few nodes are far from all others."""
    v = cases.vectors((110, 100), n_channels, 94)
    if outlier:
        v[:4, :4] += outlier
    at_once = GaussianModel.fit(v, n_states=6, window=1)
    monkeypatch.setattr(learning, "IN_CELLS", 1000)
    monkeypatch.setattr(learning, "PART", 3000)
    merged = []

    def spied(points, side, weights=None):
        merged.append(merge_in_cells(points, side, weights))
        return merged[-1]

    monkeypatch.setattr(learning, "merge_in_cells", spied)
    tree = learning.learn_tree([to_fixed_point(v)], n_channels, 1)
    points = at_once.signature(v).reshape(-1, n_channels)
    best = squared_error(points, at_once.codebook)
    assert squared_error(points, tree.codebook(6)) <= 1.03 * best
    np.testing.assert_allclose(tree.codebook(1)[0], points.mean(axis=0, dtype=float), rtol=1e-5)
    assert tree.weights_of(6).sum() == points.shape[0]
    # Points merged in cells at the end represent all nodes, and nearly all of the variance.
    centroids, weights = merged[-1]
    assert weights.sum() == points.shape[0]
    mean = weights @ centroids / weights.sum()
    between = weights @ ((centroids - mean) ** 2).sum(axis=1)
    total = points.astype(float).var(axis=0).sum() * points.shape[0]
    assert -1e-6 <= 1 - between / total <= 2e-4


def test_few_distinct_signatures_are_not_merged_in_cells(monkeypatch):
    """Two values that hardly differ stay apart, however far the third is."""
    v = np.zeros((60, 70, 1))
    v[:, 20:40], v[:, 40:] = 1.0, 1e5
    monkeypatch.setattr(learning, "IN_CELLS", 1000)
    tree = learning.learn_tree([to_fixed_point(v)], 1, 0)
    np.testing.assert_allclose(np.sort(tree.codebook(3)[:, 0]), [0.0, 1.0, 1e5], rtol=0, atol=0.01)


@pytest.mark.parametrize("in_cells", [False, True])
def test_learning_in_parts_reports_and_stops(monkeypatch, in_cells):
    if in_cells:
        monkeypatch.setattr(learning, "IN_CELLS", 1000)
        monkeypatch.setattr(learning, "_cell_side", lambda *_: 0.1)
    monkeypatch.setattr(learning, "PART", 1000)
    monkeypatch.setattr(learning, "PART_CLUSTERS", 100)
    watch = cases.Watch()
    if in_cells:
        model, lattice, options = GaussianModel, cases.vectors((80, 60), 2, 92), {}
    else:
        model, lattice, options = DiscreteModel, cases.blocky((80, 60), 5, 92), {"n_symbols": 5}
    model.fit(lattice, n_states=3, window=2, **options, progress=watch)
    assert watch.fractions == sorted(watch.fractions)
    assert watch.fractions[0] == 0.0
    assert 0.8 < watch.fractions[-1] <= 1.0
    for patience in range(10**6 - watch.patience):
        with pytest.raises(Cancelled):
            model.fit(lattice, n_states=3, window=2, **options, progress=cases.Watch(patience))


def test_a_share_is_a_part_of_the_whole():
    watch = cases.Watch(1)
    share = Share(watch, 2, 4)
    share.report(0.5)
    assert watch.fractions == [0.625]
    assert not share.cancelled()
    assert share.cancelled()


def test_the_middle():
    assert middle_of((5, 4000), 100) == (slice(2, 3), slice(1950, 2050))
    assert middle_of((4000, 5), 100) == (slice(1950, 2050), slice(2, 3))
    assert middle_of((7, 9), 100) == (slice(0, 7), slice(0, 9))
    assert middle_of((500,), 100) == (slice(200, 300),)
    assert middle_of((40, 40, 40), 1000) == 3 * (slice(15, 25),)
    assert [s.stop - s.start for s in middle_of((4, 100, 100), 1000)] == [2, 22, 22]


def test_the_middle_of_a_data_set():
    symbols = cases.blocky((60, 90), 3, 598)
    one = as_data_set(symbols, kind="discrete", n_symbols=3)
    assert one.middle(5400) is one
    (middle,) = one.middle(600).lattices
    region = middle_of((60, 90), 600)
    np.testing.assert_array_equal(middle, symbols[region])
    many = as_data_set([symbols[:6, :10] + k % 2 for k in range(100)], kind="discrete", n_symbols=4)
    some = many.middle(600)
    assert [lattice.shape for lattice in some.lattices] == 10 * [(6, 10)]
    shuffled = as_data_set(list(many.lattices)[::-1], kind="discrete", n_symbols=4).middle(600)
    counts = [np.sort(np.ravel(found.lattices)) for found in (some, shuffled)]
    np.testing.assert_array_equal(*counts)
    vectors = as_data_set(symbols.astype(float), kind="gaussian", scalar=True)
    np.testing.assert_array_equal(
        vectors.middle(600).lattices[0].values, vectors.lattices[0].values[region]
    )
    assert all(n > 0 for n in one.middle(1).shapes[0])


def test_parts_that_are_spread_over_a_data_set():
    symbols = cases.blocky((60, 90), 3, 598)
    one = as_data_set(symbols, kind="discrete", n_symbols=3)
    assert one.spread(5400) is one
    assert spread_over((60, 90), 600) == [
        (slice(a, a + 10), slice(b, b + 15)) for a in (10, 40) for b in (15, 60)
    ]
    for lattice, (rows, columns) in zip(
        one.spread(600).lattices, spread_over((60, 90), 600), strict=True
    ):
        np.testing.assert_array_equal(lattice, symbols[rows, columns])
    assert spread_over((1, 400), 100) == [
        (slice(0, 1), slice(75, 125)),
        (slice(0, 1), slice(275, 325)),
    ]
    assert len(spread_over((40, 40, 40), 1000)) == 8
    assert [lattice.size for lattice in one.spread(1).lattices] == 4 * [2]  # of 30 x 45 nodes
    vectors = as_data_set(symbols.astype(float), kind="gaussian", scalar=True)
    assert sum(vectors.spread(600).values[k].size for k in range(4)) == 600
    many = as_data_set([symbols[:6, :10] + k % 2 for k in range(100)], kind="discrete", n_symbols=4)
    assert many.spread(600).shapes == many.middle(600).shapes
