"""Sums in vectors of eight lanes are those of plain loops, in every type that they are held in."""

import re
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latviz.core import inertia, local_inertia
from latviz.core.data.fixed_point import to_fixed_point
from latviz.core.kernels import vectors
from latviz.core.windows.decoding import decode
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.scores import scores
from tests import naive
from tests.core import cases

SHAPES = st.one_of(
    st.tuples(st.integers(1, 70)),
    st.tuples(st.integers(1, 9), st.integers(1, 20)),
    st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 6)),
)
WINDOWS = st.one_of(st.integers(0, 5), st.integers(6, 200))
SMALL, MIDDLE, LARGE = (np.int32, np.int32), (np.int32, np.float64), (np.float64, np.float64)
KINDS = [
    ((7, 6), 1, SMALL),
    ((1, 200), 127, SMALL),
    ((255,), 127, SMALL),
    ((15, 30), 7, SMALL),
    ((5, 6, 9), 2, SMALL),
    ((300,), 128, MIDDLE),
    ((20, 33), 8, MIDDLE),
    ((1023, 3), 1022, MIDDLE),
    ((8, 9, 10), 3, MIDDLE),
    ((1030, 2), 512, LARGE),
    ((35, 33, 2), 16, LARGE),
    ((33, 35, 9), 40, LARGE),
]
"""Shapes and windows, and the types in which their columns and totals are summed."""


def some_nodes(shape, rng, count=12):
    """Return the corners of a lattice and some nodes of it, by axis."""
    corners = [np.array([0, length - 1]) for length in shape]
    grid = np.stack([axis.reshape(-1) for axis in np.meshgrid(*corners)])
    return np.concatenate([grid, [rng.integers(0, n, count) for n in shape]], axis=1)


def decoded(lattice, codebook, window):
    """Return the states, which are the same on one thread and on two."""
    one, other = cases.on_threads((1, 2), lambda: decode(lattice, codebook, window))
    np.testing.assert_array_equal(one, other)
    return one


def assert_nearest(states, o, B, window, rng):
    """Assert that some nodes' states are nearest to their signatures, but for 1e-6."""
    nodes = some_nodes(o.shape, rng)
    x = [naive.signature_at(o, t, window, B.shape[1]) for t in nodes.T.tolist()]
    cases.assert_same_states(states[tuple(nodes)], np.array(x), B)


@settings(max_examples=100)
@given(
    shape=SHAPES,
    window=WINDOWS,
    n_states=st.integers(1, 40),
    n_symbols=st.one_of(st.integers(1, 9), st.integers(10, 300)),
    seed=st.integers(0, 1000),
    spread=st.sampled_from([1.0, 1e-3, 3e-6]),
)
def test_states_are_those_of_the_oracle(shape, window, n_states, n_symbols, seed, spread):
    rng = np.random.default_rng(seed)
    o = cases.blocky(shape, min(n_symbols, 255), seed).astype(np.uint16)
    o[rng.random(shape) < 0.2] = n_symbols - 1
    o = o.astype(np.uint8) if n_symbols <= 256 else o
    B = (1 - spread) * rng.dirichlet(np.ones(n_symbols)) + spread * rng.dirichlet(
        np.ones(n_symbols), n_states
    )
    assert_nearest(decoded(o, B, window), o, B, window, rng)


@settings(max_examples=60)
@given(
    shape=SHAPES,
    window=WINDOWS,
    n_states=st.integers(1, 30),
    n_symbols=st.integers(1, 4),
    seed=st.integers(0, 1000),
)
def test_ties_go_to_the_smallest_state(shape, window, n_states, n_symbols, seed):
    """Codewords of quarters tie exactly, and some are there several times."""
    rng = np.random.default_rng(seed)
    o = rng.integers(0, n_symbols, shape).astype(np.uint8)
    B = rng.multinomial(4, np.ones(n_symbols) / n_symbols, n_states) / 4
    wanted, _ = naive.decode_exactly(o, window, B)
    np.testing.assert_array_equal(decode(o, B, window), wanted)


