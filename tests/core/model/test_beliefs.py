"""Decoding and beliefs of models: how A and the likelihood treat single observations."""

import math

import numpy as np
import pytest

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    NormalEmission,
    ParameterError,
    checkerboard,
    emit,
    sample_chain,
    sample_potts,
)
from latviz.core.inference.field import Grid
from latviz.core.inference.potentials import potentials_of
from tests import naive, naive_beliefs
from tests.core import cases
from tests.core.cases import accuracy

A3 = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]])
B3 = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])


POTTS = np.exp(np.eye(3))
"""Near critical: regions of all sizes."""


def posterior(transitions, start, B, observed):
    """Return the posterior of each node of a Markov chain, by plain forward-backward."""
    n = len(start)
    forward = [[start[j] * B[j][observed[0]] for j in range(n)]]
    for o in observed[1:]:
        last = forward[-1]
        forward.append(
            [sum(last[i] * transitions[i][j] for i in range(n)) * B[j][o] for j in range(n)]
        )
    backward = [[1.0] * n]
    for o in reversed(observed[1:]):
        after = backward[0]
        backward.insert(
            0, [sum(transitions[i][j] * B[j][o] * after[j] for j in range(n)) for i in range(n)]
        )
    both = [
        [f * b for f, b in zip(*pair, strict=True)] for pair in zip(forward, backward, strict=True)
    ]
    return np.array([naive_beliefs.normalised(row) for row in both])


def test_beliefs_of_a_reversible_chain_are_those_of_its_hidden_markov_model():
    joint = np.array([[0.30, 0.05, 0.02], [0.05, 0.25, 0.03], [0.02, 0.03, 0.25]])
    start = joint.sum(axis=1)
    transitions = joint / start[:, None]
    observed = np.random.default_rng(0).integers(0, 3, 40).astype(np.uint8)
    model = DiscreteModel(transitions, B3, window=0)
    got = model.beliefs(observed, strength=1.0)
    wanted = posterior(transitions, start, B3, list(observed))
    assert got.dtype == np.float32
    # Potentials are symmetric, so at the ends a state has the root of its share, not the share.
    np.testing.assert_allclose(got[15:-15], wanted[15:-15], rtol=0, atol=1e-5)


def test_without_coupling_each_observation_speaks_for_itself():
    symbols = cases.blocky((7, 8), 3, 6)
    beliefs = DiscreteModel(A3, B3, window=1).beliefs(symbols, strength=0.0)
    alone = (B3 / B3.sum(axis=0)).T[symbols]
    np.testing.assert_allclose(beliefs, alone, rtol=0, atol=1e-3)


@pytest.mark.parametrize("shape", [(9,), (4, 5), (2, 3, 3)])
@pytest.mark.parametrize("passes", [0, 1, 2, None])
def test_beliefs_and_the_states_of_most_belief(shape, passes):
    symbols = cases.blocky(shape, 3, 5)
    model = DiscreteModel(A3, B3, window=1)
    likelihood = {t: list(B3[:, symbols[t]]) for t in naive.nodes(shape)}
    n_passes = 10 if passes is None else passes
    wanted, _ = naive_beliefs.in_passes(likelihood, potentials_of(A3, 0.7), shape, n_passes)
    beliefs = model.beliefs(symbols, strength=0.7, passes=passes)
    for t, row in wanted.items():
        np.testing.assert_allclose(beliefs[t], row, rtol=0, atol=2e-3)
    decoded = model.decode(symbols, decoder="belief", strength=0.7, passes=passes)
    np.testing.assert_array_equal(decoded, beliefs.argmax(axis=-1))


STRONG = [((14, 15), 2, 1.0, 0.4, 5), ((5, 6, 6), 2, 0.8, 0.4, 2)]
"""Lattices, states, couplings, shares of noise and seeds that ten passes do not settle."""


def strongly_coupled(shape, n, coupling, noise, seed):
    """Return noise, a model of it whose neighbours are alike, and each node's likelihood."""
    B = np.full((n, n), noise / (n - 1))
    np.fill_diagonal(B, 1 - noise)
    symbols = np.random.default_rng(seed).integers(0, n, shape)
    likelihood = {t: list(B[:, symbols[t]]) for t in naive.nodes(shape)}
    return symbols, DiscreteModel(np.exp(coupling * np.eye(n)), B, window=1), likelihood


@pytest.mark.parametrize("case", STRONG)
def test_strong_couplings_are_passed_until_they_are_settled(case):
    shape, symbols, model, likelihood = case[0], *strongly_coupled(*case)
    few, many = (
        naive_beliefs.in_passes(likelihood, potentials_of(model.A, 1.0), shape, passes)[0]
        for passes in (10, 50)
    )
    assert max(abs(np.subtract(few[t], many[t])).max() for t in many) > 0.05
    got = model.beliefs(symbols, strength=1.0)
    assert max(abs(got[t] - many[t]).max() for t in many) < 1e-3
    states = model.decode(symbols, decoder="belief", strength=1.0)
    np.testing.assert_array_equal(states, got.argmax(axis=-1))
    ten = model.beliefs(symbols, strength=1.0, passes=10)
    assert max(abs(ten[t] - few[t]).max() for t in few) < 0.02  # only those that are requested


@pytest.mark.parametrize(("coupling", "least", "most"), [(0.2, 10, 10), (1.0, 20, 400)])
def test_what_is_settled_takes_no_more_passes(coupling, least, most, monkeypatch):
    symbols, model, _ = strongly_coupled((30, 31), 2, coupling, 0.4, 5)
    sent, send = [], Grid.send

    def counted(self, potentials, passes, *progress):
        sent.append(passes)
        send(self, potentials, passes, *progress)

    monkeypatch.setattr(Grid, "send", counted)
    model.beliefs(symbols, strength=1.0)
    assert least <= sum(sent) <= most


