"""Emissions by belief, against plain loops."""

import math

import numpy as np
import pytest

from latviz.core.data.data_set import as_data_set
from latviz.core.inference.copula import CopulaDensities
from latviz.core.inference.emission import (
    LEAST_SPREAD,
    BinnedDensities,
    NormalDensities,
    SymbolDensities,
)
from latviz.core.inference.laws import free_emission_of
from tests import naive
from tests.core import cases


def some_beliefs(shape, n_states, seed):
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(n_states), shape).astype(np.float32)


@pytest.mark.parametrize("shapes", [[(30,)], [(5, 7)], [(4, 5), (6, 3)], [(3, 4, 5)]])
def test_symbols_by_belief(shapes):
    lattices = [cases.blocky(shape, 4, k) for k, shape in enumerate(shapes)]
    beliefs = [some_beliefs(shape, 3, 10 + k) for k, shape in enumerate(shapes)]
    counts = [[0.5] * 4 for _ in range(3)]
    for o, b in zip(lattices, beliefs, strict=True):
        for t in naive.nodes(o.shape):
            for j in range(3):
                counts[j][o[t]] += float(b[t][j])
    wanted = [[c / sum(row) for c in row] for row in counts]
    emission = SymbolDensities(np.full((3, 4), 0.25))
    found = emission.renewed(beliefs, as_data_set(lattices, kind="discrete", n_symbols=4))
    np.testing.assert_allclose(found.B, wanted, rtol=1e-6, atol=0)


