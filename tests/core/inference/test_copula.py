"""Vectors in bins whose channels a normal copula couples, against plain loops."""

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from latviz.core import GaussianModel, belief_entropy, load_model, save_model
from latviz.core.data.data_set import as_data_set
from latviz.core.errors import ParameterError
from latviz.core.inference.copula import CopulaDensities
from latviz.core.inference.emission import LEAST_SPREAD
from latviz.core.inference.field import field_of
from latviz.core.inference.laws import any_law_of, of_shortest_law, shortest_law_of
from tests import naive
from tests.core import cases

EDGES = np.array([[-1.0, 0.0, 0.5, 3.0], [0.0, 1.0, 2.0, 4.0]])
SHARES = np.array([[[0.2, 0.3, 0.5], [0.6, 0.1, 0.3]], [[0.1, 0.8, 0.1], [0.3, 0.3, 0.4]]])
COUPLINGS = np.array([[[1.0, 0.6], [0.6, 1.0]], [[1.0, -0.3], [-0.3, 1.0]]])
DENSITIES = CopulaDensities(EDGES, SHARES, COUPLINGS)


def some_vectors(shape, dtype=np.float64):
    vectors = np.random.default_rng(3).uniform(-2, 5, (*shape, 2)).astype(dtype)
    vectors[(0,) * len(shape)] = 0.0, 2.0  # on edges: in the lower bins
    return vectors


def bin_of(number, edges):
    return sum(number > edge for edge in edges[1:-1])


def score_of(shares, k):
    return NormalDist().inv_cdf(sum(shares[:k]) + shares[k] / 2)


def naive_log_density(vector, state, law=DENSITIES):
    total, scores = 0.0, []
    for c, number in enumerate(vector):
        k = bin_of(number, law.edges[c])
        total += math.log(law.shares[state, c, k] / (law.edges[c, k + 1] - law.edges[c, k]))
        scores.append(score_of(law.shares[state, c], k))
    matrix = law.correlations[state]
    away = np.array(scores) @ (np.linalg.inv(matrix) - np.eye(len(scores))) @ np.array(scores)
    return total - 0.5 * float(away) - 0.5 * math.log(np.linalg.det(matrix))