def test_several_lattices_are_each_their_own():
    model = DiscreteModel(A3, B3, window=1)
    some = [cases.blocky(shape, 3, k) for k, shape in enumerate([(5, 6), (9, 3)])]
    for found, one in zip(model.beliefs(some, strength=1.0), some, strict=True):
        np.testing.assert_array_equal(found, model.beliefs(one, strength=1.0))
    decoded = model.decode(some, decoder="belief", strength=1.0)
    assert [d.shape for d in decoded] == [(5, 6), (9, 3)]


def noisy_potts(seed):
    truth = sample_potts(POTTS, shape=(128, 128), sweeps=40, random_state=seed)
    channel = cases.channel(3, 0.4)
    return truth, emit(truth, emission=channel, random_state=seed + 1), channel


def test_belief_labels_fields_better_than_any_window():
    truth, symbols, channel = noisy_potts(3)
    model = DiscreteModel(POTTS, channel, window=1)
    best = max(accuracy(model.decode(symbols, window=w), truth) for w in range(1, 9))
    known = accuracy(model.decode(symbols, decoder="belief", strength=1.0), truth)
    found = accuracy(model.decode(symbols, decoder="belief"), truth)
    assert known > best + 0.02
    assert found > best + 0.01
    assert found == pytest.approx(known, abs=0.015)


def test_states_that_shun_each_other_are_decoded():
    truth = checkerboard((64, 64))
    channel = np.array([[0.7, 0.3], [0.3, 0.7]])
    symbols = emit(truth, emission=channel, random_state=4)
    model = DiscreteModel([[0.02, 0.98], [0.98, 0.02]], channel, window=0)
    decoded = model.decode(symbols, decoder="belief", strength=1.0)
    assert (decoded == truth).mean() > 0.999
    assert (model.decode(symbols) == truth).mean() < 0.75


def test_vectors():
    truth, _, _ = noisy_potts(5)
    means = np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.5]])
    emission = NormalEmission(means, np.tile(np.eye(2), (3, 1, 1)))
    vectors = emit(truth, emission=emission, random_state=6)
    model = GaussianModel(POTTS, means, np.tile(np.eye(2), (3, 1, 1)), window=1)
    best = max(accuracy(model.decode(vectors, window=w), truth) for w in range(1, 6))
    assert accuracy(model.decode(vectors, decoder="belief"), truth) > best + 0.02


def test_viterbi_and_beliefs_of_a_sequence():
    truth = sample_chain(A3, length=3000, random_state=7)
    symbols = emit(truth, emission=B3, random_state=8)
    model = DiscreteModel(A3, B3, window=3)
    best = max((model.decode(symbols, window=w) == truth).mean() for w in range(6))
    viterbi = model.decode(symbols, decoder="viterbi", strength=1.0)
    belief = model.decode(symbols, decoder="belief", strength=1.0)
    assert (belief == truth).mean() > best
    assert (belief == truth).mean() >= (viterbi == truth).mean()

    def log_p(states):
        pairs = np.log(potentials_of(A3))[states[1:], states[:-1]].sum()
        return pairs + np.log(B3)[states, symbols].sum()

    assert log_p(viterbi) >= max(log_p(belief), log_p(truth))


@pytest.mark.parametrize("n_states", [1, 255])
def test_one_state_and_many(n_states):
    B = cases.random_symbols(n_states, 6, 9)
    symbols = cases.blocky((12, 13), 6, 10)
    beliefs = DiscreteModel(np.eye(n_states), B, window=1).beliefs(symbols)
    assert beliefs.shape == (12, 13, n_states)
    np.testing.assert_allclose(beliefs.sum(axis=-1), 1.0, rtol=1e-4, atol=0)


@pytest.mark.parametrize("A", [np.zeros((2, 2)), np.array([[1.0, 0.0], [0.0, 0.0]]), np.eye(2)])
@pytest.mark.parametrize("shape", [(1,), (1, 1), (30,), (6, 7), (2, 2, 2)])
def test_degenerate_potentials(A, shape):
    B = np.array([[1.0, 0.0], [0.5, 0.5]])
    symbols = np.ones(shape, dtype=np.uint8)
    model = DiscreteModel(A, B, window=0)
    beliefs = model.beliefs(symbols)
    assert np.isfinite(beliefs).all()
    assert model.decode(symbols, decoder="belief").shape == shape


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"decoder": "best"}, "decoder must be"),
        ({"decoder": "belief", "window": 2}, "window has no effect with decoder='belief'"),
        ({"strength": 1.0}, "strength has no effect with decoder='nearest'"),
        ({"passes": 3}, "passes has no effect with decoder='nearest'"),
        ({"decoder": "belief", "passes": 11}, "passes must be"),
        ({"decoder": "belief", "strength": -1.0}, "strength must be"),
        ({"decoder": "belief", "strength": math.nan}, "strength must be"),
        ({"decoder": "viterbi"}, "for sequences, got lattices of 2 dimensions"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ParameterError, match=message):
        DiscreteModel(A3, B3, window=1).decode(np.zeros((4, 4), np.uint8), **arguments)


def test_lattices_of_four_dimensions_are_refused():
    with pytest.raises(ParameterError, match="1 to 3 dimensions, got 4"):
        DiscreteModel(A3, B3, window=1).beliefs(np.zeros((2, 2, 2, 2), np.uint8))
