"""Log-Gabor wavelets, and the logarithms of their energies in an image.

A filter is given by its gains at the frequencies of a square of two wavelengths around its middle,
which it ends at; its transform of any other length follows from them. Transforms are made in the
order and in the blocks of 16 columns that `kernels.wavelets` reads.
"""

from functools import cache, lru_cache
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt
import scipy

from latviz.core import kernels, threads

WAVELENGTHS = 3.0, 6.0, 12.0, 24.0
"""In pixels: from the shortest that has more than two pixels a period, octave by octave."""
N_ORIENTATIONS = 6
BANDWIDTH = 0.65
"""Ratio of a filter's standard deviation to its centre, of log frequency: some 1.4 octaves wide."""
N_FILTERS = len(WAVELENGTHS) * N_ORIENTATIONS
REACH = 48
"""The reach of filters in pixels: two of the longest wavelengths."""
TILE = 352
"""Largest side in pixels of the parts filtered at a time: with the reach, the longest transform."""

Floats = npt.NDArray[np.float32]
Lengths = tuple[int, int]
"""Lengths of a transform, down and across."""

_gains = WeakValueDictionary[Lengths, Floats]()
"""The transforms of filters that are in use, at most 20 MB each."""


def lengths_of(grey: Floats) -> Lengths:
    """Return the lengths of the transform of greys: the least of 64 K numbers that hold them."""
    lengths = [64 * k for k in kernels.wavelets.FIRST]
    down, across = (next(length for length in lengths if length >= n) for n in grey.shape)
    return down, across


def gains_of(lengths: Lengths) -> Floats:
    """Return the transforms of all filters, (filters, n), which all images share."""
    found = _gains.get(lengths)
    if found is None:
        found = _gains[lengths] = _interpolated(*lengths)
    return found


