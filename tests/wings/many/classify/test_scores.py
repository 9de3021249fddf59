"""Scores of lattices, posteriors, temperatures and features, against plain loops."""

import itertools
import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from latviz.core import DiscreteModel, GaussianModel
from latviz.core.data.data_set import as_data_set
from latviz.wings.many.classify import class_models, head
from latviz.wings.many.classify.class_models import PASSES, ClassModel, score_map, scores
from latviz.wings.many.classify.posteriors import posteriors, temperature
from tests import naive
from tests.wings.many import naive_classify

RNG = np.random.default_rng(71)
B = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
CODEBOOK = np.array([[0.5, 0.35, 0.15], [0.2, 0.2, 0.6]])
POTENTIALS = np.array([[1.0, 0.3], [0.3, 0.8]])
A = np.array([[0.7, 0.3], [0.4, 0.6]])
OF = ClassModel(DiscreteModel(A, B, 1), CODEBOOK, POTENTIALS)
SYMBOLS = [RNG.integers(0, 3, shape).astype(np.uint8) for shape in ((7, 6), (5, 9))]
DATA = as_data_set(SYMBOLS, kind="discrete", n_symbols=3)


def test_cavity_scores_are_those_of_messages():
    found = scores(DATA, [OF], "cavity")[:, 0]
    wanted = [naive_classify.cavity_score(o, B, POTENTIALS, PASSES) for o in SYMBOLS]
    np.testing.assert_allclose(found, wanted, rtol=1e-3)


def test_cavity_scores_of_vectors_and_of_sequences():
    vectors = RNG.normal(size=(6, 7, 1))
    means, variances = [-1.0, 0.8], [0.5, 2.0]
    model = GaussianModel(A, np.array(means)[:, None], np.array(variances)[:, None, None], 1)
    of = ClassModel(model, model.means, POTENTIALS)
    found = scores(as_data_set([vectors], kind="gaussian"), [of], "cavity")
    wanted = naive_classify.cavity_score_of_normals(vectors, means, variances, POTENTIALS, PASSES)
    assert found[0, 0] == pytest.approx(wanted, rel=1e-3)
    sequence = RNG.integers(0, 3, 40)
    found = scores(as_data_set([sequence], kind="discrete", n_symbols=3), [OF], "cavity")
    wanted = naive_classify.cavity_score(sequence, B, POTENTIALS, 1)
    assert found[0, 0] == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("criterion", ["windows", "data"])
@pytest.mark.parametrize("w", [0, 1, 2])
def test_scores_of_windows(criterion, w):
    of = ClassModel(DiscreteModel(A, B, w), CODEBOOK, POTENTIALS)
    wanted = [getattr(naive_classify, f"{criterion}_score")(o, CODEBOOK, B, w) for o in SYMBOLS]
    np.testing.assert_allclose(scores(DATA, [of], criterion)[:, 0], wanted, rtol=1e-9)


def test_the_printed_score_is_log_p():
    of = ClassModel(OF.model, B, POTENTIALS)
    wanted = [OF.model.evaluate(o).log_likelihood for o in SYMBOLS]
    np.testing.assert_allclose(scores(DATA, [of], "printed")[:, 0], wanted, rtol=1e-12)


@pytest.mark.parametrize("criterion", ["cavity", "windows", "data", "printed"])
def test_maps_of_scores_node_by_node(criterion):
    """They are those of plain loops, and sum to the score."""
    naive_map = getattr(naive_classify, f"{criterion}_map")
    for k, o in enumerate(SYMBOLS):
        one = as_data_set([o], kind="discrete", n_symbols=3)
        found = score_map(one, OF, criterion)
        if criterion == "cavity":
            wanted, near = naive_map(o, B, POTENTIALS, PASSES), 1e-2
        elif criterion == "printed":
            wanted, near = naive_map(o, CODEBOOK, B, A, 1), 1e-9
        else:
            wanted, near = naive_map(o, CODEBOOK, B, 1), 1e-9
        assert found.shape == o.shape
        assert found.dtype == np.float64
        for t, value in wanted.items():
            assert found[t] == pytest.approx(value, abs=near), t
        total = scores(DATA, [OF], criterion)[k, 0]
        assert found.sum() == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("criterion", ["cavity", "windows"])
