"""Responses of oriented filters to an image: vectors of components, and textons, their symbols.

The filters are log-Gabor wavelets (Field, 1987: Relations between the statistics of natural images
and the response properties of cortical cells), of four wavelengths an octave apart and six
orientations. The energy of a response is the strength of a pattern of that size and direction
around a pixel, at any phase of its stripes. Energies are compared by their logarithms, so that
contrast is additive; their first principal components hold most of the information.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from latviz.core import kernels, threads
from latviz.core.data.bins import shortfall
from latviz.core.data.color import distinct_colours
from latviz.core.data.method import Bytes, Fitted, Image
from latviz.core.data.quantization import fast_pnn
from latviz.core.data.ranges import is_whole, joint_range, own_range
from latviz.core.data.vectors import grey_of, scales_of
from latviz.core.data.wavelets import (
    N_FILTERS,
    REACH,
    TILE,
    Lengths,
    gains_of,
    lengths_of,
    log_energies,
)

MOST_TILES = 16
"""Tiles of an image that components are found in, evenly spread; at most 2 megapixels."""
MOST_PIXELS = 1 << 18
"""Pixels of all these tiles whose moments are summed, in patches that are evenly spread."""
PATCHES = 1 << 6
"""Patches of 8 x 16 pixels whose moments are summed in one piece, on any number of threads."""
SAMPLE = 1 << 14
"""Pixels that textons are learned from."""

Floats = npt.NDArray[np.float32]
Sums = npt.NDArray[np.float64]
Tile = tuple[slice, slice]


class Energies:
    """Logarithms of the energies of an image's filters, tile by tile."""

    def __init__(self, image: Image) -> None:
        # if it holds whole numbers alone
        # of the image, see `own_range`
        self.range, self.dtype, self.is_whole = own_range(image), image.dtype, is_whole(image)
        self.shape, self._grey = image.shape[:2], grey_of(image)
        self._kept = dict[tuple[int, int, float], Floats]()
        self._gains = dict[Lengths, Floats]()  # which images share while one needs them

    def tiles(self) -> list[Tile]:
        """Return the tiles that make the image."""
        rows, columns = (threads.split(n, -(-n // TILE)) for n in self.shape)
        return [(slice(*tall), slice(*wide)) for tall in rows for wide in columns]

    def some(self) -> list[Tile]:
        """Return the tiles that components are found in."""
        tiles = self.tiles()
        places = np.unique(np.linspace(0, len(tiles) - 1, MOST_TILES).astype(int))
        return [tiles[k] for k in places]

    def kept(self, tile: Tile, step: float) -> Floats:
        """Return `of` a tile, and cache it for the next call."""
        found = self._kept[tile[0].start, tile[1].start, step] = self.of(tile, step)
        return found

    def of(self, tile: Tile, step: float) -> Floats:
        """Return the logarithms in a tile, (blocks, bands, filters, 8, 16); see `components`."""
        found = self._kept.pop((tile[0].start, tile[1].start, step), None)
        if found is not None:
            return found
        grey = self._around(tile)
        lengths = lengths_of(grey)
        self._gains[lengths] = gains_of(lengths)
        return log_energies(grey, self._gains[lengths], step)

    def _around(self, tile: Tile) -> Floats:
        """Return the greys of a tile and around it; beyond the image they are mirrored."""
        before, parts = [], []
        for one, size in zip(tile, self.shape, strict=True):
            first, last = max(0, one.start - REACH), min(size, one.stop + REACH)
            parts.append(slice(first, last))
            before.append((REACH - (one.start - first), REACH - (last - one.stop)))
        # Transforms of columns first are not the same to the last bit
        return np.ascontiguousarray(np.pad(self._grey[tuple(parts)], before, mode="symmetric"))


class _Components:
    """The first principal components of log energies."""

    reach = REACH

    def __init__(self, n_features: int) -> None:
        self.n_features = n_features

    def prepare(self, image: Image, labels: Bytes | None) -> Energies:
        """Return the energies, which are computed at the first request."""
        return Energies(image)

    def _arrays(self, prepared: Sequence[Energies]) -> dict[str, npt.NDArray[Any]]:
        """Return the axes of components, (n, filters), their origin and spreads, (n,); the step."""
        step, tiles = _step_of(prepared), [(one, tile) for one in prepared for tile in one.some()]
        share = MOST_PIXELS / sum(_sizes(tile).sum() for _, tile in tiles)
        parts = [_moments(one.kept(tile, step), _sizes(tile), share) for one, tile in tiles]
        count, total, square = (_summed(some) for some in zip(*parts, strict=True))
        mean = total / count
        variances, axes = np.linalg.eigh(square / count - np.outer(mean, mean))
        first = slice(-1, -self.n_features - 1, -1)
        axes = axes.T[first]
        axes *= np.where(axes.sum(axis=1) < 0.0, -1.0, 1.0)[:, None]  # more energy counts upwards
        spreads = np.sqrt(np.maximum(variances[first], 0.0))
        return {"axes": axes, "origin": axes @ mean, "spreads": spreads, "step": np.array(step)}


class Filters(_Components):
    """Vectors: the first components of log energies, in units of their spreads if ``scaled``."""

    def __init__(self, n_features: int, scaled: bool) -> None:
        super().__init__(n_features)
        self.scaled = scaled

    def fit(self, prepared: Sequence[Energies]) -> Fitted:
        """Return the components of all these images."""
        arrays = self._arrays(prepared)
        if not self.scaled:
            arrays["spreads"] = np.ones(self.n_features)
        names = tuple(f"PC {k + 1}" for k in range(self.n_features))
        return Fitted(names, distinct_colours(self.n_features), arrays=arrays)

    def values(self, prepared: Energies, fitted: Fitted) -> Floats:
        """Return the components, (H, W, n) float32."""
        values = np.empty((*prepared.shape, self.n_features), dtype=np.float32)
        write = kernels.components.write_components
        _over_tiles(prepared, fitted.arrays, scales_of(fitted.arrays["spreads"]), write, values)
        return values


class Textons(_Components):
    """Symbols: each pixel takes the nearest of M typical points among the components."""

    def __init__(self, n_symbols: int, n_features: int) -> None:
        super().__init__(n_features)
        self.n_symbols = n_symbols

    def fit(self, prepared: Sequence[Energies]) -> Fitted:
        """Return components and textons of all these images, by Fast PNN over a sample."""
        arrays = self._arrays(prepared)
        axes, origin = arrays["axes"].astype(np.float32), arrays["origin"].astype(np.float32)
        step, tiles = (
            float(arrays["step"]),
            [(one, tile) for one in prepared for tile in one.some()],
        )
        most = max(1, SAMPLE // len(tiles))
        logs = [_thinned(one.kept(tile, step), tile, most) for one, tile in tiles]
        points = np.einsum("nk,mk->nm", np.concatenate(logs), axes) - origin
        tree = fast_pnn(points)
        codebook = tree.codebook(min(self.n_symbols, tree.n_max))
        arrays["codebook"] = codebook[np.argsort(codebook[:, 0], kind="stable")]
        names = tuple(f"texton {k + 1}" for k in range(len(codebook)))
        notes = shortfall(len(codebook), self.n_symbols, "textons")
        return Fitted(names, distinct_colours(len(codebook)), None, notes, arrays)

    def values(self, prepared: Energies, fitted: Fitted) -> Bytes:
        """Return the nearest texton of each pixel."""
        values = np.empty(prepared.shape, dtype=np.uint8)
        codebook = np.ascontiguousarray(fitted.arrays["codebook"], dtype=np.float32)
        halves = (codebook**2).sum(axis=1) / np.float32(2.0)

        def write(*arguments: Any) -> None:
            *first, corner, found = arguments
            kernels.components.write_nearest(*first, codebook, halves, corner, found)

        _over_tiles(prepared, fitted.arrays, np.ones(self.n_features), write, values)
        return values


def _over_tiles(
    prepared: Energies,
    arrays: Mapping[str, npt.NDArray[Any]],
    scales: Sums,
    write: Callable[..., None],
    values: npt.NDArray[Any],
) -> None:
    """Write what follows from the components over their scales to values, tile by tile."""
    axes = np.ascontiguousarray(arrays["axes"] / scales[:, None], dtype=np.float32)
    origin = (arrays["origin"] / scales).astype(np.float32)
    for tile in prepared.tiles():
        logs, (tall, wide) = _in_patches(prepared.of(tile, float(arrays["step"]))), tile
        shape = tall.stop - tall.start, wide.stop - wide.start
        corner = tall.start, wide.start

        def task(first: int, last: int, logs: Floats = logs, of: Any = (shape, corner)) -> None:
            write(logs, of[0], (first, last), axes, origin, of[1], values)

        threads.over_rows(-(-shape[0] // kernels.components.HIGH), task)


def _in_patches(logs: Floats) -> Floats:
    """Return logarithms (blocks, bands, filters, 8, 16) with the pixels of a patch in a row."""
    return logs.reshape(*logs.shape[:3], -1)


def _step_of(prepared: Sequence[Energies]) -> float:
    """Return the step of greys: 1 for whole numbers, for floats that of a screen of 8 bits."""
    if all(one.is_whole for one in prepared):
        return 1.0
    low, high = joint_range([one.range for one in prepared], prepared[0].dtype)
    return (high - low) / 255.0 or 1.0


def _sizes(tile: Tile) -> npt.NDArray[np.int64]:
    """Return the number of pixels in each patch of a tile, in the order of its logarithms."""
    tall, across = (
        np.minimum(most, one.stop - np.arange(one.start, one.stop, most))
        for one, most in zip(tile, (kernels.components.HIGH, kernels.components.WIDE), strict=True)
    )
    return np.outer(across, tall).reshape(-1)


def _moments(logs: Floats, sizes: npt.NDArray[np.int64], share: float) -> tuple[Sums, Sums, Sums]:
    """Return moments over a share of the patches of a tile, whose sizes are given."""
    # The number of pixels (), the sums of log energies (filters,) and of their products, (filters,
    # filters); by parts of one size, so that they do not depend on the number of threads. Multiples
    # of the golden ratio are spread evenly, and follow no rows of patches
    golden = (np.sqrt(5.0) - 1.0) / 2.0
    chosen = np.flatnonzero(np.arange(sizes.size) * golden % 1.0 < share)
    patches = logs.reshape(sizes.size, N_FILTERS, -1)

    def moments(first: int) -> Sums:
        found = np.zeros((N_FILTERS + 1, N_FILTERS, kernels.components.PARTS))
        kernels.components.add_moments(patches[chosen[first : first + PATCHES]], found)
        return np.asarray(found.sum(axis=2))

    found = np.sum(threads.each(range(0, chosen.size, PATCHES), moments), axis=0)
    below = np.tril(found[:-1])
    return sizes[chosen].sum(dtype=np.float64), found[-1], below + np.tril(below, -1).T


def _summed(parts: Sequence[Sums]) -> Sums:
    """Return the sum of arrays, which is the same to the last bit in any order."""
    found: Sums = np.sort(np.stack(parts), axis=0).sum(axis=0)
    return found


def _thinned(logs: Floats, tile: Tile, most: int) -> Floats:
    """Return log energies of evenly spread pixels, (n, filters), not many more than ``most``."""
    height, width = (one.stop - one.start for one in tile)
    step = max(1, int(np.sqrt(height * width / most)))
    start = step // 2 if step // 2 < min(height, width) else 0
    high, wide = kernels.components.HIGH, kernels.components.WIDE
    down, across = np.arange(start, height, step)[:, None], np.arange(start, width, step)
    found = logs[across // wide, down // high, :, down % high, across % wide]
    return found.reshape(-1, N_FILTERS)
