"""Fields in which some nodes are unknown: these are not there."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from latviz.core import DiscreteModel, GaussianModel, belief_entropy, refine
from latviz.core.checks import UNKNOWN
from latviz.core.choice import choosing
from latviz.core.choice.cavity import cavity_length
from latviz.core.data.data_set import as_data_set
from latviz.core.inference.beliefs import settled
from latviz.core.inference.held_out import held_out_field
from latviz.core.inference.potentials import potentials_of
from latviz.core.truth.emission import emit
from latviz.core.truth.markov import sample_potts
from tests import naive, naive_beliefs, naive_masks
from tests.core import cases

A3 = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]])
B3 = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])
POTTS = np.exp(0.7 * np.eye(3))
"""Coded by one number, while A3 needs all."""
MARGINS = [(61,), (30, 37), (9, 13, 19)]


def masks(shape):
    return arrays(np.bool_, shape).filter(np.any)


def seen(known):
    """Return symbols with nonsense where they are unknown, and likelihoods of known nodes."""
    symbols = np.where(known, cases.blocky(known.shape, 3, 5), -9)
    known_nodes = [t for t in naive.nodes(known.shape) if known[t]]
    return symbols, {t: list(B3[:, symbols[t]]) for t in known_nodes}


@settings(max_examples=30, deadline=None)
@given(known=masks(7), A=st.sampled_from([A3, POTTS]))
def test_an_unknown_node_cuts_a_chain(known, A):
    symbols, likelihood = seen(known)
    model, pairs = DiscreteModel(A, B3, window=1), potentials_of(A, 1.0)
    beliefs = model.beliefs(symbols, strength=1.0, mask=known)
    states = model.decode(symbols, decoder="viterbi", strength=1.0, mask=known)
    assert (states[~known] == UNKNOWN).all()
    assert (beliefs[~known] == 0).all()
    places, wanted = [], {}
    for t in range(known.size + 1):  # each run alone
        if t < known.size and known[t]:
            places.append((t,))
        elif places:
            alone, places = {one: likelihood[one] for one in places}, []
            wanted |= naive_beliefs.exact(alone, pairs, known.shape)
            best = naive_beliefs.most_probable(alone, pairs, known.shape)
            own = {one: int(states[one]) for one in alone}
            found = naive_beliefs.weight(alone, pairs, known.shape, own)
            assert found == pytest.approx(best, rel=1e-6)
    for t, row in wanted.items():
        np.testing.assert_allclose(beliefs[t], row, rtol=0, atol=1e-6)


@settings(max_examples=20, deadline=None)
@given(
    known=st.sampled_from([(4, 5), (1, 11), (9, 10), (2, 3, 4)]).flatmap(masks),
    A=st.sampled_from([A3, POTTS]),
    passes=st.sampled_from([1, 2, None]),
)
def test_unknown_nodes_of_a_grid_send_nothing(known, A, passes):
    symbols, likelihood = seen(known)
    model, n = DiscreteModel(A, B3, window=1), 12 if passes is None else passes
    pairs = potentials_of(A, 0.6)
    wanted, cavities = naive_beliefs.in_passes(likelihood, pairs, known.shape, n)
    data = as_data_set(symbols, kind="discrete", n_symbols=3, mask=known)
    (field,) = settled(model.emission, A, data, 0.6, passes=passes)
    beliefs, nats, doubt = field.beliefs(), field.node_nats(), field.entropies()
    for t, row in wanted.items():
        np.testing.assert_allclose(beliefs[t], row, rtol=0, atol=2e-3)
        both = zip(cavities[t], likelihood[t], strict=True)
        assert nats[t] == pytest.approx(-math.log(sum(c * u for c, u in both)), abs=2e-3)
    assert (beliefs[~known] == 0).all()
    assert np.isnan(nats[~known]).all()
    assert np.isnan(doubt[~known]).all()
    np.testing.assert_array_equal(np.isnan(doubt), ~known)
    assert field.nats() == pytest.approx(nats[known].sum(), abs=1e-4)
    states = model.decode(data, decoder="belief", strength=0.6, passes=passes)[0]
    np.testing.assert_array_equal(states[known], beliefs.argmax(axis=-1)[known])
    assert (states[~known] == UNKNOWN).all()
    for t in naive.nodes(known.shape):
        np.testing.assert_allclose(field.at(t).belief, beliefs[t], atol=1e-6)
    assert (field.state_nats()[~known] == 0).all()
    assert cavity_length([field], model.emission).sizes.sum() == known.sum()


@pytest.mark.parametrize("window", [0, 1, 2])
@pytest.mark.parametrize("shape", [(40,), (11, 9), (4, 5, 6)])
@pytest.mark.parametrize("kind", ["symbols", "vectors", "bins"])
def test_likelihood_is_that_of_known_nodes_of_each_window(kind, shape, window):
    known = np.random.default_rng(8).random(shape) < 0.6
    values, given = cases.vectors(shape, 2, 3), {}
    if kind == "symbols":
        values, model = cases.blocky(shape, 3, 5), DiscreteModel(A3, B3, window=window)
    else:
        if kind == "bins":
            values = values[..., :1]
            given = {"bin_edges": [-9.0, -0.5, 0.5, 9.0], "bin_shares": B3}
        size = values.shape[-1]
        means = np.random.default_rng(1).normal(size=(3, size))
        sigmas = cases.random_covariances(3, size, 2)
        model = GaussianModel(A3, means, sigmas, window, **given)
    states = model.decode(values, decoder="likelihood", mask=known)
    doubt = belief_entropy(as_data_set(values, kind=model.kind, mask=known), model=model)[0]
    assert (states[~known] == UNKNOWN).all()
    assert np.isnan(doubt[~known]).all()
    for t in naive.nodes(shape):
        if known[t]:
            inside = naive_masks.window(known, t, window)
            if kind == "vectors":
                mean = np.mean([values[s] for s in inside], axis=0)
                both = zip(means, sigmas / len(inside), strict=True)
                scores = [naive.log_density(mean, m, naive.cholesky(c)) for m, c in both]
            else:
                bins = values if kind == "symbols" else np.digitize(values[..., 0], [-0.5, 0.5])
                scores = [sum(math.log(row[bins[s]]) for s in inside) for row in B3]
            assert scores[states[t]] >= max(scores) - 1e-4
            assert doubt[t] == pytest.approx(naive.entropy(scores), abs=1e-4)


def in_margin(kind, shape):
    """Return observations of some states, the mask of a part of them, and that part."""
    rest = tuple(slice(round(0.1 * n), n - round(0.06 * n)) for n in shape)
    known = np.zeros(shape, bool)
    known[rest] = True
    truth = cases.blocky(shape, 3, 9)
    if kind is DiscreteModel:
        return emit(truth, emission=0.8 * np.eye(3) + 0.2 / 3, random_state=1), known, rest
    noise = cases.vectors(shape, 2, 46)
    return truth[..., None] * [2.0, 0.0] + 0.5 * noise, known, rest


@pytest.mark.parametrize("shape", MARGINS)
@pytest.mark.parametrize("kind", [DiscreteModel, GaussianModel])
def test_beliefs_beside_a_margin_are_those_of_the_rest_alone(kind, shape):
    values, known, rest = in_margin(kind, shape)
    model = kind.fit(values, n_states=3, window=1, mask=known)
    data, alone = (
        as_data_set(values, kind=kind.kind, mask=known),
        as_data_set(values[rest], kind=kind.kind),
    )
    strength = model.strength(data)
    assert strength == pytest.approx(model.strength(alone))
    for decoder in ("belief", "likelihood"):
        decoded = model.decode(data, decoder=decoder)[0]
        np.testing.assert_array_equal(decoded[rest], model.decode(alone, decoder=decoder)[0])
    (found,), (wanted,) = (model.beliefs(one, strength=strength) for one in (data, alone))
    np.testing.assert_allclose(found[rest], wanted, rtol=1e-6)
    of_all, of_rest = held_out_field(shape, 3), held_out_field(values[rest].shape[: len(shape)], 3)
    of_all.observe(model.emission, data.values[0], known)
    of_rest.observe(model.emission, alone.values[0])
    for field in (of_all, of_rest):
        field.send(potentials_of(model.A, strength), 2)
    np.testing.assert_allclose(of_all.node_nats()[rest], of_rest.node_nats(), rtol=1e-5, atol=1e-6)
    assert of_all.nats() == pytest.approx(of_rest.nats(), rel=1e-6)


@pytest.mark.parametrize("shape", [(90,), (40, 47), (7, 16, 18)])
@pytest.mark.parametrize("kind", [DiscreteModel, GaussianModel])
def test_models_are_refined_and_chosen_by_known_nodes_alone(kind, shape):
    values, known, rest = in_margin(kind, shape)
    data, alone = (
        as_data_set(values, kind=kind.kind, mask=known),
        as_data_set(values[rest], kind=kind.kind),
    )
    model = kind.fit(data, n_states=3, window=1)
    found, wanted = refine(data, model=model), refine(alone, model=model)
    np.testing.assert_array_equal(found.states[0][rest], wanted.states[0])
    np.testing.assert_allclose(found.beliefs[0][rest], wanted.beliefs[0], rtol=1e-4, atol=1e-5)
    assert (found.states[0][~known] == UNKNOWN).all()
    assert (found.beliefs[0][~known] == 0).all()
    assert found.bits == pytest.approx(wanted.bits, rel=1e-5)
    assert found.strength == pytest.approx(wanted.strength)
    np.testing.assert_allclose(found.model.A, wanted.model.A, rtol=1e-6)
    one, other = (
        choosing.choose(each, kind=kind.kind, n_states=[1, 2, 3], windows=[1, 2])
        for each in (data, alone)
    )
    assert (one.n_states, one.window, one.dependent) == (
        other.n_states,
        other.window,
        other.dependent,
    )
    np.testing.assert_allclose(one.saved, other.saved, rtol=1e-4, atol=1e-4)
    assert one.model == other.model


def test_refining_a_field_of_which_a_third_is_unknown_nears_its_true_model():
    pairs, B = np.exp(0.95 * np.eye(3)), 0.7 * np.eye(3) + 0.1
    truth = sample_potts(pairs, shape=(96, 96), random_state=3)
    known = np.random.default_rng(5).random(truth.shape) < 0.67
    data = as_data_set(
        np.where(known, emit(truth, emission=B, random_state=4), -1),
        kind="discrete",
        n_symbols=3,
        mask=known,
    )
    (told,) = DiscreteModel(pairs, B, window=0).decode(data, decoder="belief", strength=1.0)
    (found,) = refine(data, model=DiscreteModel.fit(data, n_states=3, window=1)).states
    best = cases.accuracy(told[known], truth[known])
    assert cases.accuracy(found[known], truth[known]) > best - 0.02
    assert best > 0.8
