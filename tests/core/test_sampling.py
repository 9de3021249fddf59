from itertools import product

import numpy as np
import pytest
from scipy import stats

from latviz.core.errors import ParameterError
from latviz.core.sampling import emit, sample_blobs, sample_potts, sample_voronoi

ASYMMETRIC_STATES = np.array([[1.5, 0.6], [0.6, 0.8]])
THREE_STATES = np.array([[2.0, 0.5, 1.0], [0.5, 1.0, 0.7], [1.0, 0.7, 1.5]])


def lattice_weight(A: np.ndarray, states: np.ndarray) -> float:
    """Return the product of A over adjacent pairs, by plain loops."""
    weight = 1.0
    for node in np.ndindex(states.shape):
        for axis in range(states.ndim):
            other = list(node)
            other[axis] += 1
            if other[axis] < states.shape[axis]:
                weight *= A[states[node], states[tuple(other)]]
    return weight


def exact_distribution(A: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    size = int(np.prod(shape))
    weights = [
        lattice_weight(A, np.array(states).reshape(shape))
        for states in product(range(len(A)), repeat=size)
    ]
    return np.array(weights) / np.sum(weights)


class TestPotts:
    @pytest.mark.parametrize(
        ("A", "shape"),
        [
            (ASYMMETRIC_STATES, (2, 2)),
            (ASYMMETRIC_STATES, (2, 3)),
            (ASYMMETRIC_STATES, (5,)),
            (ASYMMETRIC_STATES, (1, 2, 2)),
            (THREE_STATES, (3,)),
            (THREE_STATES, (1, 2, 1)),
        ],
    )
    def test_has_the_exact_distribution_of_a_tiny_lattice(self, A, shape):
        n_samples = 1500
        expected = exact_distribution(A, shape) * n_samples
        samples = [sample_potts(A, shape, sweeps=12, seed=seed) for seed in range(n_samples)]
        powers = len(A) ** np.arange(np.prod(shape))[::-1]
        codes = [int(sample.ravel() @ powers) for sample in samples]
        found = np.bincount(codes, minlength=expected.size)
        assert stats.chisquare(found, expected).pvalue > 1e-3

    def test_has_the_exact_pair_distribution_of_a_cube(self):
        A = np.array([[1.0, 0.7], [0.7, 1.0]])
        shape = (2, 2, 2)
        n_unequal = [
            round(np.log(lattice_weight(A, np.array(states).reshape(shape))) / np.log(0.7))
            for states in product(range(2), repeat=8)
        ]
        expected = np.bincount(n_unequal, weights=exact_distribution(A, shape))
        found = np.zeros(expected.size)
        for seed in range(1000):
            q = sample_potts(A, shape, sweeps=12, seed=seed)
            found[sum((np.diff(q, axis=axis) != 0).sum() for axis in range(3))] += 1
        common = expected > 0.005
        found, expected = found[common], expected[common] / expected[common].sum()
        assert stats.chisquare(found, expected * found.sum()).pvalue > 1e-3

    def test_long_chain_agrees_with_its_closed_form(self):
        n_nodes = 40_000
        q = sample_potts([[1.0, 0.4], [0.4, 1.0]], (n_nodes,), sweeps=40, seed=1)
        # Along a chain neighbours are equal with probability 1 / 1.4, pair by pair independently.
        share = (q[1:] == q[:-1]).mean()
        error = np.sqrt((1 / 1.4) * (0.4 / 1.4) / n_nodes)
        assert abs(share - 1 / 1.4) < 4 * error

    def test_one_node_and_no_sweep_are_uniform(self):
        A = [[9.0, 0.1], [0.1, 1.0]]
        ones = sum(int(sample_potts(A, (1,), sweeps=3, seed=seed)[0]) for seed in range(400))
        assert stats.binomtest(ones, 400).pvalue > 1e-3
        start = sample_potts(A, (100, 100), sweeps=0, seed=2)
        assert stats.binomtest(int(start.sum()), start.size).pvalue > 1e-3

    def test_potentials_matter_only_up_to_a_factor(self):
        A = np.array([[1.0, 0.2], [0.2, 1.0]])
        first = sample_potts(A, (20, 20), sweeps=10, seed=3)
        np.testing.assert_array_equal(first, sample_potts(8.0 * A, (20, 20), sweeps=10, seed=3))

    def test_associative_and_not(self):
        like = sample_potts([[1.0, 0.1], [0.1, 1.0]], (64, 64), sweeps=50, seed=4)
        unlike = sample_potts([[1.0, 10.0], [10.0, 1.0]], (64, 64), sweeps=50, seed=4)
        assert (like[1:] == like[:-1]).mean() > 0.9
        assert (unlike[1:] == unlike[:-1]).mean() < 0.1

    def test_of_256_states(self):
        q = sample_potts(np.ones((256, 256)), (40, 50), sweeps=1, seed=5)
        assert q.dtype == np.uint8
        assert q.max() > 200

    @pytest.mark.parametrize(
        ("A", "message"),
        [
            (np.ones((2, 3)), r"A must have shape \(N, N\), got \(2, 3\)"),
            (np.ones((257, 257)), "A must have from 1 to 256 states, got 257"),
            ([[1.0, 0.0], [0.0, 1.0]], "A must be finite and positive, got"),
            ([[1.0, np.inf], [np.inf, 1.0]], "A must be finite and positive, got"),
            ([[1.0, 0.2], [0.3, 1.0]], "A must be symmetric, got"),
        ],
    )
    def test_refuses_potentials(self, A, message):
        with pytest.raises(ParameterError, match=message):
            sample_potts(A, (3, 3), sweeps=1, seed=0)

    @pytest.mark.parametrize("shape", [(), (0, 3), (2, 2, 2, 2)])
    def test_refuses_shapes(self, shape):
        with pytest.raises(ParameterError, match="shape must have 1, 2 or 3 positive lengths, got"):
            sample_potts(np.ones((2, 2)), shape, sweeps=1, seed=0)

    @pytest.mark.parametrize("sweeps", [-1, 2.5])
    def test_refuses_sweeps(self, sweeps):
        with pytest.raises(ParameterError, match="sweeps must be an integer at least 0, got"):
            sample_potts(np.ones((2, 2)), (3,), sweeps=sweeps, seed=0)


class TestBlobs:
    @pytest.mark.parametrize("shape", [(4000,), (128, 128), (32, 32, 32)])
    def test_are_smooth_and_of_equal_shares(self, shape):
        q = sample_blobs(shape, 4, scale=4.0, seed=1)
        assert q.shape == shape
        assert q.dtype == np.uint8
        shares = np.bincount(q.ravel(), minlength=4) / q.size
        np.testing.assert_allclose(shares, 0.25, rtol=0.35, atol=0)
        for axis in range(q.ndim):
            assert (np.diff(q, axis=axis) == 0).mean() > 0.8

    def test_grow_with_the_scale(self):
        fields = [sample_blobs((128, 128), 3, scale=scale, seed=2) for scale in (1.0, 3.0, 9.0)]
        borders = [(np.diff(q, axis=0) != 0).mean() for q in fields]
        assert borders[0] > 2 * borders[1] > 4 * borders[2]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"scale": 0.0}, "scale must be positive and finite, got 0.0"),
            ({"scale": np.nan}, "scale must be positive and finite, got nan"),
            ({"n_states": 0}, "n_states must be an integer from 1 to 256, got 0"),
            ({"n_states": 257}, "n_states must be an integer from 1 to 256, got 257"),
            ({"shape": (3, -1)}, r"shape must have positive lengths, got \(3, -1\)"),
        ],
    )
    def test_refuse(self, change, message):
        arguments = {"shape": (8, 8), "n_states": 2, "scale": 2.0, "seed": 0} | change
        with pytest.raises(ParameterError, match=message):
            sample_blobs(**arguments)


