"""The density of signatures as levels of a heat map, spread so that few signatures show."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import Counts, Matrix

LEAST_LEVEL = 70.0
"""The level of a count of one."""
_LEAST_BAR = 0.025
"""The height of a bar of few pixels, so that any count shows."""
_LEAST_BLUR, _MOST_BLUR = 0.8, 3.0
_KEPT = 8  # blurs whose weights are kept
_SPARSE = 8  # first count one of every _SPARSE values


def blur_width(corners: Matrix | None, window: int, bin_width: float) -> float:
    """Return the number of bins over which to spread each count: the spacing of signatures.

    ``corners`` are those of a triangle, (3, 2), or None on other planes.
    """
    # A small window has few signatures, with empty bins between them; all else is smoothed a little
    if corners is None:
        return _LEAST_BLUR
    apart = math.dist(corners[0], corners[1]) / (2 * window + 1) ** 2 / bin_width
    return float(np.clip(0.42 * apart, _LEAST_BLUR, _MOST_BLUR))


def bar_heights(counts: Counts) -> Matrix:
    """Return heights of bars from 0 to 1, in proportion to their counts."""
    heights = np.maximum(counts / max(int(counts.max()), 1), _LEAST_BAR)
    return np.where(counts > 0, heights, 0.0)


def heat_levels(counts: Counts, blur: float, finer: int = 1) -> NDArray[np.uint8]:
    """Return counts on a log scale as rows of a table: 0 for none, 255 for the most."""
    # Counts are spread by a Gaussian of ``blur`` bins; an isolated one keeps its height. Each bin
    # has ``finer`` x ``finer`` levels, an odd number, so that one is in the bin's middle. The most
    # frequent level does not depend on it
    spread = _spread(counts, 1, blur)
    most = _nearly_most(spread[spread > 1.0])
    return _levels(spread if finer == 1 else _spread(counts, finer, finer * blur), most)


def _spread(counts: Counts, finer: int, width: float) -> NDArray[np.float32]:
    """Return counts, in the middles of their bins, spread by a Gaussian some levels wide."""
    down, across = (_gaussian(n, finer, width) for n in counts.shape)
    return np.asarray(down @ counts.astype(np.float32) @ across.T)


@lru_cache(_KEPT)
def _gaussian(bins: int, finer: int, width: float) -> NDArray[np.float32]:
    """Return a Gaussian about the middle of each bin, (``finer`` * ``bins``, ``bins``)."""
    # It is ``width`` levels wide, and so high that an isolated count keeps its height when spread
    # along both axes
    reach = int(2.5 * width + 0.5)
    away = np.arange(finer * bins)[:, None] - (finer * np.arange(bins) + finer // 2)
    one = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    shares = np.exp(-0.5 * (away / width) ** 2) * (np.abs(away) <= reach)
    return np.asarray(shares * (math.sqrt(2 * math.pi) * width / one.sum()), np.float32)


def _levels(spread: NDArray[np.float32], most: float) -> NDArray[np.uint8]:
    logs = np.maximum(spread, 1.0)
    np.log(logs, out=logs)
    logs *= (255 - LEAST_LEVEL) / max(math.log(most), 1e-9)
    logs += np.minimum(spread, 1.0, out=spread) * np.float32(LEAST_LEVEL)
    return np.asarray(np.minimum(logs, 255.0, out=logs).astype(np.uint8))


def _nearly_most(many: NDArray[np.float32]) -> float:
    """Return the count that 1 in 200 of those above 1 exceed: pure windows are too many."""
    if many.size == 0:
        return 1.0
    above = many.size // 200
    # At least as many values of the whole as of a part exceed this: few are left to sort.
    part = many[::_SPARSE]
    many = many[many >= np.partition(part, part.size - 1 - above)[-1 - above]]
    rank = many.size - 1 - above
    many.partition(rank)
    return float(many[rank])
