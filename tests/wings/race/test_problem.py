"""The problem that methods are set: its costs and its energy, against plain loops."""

import math

import numpy as np
import pytest

from latviz.core import Cancelled, ParameterError
from latviz.core.data.data_set import as_data_set
from latviz.core.inference.emission import NormalDensities, SymbolDensities
from latviz.wings.race.peers.problem import Problem, believed, problem_of, suited_strength
from tests import naive
from tests.wings.race.cases import Listener, a_problem, energy_by_loops, neighbours

SHAPES = [(1,), (9,), (1, 1), (5, 7), (17, 9), (1, 6), (3, 2, 4)]


@pytest.mark.parametrize("shape", SHAPES)
def test_costs_of_symbols(shape):
    rng = np.random.default_rng(1)
    B = rng.dirichlet(np.ones(5), 3)
    symbols = rng.integers(0, 5, shape).astype(np.uint8)
    problem = problem_of(
        as_data_set(symbols, kind="discrete", n_symbols=5), SymbolDensities(B), 0.7
    )
    assert problem.shapes == [shape]
    assert problem.n_states == 3
    assert problem.signatures == ()
    (unary,) = problem.unary
    assert unary.dtype == np.float32
    assert unary.flags.c_contiguous
    for t in naive.nodes(shape):
        logs = [math.log(row[symbols[t]]) for row in B]
        np.testing.assert_allclose(unary[t], [max(logs) - one for one in logs], atol=1e-5)


def test_costs_of_vectors():
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(6, 5, 2))
    means = rng.normal(size=(3, 2))
    variances = rng.uniform(0.5, 2.0, (3, 2))
    emission = NormalDensities(means, np.array([np.diag(v) for v in variances]))
    (unary,) = problem_of(as_data_set(vectors, kind="gaussian"), emission, 1.0).unary
    for t in naive.nodes((6, 5)):
        logs = [
            sum(
                -((x - m) ** 2) / (2 * v) - math.log(2 * math.pi * v) / 2
                for x, m, v in zip(vectors[t], mean, variance, strict=True)
            )
            for mean, variance in zip(means, variances, strict=True)
        ]
        np.testing.assert_allclose(unary[t], [max(logs) - one for one in logs], atol=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
def test_energy(shape):
    problem = a_problem(shape, 3, seed=3)
    states = np.random.default_rng(4).integers(0, 3, shape).astype(np.uint8)
    wanted = energy_by_loops(problem, states)
    assert problem.energy([states]) == pytest.approx(wanted, rel=1e-6)


def test_neighbours_of_the_oracle():
    assert sorted(neighbours((2, 2))) == [
        ((0, 0), (0, 1)),
        ((0, 0), (1, 0)),
        ((0, 1), (1, 1)),
        ((1, 0), (1, 1)),
    ]


def test_energies_of_lattices_add_up():
    one, other = a_problem((4, 5), 3, seed=5), a_problem((2, 3), 3, seed=6)
    both = Problem((*one.unary, *other.unary), one.strength)
    labels = [np.zeros((4, 5), np.uint8), np.eye(2, 3, dtype=np.uint8)]
    apart = one.energy(labels[:1]) + Problem(other.unary, one.strength).energy(labels[1:])
    assert both.energy(labels) == pytest.approx(apart)


def test_states_of_other_shapes_have_no_energy():
    with pytest.raises(ParameterError, match=r"states must be of shapes \[\(4, 5\)\], got"):
        a_problem((4, 5), 3, seed=5).energy([np.zeros((5, 4), np.uint8)])


def test_impossible_observations_are_counted():
    symbols = np.array([[0, 2, 1], [2, 0, 0]], dtype=np.uint8)
    emission = SymbolDensities(np.array([[0.5, 0.5, 0.0], [0.9, 0.1, 0.0]]))
    with pytest.raises(ParameterError, match="no state can emit 2 of 6 observations"):
        problem_of(as_data_set(symbols, kind="discrete", n_symbols=3), emission, 1.0)


def test_lattices_of_four_dimensions_are_refused():
    symbols = np.zeros((2, 2, 2, 2), np.uint8)
    with pytest.raises(ParameterError, match="1 to 3 dimensions, got 4"):
        problem_of(
            as_data_set(symbols, kind="discrete", n_symbols=2), SymbolDensities(np.eye(2)), 1.0
        )


def test_it_can_be_cancelled():
    data = as_data_set(np.zeros((2, 2), np.uint8), kind="discrete", n_symbols=2)
    with pytest.raises(Cancelled):
        problem_of(data, SymbolDensities(np.eye(2)), 1.0, progress=Listener(most=-1))


def test_belief_in_a_field_without_coupling_is_the_likeliest_state():
    rng = np.random.default_rng(8)
    B = rng.dirichlet(np.ones(4), 3)
    symbols = rng.integers(0, 4, (8, 9)).astype(np.uint8)
    found = believed(SymbolDensities(B), as_data_set(symbols, kind="discrete", n_symbols=4), 0.0)
    np.testing.assert_array_equal(found.labels[0], B.argmax(axis=0)[symbols])
    assert found.seconds > 0


def test_belief_in_two_nodes_is_their_marginal():
    B = np.array([[0.7, 0.3], [0.2, 0.8]])
    symbols, strength = np.array([0, 1], np.uint8), 2.0
    found = believed(
        SymbolDensities(B), as_data_set(symbols, kind="discrete", n_symbols=2), strength
    )
    joint = np.array(
        [[B[i, 0] * B[j, 1] * math.exp(-strength * (i != j)) for j in (0, 1)] for i in (0, 1)]
    )
    np.testing.assert_array_equal(
        found.labels[0], [joint.sum(axis=1).argmax(), joint.sum(axis=0).argmax()]
    )


def test_the_strength_is_that_of_the_field():
    truth = np.kron(np.random.default_rng(9).integers(0, 2, (12, 12)), np.ones((8, 8), int))
    flips = np.random.default_rng(10).random(truth.shape) < 0.2
    data = as_data_set((truth ^ flips).astype(np.uint8), kind="discrete", n_symbols=2)
    emission = SymbolDensities(np.array([[0.8, 0.2], [0.2, 0.8]]))
    strong = suited_strength(emission, data)
    noise = np.random.default_rng(11).integers(0, 2, truth.shape).astype(np.uint8)
    weak = suited_strength(emission, as_data_set(noise, kind="discrete", n_symbols=2))
    assert strong > 1.0 > 0.3 > weak
