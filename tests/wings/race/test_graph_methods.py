"""Iterated conditional modes and alpha-expansion: how low they bring the energy."""

import numpy as np
import pytest

from latviz.core import Cancelled
from latviz.wings.race import peers
from latviz.wings.race.peers.problem import Problem
from tests import naive
from tests.wings.race.cases import Listener, a_problem, energy_by_loops, least_energy, neighbours

SHAPES = [(1,), (12,), (1, 1), (9, 8), (1, 7), (4, 3, 5)]


@pytest.fixture
def expanded():
    pytest.importorskip("maxflow", reason="needs PyMaxflow")
    return peers.expansion.expanded


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("strength", [0.0, 0.3, 2.0])
def test_no_node_alone_betters_where_icm_ends(shape, strength):
    problem = a_problem(shape, 3, seed=1, strength=strength)
    (states,) = peers.icm.modes(problem)
    assert states.dtype == np.uint8
    first = problem.unary[0].argmin(axis=-1)
    least = energy_by_loops(problem, states)
    assert least <= energy_by_loops(problem, first) + 1e-6
    for t in naive.nodes(shape):
        for state in range(3):
            other = states.copy()
            other[t] = state
            assert energy_by_loops(problem, other) >= least - 1e-5


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (10,), (2, 2, 2)])
@pytest.mark.parametrize("seed", range(5))
def test_two_states_are_labelled_with_the_least_energy(expanded, shape, seed):
    problem = a_problem(shape, 2, seed)
    (states,) = expanded(problem)
    assert states.dtype == np.uint8
    assert energy_by_loops(problem, states) == pytest.approx(least_energy(problem), abs=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n_states", [1, 3, 6])
def test_expansion_is_as_good_as_icm_and_as_its_moves(expanded, shape, n_states):
    problem = a_problem(shape, n_states, seed=3, strength=0.9)
    (states,), (modes,) = expanded(problem), peers.icm.modes(problem)
    least = energy_by_loops(problem, states)
    assert least <= energy_by_loops(problem, modes) + 1e-5
    for state in range(n_states):
        rng = np.random.default_rng(state)
        for share in (0.1, 0.5, 1.0):
            taken = np.where(rng.random(shape) < share, state, states)
            assert energy_by_loops(problem, taken) >= least - 1e-5


def test_lattices_are_labelled_apart(expanded):
    one, other = a_problem((6, 5), 3, seed=4), a_problem((3, 8), 3, seed=5)
    both = Problem((*one.unary, *other.unary), one.strength)
    for label in (expanded, peers.icm.modes):
        found = label(both)
        np.testing.assert_array_equal(found[0], label(one)[0])
        np.testing.assert_array_equal(found[1], label(other)[0])


def test_progress_rises_and_ends_at_one(expanded):
    problem = a_problem((20, 20), 4, seed=6, strength=1.0)
    for label in (expanded, peers.icm.modes):
        listener = Listener()
        label(problem, listener)
        assert listener.told == sorted(listener.told)
        assert listener.told[-1] == 1.0
        assert len(listener.told) > 2


def test_both_are_cancelled_between_moves(expanded):
    problem = a_problem((20, 20), 4, seed=6, strength=1.0)
    for label in (expanded, peers.icm.modes):
        listener = Listener(most=1)
        with pytest.raises(Cancelled):
            label(problem, listener)
        assert len(listener.told) == 2


def test_the_oracle_pairs_each_once():
    assert len(list(neighbours((4, 5)))) == 4 * 4 + 3 * 5
