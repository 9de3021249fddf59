"""Windows, tolerances and holes that reach beyond the lattice are those of the whole lattice."""

from math import comb

import numpy as np
import pytest

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    belief_entropy,
    bias_variance,
    bound_map,
    boundary_f_score,
    choose,
    inertia,
    local_inertia,
    normalising_alpha,
    sweep,
    window_signature,
)
from tests import naive
from tests.core import cases

BEYOND = [7, 100, 2**30, 2**31, 2**62, 2**63, 2**70]
"""Half-widths, all of them wider than the lattices here."""
SHAPES = [(7,), (5, 7), (3, 4, 5), (2, 3, 2, 3)]
B = np.array([[0.8, 0.1, 0.1], [0.2, 0.2, 0.6]])
A = np.array([[0.9, 0.1], [0.2, 0.8]])
MODEL = DiscreteModel(A=A, B=B, window=1)

beyond = pytest.mark.parametrize("window", BEYOND)
shaped = pytest.mark.parametrize("shape", SHAPES, ids=str)


def pure_sizes(states, window):
    """Return how many nodes the window of each node holds, 0 if they are of several states."""
    found = np.zeros(states.shape, int)
    for t in naive.nodes(states.shape):
        inside = naive.window_nodes(states.shape, t, window)
        found[t] = len(inside) if len({int(states[s]) for s in inside}) == 1 else 0
    return found


def naive_f_score(found, truth, tolerance):
    """Return the F-score of boundaries in plain loops."""

    def on(states):
        return [
            t
            for t in naive.nodes(states.shape)
            if any(states[r] != states[t] for r in naive.neighbours(states.shape, t))
        ]

    def share(some, others):
        near = [
            any(max(abs(a - b) for a, b in zip(s, o, strict=True)) <= tolerance for o in others)
            for s in some
        ]
        return sum(near) / len(near)

    one, other = on(found), on(truth)
    if not one or not other:
        return float(not one and not other)
    precision, recall = share(one, other), share(other, one)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@shaped
@beyond
def test_decoding(shape, window):
    o = cases.white(shape, 3, 1)
    x = naive.signature_discrete(o, 10, 3)
    np.testing.assert_array_equal(MODEL.decode(o, window=window), naive.decode(x, B))
    np.testing.assert_allclose(MODEL.signature(o, window=window), x, rtol=1e-6)
    np.testing.assert_allclose(window_signature(o, 3, window), x, rtol=1e-6)
    if len(shape) < 4:
        last = list(MODEL.decode_levels(o, window))[-1].states
        np.testing.assert_array_equal(last, naive.decode(x, B))
    fitted = DiscreteModel.fit(o, n_states=2, window=window, n_symbols=3)
    np.testing.assert_allclose(fitted.B[0], np.bincount(o.ravel(), minlength=3) / o.size)


@shaped
@beyond
def test_vectors(shape, window):
    v = cases.vectors(shape, 2, 3)
    x = naive.signature_gaussian(v, 10)
    covariances = np.stack([np.eye(2)] * 2)
    model = GaussianModel(A=A, means=[[0, 0], [1, 1]], covariances=covariances, window=window)
    np.testing.assert_allclose(model.signature(v), x, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(model.decode(v), naive.decode(x, model.means))
    assert np.unique(belief_entropy(model, v)).size == 1


@shaped
@beyond
def test_inertia(shape, window):
    states = cases.white(shape, 2, 4)
    shares = np.bincount(states.ravel(), minlength=2) / states.size
    wanted = np.sqrt((shares**2).sum())
    np.testing.assert_allclose(inertia(states, 2, window), wanted, rtol=1e-6)
    np.testing.assert_allclose(local_inertia(states, 2, window), wanted, rtol=1e-6)


@beyond
def test_evaluation(window):
    o = cases.white((5, 6), 3, 5)
    whole = MODEL.evaluate(o, window=10, alpha="local")
    found = MODEL.evaluate(o, window=window, alpha="local")
    assert found.log_likelihood == whole.log_likelihood
    np.testing.assert_array_equal(belief_entropy(MODEL, o, window), belief_entropy(MODEL, o, 10))
    for method in ("enumeration", "sampling"):
        alphas = [
            normalising_alpha(MODEL, (3, 3), window=w, method=method, n_images=50).alpha
            for w in (3, window)
        ]
        assert alphas[0] == alphas[1]


@shaped
@beyond
def test_bounds(shape, window):
    law = np.array([[0.9, 0.1], [0.3, 0.7]])
    one = np.ones(shape, int)
    two = one.copy()
    two.flat[-1] = 0
    for states in (one, two):
        for w in (0, 1, window):
            sizes = pure_sizes(states, min(w, 10))
            found = bound_map(states, law, w)
            np.testing.assert_array_equal(np.isnan(found), sizes == 0)
            for size in np.unique(sizes[sizes > 0]):
                (bound,) = naive_bounds(law, states, sizes, size)
                np.testing.assert_allclose(found[sizes == size], bound[sizes == size], rtol=1e-9)


def naive_bounds(law, states, sizes, size):
    """Yield the map of the exact chance to be outside the cell, of windows of one size."""
    found = np.full(states.shape, np.nan)
    for t in naive.nodes(states.shape):
        if sizes[t] == size:
            j, chance = int(states[t]), 0.0
            for k in range(size + 1):
                x = (1 - k / size, k / size)
                distances = [naive.squared_distance(x, row) for row in law]
                if distances[1 - j] <= distances[j] + 1e-6:
                    chance += comb(size, k) * law[j, 1] ** k * law[j, 0] ** (size - k)
            found[t] = chance
    yield found


@shaped
@pytest.mark.parametrize("tolerance", [0, 1, 2, *BEYOND])
def test_boundaries(shape, tolerance):
    for seed in range(3):
        one, other = cases.blocky(shape, 2, seed, 0.1), cases.blocky(shape, 2, seed + 9, 0.1)
        wanted = naive_f_score(one, other, tolerance)
        np.testing.assert_allclose(boundary_f_score(one, other, tolerance), wanted, rtol=1e-12)
        assert boundary_f_score(one, one, tolerance) == 1.0


def test_equal_maps_agree_within_any_tolerance():
    states = cases.blocky((512, 512), 2, 1, 0.1)
    for tolerance in (0, 300, 10**9, 2**62):
        assert boundary_f_score(states, states, tolerance) == 1.0


@pytest.mark.parametrize("window", [2**30, 2**62, 2**70])
def test_settings(window):
    o = cases.blocky((9, 10), 3, 6)
    found = [list(sweep(o, [w], [1, 2], n_symbols=3)) for w in (10, window)]
    for near, far in zip(*found, strict=True):
        assert (near.code_length, near.inertia) == (far.code_length, far.inertia)
        assert far.window == window
    assert choose(o, windows=[window], n_symbols=3).window == window
    errors = [
        bias_variance(
            cases.blocky((6, 7), 2, 1), [[0.8, 0.2], [0.2, 0.8]], [min(w, 2**53)], 4
        ).error
        for w in (10, window)
    ]
    assert errors[0] == errors[1]