def test_a_pseudo_likelihood_is_normalised_node_by_node(criterion):
    """Over the values of one node, with all others fixed, its own term sums to 1."""
    o = SYMBOLS[0].copy()
    shares = []
    for value in range(3):
        o[3, 2] = value
        if criterion == "cavity":
            field = class_models.field_of(OF.model.emission, o, o.shape)
            field.send(POTENTIALS, 1)
            shares.append(math.exp(-field.node_nats()[3, 2]))
        else:
            state = class_models.decode_without(o, CODEBOOK, 1)[3, 2]
            shares.append(B[state, value])
    if criterion == "windows":
        assert sum(shares) == pytest.approx(1.0, abs=1e-12)
    else:  # messages come round in a grid, so that it is nearly so
        assert sum(shares) == pytest.approx(1.0, abs=0.02)


def test_posteriors_are_those_of_bayes():
    rows = RNG.normal(size=(6, 4)) * 30
    priors = np.array([0.1, 0.2, 0.3, 0.4])
    found = posteriors(rows / 7 + np.log(priors))
    wanted = [naive_classify.posteriors(row, priors, 7.0) for row in rows.tolist()]
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


def test_posteriors_of_extreme_scores():
    inf = math.inf
    found = posteriors(
        np.array([[-1e308, -1e307, 0.0], [-inf, -3.0, -inf], [-inf] * 3, [1e300, 1e300, -1e300]])
    )
    wanted = [[0, 0, 1], [0, 1, 0], [1 / 3] * 3, [0.5, 0.5, 0]]
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_the_temperature_has_the_least_log_loss():
    rows, truth = RNG.normal(size=(30, 3)) * 200, RNG.integers(0, 3, 30)
    rows[np.arange(30), truth] += 150
    priors = np.array([0.5, 0.3, 0.2])
    found = temperature(rows, truth, np.log(priors))

    def loss(value):
        return naive_classify.log_loss(rows.tolist(), truth, priors.tolist(), value, 31 / 32)

    assert 20 < found < 2000
    assert all(loss(found) <= loss(found * ratio) + 1e-9 for ratio in (0.5, 0.9, 1.1, 2.0))
    assert temperature(np.eye(3) * 1e-3, np.arange(3), np.log([1 / 3] * 3)) < 1.001
    impossible = np.where(np.eye(3), 0.0, -math.inf)
    assert 1.0 <= temperature(impossible, np.arange(3), np.log([1 / 3] * 3)) < 1e6


@pytest.mark.parametrize("w", [0, 1])
def test_features_are_roots_of_shares(w):
    found = head.features(DATA, CODEBOOK, w)
    for row, o in zip(found, SYMBOLS, strict=True):
        states = naive.decode(naive.signature_discrete(o, w, 3), CODEBOOK)
        wanted = naive_classify.features(states, 2) + naive_classify.features(o, 3)
        np.testing.assert_allclose(row, wanted, rtol=1e-12)


def test_learned_models_emit_what_their_windows_hold():
    rng = np.random.default_rng(5)
    lattices = [rng.integers(0, 3, (9, 8)) for _ in range(2)]
    data = as_data_set(lattices, kind="discrete", n_symbols=3)
    (of,) = class_models.learned_each([data], 2, 1, "windows")
    counts = np.full((2, 3), 0.5)
    for o in lattices:
        states, _ = naive.decode_without(o, 1, of.codebook, True)
        for t in itertools.product(range(9), range(8)):
            counts[states[t], o[t]] += 1
    np.testing.assert_allclose(
        of.model.codebook, counts / counts.sum(axis=1, keepdims=True), rtol=1e-9
    )


def test_the_regression_is_that_of_scikit_learn():
    rng = np.random.default_rng(3)
    truth = np.repeat(np.arange(3), 10)
    points = rng.normal(size=(30, 4)) + truth[:, None] * [0.2, -0.1, 0.0, 0.1]
    weights, offsets = head.regression(points, truth, 3)
    wanted = LogisticRegression(C=head.COST, tol=1e-8, max_iter=5000).fit(points, truth)
    shift = offsets.mean()  # the same for all classes: scikit-learn's is another
    np.testing.assert_allclose(weights.T, wanted.coef_, atol=1e-3)
    np.testing.assert_allclose(
        offsets - shift, wanted.intercept_ - wanted.intercept_.mean(), atol=1e-3
    )


def test_encodings_of_a_head_count_equally():
    """In other units, or beside an encoding that is the same for all images, all stays as it is."""
    rng, truth = np.random.default_rng(4), np.array([0, 0, 1, 1, 2, 2])
    one, other = rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    wanted = head.fitted([one, other], truth, 3).logits(np.hstack([one, other]))
    found = head.fitted([9 * one, other], truth, 3).logits(np.hstack([9 * one, other]))
    np.testing.assert_allclose(found, wanted, atol=1e-2)
    assert (found.argmax(axis=1) == truth).all()
    alike = np.full((6, 2), 0.3)
    assert np.isfinite(head.fitted([alike, one], truth, 3).weights).all()
