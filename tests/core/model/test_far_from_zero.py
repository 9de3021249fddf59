"""Vectors far from 0, tiny or huge: the results are those of centred ones, moved and scaled."""

from functools import cache

import numpy as np
import pytest

from latviz.core import (
    GaussianModel,
    ParameterError,
    as_data_set,
    belief_entropy,
    choose,
    fast_pnn,
    sweep,
)
from latviz.core.model import learning
from tests import naive
from tests.core import cases
from tests.products import FULL

SHAPES = [((70,), 1), ((13, 12), 2), ((5, 6, 4), 2)]
PLACES = [(1e6, 1.0), (1e8, 1.0), (-1e8, 1.0), (1e12, 1.0), (0.0, 1e-8), (1.0, 2.0**-27)]
PLACES += [(3e8, 64.0), (0.0, 1e-30), (0.0, 1e60)]
"""Offsets and scales; vectors are multiples of 1/256, so that they remain distinct."""

placed = pytest.mark.parametrize(("offset", "scale"), PLACES)
SHAPED = [
    (*shape, *place)
    for k, shape in enumerate(SHAPES)
    for place in (PLACES if FULL else PLACES[k :: len(SHAPES)])
]
"""Each place once, each shape with a third: how far vectors are has nothing to do with axes."""
shaped = pytest.mark.parametrize(("shape", "n_channels", "offset", "scale"), SHAPED, ids=str)


def near_zero(shape, n_channels, seed=0):
    """Return vectors, multiples of 1/256 around 0."""
    return np.round(256 * cases.vectors(shape, n_channels, seed)) / 256


def fitted(v, n_states=3, window=1):
    return GaussianModel.fit(v, n_states=n_states, window=window)


def told_apart(offset, scale):
    """Return the precision of float64 for the vectors, relative to their range."""
    return max(abs(offset) / scale, 1.0) * 1e-15


def covariances_of(lattices, maps, means):
    """Return the mean of (o - mu)(o - mu)' over the nodes of each state, in plain loops."""
    n_states, n_channels = means.shape
    sums, n = np.zeros((n_states, n_channels, n_channels)), np.zeros(n_states)
    for v, q in zip(lattices, maps, strict=True):
        for t in naive.nodes(q.shape):
            rest = [float(v[t][c]) - float(means[q[t]][c]) for c in range(n_channels)]
            sums[q[t]] += np.outer(rest, rest)
            n[q[t]] += 1
    return sums / np.maximum(n, 1)[:, None, None]


@cache
def centred(shape, n_channels):
    """Return vectors around 0, the model that is fitted to them, and a given one."""
    v = near_zero(shape, n_channels)
    means = np.random.default_rng(6).normal(size=(3, n_channels))
    sigma = cases.random_covariances(3, n_channels, 5)
    return v, fitted(v), GaussianModel(cases.random_potentials(3, 7), means, sigma, window=1)


@shaped
def test_a_fit_moves_with_its_vectors(shape, n_channels, offset, scale):
    """It is that of vectors around 0, moved and scaled, and that of plain loops."""
    v, plain, _ = centred(shape, n_channels)
    w, slack = offset + scale * v, 1e-6 + 10 * told_apart(offset, scale)
    far = fitted(w)
    means = (far.means - offset) / scale
    np.testing.assert_allclose(means, plain.means, rtol=0, atol=slack)
    np.testing.assert_allclose(far.A, plain.A, rtol=1e-9)
    np.testing.assert_allclose(far.covariances / scale**2, plain.covariances, rtol=0, atol=slack)
    assert far.ridge == plain.ridge == 0.0
    x = naive.signature_gaussian((w - offset) / scale, 1)
    states = naive.decode(x, means)
    np.testing.assert_array_equal(far.decode(w), states)
    tree = naive.ExactPNN(x.reshape(-1, n_channels))
    if tree.is_decided(3, 1e-6):
        cases.assert_same_rows(means, tree.codebook(3), 0, slack)
    wanted = covariances_of([w], [states], far.means)
    np.testing.assert_allclose(far.covariances, wanted, rtol=1e-9, atol=1e-9 * scale**2)


@shaped
def test_decode_evaluate_signature(shape, n_channels, offset, scale):
    v, _, plain = centred(shape, n_channels)
    moved = offset + scale * plain.means, scale**2 * plain.covariances
    far = GaussianModel(plain.A, *moved, window=1)
    w, x, states = offset + scale * v, naive.signature_gaussian(v, 1), plain.decode(v)
    cases.assert_same_states(far.decode(w), x, plain.means, 1e-4)
    slack = 1e-5 + 10 * told_apart(offset, scale)
    found = (far.signature(w).astype(np.float64) - offset) / scale
    np.testing.assert_allclose(found, x, rtol=0, atol=slack)
    if np.array_equal(far.decode(w), states):
        one, other = plain.evaluate(v), far.evaluate(w)
        moved = one.data_term - v.size * np.log(scale)
        np.testing.assert_allclose(other.data_term, moved, rtol=1e-3)
        assert other.pair_term == one.pair_term
    doubts = belief_entropy(v, model=plain), belief_entropy(w, model=far)
    np.testing.assert_allclose(*doubts, rtol=0, atol=2e-2)


