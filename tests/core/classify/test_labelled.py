"""Models whose states are known: counts, decodings and scores against plain loops."""

import numpy as np
import pytest

from latviz.core import (
    GaussianModel,
    ParameterError,
    emit,
    learn_labelled,
    sample_chain,
    score_labels,
)
from tests import naive, naive_beliefs

RNG = np.random.default_rng(41)


@pytest.mark.parametrize("smoothing", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("shape", [(17,), (5, 6)])
def test_symbols_are_counted(shape, smoothing):
    labels = [RNG.integers(0, 3, shape) for _ in range(2)]
    symbols = [RNG.integers(0, 4, shape) for _ in range(2)]
    found = learn_labelled(symbols, labels, n_states=3, n_symbols=4, window=2, smoothing=smoothing)
    np.testing.assert_allclose(found.A, naive.adjacency(labels, 3, smoothing), rtol=1e-12)
    counts = np.full((3, 4), float(smoothing))
    for q, o in zip(labels, symbols, strict=True):
        for t in naive.nodes(shape):
            counts[q[t], o[t]] += 1
    np.testing.assert_allclose(found.B, counts / counts.sum(axis=1, keepdims=True), rtol=1e-12)
    assert found.window == 2


def test_vectors_have_the_means_and_covariances_of_their_states():
    labels = np.array([0, 1, 0, 1, 1, 0, 0, 1])
    vectors = RNG.normal(size=(8, 2)) + 3.0 * labels[:, None]
    found = learn_labelled([vectors], [labels], n_states=2)
    assert isinstance(found, GaussianModel)
    for j in range(2):
        np.testing.assert_allclose(found.means[j], vectors[labels == j].mean(axis=0), rtol=1e-12)
    wanted = naive.covariances([vectors], [labels], found.means)
    np.testing.assert_allclose(found.covariances, wanted, rtol=1e-9)
    with pytest.raises(ParameterError, match="each of 3 states must have at least one node"):
        learn_labelled([vectors], [labels], n_states=3)


def test_decoding_is_forward_backward():
    transitions = np.array([[0.9, 0.1, 0.0], [0.0, 0.8, 0.2], [0.3, 0.0, 0.7]])
    B = 0.7 * np.eye(3) + 0.1
    truth = [sample_chain(transitions, 400, seed=k) for k in range(3)]
    symbols = [emit(q, B, seed=10 + k) for k, q in enumerate(truth)]
    model = learn_labelled(symbols[:2], truth[:2], n_states=3)
    short = symbols[2][:7]
    beliefs = model.beliefs(short, strength=1.0)
    roots = np.sqrt(model.A * model.A.T)
    likelihood = {(t,): list(model.B[:, o]) for t, o in enumerate(short)}
    wanted = naive_beliefs.exact(likelihood, roots.tolist(), (7,))
    np.testing.assert_allclose(beliefs, [wanted[(t,)] for t in range(7)], atol=1e-5)
    believed = model.decode(symbols[2], decoder="belief", strength=1.0)
    alone = model.decode(symbols[2], decoder="belief", passes=0)
    score = score_labels(believed, truth[2], n_states=3)
    assert score.accuracy == np.mean(believed == truth[2])
    assert score.accuracy > score_labels(alone, truth[2], n_states=3).accuracy + 0.05


def test_scores_are_counted_label_by_label():
    labels, states = [np.array([0, 0, 1, 1, 1]), np.array([0])], [np.array([0, 1, 1, 1, 0])] * 1
    states.append(np.array([0]))
    found = score_labels(states, labels, n_states=3)
    assert found.confusion.tolist() == [[2, 1, 0], [1, 2, 0], [0, 0, 0]]
    assert found.accuracy == 4 / 6
    np.testing.assert_allclose(found.recalls, [2 / 3, 2 / 3, np.nan])


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([0, 1, 2], "labels must be from 0 to 1, got 0 to 2"),
        ([0, 1], "labels must have the shapes"),
        ([0, -1, 1], "labels must be from 0 to 1"),
        (None, "labels must be"),
    ],
)
def test_labels_that_do_not_fit(labels, said):
    labels = None if labels is None else np.array(labels)
    with pytest.raises(ParameterError, match=said):
        learn_labelled(np.array([0, 1, 0]), labels, n_states=2)


def test_nodes_of_no_known_label_are_neither_learned_nor_counted():
    shape, rng = (6, 7), np.random.default_rng(7)
    labels, symbols = rng.integers(0, 3, shape), rng.integers(0, 4, shape)
    labels[rng.random(shape) < 0.3] = 255
    known = [t for t in naive.nodes(shape) if labels[t] != 255]
    pairs, emitted, met = np.full((3, 3), 0.5), np.full((3, 4), 0.5), np.zeros((3, 3), int)
    states = rng.integers(0, 3, shape)
    for t in known:
        emitted[labels[t], symbols[t]] += 1
        met[labels[t], states[t]] += 1
        for r in naive.neighbours(shape, t):
            if labels[r] != 255:
                pairs[labels[t], labels[r]] += 1
    n_nodes = np.array([sum(labels[t] == j for t in known) for j in range(3)])
    found = learn_labelled(symbols, labels, n_states=3, n_symbols=4)
    np.testing.assert_allclose(found.A, pairs / (4 * n_nodes + 1.5)[:, None], rtol=1e-12)
    np.testing.assert_allclose(found.B, emitted / emitted.sum(axis=1, keepdims=True), rtol=1e-12)
    np.testing.assert_array_equal(score_labels(states, labels, n_states=3).confusion, met)
    vectors = rng.normal(size=(*shape, 2))
    found = learn_labelled(vectors, labels, n_states=3)
    for j in range(3):
        own = vectors[labels == j]
        np.testing.assert_allclose(found.means[j], own.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(found.covariances[j], np.cov(own.T, bias=True), rtol=1e-9)
    with pytest.raises(ParameterError, match="the label of at least one node must be known"):
        learn_labelled(symbols, np.full(shape, 255), n_states=3)
