"""Autocorrelation against plain loops, and what it tells of dependence."""

import numpy as np
import pytest
from scipy import ndimage

from latviz.core import emit, sample_blobs
from latviz.core.choice.dependence import autocorrelation, independent
from latviz.core.data.data_set import as_data_set
from tests import naive
from tests.core import cases


def plain_autocorrelation(vectors, step):
    """Return the correlation of vectors scaled to variance 1."""
    shape = vectors.shape[:-1]
    mean = vectors.reshape(-1, vectors.shape[-1]).mean(axis=0)
    rest = {t: vectors[t] - mean for t in naive.nodes(shape)}
    products = [
        rest[t] @ rest[s]
        for t in naive.nodes(shape)
        for axis in range(len(shape))
        if (s := (*t[:axis], t[axis] + step, *t[axis + 1 :])) in rest
    ]
    return np.mean(products) / np.mean([r @ r for r in rest.values()])


@pytest.mark.parametrize("shape", [(40,), (15, 12), (5, 6, 7)])
def test_autocorrelation(shape):
    symbols, vectors = cases.blocky(shape, 3, 581), cases.vectors(shape, 2, 582)
    found, _ = autocorrelation(as_data_set(symbols, "discrete", 3), 3)
    wanted = [plain_autocorrelation(np.eye(3)[symbols], h) for h in (1, 2, 3)]
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)
    found, _ = autocorrelation(as_data_set(vectors, "gaussian"), 3)
    scaled = vectors / vectors.reshape(-1, vectors.shape[-1]).std(axis=0)
    wanted = [plain_autocorrelation(scaled, h) for h in (1, 2, 3)]
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_the_error_is_that_of_noise():
    rng = np.random.default_rng(584)
    found = []
    for _ in range(100):
        rho, error = autocorrelation(as_data_set(rng.integers(4, size=(30, 30)), "discrete", 4), 1)
        found.append(rho[0])
    assert np.std(found) == pytest.approx(error, rel=0.3)


def test_short_lattices_tell_nothing():
    short = as_data_set(np.array([0, 1]), "discrete", 2)
    assert np.isnan(autocorrelation(short, 4)[0][1:]).all()
    assert independent(short)


@pytest.mark.parametrize("scale", [4, 10, 25])
@pytest.mark.parametrize("noise", [0.0, 0.2, 0.5])
def test_sharp_regions_are_independent(scale, noise):
    truth = sample_blobs((200, 200), 3, scale=scale, seed=585)
    B = np.full((3, 3), noise / 2) + (1 - 1.5 * noise) * np.eye(3)
    data = as_data_set(emit(truth, B, seed=586), "discrete", 3)
    assert independent(data)


@pytest.mark.parametrize("sigma", [1, 2, 4])
def test_smoothed_noise_depends(sigma):
    rng = np.random.default_rng(587)
    values = ndimage.gaussian_filter(rng.normal(size=(200, 200)), sigma)
    assert not independent(as_data_set(values, "gaussian", scalar=True))
    assert independent(as_data_set(rng.normal(size=(200, 200)), "gaussian", scalar=True))


def test_smooth_vectors_depend():
    t = np.arange(200) / 30
    values = np.sin(t)[:, None] + np.cos(1.3 * t)
    assert not independent(as_data_set(values, "gaussian", scalar=True))