@placed
def test_several_lattices(offset, scale):
    lattices = [near_zero((6, 7), 2, 1), near_zero((4, 5), 2, 2), near_zero((6, 7), 2, 3)]
    moved = [offset + scale * v for v in lattices]
    plain, far = fitted(lattices), fitted(moved)
    slack = 1e-6 + 10 * told_apart(offset, scale)
    np.testing.assert_allclose((far.means - offset) / scale, plain.means, rtol=0, atol=slack)
    np.testing.assert_allclose(far.A, plain.A, rtol=1e-9)
    for one, other in zip(plain.decode(lattices), far.decode(moved), strict=True):
        np.testing.assert_array_equal(one, other)
    for x, v in zip(far.signature(moved), lattices, strict=True):
        wanted = naive.signature_gaussian(v, 1)
        np.testing.assert_allclose((x.astype(float) - offset) / scale, wanted, atol=1e-5 + slack)


def test_lattices_of_which_one_is_far():
    near, far = near_zero((5, 6), 2, 1), 1e8 + near_zero((5, 6), 2, 2)
    model = fitted([near, far], 4)
    found = model.signature([near, far])
    np.testing.assert_allclose(found[1] - 1e8, naive.signature_gaussian(far - 1e8, 1), atol=1e-6)
    assert np.unique(model.decode(far)).size + np.unique(model.decode(near)).size <= 4


@placed
def test_code_lengths(offset, scale):
    v = near_zero((24, 24), 1, 4)
    found = []
    for vectors in (v, offset + scale * v):
        settings = list(sweep(vectors, windows=[1, 2], n_states=[1, 2, 3], kind="gaussian"))
        found.append([(s.code_length, s.inertia) for s in settings])
    found[0] = np.array(found[0]) + np.log2(scale) * np.array([1, 0])
    np.testing.assert_allclose(found[1], found[0], rtol=0, atol=1e-3)


def test_choosing():
    v = near_zero((16, 16), 1, 4)
    chosen = [choose(w, kind="gaussian", windows=[1, 2, 3], n_states=[2, 3]) for w in (v, v + 1e8)]
    assert (chosen[0].n_states, chosen[0].window) == (chosen[1].n_states, chosen[1].window)


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_learning_from_a_sample_or_in_parts(offset, monkeypatch):
    v = near_zero((100, 101), 2, 5)
    sampled = [
        learning.learn_from_sample(as_data_set(v + far, kind="gaussian"), 1).codebook(3) - far
        for far in (0.0, offset)
    ]
    np.testing.assert_allclose(*sampled, rtol=0, atol=1e-6)
    monkeypatch.setattr(learning, "PART", 4000)
    monkeypatch.setattr(learning, "PART_CLUSTERS", 500)
    parts = [fitted(v + far).means - far for far in (0.0, offset)]
    np.testing.assert_allclose(*parts, rtol=0, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-120, 1e-300, 1e160])
def test_what_cannot_be_squared_is_refused(scale):
    with pytest.raises(ParameterError, match="scale them"):
        fitted(scale * near_zero((6, 7), 2))


def test_float32_that_is_far():
    """Values in float32 are not rounded again."""
    v = (1e8 + 64 * near_zero((12, 13), 2, 8)).astype(np.float32)
    model = fitted(v)
    centred = fitted(v.astype(np.float64) - 1e8)
    np.testing.assert_allclose(model.means - 1e8, centred.means, rtol=0, atol=1e-4)
    np.testing.assert_allclose(model.covariances, centred.covariances, rtol=1e-5)


def test_a_constant_channel_may_be_anywhere():
    v = near_zero((9, 10), 2, 9)
    for value in (0.1, 1e8 + 0.25, -1e12, 1e-40):
        v[..., 1] = value
        model = fitted(v)
        np.testing.assert_allclose(model.means[:, 1], value, rtol=1e-12)


def test_points_that_are_far():
    points = np.round(256 * np.random.default_rng(1).normal(size=(60, 2))) / 256
    plain, far = fast_pnn(points), fast_pnn(points + 1e8)
    np.testing.assert_allclose(far.codebook(5) - 1e8, plain.codebook(5), rtol=0, atol=1e-6)