def test_there_are_ties_within_groups_of_states_and_between_them():
    o = cases.white((12, 17), 3, 5)
    turned = np.array([[4, 0, 0], [0, 4, 0], [0, 0, 4], [2, 2, 0], [0, 2, 2], [2, 0, 2]]) / 4
    B = np.concatenate([turned, turned[::-1], turned])
    wanted, n_ties = naive.decode_exactly(o, 1, B)
    np.testing.assert_array_equal(decode(o, B, 1), wanted)
    assert n_ties == o.size
    assert set(np.unique(wanted)) == set(range(6))
    np.testing.assert_array_equal(decode(o, np.roll(B, 9, axis=0)[9:], 1), wanted)


@pytest.mark.parametrize(("shape", "window", "kind"), KINDS, ids=str)
@pytest.mark.parametrize("n_states", [2, 9])
def test_every_type_of_sums(shape, window, kind, n_states):
    rng = np.random.default_rng(7)
    o, B = cases.blocky(shape, 5, 8), cases.random_symbols(n_states, 5, 9)
    found = scores(shape, B, (window,) * len(shape))
    assert (found.sums, found.keys) == kind
    states = decode(o, B, window)
    assert_nearest(states, o, B, window, rng)
    nodes = some_nodes(shape, rng)
    totals = totals_at(o, 5, window, tuple(nodes))
    np.testing.assert_array_equal(totals.decode(B), states[tuple(nodes)])


@pytest.mark.parametrize(("shape", "window", "kind"), KINDS, ids=str)
def test_the_greatest_and_the_closest_scores(shape, window, kind):
    """Corners of the simplex have the greatest; the last pair differs by 1.5e-6 only."""
    one = [0.25 + 1.5e-6, 0.25 - 1.5e-6, 0.5]
    B = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.25, 0.25, 0.5], one])
    for symbol in range(3):
        o = np.full(shape, symbol, np.uint8)
        assert (decode(o, B, window) == symbol).all()
        wanted = [1, 0, 0][symbol]  # symbols 0 are nearer to `one`, by 2 * 1.5e-6
        assert (decode(o, B[3:], window) == wanted).all()


@settings(max_examples=100)
@given(
    shape=SHAPES,
    window=WINDOWS,
    n_states=st.integers(1, 40),
    n_channels=st.integers(1, 6),
    kind=st.sampled_from([np.uint8, np.float32, np.float64]),
    seed=st.integers(0, 1000),
)
def test_states_of_vectors_are_those_of_the_oracle(shape, window, n_states, n_channels, kind, seed):
    rng = np.random.default_rng(seed)
    v = cases.vectors(shape, n_channels, seed)
    v = np.clip(10 * v + 100, 0, 255).astype(kind) if kind == np.uint8 else v.astype(kind)
    means = rng.uniform(v.min() - 0.1, v.max() + 0.1, (n_states, n_channels))
    lattice, nodes = to_fixed_point(v), some_nodes(shape, rng)
    states = decoded(lattice, means, window)[tuple(nodes)]
    x = [naive.mean_at(v, t, window) for t in nodes.T.tolist()]
    cases.assert_same_states(states, np.array(x), means, 1e-6 * max(1.0, float(np.ptp(v)) ** 2))
    totals = totals_at(lattice, n_channels, window, tuple(nodes))
    np.testing.assert_array_equal(totals.decode(means), states)


@settings(max_examples=60)
@given(
    shape=SHAPES,
    window=st.integers(0, 4),
    n_states=st.integers(1, 20),
    n_channels=st.integers(1, 4),
    seed=st.integers(0, 1000),
)
def test_ties_of_vectors_go_to_the_smallest_state(shape, window, n_states, n_channels, seed):
    rng = np.random.default_rng(seed)
    v = rng.integers(0, 4, (*shape, n_channels)).astype(np.uint8)
    means = rng.integers(0, 7, (n_states, n_channels)) / 2
    wanted, _ = naive.decode_vectors_exactly(v, window, means)
    np.testing.assert_array_equal(decode(to_fixed_point(v), means, window), wanted)


def test_a_channel_in_which_means_are_alike_adds_nothing_however_large():
    rng = np.random.default_rng(4)
    small = rng.integers(0, 2, (20, 30)) + 0.0
    v = np.stack([1e9 * rng.integers(0, 2, small.shape), small], axis=-1)
    means = np.array([[3e8, 0.5 + 1e-6], [3e8, 0.5 - 1e-6]])
    wanted = np.where(small > 0.5, 0, 1)
    np.testing.assert_array_equal(decode(to_fixed_point(v), means, 0), wanted)


