"""The distance of observations from the law of their states, against plain loops."""

import math
from itertools import pairwise
from statistics import NormalDist, fmean, median

import numpy as np
import pytest
import scipy

from latviz.core import ParameterError, law_distance, law_quantiles, sample_blobs, sample_potts
from latviz.core.data.data_set import as_data_set
from latviz.core.model.law import LEAST, distance_of
from tests import naive

SHAPE = (160, 170)


def plain(vectors, states):
    """Return the lesser mean distance of nodes by the state of all their neighbours."""
    near = {
        t: {int(states[s]) for s in naive.neighbours(states.shape, t)}
        for t in np.ndindex(states.shape)
    }
    shared = {t: max(found) for t, found in near.items() if len(found) == 1}
    same = {t: j for t, j in shared.items() if j == states[t]}
    return min(mean_distance(vectors, some) for some in (shared, same))


def mean_distance(vectors, states_of):
    total = weight = 0.0
    for j in set(states_of.values()):
        own = [vectors[t] for t, state in states_of.items() if state == j]
        if len(own) >= LEAST:
            for channel in np.array(own).T:
                total += len(own) * from_normal(channel.tolist())
                weight += len(own)
    return total / weight


def from_normal(values):
    below = {v: share_below(values, v) for v in sorted(set(values))}
    first, middle, third = (number_with(below, share) for share in (0.25, 0.5, 0.75))
    normal = NormalDist(middle, (third - first) / (2 * NormalDist().inv_cdf(0.75)))
    return max(abs(share - normal.cdf(v)) for v, share in below.items())


def share_below(values, v):
    return (sum(a < v for a in values) + sum(a <= v for a in values)) / (2 * len(values))


def number_with(below, share):
    """Return the number with a share below it, on a line between the two numbers next to it."""
    for (one, low), (other, high) in pairwise(below.items()):
        if low <= share <= high:
            return one + (other - one) * (share - low) / (high - low)
    return min(below, key=lambda v: abs(below[v] - share))


