import numpy as np
import pytest
from scipy.stats import norm

from latviz.core import (
    NormalEmission,
    ParameterError,
    accuracy_bound,
    bias_variance,
    bound_map,
    sample_blobs,
)
from latviz.core.truth import bounds
from tests import naive
from tests.core import cases

THREE = np.array([[0.5, 0.3, 0.2], [0.25, 0.5, 0.25], [0.1, 0.25, 0.65]])
TWO = np.array([[0.8, 0.2], [0.3, 0.7]])
ABSENT = np.array([[0.6, 0.4, 0.0], [0.2, 0.3, 0.5]])


@pytest.mark.parametrize("B", [THREE, TWO, ABSENT])
def test_is_the_sum_over_all_windows(B):
    for state in range(len(B)):
        sizes = [1, 2, 3, 4, 7]
        wanted = [naive.leaves_its_cell(B.tolist(), state, n) for n in sizes]
        np.testing.assert_allclose(
            accuracy_bound(B, state=state, n_nodes=sizes), wanted, rtol=1e-9, atol=1e-12
        )


@pytest.mark.parametrize("B", [THREE, TWO, ABSENT])
def test_hoeffding_is_above_the_exact_one(B, monkeypatch):
    sizes = np.array([1, 5, 9, 25, 49, 121])
    exact = [accuracy_bound(B, state=state, n_nodes=sizes) for state in range(len(B))]
    monkeypatch.setattr(bounds, "COMPOSITIONS", 0)
    above = [accuracy_bound(B, state=state, n_nodes=sizes) for state in range(len(B))]
    assert (np.array(above) >= np.array(exact)).all()
    assert (np.diff(above) <= 0).all()
    assert np.array(above)[:, -1].max() < 0.9


def test_pairs_of_states_are_little_above_all_of_them(monkeypatch):
    B = 0.4 * np.eye(5) + 0.12
    sizes = np.array([1, 9, 16])
    exact = accuracy_bound(B, state=0, n_nodes=sizes)
    monkeypatch.setattr(bounds, "COMPOSITIONS", 200)
    above = accuracy_bound(B, state=0, n_nodes=sizes)
    assert above[0] == exact[0]
    assert (above[1:] > exact[1:]).all()
    assert (above < 2 * exact).all()
    # Of a window of nine: at least as many of one other symbol as of the state's own, times four.
    own, other, trials = 0.52, 0.12, np.random.default_rng(0)
    drawn = trials.multinomial(9, [own, other, 1 - own - other], 200_000)
    wanted = 4 * (drawn[:, 1] >= drawn[:, 0]).mean()
    np.testing.assert_allclose(above[1], wanted, rtol=0.05, atol=0)


def test_of_a_symmetric_channel_it_falls_as_windows_grow():
    for n_states in (2, 3, 6):
        B = 0.4 * np.eye(n_states) + 0.6 / n_states
        found = accuracy_bound(B, state=0, n_nodes=[(2 * w + 1) ** 2 for w in (*range(8), 12, 20)])
        assert (np.diff(found) <= 1e-3).all()


def test_hoeffding_by_hand(monkeypatch):
    monkeypatch.setattr(bounds, "COMPOSITIONS", 0)
    # D^2 = 0.5 and 2 (B_1 - B_0) runs from -1 to 1.
    found = accuracy_bound([[0.75, 0.25], [0.25, 0.75]], state=0, n_nodes=20)
    np.testing.assert_allclose(found, np.exp(-2 * 20 * 0.25 / 4), rtol=1e-4, atol=0)


def test_many_counts_are_not_enumerated():
    B = np.full((2, 40), 1 / 40)
    B[1, :20], B[1, 20:] = 0.04, 0.01
    found = accuracy_bound(B, state=1, n_nodes=[400, 4000])
    assert 0 < found[1] < found[0] < 1


def test_extremes():
    np.testing.assert_array_equal(accuracy_bound([[0.5, 0.5]], state=0, n_nodes=[1, 9]), 0.0)
    np.testing.assert_array_equal(accuracy_bound(np.eye(3), state=1, n_nodes=[1, 9]), 0.0)
    np.testing.assert_array_equal(accuracy_bound([[0.5, 0.5]] * 2, state=0, n_nodes=[1, 9]), 1.0)
    for size in (9, 10**6):
        found = accuracy_bound(np.full((2, 9), 1 / 9), state=1, n_nodes=size)
        np.testing.assert_allclose(found, 1.0, rtol=1e-12, atol=0)