@settings(max_examples=60)
@given(shape=SHAPES, window=WINDOWS, n_states=st.integers(1, 40), seed=st.integers(0, 1000))
def test_inertia_is_that_of_the_oracle(shape, window, n_states, seed):
    states = cases.blocky(shape, n_states, seed)
    wanted = naive.local_inertia(states, n_states, window)
    for ask, expected in ((local_inertia, wanted), (inertia, wanted.mean())):
        given = {"n_states": n_states, "window": window}
        for found in cases.on_threads((1, 2), lambda: ask(states, **given)):  # noqa: B023
            np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("shape", [(300, 300), (100_000,), (2, 220, 220)])
def test_inertia_of_windows_whose_squares_need_more_than_32_bits(shape):
    states = np.zeros(shape, np.uint8)
    states.reshape(-1)[: states.size // 4] = 3
    wanted = (0.25**2 + 0.75**2) ** 0.5
    np.testing.assert_allclose(
        local_inertia(states, n_states=4, window=max(shape)), wanted, rtol=1e-6
    )
    assert inertia(states, n_states=4, window=max(shape)) == pytest.approx(wanted, rel=1e-7)


@numba.njit
def swept(rows, groups, reach, least, found):
    """Sweep a row that enters after others have, a group of eight states after the other."""
    for group, (sums, added, removed) in enumerate(groups):
        vectors.least_of_row(sums, added, rows[0], removed, rows[1], reach, group, least, found)


@pytest.mark.parametrize(("width", "window"), [(1, 0), (1, 3), (7, 2), (8, 8), (21, 4), (40, 100)])
def test_the_kernel_without_vectors_that_the_design_note_shows(width: int, window: int) -> None:
    note = Path(__file__).parents[3] / ".github" / "design" / "vectors.md"
    plain = {}
    exec(re.search(r"```python\n(.*?)```", note.read_text("utf-8"), re.DOTALL)[1], plain)
    rng, reach, n_symbols = np.random.default_rng(width), min(window, width), 5
    rows = rng.integers(0, n_symbols, (2, width)).astype(np.uint8)
    groups = []
    for _ in range(2):  # few values, so that there are ties within groups and between them
        sums = np.zeros((width + 2 * reach + 9, 8), np.int32)
        sums[reach + 1 : reach + 1 + width] = 8 * rng.integers(-2, 3, (width, 8))
        added, removed = 8 * rng.integers(-1, 2, (2, 8 * n_symbols), np.int32)
        groups.append((sums.reshape(-1), added, removed))
    wanted = [tuple(array.copy() for array in group) for group in groups]
    least, found = np.zeros(width + 7, np.int32), np.zeros(width + 7, np.uint8)
    plain_least, plain_found = least.copy(), found.copy()
    swept(rows, tuple(groups), reach, least, found)
    for k, (sums, added, removed) in enumerate(wanted):
        plain["least_of_row"](
            *(sums, added, rows[0], removed, rows[1], reach, k, plain_least, plain_found)
        )
        np.testing.assert_array_equal(groups[k][0], sums)
    np.testing.assert_array_equal(least[:width], plain_least[:width])
    np.testing.assert_array_equal(found[:width], plain_found[:width])


@pytest.mark.parametrize("total", ["int32", "float64"])
def test_the_code_is_for_any_machine(total):
    """It names no instruction of one machine, and its vectors have eight lanes."""

    @numba.njit
    def sweep(sums, table, row, least, found):
        vectors.least_of_row(sums, table, row, table, row, 1, 0, least, found)

    sums, table = np.zeros(8 * 14, np.int32), np.zeros(8, np.int32)
    row, found = np.zeros(3, np.uint8), np.zeros(10, np.uint8)
    sweep(sums, table, row, np.zeros(10, total), found)
    code = next(iter(sweep.inspect_llvm().values()))
    assert found.tolist()[:3] == [0, 0, 0]
    assert re.search(r"<8 x (i32|double)>", code)
    named = re.findall(r"llvm\.((?:x86|aarch64|arm)\.\w+)", code)
    assert set(named) <= {"x86.atomic"}  # Numba's counts of references have that
