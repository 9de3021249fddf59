"""Bins of grey: symbols of images by brightness (paper 2.4)."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from latviz.core.data.color import luma, to_bytes
from latviz.core.data.masks import Mask
from latviz.core.data.method import Bytes, Fitted, Image, bands
from latviz.core.data.ranges import (
    is_whole,
    joint_range,
    largest_of_bits,
    own_range,
    to_unit,
)

Floats = npt.NDArray[np.floating[Any]]
Indices = npt.NDArray[np.intp]

_DASH = "\N{EN DASH}"
_PAIRS = 1 << 15
"""Pairs of neighbours along each axis that show which bins say more, about."""


def histogram(greys: Sequence[Image]) -> tuple[Image, npt.NDArray[np.int64]]:
    """Return the distinct grey values of images, increasing, and their numbers of pixels."""
    dtype = greys[0].dtype
    if dtype == np.float32:
        return np.unique(np.concatenate([grey.reshape(-1) for grey in greys]), return_counts=True)
    counts = np.zeros(np.iinfo(dtype).max + 1, dtype=np.int64)
    for grey in greys:
        for rows in bands(grey.shape):
            counts += np.bincount(grey[rows].ravel(), minlength=counts.size)
    values = np.flatnonzero(counts)
    return values, counts[values]


def symbols_of(grey: Image, inner_edges: npt.NDArray[np.float64]) -> Bytes:
    """Return the bin of each pixel; ``inner_edges`` are the edges between bins."""
    symbols, is_float = np.empty(grey.shape, dtype=np.uint8), grey.dtype == np.float32
    every_value = np.arange(0 if is_float else np.iinfo(grey.dtype).max + 1)
    table = np.searchsorted(inner_edges, every_value, side="right").astype(np.uint8)
    for rows in bands(grey.shape):
        if is_float:
            symbols[rows] = np.searchsorted(inner_edges, grey[rows], side="right")
        else:
            np.take(table, grey[rows], out=symbols[rows])
    return symbols


def digits_for(dtype: np.dtype[Any], edges: npt.NDArray[np.float64]) -> int:
    """Return the significant digits that separate the edges, or show whole numbers in full."""
    width = (edges[-1] - edges[0]) / (edges.size - 1)
    largest = max(abs(edges[0]), abs(edges[-1]))
    if dtype != np.float32 or width <= 0.0:
        return 9
    return int(np.clip(np.ceil(np.log10(largest / width)) + 2.0, 3.0, 9.0))


def range_names(firsts: Floats, lasts: Floats, digits: int) -> tuple[str, ...]:
    """Name each bin by its first and last value."""
    names = []
    for m, (first, last) in enumerate(zip(firsts + 0.0, lasts + 0.0, strict=True)):
        low, high = f"{first:.{digits}g}", f"{last:.{digits}g}"
        between = " to " if "-" in low + high else _DASH  # two dashes in a row are read as one
        name = low if low == high else f"{low}{between}{high}"
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
    """Return the size of an even bin if larger values have a bin each."""
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
    """Return the cut from first to last with the number of pixels below nearest to ``wanted``."""
    cut = bisect_left(below, wanted, first, last)
    return cut - (cut > first and wanted - below[cut - 1] <= below[cut] - wanted)


class GreyRange(NamedTuple):
    """The greys of an image, in its units, and the range that they are shown in."""

    values: Image
    range: tuple[float, float]


class _Binned:
    """Bins of grey."""

    noun = ""

    def __init__(self, n_symbols: int) -> None:
        self.n_symbols = n_symbols

    def prepare(self, image: Image, labels: Bytes | None) -> GreyRange:
        """Return the greys, rounded to whole numbers if the image has such."""
        return GreyRange(countable_grey(image), own_range(image))

    def values(self, prepared: GreyRange, fitted: Fitted) -> Bytes:
        """Return the bin of each pixel; the first and the last include values beyond."""
        return symbols_of(prepared.values, fitted.arrays["inner_edges"])

    def _fitted(
        self,
        prepared: Sequence[GreyRange],
        found: tuple[Image, npt.NDArray[np.int64]],
        edges: npt.NDArray[np.float64],
        inner: npt.NDArray[np.float64],
        names: tuple[str, ...],
    ) -> Fitted:
        """Return bins between edges; ``found`` is the histogram of greys."""
        n_bins = self.n_symbols
        values, n_pixels = found[0], found[1].astype(np.float64)
        bins = np.searchsorted(inner, values, side="right")
        counts = np.bincount(bins, weights=n_pixels, minlength=n_bins)
        sums = np.bincount(bins, weights=n_pixels * values, minlength=n_bins)
        middles = (edges[:-1] + edges[1:]) / 2.0
        means = np.where(counts > 0, sums / np.maximum(counts, 1), middles)
        shown = joint_range([one.range for one in prepared], prepared[0].values.dtype)
        colors = to_bytes(to_unit(np.repeat(means[:, None], 3, axis=1), shown))
        notes = shortfall(int((counts > 0).sum()), n_bins, self.noun)
        return Fitted(names, colors, edges, notes, {"inner_edges": inner})


class Quantiles(_Binned):
    """M bins of grey that are as even as possible; equal greys share a bin."""

    # No single edge could move and make its two bins more even

    noun = "grey quantiles"

    def fit(self, prepared: Sequence[GreyRange]) -> Fitted:
        """Return the bins of all these greys."""
        values, counts = histogram([one.values for one in prepared])
        starts = even_bins(counts, self.n_symbols)
        edges = np.full(self.n_symbols + 1, values[-1], dtype=np.float64)
        edges[: starts.size] = values[starts]
        lasts = np.full(self.n_symbols, -np.inf)
        lasts[: starts.size] = values[np.append(starts[1:], values.size) - 1]
        names = range_names(edges[:-1], lasts, digits_for(values.dtype, edges))
        return self._fitted(prepared, (values, counts), edges, edges[1 : starts.size], names)


class Levels(_Binned):
    """M bins of grey of equal width, which are the same for 8 and for 16 bits of one image."""

    # Of whole numbers they reach from 0 to the largest that their bits can hold

    noun = "grey levels"

    def fit(self, prepared: Sequence[GreyRange]) -> Fitted:
        """Return the bins of the range of all these greys."""
        greys = [one.values for one in prepared]
        dtype, whole = greys[0].dtype, all(map(is_whole, greys))
        low, high = min(float(g.min()) for g in greys), max(float(g.max()) for g in greys)
        if whole and low >= 0.0:
            low, high = 0.0, largest_of_bits(high)
        edges = low + ((high - low) or 1.0) * np.arange(self.n_symbols + 1) / self.n_symbols
        firsts, lasts = edges[:-1], edges[1:]
        if whole:
            firsts, lasts = np.ceil(firsts), np.append(np.ceil(lasts[:-1]) - 1.0, np.floor(high))
        names = range_names(firsts, lasts, digits_for(dtype, edges))
        return self._fitted(prepared, histogram(greys), edges, edges[1:-1], names)


def countable_grey(image: Image) -> Image:
    """Return the greys of an image, rounded to whole numbers if its colours are such."""
    if image.ndim == 2:
        return image
    grey, whole = np.empty(image.shape[:2], dtype=image.dtype), is_whole(image)
    for rows in bands(image.shape):
        part = luma(image[rows])
        grey[rows] = np.rint(part) if whole else part
    return grey


def shortfall(found: int, wanted: int, noun: str) -> tuple[str, ...]:
    """Return a note if fewer occur than the wanted number."""
    return (f"only {found} of {wanted} {noun} occur",) if found < wanted else ()


def informative_bins(grey: Image, known: Mask, n_bins: int) -> str:
    """Return the bins that say more about a neighbour's bin: "quantiles", or "levels"."""
    # In photographs those are quantiles, which keep most. Of a picture that is mostly background
    # all but one of them split its noise, in which neighbours share nothing. Levels must say more
    # by what (n_bins - 1)^2 free shares say in noise
    pairs = _neighbours(grey, known)
    seen = np.append(pairs, [[grey.min()], [grey.max()]], axis=1)
    quantiles, levels = (_shared_nats(of(n_bins), seen) for of in (Quantiles, Levels))
    by_chance = (n_bins - 1) ** 2 / (2 * max(1, pairs.shape[1]))
    return "levels" if levels > quantiles + by_chance else "quantiles"