def log_energies(grey: Floats, gains: Floats, step: float) -> Floats:
    """Return the logarithms of energies inside greys (H, W) that have the reach around them."""
    # (blocks, bands, filters, 8, 16), see `kernels.components`. Greys rounded to whole steps have
    # energies where nothing is to be seen: these are added to all, so that no logarithm is of less
    wavelets, (down, across) = kernels.wavelets, lengths_of(grey)
    height, width = (n - 2 * REACH for n in grey.shape)
    n_blocks, n_bands = -(-width // wavelets.WIDE), -(-height // wavelets.HIGH)
    found = np.empty((n_blocks, n_bands, N_FILTERS, wavelets.HIGH, wavelets.WIDE), np.float32)
    spectrum, shape = _spectrum(grey, (down, across)), (height, width, N_FILTERS)
    turns = _twists(across), _twists(down)

    def answer(first: int, last: int) -> None:
        # In one buffer: pages of a new one take as long to get as its transform
        room = np.empty(2 * wavelets.WIDE * (across + down * n_blocks), dtype=np.float32)
        for k in range(first, last):
            floor = np.float32(step**2 / 12.0 * _filters()[k][1])
            where = REACH, floor, room, shape, found.reshape(-1), k
            wavelets.write_log_energies(spectrum, gains[k], *turns, *where)

    threads.over_rows(N_FILTERS, answer)
    return found


def _spectrum(grey: Floats, lengths: Lengths) -> Floats:
    """Return the transform of greys, (blocks, across, 2, 16), flat."""
    level = grey - grey.mean()  # which no filter answers to: it would only be rounded
    half = scipy.fft.rfft2(level.T, s=lengths[::-1]).reshape(-1)
    places, signs = _known(lengths)
    values, found = half[places], np.empty((*places.shape[:2], 2, places.shape[2]), np.float32)
    found[:, :, 0] = values.real
    np.multiply(values.imag, signs, out=found[:, :, 1])
    return found.reshape(-1)


@lru_cache(maxsize=2)
def _known(lengths: Lengths) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return where the half of a transform of greys that is computed has each frequency."""
    # (blocks, across, 16), and the signs of imaginary parts: the other half are conjugate numbers
    ny, nx = lengths
    down, across = _order(ny), _order(nx)[:, None]
    is_known = down <= ny // 2
    row, column = np.where(is_known, across, -across % nx), np.where(is_known, down, ny - down)
    signs = np.where(is_known, 1.0, -1.0).astype(np.float32)
    places = np.ascontiguousarray(_blocks(row * (ny // 2 + 1) + column))
    return places, signs.reshape(-1, 1, kernels.wavelets.WIDE)


def _blocks(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return columns (n, columns) in blocks of 16, (blocks, n, 16)."""
    return values.reshape(len(values), -1, kernels.wavelets.WIDE).swapaxes(0, 1)


def _order(length: int) -> npt.NDArray[np.int64]:
    """Return which frequency each place of a transform of 64 K numbers holds."""
    n, radix = np.arange(length), kernels.wavelets.RADIX
    return n.reshape(-1, radix, radix).transpose(2, 1, 0).reshape(-1)


@lru_cache(maxsize=8)
def _twists(length: int) -> Floats:
    """Return the factors of the later passes, flat: (K, 7, 2) and (8 K, 7, 2)."""
    radix = kernels.wavelets.RADIX
    parts = []
    for span in (length // radix**2, length // radix):
        angles = 2.0 * np.pi * np.outer(np.arange(span), np.arange(1, radix)) / (radix * span)
        parts.append(np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(-1))
    return np.concatenate(parts).astype(np.float32)


@cache
def _filters() -> list[tuple[npt.NDArray[np.float64], float]]:
    """Return the gains of each filter (side, side), and the sum of the squares of its values."""
    angles = np.pi * np.arange(N_ORIENTATIONS) / N_ORIENTATIONS
    gains = [_gain(wavelength, angle) for wavelength in WAVELENGTHS for angle in angles]
    return [(gain, float(np.mean(gain**2))) for gain in gains]


def _gain(wavelength: float, angle: float) -> npt.NDArray[np.float64]:
    """Return the gains of a filter that answers to waves of one length and direction."""
    side = 2 * int(2 * wavelength) + 1
    down, right = np.fft.fftfreq(side)[:, None], np.fft.fftfreq(side)[None]
    frequency = np.hypot(down, right)
    frequency[0, 0] = 1.0  # a constant image is not a pattern: it is set to 0 below
    ratio = np.log(frequency * wavelength) / np.log(BANDWIDTH)
    turned = np.angle(np.exp(1j * (np.arctan2(down, right) - angle)))
    spread = 0.6 * np.pi / N_ORIENTATIONS  # neighbours overlap at some 70 % of their heights
    gain = np.exp(-(ratio**2) / 2.0 - (turned / spread) ** 2 / 2.0)
    gain[0, 0] = 0.0
    return np.asarray(gain)


def _interpolated(down: int, across: int) -> Floats:
    """Return the transforms of all filters, (filters, n): (blocks, across, 16), flat."""
    # By products too small for threads of BLAS: they wait for each other for seconds on cores that
    # other programs use
    shape = N_FILTERS, down // kernels.wavelets.WIDE, across // 64, 64, kernels.wavelets.WIDE
    found = np.empty(shape, dtype=np.float32)

    def interpolate(k: int) -> None:
        gain = (_filters()[k][0].T / (down * across)).astype(np.float32)
        rows = np.matmul(_between(across, len(gain)).reshape(-1, 16, len(gain)), gain)
        columns = _blocks(_between(down, len(gain)).T)[:, None]
        np.matmul(rows.reshape(-1, 64, len(gain)), columns, out=found[k])

    threads.each(range(N_FILTERS), interpolate)
    return found.reshape(N_FILTERS, -1)


@lru_cache(maxsize=16)
def _between(length: int, side: int) -> Floats:
    """Return the weights of a filter's frequencies in those of a transform, (length, side)."""
    apart = np.subtract.outer(_order(length) / length, np.arange(side) / side)
    return np.asarray(scipy.special.diric(2.0 * np.pi * apart, side), dtype=np.float32)
