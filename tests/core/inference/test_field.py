"""Sum-product on lattices of one to three dimensions, against plain loops."""

import math

import numpy as np
import pytest

from latviz.core import ParameterError
from latviz.core.inference.emission import NormalDensities, SymbolDensities
from latviz.core.inference.field import field_of
from latviz.core.inference.potentials import LEAST, potentials_of
from tests import naive, naive_beliefs
from tests.core.cases import assert_same_with_threads
from tests.products import every_pair

SHAPES = [(7,), (1,), (3, 4), (9, 2), (1, 5), (6, 1), (17, 9), (2, 3, 2), (1, 2, 9), (9, 1, 1)]
LOOSE = 1e-3
"""Messages are held to 2^-12 of their size, and a node has up to six."""


def a_field(shape, n_states, seed):
    """Return B, symbols and, for the oracle, each node's likelihoods."""
    rng = np.random.default_rng(seed)
    B = rng.dirichlet(np.full(5, 0.7), n_states) + 1e-3
    B /= B.sum(axis=1, keepdims=True)
    symbols = rng.integers(0, 5, shape).astype(np.uint8)
    return B, symbols, {t: [row[symbols[t]] for row in B] for t in naive.nodes(shape)}


def potts(n_states, strength):
    return np.exp(strength * (np.eye(n_states) - 1))


def general(n_states, seed):
    A = np.random.default_rng(seed).gamma(0.7, size=(n_states, n_states)) + 0.02
    return potentials_of(A)


def nats_of(cavities, likelihood):
    """Return the cost of each node given the others, in nats."""
    return {
        t: -math.log(sum(c * b for c, b in zip(cavities[t], likelihood[t], strict=True)))
        for t in cavities
    }


def found(field, potentials, passes):
    field.send(potentials, passes)
    return field.beliefs()


def array(beliefs, shape, n_states):
    wanted = np.empty((*shape, n_states))
    for t, row in beliefs.items():
        wanted[t] = row
    return wanted


@pytest.mark.parametrize(
    ("shape", "n_states", "kind"), every_pair(SHAPES, [1, 2, 5, 11], ["potts", "general"])
)
def test_beliefs_and_code_length(shape, n_states, kind):
    B, symbols, likelihood = a_field(shape, n_states, 1)
    pairs = potts(n_states, 1.3) if kind == "potts" else general(n_states, 2)
    field = field_of(SymbolDensities(B), symbols, shape)
    beliefs, cavities = naive_beliefs.in_passes(likelihood, pairs, shape, 3)
    got = found(field, pairs, 3)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, array(beliefs, shape, n_states), rtol=0, atol=LOOSE)
    np.testing.assert_allclose(got.sum(axis=-1), 1, rtol=1e-5, atol=0)
    nats = nats_of(cavities, likelihood)
    assert field.nats() == pytest.approx(sum(nats.values()), abs=LOOSE * symbols.size)
    for t, own in np.ndenumerate(field.node_nats()):
        assert own == pytest.approx(nats[t], abs=4 * LOOSE)
    likely = np.sort(got, axis=-1)
    sure = (likely[..., -1] - likely[..., -2:-1].max(axis=-1, initial=0)) > 2 * LOOSE
    np.testing.assert_array_equal(field.states()[sure], got.argmax(axis=-1)[sure])
    doubts = field.entropies()
    assert (doubts.dtype, doubts.shape) == (np.float32, shape)
    for t, row in beliefs.items():
        doubt = -sum(share * math.log2(share) for share in row)
        assert doubts[t] == pytest.approx(doubt, abs=20 * LOOSE)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["potts", "general"])
def test_what_is_said_of_a_node(shape, kind):
    """A node's observation, belief and sides equal those of plain loops."""
    n_states = 3
    B, symbols, likelihood = a_field(shape, n_states, 5)
    pairs = potts(n_states, 1.3) if kind == "potts" else general(n_states, 6)
    field = field_of(SymbolDensities(B), symbols, shape)
    beliefs, cavities = naive_beliefs.in_passes(likelihood, pairs, shape, 3)
    field.send(pairs, 3)
    for t in naive.nodes(shape):
        said = field.at(t)
        own = naive_beliefs.normalised(likelihood[t])
        np.testing.assert_allclose(said.observation, own, rtol=1e-5, atol=0)
        np.testing.assert_allclose(said.belief, beliefs[t], rtol=0, atol=LOOSE)
        assert said.axes.shape == (len(shape), n_states)
        np.testing.assert_allclose(said.axes.sum(axis=1), 1, rtol=1e-6, atol=0)
        others = naive_beliefs.normalised([math.prod(column) for column in said.axes.T])
        wanted = naive_beliefs.normalised(cavities[t])
        np.testing.assert_allclose(others, wanted, rtol=0, atol=LOOSE)


