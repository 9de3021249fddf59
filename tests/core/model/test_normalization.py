import itertools
import math

import numpy as np
import pytest
from scipy.special import logsumexp

from latviz.core import DiscreteModel, GaussianModel, ParameterError, normalising_alpha
from latviz.core.data.lattice import n_pairs
from latviz.core.model import normalization
from tests import naive
from tests.core import cases
from tests.products import every_pair

A = np.array([[0.9, 0.1], [0.1, 0.9]])
B = np.array([[0.8, 0.2], [0.2, 0.8]])
FIGURES = DiscreteModel(A=A, B=B, window=1)
LOPSIDED = DiscreteModel(A=[[0.7, 0.2], [0.3, 0.9]], B=[[0.71, 0.29], [0.13, 0.87]], window=1)
THREE = DiscreteModel(
    A=[[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.2, 0.6]],
    B=[[0.7, 0.2, 0.1], [0.1, 0.7, 0.2], [0.2, 0.13, 0.67]],
    window=1,
)
ZEROS = DiscreteModel(
    A=[[0.8, 0.2, 0.0], [0.2, 0.7, 0.1], [0.0, 0.3, 0.7]],
    B=[[0.9, 0.1, 0.0], [0.1, 0.8, 0.1], [0.0, 0.3, 0.7]],
    window=1,
)
NORMALIZERS = ["neighbours", "states"]


def images(model, shape):
    for symbols in itertools.product(range(model.n_symbols), repeat=math.prod(shape)):
        yield np.array(symbols, dtype=np.uint8).reshape(shape)


@pytest.mark.parametrize(("normalizer", "figure"), [("neighbours", 3.03), ("states", 1.10)])
def test_the_figures_of_binary_images_of_4_by_4(normalizer, figure):
    r = normalising_alpha(FIGURES, (4, 4), normalizer=normalizer)
    assert r.alpha == pytest.approx(figure, abs=0.005)
    assert float(r) == r.alpha
    assert r.method == "enumeration"
    assert r.n_images == r.effective_images == 65_536
    assert r.standard_error == 0.0


@pytest.mark.parametrize("normalizer", NORMALIZERS)
@pytest.mark.parametrize(
    ("model", "shape"),
    [(LOPSIDED, (3, 3)), (LOPSIDED, (6,)), (LOPSIDED, (2, 2, 2)), (THREE, (2, 2)), (ZEROS, (5,))],
)
def test_agrees_with_plain_loops(model, shape, normalizer):
    terms = []
    for o in images(model, shape):
        x = naive.signature_discrete(o, 1, model.n_symbols)
        q = naive.squared_distances(x, model.B).argmin(axis=-1)
        pairs = naive.pair_terms(q, model.A, 1.0, normalizer)
        terms.append((naive.emissions_discrete(o, q, model.B) + pairs).sum())
    r = normalising_alpha(model, shape, normalizer=normalizer)
    np.testing.assert_allclose(r.log_sum, logsumexp(terms), rtol=1e-9, atol=1e-9)
    wanted = math.exp(-logsumexp(terms) / n_pairs(shape))
    np.testing.assert_allclose(r.alpha, wanted, rtol=1e-9, atol=0)


@pytest.mark.parametrize(
    ("shape", "window", "normalizer"),
    every_pair([(7,), (2, 4), (1, 2, 3)], [0, 1, 2, 5], NORMALIZERS),
)
def test_probabilities_sum_to_one(shape, window, normalizer):
    # Signatures of this model tie in many windows, and ties are decoded as usual.
    r = normalising_alpha(FIGURES, shape, window=window, normalizer=normalizer)
    logs = [
        FIGURES.evaluate(o, window, normalizer=normalizer).log_likelihood
        for o in images(FIGURES, shape)
    ]
    total = np.exp(np.array(logs) + n_pairs(shape) * math.log(r.alpha)).sum()
    np.testing.assert_allclose(total, 1.0, rtol=1e-9, atol=0)


@pytest.mark.parametrize(
    ("model", "shape", "normalizer"),
    [
        (FIGURES, (4, 4), "states"),
        (LOPSIDED, (3, 4), "neighbours"),
        (THREE, (2, 4), "states"),
        (ZEROS, (2, 4), "neighbours"),
        (FIGURES, (20,), "neighbours"),  # just few enough to be enumerated
        (FIGURES, (2, 2, 3), "neighbours"),
    ],
)
def test_sampling_agrees_with_enumeration(model, shape, normalizer):
    exact = normalising_alpha(model, shape, normalizer=normalizer)
    assert exact.method == "enumeration"
    few = {"method": "sampling", "n_images": 4000, "seed": 1}
    r = normalising_alpha(model, shape, normalizer=normalizer, **few)
    assert r.method == "sampling"
    assert r.n_images == 4000
    assert 100 < r.effective_images < 4000
    assert 0 < r.standard_error < 0.02 * r.alpha
    assert abs(r.alpha - exact.alpha) < 3.5 * r.standard_error


