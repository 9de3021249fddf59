"""Emissions by belief, against plain loops."""

import math

import numpy as np
import pytest

from latviz.core import threads
from latviz.core.data.data_set import as_data_set
from latviz.core.inference.emission import LEAST_SPREAD, NormalEmission, SymbolEmission
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
    emission = SymbolEmission(np.full((3, 4), 0.25))
    found = emission.renewed(beliefs, as_data_set(lattices, "discrete", 4))
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
    blank = NormalEmission(np.zeros((3, 2)), np.tile(np.eye(2), (3, 1, 1)))
    found = blank.renewed(beliefs, as_data_set(lattices, "gaussian"))
    np.testing.assert_allclose(found.means - away, means, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(found.covariances, sigmas, rtol=1e-6, atol=1e-8)


def test_threads_make_no_difference():
    shape = 211, 307
    symbols, vectors = cases.blocky(shape, 5, 30), cases.vectors(shape, 3, 31)
    beliefs = [some_beliefs(shape, 4, 32)]
    of_symbols = SymbolEmission(np.full((4, 5), 0.2))
    of_vectors = NormalEmission(np.zeros((4, 3)), np.tile(np.eye(3), (4, 1, 1)))
    before, found = threads.get_threads(), []
    try:
        for n_threads in (1, 2, 5):
            threads.set_threads(n_threads)
            B = of_symbols.renewed(beliefs, as_data_set(symbols, "discrete", 5)).B
            normal = of_vectors.renewed(beliefs, as_data_set(vectors, "gaussian"))
            found.append((B, normal.means, normal.covariances))
    finally:
        threads.set_threads(before)
    for others in found[1:]:
        for one, other in zip(found[0], others, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_state_that_nothing_is_believed_of_stays_usable():
    beliefs = [np.zeros((6, 6, 2), np.float32)]
    beliefs[0][..., 0] = 1
    flat = np.full((6, 6, 2), 3.0)
    blank = NormalEmission(np.zeros((2, 2)), np.tile(np.eye(2), (2, 1, 1)))
    found = blank.renewed(beliefs, as_data_set(flat, "gaussian"))
    assert np.isfinite(found.normals).all()
    symbols = SymbolEmission(np.full((2, 3), 1 / 3))
    B = symbols.renewed(beliefs, as_data_set(np.zeros((6, 6), np.uint8), "discrete", 3)).B
    np.testing.assert_allclose(B[1], 1 / 3, rtol=1e-12, atol=0)
