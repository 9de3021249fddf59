import tracemalloc

import numpy as np
import pytest

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    NormalEmission,
    ParameterError,
    bias_variance,
    bias_variance_by_copies,
    emit,
    sample_blobs,
    stripes,
)
from latviz.core.truth import decomposition
from tests import naive
from tests.core import cases

B = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
TWO = np.array([[0.7, 0.3], [0.3, 0.7]])
NORMAL = NormalEmission(np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.5]]), np.stack([np.eye(2)] * 3))
BANDS = ("bias_band", "variance_band", "error_band")


def copies_of(truth, emission, replicates, seed):
    children = np.random.SeedSequence(seed).spawn(replicates)
    return [emit(truth, emission=emission, random_state=child) for child in children]


@pytest.mark.parametrize("shape", [(40,), (11, 13), (5, 6, 7)])
@pytest.mark.parametrize("emission", [B, NORMAL], ids=["symbols", "vectors"])
def test_agrees_with_plain_loops(shape, emission):
    truth = cases.blocks(shape, 3, 501, block=4).astype(np.uint8)
    r = bias_variance(truth, emission=emission, windows=[0, 1, 3], replicates=9, random_state=3)
    copies = copies_of(truth, emission, 9, 3)
    for k, window in enumerate([0, 1, 3]):
        if emission is B:
            x = [naive.signature_discrete(o, window, 3) for o in copies]
            states = [naive.squared_distances(s, B).argmin(axis=-1) for s in x]
            # Rounding may separate equal distances, so the same decoding is counted.
            model = DiscreteModel(A=np.eye(3), B=B, window=window)
            found = [model.decode(o) for o in copies]
            clear = [cases.clear_nodes(s, B) for s in x]
            assert all((a == b)[c].all() for a, b, c in zip(states, found, clear, strict=True))
            states = found
        else:
            x = [naive.signature_gaussian(o, window) for o in copies]
            states = [naive.squared_distances(s, NORMAL.means).argmin(axis=-1) for s in x]
        modes, variance, error = naive.bias_variance(truth, states)
        np.testing.assert_array_equal(r.modes[k], modes)
        np.testing.assert_array_equal(r.bias_maps[k], modes != truth)
        np.testing.assert_allclose(r.variance_maps[k], variance, rtol=0, atol=1e-6)
        found = [r.bias[k], r.variance[k], r.error[k]]
        wanted = [(modes != truth).mean(), variance.mean(), error.mean()]
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


def test_two_states_err_where_bias_and_variance_say():
    truth = stripes((40, 50), widths=9)
    r = bias_variance(truth, emission=TWO, windows=[0, 1, 2, 4, 8], replicates=21, random_state=1)
    b, v = r.bias_maps.astype(float), r.variance_maps.astype(float)
    error = (b + v - 2 * b * v).mean(axis=(1, 2))
    np.testing.assert_allclose(r.error, error, rtol=1e-6, atol=0)


def test_without_noise_there_is_no_error():
    truth = cases.blocks((20, 21), 3, 503)
    r = bias_variance(truth, emission=np.eye(3), windows=[0], replicates=4)
    assert r.bias == r.variance == r.error == 0
    np.testing.assert_array_equal(r.modes[0], truth)
    for name in BANDS:
        np.testing.assert_array_equal(getattr(r, name), [[0.0, 0.0]])


def test_every_window_sees_the_same_copies():
    truth = cases.blocks((20, 21), 3, 504)
    both, one = (
        bias_variance(truth, emission=B, windows=windows, replicates=6, random_state=4)
        for windows in ([1, 3], [3])
    )
    np.testing.assert_array_equal(both.variance_maps[1], one.variance_maps[0])
    np.testing.assert_array_equal(both.error_band[1], one.error_band[0])
    other = bias_variance(truth, emission=B, windows=[3], replicates=6, random_state=5)
    assert (other.variance_maps != one.variance_maps).any()


def test_bands_are_as_wide_as_the_estimates_scatter():
    truth = sample_blobs((48, 48), n_states=3, scale=7.0, random_state=1)
    runs = [
        bias_variance(truth, emission=B, windows=[1, 4], replicates=20, random_state=seed)
        for seed in range(20)
    ]
    for name, conservative in (("bias", True), ("variance", False), ("error", False)):
        scatter = np.std([getattr(r, name) for r in runs], axis=0, ddof=1)
        bands = np.array([getattr(r, f"{name}_band") for r in runs])
        errors = np.ptp(bands, axis=2).mean(axis=0) / (2 * 1.96)
        assert (errors > 0.65 * scatter).all()
        assert (errors < (6.0 if conservative else 1.5) * scatter).all()