def test_the_standard_error_is_what_the_estimates_scatter_by():
    runs = [
        normalising_alpha(FIGURES, (3, 4), method="sampling", n_images=800, seed=seed)
        for seed in range(60)
    ]
    exact = normalising_alpha(FIGURES, (3, 4)).alpha
    scores = [(r.alpha - exact) / r.standard_error for r in runs]
    assert 0.7 < np.std(scores) < 1.4
    assert abs(np.mean(scores)) < 0.5


def test_so_many_images_are_drawn_by_default():
    assert normalising_alpha(FIGURES, (2, 2), method="sampling").n_images == 20_000


def test_large_lattices_are_sampled():
    small, large = (
        normalising_alpha(FIGURES, (12, 12), normalizer="states", n_images=n, seed=2)
        for n in (600, 4000)
    )
    assert small.method == large.method == "sampling"
    assert large.effective_images > 4 * small.effective_images
    assert abs(small.alpha - large.alpha) < 4 * small.standard_error
    # Longer lattices of the same kind have about the same alpha.
    assert large.alpha == pytest.approx(1.115, abs=0.005)


def test_few_effective_images_where_states_hardly_attract():
    model = DiscreteModel(A=[[0.6, 0.4], [0.4, 0.6]], B=B, window=1)
    r = normalising_alpha(model, (16, 16), n_images=2000)
    assert r.effective_images < 100


def test_one_state_of_one_symbol_is_certain():
    model = DiscreteModel(A=[[1.0]], B=[[1.0]], window=1)
    for method in ("enumeration", "sampling"):
        r = normalising_alpha(model, (5, 5), normalizer="states", method=method)
        np.testing.assert_allclose(r.alpha, 1.0, rtol=1e-9, atol=0)
        np.testing.assert_allclose(r.log_sum, 0.0, rtol=0, atol=1e-9)


def test_more_than_256_symbols():
    shares = np.random.default_rng(701).dirichlet(np.ones(257), size=2)
    model = DiscreteModel(A=A, B=shares, window=1)
    exact = normalising_alpha(model, (2,))
    sampled = normalising_alpha(model, (2,), method="sampling", n_images=5000)
    assert exact.n_images == 257**2
    assert abs(exact.alpha - sampled.alpha) < 3.5 * sampled.standard_error


def test_a_seed_settles_everything():
    one, same, other = (
        normalising_alpha(THREE, (5, 5), n_images=300, seed=seed).alpha for seed in (1, 1, 2)
    )
    assert one == same != other


@pytest.mark.parametrize("method", ["enumeration", "sampling"])
def test_progress_and_cancel(method, monkeypatch):
    monkeypatch.setattr(normalization, "_BATCH", 4000)

    def compute(watch):
        normalising_alpha(FIGURES, (3, 3), method=method, n_images=512, progress=watch)

    cases.assert_reports(compute, least=3)
    cases.assert_cancels(compute, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shape": (1, 1)}, r"shape must have adjacent nodes, got \(1, 1\)"),
        ({"shape": (0, 4)}, r"shape must be a sequence of positive integers, got \(0, 4\)"),
        ({"normalizer": "edges"}, "normalizer must be 'neighbours' or 'states', got 'edges'"),
        ({"method": "guess"}, "method must be 'enumeration' or 'sampling', got 'guess'"),
        (
            {"shape": (5, 5), "method": "enumeration"},
            "at most 1048576 images can be enumerated, got 33554432",
        ),
        ({"n_images": 1}, "n_images must be an integer >= 2, got 1"),
        ({"window": -1}, "window must be an integer >= 0, got -1"),
        (
            {"model": DiscreteModel(A=np.zeros((2, 2)), B=B, window=1)},
            "at least one image must be possible under the model, got none",
        ),
        (
            {"model": GaussianModel(A, [[0.0], [1.0]], np.ones((2, 1, 1)), 1)},
            "model must be a DiscreteModel, got a GaussianModel",
        ),
    ],
)
def test_refuses(change, message):
    with pytest.raises(ParameterError, match=message):
        normalising_alpha(**({"model": FIGURES, "shape": (3, 3)} | change))
