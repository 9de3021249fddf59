"""The belief state's entropy against plain loops."""

import math

import numpy as np
import pytest

from latviz.core import DiscreteModel, GaussianModel, ParameterError
from latviz.core.inference import window_beliefs
from latviz.core.model.belief import belief_entropy
from tests import naive
from tests.core import cases


@pytest.mark.parametrize("case", cases.DISCRETE, ids=cases.by_name)
@pytest.mark.parametrize("zeros", [0.0, 0.4])
def test_discrete(case, zeros):
    """Also where some states emit some symbols never."""
    B = cases.random_symbols(case.n_states, case.n_channels, 501)
    B = np.where(np.random.default_rng(507).random(B.shape) < zeros, 0.0, B)
    B[B.sum(axis=1) == 0] = 1.0
    B /= B.sum(axis=1, keepdims=True)
    model = DiscreteModel(A=np.ones((len(B), len(B))), B=B, window=case.window)
    for o in case.lattices:
        wanted = naive.belief_entropy_discrete(o, B, case.window)
        found = belief_entropy(o, model=model)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, wanted, rtol=0.0, atol=2e-6)


@pytest.mark.parametrize("case", cases.GAUSSIAN, ids=cases.by_name)
def test_gaussian(case):
    """The entropies, and the likeliest states."""
    means = np.random.default_rng(502).normal(size=(case.n_states, case.n_channels)) * 0.3
    sigmas = cases.random_covariances(case.n_states, case.n_channels, 503)
    model = GaussianModel(np.ones((case.n_states,) * 2), means, sigmas, case.window)
    for v in case.lattices:
        wanted = naive.belief_entropy_gaussian(v, means, sigmas, case.window)
        np.testing.assert_allclose(belief_entropy(v, model=model), wanted, rtol=0.0, atol=2e-5)
        scores, shape = {}, v.shape[:-1]
        for t in naive.nodes(shape):
            n = len(naive.window_nodes(shape, t, case.window))
            mean = naive.mean_at(v, t, case.window)
            scores[t] = [
                naive.log_density(mean, m, naive.cholesky(s / n))
                for m, s in zip(means, sigmas, strict=True)
            ]
        assert_likeliest(model.decode(v, decoder="likelihood"), scores, 1e-4)


def assert_likeliest(states, scores, tolerance):
    """Assert that each node has a state of the best score, up to rounding."""
    for t, own in scores.items():
        assert own[states[t]] >= max(own) - tolerance


@pytest.mark.parametrize("case", cases.DISCRETE, ids=cases.by_name)
def test_the_likeliest_state_of_symbols(case):
    B = cases.random_symbols(case.n_states, case.n_channels, 530)
    B = np.where(np.random.default_rng(531).random(B.shape) < 0.2, 0.0, B)
    B[:, 0] += 1e-3
    B /= B.sum(axis=1, keepdims=True)
    model = DiscreteModel(A=np.ones((len(B), len(B))), B=B, window=case.window)
    for o in case.lattices:
        scores = {}
        for t in naive.nodes(o.shape):
            seen = [int(o[s]) for s in naive.window_nodes(o.shape, t, case.window)]
            # Fewest impossible symbols first, then the likelihood of the others.
            scores[t] = [
                -1e6 * sum(row[k] == 0 for k in seen) + sum(math.log2(row[k] or 1) for k in seen)
                for row in B
            ]
        found = model.decode(o, decoder="likelihood")
        assert found.dtype == np.uint8
        assert_likeliest(found, scores, 1e-5)


def test_likeliest_states_of_a_list_and_with_ties():
    B = np.full((3, 4), 0.25)
    model = DiscreteModel(np.ones((3, 3)), B, window=1)
    some = [cases.blocky((5, 6), 4, 534), cases.blocky((300, 7), 4, 535)]
    for found, one in zip(model.decode(some, decoder="likelihood"), some, strict=True):
        np.testing.assert_array_equal(found, np.zeros_like(one))
    cases.assert_cancels(lambda watch: model.decode(some, decoder="likelihood", progress=watch), 0)


def test_sums_that_need_two_parts(monkeypatch):
    o = cases.blocky((20, 17), 4, 508)
    B = cases.random_symbols(5, 4, 509)
    B[1] = B[0] + [1e-3, -1e-3, 0, 0]
    wanted = naive.belief_entropy_discrete(o, B, 2)
    model = DiscreteModel(A=np.ones((5, 5)), B=B, window=2)
    monkeypatch.setattr(window_beliefs, "_SUM_BITS", 20)
    np.testing.assert_allclose(belief_entropy(o, model=model), wanted, rtol=0.0, atol=2e-6)
    monkeypatch.setattr(window_beliefs, "_TOLERANCE", np.inf)
    assert np.abs(belief_entropy(o, model=model) - wanted).max() > 1e-4


def test_as_many_states_as_there_can_be():
    o = cases.blocky((9, 11), 5, 510)
    B = cases.random_symbols(255, 5, 511)
    wanted = naive.belief_entropy_discrete(o, B, 1)
    found = belief_entropy(o, model=DiscreteModel(A=np.ones((255, 255)), B=B, window=1))
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=2e-6)


@pytest.mark.parametrize("shape", [(50_000,), (70, 90), (9, 20, 21)])
def test_any_number_of_threads(shape):
    symbols, vectors = cases.blocky(shape, 5, 512), cases.vectors(shape, 2, 513)
    B, means = cases.random_symbols(4, 5, 514), np.random.default_rng(515).normal(size=(4, 2))
    models = (
        DiscreteModel(A=np.ones((4, 4)), B=B, window=3),
        GaussianModel(np.ones((4, 4)), means, cases.random_covariances(4, 2, 516), 3),
    )
    both = list(zip(models, (symbols, vectors), strict=True))
    cases.assert_same_with_threads(lambda: [belief_entropy(o, model=m) for m, o in both], (1, 3))


def test_impossible_symbols_leave_no_doubt_or_all_of_it():
    B = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0]])
    model = DiscreteModel(A=np.eye(3), B=B, window=0)
    found = belief_entropy(np.array([0, 1, 2]), model=model)
    mixed = naive.entropy([0.0, np.log(0.5), np.log(0.5)])
    np.testing.assert_allclose(found, [mixed, 1.0, np.log2(3)], rtol=0.0, atol=1e-6)


def test_parts_and_windows_and_cancelling(monkeypatch):
    o = cases.blocky((40, 30), 4, 504)
    model = DiscreteModel(A=np.ones((3, 3)), B=cases.random_symbols(3, 4, 505), window=1)
    whole = belief_entropy(o, model=model, window=2)
    monkeypatch.setattr(window_beliefs, "_BAND", 100)
    np.testing.assert_array_equal(belief_entropy(o, model=model, window=2), whole)
    cases.assert_reports(lambda watch: belief_entropy(o, model=model, window=2, progress=watch))
    cases.assert_cancels(lambda watch: belief_entropy(o, model=model, progress=watch), 1)
    with pytest.raises(ParameterError):
        belief_entropy(o + 9, model=model)
