"""Beliefs by messages that are sent all at once, one step a pass."""

import numpy as np
import pytest

from latviz.core import DiscreteModel, GaussianModel
from latviz.core.inference import flooding
from latviz.core.inference.emission import SymbolDensities
from latviz.core.inference.flooding import flooded
from latviz.core.inference.potentials import potentials_of
from tests import naive_beliefs
from tests.core.cases import blocky, random_potentials, random_symbols, vectors
from tests.naive import nodes

SHAPES = [(2,), (23,), (9, 11), (1, 14), (13, 1), (4, 5, 6), (3, 1, 9)]


def symbol_field(shape, n_states=3, n_symbols=4):
    B = random_symbols(n_states, n_symbols, 1)
    o = np.random.default_rng(2).integers(0, n_symbols, shape).astype(np.uint8)
    return SymbolDensities(B), potentials_of(random_potentials(n_states, 3), 1.0), o


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("passes", [0, 1, 4])
def test_beliefs_after_some_passes_are_those_of_plain_loops(shape, passes):
    emission, potentials, o = symbol_field(shape)
    likelihood = {t: emission.B[:, o[t]].tolist() for t in nodes(shape)}
    wanted, _ = naive_beliefs.flooded(
        likelihood, potentials.tolist(), shape, tolerance=-1.0, most=passes
    )
    found = flooded(emission, potentials, o, shape, passes)
    for t in nodes(shape):
        np.testing.assert_allclose(found[t], wanted[t], rtol=0, atol=1e-6)


def test_a_sequence_is_exact_once_messages_have_gone_from_end_to_end():
    emission, potentials, o = symbol_field((8,))
    likelihood = {t: emission.B[:, o[t]].tolist() for t in nodes(o.shape)}
    wanted = naive_beliefs.exact(likelihood, potentials.tolist(), o.shape)
    found = flooded(emission, potentials, o, o.shape, 7)
    for t in nodes(o.shape):
        np.testing.assert_allclose(found[t], wanted[t], rtol=0, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_tiles_are_the_whole_bit_for_bit(shape, monkeypatch):
    emission, potentials, o = symbol_field(shape)
    whole = flooded(emission, potentials, o, shape, 3)
    monkeypatch.setattr(flooding, "HELD", 1)
    monkeypatch.setattr(flooding, "LANES", 8)
    assert np.array_equal(flooded(emission, potentials, o, shape, 3), whole)


def test_tiles_of_vectors_are_the_whole_bit_for_bit(monkeypatch):
    v = vectors((45, 39), 2, 3)
    model = GaussianModel.fit(v, n_states=3, window=1)
    given = model.emission, potentials_of(model.A, 0.5), v, v.shape[:2], 5
    whole = flooded(*given)
    monkeypatch.setattr(flooding, "HELD", 1)
    assert np.array_equal(flooded(*given), whole)


def test_what_is_farther_than_the_passes_is_not_heard():
    emission, potentials, o = symbol_field((21, 21))
    other = o.copy()
    other[10, 10] = (o[10, 10] + 1) % 4
    changed = flooded(emission, potentials, o, o.shape, 4) != flooded(
        emission, potentials, other, o.shape, 4
    )
    far = np.abs(np.indices(o.shape) - 10).sum(axis=0) > 4
    assert changed.any()
    assert not changed.any(axis=-1)[far].any()


def test_it_settles_where_the_messages_along_lines_do():
    o = blocky((48, 48), 2, 5, noise=0.2, block=12)
    model = DiscreteModel.fit(o, n_states=2, window=2, n_symbols=2)
    own = model.beliefs(o, strength=0.3)
    potentials = potentials_of(model.A, 0.3)
    apart = [
        np.abs(flooded(model.emission, potentials, o, o.shape, passes) - own).mean()
        for passes in (1, 4, 16)
    ]
    assert apart == sorted(apart, reverse=True)
    assert apart[-1] < 1e-3, "messages along lines are held in 16 bits"


def test_contradictions_of_all_neighbours_leave_a_distribution():
    B = np.array([[1.0, 0.0], [0.0, 1.0]])
    o = np.indices((6, 7)).sum(axis=0).astype(np.uint8) % 2
    found = flooded(SymbolDensities(B), potentials_of(np.eye(2), 100.0), o, o.shape, 30)
    np.testing.assert_allclose(found.sum(axis=-1), 1.0, rtol=0, atol=1e-6)
