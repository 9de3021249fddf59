"""From an image to a lattice of symbols (paper 2.4): bins of grey, palettes and labels.

Greys and colours are compared as `latviz.core.data.encoders` says.
"""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from latviz.core.data.color import (
    distinct_colours,
    hex_names,
    lab_to_srgb,
    luma,
    nearest_colours,
    packed,
    srgb_to_lab,
    to_bytes,
    unpacked,
)
from latviz.core.data.observations import Observations
from latviz.core.data.quantization import fast_pnn
from latviz.core.data.vectors import shown_range, three_channels, to_unit
from latviz.core.errors import ParameterError
from latviz.core.facts import PictureFacts, too_many_labels

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


# Up to so many distinct colours the palette is sought among the colours themselves, beyond among
# the means of cells of 5 bits a channel.
_MAX_PALETTE_POINTS = 4096
# Labels whose greys are nearer to each other than this get colours that can be told apart.
_LEGIBLE_STEP = 16


def _countable_grey(image: Image) -> Image:
    if image.ndim == 2:
        return image
    grey = np.empty(image.shape[:2], dtype=image.dtype)
    for rows in bands(image.shape):
        part = luma(image[rows])
        grey[rows] = part if image.dtype == np.float32 else np.rint(part)
    return grey


def _shown(image: Image) -> Bytes:
    rgb = three_channels(image)
    return rgb if rgb.dtype == np.uint8 else to_bytes(to_unit(rgb, shown_range(image)))


def quantiles(image: Image, n_symbols: int) -> Observations:
    """Return M bins of grey, (H, W) uint8, that are as even as possible.

    No single edge could move and make its two bins more even, and a grey value is never split.
    """
    grey = _countable_grey(image)
    values, counts = histogram(grey)
    starts = even_bins(counts, n_symbols)
    edges = np.full(n_symbols + 1, values[-1], dtype=np.float64)
    edges[: starts.size] = values[starts]
    lasts = np.full(n_symbols, -np.inf)
    lasts[: starts.size] = values[np.append(starts[1:], values.size) - 1]
    names = range_names(edges[:-1], lasts, digits_for(grey, edges))
    return _binned(image, grey, (values, counts), edges, starts.size, names, "grey quantiles")


def levels(image: Image, n_symbols: int) -> Observations:
    """Return M bins of grey of equal width, (H, W) uint8."""
    grey = _countable_grey(image)
    low, high = (0.0, 255.0) if grey.dtype == np.uint8 else (float(grey.min()), float(grey.max()))
    whole = grey.dtype != np.float32
    width = high - low + 1.0 if whole else (high - low) or 1.0
    edges = low + width * np.arange(n_symbols + 1) / n_symbols
    firsts, lasts = (np.ceil(edges), np.ceil(edges) - 1.0) if whole else (edges, edges)
    names = range_names(firsts[:-1], lasts[1:], digits_for(grey, edges))
    return _binned(image, grey, histogram(grey), edges, n_symbols, names, "grey levels")


def _binned(
    image: Image,
    grey: Image,
    found: tuple[Image, npt.NDArray[np.int64]],
    edges: npt.NDArray[np.float64],
    n_used: int,
    names: tuple[str, ...],
    noun: str,
) -> Observations:
    """Put greys into bins; ``found`` is their histogram."""
    n_bins, inner = edges.size - 1, edges[1:n_used]
    values, n_pixels = found
    bins = np.searchsorted(inner, values, side="right").astype(np.uint8)
    counts, sums = bin_totals(values, n_pixels, bins, n_bins)
    middles = (edges[:-1] + edges[1:]) / 2.0
    means = np.where(counts > 0, sums / np.maximum(counts, 1), middles)
    colors = to_bytes(to_unit(np.repeat(means[:, None], 3, axis=1), shown_range(image)))
    notes = _shortfall(int((counts > 0).sum()), n_bins, noun)
    return Observations(symbols_of(grey, inner), True, n_bins, names, colors, edges, notes)


def _shortfall(found: int, wanted: int, noun: str) -> tuple[str, ...]:
    return (f"only {found} of {wanted} {noun} occur",) if found < wanted else ()


