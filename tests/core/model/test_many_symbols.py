"""Many symbols of which few occur: the others take no time."""

import time

import numpy as np
import pytest

from latviz.core import DiscreteModel, ParameterError, choose, memory, sweep
from latviz.core.model import learning
from tests import naive
from tests.core import cases

MOST = 65536


@pytest.mark.parametrize(("shape", "most"), [((12, 14), MOST), ((4, 5, 6), 300)])
def test_symbols_that_do_not_occur_change_nothing(shape, most):
    apart = most // 5 - 8
    o = cases.blocky(shape, 5, 1).astype(np.uint16) * apart + 7
    model = DiscreteModel.fit(o, n_states=3, window=1, n_symbols=most)
    few = DiscreteModel.fit((o // apart), n_states=3, window=1, n_symbols=5)
    used = np.arange(5) * apart + 7
    np.testing.assert_array_equal(model.B[:, used], few.B)
    assert model.B.sum() == pytest.approx(3)
    assert np.delete(model.B, used, axis=1).max() == 0
    np.testing.assert_array_equal(model.A, few.A)
    x = naive.signature_discrete(o // apart, 1, 5)
    np.testing.assert_array_equal(model.decode(o), naive.decode(x, few.B))
    wanted = few.evaluate(o // apart).log_likelihood
    assert model.evaluate(o).log_likelihood == pytest.approx(wanted)
    smoothed = DiscreteModel.fit(o, n_states=3, window=1, n_symbols=most, smoothing=0.5)
    n = np.bincount(model.decode(o).ravel(), minlength=3)
    wanted = (n[:, None] * model.B + 0.5) / (n[:, None] + 0.5 * most)
    np.testing.assert_allclose(smoothed.B, wanted, rtol=1e-12)


def test_fitting_takes_as_long_as_its_nodes_do():
    o = np.random.default_rng(0).integers(0, MOST, (12, 14))
    fit = {"n_states": 3, "window": 1, "n_symbols": MOST}
    DiscreteModel.fit(o, **fit)  # compiles
    start = time.perf_counter()
    DiscreteModel.fit(o, **fit)
    assert time.perf_counter() - start < 1.0


def test_the_tree_has_all_columns():
    o = np.array([[3, 3, 900, 900], [3, 3, 900, 3]], np.uint16)
    tree = learning.learn_tree([o], 1000, 0)
    assert tree.n_max == 2
    wanted = np.zeros((1, 1000))
    wanted[0, [3, 900]] = 5 / 8, 3 / 8
    np.testing.assert_allclose(tree.codebook(1), wanted)
    assert tree.codewords_of([1, 2]).values.shape == (3, 1000)


def test_what_memory_cannot_hold_is_refused(monkeypatch):
    o = np.random.default_rng(0).integers(0, MOST, (40, 40))
    model = DiscreteModel(np.eye(1), np.full((1, MOST), 1 / MOST), window=0)
    monkeypatch.setattr(memory, "available", lambda: 1 << 24)
    with pytest.raises(ParameterError, match=r"learning from 1600 nodes .* GiB are free"):
        DiscreteModel.fit(o, n_states=2, window=1, n_symbols=MOST)
    with pytest.raises(ParameterError, match=r"signatures of shape .* GiB are free"):
        model.signature(o)


def test_settings_of_many_symbols():
    """Blocks are the same for all numbers of states, so that code lengths can be compared."""
    o = cases.blocky((12, 14), 3, 2)
    choice = choose(o, n_symbols=MOST, n_states=[2, 3], windows=[1, 2])
    assert np.isfinite(choice.saved).all()
    found = list(sweep(o, windows=[1], n_states=[1, 2], n_symbols=MOST))
    n = np.bincount(o.ravel(), minlength=3)
    shares = (n + 0.5) / (o.size + 0.5 * MOST)
    wanted = -(n * np.log2(shares)).sum() + 0.5 * (MOST - 1) * np.log2(o.size)
    assert found[0].code_length == pytest.approx(wanted / o.size)