@pytest.mark.parametrize("shapes", [[(30,)], [(5, 7)], [(4, 5), (6, 3)], [(3, 4, 5)]])
@pytest.mark.parametrize("away", [0.0, 1e6])
def test_vectors_by_belief(shapes, away):
    lattices = [away + cases.vectors(shape, 2, k) for k, shape in enumerate(shapes)]
    beliefs = [some_beliefs(shape, 3, 20 + k) for k, shape in enumerate(shapes)]
    nodes = [
        (o[t] - away, b[t])
        for o, b in zip(lattices, beliefs, strict=True)
        for t in naive.nodes(o.shape[:-1])
    ]
    every = np.array([o for o, _ in nodes])
    means, sigmas = [], []
    for j in range(3):
        mass = math.fsum(float(b[j]) for _, b in nodes)
        mean = sum(float(b[j]) * o for o, b in nodes) / mass
        sigma = sum(float(b[j]) * np.outer(o - mean, o - mean) for o, b in nodes) / mass
        weights = np.array([b.astype(float).sum() for _, b in nodes])
        spread = (weights[:, None] * (every - every.mean(axis=0)) ** 2).sum(axis=0) / weights.sum()
        means.append(mean)
        sigmas.append(sigma + np.diag(LEAST_SPREAD**2 * spread))
    blank = NormalDensities(np.zeros((3, 2)), np.tile(np.eye(2), (3, 1, 1)))
    found = blank.renewed(beliefs, as_data_set(lattices, kind="gaussian"))
    np.testing.assert_allclose(found.means - away, means, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(found.covariances, sigmas, rtol=1e-6, atol=1e-8)


def test_numbers_by_belief_in_bins():
    edges = np.array([-1.0, 0.0, 0.5, 3.0])
    lattices = [np.array([[-2.0, -1.0, 0.0], [0.1, 0.5, 7.0]])[..., None]]
    beliefs = [some_beliefs((2, 3), 2, 5)]
    bins = [[0, 0, 0], [1, 1, 2]]  # a number on an edge is in the lower bin
    counts = [[0.5] * 3 for _ in range(2)]
    for t in naive.nodes((2, 3)):
        for j in range(2):
            counts[j][bins[t[0]][t[1]]] += float(beliefs[0][t][j])
    wanted = [[c / sum(row) for c in row] for row in counts]
    blank = BinnedDensities(edges, SymbolDensities(np.full((2, 3), 1 / 3)))
    found = blank.renewed(beliefs, as_data_set(lattices, kind="gaussian"))
    np.testing.assert_allclose(found.table.B, wanted, rtol=1e-6, atol=0)
    widths = [1.0, 0.5, 2.5]
    nats = [[-math.log(max(row[k] for row in wanted) / widths[k]) for k in r] for r in bins]
    np.testing.assert_allclose(found.top_nats(lattices[0]), nats, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("values", [[3.0] * 40, [0.0] * 30 + [1.0] * 10, list(range(40))])
def test_bins_hold_every_number_and_have_a_width(values):
    seen = as_data_set(np.array(values).reshape(5, 8, 1), kind="gaussian")
    found = free_emission_of(seen, [np.zeros((5, 8), np.uint8)], 1)
    assert (np.diff(found.edges) > 0).all()
    assert found.edges[0] <= min(values) <= max(values) <= found.edges[-1]
    counts = np.bincount(found.bins(seen.values[0]).reshape(-1), minlength=len(found.edges) - 1)
    assert (counts > 0).all()
    shares = (counts + 0.5) / (counts + 0.5).sum()
    np.testing.assert_allclose(found.table.B[0], shares, rtol=1e-12, atol=0)


def test_threads_make_no_difference():
    shape = 211, 307
    symbols, vectors = cases.blocky(shape, 5, 30), cases.vectors(shape, 3, 31)
    beliefs = [some_beliefs(shape, 4, 32)]
    of_symbols = SymbolDensities(np.full((4, 5), 0.2))
    of_vectors = NormalDensities(np.zeros((4, 3)), np.tile(np.eye(3), (4, 1, 1)))

    def renewed():
        B = of_symbols.renewed(beliefs, as_data_set(symbols, kind="discrete", n_symbols=5)).B
        normal = of_vectors.renewed(beliefs, as_data_set(vectors, kind="gaussian"))
        return B, normal.means, normal.covariances

    cases.assert_same_with_threads(renewed)


def test_a_state_that_nothing_is_believed_of_stays_usable():
    beliefs = [np.zeros((6, 6, 2), np.float32)]
    beliefs[0][..., 0] = 1
    flat = np.full((6, 6, 2), 3.0)
    blank = NormalDensities(np.zeros((2, 2)), np.tile(np.eye(2), (2, 1, 1)))
    found = blank.renewed(beliefs, as_data_set(flat, kind="gaussian"))
    assert np.isfinite(found.densities[1]).all()
    symbols = SymbolDensities(np.full((2, 3), 1 / 3))
    B = symbols.renewed(
        beliefs, as_data_set(np.zeros((6, 6), np.uint8), kind="discrete", n_symbols=3)
    ).B
    np.testing.assert_allclose(B[1], 1 / 3, rtol=1e-12, atol=0)


def test_overlaps_are_integrals_of_roots():
    B = cases.random_symbols(4, 6, 40)
    found = SymbolDensities(B).overlaps()
    for i in range(4):
        for j in range(4):
            wanted = math.fsum(math.sqrt(B[i, k] * B[j, k]) for k in range(6))
            assert found[i, j] == pytest.approx(wanted, rel=1e-12)
    means, sigmas = np.array([[0.0], [1.5], [0.2]]), np.array([[[1.0]], [[0.3]], [[2.5]]])
    x = np.linspace(-15, 15, 30_001)
    roots = np.sqrt(
        np.exp(-((x - means) ** 2) / (2 * sigmas[:, 0])) / np.sqrt(2 * np.pi * sigmas[:, 0])
    )
    wanted = roots @ roots.T * (x[1] - x[0])
    np.testing.assert_allclose(NormalDensities(means, sigmas).overlaps(), wanted, rtol=1e-6, atol=0)


def test_what_a_state_leaves_is_scaled():
    rng = np.random.default_rng(41)
    states = np.repeat([0, 1], 20_000).astype(np.uint8)
    factors = np.array([[[2.0, 0.0], [1.0, 0.5]], [[0.3, 0.0], [-1.0, 1.0]]])
    means = np.array([[5.0, -3.0], [0.0, 100.0]])
    vectors = means[states] + np.einsum("nij,nj->ni", factors[states], rng.normal(size=(40_000, 2)))
    emission = NormalDensities(means, factors @ factors.swapaxes(1, 2))
    rest = emission.scaled(vectors, states)
    for j in (0, 1):
        np.testing.assert_allclose(np.cov(rest[states == j].T), np.eye(2), rtol=0, atol=0.03)
    B = cases.random_symbols(2, 4, 42)
    symbols = np.concatenate([rng.choice(4, 20_000, p=row / row.sum()) for row in B])
    rest = SymbolDensities(B).scaled(symbols.astype(np.uint8), states)
    for j in (0, 1):
        np.testing.assert_allclose(rest[states == j].var(axis=0), 1 - B[j], rtol=0.05, atol=0.02)


def test_a_state_is_split_to_either_side():
    apart = np.array([0.5, -0.2])
    factor = np.array([[2.0, 0.0], [1.0, 0.5]])
    emission = NormalDensities(
        np.array([[0.0, 0.0], [4.0, 5.0]]), np.tile(factor @ factor.T, (2, 1, 1))
    )
    found = emission.split(1, apart)
    np.testing.assert_allclose(found.means[0], [0, 0], rtol=0, atol=0)
    np.testing.assert_allclose(found.means[1:].mean(axis=0), [4, 5], rtol=1e-12, atol=0)
    np.testing.assert_allclose(found.means[1] - [4, 5], [1.0, 0.4], rtol=1e-12, atol=0)
    assert found.n_states == 3
    B = np.array([[0.25, 0.25, 0.5], [0.6, 0.3, 0.1]])
    found = SymbolDensities(B).split(0, np.array([0.2, -0.2, 0.0])).B
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-12, atol=0)
    np.testing.assert_allclose(found[0], [0.35, 0.15, 0.5], rtol=1e-9, atol=0)
    np.testing.assert_allclose(found[1], B[1], rtol=1e-6, atol=0)
    np.testing.assert_allclose(found[2], [0.15, 0.35, 0.5], rtol=1e-9, atol=0)


ROWS = np.array([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1], [0.25, 0.25, 0.25, 0.25]])
COUPLED = np.tile(np.eye(3), (2, 1, 1))


