"""Beliefs, refining and choosing at the ends of their ranges: right answers, or clear errors."""

import numpy as np
import pytest

from latviz.core import DiscreteModel, GaussianModel, ParameterError, choose, refine
from tests.core import cases

SYMBOLS = cases.blocky((20, 24), 3, 801)
B = np.array([[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]])
A = np.array([[0.9, 0.1], [0.1, 0.9]])


def test_one_state_is_sure_of_everything():
    model = DiscreteModel.fit(SYMBOLS, n_states=1, window=2, n_symbols=3)
    assert (model.beliefs(SYMBOLS) == 1).all()
    assert not model.decode(SYMBOLS, decoder="belief").any()
    found = refine(SYMBOLS, model=model)
    assert not found.states.any()
    shares = np.bincount(SYMBOLS.reshape(-1), minlength=3) / SYMBOLS.size
    np.testing.assert_allclose(found.model.B, shares[None], rtol=0, atol=0.01)
    entropy = -(shares * np.log2(shares)).sum()
    assert found.bits == pytest.approx(entropy, abs=0.01)


@pytest.mark.parametrize("shape", [(1,), (1, 1), (1, 1, 1)])
def test_one_node_believes_its_own_observation(shape):
    node = np.full(shape, 2, np.uint8)
    model = DiscreteModel(A, B, window=1)
    np.testing.assert_allclose(model.beliefs(node).reshape(-1), [1 / 8, 7 / 8], rtol=1e-3)
    assert model.decode(node, decoder="belief").item() == 1
    assert refine(node, model=model).states.shape == shape
    assert choose(node, n_symbols=3).n_states == 1


def test_a_symbol_that_no_state_emits_is_told_by_its_neighbours():
    model = DiscreteModel(A, np.hstack([B, np.zeros((2, 1))]), window=1)
    symbols = np.full((9, 9), 2, np.uint8)
    symbols[4, 4] = 3
    beliefs = model.beliefs(symbols, strength=1.0)
    np.testing.assert_allclose(beliefs.sum(axis=-1), 1, rtol=1e-5)
    assert beliefs[4, 4, 1] > 0.99
    assert model.evaluate(symbols).n_impossible == 1
    alone = model.beliefs(np.full((1, 1), 3, np.uint8))
    np.testing.assert_allclose(alone.reshape(-1), [0.5, 0.5], rtol=1e-6)


def test_a_state_that_cannot_emit_a_symbol_is_not_believed():
    sharp = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]])
    beliefs = DiscreteModel(A, sharp, window=1).beliefs(SYMBOLS)
    assert (beliefs[SYMBOLS == 0, 1] < 1e-6).all()
    assert (beliefs[SYMBOLS == 2, 0] < 1e-6).all()


def test_a_state_without_neighbours_in_a_is_hardly_believed():
    three = np.zeros((3, 3))
    three[:2, :2] = A
    model = DiscreteModel(three, np.vstack([B, [0.1, 0.8, 0.1]]), window=1)
    beliefs = model.beliefs(SYMBOLS, strength=1.0)
    np.testing.assert_allclose(beliefs.sum(axis=-1), 1, rtol=1e-5)
    assert beliefs[..., 2].max() < 0.01
    nothing = DiscreteModel(np.zeros((2, 2)), B, window=1).beliefs(SYMBOLS)
    np.testing.assert_allclose(nothing, (B / B.sum(axis=0)).T[SYMBOLS], rtol=0, atol=1e-3)


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_a_lattice_of_one_colour_is_of_one_state(kind):
    if kind == "discrete":
        flat = np.full((30, 30), 1, np.uint8)
        model = DiscreteModel.fit(flat, n_states=3, window=2, n_symbols=3)
    else:
        flat = np.full((30, 30, 2), 7.0)
        model = GaussianModel.fit(flat, n_states=3, window=2)
    assert np.unique(model.decode(flat, decoder="belief")).size == 1
    assert np.unique(refine(flat, model=model).states).size == 1
    choice = choose(flat, kind=kind, n_states=range(1, 5), windows=range(1, 4))
    assert (choice.n_states, choice.dependent) == (1, False)


def test_as_many_states_as_there_can_be():
    symbols = cases.blocky((5, 6), 255, 802, block=1)
    model = DiscreteModel(np.full((255, 255), 1 / 255), np.eye(255), window=0)
    beliefs = model.beliefs(symbols)
    assert beliefs.shape == (5, 6, 255)
    np.testing.assert_array_equal(model.decode(symbols, decoder="belief"), symbols)
    with pytest.raises(ParameterError, match="255"):
        DiscreteModel(np.full((256, 256), 1 / 256), np.eye(256), window=0)
