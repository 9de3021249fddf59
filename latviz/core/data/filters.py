"""Responses of oriented filters to an image: vectors of components, and textons, their symbols.

The filters are log-Gabor wavelets (Field, 1987: Relations between the statistics of natural images
and the response properties of cortical cells), of four wavelengths an octave apart and six
orientations. The energy of a response is the strength of a pattern of that size and direction
around a pixel, at any phase of its stripes. Energies are compared by their logarithms, so that
contrast is additive; their first principal components hold most of the information.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from latviz.core import threads
from latviz.core.data.bins import shortfall
from latviz.core.data.color import distinct_colours
from latviz.core.data.method import Bytes, Fitted, Image
from latviz.core.data.quantization import fast_pnn
from latviz.core.data.ranges import is_whole, joint_range, own_range
from latviz.core.data.vectors import grey_of, scales_of

WAVELENGTHS = 3.0, 6.0, 12.0, 24.0
"""In pixels: from the shortest that has more than two pixels a period, octave by octave."""
N_ORIENTATIONS = 6
BANDWIDTH = 0.65
"""Ratio of a filter's standard deviation to its centre, of log frequency: some 1.4 octaves wide."""
N_FILTERS = len(WAVELENGTHS) * N_ORIENTATIONS
REACH = 48
"""The reach of a filter in pixels: two of its own wavelengths, at most these."""
TILE = 512
"""Largest side in pixels of the parts filtered at a time, which are of one size."""
PIXELS = 1 << 12
"""Pixels whose energies are multiplied at a time, so that they stay in cache."""
ROWS = 8
"""Rows of a tile that are compared with textons at a time, so that they stay in cache."""
STRETCH = 1 << 8
"""Pixels of a product, too few for threads of BLAS: they wait for each other for seconds on cores
that other programs use."""
MOST_TILES = 8
"""Tiles of an image that components are found in, evenly spread; at most 2 megapixels."""
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
        self._gains = dict[tuple[int, tuple[int, ...]], Floats]()

    def tiles(self) -> list[Tile]:
        """Return the tiles that make the image."""
        rows, columns = (threads.split(n, -(-n // TILE)) for n in self.shape)
        return [(slice(*tall), slice(*wide)) for tall in rows for wide in columns]

    def some(self, step: float) -> Iterator[Floats]:
        """Yield `of` for some tiles, and cache it for the next call."""
        tiles = self.tiles()
        for k in np.unique(np.linspace(0, len(tiles) - 1, MOST_TILES).astype(int)):
            key = tiles[k][0].start, tiles[k][1].start, step
            self._kept[key] = self.of(tiles[k], step)
            yield self._kept[key]

    def of(self, tile: Tile, step: float) -> Floats:
        """Return the logarithms in a tile, (filters, height, width)."""
        # Greys rounded to whole steps have energies where nothing is to be seen: these are added to
        # all, so that no logarithm is of less
        known = self._kept.pop((tile[0].start, tile[1].start, step), None)
        return known if known is not None else self._log_energies(self._around(tile), step)

    def _around(self, tile: Tile) -> Floats:
        """Return the greys of a tile and around it; beyond the image they are mirrored."""
        before, parts = [], []
        for one, size in zip(tile, self.shape, strict=True):
            first, last = max(0, one.start - REACH), min(size, one.stop + REACH)
            parts.append(slice(first, last))
            before.append((REACH - (one.start - first), REACH - (last - one.stop)))
        return np.pad(self._grey[parts[0], parts[1]], before, mode="symmetric")

    def _log_energies(self, grey: Floats, step: float) -> Floats:
        """Return the logarithms inside greys that have the reach around them."""
        height, width = (n - 2 * REACH for n in grey.shape)
        spectra = threads.each(WAVELENGTHS, lambda wavelength: _spectrum(grey, _reach(wavelength)))
        found = np.empty((N_FILTERS, height, width), dtype=np.float32)

        def answer(first: int, last: int) -> None:
            # In one buffer: pages of a new one take as long to get as its transform
            buffer = np.empty(max(one.size for one in spectra), dtype=np.complex64)
            for k in range(first, last):
                one, spectrum = _filters()[k], spectra[k // N_ORIENTATIONS]
                answers = buffer[: spectrum.size].reshape(spectrum.shape)
                np.multiply(spectrum, self._gains_of(k, spectrum.shape), out=answers)
                answers = scipy.fft.ifft(answers, axis=0, overwrite_x=True)
                answers = answers[one.reach : one.reach + height]
                answers = scipy.fft.ifft(answers, axis=1, overwrite_x=True)
                answers = answers[:, one.reach : one.reach + width]
                energy = np.square(answers.real, out=found[k])
                energy += np.square(answers.imag)
                energy += np.float32(step**2 / 12.0 * one.mass)
                np.log(energy, out=energy)

        threads.over_rows(N_FILTERS, answer)
        return found

    def _gains_of(self, k: int, shape: tuple[int, ...]) -> Floats:
        """Return the transform of a filter, which all tiles of one size share."""
        key = k, shape
        if key not in self._gains:
            self._gains[key] = _filters()[k].gains(shape)
        return self._gains[key]


def _spectrum(grey: Floats, reach: int) -> npt.NDArray[np.complex64]:
    """Return the transform of greys with a shorter reach around them, of a size that is fast."""
    near = slice(REACH - reach, reach - REACH or None)
    part = grey[near, near]
    return np.asarray(scipy.fft.fft2(part, s=[scipy.fft.next_fast_len(n) for n in part.shape]))


@dataclass(frozen=True, eq=False)
class _Filter:
    """A filter of some reach; its values at opposite places are conjugate numbers."""

    # So its transform is real, and follows from the rows from the middle down
    reach: int
    rows: npt.NDArray[np.complex64]  # (reach + 1, 2 reach + 1)
    mass: float  # the sum of its squares

    def gains(self, shape: tuple[int, ...]) -> Floats:
        """Return its transform (*shape), with its middle in the first row and column."""
        rows = np.zeros((self.reach + 1, shape[1]), dtype=np.complex64)
        rows[:, : self.reach + 1] = self.rows[:, self.reach :]
        rows[:, shape[1] - self.reach :] = self.rows[:, : self.reach]
        across = scipy.fft.fft(rows, axis=1, overwrite_x=True)
        return np.asarray(scipy.fft.hfft(across, n=shape[0], axis=0))


@cache
def _filters() -> list[_Filter]:
    """Return the filters, those of one wavelength after those of another."""
    found = []
    for wavelength in WAVELENGTHS:
        reach = _reach(wavelength)
        for m in range(N_ORIENTATIONS):
            kernel = _kernel(wavelength, np.pi * m / N_ORIENTATIONS, reach)
            mass = float(np.sum(np.abs(kernel) ** 2))
            found.append(_Filter(reach, kernel[reach:].astype(np.complex64), mass))
    return found


def _reach(wavelength: float) -> int:
    return int(2 * wavelength)


def _kernel(wavelength: float, angle: float, reach: int) -> npt.NDArray[np.complex128]:
    """Return a filter that answers to waves of one length and direction, by size and phase."""
    side = 2 * reach + 1
    down, right = np.fft.fftfreq(side)[:, None], np.fft.fftfreq(side)[None]
    frequency = np.hypot(down, right)
    frequency[0, 0] = 1.0  # a constant image is not a pattern: it is set to 0 below
    ratio = np.log(frequency * wavelength) / np.log(BANDWIDTH)
    turned = np.angle(np.exp(1j * (np.arctan2(down, right) - angle)))
    spread = 0.6 * np.pi / N_ORIENTATIONS  # neighbours overlap at some 70 % of their heights
    gain = np.exp(-(ratio**2) / 2.0 - (turned / spread) ** 2 / 2.0)
    gain[0, 0] = 0.0
    return np.asarray(np.fft.fftshift(np.fft.ifft2(gain)))


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
        step = _step_of(prepared)
        count, totals, squares = 0, list[Sums](), list[Sums]()
        for image in prepared:
            for found in image.some(step):
                count += found[0].size
                total, square = _moments(found.reshape(N_FILTERS, -1))
                totals.append(total)
                squares.append(square)
        total, square = _summed(totals), _summed(squares)
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
        scales = scales_of(fitted.arrays["spreads"]).astype(np.float32)
        step = float(fitted.arrays["step"])
        for tile in prepared.tiles():
            values[tile] = _projected(prepared.of(tile, step), fitted.arrays) / scales
        return values


class Textons(_Components):
    """Symbols: each pixel takes the nearest of M typical points among the components."""

    def __init__(self, n_symbols: int, n_features: int) -> None:
        super().__init__(n_features)
        self.n_symbols = n_symbols

    def fit(self, prepared: Sequence[Energies]) -> Fitted:
        """Return components and textons of all these images, by Fast PNN over a sample."""
        arrays = self._arrays(prepared)
        n_each = max(1, SAMPLE // sum(min(len(one.tiles()), MOST_TILES) for one in prepared))
        points = [
            _projected(_thinned(found, n_each), arrays).reshape(-1, self.n_features)
            for image in prepared
            for found in image.some(float(arrays["step"]))
        ]
        tree = fast_pnn(np.concatenate(points))
        codebook = tree.codebook(min(self.n_symbols, tree.n_max))
        arrays["codebook"] = codebook[np.argsort(codebook[:, 0], kind="stable")]
        names = tuple(f"texton {k + 1}" for k in range(len(codebook)))
        notes = shortfall(len(codebook), self.n_symbols, "textons")
        return Fitted(names, distinct_colours(len(codebook)), None, notes, arrays)

    def values(self, prepared: Energies, fitted: Fitted) -> Bytes:
        """Return the nearest texton of each pixel."""
        values = np.empty(prepared.shape, dtype=np.uint8)
        codebook, step = fitted.arrays["codebook"].astype(np.float32), float(fitted.arrays["step"])
        for tile in prepared.tiles():
            points = _projected(prepared.of(tile, step), fitted.arrays)
            values[tile] = _nearest(points, codebook)
        return values


def _step_of(prepared: Sequence[Energies]) -> float:
    """Return the step of greys: 1 for whole numbers, for floats that of a screen of 8 bits."""
    if all(one.is_whole for one in prepared):
        return 1.0
    low, high = joint_range([one.range for one in prepared], prepared[0].dtype)
    return (high - low) / 255.0 or 1.0


def _moments(logs: Floats) -> tuple[Sums, Sums]:
    """Return the sums of log energies (filters,) and of their products, (filters, filters)."""
    # By parts of one size, so that the result does not depend on the number of threads
    parts = [logs[:, start : start + PIXELS] for start in range(0, logs.shape[1], PIXELS)]
    totals = threads.each(parts, lambda part: part.sum(axis=1, dtype=np.float64))
    squares = threads.each(parts, _squares)
    return np.sum(totals, axis=0), np.sum(squares, axis=0)


def _squares(logs: Floats) -> Sums:
    """Return the products of filters (filters, filters), summed over log energies (filters, n)."""
    found = np.zeros((N_FILTERS, N_FILTERS))
    for some in _stretches(logs):
        found += (some @ some.transpose(0, 2, 1)).sum(axis=0, dtype=np.float64)
    return found


def _stretches(logs: Floats) -> Iterator[Floats]:
    """Yield log energies (filters, n) in stretches, (k, filters, pixels), of one size each."""
    even = logs.shape[1] // STRETCH * STRETCH
    yield logs[:, :even].reshape(N_FILTERS, -1, STRETCH).transpose(1, 0, 2)
    yield logs[None, :, even:]


def _summed(parts: Sequence[Sums]) -> Sums:
    """Return the sum of arrays, which is the same to the last bit in any order."""
    found: Sums = np.sort(np.stack(parts), axis=0).sum(axis=0)
    return found


def _projected(found: Floats, arrays: Mapping[str, npt.NDArray[Any]]) -> Floats:
    """Return the components of log energies, (height, width, n)."""
    axes, origin = arrays["axes"].astype(np.float32), arrays["origin"].astype(np.float32)
    logs = found.reshape(N_FILTERS, -1)
    projected = np.empty((logs.shape[1], len(axes)), dtype=np.float32)
    starts = range(0, len(projected), PIXELS)

    def project(first: int, last: int) -> None:
        for start in starts[first:last]:
            part = slice(start, start + PIXELS)
            planes = [(axes @ some).transpose(0, 2, 1) for some in _stretches(logs[:, part])]
            projected[part] = np.concatenate([p.reshape(-1, len(axes)) for p in planes]) - origin

    threads.over_rows(len(starts), project)
    return projected.reshape(*found.shape[1:], -1)


def _thinned(found: Floats, most: int) -> Floats:
    """Return log energies of evenly spread pixels, not many more than ``most``."""
    height, width = found.shape[1:]
    step = max(1, int(np.sqrt(height * width / most)))
    start = step // 2 if step // 2 < min(height, width) else 0
    return found[:, start::step, start::step]


def _nearest(points: Floats, codebook: Floats) -> Bytes:
    """Return which row of a codebook is nearest to each point, ties to the first."""
    halves = (codebook**2).sum(axis=1) / np.float32(2.0)
    nearest = np.zeros(points.shape[:2], dtype=np.uint8)

    def seek(first: int, last: int) -> None:
        for start in range(first, last, ROWS):
            rows = slice(start, min(start + ROWS, last))
            planes = np.ascontiguousarray(np.moveaxis(points[rows], -1, 0))
            least = np.full(planes.shape[1:], np.inf, dtype=np.float32)
            for n, code in enumerate(codebook):
                cost = halves[n] - np.einsum("m,mhw->hw", code, planes)
                np.copyto(nearest[rows], n, where=cost < least)
                np.minimum(least, cost, out=least)

    threads.over_rows(len(points), seek)
    return nearest