def palette(image: Image, n_symbols: int) -> Observations:
    """Return the nearest of at most M colours for each pixel, (H, W) uint8."""
    shown = _shown(image)
    distinct, counts = _colour_counts(shown)
    lab = srgb_to_lab(unpacked(distinct) / 255.0)
    chosen = _chosen_colours(lab, distinct, counts, n_symbols)
    used, symbols_of_colours = np.unique(nearest_colours(lab, chosen), return_inverse=True)
    # Only the entries of colours that occur are ever written or read.
    table = np.empty(1 << 24, dtype=np.uint8)
    table[distinct] = symbols_of_colours
    values = np.empty(shown.shape[:2], dtype=np.uint8)
    for rows in bands(shown.shape):
        np.take(table, packed(shown[rows]), out=values[rows])
    colors = chosen[used]
    notes = _shortfall(len(colors), n_symbols, "palette colours")
    return Observations(values, True, len(colors), hex_names(colors), colors, None, notes)


def _colour_counts(rgb: Bytes) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """Return the distinct colours, packed and increasing, and how many pixels have each."""
    counts = np.zeros(1 << 24, dtype=np.uint32)
    for rows in bands(rgb.shape):
        keys, found = np.unique(packed(rgb[rows]), return_counts=True)
        counts[keys] += found.astype(np.uint32)
    distinct = np.flatnonzero(counts).astype(np.uint32)
    return distinct, counts[distinct].astype(np.int64)


def _chosen_colours(
    lab: Floats,
    distinct: npt.NDArray[np.uint32],
    counts: npt.NDArray[np.int64],
    n_colours: int,
) -> Bytes:
    if distinct.size > _MAX_PALETTE_POINTS:
        lab, counts = _cell_means(lab, distinct, counts)
    tree = fast_pnn(lab, weights=counts)
    codebook = tree.codebook(min(n_colours, tree.n_max))
    colours = np.unique(to_bytes(lab_to_srgb(codebook)), axis=0)
    return colours[np.argsort(srgb_to_lab(colours / 255.0)[:, 0], kind="stable")]


def _cell_means(
    lab: Floats, distinct: npt.NDArray[np.uint32], counts: npt.NDArray[np.int64]
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Merge the colours that agree in the upper 5 bits of every channel."""
    cells = ((distinct >> 9) & 0x7C00) | ((distinct >> 6) & 0x03E0) | ((distinct >> 3) & 0x001F)
    totals = np.bincount(cells, weights=counts)
    kept = np.flatnonzero(totals)
    sums = [np.bincount(cells, weights=counts * channel)[kept] for channel in lab.T]
    return np.stack(sums, axis=1) / totals[kept, None], totals[kept].astype(np.int64)


def ranks(image: Image, labels: Bytes | None) -> Observations:
    """Return the ranks of the distinct values or colours, or of the labels (H, W), as symbols."""
    indices = image if labels is None else labels
    keys = _colour_keys(indices) if indices.ndim == 3 else indices
    values, first = np.unique(keys, return_index=True)
    if reason := too_many_labels(PictureFacts(n_labels=values.size)):
        raise ParameterError(reason)
    colors = _shown(image).reshape(-1, 3)[first]
    if indices.ndim == 3:
        names = hex_names(colors)
    else:
        names = tuple(f"{value:.6g}" for value in values)
        keep = image.ndim == 3 or _legible(colors)
        colors = colors if keep else distinct_colours(values.size)
    symbols = np.searchsorted(values, keys).astype(np.uint8)
    return Observations(symbols, True, values.size, names, colors)


def _colour_keys(image: Image) -> npt.NDArray[Any]:
    if image.dtype == np.uint8:
        return packed(image)
    _, ranks = np.unique(image.reshape(-1, 3), axis=0, return_inverse=True)
    return ranks.reshape(image.shape[:2])


def _legible(colors: Bytes) -> bool:
    differences = np.abs(colors[:, None].astype(int) - colors).max(axis=2)
    np.fill_diagonal(differences, 255)
    return bool(differences.min() >= _LEGIBLE_STEP)
