"""Maps of one number a pixel."""

import numpy as np
import pytest
from skimage import data

from latviz.core import belief_entropy, local_inertia
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import ALL_NEEDS, Frame
from latviz.engine.geometry.node_maps import BINS, node_map
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.new_frames import new_frame

PHOTO = Picture(np.ascontiguousarray(data.camera()[:120, :150]), "camera")


def frame(kind: str, **parameters: object) -> Frame:
    chosen = Parameters(Encoding("quantiles", 5), n_states=4, window=2, **parameters)
    return new_frame(PHOTO, chosen, map=kind, needs=ALL_NEEDS)


@pytest.mark.parametrize("mode", ["constant", "local"])
def test_likelihood(mode: str) -> None:
    found = frame("likelihood", alpha=0.4, alpha_mode=mode, smoothing=0.1)
    (nodes,) = found.evaluation.node_log_likelihood
    wanted = nodes / np.log(2)
    np.testing.assert_allclose(found.node_map.values, wanted, rtol=1e-6, atol=0.0)
    total = found.node_map.values.sum(dtype=np.float64) * np.log(2)
    np.testing.assert_allclose(total, found.evaluation.log_likelihood, rtol=1e-5, atol=0.0)


def test_inertia() -> None:
    found = frame("inertia")
    wanted = local_inertia(found.states, n_states=4, window=2)
    np.testing.assert_array_equal(found.node_map.values, wanted)
    np.testing.assert_allclose(found.inertia, wanted.mean(dtype=float), rtol=1e-6, atol=0.0)


def test_doubt() -> None:
    found = frame("doubt")
    wanted = belief_entropy(found.observations.values, model=found.model)
    np.testing.assert_array_equal(found.node_map.values, wanted)


def test_colours_and_counts() -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(size=(300, 501)).astype(np.float32)
    values[rng.random(values.shape) < 0.01] = -np.inf
    found = node_map("likelihood", values)
    finite = values[np.isfinite(values)]
    assert (found.low, found.high) == (finite.min(), finite.max())
    assert found.n_infinite == np.isinf(values).sum()
    wanted, _ = np.histogram(finite.astype(np.float64), BINS, (found.low, found.high))
    assert np.abs(found.counts - wanted).max() <= 2
    assert found.counts.sum() == finite.size
    shares = (values.astype(np.float64) - found.low) / (found.high - found.low)
    shades = np.where(np.isfinite(values), 255 * shares, 0.0)
    np.testing.assert_allclose(found.heat, shades, rtol=0.0, atol=0.5001)


def test_ranges_of_bins_hold_what_was_counted() -> None:
    values = np.random.default_rng(3).normal(size=(40, 50)).astype(np.float32)
    values[0, 0] = -np.inf
    shown = node_map("likelihood", values)
    for first, last in ((0, 1), (0, BINS), (5, 9), (BINS - 1, BINS)):
        picked = shown.range_of(first, last)
        assert shown.bins_of(picked) == (first, last)
        held = np.count_nonzero((values >= picked.low) & (values <= picked.high))
        counted = shown.counts[first:last].sum() + (first == 0)
        assert abs(held - counted) <= 1  # a value at an edge
    flat = node_map("inertia", np.ones((3, 3), np.float32))
    assert flat.bins_of(flat.range_of(2, 5))[0] < BINS
