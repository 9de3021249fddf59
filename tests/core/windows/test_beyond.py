"""Windows, tolerances and holes that reach beyond the lattice are those of the whole lattice."""

from functools import cache
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
    sweep,
    window_signature,
)
from tests import naive
from tests.core import cases

BEYOND = [7, 100, 2**30, 2**31, 2**62, 2**63, 2**70]
"""Half-widths, all of them wider than the lattices here."""
B = np.array([[0.8, 0.1, 0.1], [0.2, 0.2, 0.6]])
A = np.array([[0.9, 0.1], [0.2, 0.8]])
LAW = np.array([[0.9, 0.1], [0.3, 0.7]])
MODEL = DiscreteModel(A=A, B=B, window=1)

shaped = pytest.mark.parametrize("shape", [(7,), (5, 7), (3, 4, 5), (2, 3, 2, 3)], ids=str)


@shaped
def test_decoding(shape):
    o = cases.white(shape, 3, 1)
    x = naive.signature_discrete(o, 10, 3)
    states, shares = naive.decode(x, B), np.bincount(o.ravel(), minlength=3) / o.size
    for window in BEYOND:
        np.testing.assert_array_equal(MODEL.decode(o, window=window), states)
        np.testing.assert_allclose(MODEL.signature(o, window=window), x, rtol=1e-6)
        np.testing.assert_allclose(window_signature(o, n_symbols=3, window=window), x, rtol=1e-6)
        if len(shape) < 4:
            last = list(MODEL.decode_coarse_to_fine(o, window=window))[-1].states
            np.testing.assert_array_equal(last, states)
        fitted = DiscreteModel.fit(o, n_states=2, window=window, n_symbols=3)
        np.testing.assert_allclose(fitted.B[0], shares)


@shaped
def test_vectors(shape):
    v = cases.vectors(shape, 2, 3)
    x = naive.signature_gaussian(v, 10)
    covariances = np.stack([np.eye(2)] * 2)
    for window in BEYOND:
        model = GaussianModel(A=A, means=[[0, 0], [1, 1]], covariances=covariances, window=window)
        np.testing.assert_allclose(model.signature(v), x, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(model.decode(v), naive.decode(x, model.means))
        assert np.unique(belief_entropy(v, model=model)).size == 1


@shaped
def test_inertia(shape):
    states = cases.white(shape, 2, 4)
    shares = np.bincount(states.ravel(), minlength=2) / states.size
    wanted = np.sqrt((shares**2).sum())
    for window in BEYOND:
        np.testing.assert_allclose(inertia(states, n_states=2, window=window), wanted, rtol=1e-6)
        np.testing.assert_allclose(
            local_inertia(states, n_states=2, window=window), wanted, rtol=1e-6
        )


def test_evaluation():
    o = cases.white((5, 6), 3, 5)
    whole = MODEL.evaluate(o, window=10, alpha="local")
    doubt = belief_entropy(o, model=MODEL, window=10)
    for window in BEYOND:
        found = MODEL.evaluate(o, window=window, alpha="local")
        assert found.log_likelihood == whole.log_likelihood
        np.testing.assert_array_equal(belief_entropy(o, model=MODEL, window=window), doubt)


@shaped
def test_bounds(shape):
    """Of maps of one state, and of one in whose last node is another."""
    one = np.ones(shape, int)
    two = one.copy()
    two.flat[-1] = 0
    for states in (one, two):
        for near in (0, 1, 10):
            wanted = naive_bounds(states, near)
            for window in BEYOND if near == 10 else [near]:
                np.testing.assert_allclose(
                    bound_map(states, emission=LAW, window=window), wanted, rtol=1e-9
                )


def naive_bounds(states, window):
    """Return the exact chance of windows of one state to be outside its cell; NaN for others."""
    found = np.full(states.shape, np.nan)
    for t in naive.nodes(states.shape):
        inside = {int(q) for q in naive.window_of(states, t, window).flat}
        size = len(naive.window_nodes(states.shape, t, window))
        if len(inside) == 1:
            found[t] = chance_outside(inside.pop(), size)
    return found


@cache
def chance_outside(state, size):
    """Return the chance that windows of a state and two symbols are nearer to the other state."""
    chance = 0.0
    for k in range(size + 1):
        own, other = (
            naive.squared_distance((1 - k / size, k / size), LAW[j]) for j in (state, 1 - state)
        )
        if other <= own + 1e-6:
            chance += comb(size, k) * LAW[state, 1] ** k * LAW[state, 0] ** (size - k)
    return chance


@shaped
@pytest.mark.parametrize("seed", range(3))
def test_boundaries(shape, seed):
    one, other = cases.blocky(shape, 2, seed, 0.1), cases.blocky(shape, 2, seed + 9, 0.1)
    for tolerance in (0, 1, 2, *BEYOND):
        wanted = naive.boundary_f_score([(one, other)], tolerance)
        np.testing.assert_allclose(
            boundary_f_score(one, other, tolerance=tolerance), wanted, rtol=1e-12
        )
        assert boundary_f_score(one, one, tolerance=tolerance) == 1.0


def test_equal_maps_agree_within_any_tolerance():
    states = cases.blocky((512, 512), 2, 1, 0.1)
    for tolerance in (0, 300, 10**9, 2**62):
        assert boundary_f_score(states, states, tolerance=tolerance) == 1.0


def test_settings():
    o, states, law = (
        cases.blocky((9, 10), 3, 6),
        cases.blocky((6, 7), 2, 1),
        [[0.8, 0.2], [0.2, 0.8]],
    )
    near = list(sweep(o, windows=[10], n_states=[1, 2], n_symbols=3))
    errors = bias_variance(states, emission=law, windows=[10, 2**30, 2**53], replicates=4).error
    assert errors[0] == errors[1] == errors[2]
    for window in (2**30, 2**62, 2**70):
        for one, far in zip(
            near, sweep(o, windows=[window], n_states=[1, 2], n_symbols=3), strict=True
        ):
            assert (one.code_length, one.inertia) == (far.code_length, far.inertia)
            assert far.window == window
        assert choose(o, windows=[window], n_states=[1, 2], n_symbols=3).window == window