class TestVoronoi:
    def test_cells_are_convex(self):
        q = sample_voronoi((60, 70), 8, 8, seed=1)
        assert set(np.unique(q)) == set(range(8))
        for lines in (q, q.T):
            for line in lines:
                changes = np.flatnonzero(np.diff(line)) + 1
                assert changes.size + 1 == np.unique(line).size

    def test_centres_are_dealt_out_evenly(self):
        q = sample_voronoi((3000,), 30, 3, seed=2)
        starts = np.concatenate([[0], np.flatnonzero(np.diff(q)) + 1])
        # Adjacent cells of one state run together, so no state can have more runs than centres.
        assert (np.bincount(q[starts], minlength=3) <= 10).all()
        assert starts.size > 10

    def test_of_three_dimensions(self):
        q = sample_voronoi((6, 7, 8), 1, 1, seed=3)
        np.testing.assert_array_equal(q, np.zeros((6, 7, 8)))

    def test_refuses_fewer_regions_than_states(self):
        with pytest.raises(ParameterError, match="n_regions must be an integer at least 5, got 4"):
            sample_voronoi((9, 9), 4, 5, seed=0)


class TestEmit:
    def test_frequencies_are_those_of_the_rows(self):
        B = np.array([[0.7, 0.2, 0.1], [0.05, 0.05, 0.9]])
        q = np.repeat([0, 1], 30_000).reshape(200, 300)
        o = emit(q, B, seed=1)
        assert o.dtype == np.uint8
        for state in (0, 1):
            found = np.bincount(o[q == state], minlength=3)
            assert stats.chisquare(found, B[state] * found.sum()).pvalue > 1e-3

    def test_impossible_symbols_never_occur(self):
        B = np.array([[0.0, 0.5, 0.0, 0.5, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]])
        o = emit(np.repeat([0, 1], 5000), B, seed=2)
        assert set(o[:5000]) == {1, 3}
        assert set(o[5000:]) == {2}

    @pytest.mark.parametrize("shape", [(50,), (5, 6, 7), (0,)])
    def test_any_lattice(self, shape):
        o = emit(np.zeros(shape, np.uint8), [[0.0, 1.0]], seed=3)
        np.testing.assert_array_equal(o, np.ones(shape))

    def test_of_256_symbols(self):
        o = emit(np.zeros(20_000, np.uint8), np.full((1, 256), 1 / 256), seed=4)
        assert stats.chisquare(np.bincount(o, minlength=256)).pvalue > 1e-3

    @pytest.mark.parametrize(
        ("states", "B", "message"),
        [
            ([0, 2], [[1.0], [1.0]], "states must be from 0 to 1, got 0 to 2"),
            ([-1], [[1.0]], "states must be from 0 to 0, got -1 to -1"),
            ([0.0], [[1.0]], "states must be integers, got float64"),
            ([0], [1.0], r"B must have shape \(N, M\) with M from 1 to 256, got \(1,\)"),
            ([0], np.full((1, 257), 1 / 257), r"M from 1 to 256, got \(1, 257\)"),
            ([0], [[0.5, 0.6]], r"rows must sum to 1, got least entry 0.5 and row sums \[1.1\]"),
            ([0], [[1.5, -0.5]], r"B must not be negative and .*, got least entry -0.5"),
            ([0], [[np.nan, 1.0]], "B must not be negative and its rows must sum to 1"),
        ],
    )
    def test_refuses(self, states, B, message):
        with pytest.raises(ParameterError, match=message):
            emit(states, B, seed=0)


@pytest.mark.parametrize(
    "sample",
    [
        lambda seed: sample_potts([[1.0, 0.3], [0.3, 1.0]], (9, 8, 7), sweeps=3, seed=seed),
        lambda seed: sample_blobs((30, 40), 3, scale=2.0, seed=seed),
        lambda seed: sample_voronoi((30, 40), 9, 3, seed=seed),
        lambda seed: emit(np.zeros((30, 40), int), [[0.5, 0.5]], seed=seed),
    ],
    ids=["potts", "blobs", "voronoi", "emit"],
)
def test_a_seed_settles_everything(sample):
    np.testing.assert_array_equal(sample(1), sample(1))
    assert (sample(1) != sample(2)).any()
