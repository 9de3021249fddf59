"""Levels of the density: how counts are spread and made visible."""

import math

import numpy as np
import pytest

from latviz.engine.geometry import space as spaces
from latviz.engine.geometry.heat import heat_levels
from latviz.engine.geometry.signature_space import Projection


def spread_by_loops(counts: np.ndarray, blur: float, finer: int) -> np.ndarray:
    """Return counts spread by a Gaussian, at ``finer`` x ``finer`` places a bin."""
    sigma, reach = finer * blur, int(2.5 * finer * blur + 0.5)
    norm = sum(np.exp(-0.5 * (k / sigma) ** 2) for k in range(-reach, reach + 1))
    spread = np.zeros([finer * side for side in counts.shape])
    y, x = np.indices(spread.shape)
    for row, column in np.argwhere(counts).tolist():
        dy, dx = y - finer * row - finer // 2, x - finer * column - finer // 2
        share = np.exp(-0.5 * (dy**2 + dx**2) / sigma**2) / norm**2
        share[np.maximum(abs(dy), abs(dx)) > reach] = 0.0
        spread += counts[row, column] * share * 2 * np.pi * sigma**2
    return spread


@pytest.mark.parametrize(
    ("finer", "blur"), [(1, 0.8), (3, 0.8), (5, 0.8), (9, 0.8), (1, 3.0), (3, 3.0)]
)
def test_levels_are_logarithms_of_spread_counts_as_dark_however_fine(finer, blur) -> None:
    rng, counts = np.random.default_rng(1), np.zeros((23, 21), np.int64)
    counts[rng.integers(0, 23, 60), rng.integers(0, 21, 60)] = rng.integers(1, 900, 60)
    counts[:8, :8] = 0
    counts[2, 2] = 1
    many = sorted(value for value in spread_by_loops(counts, blur, 1).ravel() if value > 1)
    most = np.log(many[-1 - len(many) // 200])
    spread = spread_by_loops(counts, blur, finer)
    logs = np.log(np.maximum(spread, 1.0))
    wanted = np.minimum(logs * 185 / most + 70 * np.minimum(spread, 1.0), 255.0)
    levels = heat_levels(counts, blur, finer)
    assert levels.dtype == np.uint8
    assert levels.shape == spread.shape
    assert np.abs(levels - wanted).max() <= 2
    assert levels[2 * finer + finer // 2, 2 * finer + finer // 2] >= 50  # a count of one shows
    assert heat_levels(np.zeros((4, 4), np.int64), blur, finer).max() == 0
    if finer > 1:
        assert np.unique(levels).size > np.unique(heat_levels(counts, blur)).size


def test_the_levels_of_a_density_are_spread_as_far_as_its_signatures_are_apart() -> None:
    rng = np.random.default_rng(2)
    sample = rng.dirichlet(np.ones(3), 50)
    plane = spaces.symbol_plane(3, Projection(), sample)
    blurs = []
    for window in (1, 2, 8):
        counts = spaces.density_of(sample.astype(np.float32), (window, window), plane)
        found = spaces.counted(counts, window, plane)
        np.testing.assert_array_equal(found.levels, heat_levels(counts, found.blur))
        blurs.append(found.blur)
    side = math.dist(plane.corners[0], plane.corners[1]) / spaces.extent(plane, 256)[2] * 256
    assert blurs == pytest.approx([3.0, np.clip(0.42 * side / 25, 0.8, 3.0), 0.8], rel=1e-12, abs=0)
    line = spaces.symbol_plane(2, Projection(), rng.dirichlet(np.ones(2), 50))
    assert spaces.counted(np.ones((1, 65), np.int64), 1, line).levels.size == 0
