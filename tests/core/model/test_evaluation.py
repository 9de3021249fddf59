import math
from functools import partial

import numpy as np
import pytest

from latviz.core import DiscreteModel, Evaluation, GaussianModel, ParameterError
from latviz.core.model.indices import neighbourhoods
from latviz.core.model.learning import scatters
from latviz.core.model.terms import evaluate_counted
from tests import naive
from tests.core import cases
from tests.core.cases import DISCRETE, GAUSSIAN, assert_same_states, by_name
from tests.products import every_pair

NORMALIZERS = ["neighbours", "states"]
CASES = [*DISCRETE, *GAUSSIAN]
ALPHAS = {"one": 1.0, "constant": 0.3, "array": None, "local": "local"}


def given_model(case):
    """Return a model of three states for the lattices of a case."""
    if case.discrete:
        B = cases.random_symbols(3, case.n_channels, 302)
        return DiscreteModel(cases.random_potentials(3, 301), B, case.window)
    means = np.random.default_rng(304).normal(size=(3, case.n_channels)) * 2
    sigma = cases.random_covariances(3, case.n_channels, 305)
    return GaussianModel(cases.random_potentials(3, 303), means, sigma, case.window)


def emissions(model, lattice, states):
    """Return the first term of each node, from plain loops."""
    if isinstance(model, DiscreteModel):
        return naive.emissions_discrete(lattice, states, model.B)
    return naive.emissions_gaussian(lattice, states, model.means, model.covariances)


def of_both_kinds(shape, seed):
    """Return a model of symbols with a lattice, and one of vectors."""
    yield given_model(DISCRETE[1]), cases.blocky(shape, 3, seed)
    yield given_model(GAUSSIAN[1]), cases.vectors(shape, 3, seed + 1)


def given_alpha(kind, shape):
    if kind == "array":
        return np.random.default_rng(306).uniform(0.1, 1.0, size=shape)
    return ALPHAS[kind]


def alpha_values(alpha, e, model, window, base=0.5):
    if isinstance(alpha, str):
        return naive.local_alpha(e.states, model.n_states, window, base)
    return alpha


