"""Regions of a picture by the contrasts of signatures, for which no state map is needed.

The relief of a picture is high where the signatures of two windows on either side of a node differ.
Its basins are the first regions.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import as_array, check_integer, check_memory, check_number, check_progress
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.data.fixed_point import FixedPoint, Lattice, shape_of
from latviz.core.data.images import checked_picture
from latviz.core.progress import Progress, stop_if_told
from latviz.core.segmentation.components import Labels
from latviz.core.segmentation.defaults import LEAST_CONTRAST
from latviz.core.segmentation.regions import Regions, described
from latviz.core.types import Shape
from latviz.core.values import Value
from latviz.core.windows.signature import signatures

NODES = 196**2
"""Nodes that a picture is reduced to: so windows grow with it, and time does not."""
COLOUR_SCALES, PATTERN_SCALES = (1, 2, 5), (3, 6, 10)
"""Half-widths of the windows of colours, and of textons and symbols, in nodes of that picture."""
N_BINS, N_TEXTONS, N_DIRECTIONS = 8, 16, 6
"""Bins of each axis of CIELAB; textons; directions of windows around a node of an image."""
LAB_RANGES = (0.0, 100.0), (-45.0, 60.0), (-50.0, 65.0)
"""The middles of the first and the last bin of L*, a* and b*: those of most photographs."""
SMOOTHING = 1.0
"""The spread in nodes by which the relief is smoothed before it is flooded."""
N_LEVELS = 1024
"""Levels of the relief that is flooded."""
FULL = 255
"""The weight of a node, which is shared by two bins."""

Heights = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Relief(Value):
    """The contrast at each node, and the basins."""

    heights: Heights  # (*shape), from 0, the same on both sides, to 1, nothing in common
    basins: Labels  # (*shape)


@dataclass(frozen=True, eq=False)
class Compared(Value):
    """Compared of equal width whose signatures are compared, at some half-widths."""

    lattice: Lattice
    n_symbols: int  # of all channels together
    width: int  # symbols, or bins, of one
    weight: float  # of a node
    scales: tuple[int, ...]

    def signatures(self, window: int, dimensions: int) -> Heights:
        """Return signatures as the kernel takes them, with the edges of the picture repeated."""
        found = signatures(self.lattice, self.n_symbols, window).astype(np.float32, copy=False)
        if self.weight != 1.0:
            found *= np.float32(1.0 / self.weight)
        found = found.reshape((1,) * (3 - dimensions) + found.shape)
        depth, height, width = reaches_of(window, dimensions)
        around = (depth, depth), (height, height), (0, 0), (width, width)
        return np.ascontiguousarray(np.pad(found.transpose(0, 1, 3, 2), around, mode="edge"))


def contrast_regions(
    image: Any,
    *,
    least_contrast: float = LEAST_CONTRAST,
    dimensions: int = 2,
    progress: Progress | None = None,
) -> Regions:
    """Return regions of a photograph, without states: borders are where signatures differ.

    The contrast at a node is that of the signatures p and q of two windows on either side of it,
    the root of half the sum of (p - q)^2 / (p + q): from 0 to 1. It is the mean over L*, a* and b*,
    in 8 bins each, over 16 textons, and over three sizes of windows, in the direction in which it
    is largest. Basins of this relief are merged, two neighbours of the least contrast first. The
    contrast of a border is the mean along it, minus the mean inside the two regions, that of the
    more contrasted one.

    Windows grow with the picture. Use `regions` if pixels are independent given their states, as in
    noisy fields: evidence counts pixels, and contrast does not.

    Parameters
    ----------
    image : (H, W) or (H, W, 3) uint8, uint16 or float
        As for `encode`; grey images have no a* and b*. Of three dimensions (D, H, W) or (D, H, W,
        3).
    least_contrast : float, optional
        The contrast that keeps two regions apart, from 0, which merges no basins, to 1. The default
        suits most pictures.
    dimensions : {2, 3}, optional
        The number of lattice axes; a further axis holds colours.
    progress : Progress, optional
        May cancel.

    Returns
    -------
    Regions
        All have state 0, and as observations the numbers of the image. `Regions.contrasts` are
        those of their borders, and `Regions.merged` merges further.

    Raises
    ------
    ParameterError
        If an argument is invalid, or there is not enough memory.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> image = np.repeat(np.uint8([0, 0, 0, 200, 200, 200]), 10) * np.ones((40, 1), np.uint8)
    >>> found = contrast_regions(image)
    >>> len(found), found.labels[0, [0, 59]].tolist(), found.means[:, 0].round().tolist()
    (2, [0, 1], [6.0, 200.0])
    """
    dimensions = check_integer("dimensions", dimensions, 2, 3)
    picture = checked_picture(as_array("image", image), dimensions)
    least = check_number("least_contrast", least_contrast, 0.0, 1.0)
    check_progress(progress)
    relief = relief_of(picture, dimensions, dimensions, progress=progress)
    stop_if_told(progress)
    values = picture.reshape(*relief.basins.shape, -1)
    first = contrast_regions_of(relief, None, values, False, values.shape[-1], dimensions)
    return first.merged(least_contrast=least, progress=progress)


def contrast_regions_of(
    relief: Relief,
    states: NDArray[np.uint8] | None,
    values: NDArray[Any],
    discrete: bool,
    n_symbols: int,
    dimensions: int,
    progress: Progress | None = None,
) -> Regions:
    """Return the basins of a relief as regions; all have state 0 if there are no states."""
    given = states, values, discrete, n_symbols, dimensions
    return described(relief.basins, *given, progress, relief.heights)


def relief_of(
    picture: NDArray[Any],
    axes: int,
    dimensions: int,
    n_symbols: int = 0,
    progress: Progress | None = None,
) -> Relief:
    """Return the relief of a checked picture with these axes, of which first ones may be apart."""
    # picture (*shape), (*shape, 3), or of one axis symbols below ``n_symbols``
    if axes > dimensions:
        parts = [
            relief_of(one, axes - 1, dimensions, n_symbols, progress=progress) for one in picture
        ]
        return _stacked(parts)
    shape = picture.shape[:axes]
    check_memory("a relief", 40 * math.prod(shape))
    factor = max(1, round((math.prod(shape) / NODES) ** (1 / axes)))
    found = _heights(list(_channels(picture, axes, n_symbols, factor)), axes, progress)
    stop_if_told(progress)
    smooth = enlarged(scipy.ndimage.gaussian_filter(found, SMOOTHING), factor, shape)
    levels = np.rint(smooth.reshape(-1) * (N_LEVELS - 1)).astype(np.int16)
    lengths = np.array((1,) * (3 - axes) + shape)
    basins = kernels.relief.basins(levels, lengths, N_LEVELS).reshape(shape)
    return Relief(enlarged(found, factor, shape), basins)


def _stacked(parts: list[Relief]) -> Relief:
    """Return the reliefs of slices as one, whose basins are within slices."""
    counts = [int(part.basins.max()) + 1 for part in parts]
    firsts = np.cumsum([0, *counts[:-1]])
    basins = [part.basins + np.int32(first) for part, first in zip(parts, firsts, strict=True)]
    return Relief(np.stack([part.heights for part in parts]), np.stack(basins))


def _channels(picture: NDArray[Any], axes: int, n_symbols: int, factor: int) -> Iterator[Compared]:
    """Yield colours and textons of a reduced picture, or the symbols of a sequence."""
    if axes == 1:
        shares = reduced(np.eye(n_symbols, dtype=np.uint8)[picture] * np.uint8(FULL), factor, 1)
        yield Compared(_weights(shares), n_symbols, n_symbols, FULL, PATTERN_SCALES)
        return
    small = reduced(picture, factor, axes)
    lab = encode(small, Encoding("lab", scaled=False), dimensions=axes).values
    n_axes = 1 if small.ndim == axes else 3
    bins = np.concatenate([soft_bins(lab[..., c], *LAB_RANGES[c]) for c in range(n_axes)], axis=-1)
    yield Compared(_weights(bins), bins.shape[-1], N_BINS, FULL, COLOUR_SCALES)
    textons = encode(small, Encoding("textons", N_TEXTONS), dimensions=axes)
    n_textons = textons.n_symbols
    yield Compared(textons.values, n_textons, n_textons, 1.0, PATTERN_SCALES)


def _heights(channels: list[Compared], axes: int, progress: Progress | None) -> Heights:
    """Return the largest contrast over directions, the mean over channels and scales."""
    shape = shape_of(channels[0].lattice)
    rows = math.prod(shape[:-1])
    sums = np.zeros((len(steps_of(1, axes)), rows, shape[-1]), np.float32)
    n = 0
    for own in channels:
        ends = np.arange(0, own.n_symbols + 1, own.width)
        for window in own.scales:
            stop_if_told(progress)
            found = own.signatures(window, axes)
            reaches = np.array(reaches_of(window, axes))
            given = found, ends, reaches, steps_of(window, axes)
            threads.over_rows(rows, partial(_add, given, sums))
            n += len(ends) - 1
    means: Heights = np.minimum(sums.max(axis=0) / np.float32(n), np.float32(1.0))
    return means.reshape(shape)


def _add(given: tuple[Any, ...], sums: Heights, start: int, stop: int) -> None:
    kernels.relief.add_contrasts(*given, start, stop, sums)


def steps_of(window: int, axes: int) -> NDArray[np.int64]:
    """Return the steps (T, 3) from a node to the middle of the window on one side."""
    # Of an image in directions evenly spread; of a volume along axes and diagonals of faces
    if axes == 2:
        angles = np.pi * np.arange(N_DIRECTIONS) / N_DIRECTIONS
        ways = np.stack([np.zeros(N_DIRECTIONS), np.sin(angles), np.cos(angles)], axis=1)
    elif axes == 1:
        ways = np.array([[0.0, 0.0, 1.0]])
    else:
        faces = [[1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]]
        ways = np.concatenate([np.eye(3), np.array(faces) / math.sqrt(2.0)])
    return np.rint((window + 0.5) * ways).astype(np.int64)


def reaches_of(window: int, axes: int) -> tuple[int, int, int]:
    """Return how far these steps go along each of three axes."""
    depth, height, width = np.abs(steps_of(window, axes)).max(axis=0).tolist()
    return depth, height, width


def soft_bins(values: NDArray[Any], low: float, high: float) -> NDArray[np.uint8]:
    """Return weights (*shape, bins): each value is shared by the two bins around it."""
    place = np.clip((values.reshape(-1) - low) / (high - low), 0.0, 1.0) * (N_BINS - 1)
    first, nodes = np.minimum(place.astype(np.int64), N_BINS - 2), np.arange(place.size)
    weights = np.zeros((place.size, N_BINS), np.uint8)
    weights[nodes, first + 1] = np.rint((place - first) * FULL)
    weights[nodes, first] = FULL - weights[nodes, first + 1]
    return weights.reshape(*values.shape, N_BINS)


def _weights(weights: NDArray[np.uint8]) -> FixedPoint:
    """Return weights (*shape, M) as a lattice of vectors."""
    n = weights.shape[-1]
    zeros, ones = np.zeros(n), np.ones(n)
    return FixedPoint(np.ascontiguousarray(weights), zeros, ones, zeros, FULL * ones)


def reduced(values: NDArray[Any], factor: int, axes: int) -> NDArray[Any]:
    """Return the means of blocks of ``factor`` nodes along each axis; those at ends are smaller."""
    if factor == 1:
        return values
    found = values.astype(np.float32)
    for axis in range(axes):
        firsts = np.arange(0, values.shape[axis], factor)
        counts = np.diff([*firsts, values.shape[axis]]).astype(np.float32)
        found = np.add.reduceat(found, firsts, axis=axis)
        found /= counts.reshape(-1, *(1,) * (values.ndim - axis - 1))
    is_whole = np.issubdtype(values.dtype, np.integer)
    return (np.rint(found) if is_whole else found).astype(values.dtype)


def enlarged(values: Heights, factor: int, shape: Shape) -> Heights:
    """Return values of blocks interpolated at all nodes of a lattice."""
    if factor == 1:
        return values
    for axis, length in enumerate(shape):
        last = values.shape[axis] - 1
        place = np.clip((np.arange(length) + 0.5) / factor - 0.5, 0.0, last)
        first = np.minimum(place.astype(np.int64), max(0, last - 1))
        share = (place - first).astype(np.float32).reshape(-1, *(1,) * (len(shape) - axis - 1))
        ahead = values.take(np.minimum(first + 1, last), axis)
        values = values.take(first, axis)
        values = values + share * (ahead - values)
    return values
