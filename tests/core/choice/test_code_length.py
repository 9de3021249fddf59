"""Code lengths and their parts, against plain loops."""

import numpy as np
import pytest

from latviz.core.choice import code_length as module
from latviz.core.choice.code_length import Emitted, block_edges, joint_counts
from latviz.core.data.fixed_point import to_fixed_point
from latviz.core.model.indices import contingency
from tests import naive
from tests.core import cases

SHAPES = [(60,), (17, 14), (5, 6, 7), (1, 1), (3, 2, 4, 5)]


def some_states(shape, n_states: int, seed: int):
    return cases.blocky(shape, n_states, seed)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n_states", [1, 3])
def test_symbols(shape, n_states):
    symbols, states = cases.blocky(shape, 4, 511), some_states(shape, n_states, 512)
    found = Emitted.of([symbols], [states], n_states, 4).code_length()
    wanted = naive.symbol_code_length(symbols, states, n_states, 4)
    assert found.bits == pytest.approx(wanted, rel=1e-12)
    assert found.sizes.sum() == symbols.size


@pytest.mark.parametrize("shape", SHAPES[:3])
@pytest.mark.parametrize("channels", [1, 3])
def test_vectors(shape, channels):
    lattice = to_fixed_point(cases.vectors(shape, channels, 513))
    vectors = lattice.offsets + lattice.scales * lattice.values
    states = some_states(shape, 3, 514)
    emitted = Emitted.of([lattice], [states], 4, channels)
    wanted = naive.vector_code_length(vectors, states, 4, emitted.floor)
    assert emitted.code_length().bits == pytest.approx(wanted, rel=1e-9)
    variance = vectors.reshape(-1, channels).var(axis=0).mean()
    np.testing.assert_allclose(emitted.floor, 1e-6 * variance, rtol=1e-6, atol=0.0)


@pytest.mark.parametrize("shape", SHAPES[:3])
def test_squared_error(shape):
    states = some_states(shape, 3, 514)
    symbols, vectors = cases.blocky(shape, 4, 511), cases.vectors(shape, 2, 513) + 1e3
    for lattice, rows, size in (
        (symbols, np.eye(4)[symbols.reshape(-1)], 4),
        (to_fixed_point(vectors), vectors.reshape(-1, 2), 2),
    ):
        groups = [rows[states.reshape(-1) == j] for j in range(3)]
        wanted = sum(((g - g.mean(axis=0)) ** 2).sum() for g in groups if len(g)) / len(rows)
        found = Emitted.of([lattice], [states], 4, size).squared_error()
        assert found == pytest.approx(wanted, rel=1e-5)


def test_bytes_have_the_variance_of_a_step():
    image = np.full((6, 7, 1), 9, np.uint8)
    image[2:4] = 200
    emitted = Emitted.of([to_fixed_point(image)], [np.zeros((6, 7), np.uint8)], 1, 1)
    assert emitted.floor == pytest.approx(1 / 12, rel=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_moved_is_what_is_summed_again(shape):
    """Of bytes, too, whose origin is not 0."""
    own = cases.vectors(shape, 2, 523)
    before, after = some_states(shape, 3, 524), some_states(shape, 3, 525)
    for vectors in map(to_fixed_point, (own, np.uint8(np.clip(200 + 20 * own, 0, 255)))):
        moved = Emitted.of([vectors], [before], 3, 2).moved([vectors], [before], [after])
        again = Emitted.of([vectors], [after], 3, 2)
        np.testing.assert_allclose(moved.values, again.values, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("shape", [*SHAPES, (150, 131), (9, 700)])
def test_several_decodings_are_counted_as_each_of_them(shape):
    lattices = [cases.blocky(shape, 4, seed) for seed in (531, 532)]
    sizes = [1, 2, 5]
    maps = [np.stack([some_states(shape, n, seed + n) for n in sizes]) for seed in (533, 550)]
    every = Emitted.of_each(lattices, maps, sizes, 4)
    for s, (n, found) in enumerate(zip(sizes, every, strict=True)):
        wanted = Emitted.of(lattices, [of_lattice[s] for of_lattice in maps], n, 4, max(sizes))
        np.testing.assert_array_equal(found.values, wanted.values)
        np.testing.assert_array_equal(found.sizes, wanted.sizes)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize(("n_one", "n_other"), [(16, 16), (16, 17), (1, 256), (255, 300)])
def test_joint_counts_of_few_values_and_of_many(dtype, n_one, n_other):
    rng = np.random.default_rng(570)
    if n_other > 256 and dtype is np.uint8:
        return
    one = rng.integers(0, n_one, (70, 97)).astype(np.uint8)
    other = rng.integers(0, n_other, (70, 97)).astype(dtype)
    wanted = np.zeros((n_one, n_other), int)
    np.add.at(wanted, (one, other), 1)
    np.testing.assert_array_equal(contingency(one, other, n_one, n_other), wanted)
    edges = block_edges(one.shape, n_one * n_other)
    found = joint_counts(one[None], other, [n_one], n_other, edges)
    assert found.shape == (1, (edges[0].size - 1) * (edges[1].size - 1), n_one, n_other)
    np.testing.assert_array_equal(found.sum(axis=(0, 1)), wanted)


def test_errors_are_of_the_spread_of_the_blocks():
    rng = np.random.default_rng(523)
    spread = []
    for _ in range(60):
        symbols = rng.integers(2, size=(64, 64)).astype(np.uint8)
        symbols[rng.random((64, 64)) < 0.3] = 0
        length = Emitted.of([symbols], [np.zeros((64, 64), np.uint8)], 1, 2).code_length()
        spread.append((length.bits, length.standard_error))
    bits, errors = np.array(spread).T
    assert errors.mean() == pytest.approx(bits.std(), rel=0.35)
    assert length.gain_error(length) == 0.0


def test_a_block_is_whole_in_one_thread():
    lattice, states = to_fixed_point(cases.vectors((50, 60), 3, 524)), some_states((50, 60), 3, 525)
    cases.assert_same_with_threads(lambda: Emitted.of([lattice], [states], 3, 3).values, (1, 3))


def test_blocks_are_fewer_where_there_is_much_to_hold(monkeypatch):
    rows, columns = block_edges((100, 100), 24)
    assert (rows.size, columns.size) == (9, 9)
    monkeypatch.setattr(module, "_ROOM", 1)
    rows, columns = block_edges((100, 100), 24)
    assert (rows.size, columns.size) == (3, 3)
    assert block_edges((100,), 24)[1].size == 5
