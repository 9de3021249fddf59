"""Both models, fitted and given: codebooks, states, potentials and covariances of plain loops."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from latviz.core import DiscreteModel, GaussianModel, ParameterError
from latviz.core.model.learning import scatter_of
from tests import naive
from tests.core import cases
from tests.core.cases import DISCRETE, GAUSSIAN, assert_same_rows, assert_same_states
from tests.products import every_pair

A = np.array([[0.7, 0.2], [0.1, 0.8]])
B = np.array([[0.8, 0.1, 0.1], [0.2, 0.3, 0.5]])
MEANS = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]])
COVARIANCES = np.array([np.eye(3), 2 * np.eye(3)])


@dataclass(frozen=True)
class Kind:
    """A variant of the model, the parameters of one of two states, and lattices of a shape."""

    model: type
    parameters: dict[str, Any]
    lattice: Callable[..., Any]
    fitting: dict[str, Any]

    def fit(self, observations, **options):
        return self.model.fit(observations, **{**self.fitting, **options})

    def given(self, **changed):
        return self.model(**{**self.parameters, "window": 3, **changed})


SYMBOLS = Kind(
    DiscreteModel,
    {"A": A, "B": B},
    lambda shape, seed: cases.blocky(shape, 8, seed, block=6),
    {"n_symbols": 8},
)
VECTORS = Kind(
    GaussianModel,
    {"A": A, "means": MEANS, "covariances": COVARIANCES},
    lambda shape, seed: cases.vectors(shape, 3, seed),
    {},
)
both_kinds = pytest.mark.parametrize("kind", [SYMBOLS, VECTORS], ids=["symbols", "vectors"])


def of_codebook(codebook, window):
    """Return a model of symbols if the rows of a codebook are distributions, else of vectors."""
    codebook = np.asarray(codebook, dtype=float)
    n, m = codebook.shape
    if np.allclose(codebook.sum(axis=1), 1) and (codebook >= 0).all():
        return DiscreteModel(A=np.eye(n), B=codebook, window=window)
    sigma = np.tile(np.eye(m), (n, 1, 1))
    return GaussianModel(np.ones((n, n)), codebook, sigma, window)


@pytest.fixture(scope="module", params=[*DISCRETE, *GAUSSIAN], ids=cases.by_name)
def fitted(request):
    """Return each case, the model that is fitted to it, and the states of its lattices."""
    case, model = request.param, request.param.fit()
    return case, model, model.decode(list(case.lattices))


def test_what_is_fitted_is_that_of_plain_loops(fitted):
    """Codebook, states, A and covariances; rows of B are distributions, and no ridge is added."""
    case, model, maps = fitted
    n, m = case.n_states, case.n_channels
    assert (model.n_states, model.n_symbols, model.window) == (n, m, case.window)
    assert (model.A.shape, model.codebook.shape) == ((n, n), (n, m))
    assert model.A.dtype == model.codebook.dtype == np.float64
    x = np.concatenate([one.reshape(-1, m) for one in case.signatures])
    exact, ones = naive.ExactPNN(x), np.ones(len(x))
    if exact.is_decided(n, rtol=1e-4):
        assert_same_rows(model.codebook, exact.codebook(n), rtol=1e-5, atol=1e-6)
    else:
        assert case.discrete
    best = naive.squared_error(x, ones, exact.codebook(n))
    assert naive.squared_error(x, ones, model.codebook) <= 1.1 * best + 1e-9
    for states, (_, own) in zip(maps, case.each(), strict=True):
        assert states.dtype == np.uint8
        assert_same_states(states, own, model.codebook)
    np.testing.assert_allclose(model.A, naive.adjacency(maps, n), rtol=1e-9, atol=0)
    assert (model.A.sum(axis=1) <= 1 + 1e-9).all()
    if case.discrete:
        assert (model.B >= 0).all()
        np.testing.assert_allclose(model.B.sum(axis=1), 1.0, rtol=0, atol=1e-6)
    else:
        assert (model.scalar, model.ridge) == (False, 0.0)
        assert (model.covariances.shape, model.covariances.dtype) == ((n, m, m), np.float64)
        wanted = naive.covariances(case.lattices, maps, model.means)
        np.testing.assert_allclose(model.covariances, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("smoothing", [0.25, 50.0])
def test_smoothing_adds_counts_to_the_unsmoothed_model(fitted, smoothing):
    """To A of the map that the model gives, and to B, but to neither means nor covariances."""
    case, plain, maps = fitted
    model = case.fit(smoothing=smoothing)
    own = model.decode(list(case.lattices))
    wanted = naive.adjacency(own, case.n_states, smoothing)
    np.testing.assert_allclose(model.A, wanted, rtol=1e-9, atol=0)
    assert model.A.min() > 0
    if case.discrete:
        wanted = naive.smoothed_symbols(plain.B, maps, smoothing)
        np.testing.assert_allclose(model.B, wanted, rtol=1e-6, atol=1e-9)
        assert model.B.min() > 0
    else:
        np.testing.assert_array_equal(model.means, plain.means)
        np.testing.assert_array_equal(model.covariances, plain.covariances)


@pytest.mark.parametrize("case", [*DISCRETE, *GAUSSIAN], ids=cases.by_name)
def test_decoding_with_a_given_codebook(case):
    for n in (1, 2, 5, 40):
        codebook = np.random.default_rng(n).normal(size=(n, case.n_channels)) * 2
        if case.discrete:
            codebook = cases.random_symbols(n, case.n_channels, n)
        for lattice, x in case.each():
            assert_same_states(of_codebook(codebook, case.window).decode(lattice), x, codebook)


@pytest.mark.parametrize("window", [0, 1, 4, 13, 50])
def test_the_given_window_comes_before_the_model_s(window):
    o, v = cases.blocky((11, 14), 4, 142), cases.vectors((11, 12), 2, 202)
    means = np.random.default_rng(203).normal(size=(4, 2))
    for lattice, codebook, x in (
        (o, cases.random_symbols(3, 4, 143), naive.signature_discrete(o, window, 4)),
        (v, means, naive.signature_gaussian(v, window)),
    ):
        model = of_codebook(codebook, 2)
        assert_same_states(model.decode(lattice, window=window), x, codebook)
        found = model.signature(lattice, window=window)
        np.testing.assert_allclose(found, x, rtol=1e-5, atol=1e-6)
        assert model.window == 2


@pytest.mark.parametrize(("shape", "window"), [((30, 40), 1), ((20000, 3), 10000), ((400,), 150)])
@pytest.mark.parametrize("spread", [1e-3, 1e-5])
def test_codewords_near_each_other(shape, window, spread):
    o = cases.blocky(shape, 8, 171, block=5)
    shares = np.bincount(o.ravel(), minlength=8) / o.size
    near = shares + spread * np.random.default_rng(172).uniform(-1, 1, size=(255, 8))
    near /= near.sum(axis=1, keepdims=True)
    states = of_codebook(near, window).decode(o)
    places = np.random.default_rng(173).integers(shape, size=(12, len(shape)))
    x = np.array([naive.signature_at(o, tuple(t), window, 8) for t in places])
    assert_same_states(states[tuple(places.T)], x, near)


def test_more_states_and_symbols_than_half_a_byte_or_a_byte_tells_apart():
    many = cases.random_symbols(255, 3, 144)
    o = cases.white((14, 15), 3, 145)
    states = of_codebook(many, 1).decode(o)
    assert_same_states(states, naive.signature_discrete(o, 1, 3), many)
    assert states.max() > 127
    o = np.random.default_rng(146).integers(1000, size=(12, 13)).astype(np.uint16)
    model = of_codebook(cases.random_symbols(4, 1000, 147), 2)
    x = naive.signature_discrete(o, 2, 1000)
    np.testing.assert_allclose(model.signature(o), x, rtol=1e-6, atol=1e-7)
    assert_same_states(model.decode(o), x, model.B)


@pytest.mark.parametrize(
    ("lattice", "codebook", "wanted"),
    [
        ([0, 1], [[0.75, 0.25], [0.25, 0.75]], 0),
        ([0, 1], [[0.25, 0.75], [0.75, 0.25]], 0),
        ([0, 1], [[0.8, 0.2], [0.2, 0.8]], 0),
        ([0, 1], [[0.9, 0.1], [0.3, 0.7], [0.7, 0.3]], 1),
        ([0, 1], [[0.2, 0.8], [0.5, 0.5], [0.5, 0.5]], 1),
        ([0, 1, 2], np.eye(3), 0),
        ([0, 1, 2], np.eye(3)[::-1], 0),
        ([0, 0, 0, 1], [[1, 0], [0.5, 0.5], [0, 1]], 0),
        ([0, 0, 0, 1], [[0, 1], [0.5, 0.5], [1, 0]], 1),
        ([0, 1, 2, 3], np.full((255, 4), 0.25), 0),
        ([[1.0], [1.0]], [[0.0], [2.0]], 0),
        ([[1.0], [1.0]], [[2.0], [0.0]], 0),
        ([[0.0], [2.0]], [[5.0], [1.5], [0.5]], 1),
        ([[0.0, 2.0], [2.0, 0.0]], [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]], 0),
        ([[0.5, 0.5]], [[3.0, 3.0], [1.0, 0.0], [0.0, 1.0]], 1),
        ([[4.0, 4.0]], [[1.0, 1.0], [1.0, 1.0]], 0),
    ],
)
def test_the_smallest_of_tied_states_is_taken(lattice, codebook, wanted):
    states = of_codebook(codebook, 9).decode(np.array(lattice))
    np.testing.assert_array_equal(states, np.full(len(lattice), wanted))


@pytest.mark.parametrize("seed", range(4))
def test_no_tie_goes_to_another_state(seed):
    rng = np.random.default_rng(150 + seed)
    eighths = rng.multinomial(8, [0.25, 0.25, 0.5], size=9) / 8
    o = cases.blocky((15, 14), 3, 150 + seed)
    states, n_ties = naive.decode_exactly(o, 1, eighths)
    assert n_ties > 5
    np.testing.assert_array_equal(of_codebook(eighths, 1).decode(o), states)


def test_the_number_of_symbols():
    """It is one more than the largest symbol, or as given; unused symbols have no probability."""
    o = cases.blocky((10, 10), 4, 163)
    options = {"n_states": 3, "window": 1}
    assert DiscreteModel.fit([o, np.array([[6]])], n_symbols=None, **options).n_symbols == 7
    model = DiscreteModel.fit(o, n_symbols=6, **options)
    assert model.n_symbols == 6
    np.testing.assert_array_equal(model.B[:, 4:], 0)


def test_states_beyond_the_distinct_signatures_are_taken_by_no_node():
    o = np.array([[0, 0, 1], [2, 2, 2]], dtype=np.uint8)
    model = DiscreteModel.fit(o, n_states=6, window=0, n_symbols=3)
    assert model.B.shape == (6, 3)
    assert_same_rows(model.B[:3], np.eye(3), rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.B.sum(axis=1), 1.0, rtol=0, atol=1e-6)
    states = model.decode(o)
    assert set(states.ravel().tolist()) == {0, 1, 2}
    np.testing.assert_array_equal(model.A[3:], 0)
    np.testing.assert_allclose(model.A, naive.adjacency([states], 6), rtol=1e-12, atol=0)
    assert model.evaluate(o).n_impossible == 0
    v = np.array([0.0, 3.0, 0.0, 8.0, 8.5, 7.5, 3.5, 0.5])
    model = GaussianModel.fit(v, n_states=4, window=9)
    np.testing.assert_allclose(model.means, np.full((4, 1), v.mean()), rtol=1e-6, atol=0)
    np.testing.assert_array_equal(model.decode(v), np.zeros(8))
    np.testing.assert_array_equal(model.A[1:], 0)
    np.testing.assert_allclose(model.covariances[0], [[v.var()]], rtol=1e-5, atol=0)
    assert model.ridge > 0
    assert np.isfinite(model.evaluate(v).log_likelihood)


@both_kinds
def test_models_are_frozen_and_keep_their_own_arrays(kind):
    mine = {name: array.copy() for name, array in kind.parameters.items()}
    model = kind.given(**mine)
    for name in (*mine, "window", "scalar"):
        with pytest.raises(AttributeError):
            setattr(model, name, getattr(model, name))
    for name, array in mine.items():
        with pytest.raises(ValueError, match="read-only"):
            getattr(model, name)[0] = 0.5
        array[:] = 9
        np.testing.assert_array_equal(getattr(model, name), kind.parameters[name])


OF_ANY = [
    ({"A": np.ones((2, 3))}, r"\(2, 3\)"),
    ({"A": np.ones((3, 3))}, r"\(2, 3\)"),
    ({"A": np.ones(4)}, r"\(4,\)"),
    ({"A": [[0.5, -0.25], [0.1, 0.1]]}, r"-0\.25"),
    ({"A": [[0.5, np.nan], [0.1, 0.1]]}, r"\bnan\b"),
    ({"A": [[0.5, np.inf], [0.1, 0.1]]}, r"\binf\b"),
    ({"window": -1}, "-1"),
    ({"window": 1.5}, r"1\.5"),
]
OF_ONE = [
    (SYMBOLS, {"B": np.ones(4) / 4}, r"\(4,\)"),
    (SYMBOLS, {"B": [[0.5, 0.5], [0.5, 0.25]]}, r"0\.75"),
    (SYMBOLS, {"B": [[0.5, 0.5], [1.5, -0.5]]}, r"-0\.5"),
    (SYMBOLS, {"B": [[0.5, 0.5], [np.nan, 0.5]]}, r"\bnan\b"),
    (VECTORS, {"means": np.ones(5)}, r"\(5,\)"),
    (VECTORS, {"means": np.ones((4, 3))}, r"\(4, 3\)"),
    (VECTORS, {"means": [[0.0, np.inf, 0.0], [0.0, 0.0, 0.0]]}, r"\binf\b"),
    (VECTORS, {"covariances": np.ones((2, 3))}, r"\(2, 3\)"),
    (VECTORS, {"covariances": np.ones((2, 4, 4))}, r"\(2, 4, 4\)"),
    (VECTORS, {"covariances": np.full((2, 3, 3), np.nan)}, r"\bnan\b"),
]


@pytest.mark.parametrize(
    ("kind", "changed", "said"),
    [*((kind, *row) for kind in (SYMBOLS, VECTORS) for row in OF_ANY), *OF_ONE],
)
def test_unusable_parameters(kind, changed, said):
    with pytest.raises(ParameterError, match=said):
        kind.given(**changed)


def with_value(value):
    v = cases.vectors((6, 7), 3, 216)
    v[2, 3, 1] = value
    return v


OPTIONS = [
    ({"n_states": 0}, r"\b0\b"),
    ({"n_states": -3}, "-3"),
    ({"n_states": 256}, r"\b256\b"),
    ({"n_states": 2.5}, r"2\.5"),
    ({"window": -1}, "-1"),
    ({"smoothing": -0.5}, r"-0\.5"),
    ({"smoothing": np.nan}, r"\bnan\b"),
    ({"observations": []}, "empty"),
]


@pytest.mark.parametrize(
    ("kind", "changed", "said"),
    [
        *((kind, *row) for kind in (SYMBOLS, VECTORS) for row in OPTIONS),
        (SYMBOLS, {"n_symbols": 3}, "from 0 to 2"),
        (SYMBOLS, {"n_symbols": 0}, r"\b0\b"),
        (SYMBOLS, {"observations": np.zeros((0, 4), dtype=np.uint8)}, r"\(0, 4\)"),
        (SYMBOLS, {"observations": np.array([[0, -7]])}, "-7"),
        (SYMBOLS, {"observations": np.array([[0.0, 0.5]])}, "float64"),
        (SYMBOLS, {"observations": [np.zeros((3, 3), int), np.zeros(4, int)]}, r"\b1\b"),
        (VECTORS, {"observations": with_value(np.nan)}, r"\bnan\b"),
        (VECTORS, {"observations": with_value(np.inf)}, r"\binf\b"),
        (VECTORS, {"observations": with_value(-np.inf)}, r"-inf\b"),
        (VECTORS, {"observations": np.zeros((0, 4, 3))}, r"\(0, 4, 3\)"),
        (VECTORS, {"observations": np.zeros((4, 3, 0))}, r"\(4, 3, 0\)"),
        (VECTORS, {"observations": [np.zeros((4, 4, 3)), np.zeros((4, 4, 2))]}, r"\b2\b"),
    ],
)
def test_fitting_with_unusable_arguments(kind, changed, said):
    usable = {"observations": kind.lattice((6, 7), 217), "n_states": 2, "window": 1}
    with pytest.raises(ParameterError, match=said):
        kind.fit(**{**usable, **changed})


def fit_vectors(observations, n_states=3, window=1, **options):
    return GaussianModel.fit(observations, n_states=n_states, window=window, **options)


@pytest.mark.parametrize("method", ["signature", "decode", "evaluate"])
@pytest.mark.parametrize(
    ("kind", "lattice", "window", "said"),
    [
        (SYMBOLS, np.array([[0, 3]]), None, r"\b3\b"),
        (SYMBOLS, np.array([[0, 3]], dtype=np.uint8), None, r"\b3\b"),
        (SYMBOLS, np.array([0, -2]), None, "-2"),
        (SYMBOLS, np.array([0, 300]), None, r"\b300\b"),
        (SYMBOLS, np.array([0.0, 1.0]), None, "float64"),
        (SYMBOLS, np.zeros((4, 0), dtype=int), None, r"\(4, 0\)"),
        (SYMBOLS, np.array([0, 1]), -1, "-1"),
        (SYMBOLS, np.array([0, 1]), 0.5, r"0\.5"),
        (VECTORS, np.zeros((4, 5, 2)), None, r"\b2\b"),
        (VECTORS, np.zeros((0, 5, 3)), None, r"\(0, 5, 3\)"),
        (VECTORS, with_value(np.nan), None, r"\bnan\b"),
        (VECTORS, with_value(np.inf), None, r"\binf\b"),
        (VECTORS, np.zeros((4, 5, 3)), -1, "-1"),
    ],
)
def test_unusable_observations(method, kind, lattice, window, said):
    with pytest.raises(ParameterError, match=said):
        getattr(kind.given(), method)(lattice, window=window)


# Vectors: units, types, channels, ridges


@pytest.mark.parametrize(
    ("scale", "offset"), [(1e-6, 0.0), (60.0, 128.0), (1e9, 0.0), (1.0, 500.0), (1.0, -3e4)]
)
def test_other_units(scale, offset):
    v = cases.vectors((12, 13), 3, 204) * scale + offset
    model = fit_vectors(v, n_states=4)
    x = naive.signature_gaussian(v, 1)
    assert_same_states(model.decode(v), x, model.means, tolerance=1e-5 * scale**2)
    exact = naive.ExactPNN(x.reshape(-1, 3)).codebook(4)
    assert_same_rows(model.means, exact, rtol=1e-5, atol=1e-5 * scale)
    wanted = naive.covariances([v], [model.decode(v)], model.means)
    assert model.ridge == 0.0
    np.testing.assert_allclose(model.covariances, wanted, rtol=1e-4, atol=1e-5 * scale**2)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float16, ">f8"])
def test_vectors_of_other_types(dtype):
    v = (10 * np.abs(cases.vectors((9, 10), 3, 219))).astype(dtype)
    floats = v.astype(np.float64)
    model = fit_vectors(v)
    assert model == fit_vectors(floats)
    np.testing.assert_array_equal(model.decode(v), model.decode(floats))
    likelihood = model.evaluate(floats).log_likelihood
    np.testing.assert_allclose(model.evaluate(v).log_likelihood, likelihood, rtol=1e-6, atol=0)


def test_a_channel_or_a_vector_far_from_the_others():
    v = cases.vectors((12, 13), 3, 205) * np.array([1e4, 1.0, 1e-3])
    means = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1e4, 1.0, 0.0]])
    x = naive.signature_gaussian(v, 1)
    assert_same_states(of_codebook(means, 1).decode(v), x, means, tolerance=1e-4)
    v = cases.vectors((12, 13), 2, 218)
    v[3, 4] = [2e4, -2e4]
    means = np.array([[-2.0, 0.0], [0.0, 2.0], [2.0, 1.0]])
    x = naive.signature_gaussian(v, 1)
    model = of_codebook(means, 1)
    np.testing.assert_allclose(model.signature(v), x, rtol=1e-3, atol=1e-3)
    assert_same_states(model.decode(v), x, means, tolerance=0.01)


@pytest.mark.parametrize("constant", [0.0, 7.0])
def test_a_constant_channel_gets_a_ridge(constant):
    v = cases.vectors((10, 11), 3, 206)
    v[..., 1] = constant
    model = fit_vectors(v)
    assert 0 < model.ridge < 1
    added = model.covariances - naive.covariances([v], [model.decode(v)], model.means)
    diagonals = np.diagonal(added, axis1=1, axis2=2)
    np.testing.assert_allclose(diagonals.max(), model.ridge, rtol=1e-3, atol=1e-12)
    for matrix, diagonal in zip(added, diagonals, strict=True):
        np.testing.assert_allclose(diagonal, diagonal[0], rtol=1e-2, atol=1e-9)
        np.testing.assert_allclose(matrix - np.diag(diagonal), 0, rtol=0, atol=1e-5)
    assert np.isfinite(model.evaluate(v).log_likelihood)


def dependent():
    """Return vectors whose last channel is the sum of the others."""
    v = cases.vectors((10, 11), 2, 207)
    return np.concatenate([v, v[..., :1] + v[..., 1:]], axis=-1)


@pytest.mark.parametrize(
    ("v", "n_states", "window", "means"),
    [
        (dependent(), 2, 1, None),
        (np.tile([2.0, 5.0], (6, 7, 1)), 1, 1, [[2.0, 5.0]]),
        (np.array([0.0, 0.0, 5.0, 5.0, 9.0]), 3, 0, [[0], [5], [9]]),
    ],
    ids=["channels that depend on each other", "one vector", "a state for each distinct vector"],
)
def test_a_singular_covariance_gets_a_ridge(v, n_states, window, means):
    model = fit_vectors(v, n_states=n_states, window=window)
    assert 0 < model.ridge < 1
    assert np.linalg.eigvalsh(model.covariances).min() > 0
    assert np.isfinite(model.evaluate(v).log_likelihood)
    if means is not None:
        np.testing.assert_allclose(np.sort(model.means, axis=0), means, rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize("shape", [(40,), (9, 8), (5, 4, 3)])
def test_scalar_lattices_have_one_channel(shape):
    """Sequences of numbers are scalar by default, other lattices with ``scalar=True``."""
    v = cases.vectors(shape, 1, 209)
    model, numbers = fit_vectors(v), v[..., 0]
    told = {} if len(shape) == 1 else {"scalar": True}
    for data in (numbers, [numbers]):
        scalar = fit_vectors(data, **told)
        assert (scalar.scalar, scalar.means.shape) == (True, (3, 1))
        np.testing.assert_array_equal(scalar.A, model.A)
        np.testing.assert_array_equal(scalar.means, model.means)
        np.testing.assert_array_equal(scalar.covariances, model.covariances)
    np.testing.assert_array_equal(scalar.decode(numbers), model.decode(v))
    np.testing.assert_array_equal(scalar.signature(numbers), model.signature(v))
    e, wanted = scalar.evaluate(numbers), model.evaluate(v)
    np.testing.assert_array_equal(e.node_log_likelihood, wanted.node_log_likelihood)


@pytest.mark.parametrize(
    ("n_nodes", "n_channels", "kind"),
    every_pair(
        [1, 4, 5, 6, 97],
        [1, 2, 3, 4, 7],
        [np.uint8, np.float32, np.float64],  # other kinds become these in a data set
    ),
)
def test_sums_of_products(n_nodes, n_channels, kind):
    rng = np.random.default_rng(11)
    vectors = rng.integers(0, 250, (n_nodes, n_channels)).astype(kind)
    states = np.repeat(rng.integers(0, 5, n_nodes), rng.integers(1, 20, n_nodes))[:n_nodes]
    means = rng.uniform(0, 250, (5, n_channels))
    wanted = np.zeros((5, n_channels, n_channels))
    for o, j in zip(vectors.astype(np.float64), states, strict=True):
        wanted[j] += np.outer(o - means[j], o - means[j])
    found = scatter_of(vectors, states.astype(np.uint8), means)
    np.testing.assert_allclose(found, np.tril(wanted), rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("smoothing", [0.0, 0.5])
def test_counting_again_over_another_map(fitted, smoothing):
    """A and Sigma are those of the other map; B or the means stay."""
    case, model, maps = fitted
    other = [np.roll(one, 1, axis=0) for one in maps]
    found = model.recounted(list(case.lattices), states=other, smoothing=smoothing)
    wanted = naive.adjacency(other, case.n_states, smoothing)
    np.testing.assert_allclose(found.A, wanted, rtol=1e-9, atol=0)
    np.testing.assert_array_equal(found.codebook, model.codebook)
    assert found.A_decoded
    if not case.discrete:
        wanted = naive.covariances(case.lattices, other, model.means)
        np.testing.assert_allclose(found.covariances, wanted, rtol=1e-5, atol=1e-6)


def test_maps_that_cannot_be_counted():
    model = SYMBOLS.given()
    seen = np.zeros((6, 7), np.uint8)
    for wrong in (np.zeros((7, 6), np.uint8), np.full((6, 7), 9), np.zeros((6, 7))):
        with pytest.raises(ParameterError, match="states must"):
            model.recounted(seen, states=wrong)
    with pytest.raises(ParameterError, match="smoothing must"):
        model.recounted(seen, states=np.zeros((6, 7), np.uint8), smoothing=-1)


def test_a_row_of_pixels_has_the_A_of_a_sequence() -> None:
    row = np.repeat(np.arange(3), [20, 30, 10])
    same = [
        DiscreteModel.fit(given, n_states=3, window=1, n_symbols=3)
        for given in (row, row[None], row[None, :, None], [row[None], row[None, :9]])
    ]
    np.testing.assert_array_equal(same[0].A, naive.adjacency([same[0].decode(row)], 3))
    assert same[0].A.sum(axis=1).min() > 0.9
    assert same[1].A.tolist() == same[2].A.tolist() == same[0].A.tolist() != same[3].A.tolist()