@pytest.mark.parametrize("shape", [(6,), (1, 6), (5, 1), (1, 1, 4)])
@pytest.mark.parametrize("kind", ["potts", "general"])
def test_a_chain_is_exact_after_one_pass(shape, kind):
    B, symbols, likelihood = a_field(shape, 3, 3)
    pairs = potts(3, 2.0) if kind == "potts" else general(3, 4)
    wanted = array(naive_beliefs.exact(likelihood, pairs, shape), shape, 3)
    got = found(field_of(SymbolDensities(B), symbols, shape), pairs, 1)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-5 if len(shape) == 1 else LOOSE)


@pytest.mark.parametrize("shape", [(5, 4), (3, 3, 3)])
@pytest.mark.parametrize("kind", ["potts", "general"])
def test_it_settles_where_any_order_of_messages_does(shape, kind):
    B, symbols, likelihood = a_field(shape, 3, 5)
    pairs = potts(3, 0.6) if kind == "potts" else general(3, 6)
    beliefs, _ = naive_beliefs.flooded(likelihood, pairs, shape)
    got = found(field_of(SymbolDensities(B), symbols, shape), pairs, 60)
    np.testing.assert_allclose(got, array(beliefs, shape, 3), rtol=0, atol=2 * LOOSE)


def test_vectors_say_what_their_densities_do():
    rng = np.random.default_rng(7)
    shape, n_states = (6, 11), 4
    means, vectors = rng.normal(size=(n_states, 3)), rng.normal(size=(*shape, 3))
    factors = np.tril(rng.normal(size=(n_states, 3, 3)) / 3) + np.eye(3)
    sigmas = factors @ factors.swapaxes(1, 2)
    logs = {
        t: [
            naive.log_density(vectors[t], m, naive.cholesky(s))
            for m, s in zip(means, sigmas, strict=True)
        ]
        for t in naive.nodes(shape)
    }
    emission = NormalDensities(means, sigmas)
    likelihood = {t: [math.exp(value) for value in row] for t, row in logs.items()}
    beliefs, cavities = naive_beliefs.in_passes(likelihood, potts(n_states, 0.8), shape, 2)
    field = field_of(emission, vectors, shape)
    got = found(field, potts(n_states, 0.8), 2)
    np.testing.assert_allclose(got, array(beliefs, shape, n_states), rtol=0, atol=LOOSE)
    nats = sum(nats_of(cavities, likelihood).values())
    assert field.nats() == pytest.approx(nats, abs=LOOSE * math.prod(shape))
    assert field.node_nats().sum() == pytest.approx(nats, abs=LOOSE * math.prod(shape))


@pytest.mark.parametrize("shape", [(9, 11), (2, 3, 5)])
def test_columns_beyond_the_lattice_say_nothing(shape):
    """Uninitialised memory would look like a message that moved."""
    B, symbols, _ = a_field(shape, 3, 9)
    field = field_of(SymbolDensities(B), symbols, shape)
    field.send(potts(3, 1.0), 2)
    n_rows = math.prod(shape[:-1])
    tiles = field.messages.reshape(len(shape), -1, n_rows + -n_rows % 8, 3, 8)
    assert (tiles[-1, -1, ..., shape[-1] % 8 :] == 0xFFFF).all()


@pytest.mark.parametrize("shape", [(4001,), (203, 301), (11, 23, 37)])
def test_threads_make_no_difference(shape, monkeypatch):
    monkeypatch.setattr("latviz.core.threads.COST", 1)  # for any size
    B, symbols, _ = a_field(shape, 6, 8)

    def results():
        field = field_of(SymbolDensities(B), symbols, shape)
        field.send(potts(6, 1.0), 2)
        return field.beliefs(), field.states(), field.nats()

    assert_same_with_threads(results)


def test_viterbi_finds_the_most_probable_states():
    for seed in range(20):
        shape, n_states = (6,), 3
        B, symbols, likelihood = a_field(shape, n_states, seed)
        pairs = general(n_states, seed + 100)
        states = field_of(SymbolDensities(B), symbols, shape).most_probable(pairs)
        at = {t: int(states[t]) for t in naive.nodes(shape)}
        best = naive_beliefs.most_probable(likelihood, pairs, shape)
        weight = naive_beliefs.weight(likelihood, pairs, shape, at)
        assert weight == pytest.approx(best, rel=1e-5)


