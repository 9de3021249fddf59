"""Residuals of states, against plain loops."""

import math

import numpy as np
import pytest

from latviz.core import (
    GaussianModel,
    ParameterError,
    emit,
    local_residual_correlation,
    residual_correlation,
    sample_blobs,
)
from tests import naive
from tests.core import cases

SHAPE = (160, 170)


def plain(vectors, states):
    """Return the correlation of neighbours, less the mean of each one's state, and its map."""
    shape = states.shape
    members = {j: [t for t in naive.nodes(shape) if states[t] == j] for j in np.unique(states)}
    means = {j: sum(vectors[t] for t in some) / len(some) for j, some in members.items()}
    rest = {t: vectors[t] - means[states[t]] for t in naive.nodes(shape)}
    near = {t: [rest[t] @ rest[s] for s in naive.neighbours(shape, t)] for t in rest}
    variance = np.mean([r @ r for r in rest.values()])
    local = np.empty(shape)
    for t, products in near.items():
        local[t] = np.mean(products) / variance
    return np.concatenate(list(near.values())).mean() / variance, local


@pytest.mark.parametrize("shape", [(40,), (12, 15), (1, 30), (4, 5, 6), (3, 2, 2, 3)])
@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_residuals(shape, kind):
    states = cases.blocky(shape, 3, 770)
    observed = cases.blocky(shape, 4, 772)
    vectors = np.eye(4)[observed]
    if kind == "gaussian":
        observed = cases.vectors(shape, 2, 771) * [1.0, 30.0]
        vectors = observed / observed.reshape(-1, 2).std(axis=0)
    correlation, local = plain(vectors, states)
    found = residual_correlation(observed, states=states, kind=kind)
    assert found == pytest.approx(correlation, abs=1e-5)
    nodes = local_residual_correlation(observed, states=states, kind=kind)
    assert nodes.dtype == np.float32
    np.testing.assert_allclose(nodes, local, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_residuals_of_nodes_that_are_apart(kind):
    states = cases.blocky((9, 14), 2, 770)
    observed = cases.blocky(states.shape, 4, 772)
    seen = np.eye(4)[observed] if kind == "discrete" else cases.vectors(states.shape, 1, 771)
    seen = seen if kind == "discrete" else seen / seen.std()
    rest = seen.astype(float)
    for j in range(2):
        rest[states == j] -= rest[states == j].mean(axis=0)
    pairs = [rest[:-3] * rest[3:], rest[:, :-3] * rest[:, 3:]]
    products = np.concatenate([one.sum(axis=-1).ravel() for one in pairs])
    expected = products.mean() / np.square(rest).sum(axis=-1).mean()
    given = observed if kind == "discrete" else seen
    found = residual_correlation(given, states=states, kind=kind, apart=3)
    assert found == pytest.approx(expected, abs=1e-5)
    assert math.isnan(residual_correlation(given, states=states, kind=kind, apart=14))


def test_uneven_light_is_seen_from_afar():
    truth = sample_blobs(SHAPE, n_states=2, scale=8, random_state=780)
    seen = truth + 0.6 * np.random.default_rng(1).normal(size=SHAPE)
    ramp = np.linspace(-1, 1, SHAPE[0])[:, None]
    even, uneven = (
        residual_correlation(lit, states=truth, kind="gaussian", scalar=True, apart=16)
        for lit in (seen, seen + ramp)
    )
    assert abs(even) < 0.02
    assert uneven > 0.2


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_bytes_and_lists(dtype):
    """A data set's correlation is that of all pairs; each lattice has means of its own."""
    some = [cases.blocky(shape, 5, k).astype(dtype) for k, shape in enumerate([(9, 8), (4, 11)])]
    states = [cases.blocky(one.shape, 2, 9) for one in some]
    found = local_residual_correlation(some, states=states)
    parts = [plain(np.eye(5)[one], own) for one, own in zip(some, states, strict=True)]
    sizes = [one.size for one in some]
    variances = []
    for one, own in zip(some, states, strict=True):
        rest = np.eye(5)[one]
        for j in range(2):
            rest[own == j] -= rest[own == j].mean(axis=0)
        variances.append((rest**2).sum() / one.size)
    whole = np.average(variances, weights=sizes)
    for nodes, (_, local), variance in zip(found, parts, variances, strict=True):
        np.testing.assert_allclose(nodes, local * variance / whole, rtol=1e-4, atol=1e-5)
    colours = np.random.default_rng(3).integers(0, 256, (9, 8, 3)).astype(np.uint8)
    scaled = colours / colours.reshape(-1, 3).std(axis=0)
    correlation, _ = plain(scaled, states[0])
    found = residual_correlation(colours, states=states[0], kind="gaussian")
    assert found == pytest.approx(correlation, abs=1e-5)


def test_residual_correlation_tells_fields_from_what_is_smooth():
    truth = sample_blobs(SHAPE, n_states=3, scale=8, random_state=780)
    symbols = emit(truth, emission=cases.channel(3, 0.4), random_state=781)
    assert abs(residual_correlation(symbols, states=truth)) < 0.02
    assert residual_correlation(symbols, states=np.zeros_like(truth)) > 0.1
    rows, columns = np.indices(SHAPE) / 20
    smooth = np.sin(rows) * np.cos(columns)
    model = GaussianModel.fit(smooth, n_states=4, window=2, scalar=True)
    found = residual_correlation(smooth, states=model.decode(smooth), kind="gaussian", scalar=True)
    assert found > 0.5


def test_where_nothing_is_left_there_is_no_correlation():
    states = cases.blocky((9, 9), 3, 790)
    assert math.isnan(residual_correlation(states, states=states))
    assert math.isnan(residual_correlation(np.array([1]), states=np.array([0])))
    with pytest.raises(ParameterError, match="shapes"):
        residual_correlation(states, states=states[1:])
    assert np.isnan(local_residual_correlation(states, states=states)).all()