@pytest.mark.parametrize("shape", [(30,), (5, 11), (3, 4, 9)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_likelihoods(shape, dtype):
    vectors = some_vectors(shape, dtype)
    field = field_of(DENSITIES, vectors, shape)
    for t in naive.nodes(shape):
        logs = np.array([naive_log_density(vectors[t], j) for j in (0, 1)])
        wanted = np.exp(logs - logs.max())
        np.testing.assert_allclose(field.at(t).observation, wanted / wanted.sum(), rtol=1e-5)
        assert field.node_nats()[t] == pytest.approx(-math.log(np.exp(logs).mean()), abs=1e-5)


@pytest.mark.parametrize("shapes", [[(40,)], [(4, 5), (6, 3)]])
def test_shares_and_correlations_by_belief(shapes):
    lattices = [some_vectors(shape) for shape in shapes]
    rng = np.random.default_rng(4)
    beliefs = [rng.dirichlet(np.ones(3), shape).astype(np.float32) for shape in shapes]
    found = DENSITIES.renewed(beliefs, as_data_set(lattices, kind="gaussian"))
    nodes = [
        ([bin_of(o[t][c], EDGES[c]) for c in (0, 1)], b[t].astype(float))
        for o, b in zip(lattices, beliefs, strict=True)
        for t in naive.nodes(b.shape[:-1])
    ]
    for j in range(3):
        counts = np.full((2, 3), 0.5)
        for bins, b in nodes:
            for c in (0, 1):
                counts[c, bins[c]] += b[j]
        shares = counts / counts.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(found.shares[j], shares, rtol=1e-6)
        sums = np.eye(2)
        for bins, b in nodes:
            scores = [score_of(shares[c], bins[c]) for c in (0, 1)]
            sums += b[j] * np.outer(scores, scores)
        r = (1 - LEAST_SPREAD**2) * sums[0, 1] / math.sqrt(sums[0, 0] * sums[1, 1])
        np.testing.assert_allclose(found.correlations[j], [[1, r], [r, 1]], rtol=1e-5)


def test_threads_make_no_difference():
    shape = 211, 307
    vectors = cases.vectors(shape, 3, 31)
    data = as_data_set(vectors, kind="gaussian")
    states = [cases.blocky(shape, 4, 30)]

    def made():
        law = any_law_of(data, states, 4)
        field = field_of(law, vectors, shape)
        return law.shares, law.correlations, field.states(), field.node_nats()

    cases.assert_same_with_threads(made)


def test_a_monotone_change_of_channels_changes_nothing_but_widths():
    states = [cases.blocky((20, 30), 3, 1)]
    vectors = cases.vectors((20, 30), 2, 2)
    one, other = (
        any_law_of(as_data_set(some, kind="gaussian"), states, 3)
        for some in (vectors, np.exp(vectors))
    )
    np.testing.assert_array_equal(one.shares, other.shares)
    np.testing.assert_array_equal(one.correlations, other.correlations)


def test_channels_with_few_numbers_get_empty_bins():
    vectors = cases.vectors((20, 30), 3, 2)
    vectors[..., 1] = vectors[..., 1] > 0
    vectors[..., 2] = 7.0
    found = any_law_of(as_data_set(vectors, kind="gaussian"), [np.zeros((20, 30), np.uint8)], 1)
    assert (np.diff(found.edges) > 0).all()
    assert (found.shares[0] > 1 / 24 / 2).sum(axis=1).tolist() == [24, 2, 1]
    assert np.isfinite(found.top_nats(vectors)).all()


@pytest.mark.parametrize(("law", "is_normal"), [("normal", True), ("laplace", False)])
def test_bins_are_used_where_they_pay(law, is_normal):
    states = np.repeat([0, 1], 3000).astype(np.uint8).reshape(60, 100)
    noise = getattr(np.random.default_rng(5), law)(size=(60, 100, 2)) @ [[1.0, 0.7], [0.0, 0.6]]
    data = as_data_set(noise + 2.0 * states[..., None], kind="gaussian")
    found = shortest_law_of(data, [states], 2)
    assert isinstance(found, CopulaDensities) != is_normal


def test_a_state_is_split_along_its_scores():
    apart = np.array([0.5, 0.2])
    found = DENSITIES.split(0, apart)
    step = np.linalg.cholesky(COUPLINGS[0]) @ apart
    for state, sign in ((0, 1), (2, -1)):
        for c in (0, 1):
            ends = [NormalDist().inv_cdf(sum(SHARES[0, c, :k])) for k in (1, 2)]
            below = [0.0, *(NormalDist(sign * step[c]).cdf(end) for end in ends), 1.0]
            np.testing.assert_allclose(found.shares[state, c], np.diff(below), rtol=1e-6)
    np.testing.assert_array_equal(found.shares[1], SHARES[1])


def test_residuals_are_scaled_scores():
    vectors, states = some_vectors((7, 9)), cases.blocky((7, 9), 2, 3)
    found = DENSITIES.scaled(vectors, states).reshape(7, 9, 2)
    for t in naive.nodes((7, 9)):
        shares = SHARES[states[t]]
        scores = [score_of(shares[c], bin_of(vectors[t][c], EDGES[c])) for c in (0, 1)]
        wanted = np.linalg.solve(np.linalg.cholesky(COUPLINGS[states[t]]), scores)
        np.testing.assert_allclose(found[t], wanted, rtol=1e-5, atol=1e-6)


def model():
    bins = {"bin_edges": EDGES, "bin_shares": SHARES, "score_correlations": COUPLINGS}
    means, covariances = np.array([[0.0, 1.0], [1.0, 2.0]]), np.tile(np.eye(2), (2, 1, 1))
    return GaussianModel(np.array([[3.0, 1.0], [1.0, 3.0]]), means, covariances, 1, **bins)


@pytest.mark.parametrize("shape", [(30,), (9, 11), (4, 5, 6)])
def test_windows_sum_the_evidence_of_their_nodes(shape):
    vectors = some_vectors(shape) + 1e-3  # off the edges: sums over windows round numbers
    states, bits = (
        model().decode(vectors, decoder="likelihood"),
        belief_entropy(vectors, model=model()),
    )
    for t in naive.nodes(shape):
        window = [vectors[s] for s in naive.window_nodes(shape, t, 1)]
        logs = np.array([sum(naive_log_density(o, j) for o in window) for j in (0, 1)])
        belief = np.exp(logs - logs.max()) / np.exp(logs - logs.max()).sum()
        assert states[t] == belief.argmax()
        assert bits[t] == pytest.approx(-(belief * np.log2(belief)).sum(), abs=1e-4)


def test_a_file_keeps_them(tmp_path):
    save_model(model(), tmp_path / "bins.npz")
    assert load_model(tmp_path / "bins.npz") == model()


@pytest.mark.parametrize(
    "wrong",
    [
        {"score_correlations": None},
        {"bin_edges": None},
        {"bin_edges": EDGES[:, ::-1]},
        {"bin_edges": EDGES[0]},
        {"bin_shares": SHARES[..., :2]},
        {"bin_shares": 2 * SHARES},
        {"bin_shares": np.eye(3)[None, :2].repeat(2, axis=0)},
        {"score_correlations": np.ones((2, 2, 2))},
        {"score_correlations": COUPLINGS[:1]},
    ],
)
def test_bins_that_do_not_fit_are_refused(wrong):
    with pytest.raises(ParameterError):
        replace(model(), **wrong)


@pytest.mark.parametrize(("n_nodes", "pay"), [(60, False), (200, True), (280, True)])
def test_bins_pay_for_the_shares_that_a_mean_and_a_variance_do_not(n_nodes, pay):
    """Four even bins have three free shares: one more than a normal density has numbers.

    Uniform numbers have a share of 1/4 in each, normal ones of their variance 1/3 have Phi(-.866)
    in the outer ones: .0267 nats by channel. The one share costs 1/2 ln U.
    """
    outer = NormalDist(0, math.sqrt(1 / 3)).cdf(-0.5)
    saved = 0.5 * math.log(0.25 / outer) + 0.5 * math.log(0.25 / (0.5 - outer))
    assert (n_nodes * saved > 0.5 * math.log(n_nodes)) == pay
    assert n_nodes * saved < 1.5 * math.log(n_nodes)  # more free shares would never pay
    even = (2 * np.arange(n_nodes) + 1) / n_nodes - 1
    rng = np.random.default_rng(4)
    vectors = np.stack([rng.permutation(even), rng.permutation(even)], axis=-1)
    edges = np.tile([-1.0, -0.5, 0.0, 0.5, 1.0], (2, 1))
    emission = CopulaDensities(edges, np.full((1, 2, 4), 0.25), np.eye(2)[None])
    belief = np.ones((n_nodes, 1), np.float32)
    found = of_shortest_law(emission, [belief], as_data_set(vectors, kind="gaussian"))
    assert isinstance(found, CopulaDensities) == pay
