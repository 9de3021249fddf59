"""The density of signatures as levels of a heat map, spread so that few signatures show."""

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import Counts, Matrix

LEAST_LEVEL = 70.0
"""The level of a count of one."""
_LEAST_BLUR, _MOST_BLUR = 0.8, 3.0
_KEPT = 8  # blurs whose weights are kept
_BAND = 64
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


def heat_levels(counts: Counts, blur: float, finer: int = 1) -> NDArray[np.uint8]:
    """Return counts on a log scale as rows of a table: 0 for none, 255 for the most."""
    # Counts are spread by a Gaussian of ``blur`` bins; an isolated one keeps its height. Each bin
    # has ``finer`` x ``finer`` levels, an odd number, so that one is in the bin's middle. The most
    # frequent level does not depend on it
    bands = list(_spread(counts, 1, blur))
    most = _nearly_most(np.concatenate([band[band > 1.0] for band in bands]))
    finest = bands if finer == 1 else _spread(counts, finer, finer * blur)
    return np.concatenate([_levels(band, most) for band in finest])


def _spread(counts: Counts, finer: int, width: float) -> Iterator[NDArray[np.float32]]:
    """Yield the rows of spread counts, in bands so small that they need no new pages of memory.

    Getting pages takes longer than computing their content.
    """
    n_rows, n_columns = counts.shape
    near = counts.astype(np.float32)
    across = [near[:, bins] @ weights.T for bins, weights in _gaussians(n_columns, finer, width)]
    wide = np.concatenate(across, axis=1)
    for bins, weights in _gaussians(n_rows, finer, width):
        yield weights @ wide[bins]


def _levels(spread: NDArray[np.float32], most: float) -> NDArray[np.uint8]:
    logs = np.maximum(spread, 1.0)
    np.log(logs, out=logs)
    logs *= (255 - LEAST_LEVEL) / max(math.log(most), 1e-9)
    logs += np.minimum(spread, 1.0, out=spread) * np.float32(LEAST_LEVEL)
    return np.asarray(np.minimum(logs, 255.0, out=logs).astype(np.uint8))


@lru_cache(_KEPT)
def _gaussians(
    bins: int, finer: int, width: float
) -> tuple[tuple[slice, NDArray[np.float32]], ...]:
    """Return bands of a Gaussian about the middle of each bin, (``finer`` * ``bins``, ``bins``)."""
    # It is ``width`` levels wide, and so high that an isolated count keeps its height when spread
    # along both axes. A band has all bins that reach its levels, few of all
    reach = int(2.5 * width + 0.5)
    away = np.arange(finer * bins)[:, None] - (finer * np.arange(bins) + finer // 2)
    one = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    shares = np.exp(-0.5 * (away / width) ** 2) * (np.abs(away) <= reach)
    weights = (shares * (math.sqrt(2 * math.pi) * width / one.sum())).astype(np.float32)
    bands = []
    for start in range(0, len(weights), _BAND):
        first = max(start - reach, 0) // finer
        near = slice(first, (start + _BAND + reach) // finer + 1)
        bands.append((near, weights[start : start + _BAND, near]))
    return tuple(bands)


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
