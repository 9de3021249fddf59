"""Fields that hide each node in turn, against plain loops without its observation."""

import numpy as np
import pytest

from latviz.core.inference.emission import SymbolDensities
from latviz.core.inference.field import sizes_of
from latviz.core.inference.held_out import N_GROUPS, held_out_field, hidden_places
from tests import naive, naive_beliefs
from tests.core.inference.test_field import LOOSE, a_field, array, general, potts
from tests.products import every_pair

STEPS = (1, 3, 2)


def group_of(t):
    """Return which group a node is of: 1, 3 and 2 for a step along the last axis and the others."""
    return sum(k * at for k, at in zip(STEPS, reversed(t), strict=False)) % 8


def told_by_others(likelihood, pairs, shape, passes):
    """Return each node's cavity, for messages without the observations of its group."""
    cavities = {}
    for group in range(8):
        blank = {
            t: [1.0] * len(pairs) if group_of(t) == group else row for t, row in likelihood.items()
        }
        found = naive_beliefs.in_passes(blank, pairs, shape, passes)[1]
        cavities |= {t: found[t] for t in found if group_of(t) == group}
    return cavities


SHAPES = [(3, 4), (9, 2), (1, 5), (6, 1), (17, 9), (2, 3, 2), (3, 2, 9)]


@pytest.mark.parametrize(
    ("shape", "n_states", "kind"), every_pair(SHAPES, [1, 2, 5], ["potts", "general"])
)
def test_nodes_are_told_by_others_while_they_are_hidden(shape, n_states, kind):
    B, symbols, likelihood = a_field(shape, n_states, 21)
    pairs = potts(n_states, 1.3) if kind == "potts" else general(n_states, 22)
    field = held_out_field(shape, n_states)
    field.observe(SymbolDensities(B), symbols)
    field.send(pairs, 2)
    cavities = told_by_others(likelihood, pairs, shape, 2)
    own = array(likelihood, shape, n_states)
    said = own * array(cavities, shape, n_states)
    wanted = said / said.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(field.beliefs(), wanted, rtol=0, atol=LOOSE)
    np.testing.assert_allclose(field.node_nats(), -np.log(said.sum(axis=-1)), rtol=0, atol=LOOSE)
    assert field.nats() == pytest.approx(-np.log(said.sum(axis=-1)).sum(), abs=LOOSE * own.size)


def test_a_node_does_not_hear_of_its_own_observation():
    """A plain field returns it along loops; here the others' messages stay the same."""
    B, symbols, _ = a_field((16, 16), 3, 23)
    others, changed = [], symbols.copy()
    changed[7, 8] = (changed[7, 8] + 1) % 5
    for values in (symbols, changed):
        field = held_out_field((16, 16), 3)
        field.observe(SymbolDensities(B), values)
        field.send(potts(3, 1.5), 6)
        others.append(field.beliefs()[7, 8] / B[:, values[7, 8]])
    one, other = (row / row.sum() for row in others)
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-6)


def test_a_twin_has_messages_of_its_own():
    B, symbols, _ = a_field((11, 13), 2, 24)
    field, twin = (held_out_field((11, 13), 2) for _ in range(2))
    for one in (field, twin):
        one.observe(SymbolDensities(B), symbols)
        one.send(potts(2, 1.0), 2)
    other = field.twin()
    field.twin().send(potts(2, 3.0), 2)
    np.testing.assert_array_equal(other.messages, twin.messages)
    for one in (other, twin):
        one.send(potts(2, 1.2), 1)
    np.testing.assert_array_equal(other.beliefs(), twin.beliefs())


@pytest.mark.parametrize("shape", [(5, 21), (9, 8), (4, 5, 11)])
def test_each_node_is_hidden_once_and_no_neighbours_together(shape):
    groups = {}
    sizes = sizes_of(shape, 2)
    places = np.zeros((sizes[1] * sizes[2] * sizes[3] * 8), dtype=int) - 1
    for group, hidden in enumerate(hidden_places(shape, sizes)):
        assert (places[hidden] == -1).all()
        places[hidden] = group
        groups[group] = hidden.size
    assert sum(groups.values()) == 2 * np.prod(shape)
    assert len(groups) == N_GROUPS
    for t in naive.nodes(shape):
        assert all(group_of(t) != group_of(r) for r in naive.neighbours(shape, t))


def test_in_one_dimension_nothing_comes_back():
    B, symbols, likelihood = a_field((9,), 2, 25)
    field = held_out_field((9,), 2)
    field.observe(SymbolDensities(B), symbols)
    field.send(potts(2, 1.0), 1)
    wanted = array(naive_beliefs.exact(likelihood, potts(2, 1.0), (9,)), (9,), 2)
    np.testing.assert_allclose(field.beliefs(), wanted, rtol=0, atol=1e-5)
