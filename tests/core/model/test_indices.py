import numpy as np
import pytest

from latviz.core import ParameterError, associativity, inertia, local_inertia, pair_counts
from latviz.core.model.indices import neighbourhoods, pairs_and_nodes
from tests import naive
from tests.core import cases
from tests.products import every_pair

SHAPES = [(1,), (17,), (1, 1), (1, 9), (9, 1), (12, 11), (5, 6, 4), (3, 2, 4, 3)]


@pytest.mark.parametrize(
    ("A", "wanted"), [([[1, 0.1], [0.1, 1]], 0.909), ([[1, 10], [10, 1]], 0.091)]
)
def test_associativity_of_the_paper_s_figures(A, wanted):
    np.testing.assert_allclose(associativity(np.array(A)), wanted, rtol=0, atol=5e-4)


@pytest.mark.parametrize("n_states", [1, 2, 5, 40])
def test_associativity_is_the_diagonal_s_share(n_states):
    A = cases.random_potentials(n_states, n_states)
    np.testing.assert_allclose(associativity(A), naive.associativity(A), rtol=1e-12, atol=0)
    np.testing.assert_allclose(associativity(np.eye(n_states)), 1.0, rtol=1e-12, atol=0)
    ones = np.ones((n_states, n_states))
    np.testing.assert_allclose(associativity(ones), 1 / n_states, rtol=1e-12, atol=0)


@pytest.mark.parametrize("A", [np.ones((2, 3)), np.ones(4), np.ones((2, 2, 2))])
def test_associativity_of_a_wrong_shape(A):
    with pytest.raises(ParameterError) as error:
        associativity(A)
    assert str(A.shape) in str(error.value)


@pytest.mark.parametrize(
    ("shape", "window", "n_states"),
    [
        *every_pair(SHAPES, [0, 1, 3, 20], [4]),
        *every_pair([(17, 19)], [3], [1, 5, 8, 9, 12, 13, 255]),  # states are summed in groups
        *every_pair(  # windows are summed in bytes up to 7, and in 16 bits up to 31
            [(1, 1), (3, 70), (40, 64), (70, 72), (200,), (5, 4, 9)],
            [0, 1, 7, 8, 12, 31, 32],
            [1, 3, 255],
        ),
    ],
    ids=str,
)
def test_inertia(shape, window, n_states):
    states = cases.blocky(shape, n_states, 97, block=2)
    found = local_inertia(states, n_states=n_states, window=window)
    wanted = naive.local_inertia(states, n_states, window)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, wanted, rtol=2e-7, atol=0)
    mean = inertia(states, n_states=n_states, window=window)
    np.testing.assert_allclose(mean, wanted.mean(), rtol=1e-12, atol=0)


def test_inertia_where_squares_of_counts_need_more_than_32_bits():
    states = np.zeros((240, 240), dtype=np.uint8)
    states[:, :120] = 1
    assert inertia(np.zeros_like(states), n_states=1, window=240) == 1.0
    np.testing.assert_allclose(
        inertia(states, n_states=2, window=240), np.sqrt(0.5), rtol=1e-12, atol=0
    )


def test_inertia_of_a_list_weighs_every_node_alike():
    lattices = [
        cases.blocky((9, 10), 3, 93),
        cases.white((2, 3), 3, 94),
        cases.white((1, 1), 3, 95),
    ]
    wanted = naive.inertia(lattices, 3, 1)
    np.testing.assert_allclose(inertia(lattices, n_states=3, window=1), wanted, rtol=1e-12, atol=0)
    of_each = np.mean([naive.inertia([states], 3, 1) for states in lattices])
    assert abs(wanted - of_each) > 0.01


def test_a_list_comes_back_for_a_list_however_it_is_given():
    one, other = cases.blocky((9, 10), 3, 93), cases.white((2, 3), 3, 94)
    alone = local_inertia(states=one, n_states=3, window=1)
    both = local_inertia(states=[one, other], n_states=3, window=1)
    assert isinstance(both, list)
    np.testing.assert_array_equal(both[0], alone)
    with pytest.raises(TypeError, match="local_inertia needs states: "):
        local_inertia(n_states=3, window=1)


