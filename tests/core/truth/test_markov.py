from itertools import pairwise, product

import numpy as np
import pytest
from scipy import stats
from scipy.special import ellipk

from latviz.core import (
    ParameterError,
    pair_counts,
    sample_chain,
    sample_potts,
    stationary_distribution,
)
from latviz.core.progress import Cancelled, heeding

UNEQUAL_STATES = np.array([[1.5, 0.6], [0.6, 0.8]])
THREE_STATES = np.array([[2.0, 0.5, 1.0], [0.5, 1.0, 0.7], [1.0, 0.7, 1.5]])
ASYMMETRIC = np.array([[1.5, 0.3], [1.2, 0.8]])
ISING = np.array([[1.0, 0.4], [0.4, 1.0]])
POTTS = np.where(np.eye(3), 2.0, 0.9)
CHAIN = np.array([[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.05, 0.05, 0.9]])


def lattice_weight(A: np.ndarray, states: np.ndarray) -> float:
    """Return the product over adjacent pairs of the geometric mean of both orders of A."""
    weight = 1.0
    for node in np.ndindex(states.shape):
        for axis in range(states.ndim):
            other = list(node)
            other[axis] += 1
            if other[axis] < states.shape[axis]:
                i, j = states[node], states[tuple(other)]
                weight *= np.sqrt(A[i, j] * A[j, i])
    return weight


