"""Grey values into bins: the histogram, bins that hold equally many pixels, names of bins."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.floating[Any]]
Indices = npt.NDArray[np.intp]

_DASH = "\N{EN DASH}"
_BAND = 1 << 20


def bands(shape: tuple[int, ...]) -> Iterator[slice]:
    """Cut an image's rows into bands of a megapixel, so that wide temporaries stay small."""
    step = max(1, _BAND // shape[1])
    for start in range(0, shape[0], step):
        yield slice(start, start + step)


def histogram(grey: Image) -> tuple[Image, npt.NDArray[np.int64]]:
    """Return the distinct grey values, increasing, and how many pixels have each."""
    if grey.dtype == np.float32:
        return np.unique(grey, return_counts=True)
    counts = np.zeros(np.iinfo(grey.dtype).max + 1, dtype=np.int64)
    for rows in bands(grey.shape):
        counts += np.bincount(grey[rows].ravel(), minlength=counts.size)
    values = np.flatnonzero(counts)
    return values, counts[values]


def bin_totals(
    values: Image, counts: npt.NDArray[np.int64], bins: Bytes, n_bins: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return how many pixels each bin holds and the sum of their greys, from a histogram."""
    masses = counts.astype(np.float64)
    n_pixels = np.bincount(bins, weights=masses, minlength=n_bins)
    sums = np.bincount(bins, weights=masses * values, minlength=n_bins)
    return n_pixels.astype(np.int64), sums.astype(np.float64)


def symbols_of(grey: Image, inner_edges: npt.NDArray[np.float64]) -> Bytes:
    """Return the bin of each pixel; ``inner_edges`` are the edges between bins."""
    if grey.dtype == np.float32:
        return _sought(inner_edges, grey)
    every_value = np.arange(np.iinfo(grey.dtype).max + 1)
    table = np.searchsorted(inner_edges, every_value, side="right").astype(np.uint8)
    symbols = np.empty(grey.shape, dtype=np.uint8)
    for rows in bands(grey.shape):
        np.take(table, grey[rows], out=symbols[rows])
    return symbols


def _sought(inner_edges: npt.NDArray[np.float64], grey: Image) -> Bytes:
    symbols = np.empty(grey.shape, dtype=np.uint8)
    for rows in bands(grey.shape):
        symbols[rows] = np.searchsorted(inner_edges, grey[rows], side="right")
    return symbols


def digits_for(grey: Image, edges: npt.NDArray[np.float64]) -> int:
    """Return how many significant digits tell the edges apart, or show a whole number whole."""
    width = (edges[-1] - edges[0]) / (edges.size - 1)
    largest = max(abs(edges[0]), abs(edges[-1]))
    if grey.dtype != np.float32 or width <= 0.0:
        return 9
    return int(np.clip(np.ceil(np.log10(largest / width)) + 2.0, 3.0, 9.0))


def range_names(firsts: Floats, lasts: Floats, digits: int) -> tuple[str, ...]:
    """Name each bin by its first and last value."""
    names = []
    for m, (first, last) in enumerate(zip(firsts + 0.0, lasts + 0.0, strict=True)):
        low, high = f"{first:.{digits}g}", f"{last:.{digits}g}"
        name = low if low == high else f"{low}{_DASH}{high}"
        names.append(name if first <= last else f"unused {m}")
    return tuple(names)


def even_bins(counts: npt.NDArray[np.int64], n_bins: int) -> Indices:
    """Return the index of the first value of each bin: at most ``n_bins``, none of them empty."""
    n_values = counts.size
    if n_values <= n_bins:
        return np.arange(n_values)
    capped = np.minimum(counts, _share(counts, n_bins))
    below = np.concatenate([[0.0], np.cumsum(capped)])
    inner = np.arange(1, n_bins)
    wanted = below[-1] * inner / n_bins
    starts = np.searchsorted(below, wanted)
    starts -= wanted - below[starts - 1] <= below[starts] - wanted
    # Two cuts may have come to the same place, and every bin shall hold a value.
    starts = np.maximum.accumulate(starts - inner) + inner
    return _settled(counts, starts)


def _share(counts: npt.NDArray[np.int64], n_bins: int) -> float:
    """Return what an even bin holds when values that hold more have a bin each."""
    rest = float(counts.sum())
    for n_left, largest in zip(range(n_bins, 1, -1), np.sort(counts)[::-1], strict=False):
        if largest * n_left <= rest:
            return rest / n_left
        rest -= largest
    return rest


def _settled(counts: npt.NDArray[np.int64], starts: Indices) -> Indices:
    """Move each start to where its two bins are most even, until none has to move."""
    below = np.concatenate([[0], np.cumsum(counts)]).tolist()
    cuts = [0, *starts.tolist(), counts.size]
    moved = True
    while moved:
        moved = False
        for k in range(1, len(cuts) - 1):
            middle = (below[cuts[k - 1]] + below[cuts[k + 1]]) / 2
            best = _nearest_cut(below, middle, cuts[k - 1] + 1, cuts[k + 1] - 1)
            if abs(below[best] - middle) < abs(below[cuts[k]] - middle):
                cuts[k] = best
                moved = True
    return np.array(cuts[:-1])


def _nearest_cut(below: list[int], wanted: float, first: int, last: int) -> int:
    """Return which of the cuts first..last has nearest to the wanted number of pixels below it."""
    cut = bisect_left(below, wanted, first, last)
    return cut - (cut > first and wanted - below[cut - 1] <= below[cut] - wanted)