@pytest.mark.parametrize("model", ["true", "learned"])
def test_levels_are_what_so_many_copies_say(model):
    truth = sample_blobs((30, 31), n_states=3, scale=5.0, random_state=1)
    levels = list(
        bias_variance_by_copies(
            truth, emission=B, windows=[1, 3], replicates=9, model=model, random_state=2
        )
    )
    assert [level.replicates for level in levels] == [2, 4, 8, 9]
    for level in levels:
        wanted = bias_variance(
            truth,
            emission=B,
            windows=[1, 3],
            replicates=level.replicates,
            model=model,
            random_state=2,
        )
        for name in ("bias", "variance", "error", "modes", "variance_maps"):
            np.testing.assert_array_equal(getattr(level, name), getattr(wanted, name))
        for name in BANDS:
            if level is levels[-1]:
                np.testing.assert_array_equal(getattr(level, name), getattr(wanted, name))
            else:
                assert np.isnan(getattr(level, name)).all()


def test_levels_are_computed_one_by_one():
    watch = cases.Recorder()
    truth = cases.blocks((20, 21), 3, 507)
    levels = bias_variance_by_copies(
        truth, emission=B, windows=[1, 2], replicates=200, progress=watch
    )
    next(levels)
    assert watch.fractions[-1] == 2 / 200


def test_confidence_widens_the_bands():
    truth = cases.blocks((20, 21), 3, 505)
    narrow, wide = (
        bias_variance(truth, emission=B, windows=[1], replicates=8, confidence=c)
        for c in (0.6827, 0.9545)
    )
    np.testing.assert_allclose(
        np.ptp(wide.error_band), 2 * np.ptp(narrow.error_band), rtol=1e-3, atol=0
    )


def test_bands_of_a_sample_of_nodes(monkeypatch):
    truth = sample_blobs((60, 61), n_states=3, scale=6.0, random_state=1)
    whole = bias_variance(truth, emission=B, windows=[2], replicates=30)
    monkeypatch.setattr(decomposition, "KEPT", 400)
    sampled = bias_variance(truth, emission=B, windows=[2], replicates=30)
    for name in ("bias", "variance", "error"):
        assert getattr(sampled, name) == getattr(whole, name)
    assert np.ptp(sampled.variance_band) > np.ptp(whole.variance_band)
    assert np.ptp(sampled.variance_band) < 6 * np.ptp(whole.variance_band)
    np.testing.assert_array_equal(sampled.error_band, whole.error_band)


def test_states_of_a_given_model_are_matched_to_the_truth():
    truth = sample_blobs((50, 60), n_states=3, scale=8.0, random_state=1)
    order = [2, 0, 1]
    for emission, model in [
        (B, DiscreteModel(A=np.eye(3), B=B[order], window=0)),
        (NORMAL, GaussianModel(np.eye(3), NORMAL.means[order], NORMAL.covariances, 0)),
    ]:
        wanted = bias_variance(
            truth, emission=emission, windows=[2, 4], replicates=7, random_state=1
        )
        found = bias_variance(
            truth, emission=emission, windows=[2, 4], replicates=7, model=model, random_state=1
        )
        # Renaming states also changes which of two equally near ones is the smaller.
        np.testing.assert_allclose(found.error, wanted.error, rtol=0, atol=0.01)
        assert (found.modes == wanted.modes).mean() > 0.95


@pytest.mark.parametrize("emission", [B, NORMAL], ids=["symbols", "vectors"])
def test_learned_from_each_copy(emission):
    truth = sample_blobs((64, 64), n_states=3, scale=9.0, random_state=1)
    known = bias_variance(truth, emission=emission, windows=[4], replicates=8, random_state=2)
    learned = bias_variance(
        truth, emission=emission, windows=[4], replicates=8, model="learned", random_state=2
    )
    assert learned.error[0] < known.error[0] + 0.03
    assert (learned.modes != known.modes).any()


def peak_memory(truth, replicates):
    tracemalloc.start()
    try:
        bias_variance(truth, emission=TWO, windows=[3], replicates=replicates)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_copies_are_not_all_held():
    truth = stripes((400, 400), widths=40)
    peak_memory(truth, 2)  # compiles the kernels of the others
    # The states of 65,536 nodes are kept for the bands: of two fifths.
    assert peak_memory(truth, 40) - peak_memory(truth, 20) < 0.45 * 20 * truth.size


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"truth": [[0, 3]]}, "states must be from 0 to 2, got 0 to 3"),
        ({"emission": [[0.5, 0.6]]}, "each row of B must sum to 1"),
        ({"windows": []}, "windows must hold at least one half-width, got none"),
        ({"windows": [1, -1]}, "each of windows must be an integer from 0 to .*, got -1"),
        ({"replicates": 1}, "replicates must be an integer >= 2, got 1"),
        ({"confidence": 1.0}, "confidence must be between 0 and 1, got 1"),
        ({"model": "fitted"}, "model must be 'true', 'learned' or a model, got 'fitted'"),
        (
            {"model": DiscreteModel(A=np.eye(2), B=TWO, window=1)},
            r"a DiscreteModel with a codebook of shape \(3, 3\) .* a DiscreteModel with \(2, 2\)",
        ),
        (
            {"emission": NORMAL, "model": DiscreteModel(A=np.eye(2), B=TWO, window=1)},
            "model must be a GaussianModel",
        ),
    ],
)
def test_refuses(change, message):
    arguments = {"truth": [[0, 1, 2]], "emission": B, "windows": [1], "replicates": 3} | change
    with pytest.raises(ParameterError, match=message):
        bias_variance(**arguments)