def exact_distribution(A: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    size = int(np.prod(shape))
    weights = [
        lattice_weight(A, np.array(states).reshape(shape))
        for states in product(range(len(A)), repeat=size)
    ]
    return np.array(weights) / np.sum(weights)


def counted(samples: list[np.ndarray], n_states: int) -> np.ndarray:
    """Return how often each map occurs, in the order of `exact_distribution`."""
    powers = n_states ** np.arange(samples[0].size)[::-1]
    codes = [int(sample.ravel() @ powers) for sample in samples]
    return np.bincount(codes, minlength=n_states ** samples[0].size)


def onsager(K: float) -> float:
    """Return the mean of s_t s_r over the bonds of the infinite square lattice (Onsager 1944)."""
    k = 2.0 * np.sinh(2.0 * K) / np.cosh(2.0 * K) ** 2
    bracket = 1.0 + 2.0 / np.pi * (2.0 * np.tanh(2.0 * K) ** 2 - 1.0) * ellipk(k**2)
    return float(bracket / np.tanh(2.0 * K) / 2.0)


def inner_correlation(states: np.ndarray, margin: int) -> float:
    """Return the mean of s_t s_r over the bonds that are ``margin`` nodes away from the border."""
    spins = 2.0 * states[margin:-margin, margin:-margin] - 1.0
    down, right = spins[1:] * spins[:-1], spins[:, 1:] * spins[:, :-1]
    return float((down.sum() + right.sum()) / (down.size + right.size))


class TestPotts:
    @pytest.mark.parametrize(
        ("A", "shape", "method"),
        [
            (UNEQUAL_STATES, (2, 3), "gibbs"),
            (ASYMMETRIC, (2, 1, 2), "gibbs"),
            (POTTS, (1, 2, 2), "clusters"),
        ],
    )
    def test_has_the_exact_distribution_of_a_tiny_lattice(self, A, shape, method):
        # After six sweeps the start adds 0.03 to the expectation of chi-square at most.
        n = 800
        samples = [
            sample_potts(A, shape=shape, sweeps=6, method=method, random_state=k) for k in range(n)
        ]
        expected = exact_distribution(A, shape) * n
        assert stats.chisquare(counted(samples, len(A)), expected).pvalue > 1e-3

    @pytest.mark.parametrize(("K", "method"), [(0.36, "gibbs"), (0.40, "clusters")])
    def test_energy_per_bond_is_onsager_s(self, K, method):
        # The lattice is critical at K = 0.4407. At 0.40 the correlation length is 6 nodes and less
        # at the others, so bonds 32 nodes from the border are those of an infinite lattice.
        A = np.exp([[K, -K], [-K, K]])
        chains = [
            inner_correlation(
                sample_potts(A, shape=(144, 144), sweeps=60, method=method, random_state=seed), 32
            )
            for seed in range(8)
        ]
        error = np.std(chains, ddof=1) / np.sqrt(len(chains))
        assert error < 0.005
        assert abs(np.mean(chains) - onsager(K)) < 3.5 * error

    @pytest.mark.parametrize(("A", "method"), [(ISING, "gibbs"), (POTTS, "clusters")])
    def test_long_chain_agrees_with_its_closed_form(self, A, method):
        n_nodes = 40_000
        q = sample_potts(A, shape=(n_nodes,), sweeps=40, method=method, random_state=1)
        # Along a chain neighbours are equal pair by pair independently.
        p = A[0, 0] / A[0].sum()
        error = np.sqrt(p * (1 - p) / n_nodes)
        assert abs((q[1:] == q[:-1]).mean() - p) < 4 * error

    def test_one_node_and_no_sweep_are_uniform(self):
        A = [[9.0, 0.1], [0.1, 1.0]]
        ones = sum(
            int(sample_potts(A, shape=(1,), sweeps=3, random_state=seed)[0]) for seed in range(400)
        )
        assert stats.binomtest(ones, 400).pvalue > 1e-3
        start = sample_potts(A, shape=(100, 100), sweeps=0, random_state=2)
        assert stats.binomtest(int(start.sum()), start.size).pvalue > 1e-3

    @pytest.mark.parametrize("method", ["clusters", "gibbs"])
    def test_potentials_matter_only_up_to_a_factor(self, method):
        A = np.array([[1.0, 0.2], [0.2, 1.0]])
        first = sample_potts(A, shape=(20, 20), sweeps=10, method=method, random_state=3)
        second = sample_potts(8.0 * A, shape=(20, 20), sweeps=10, method=method, random_state=3)
        np.testing.assert_array_equal(first, second)

    def test_associative_and_not(self):
        like = sample_potts([[1.0, 0.1], [0.1, 1.0]], shape=(64, 64), sweeps=50, random_state=4)
        unlike = sample_potts([[1.0, 10.0], [10.0, 1.0]], shape=(64, 64), sweeps=50, random_state=4)
        assert (like[1:] == like[:-1]).mean() > 0.9
        assert (unlike[1:] == unlike[:-1]).mean() < 0.1

    def test_of_255_states(self):
        for method in ("clusters", "gibbs"):
            q = sample_potts(
                np.ones((255, 255)), shape=(40, 50), sweeps=1, method=method, random_state=5
            )
            assert q.dtype == np.uint8
            assert q.max() > 200

    def test_clusters_are_used_where_they_can_be(self):
        for A, method in [(ISING, "clusters"), (POTTS, "clusters"), (THREE_STATES, "gibbs")]:
            chosen = sample_potts(A, shape=(9, 9), sweeps=2, random_state=6)
            same = sample_potts(A, shape=(9, 9), sweeps=2, method=method, random_state=6)
            np.testing.assert_array_equal(chosen, same)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"A": np.ones((2, 3))}, r"A must be a square matrix, got shape \(2, 3\)"),
            ({"A": np.ones((256, 256))}, "n_states must be an integer from 1 to 255, got 256"),
            ({"A": [[1.0, 0.0], [0.0, 1.0]]}, "A must be positive, got 0.0"),
            (
                {"A": [[1.0, np.inf], [np.inf, 1.0]]},
                r"A must be finite, at most 1e\+150 and >= 0, got inf",
            ),
            ({"shape": ()}, "shape must be a sequence of 1 to 3 positive integers, got"),
            ({"shape": (0, 3)}, "shape must be a sequence of 1 to 3 positive integers, got"),
            ({"shape": (2, 2, 2, 2)}, "shape must be a sequence of 1 to 3 positive integers, got"),
            ({"sweeps": -1}, "sweeps must be an integer from 0 to 1000000, got -1"),
            ({"sweeps": 2.5}, "sweeps must be an integer from 0 to 1000000, got 2.5"),
            ({"method": "wolff"}, "method must be 'clusters' or 'gibbs', got 'wolff'"),
            ({"method": "clusters", "A": THREE_STATES}, "clusters need one value on A's diagonal"),
            ({"method": "clusters", "A": 1 / ISING}, "clusters need one value on A's diagonal"),
        ],
    )
    def test_refuses(self, change, message):
        with pytest.raises(ParameterError, match=message):
            sample_potts(**({"A": ISING, "shape": (3, 3), "sweeps": 1, "random_state": 0} | change))


