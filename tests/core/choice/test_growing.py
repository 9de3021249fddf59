"""The number of useful states: the bits that each saves beyond chance."""

from itertools import product

import numpy as np
import pytest
import scipy

from latviz.core import (
    NormalEmission,
    ParameterError,
    as_data_set,
    choose,
    emit,
    kernels,
    sample_blobs,
    sample_chain,
    sample_potts,
    sample_voronoi,
    threads,
)
from latviz.core.choice.growing import Growth, shared_bits
from tests.core import cases
from tests.products import FULL

SHAPE = (96, 96)


def critical(n):
    return np.exp(0.98 * np.log(1 + np.sqrt(n)) * np.eye(n))


FIELDS = {
    "blobs": lambda n, seed: sample_blobs(SHAPE, n_states=n, scale=8, random_state=seed),
    "mosaic": lambda n, seed: sample_voronoi(SHAPE, n_regions=40, n_states=n, random_state=seed),
    "Potts": lambda n, seed: sample_potts(critical(n), shape=SHAPE, random_state=seed),
    "volume": lambda n, seed: sample_blobs((20, 21, 22), n_states=n, scale=4, random_state=seed),
    "chain": lambda n, seed: sample_chain(cases.channel(n, 0.03), length=9_000, random_state=seed),
}


FAMILIES = list(zip(FIELDS, [3, 2, 3, 2, 3], strict=True))


@pytest.mark.parametrize(("family", "n"), [*product(FIELDS, [2, 3])] if FULL else FAMILIES)
def test_it_finds_the_states_of_fields(family, n):
    truth = FIELDS[family](n, 40 + n)
    n = int(truth.max()) + 1
    means = 2.2 * np.eye(3)[:n]
    sigmas = np.stack([np.diag(np.roll([1.0, 0.7, 1.4], -j)) for j in range(n)])
    vectors = emit(truth, emission=NormalEmission(means, sigmas), random_state=50 + n)
    growth = Growth(as_data_set(vectors, kind="gaussian"))
    assert growth.enough(6) == n
    states = growth.of(n).fields[0].states()
    assert cases.accuracy(states, truth) > 0.9
    assert abs(growth.residuals(n).correlation) < 0.05
    saved = [growth.bits(k) - growth.bits(k + 1) for k in range(1, n + 1)]
    assert min(saved[:-1]) > 10 * saved[-1]


def test_a_rare_state_is_a_state():
    truth = sample_blobs(SHAPE, n_states=2, scale=10, random_state=60)
    truth[20:38, 50:68] = 2  # 3.5 % of the nodes
    symbols = emit(truth, emission=cases.channel(3, 0.25), random_state=61)
    growth = Growth(as_data_set(symbols, kind="discrete", n_symbols=3))
    assert growth.enough(6) == 3


def test_noise_has_one_state_even_if_the_first_draws_save_little():
    """All pictures of numbers of this size have the same draws, and the first six are low."""
    noise = np.random.default_rng([3, 7]).normal(size=(144, 144))
    assert Growth(as_data_set(noise, kind="gaussian", scalar=True)).enough(2) == 1


def test_domains_of_a_field_are_no_photograph():
    """States explain the correlation of neighbours."""
    truth = sample_potts(critical(3), shape=(128, 128), sweeps=60, random_state=70)
    vectors = emit(
        truth, emission=NormalEmission(2.5 * np.eye(3), np.stack([np.eye(3)] * 3)), random_state=71
    )
    choice = choose(vectors, kind="gaussian", n_states=range(1, 5), windows=range(1, 4))
    assert (choice.n_states, choice.dependent) == (3, False)
    assert choice.saved.shape == (3,)
    assert choice.saved[0] > choice.saved[1] > 0.1 > choice.saved[2]


def test_growing_ends_or_not():
    truth = sample_blobs(SHAPE, n_states=4, scale=10, random_state=74)
    symbols = emit(truth, emission=cases.channel(4, 0.3), random_state=75)
    growth = Growth(as_data_set(symbols, kind="discrete", n_symbols=4))
    assert growth.ended(6) == growth.ended(4) == 4
    assert growth.ended(3) is None  # a fourth one is useful
    assert growth.n_grown == 5
    saved = [growth.bits(k) - growth.bits(k + 1) for k in range(1, 5)]
    np.testing.assert_allclose(growth.saved(), saved, rtol=1e-12)


def test_what_was_grown_stays():
    growth = Growth(as_data_set(cases.blocky((40, 40), 3, 90), kind="discrete", n_symbols=3))
    three = growth.of(3)
    assert growth.of(2) is growth.of(2)
    assert growth.of(4) is not three
    assert growth.of(3) is three


def test_bad_shapes():
    with pytest.raises(ParameterError, match="1 to 3 dimensions"):
        Growth(as_data_set(np.zeros((2, 2, 2, 2), np.uint8), kind="discrete", n_symbols=1)).of(1)


def test_each_pass_of_messages_can_be_cancelled(monkeypatch):
    """A user's touch waits for what does not ask, also in data that are drawn."""
    asked, at, send = list[int](), list[int](), kernels.chains.send

    class Watch:
        def report(self, fraction):
            pass

        def cancelled(self):
            asked.append(1)
            return False

    def counted(*given):
        assert given[-1] == 1  # a single pass
        at.append(len(asked))
        send(*given)

    monkeypatch.setattr(kernels.chains, "send", counted)
    growth = Growth(as_data_set(cases.blocky((16, 16), 2, 90), kind="discrete", n_symbols=2))
    growth.of(1)
    at.clear()
    with threads.at_most(1):
        growth.enough(2, Watch())
    assert len(at) > 60
    assert min(np.diff(at)) > 0


def test_bits_that_neighbours_share_are_the_information_between_normal_numbers():
    r, normal = 0.6, scipy.stats.multivariate_normal
    apart, both = normal(cov=1).entropy(), normal(cov=[[1, r], [r, 1]]).entropy()
    assert shared_bits(r, 2, 3) == pytest.approx(2 * 3 * (2 * apart - both) / np.log(2))
    assert shared_bits(np.nan, 2, 1) == shared_bits(-0.2, 2, 1) == 0
