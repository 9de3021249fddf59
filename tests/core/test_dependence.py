"""Autocorrelation against plain loops, and what it tells of dependence."""

import numpy as np
import pytest

from latviz.core import emit, sample_blobs
from latviz.core.dataset import as_dataset
from latviz.core.dependence import MOST, autocorrelation, independent, reach_of_dependence
from tests import naive
from tests.core import cases


def plain_autocorrelation(vectors, states, step):
    """Return the correlation of what the states' means leave of vectors scaled to variance 1."""
    shape = vectors.shape[:-1]
    means = {j: vectors[states == j].mean(axis=0) for j in np.unique(states)}
    rest = {t: vectors[t] - means[states[t]] for t in naive.nodes(shape)}
    products = [
        rest[t] @ rest[s]
        for t in naive.nodes(shape)
        for axis in range(len(shape))
        if (s := (*t[:axis], t[axis] + step, *t[axis + 1 :])) in rest
    ]
    return np.mean(products) / np.mean([r @ r for r in rest.values()])


@pytest.mark.parametrize("shape", [(40,), (15, 12), (5, 6, 7)])
@pytest.mark.parametrize("split", [False, True])
def test_autocorrelation(shape, split):
    symbols, vectors = cases.blocky(shape, 3, 581), cases.vectors(shape, 2, 582)
    states = cases.blocks(shape, 2, 583).astype(np.uint8) if split else np.zeros(shape, np.uint8)
    given = [states] if split else None
    found, _ = autocorrelation(as_dataset(symbols, "discrete", 3), 3, given)
    wanted = [plain_autocorrelation(np.eye(3)[symbols], states, h) for h in (1, 2, 3)]
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)
    found, _ = autocorrelation(as_dataset(vectors, "gaussian"), 3, given)
    scaled = vectors / vectors.reshape(-1, vectors.shape[-1]).std(axis=0)
    wanted = [plain_autocorrelation(scaled, states, h) for h in (1, 2, 3)]
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_the_error_is_that_of_noise():
    rng = np.random.default_rng(584)
    found = []
    for _ in range(100):
        rho, error = autocorrelation(as_dataset(rng.integers(4, size=(30, 30)), "discrete", 4), 1)
        found.append(rho[0])
    assert np.std(found) == pytest.approx(error, rel=0.3)


def test_short_lattices_tell_nothing():
    rho, error = autocorrelation(as_dataset(np.array([0, 1]), "discrete", 2), 4)
    assert np.isnan(rho[1:]).all()
    assert independent(rho, error, MOST["discrete"])


@pytest.mark.parametrize("scale", [4, 10, 25])
@pytest.mark.parametrize("noise", [0.0, 0.2, 0.5])
def test_sharp_regions_are_independent(scale, noise):
    truth = sample_blobs((200, 200), 3, scale=scale, seed=585)
    B = np.full((3, 3), noise / 2) + (1 - 1.5 * noise) * np.eye(3)
    data = as_dataset(emit(truth, B, seed=586), "discrete", 3)
    assert reach_of_dependence(data, [truth], 10) == 0


@pytest.mark.parametrize("width", [2, 3, 5])
def test_patches_reach_about_as_far_as_they_are_wide(width):
    rng = np.random.default_rng(587)
    side = 300 // width
    patches = np.kron(rng.normal(size=(side, side)), np.ones((width, width)))
    values = patches + 0.5 * rng.normal(size=patches.shape)
    zeros = [np.zeros(values.shape, np.uint8)]
    found = reach_of_dependence(as_dataset(values[..., None], "gaussian"), zeros, 10)
    assert found == 0 or width - 1 <= found <= width + 1


def test_smooth_vectors_reach_as_far_as_is_asked_for():
    t = np.arange(200) / 30
    values = np.sin(t)[:, None] + np.cos(1.3 * t)
    data = as_dataset(values[..., None], "gaussian")
    assert reach_of_dependence(data, [np.zeros(values.shape, np.uint8)], 7) == 7