class TestChain:
    @pytest.mark.parametrize("start", [None, [0.2, 0.3, 0.5]])
    def test_every_short_sequence_has_its_probability(self, start):
        n = 2500
        first = stationary_distribution(CHAIN) if start is None else start
        expected = [
            first[q[0]] * np.prod([CHAIN[i, j] for i, j in pairwise(q)])
            for q in product(range(3), repeat=4)
        ]
        samples = [
            sample_chain(CHAIN, length=4, start=start, random_state=seed) for seed in range(n)
        ]
        found, expected = counted(samples, 3), np.array(expected) * n
        common = expected > 5
        assert expected[common].sum() > 0.97 * n
        found = np.append(found[common], n - found[common].sum())
        expected = np.append(expected[common], n - expected[common].sum())
        assert stats.chisquare(found, expected).pvalue > 1e-3

    def test_transitions_of_a_long_chain(self):
        q = sample_chain(CHAIN, length=100_000, random_state=1)
        assert q.dtype == np.uint8
        counts = np.zeros((3, 3))
        np.add.at(counts, (q[:-1], q[1:]), 1)
        for row, expected in zip(counts, CHAIN, strict=True):
            assert stats.chisquare(row, expected * row.sum()).pvalue > 1e-3
        both_ways = pair_counts(q, n_states=3)
        np.testing.assert_array_equal(both_ways, counts + counts.T)

    def test_shares_of_a_long_chain_are_stationary(self):
        # Independent chains: the mean of their shares has a standard error that is measured.
        chains = [
            np.bincount(sample_chain(CHAIN, length=2000, random_state=k)) / 2000 for k in range(100)
        ]
        error = np.std(chains, axis=0, ddof=1) / 10
        difference = np.abs(np.mean(chains, axis=0) - stationary_distribution(CHAIN))
        assert (difference < 3.5 * error).all()
        assert (error < 0.01).all()

    def test_the_stationary_distribution_by_hand(self):
        p = stationary_distribution([[0.9, 0.1], [0.3, 0.7]])
        np.testing.assert_allclose(p, [0.75, 0.25], rtol=1e-12, atol=0)
        # Of a chain that alternates, and of one that ends in state 1.
        np.testing.assert_allclose(stationary_distribution([[0, 1], [1, 0]]), 0.5, rtol=1e-12)
        p = stationary_distribution([[0.5, 0.5], [0.0, 1.0]])
        np.testing.assert_allclose(p, [0.0, 1.0], rtol=0, atol=1e-12)

    def test_what_is_certain(self):
        np.testing.assert_array_equal(
            sample_chain([[0, 1], [1, 0]], length=7, start=[0, 1], random_state=0),
            [1, 0, 1, 0, 1, 0, 1],
        )
        np.testing.assert_array_equal(sample_chain([[1.0]], length=5, random_state=0), np.zeros(5))

    @pytest.mark.parametrize(
        ("transitions", "length", "message"),
        [
            ([[0.5, 0.5]], 3, r"transitions must be a square matrix, got shape \(1, 2\)"),
            ([[0.5, 0.6], [0.5, 0.5]], 3, "each row of transitions must sum to 1, got 1.1"),
            ([[1.0]], 0, "length must be an integer >= 1, got 0"),
            (np.eye(2), 3, "the chain must have one stationary distribution, got several"),
        ],
    )
    def test_refuses(self, transitions, length, message):
        with pytest.raises(ParameterError, match=message):
            sample_chain(transitions, length=length, random_state=0)

    def test_refuses_a_start_of_other_states(self):
        with pytest.raises(ParameterError, match=r"start must have shape \(3,\), got \(2,\)"):
            sample_chain(CHAIN, length=3, start=[0.5, 0.5], random_state=0)
        with pytest.raises(ParameterError, match="each row of start must sum to 1"):
            sample_chain(CHAIN, length=3, start=[0.5, 0.5, 0.5], random_state=0)


@pytest.mark.parametrize("method", ["gibbs", "clusters"])
def test_sampling_stops_between_sweeps(method):
    class Second:
        asked = 0

        def report(self, fraction): ...

        def cancelled(self):
            self.asked += 1
            return self.asked == 2

    progress = Second()
    with pytest.raises(Cancelled), heeding(progress):
        sample_potts(ISING, shape=(4, 4), sweeps=1_000_000, method=method, random_state=0)
    assert progress.asked == 2


@pytest.mark.parametrize(
    "sample",
    [
        lambda seed: sample_potts(
            ISING, shape=(9, 8, 7), sweeps=3, method="gibbs", random_state=seed
        ),
        lambda seed: sample_potts(
            ISING, shape=(9, 8, 7), sweeps=3, method="clusters", random_state=seed
        ),
        lambda seed: sample_chain(CHAIN, length=50, random_state=seed),
    ],
    ids=["gibbs", "clusters", "chain"],
)
def test_a_seed_settles_everything(sample):
    np.testing.assert_array_equal(sample(1), sample(1))
    assert (sample(1) != sample(2)).any()