def test_inertia_of_a_large_window_of_many_states():
    states = cases.blocky((400, 300), 255, 96, block=1)
    found = local_inertia(states, n_states=255, window=150)
    for t in [(0, 0), (200, 150), (399, 20)]:
        shares = np.array(naive.signature_at(states, t, 150, 255))
        np.testing.assert_allclose(found[t], np.sqrt((shares**2).sum()), rtol=1e-5, atol=0)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_pair_counts(shape):
    states = cases.blocky(shape, 4, 97)
    found = pair_counts(states, n_states=5)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, naive.pair_counts(states, 5))


@pytest.mark.parametrize(
    "shape", [(1,), (63,), (64,), (65,), (129,), (1, 70), (5, 130), (3, 4, 67)]
)
def test_pair_counts_of_several_decodings(shape):
    sizes = [1, 3, 7]
    maps = np.stack([cases.blocky(shape, n, 91 + n) for n in sizes])
    for n, states, (pairs, nodes) in zip(sizes, maps, pairs_and_nodes(maps, sizes), strict=True):
        np.testing.assert_array_equal(pairs, naive.pair_counts(states, n))
        np.testing.assert_array_equal(nodes, np.bincount(states.flat, minlength=n))


def test_strides_and_dtypes_of_states_do_not_matter():
    states = cases.blocky((18, 20), 3, 98)
    for view in (states[::2, ::-1], states.T, states.astype(np.int64), np.asfortranarray(states)):
        copy = np.ascontiguousarray(view, dtype=np.uint8)
        np.testing.assert_array_equal(pair_counts(view, n_states=3), pair_counts(copy, n_states=3))
        np.testing.assert_array_equal(
            local_inertia(view, n_states=3, window=2), local_inertia(copy, n_states=3, window=2)
        )


@pytest.mark.parametrize(
    ("states", "n_states", "window", "given"),
    [
        (np.zeros((3, 3), dtype=np.uint8), 0, 1, r"\b0\b"),
        (np.zeros((3, 3), dtype=np.uint8), 256, 1, r"\b256\b"),
        (np.zeros((3, 3), dtype=np.uint8), 2, -1, "-1"),
        (np.full((3, 3), 6, dtype=np.uint8), 2, 1, r"\b6\b"),
        (np.full((3, 3), -4), 2, 1, "-4"),
        (np.zeros((0, 3), dtype=np.uint8), 2, 1, r"\(0, 3\)"),
    ],
)
def test_unusable_states(states, n_states, window, given):
    with pytest.raises(ParameterError, match=given):
        inertia(states, n_states=n_states, window=window)
    with pytest.raises(ParameterError, match=given):
        local_inertia(states, n_states=n_states, window=window)
    if window >= 0:
        with pytest.raises(ParameterError, match=given):
            pair_counts(states, n_states=n_states)


@pytest.mark.parametrize("n_states", [1, 3, 70])
@pytest.mark.parametrize(
    "shape", [(1,), (2,), (70,), (1, 1), (1, 5), (5, 1), (9, 130), (4, 5, 6), (3, 2, 2, 3)]
)
def test_neighbourhoods(shape, n_states):
    rng = np.random.default_rng(7)
    states = rng.integers(0, n_states, [-(-n // 3) for n in shape]).astype(np.uint8)
    for axis, length in enumerate(shape):  # cells of three nodes, and some nodes of their own
        states = np.take(np.repeat(states, 3, axis), np.arange(length), axis)
    own = rng.random(shape) < 0.1
    states[own] = rng.integers(0, n_states, own.sum())
    found, full = neighbourhoods(states, n_states), 2 * len(shape)
    alike, both = np.zeros_like(found.alike), np.zeros_like(found.both)
    marked = np.zeros(shape, bool)
    for t in naive.nodes(shape):
        near = [states[r] for r in naive.neighbours(shape, t)]
        others = [q for q in near if q != states[t]]
        inside = 0 < t[-1] < shape[-1] - 1  # the ends of a row are always marked
        if inside and not others:
            alike[len(near), states[t]] += 1
        elif inside and len(near) == full and len(set(others)) == 1 and both.size:
            both[len(others), states[t], others[0]] += 1
        else:
            marked[t] = True
    np.testing.assert_array_equal(found.alike, alike)
    np.testing.assert_array_equal(found.both, both)
    np.testing.assert_array_equal(found.pairs, naive.pair_counts(states, n_states))
    np.testing.assert_array_equal(found.occupancy, np.bincount(states.flat, minlength=n_states))
    bits = np.unpackbits(found.several.view(np.uint8), axis=1, bitorder="little")
    np.testing.assert_array_equal(bits[:, : shape[-1]].reshape(shape), marked)
    assert not bits[:, shape[-1] :].any()
