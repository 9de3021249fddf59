import numpy as np
import pytest
from scipy import stats

from latviz.core import NormalEmission, ParameterError, emit
from latviz.core.truth.emission import as_emission


class TestSymbols:
    def test_frequencies_are_those_of_the_rows(self):
        B = np.array([[0.7, 0.2, 0.1], [0.05, 0.05, 0.9]])
        q = np.repeat([0, 1], 30_000).reshape(200, 300)
        o = emit(q, emission=B, random_state=1)
        assert o.dtype == np.uint8
        for state in (0, 1):
            found = np.bincount(o[q == state], minlength=3)
            assert stats.chisquare(found, B[state] * found.sum()).pvalue > 1e-3

    def test_impossible_symbols_never_occur(self):
        B = np.array([[0.0, 0.5, 0.0, 0.5, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]])
        o = emit(np.repeat([0, 1], 5000), emission=B, random_state=2)
        assert set(o[:5000]) == {1, 3}
        assert set(o[5000:]) == {2}

    @pytest.mark.parametrize("shape", [(50,), (5, 6, 7)])
    def test_any_lattice(self, shape):
        o = emit(np.zeros(shape, np.uint8), emission=[[0.0, 1.0]], random_state=3)
        np.testing.assert_array_equal(o, np.ones(shape))

    def test_of_256_symbols(self):
        o = emit(np.zeros(20_000, np.uint8), emission=np.full((1, 256), 1 / 256), random_state=4)
        assert stats.chisquare(np.bincount(o, minlength=256)).pvalue > 1e-3

    def test_of_more_than_256_symbols(self):
        o = emit(np.zeros(50_000, np.uint8), emission=np.full((1, 500), 1 / 500), random_state=5)
        assert o.dtype == np.uint16
        assert stats.chisquare(np.bincount(o, minlength=500)).pvalue > 1e-3

    @pytest.mark.parametrize(
        ("states", "B", "message"),
        [
            ([0, 2], [[1.0], [1.0]], "states must be from 0 to 1, got 0 to 2"),
            ([-1], [[1.0]], "states must be from 0 to 0, got -1 to -1"),
            ([0.0], [[1.0]], "states must be a non-empty array of integers, got float64"),
            ([], [[1.0]], r"states must have .* nodes, got an empty one of shape \(0,\)"),
            ([0], [1.0], r"B must have shape \(N, M\), got \(1,\)"),
            ([0], [[0.5, 0.6]], r"each row of B must sum to 1, got 1.1"),
            ([0], [[1.5, -0.5]], "B must be finite and >= 0, got -0.5"),
            ([0], [[np.nan, 1.0]], "B must be finite and >= 0, got nan"),
            ([0], np.ones((256, 1)), "n_states must be an integer from 1 to 255, got 256"),
        ],
    )
    def test_refuses(self, states, B, message):
        with pytest.raises(ParameterError, match=message):
            emit(states, emission=B, random_state=0)


class TestNormal:
    MEANS = np.array([[0.0, 5.0], [3.0, -1.0]])
    COVARIANCES = np.array([[[1.0, 0.6], [0.6, 2.0]], [[0.5, -0.3], [-0.3, 0.4]]])

    def test_each_state_has_its_law(self):
        q = np.repeat([0, 1, 0, 1], 10_000).reshape(200, 200)
        v = emit(q, emission=NormalEmission(self.MEANS, self.COVARIANCES), random_state=1)
        assert v.shape == (200, 200, 2)
        assert v.dtype == np.float64
        for state, (mean, covariance) in enumerate(zip(self.MEANS, self.COVARIANCES, strict=True)):
            found = v[q == state]
            white = np.linalg.solve(np.linalg.cholesky(covariance), (found - mean).T)
            for row in (*white, white.sum(axis=0) / np.sqrt(2.0)):
                assert stats.kstest(row, "norm").pvalue > 1e-3

    def test_of_one_channel(self):
        v = emit(
            [0, 1], emission=NormalEmission([[0.0], [9.0]], [[[1e-12]], [[1e-12]]]), random_state=2
        )
        np.testing.assert_allclose(v, [[0.0], [9.0]], rtol=0, atol=1e-4)

    @pytest.mark.parametrize(
        ("means", "covariances", "message"),
        [
            ([0.0, 1.0], np.ones((2, 1, 1)), r"means must have shape \(N, M\), got \(2,\)"),
            ([[np.inf]], np.ones((1, 1, 1)), "means must be finite"),
            ([[0.0]], np.ones((1, 2, 2)), r"covariances must have shape \(1, 1, 1\)"),
            ([[0.0]], -np.ones((1, 1, 1)), "covariances must be positive definite"),
        ],
    )
    def test_refuses(self, means, covariances, message):
        with pytest.raises(ParameterError, match=message):
            NormalEmission(means, covariances)


@pytest.mark.parametrize("emission", [[[0.5, 0.5]], NormalEmission([[0.0]], [[[1.0]]])])
def test_a_seed_settles_everything(emission):
    q = np.zeros((30, 40), int)
    np.testing.assert_array_equal(
        emit(q, emission=emission, random_state=1), emit(q, emission=emission, random_state=1)
    )
    assert (
        emit(q, emission=emission, random_state=1) != emit(q, emission=emission, random_state=2)
    ).any()
    children = np.random.SeedSequence(1).spawn(2)
    assert (
        emit(q, emission=emission, random_state=children[0])
        != emit(q, emission=emission, random_state=children[1])
    ).any()


def test_the_codebook_is_what_a_window_of_one_state_is_expected_to_hold():
    np.testing.assert_array_equal(as_emission([[0.3, 0.7]]).codebook, [[0.3, 0.7]])
    normal = NormalEmission([[2.0]], [[[1.0]]])
    assert as_emission(normal) is normal
    np.testing.assert_array_equal(normal.codebook, [[2.0]])