@pytest.mark.parametrize("shape", [(1000,), (32, 38), (1, 1000), (10, 12, 11)])
@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_distances(shape, dtype):
    states = np.repeat(np.arange(2, dtype=np.uint8), math.prod(shape) // 2).reshape(shape)
    states.flat[:: 1 + states.size // 9] ^= 1
    rng = np.random.default_rng(3)
    noise = rng.gamma(2, 9, (*shape, 2)) + 40 * states[..., None]
    seen = np.minimum(noise, 255).astype(dtype)
    assert law_distance(seen, states=states) == pytest.approx(
        plain(seen.astype(float), states), rel=1e-9
    )


@pytest.mark.parametrize("n_points", [2, 9, 100_000])
def test_quantiles_have_the_distances_and_their_mean(n_points):
    states = sample_blobs((60, 70), n_states=2, scale=9, random_state=1)
    seen = (
        np.random.default_rng(3).gamma(2, 9, (60, 70, 3)).astype(np.uint8) + 40 * states[..., None]
    )
    found = law_quantiles(seen, states=states, n_points=n_points)
    assert [(one.state, one.channel) for one in found] == [(j, c) for j in (0, 1) for c in range(3)]
    normal = NormalDist()
    for one in found:
        assert len(one.claimed) == len(one.observed) <= n_points
        assert (np.diff(one.claimed) > 0).all()
        assert (np.diff(one.observed) > 0).all()
        apart = [
            abs(normal.cdf(a) - normal.cdf(b))
            for a, b in zip(one.claimed, one.observed, strict=True)
        ]
        assert max(apart) == apart[one.place] == pytest.approx(one.distance, abs=1e-9)
    mean = np.average([one.distance for one in found], weights=[one.n_nodes for one in found])
    assert law_distance(seen, states=states) == pytest.approx(mean, rel=1e-12)


def test_quantiles_are_those_of_sorted_numbers():
    seen = np.random.default_rng(4).normal(size=500)
    (one,) = law_quantiles(seen, states=np.zeros(500, int), n_points=100_000)
    ordered = np.sort(seen)
    assert (one.n_nodes, len(one.claimed)) == (500, 500)
    # A quarter is below the mean of the 125th and the 126th number
    first, third = (fmean(ordered[k - 1 : k + 1]) for k in (125, 375))
    unit = (third - first) / (2 * NormalDist().inv_cdf(0.75))
    np.testing.assert_allclose(one.observed, (ordered - median(seen)) / unit, atol=1e-9)
    wanted = [NormalDist().inv_cdf((k + 0.5) / 500) for k in range(500)]
    np.testing.assert_allclose(one.claimed, wanted, atol=1e-9)


def test_nothing_to_compare_has_no_quantiles():
    assert law_quantiles(np.ones((20, 20)), states=np.zeros((20, 20), int), scalar=True) == []


LAWS = {
    "normal": (lambda rng, shape: rng.normal(size=shape), scipy.stats.norm),
    "uniform": (lambda rng, shape: rng.uniform(size=shape), scipy.stats.uniform),
    "Laplace": (lambda rng, shape: rng.laplace(size=shape), scipy.stats.laplace),
    "exponential": (lambda rng, shape: rng.exponential(size=shape), scipy.stats.expon),
    "gamma": (lambda rng, shape: rng.gamma(2, size=shape), scipy.stats.gamma(2)),
}


@pytest.mark.parametrize("name", LAWS)
def test_known_laws_have_their_distance(name):
    """Whatever the mean and the spread of a state."""
    draw, law = LAWS[name]
    z = np.linspace(-4, 12, 4001)
    spread = (law.ppf(0.75) - law.ppf(0.25)) / (2 * scipy.stats.norm.ppf(0.75))
    expected = np.abs(law.cdf(law.median() + z * spread) - scipy.stats.norm.cdf(z)).max()
    states = sample_blobs(SHAPE, n_states=3, scale=8, random_state=1)
    noise = draw(np.random.default_rng(2), SHAPE)
    seen = np.array([-3.0, 1e-6, 5e9])[states] + np.array([0.1, 1e-8, 2e8])[states] * noise
    found = law_distance(seen, states=states, scalar=True)
    assert found == pytest.approx(expected, abs=0.01)
    assert (found > 0.04) == (name != "normal")


def test_a_few_wrong_nodes_change_no_law():
    """17 of 10,483 nodes, far away, give normal noise another variance."""
    seen = np.random.default_rng(4).normal(size=10_483)
    seen[:: 10_483 // 17] = 60.0
    one = np.zeros(seen.shape, np.uint8)
    assert law_distance(seen, states=one, scalar=True) < 0.02
    z = (seen - seen.mean()) / seen.std()
    assert scipy.stats.kstest(z, "norm").statistic > 0.1


def test_decoders_that_cut_laws_off_do_not_make_them_wrong():
    """The sign alone gives 16 % of the nodes another state."""
    truth = sample_blobs(SHAPE, n_states=2, scale=8, random_state=1)
    seen = 2.0 * truth - 1 + np.random.default_rng(2).normal(size=SHAPE)
    cut = (seen > 0).astype(np.uint8)
    assert law_distance(seen, states=cut, scalar=True) < 0.03
    mirrored = np.abs(seen[cut == 1])
    z = (mirrored - mirrored.mean()) / mirrored.std()
    assert scipy.stats.kstest(z, "norm").statistic > 0.05  # by their own states


def test_rough_fields_do_not_make_laws_wrong():
    """Nodes that differ from all their neighbours are not outliers of the neighbours' law."""
    truth = sample_potts([[2.5, 1.0], [1.0, 2.5]], shape=SHAPE, sweeps=30, random_state=3)
    seen = 9.0 * truth + np.random.default_rng(2).normal(size=SHAPE)
    assert law_distance(seen, states=truth, scalar=True) < 0.03


def test_what_has_no_law():
    one, rng = np.zeros((20, 20), np.uint8), np.random.default_rng(1)
    assert not math.isnan(law_distance(rng.normal(size=(20, 20)), states=one, scalar=True))
    few = rng.normal(size=(20, 19))
    assert math.isnan(law_distance(few, states=one[:, 1:], scalar=True))
    assert math.isnan(law_distance(np.ones((20, 20)), states=one, scalar=True))
    checks = np.indices((40, 40)).sum(axis=0) % 2 + np.indices((40, 40))[0] % 2
    assert math.isnan(law_distance(rng.normal(size=(40, 40)), states=checks, scalar=True))
    assert math.isnan(law_distance([[1.0]], states=[[0]], scalar=True))
    assert math.isnan(distance_of(as_data_set(one, kind="discrete", n_symbols=2), [one]))
    with pytest.raises(ParameterError, match="shapes"):
        law_distance(few, states=one, scalar=True)
    with pytest.raises(ParameterError, match="must be gaussian"):
        law_distance(as_data_set(one, kind="discrete"), states=one)