def assert_terms(e, emitted, pairs):
    """Assert that an evaluation holds these first and second terms of the nodes."""
    assert isinstance(e, Evaluation)
    total = emitted + pairs
    np.testing.assert_allclose(e.data_term, emitted.sum(), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(e.pair_term, pairs.sum(), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(e.log_likelihood, total.sum(), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(e.node_log_likelihood, total, rtol=1e-5, atol=1e-5)
    bits = total.sum() / total.size / math.log(2)
    np.testing.assert_allclose(e.bits_per_node, bits, rtol=1e-5, atol=1e-6)
    assert e.n_impossible == np.isneginf(total).sum()


def evaluated(case, model, alpha_of=lambda shape: 1.0, normalizer="neighbours"):
    """Assert that evaluations of a case's lattices have the terms of plain loops."""
    for lattice, x in case.each():
        alpha = alpha_of(x.shape[:-1])
        e = model.evaluate(lattice, alpha=alpha, normalizer=normalizer)
        assert_same_states(e.states, x, model.codebook)
        values = alpha_values(alpha, e, model, case.window)
        pairs = naive.pair_terms(e.states, model.A, values, normalizer)
        assert_terms(e, emissions(model, lattice, e.states), pairs)


@pytest.mark.parametrize(
    ("case", "kind", "normalizer"), every_pair(CASES, list(ALPHAS), NORMALIZERS), ids=by_name
)
def test_evaluation(case, kind, normalizer):
    evaluated(case, given_model(case), partial(given_alpha, kind), normalizer)


@pytest.mark.parametrize(
    ("shape", "n_channels", "kind"),
    every_pair(
        [(30,), (9, 11), (4, 5, 6)], [1, 2, 3, 5], [np.uint8, np.int16, np.float32, np.float64]
    ),
)
def test_vectors_of_every_type(shape, n_channels, kind):
    v = np.clip(30 * cases.vectors(shape, n_channels, 91) + 128, 0, 255).astype(kind)
    means = np.random.default_rng(92).uniform(0, 255, (4, n_channels))
    sigma = 900 * cases.random_covariances(4, n_channels, 93)
    model = GaussianModel(cases.random_potentials(4, 94), means, sigma, 1)
    e = model.evaluate(v)
    pairs = naive.pair_terms(e.states, model.A, 1.0, "neighbours")
    assert_terms(e, emissions(model, v, e.states), pairs)
    assert (v >= 128).any()  # bytes have no sign


@pytest.mark.parametrize("kind", [np.uint8, np.float32, np.float64])
@pytest.mark.parametrize("n_channels", [1, 3])
def test_runs_of_one_state_and_what_lies_between(n_channels, kind):
    """Eight nodes of one state are scored together, others one by one."""
    v = np.clip(30 * cases.vectors((5, 61), n_channels, 95) + 128, 0, 255).astype(kind)
    states = np.repeat(cases.blocky((5, 31), 4, 96), 2, axis=1)[:, :61].astype(np.uint8)
    states[1], states[2, 16:40], states[3, 8:16] = 2, 1, [0, 0, 0, 0, 0, 0, 0, 3]
    means = np.random.default_rng(97).uniform(0, 255, (4, n_channels))
    sigma = 900 * cases.random_covariances(4, n_channels, 98)
    model = GaussianModel(np.ones((4, 4)), means, sigma, 1)
    e = model.evaluate_states(v, states=states)
    pairs = naive.pair_terms(states, model.A, 1.0, "neighbours")
    assert_terms(e, emissions(model, v, states), pairs)


def test_evaluation_of_two_nodes_by_hand():
    A, B = np.array([[1, 0.1], [0.1, 1]]), np.array([[0.8, 0.2], [0.2, 0.8]])
    model = DiscreteModel(A=A, B=B, window=0)
    e = model.evaluate(np.array([0, 1]), alpha=0.5)
    np.testing.assert_allclose(e.data_term, 2 * math.log(0.8), rtol=1e-6, atol=0)
    np.testing.assert_allclose(e.pair_term, math.log(0.5), rtol=1e-6, atol=0)
    e = model.evaluate(np.array([0, 1]), alpha=0.5, normalizer="states")
    np.testing.assert_allclose(e.pair_term, math.log(0.5 * 0.1 / 1.1), rtol=1e-6, atol=0)
    e = model.evaluate(np.array([[0, 0], [0, 1]]), normalizer="neighbours")
    wanted = 0.5 * (2 * math.log(1 / 2) + 2 * (math.log(1 / 1.1) + math.log(0.1 / 1.1)))
    wanted += 0.5 * 2 * math.log(1 / 2)
    np.testing.assert_allclose(e.pair_term, wanted, rtol=1e-6, atol=0)


@pytest.mark.parametrize("base", [0.01, 0.5, 0.9, 1.0])
def test_the_base_of_the_local_alpha(base):
    for model, lattice in of_both_kinds((10, 12), 312):
        e = model.evaluate(lattice, window=1, alpha="local", local_base=base)
        alpha = naive.local_alpha(e.states, 3, 1, base)
        wanted = naive.pair_terms(e.states, model.A, alpha, "neighbours").sum()
        np.testing.assert_allclose(e.pair_term, wanted, rtol=1e-5, atol=1e-6)
        assert np.ptp(naive.local_inertia(e.states, 3, 1)) > 0.1


def test_the_local_alpha_of_one_state_is_the_base():
    o = cases.blocky((6, 7), 3, 314)
    model = DiscreteModel(A=[[0.5]], B=cases.random_symbols(1, 3, 315), window=2)
    local = model.evaluate(o, alpha="local", local_base=0.3)
    constant = model.evaluate(o, alpha=0.3)
    np.testing.assert_allclose(local.pair_term, constant.pair_term, rtol=1e-6, atol=0)


@pytest.mark.parametrize("window", [0, 1, 6, 30])
def test_the_given_window_comes_before_the_model_s(window):
    for model, lattice in of_both_kinds((9, 10), 316):
        e = model.evaluate(lattice, window=window, alpha="local")
        np.testing.assert_array_equal(e.states, model.decode(lattice, window=window))
        alpha = naive.local_alpha(e.states, 3, window, 0.5)
        wanted = naive.pair_terms(e.states, model.A, alpha, "neighbours").sum()
        np.testing.assert_allclose(e.pair_term, wanted, rtol=1e-5, atol=1e-6)


def with_zeros(n_symbols):
    """Return a model in which some pairs of states and some symbols are impossible."""
    A = cases.random_potentials(4, 318)
    A[0, 1] = A[2, 0] = A[3, 3] = 0.0
    B = cases.random_symbols(4, n_symbols, 319)
    B[1, 0] = B[2, 2] = 0.0
    return DiscreteModel(A=A, B=B / B.sum(axis=1, keepdims=True), window=1)


@pytest.mark.parametrize(("normalizer", "kind"), every_pair(NORMALIZERS, list(ALPHAS)))
def test_impossible_nodes(normalizer, kind):
    model, o = with_zeros(3), cases.blocky((13, 12), 3, 320)
    alpha = given_alpha(kind, o.shape)
    e = model.evaluate(o, alpha=alpha, normalizer=normalizer)
    values = alpha_values(alpha, e, model, 1)
    emitted = emissions(model, o, e.states)
    pairs = naive.pair_terms(e.states, model.A, values, normalizer)
    assert_terms(e, emitted, pairs)
    assert np.isneginf(emitted).any()
    assert np.isneginf(pairs).any()
    assert 0 < e.n_impossible < o.size
    assert e.log_likelihood == e.bits_per_node == -math.inf


@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_potentials_of_zero(normalizer):
    model = DiscreteModel(A=np.zeros((2, 2)), B=np.full((2, 2), 0.5), window=1)
    e = model.evaluate(np.array([[0, 1, 1]]), normalizer=normalizer)
    assert e.n_impossible == 3
    assert e.log_likelihood == e.pair_term == -math.inf
    np.testing.assert_allclose(e.data_term, 3 * math.log(0.5), rtol=1e-6, atol=0)


@pytest.mark.parametrize("shape", [(1,), (1, 1), (1, 1, 1)])
def test_a_node_without_neighbours_has_the_first_term_alone(shape):
    model = DiscreteModel(A=np.zeros((2, 2)), B=[[0.75, 0.25], [0.25, 0.75]], window=3)
    for alpha in (0.1, "local", np.full(shape, 0.1)):
        e = model.evaluate(np.ones(shape, dtype=int), alpha=alpha, normalizer="states")
        assert e.pair_term == 0
        assert e.n_impossible == 0
        np.testing.assert_allclose(e.log_likelihood, math.log(0.75), rtol=1e-6, atol=0)


def test_a_vector_far_from_every_mean():
    v = np.array([[0.0, 0.0, 0.0], [1e5, 0.0, 0.0]])
    model = given_model(GAUSSIAN[1])
    e = model.evaluate(v, window=0)
    np.testing.assert_allclose(e.data_term, emissions(model, v, e.states).sum(), rtol=1e-5)
    assert e.n_impossible == 0


def test_the_result_is_frozen_of_fixed_types_and_keeps_its_own_alpha():
    o, model = DISCRETE[1].lattices[0], given_model(DISCRETE[1])
    alpha = np.full(o.shape, 0.5)
    e = model.evaluate(o, alpha=alpha)
    alpha[:] = 0.01
    wanted = model.evaluate(o, alpha=0.5).log_likelihood
    np.testing.assert_allclose(e.log_likelihood, wanted, rtol=1e-6, atol=0)
    for name in ("log_likelihood", "states", "node_log_likelihood"):
        with pytest.raises(AttributeError):
            setattr(e, name, None)
    assert e.states.dtype == np.uint8
    assert e.node_log_likelihood.shape == e.states.shape == o.shape
    assert np.issubdtype(e.node_log_likelihood.dtype, np.floating)
    assert isinstance(e.n_impossible, int)
    for value in (e.log_likelihood, e.bits_per_node, e.data_term, e.pair_term):
        assert isinstance(value, float)


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ({"alpha": 0}, r"\b0\b"),
        ({"alpha": 0.0}, r"\b0\b"),
        ({"alpha": 1.5}, r"1\.5"),
        ({"alpha": -0.5}, r"-0\.5"),
        ({"alpha": float("nan")}, r"\bnan\b"),
        ({"alpha": "global"}, "global"),
        ({"alpha": np.ones((12, 14))}, r"\(12, 14\)"),
        ({"alpha": np.ones(17 * 14)}, r"\(238,\)"),
        ({"alpha": np.full((17, 14), 1.25)}, r"1\.25"),
        ({"alpha": np.full((17, 14), -0.25)}, r"-0\.25"),
        ({"alpha": np.full((17, 14), np.nan)}, r"\bnan\b"),
        ({"alpha": "local", "local_base": 0.0}, r"\b0\b"),
        ({"alpha": "local", "local_base": 1.5}, r"1\.5"),
        ({"normalizer": "edges"}, "edges"),
        ({"normalizer": None}, "None"),
        ({"window": -1}, "-1"),
    ],
)
def test_unusable_options(options, given):
    for model, lattice in of_both_kinds((17, 14), 321):
        with pytest.raises(ParameterError, match=given):
            model.evaluate(lattice, **options)


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_evaluation_of_what_is_counted(case):
    model = given_model(case)
    data, rng = model.data_set(list(case.lattices)), np.random.default_rng(9)
    states = [rng.integers(0, 3, shape).astype(np.uint8) for shape in data.shapes]
    sums = None if case.discrete else scatters(data.values, states, model.means)
    counts = [neighbourhoods(one, 3) for one in states]
    for normalizer in NORMALIZERS:
        found = evaluate_counted(model, data, states, normalizer, counts, sums)
        for o, q, part in zip(case.lattices, states, found.parts, strict=True):
            pairs = naive.pair_terms(q, model.A, 1.0, normalizer)
            assert_terms(part, emissions(model, o, q), pairs)
        uncounted = evaluate_counted(model, data, states, normalizer, None)
        for name in ("data_term", "pair_term"):
            np.testing.assert_allclose(getattr(found, name), getattr(uncounted, name), rtol=1e-9)
