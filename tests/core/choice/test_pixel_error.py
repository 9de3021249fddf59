"""The pixel error: bits of nodes' own values given all others."""

import numpy as np
import pytest

from latviz.core.choice.pixel_error import N_BINS, Bins, pixel_error
from tests import naive

SHAPES = [[(40,)], [(9, 11)], [(3, 4, 5)], [(9, 11), (4, 4)]]


def shares(rng, n: int, n_states: int) -> np.ndarray:
    return rng.dirichlet(np.ones(n_states), n)


@pytest.mark.parametrize("shapes", SHAPES)
def test_it_is_that_of_the_definition(shapes):
    rng = np.random.default_rng(3)
    n = sum(int(np.prod(shape)) for shape in shapes)
    bins = rng.integers(0, 5, (n, 2))
    without, within = shares(rng, n, 3), shares(rng, n, 3)
    found = pixel_error(bins, 5, without, within, shapes)
    wanted = naive.pixel_error(bins.tolist(), 5, without.tolist(), within.tolist())
    assert found.sizes.sum() == n
    assert found.mean == found.bits == pytest.approx(wanted, rel=1e-12)


def test_more_states_that_mean_nothing_do_not_lower_it():
    rng, n = np.random.default_rng(4), 4000
    bins = rng.integers(0, 6, (n, 1))
    error = {}
    for n_states in (1, 2, 8):
        own = np.eye(n_states)[rng.integers(0, n_states, n)]
        error[n_states] = pixel_error(bins, 6, own, own, [(40, 100)]).bits
    assert error[1] < error[2] < error[8]


def test_values_that_follow_from_the_state_cost_nothing():
    states = np.repeat([0, 1], 2000)
    own = np.eye(2)[states]
    found = pixel_error(states[:, None], 2, own, own, [(4000,)])
    assert found.bits == pytest.approx(-np.log2(1999.5 / 2000), rel=1e-9)


def test_bins_do_not_follow_outliers():
    values = np.random.default_rng(5).normal(size=(100, 100, 1))
    spoilt = values.copy()
    spoilt[0, 0] = 1e6
    assert Bins.of(spoilt).widths == pytest.approx(Bins.of(values).widths, rel=0.02)
    inside = np.bincount(Bins.of(values).binned(values)[:, 0], minlength=N_BINS)
    assert (inside > 0).all()
    # 96 % of the values lie in twenty bins, so both ends hold some
    assert 0.9 < inside[2:-2].sum() / values.size < 0.99