@pytest.mark.parametrize(
    ("emission", "wanted"),
    [
        (SymbolDensities(ROWS), 3 * 3),  # the last share follows from the others
        (SymbolDensities(ROWS[[0, 1, 0]]), 2 * 3),
        (NormalDensities(np.zeros((2, 1)), np.ones((2, 1, 1))), 2 * (1 + 1)),
        (NormalDensities(np.zeros((2, 3)), COUPLED), 2 * (3 + 6)),  # means, lower triangles
        (BinnedDensities(np.arange(5.0), SymbolDensities(ROWS[:2])), 2 * 3),
        (CopulaDensities(np.arange(5.0)[None], ROWS[:2, None], np.ones((2, 1, 1))), 2 * 3),
        # three channels of three free shares, and three correlations
        (
            CopulaDensities(
                np.tile(np.arange(5.0), (3, 1)), ROWS[[[0], [1]], :] * np.ones((1, 3, 1)), COUPLED
            ),
            2 * (3 * 3 + 3),
        ),
        (
            CopulaDensities(np.tile(np.arange(5.0), (3, 1)), np.tile(ROWS[0], (2, 3, 1)), COUPLED),
            3 * 3 + 3,
        ),
    ],
)
def test_free_parameters_are_those_of_the_definition(emission, wanted):
    """Each costs 1/2 log2 U bits, which decides N; states that emit the same count once."""
    assert emission.n_parameters == wanted
