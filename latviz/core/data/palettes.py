"""A few colours that suit the images: each pixel takes the nearest (paper 2.4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from latviz.core.data.bins import shortfall
from latviz.core.data.color import (
    hex_names,
    lab_to_srgb,
    nearest_colours,
    packed,
    srgb_to_lab,
    to_bytes,
    unpacked,
)
from latviz.core.data.method import Bytes, Fitted, Image, bands
from latviz.core.data.quantization import fast_pnn
from latviz.core.data.ranges import Shown, joint_range, shown_bytes

Floats = npt.NDArray[np.floating[Any]]
_Counted = tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]

# Up to this number of distinct colours the palette is chosen among the colours themselves, beyond
# it among the means of cells of 5 bits per channel.
_MAX_PALETTE_POINTS = 4096


@dataclass(frozen=True)
class _Colours:
    """The 8-bit colours of an image, (H, W, 3), and its distinct ones with their counts."""

    shown: Bytes
    distinct: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.int64]

    @cached_property
    def _lab(self) -> Floats:
        """The distinct ones in CIELAB, (n, 3)."""
        return srgb_to_lab(unpacked(self.distinct))

    @cached_property
    def _found(self) -> dict[bytes, Bytes]:
        return {}

    def nearest(self, palette: Bytes) -> Bytes:
        """Return which colour of a palette is nearest to each distinct one; keep the last."""
        # A palette that is fitted to an image is asked for twice
        key = palette.tobytes()
        if key not in self._found:
            self._found.clear()
            self._found[key] = nearest_colours(self._lab, palette).astype(np.uint8)
        return self._found[key]


class Palette:
    """At most M colours; each pixel takes the nearest of them in CIELAB."""

    def __init__(self, n_symbols: int) -> None:
        self.n_symbols = n_symbols

    def prepare(self, image: Image, labels: Bytes | None) -> Shown[_Colours]:
        """Return the colours that are shown in a range."""
        return Shown.of(image, lambda ends: _counted(shown_bytes(image, ends)))

    def fit(self, prepared: Sequence[Shown[_Colours]]) -> Fitted:
        """Return the palette of all these colours."""
        ends = joint_range([one.range for one in prepared], prepared[0].dtype)
        images = [one.within(ends) for one in prepared]
        colors = _occurring(_chosen_colours(*_united(images), self.n_symbols), images)
        notes = shortfall(len(colors), self.n_symbols, "palette colours")
        arrays = {"range": np.array(ends)}
        return Fitted(hex_names(colors), colors, None, notes, arrays)

    def values(self, prepared: Shown[_Colours], fitted: Fitted) -> Bytes:
        """Return the nearest colour of each pixel."""
        low, high = fitted.arrays["range"].tolist()
        colours = prepared.within((low, high))
        # Only the entries of colours that occur are ever written or read.
        table = np.empty(1 << 24, dtype=np.uint8)
        table[colours.distinct] = colours.nearest(fitted.colors)
        values = np.empty(colours.shown.shape[:2], dtype=np.uint8)
        for rows in bands(colours.shown.shape):
            np.take(table, packed(colours.shown[rows]), out=values[rows])
        return values


def _counted(rgb: Bytes) -> _Colours:
    parts = (np.unique(packed(rgb[rows]), return_counts=True) for rows in bands(rgb.shape))
    return _Colours(rgb, *_summed(parts))


def _united(images: Sequence[_Colours]) -> _Counted:
    """Return the distinct colours of all images, and their total counts."""
    return _summed((one.distinct, one.counts) for one in images)


def _occurring(chosen: Bytes, images: Sequence[_Colours]) -> Bytes:
    """Return those of the chosen colours that are the nearest of some pixel."""
    found = np.zeros(len(chosen), dtype=bool)
    for image in images:  # mostly the first has all
        found[image.nearest(chosen)] = True
        if found.all():
            break
    return chosen[found]


def _summed(parts: Iterator[_Counted]) -> _Counted:
    """Return the distinct colours of some parts, and their total counts."""
    first, *others = next(parts), *islice(parts, 1)
    if not others:  # a table of all colours would take longer than a small image
        return first
    counts = np.zeros(1 << 24, dtype=np.uint32)
    for distinct, found in chain([first], others, parts):
        counts[distinct] += found.astype(np.uint32)
    every = np.flatnonzero(counts).astype(np.uint32)
    return every, counts[every].astype(np.int64)


def _chosen_colours(
    distinct: npt.NDArray[np.uint32], counts: npt.NDArray[np.int64], n_colours: int
) -> Bytes:
    colours: Floats = unpacked(distinct) / 255.0
    if distinct.size > _MAX_PALETTE_POINTS:
        colours, counts = _cell_means(distinct, counts)
    tree = fast_pnn(srgb_to_lab(colours), weights=counts)
    codebook = tree.codebook(min(n_colours, tree.n_max))
    chosen = np.unique(to_bytes(lab_to_srgb(codebook)), axis=0)
    return chosen[np.argsort(srgb_to_lab(chosen)[:, 0], kind="stable")]


def _cell_means(
    distinct: npt.NDArray[np.uint32], counts: npt.NDArray[np.int64]
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Merge the colours that agree in the upper 5 bits of every channel."""
    # Their mean is that of sRGB: within a cell of 8 steps CIELAB is nearly straight, and bytes add
    # up exactly
    cells = ((distinct >> 9) & 0x7C00) | ((distinct >> 6) & 0x03E0) | ((distinct >> 3) & 0x001F)
    totals = np.bincount(cells, weights=counts)
    kept = np.flatnonzero(totals)
    sums = [np.bincount(cells, weights=counts * channel)[kept] for channel in unpacked(distinct).T]
    return np.stack(sums, axis=1) / (255.0 * totals[kept, None]), totals[kept].astype(np.int64)
