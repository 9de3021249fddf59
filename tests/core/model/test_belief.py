"""The belief state's entropy against plain loops."""

import numpy as np
import pytest

from latviz.core import Cancelled, DiscreteModel, GaussianModel, ParameterError
from latviz.core.model import belief
from latviz.core.model.belief import belief_entropy
from tests import naive
from tests.core import cases


@pytest.mark.parametrize("case", cases.DISCRETE, ids=cases.by_name)
def test_discrete(case):
    B = cases.random_symbols(case.n_states, case.n_channels, 501)
    model = DiscreteModel(A=np.ones((len(B), len(B))), B=B, window=case.window)
    for o in case.lattices:
        wanted = naive.belief_entropy_discrete(o, B, case.window)
        found = belief_entropy(model, o)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, wanted, rtol=0.0, atol=2e-6)


@pytest.mark.parametrize("case", cases.GAUSSIAN, ids=cases.by_name)
def test_gaussian(case):
    means = np.random.default_rng(502).normal(size=(case.n_states, case.n_channels)) * 0.3
    sigma = cases.random_covariances(case.n_states, case.n_channels, 503)
    A = np.ones((case.n_states, case.n_states))
    model = GaussianModel(A, means, sigma, case.window)
    for v in case.lattices:
        wanted = naive.belief_entropy_gaussian(v, means, sigma, case.window)
        np.testing.assert_allclose(belief_entropy(model, v), wanted, rtol=0.0, atol=2e-5)


def test_impossible_symbols_leave_no_doubt_or_all_of_it():
    B = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0]])
    model = DiscreteModel(A=np.eye(3), B=B, window=0)
    found = belief_entropy(model, np.array([0, 1, 2]))
    mixed = naive.entropy([0.0, np.log(0.5), np.log(0.5)])
    np.testing.assert_allclose(found, [mixed, 1.0, np.log2(3)], rtol=0.0, atol=1e-6)


def test_one_state_is_sure():
    model = DiscreteModel(A=np.eye(1), B=np.array([[0.5, 0.5]]), window=2)
    assert (belief_entropy(model, np.zeros((5, 6), int)) == 0).all()


def test_parts_and_windows_and_cancelling(monkeypatch):
    o = cases.blocky((40, 30), 4, 504)
    model = DiscreteModel(A=np.ones((3, 3)), B=cases.random_symbols(3, 4, 505), window=1)
    whole = belief_entropy(model, o, 2)
    monkeypatch.setattr(belief, "_BAND", 100)
    monkeypatch.setattr(belief, "_BLOCK", 7)
    recorder = cases.Recorder()
    np.testing.assert_array_equal(belief_entropy(model, o, 2, progress=recorder), whole)
    assert recorder.fractions[-1] == 1.0
    assert len(recorder.fractions) > 1
    with pytest.raises(Cancelled):
        belief_entropy(model, o, progress=cases.Recorder(cancel_after=1))
    with pytest.raises(ParameterError):
        belief_entropy(model, o + 9)