def test_of_two_normal_laws_is_exact():
    law = NormalEmission([[0.0], [1.0]], [[[4.0]], [[1.0]]])
    sizes = np.array([1, 9, 25])
    found = accuracy_bound(law, state=0, n_nodes=sizes)
    np.testing.assert_allclose(found, norm.cdf(-0.5 * np.sqrt(sizes) / 2), rtol=1e-12, atol=0)
    same = NormalEmission([[1.0], [1.0]], [[[4.0]], [[1.0]]])
    np.testing.assert_array_equal(accuracy_bound(same, state=0, n_nodes=sizes), 1.0)


def test_of_three_normal_laws_is_above_what_is_drawn():
    law = NormalEmission(
        [[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]], np.stack([[[1.0, 0.5], [0.5, 2.0]]] * 3)
    )
    draws = np.random.default_rng(0).multivariate_normal([0, 0], law.covariances[0] / 16, 40_000)
    nearest = ((draws[:, None] - law.means) ** 2).sum(axis=2).argmin(axis=1)
    outside = (nearest != 0).mean()
    bound = float(accuracy_bound(law, state=0, n_nodes=16)[0])
    assert outside < bound < 1.3 * outside


@pytest.mark.parametrize(
    "emission",
    [THREE, NormalEmission(np.eye(3), np.stack([0.5 * np.eye(3)] * 3))],
    ids=["symbols", "vectors"],
)
def test_the_variance_inside_regions_stays_under_the_bound(emission):
    truth = sample_blobs((96, 96), n_states=3, scale=14.0, random_state=1)
    r = bias_variance(truth, emission=emission, windows=[1, 3, 5], replicates=30, random_state=2)
    for k, window in enumerate(r.windows):
        bound = bound_map(truth, emission=emission, window=int(window))
        inside = np.isfinite(bound)
        assert inside.sum() > 2000
        band = r.variance_band[k, 1] - r.variance[k]
        assert r.variance_maps[k][inside].mean() <= bound[inside].mean() + band
        assert not r.bias_maps[k][inside & (bound < 0.2)].any()


def test_the_bound_is_reached_where_nothing_ties():
    # Windows clear of the border have an odd number of nodes.
    truth = np.zeros((60, 60), np.uint8)
    soft = [[0.6, 0.4], [0.4, 0.6]]
    r = bias_variance(truth, emission=soft, windows=[1, 2], replicates=60, random_state=3)
    for k, size in enumerate([9, 25]):
        measured = r.variance_maps[k][3:-3, 3:-3].mean()
        np.testing.assert_allclose(
            measured, accuracy_bound(soft, state=0, n_nodes=size)[0], rtol=0.08, atol=0
        )


def test_the_map_is_of_windows_of_one_state():
    truth = cases.blocks((14, 15), 3, 601, block=5).astype(np.uint8)
    found = bound_map(truth, emission=THREE, window=1)
    for t in naive.nodes(truth.shape):
        window = naive.window_nodes(truth.shape, t, 1)
        if len({int(truth[s]) for s in window}) == 1:
            wanted = accuracy_bound(THREE, state=int(truth[t]), n_nodes=len(window))[0]
            np.testing.assert_allclose(found[t], wanted, rtol=1e-12, atol=0)
        else:
            assert np.isnan(found[t])


@pytest.mark.parametrize("shape", [(30,), (6, 7, 8)])
def test_the_map_of_other_lattices(shape):
    found = bound_map(np.zeros(shape, np.uint8), emission=TWO, window=2)
    assert found.shape == shape
    assert found.flat[0] > found[tuple(length // 2 for length in shape)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((TWO, 2, 9), "state must be an integer from 0 to 1, got 2"),
        ((TWO, 0, 0), "n_nodes must be an integer from 1 to .*, got 0"),
        ((TWO, 0, [1.5]), "n_nodes must be an integer from 1 to .*, got"),
        (([[0.5, 0.6]], 0, 1), "each row of B must sum to 1"),
    ],
)
def test_refuses(arguments, message):
    emission, state, n_nodes = arguments
    with pytest.raises(ParameterError, match=message):
        accuracy_bound(emission, state=state, n_nodes=n_nodes)
