"""Log-Gabor wavelets, and the logarithms of their energies in an image.

A filter is given by its gains at the frequencies of a square of two wavelengths around its middle,
which it ends at; its transform of any other length follows from them.
"""

from functools import cache, lru_cache
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

CHUNK = 64
"""Lengths of transforms are multiples of it."""

Floats = npt.NDArray[np.float32]
Lengths = tuple[int, int]
"""Lengths of a transform, down and across."""

_gains = WeakValueDictionary[Lengths, Floats]()
"""The transforms of filters that are in use, at most 20 MB each."""


def lengths_of(grey: Floats) -> Lengths:
    """Return the lengths of the transform of greys: the least multiples of 64 that hold them."""
    down, across = (-(-n // CHUNK) * CHUNK for n in grey.shape)
    return down, across


def gains_of(lengths: Lengths) -> Floats:
    """Return the transforms of all filters, (filters, down, across), which all images share."""
    found = _gains.get(lengths)
    if found is None:
        found = _gains[lengths] = _interpolated(*lengths)
    return found


def log_energies(grey: Floats, gains: Floats, step: float) -> Floats:
    """Return the logarithms of energies inside greys (H, W) that have the reach around them."""
    # (blocks, bands, filters, 8, 16), see `kernels.components`. Greys rounded to whole steps have
    # energies where nothing is to be seen: these are added to all, so that no logarithm is of less
    high, wide = kernels.components.HIGH, kernels.components.WIDE
    height, width = (n - 2 * REACH for n in grey.shape)
    n_blocks, n_bands = -(-width // wide), -(-height // high)
    found = np.empty((n_blocks, n_bands, N_FILTERS, high, wide), np.float32)
    level = grey - grey.mean()  # which no filter answers to: it would only be rounded
    spectrum = scipy.fft.fft2(level, s=gains.shape[1:])
    inside = slice(REACH, REACH + height), slice(REACH, REACH + width)

    def answer(first: int, last: int) -> None:
        plane = np.zeros((n_bands * high, n_blocks * wide), np.float32)
        patches = plane.reshape(n_bands, high, n_blocks, wide).transpose(2, 0, 1, 3)
        for k in range(first, last):
            floor = np.float32(step**2 / 12.0 * _filters()[k][1])
            one = scipy.fft.ifft2(spectrum * gains[k], overwrite_x=True)[inside]
            energies = one.real**2 + one.imag**2 + floor
            np.log(energies, out=plane[:height, :width])
            found[:, :, k] = patches

    threads.over_rows(N_FILTERS, answer)
    return found


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
    """Return the transforms of all filters, (filters, down, across)."""
    # By products too small for threads of BLAS: they wait for each other for seconds on cores that
    # other programs use
    found = np.empty((N_FILTERS, down, across), dtype=np.float32)

    def interpolate(k: int) -> None:
        gain = _filters()[k][0].astype(np.float32)
        side = len(gain)
        rows = np.matmul(_between(down, side).reshape(-1, 16, side), gain)[:, None]
        columns = _between(across, side).reshape(-1, CHUNK, side).swapaxes(1, 2)
        parts = np.matmul(rows, columns)  # (down / 16, across / 64, 16, 64)
        found[k] = parts.swapaxes(1, 2).reshape(down, across)

    threads.each(range(N_FILTERS), interpolate)
    return found


@lru_cache(maxsize=16)
def _between(length: int, side: int) -> Floats:
    """Return the weights of a filter's frequencies in those of a transform, (length, side)."""
    apart = np.subtract.outer(np.arange(length) / length, np.arange(side) / side)
    return np.asarray(scipy.special.diric(2.0 * np.pi * apart, side), dtype=np.float32)
