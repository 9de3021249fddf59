"""Calibration: states that explain noise are found out, by nodes that are hidden."""

import numpy as np
import pytest

from latviz.core import DiscreteModel, GaussianModel, emit, refine, sample_blobs, sample_voronoi
from tests.core import cases
from tests.core.cases import accuracy

SHAPE = (192, 192)
NOISE = 0.45
"""The share of symbols that are wrong, of two: a node has a hundredth of a bit on its state."""


def told(symbols, B, truth):
    """Return the accuracy of belief with the true emissions, at its best strength."""
    model = DiscreteModel(np.exp(np.eye(2)), B, window=1)
    return max(
        accuracy(model.decode(symbols, decoder="belief", strength=strength), truth)
        for strength in (0.7, 0.85, 1.0, 1.2, 1.5, 2.0)
    )


def test_states_that_hardly_differ_are_told_as_if_they_were_known():
    seed = 41
    truth = sample_voronoi(SHAPE, n_regions=60, n_states=2, random_state=seed)
    B = cases.channel(2, NOISE)
    symbols = emit(truth, emission=B, random_state=seed + 1)
    refined = refine(symbols, model=DiscreteModel.fit(symbols, n_states=2, window=3))
    assert accuracy(refined.states, truth) > told(symbols, B, truth) - 0.04
    found = refined.model.B
    assert abs(found[0, 0] - found[1, 0]) == pytest.approx(1 - 2 * NOISE, abs=0.04)


@pytest.mark.parametrize("kind", ["symbols", "vectors"])
def test_noise_has_one_state(kind):
    rng = np.random.default_rng(47)
    if kind == "symbols":
        values = rng.integers(0, 4, (70, 80)).astype(np.uint8)
        shares = np.bincount(values.reshape(-1)) / values.size
        refined = refine(values, model=DiscreteModel.fit(values, n_states=3, window=2))
        bits = -(shares * np.log2(shares)).sum()
        np.testing.assert_allclose(refined.model.B, np.tile(shares, (3, 1)), rtol=0, atol=1e-3)
        assert refined.bits == pytest.approx(bits, abs=1e-3)
    else:
        values = rng.normal(size=(70, 80, 2))
        refined = refine(values, model=GaussianModel.fit(values, n_states=3, window=2))
        spread = np.cov(values.reshape(-1, 2).T, bias=True)
        np.testing.assert_allclose(refined.model.covariances, np.tile(spread, (3, 1, 1)), atol=1e-3)
        bits = 1 + np.log2(2 * np.pi) - 1 + np.log2(np.e) + np.log2(np.linalg.det(spread)) / 2
        assert refined.bits == pytest.approx(bits, abs=2e-3)
    assert refined.strength == 0.0
    assert not refined.states.any()
    np.testing.assert_allclose(refined.beliefs, 1 / 3, rtol=1e-5)


def test_what_is_clear_stays_as_it_was_fitted():
    """A certain field keeps the estimate of all nodes: hidden ones cost as much as predicted."""
    truth = sample_blobs((128, 128), n_states=3, scale=8, random_state=48)
    B = cases.channel(3, 0.2)
    symbols = emit(truth, emission=B, random_state=49)
    refined = refine(symbols, model=DiscreteModel.fit(symbols, n_states=3, window=3))
    assert accuracy(refined.states, truth) > 0.98
    order = [int(B[:, row.argmax()].argmax()) for row in refined.model.B]
    np.testing.assert_allclose(refined.model.B, B[order], rtol=0, atol=0.02)
