"""Maps of one number per pixel."""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from latviz.core import threads
from latviz.engine.geometry.selection import MapKind, RangeSelection

BINS = 64
STRONG_AT_THE_LOW_END: tuple[MapKind, ...] = ("likelihood", "inertia")
"""The maps whose least values are the doubtful ones."""
_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class NodeMap:
    """A map, its colours and its histogram."""

    kind: MapKind
    # in the kind's unit; -inf for pixels of probability 0, NaN for unknown ones
    values: Annotated[NDArray[np.float32], "(H, W)"]
    low: float  # least, and ``high`` greatest, finite value
    high: float
    # from 0 (low, or less) to 255 (high). If all values are equal, the end that is not in
    # doubt, as in ``counts``
    heat: Annotated[NDArray[np.uint8], "(H, W)"]
    # pixels in each part of the range from low to high
    counts: Annotated[NDArray[np.int64], "(BINS,)"]
    n_infinite: int  # known pixels without a finite value

    def range_of(self, first: int, last: int) -> RangeSelection:
        """Return the range of the bins from ``first`` to before ``last``.

        The first bin includes pixels without a finite value.
        """
        low, high = (self.low + k / BINS * (self.high - self.low) for k in (first, last))
        return RangeSelection(
            self.kind, -math.inf if first == 0 else low, self.high if last == BINS else high
        )

    def bins_of(self, picked: RangeSelection) -> tuple[int, int]:
        """Return the first bin of a range, and the first one after it."""
        span = (self.high - self.low) or 1.0
        places = [(end - self.low) / span for end in (picked.low, picked.high)]
        first, last = (round(BINS * min(max(at, 0.0), 1.0)) for at in places)
        return min(first, BINS - 1), max(last, first + 1)


def node_map(kind: MapKind, values: NDArray[np.float32]) -> NodeMap:
    """Colour and count a map's values."""
    flat = values.reshape(-1)
    ranges = threads.over_rows(flat.size, lambda a, b: _finite_range(flat[a:b]), 2.0)
    low, high = min(r[0] for r in ranges), max(r[1] for r in ranges)
    if low > high:  # no value is finite
        low = high = 0.0
    heat = np.empty(values.shape, dtype=np.uint8)
    shades = heat.reshape(-1)
    scale = 255.0 / (high - low) if high > low else 0.0
    flat_place = 255.0 if high == low and kind in STRONG_AT_THE_LOW_END else 0.0

    def task(first: int, last: int) -> NDArray[np.int64]:
        counts = np.zeros(BINS + 2, dtype=np.int64)
        for start in range(first, last, _BLOCK):
            block = slice(start, min(last, start + _BLOCK))
            finite = np.isfinite(flat[block])
            places = (np.where(finite, flat[block], low) - low) * scale + flat_place * finite
            shades[block] = np.rint(places)
            bins = np.where(finite, np.minimum(places * (BINS / 255), BINS - 1), BINS)
            bins[np.isnan(flat[block])] = BINS + 1
            counts += np.bincount(bins.astype(np.int64), minlength=BINS + 2)
        return counts

    counts = np.sum(threads.over_rows(flat.size, task, 16.0), axis=0)
    return NodeMap(kind, values, low, high, heat, counts[:BINS], int(counts[BINS]))


def _finite_range(values: NDArray[np.float32]) -> tuple[float, float]:
    low, high = np.inf, -np.inf
    for start in range(0, values.size, _BLOCK):
        part = values[start : start + _BLOCK]
        finite = part[np.isfinite(part)]
        if finite.size:
            low, high = min(low, float(finite.min())), max(high, float(finite.max()))
    return low, high
