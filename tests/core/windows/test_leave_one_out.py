"""Leave-one-out states against plain loops, in every dimension, and against `decode`."""

from functools import partial

import numpy as np
import pytest

from latviz.core import ParameterError, fast_pnn
from latviz.core.checks import check_symbols
from latviz.core.data.fixed_point import to_fixed_point
from latviz.core.data.merge_tree import MergeTree
from latviz.core.model.learning import codebook_of
from latviz.core.windows.decoding import decode
from latviz.core.windows.leave_one_out import decode_both
from latviz.core.windows.scores import scores
from latviz.core.windows.signature import window_signature
from tests import naive
from tests.core import cases

SIZES = [1, 2, 3, 5]
CLEAR = 1e-6


def tree_of(lattice, n_symbols: int, window: int) -> MergeTree:
    return fast_pnn(
        window_signature(lattice, n_symbols=n_symbols, window=window).reshape(-1, n_symbols)
    )


def check(tree: MergeTree, observation, lattice, window: int) -> None:
    plain, without = decode_both(lattice, tree.codewords_of(SIZES), window)
    assert plain.dtype == without.dtype == np.uint8
    scalar = observation.ndim == plain.ndim - 1
    for s, n in enumerate(SIZES):
        codebook = tree.codebook(min(n, tree.n_max))
        np.testing.assert_array_equal(plain[s], decode(lattice, codebook, window))
        wanted, margins = naive.decode_without(observation, window, codebook, scalar)
        clear = margins > CLEAR
        np.testing.assert_array_equal(without[s][clear], wanted[clear])


def test_wide_windows_of_a_sequence():
    letters, numbers = cases.blocky((400,), 4, 5), cases.vectors((300,), 2, 6)
    check(tree_of(letters, 4, 130), letters, check_symbols(letters, 4), 130)
    codebook = np.array([[-0.1, 0.0], [0.1, 0.1]])
    states, n_ties = naive.decode_vectors_exactly(numbers, 100, codebook)
    assert n_ties == 0
    np.testing.assert_array_equal(decode(to_fixed_point(numbers), codebook, 100), states)


@pytest.mark.parametrize("case", [*cases.DISCRETE, *cases.GAUSSIAN], ids=cases.by_name)
def test_symbols_and_vectors(case):
    for observation in case.lattices:
        if case.discrete:
            lattice = check_symbols(observation, case.n_channels)
        else:
            lattice = to_fixed_point(np.ascontiguousarray(observation, dtype=np.float64))
        for window in {0, case.window}:
            check(tree_of(lattice, case.n_channels, window), observation, lattice, window)


def test_bytes_are_vectors_too():
    image = cases.blocky((16, 15), 200, 503)[..., None]
    lattice = to_fixed_point(image)
    check(tree_of(lattice, 1, 2), image, lattice, 2)


def test_symbols_of_sixteen_bits_and_wide_sums():
    symbols = cases.blocky((300, 9), 300, 504, block=40).astype(np.uint16)
    tree = fast_pnn(window_signature(symbols, n_symbols=300, window=200).reshape(-1, 300)[::7])
    plain, without = decode_both(symbols, tree.codewords_of([3]), 200)
    np.testing.assert_array_equal(plain[0], decode(symbols, tree.codebook(3), 200))
    assert (plain == without).mean() > 0.9


@pytest.mark.parametrize(
    ("shape", "window", "totals"),
    [((47, 46), 7, np.int32), ((47, 46), 22, np.int32), ((47, 46), 23, np.float64)],
)
def test_every_type_of_totals(shape, window, totals):
    """Corners of the simplex have the greatest scores, and windows of one symbol the greatest sums.

    45 x 45 nodes are the most whose scores are summed in 32 bits.
    """
    corners = fast_pnn(np.eye(4))
    assert (
        scores(shape, corners.codewords_of(SIZES).values, (window,) * len(shape)).totals is totals
    )
    lattices = [np.full(shape, symbol, np.uint8) for symbol in range(4)]
    for symbol, symbols in enumerate(lattices):  # of which all windows have one signature
        for maps in decode_both(symbols, corners.codewords_of(SIZES), window):
            for n, states in zip(SIZES, maps, strict=True):
                codebook = corners.codebook(min(n, 4))
                assert (states == naive.decode(np.eye(4)[[symbol]], codebook)[0]).all()
    blocky = cases.blocky(shape, 4, 510)
    check(corners, blocky, blocky, window)
    plain, _ = decode_both(lattices[0], corners.codewords_of([4]), window)
    assert (plain == corners.codebook(4)[:, 0].argmax()).all()  # the row of the first corner


def test_nothing_left_is_state_0():
    vectors = to_fixed_point(cases.vectors((9, 8), 2, 506))
    for lattice, n in ((cases.blocky((9, 8), 4, 505), 4), (vectors, 2)):
        _, without = decode_both(lattice, tree_of(lattice, n, 0).codewords_of([1, 4]), 0)
        assert not without.any()


def test_more_states_than_signatures():
    symbols = np.repeat(np.array([0, 1], np.uint8), 8)
    tree = tree_of(symbols, 2, 0)
    plain, _ = decode_both(symbols, tree.codewords_of([2, 9]), 0)
    np.testing.assert_array_equal(plain[1], decode(symbols, codebook_of(tree, 9), 0))


@pytest.mark.parametrize("shape", [(40_000,), (70, 90), (9, 20, 21)])
def test_any_number_of_threads(shape):
    symbols = cases.blocky(shape, 5, 506)
    vectors = to_fixed_point(cases.vectors(shape, 2, 507))
    tree, of_vectors = tree_of(symbols[:200], 5, 3), tree_of(vectors, 2, 3)
    for lattice, one in ((symbols, tree), (vectors, of_vectors)):
        both = partial(decode_both, lattice, one.codewords_of(SIZES), 3)
        found, other = cases.on_threads((1, 3), both)
        np.testing.assert_array_equal(found, other)
        codebook = one.codebook(min(2, one.n_max))
        np.testing.assert_array_equal(found[0][1], decode(lattice, codebook, 3))


def test_a_codebook_has_a_state():
    symbols = cases.blocky((4, 5, 6), 2, 508)
    with pytest.raises(ParameterError, match="each of sizes"):
        decode_both(symbols, tree_of(symbols, 2, 1).codewords_of([0]), 1)


def test_codewords_are_shared():
    points = np.random.default_rng(509).random((300, 3))
    tree = fast_pnn(points)
    codewords = tree.codewords_of(range(1, 9))
    assert codewords.values.shape == (15, 3)
    for n, members in enumerate(codewords.members, start=1):
        np.testing.assert_array_equal(codewords.values[members], tree.codebook(n))