def _neighbours(grey: Image, known: Mask) -> Image:
    """Return the greys of known neighbours in rows and columns, (2, n), evenly spread."""
    step = max(1, round((grey.size / _PAIRS) ** (1 / grey.ndim)))
    some, found = (slice(None, None, step),) * grey.ndim, []
    for axis in (grey.ndim - 2, grey.ndim - 1):
        before, after = ((slice(None),) * axis + (end,) for end in (slice(-1), slice(1, None)))
        both = np.stack([grey[before][some].reshape(-1), grey[after][some].reshape(-1)])
        if known is not None:
            both = both[:, (known[before][some] & known[after][some]).reshape(-1)]
        found.append(both)
    return np.concatenate(found, axis=1)


def _shared_nats(bins: "Quantiles | Levels", seen: Image) -> float:
    """Return the mutual information of pairs of greys in bins; the last column is only fitted."""
    prepared, n = bins.prepare(seen, None), bins.n_symbols
    one, other = bins.values(prepared, bins.fit([prepared]))[:, :-1].astype(np.intp)
    table = np.bincount(one * n + other, minlength=n * n).reshape(n, n)
    joint = (table + table.T) / max(1, 2 * one.size)
    apart, occurs = np.outer(joint.sum(axis=1), joint.sum(axis=0)), joint > 0
    return float(joint[occurs] @ np.log(joint[occurs] / apart[occurs]))