def test_a_long_sequence_neither_vanishes_nor_overflows():
    B = np.array([[0.999, 0.001], [0.001, 0.999]])
    symbols = (np.arange(200_000) // 50_000 % 2).astype(np.uint8)
    field = field_of(SymbolDensities(B), symbols, symbols.shape)
    field.send(potts(2, 10.0), 1)
    np.testing.assert_array_equal(field.states(), symbols)
    np.testing.assert_array_equal(field.most_probable(potts(2, 10.0)), symbols)
    assert np.isfinite(field.beliefs()).all()
    assert np.isfinite(field.nats())


@pytest.mark.parametrize("shape", [(40,), (20, 20), (5, 6, 7)])
def test_extremes_stay_finite(shape):
    rng = np.random.default_rng(9)
    symbols = rng.integers(0, 3, shape).astype(np.uint8)
    B = np.eye(3)  # each symbol is impossible under all states but one
    for pairs in (potts(3, 50.0), potentials_of(np.eye(3)), potentials_of(1.0 - np.eye(3))):
        pairs = np.maximum(pairs, LEAST)
        field = field_of(SymbolDensities(B), symbols, shape)
        field.send(pairs, 5)
        np.testing.assert_allclose(field.beliefs().sum(axis=-1), 1, rtol=1e-5, atol=0)
        assert np.isfinite(field.nats())


def test_a_symbol_that_is_impossible_under_all_states_says_nothing():
    B = np.array([[0.5, 0.5, 0.0], [0.9, 0.1, 0.0]])
    field = field_of(SymbolDensities(B), np.full((4, 4), 2, np.uint8), (4, 4))
    field.send(potts(2, 1.0), 2)
    np.testing.assert_allclose(field.beliefs(), 0.5, rtol=0, atol=LOOSE)
    assert field.nats() == math.inf


def test_too_many_dimensions_are_refused():
    with pytest.raises(ParameterError, match="1 to 3 dimensions, got 4"):
        field_of(SymbolDensities(np.eye(2)), np.zeros((2, 2, 2, 2), np.uint8), (2, 2, 2, 2))


def test_potentials():
    A = np.array([[0.8, 0.1], [0.4, 0.5]])
    root = math.sqrt(0.1 * 0.4) / 0.8
    np.testing.assert_allclose(potentials_of(A), [[1, root], [root, 0.5 / 0.8]], rtol=1e-12, atol=0)
    np.testing.assert_allclose(
        potentials_of(A, 2.0), [[1, root**2], [root**2, (0.5 / 0.8) ** 2]], rtol=1e-12, atol=0
    )
    np.testing.assert_array_equal(potentials_of(A, 0.0), np.ones((2, 2)))
    np.testing.assert_array_equal(potentials_of(np.zeros((2, 2))), np.ones((2, 2)))
    np.testing.assert_array_equal(potentials_of(np.eye(2)), [[1, LEAST], [LEAST, 1]])


@pytest.mark.parametrize("shape", SHAPES)
def test_costs_of_states_at_each_node(shape):
    B, symbols, likelihood = a_field(shape, 4, 6)
    found = field_of(SymbolDensities(B), symbols, shape).state_nats()
    assert found.dtype == np.float32
    assert found.shape == (*shape, 4)
    for t, row in likelihood.items():
        wanted = [math.log(max(row) / one) for one in row]
        np.testing.assert_allclose(found[t], wanted, rtol=0, atol=1e-5)


def test_costs_of_impossible_states_are_finite():
    B = np.array([[1.0, 0.0], [0.0, 1.0]])
    field = field_of(SymbolDensities(B), np.array([0, 1], np.uint8), (2,))
    most = 60 * math.log(2)
    np.testing.assert_allclose(field.state_nats(), [[0, most], [most, 0]], rtol=1e-6)


def test_an_image_of_one_row_has_the_exact_beliefs_of_its_sequence() -> None:
    rng = np.random.default_rng(4)
    emission, symbols = SymbolDensities(rng.dirichlet(np.ones(5), 3)), rng.integers(0, 5, 700)
    pairs = potentials_of(np.array([[0.3, 0.02, 0.01], [0.02, 0.3, 0.01], [0.01, 0.01, 0.32]]), 1.5)
    found = []
    for shape in ((700,), (1, 700)):
        field = field_of(emission, symbols.astype(np.uint8).reshape(shape), shape)
        field.send(pairs, 1)
        found.append(field.beliefs().reshape(700, 3))
    np.testing.assert_allclose(*found, rtol=0, atol=2e-4)
