"""The relief of a picture: high where signatures on either side of a node differ; and its basins.

A picture of many nodes is reduced to some 40,000 first, so that windows grow with it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import check_memory
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.data.lattice import sides_of, window_slices
from latviz.core.data.masks import Mask
from latviz.core.data.observations import Observations
from latviz.core.data.turns import turn_of
from latviz.core.progress import Progress, stop_if_cancelled, stop_if_unwanted
from latviz.core.segmentation.components import Labels
from latviz.core.segmentation.merging import SignatureChannels
from latviz.core.types import Counts, Floats, Matrix, Shape
from latviz.core.values import Value
from latviz.core.windows.window_sums import Source, blank_row, each_plane, vector_columns

NODES = 196**2
"""Nodes that a picture is reduced to: so windows grow with it, and time does not."""
COLOUR_SCALES, PATTERN_SCALES = (1, 2, 5), (10,)
"""Half-widths of the windows of colours, and of patterns, in nodes of that picture."""
N_BINS, N_PATTERNS, N_DIRECTIONS = 8, 4, 6
"""Bins of each channel; components of filters; directions of windows around a node of an image."""
LAB_RANGES = (0.0, 100.0), (-45.0, 60.0), (-50.0, 65.0)
"""The middles of the first and the last bin of L*, a* and b*: those of most photographs."""
PATTERN_RANGE = -2.0, 2.0
"""The middles of the first and the last bin of a component, in units of its spread."""
SMOOTHING = 1.0
"""The spread in nodes by which the relief is smoothed before it is flooded."""
N_LEVELS = 1024
"""Levels of the relief that is flooded."""
GRAINS = 2.0**20
"""Heights are multiples of 1 / GRAINS, so that their sums are exact in any order."""
_OUTSIDE = -3
"""In place of a basin: around the lattice."""
FULL = 255
"""The weight of a node, which is shared by two bins."""

Heights = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Compared(Value):
    """Channels of equal width whose signatures are compared, at some half-widths."""

    # each channel of a node has FULL, or nothing where it does not count
    weights: Annotated[NDArray[np.uint8], "(*shape, M)"]
    names: tuple[str, ...]  # of the symbols, or bins, of all channels together
    width: int  # symbols, or bins, of one
    scales: tuple[int, ...]

    @property
    def shape(self) -> Shape:
        """The lattice's."""
        return self.weights.shape[:-1]

    def signatures(self, window: int) -> Heights:
        """Return signatures as the kernel takes them, with the edges of the picture repeated."""
        axes, n_bins = len(self.shape), len(self.names)
        depth, height, width = reaches_of(window, axes)
        values = self.weights[None] if axes == 1 else self.weights  # an image of one row
        shape = values.shape[:-1]
        slices = shape[0] if axes == 3 else 1
        rooms = slices + 2 * depth, shape[-2] + 2 * height, n_bins, shape[-1] + 2 * width
        found = np.empty(rooms, np.float32)
        inner = found[depth : depth + slices]
        sides = sides_of(window, shape)
        write = partial(_write, sides[-1], (height, width))
        source = Source(values, shape, n_bins, np.int64)
        planes = inner if axes == 3 else inner[0]
        each_plane(source, sides, planes, write, work=2.0 * n_bins)
        found[:depth], found[depth + slices :] = inner[0], inner[-1]
        return found

    def signature_at(self, node: tuple[int, ...], window: int) -> Floats:
        """Return the signature of one node, (channels, width)."""
        inner = [min(max(t, 0), n - 1) for t, n in zip(node, self.shape, strict=True)]
        inside = self.weights[window_slices(self.shape, inner, sides_of(window, self.shape))]
        means = inside.reshape(-1, len(self.names)).mean(axis=0, dtype=np.float64)
        found: Floats = means.reshape(-1, self.width) / FULL
        return found


@dataclass(frozen=True)
class Sides:
    """The two signatures on either side of a node that make its contrast."""

    contrast: float  # of the node
    step: tuple[int, ...]  # to the middle of the window on the first side; the other is opposite
    name: str  # of the symbol or bin that differs most
    shares: tuple[float, float]  # of it on both sides


@dataclass(frozen=True, eq=False)
class Relief(Value):
    """The contrast at each node, and the basins."""

    heights: Heights  # (*shape), from 0, the same on both sides, to 1, nothing in common
    basins: Labels  # (*shape)
    # the signatures of their nodes, each that of its node of the reduced picture, summed
    signatures: Annotated[Matrix, "(R, M)"]
    channels: SignatureChannels  # of signatures
    factor: int  # nodes along each axis for one of the reduced picture
    compared: tuple[tuple[Compared, ...], ...]  # of each slice, if they are apart; or one of all

    def sides(self, node: tuple[int, ...]) -> Sides:
        """Return what makes the contrast at a node of the picture."""
        axes = len(self.compared[0][0].shape)
        compared = self.compared[node[0] if len(node) > axes else 0]
        shape = self.heights.shape[-axes:]
        here = tuple(
            int(blocks_of(np.array(t), n, self.factor))
            for t, n in zip(node[-axes:], shape, strict=True)
        )
        return max(_every_side(compared, here), key=lambda sides: sides.contrast)


def relief_of(
    picture: NDArray[Any],
    axes: int,
    dimensions: int,
    alphabet: Sequence[str] = (),
    progress: Progress | None = None,
    known: Mask = None,
) -> Relief:
    """Return the relief of a checked picture with these axes, of which first ones may be apart."""
    # picture (*shape), (*shape, 3), or of one axis the symbols of an ``alphabet``; nodes that are
    # not ``known`` (*shape) are in no basin. In windows they repeat the nearest known ones, as
    # edges are repeated, so that no border is seen there
    if axes > dimensions:
        each = [None] * len(picture) if known is None else known
        return _stacked(
            [
                relief_of(one, axes - 1, dimensions, alphabet, progress, own)
                for one, own in zip(picture, each, strict=True)
            ]
        )
    shape = picture.shape[:axes]
    check_memory("a relief", 40 * math.prod(shape))
    factor = max(1, round((math.prod(shape) / NODES) ** (1 / axes)))
    if axes == 1:
        picture = np.eye(len(alphabet), dtype=np.uint8)[picture] * np.uint8(FULL)
    small = reduced(picture, factor, axes) if known is None else _filled(picture, known, factor)
    compared = tuple(_compared(small, axes, alphabet))
    found = heights_of(compared, progress)
    stop_if_cancelled(progress)
    weights = np.concatenate([own.weights for own in compared], axis=-1)
    if axes == 2:
        # What depends on the order of nodes is done in one orientation, so that it turns with
        # the image
        turn = turn_of(small)
        turned = shape[::-1] if turn.swapped else shape
        given = turn.of(found), turn.of(weights), factor, turned
        heights, basins, signatures = flood(*given, None if known is None else turn.of(known))
        heights, basins = turn.back_of(heights), turn.back_of(basins)
    else:
        heights, basins, signatures = flood(found, weights, factor, shape, known)
    n_nodes = math.prod(shape) if known is None else int(known.sum())
    return Relief(heights, basins, signatures, _channels(compared, n_nodes), factor, (compared,))


def _filled(picture: NDArray[Any], known: NDArray[np.bool_], factor: int) -> NDArray[Any]:
    """Return the reduced picture by its known nodes; blocks without any are as the nearest one."""
    small = _known_means(picture, factor, known)
    there = reduced(known.astype(np.float64), factor, known.ndim) > 0
    if there.all() or not there.any():
        return small
    if known.ndim != 2:
        return _nearest(small, there)
    # One orientation decides between blocks that are equally near
    channels = small.reshape(*there.shape, -1).astype(np.float64)
    turn = turn_of(np.concatenate([channels, there[..., None]], axis=-1))
    return turn.back_of(_nearest(turn.of(small), turn.of(there)))


def _nearest(values: NDArray[Any], there: NDArray[np.bool_]) -> NDArray[Any]:
    """Return values (*shape, ...) with the nearest ones that are there in place of the others."""
    places: Any = scipy.ndimage.distance_transform_edt(
        ~there, return_distances=False, return_indices=True
    )
    found: NDArray[Any] = values[tuple(places)]
    return found


def _channels(compared: tuple[Compared, ...], n_nodes: int) -> SignatureChannels:
    """Return the channels of signatures; each counts by its scales, as in the relief."""
    each = [
        (own.width, float(len(own.scales)))
        for own in compared
        for _ in range(len(own.names) // own.width)
    ]
    widths, weights = zip(*each, strict=True)
    ends = np.cumsum([0, *widths])
    return SignatureChannels(ends, np.array(weights), float(FULL), float(n_nodes))


def flood(
    found: Heights,
    weights: NDArray[np.uint8],
    factor: int,
    shape: Shape,
    known: Mask = None,
) -> tuple[Heights, Labels, Matrix]:
    """Return heights and basins at all nodes from heights and weights of blocks; signatures."""
    smooth = enlarged(scipy.ndimage.gaussian_filter(found, SMOOTHING), factor, shape)
    basins = basins_of(np.rint(smooth * (N_LEVELS - 1)).astype(np.int16), N_LEVELS, known)
    heights = enlarged(found, factor, shape) * np.float32(GRAINS)
    heights = np.rint(heights, out=heights) / np.float32(GRAINS)
    places = np.ix_(*(blocks_of(np.arange(n), n, factor) for n in shape))
    blocks = np.ravel_multi_index(places, found.shape).astype(np.int32).reshape(-1)
    signatures = np.zeros((int(basins.max(initial=-1)) + 1, weights.shape[-1]))
    each = np.ascontiguousarray(weights).reshape(-1, weights.shape[-1])
    kernels.relief.add_signatures(basins.reshape(-1), blocks, each, signatures)
    return heights, basins, signatures


def basins_of(levels: NDArray[np.int16], n_levels: int, known: Mask = None) -> Labels:
    """Return the basins of levels (*shape) below ``n_levels``, in the order of their minima."""
    # -1 where nodes are not known
    start = np.full(levels.shape, -1, np.int32)
    if known is not None:
        levels, start = (
            np.where(known, levels, np.int16(n_levels)),
            np.where(known, start, _OUTSIDE),
        )
    around = np.pad(levels, 1, constant_values=n_levels)
    found = np.pad(start, 1, constant_values=_OUTSIDE)
    strides = [stride // around.itemsize for stride in around.strides]
    ways = np.array([sign * stride for stride in strides for sign in (-1, 1)])
    kernels.relief.flood(around.reshape(-1), ways, found.reshape(-1), n_levels)
    inner = np.ascontiguousarray(found[(slice(1, -1),) * levels.ndim])
    return inner if known is None else np.maximum(inner, -1)


def _stacked(parts: list[Relief]) -> Relief:
    """Return the reliefs of slices as one, whose basins are within slices."""
    firsts = np.cumsum([0, *(len(part.signatures) for part in parts[:-1])])
    basins = [
        np.where(part.basins < 0, np.int32(-1), part.basins + np.int32(first))
        for part, first in zip(parts, firsts, strict=True)
    ]
    n_nodes = math.fsum(part.channels.n_nodes for part in parts) / len(parts)
    return replace(
        parts[0],
        heights=np.stack([part.heights for part in parts]),
        basins=np.stack(basins),
        signatures=np.concatenate([part.signatures for part in parts]),
        channels=replace(parts[0].channels, n_nodes=n_nodes),
        compared=tuple(part.compared[0] for part in parts),
    )


def _compared(small: NDArray[Any], axes: int, alphabet: Sequence[str]) -> Iterator[Compared]:
    """Yield colours and patterns of a reduced picture, or the symbols of a sequence."""
    if axes == 1:
        yield Compared(small, tuple(alphabet), len(alphabet), COLOUR_SCALES + PATTERN_SCALES)
        return
    lab = encode(small, Encoding("lab", scaled=False), dimensions=axes)
    yield _binned(lab, LAB_RANGES[: 1 if small.ndim == axes else 3], COLOUR_SCALES, 0)
    patterns = encode(small, Encoding("filters", n_features=N_PATTERNS), dimensions=axes)
    found = _binned(patterns, (PATTERN_RANGE,) * N_PATTERNS, PATTERN_SCALES, 1)
    yield replace(found, weights=found.weights * _has_pattern(small, axes)[..., None])


def _has_pattern(small: NDArray[Any], axes: int) -> NDArray[np.bool_]:
    """Return where a picture (*shape, ...) varies, if only between neighbours, (*shape)."""
    # Filters answer to a border far beyond it, so that a flat area has no pattern of its own
    found = np.zeros(small.shape[:axes], np.bool_)
    around = [3 if axes - 2 <= axis < axes else 1 for axis in range(small.ndim)]
    low, high = (
        one(small, around, mode="nearest")
        for one in (scipy.ndimage.minimum_filter, scipy.ndimage.maximum_filter)
    )
    apart = (low != high).reshape(*found.shape, -1)
    return np.any(apart, axis=-1, out=found)


def _binned(
    found: Observations, ranges: Sequence[tuple[float, float]], scales: tuple[int, ...], digits: int
) -> Compared:
    """Return the first channels of vectors in bins, named by their middles."""
    stop_if_unwanted()
    bins = [soft_bins(found.values[..., c], *ends) for c, ends in enumerate(ranges)]
    names = (
        f"{found.names[c]} {middle:.{digits}f}"
        for c, (low, high) in enumerate(ranges)
        for middle in np.linspace(low, high, N_BINS)
    )
    return Compared(np.concatenate(bins, axis=-1), tuple(names), N_BINS, scales)


def _every_side(compared: tuple[Compared, ...], here: tuple[int, ...]) -> Iterator[Sides]:
    """Yield what two windows tell apart in each direction around a node of a reduced picture."""
    axes = len(here)
    for t in range(len(steps_of(1, axes))):
        roots, weights, most, best = list[float](), 0.0, -1.0, ("", (0.0, 0.0))
        for own in compared:
            for window in own.scales:
                step = steps_of(window, axes)[t, 3 - axes :]
                p, q = (
                    own.signature_at(tuple((here + sign * step).tolist()), window)
                    for sign in (1, -1)
                )
                both = np.where(p + q > 0.0, p + q, 1.0)
                shares = np.maximum(p.sum(axis=1), q.sum(axis=1))
                parts = np.sqrt(0.5 * ((p - q) ** 2 / both).sum(axis=1) * shares)
                roots += parts.tolist()
                weights += float(shares.sum())
                if parts.max() > most:
                    most, k = float(parts.max()), int(parts.argmax())
                    at = k * own.width + int(np.abs(p - q)[k].argmax())
                    best = own.names[at], (float(p.flat[at]), float(q.flat[at]))
        way = tuple(steps_of(window, axes)[t, 3 - axes :].tolist())
        yield Sides(sum(roots) / weights, way, *best)


def heights_of(compared: tuple[Compared, ...], progress: Progress | None) -> Heights:
    """Return the largest contrast over directions, the mean over channels and scales there."""
    shape = compared[0].shape
    axes, rows = len(shape), math.prod(shape[:-1])
    sums, weights = np.zeros((2, len(steps_of(1, axes)), rows, shape[-1]), np.float32)
    for own in compared:
        ends = np.arange(0, len(own.names) + 1, own.width)
        for window in own.scales:
            stop_if_cancelled(progress)
            reaches = np.array(reaches_of(window, axes))
            given = own.signatures(window), ends, reaches, steps_of(window, axes)
            threads.over_rows(rows, partial(_add, given, (sums, weights)))
    means: Heights = np.minimum((sums / weights).max(axis=0), np.float32(1.0))
    return means.reshape(shape)


def _add(given: tuple[Any, ...], found: tuple[Heights, Heights], start: int, stop: int) -> None:
    kernels.relief.add_contrasts(*given, start, stop, *found)


def _write(
    window: int,
    reaches: tuple[int, int],
    plane: NDArray[Any],
    layers: int,
    out: Heights,
    start: int,
    stop: int,
) -> None:
    given = plane, blank_row(plane), window, start, stop, vector_columns(plane, window), layers
    kernels.relief.write_signatures(*given, np.float32(1.0 / FULL), reaches, out)


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


def edges_of(length: int, factor: int) -> Counts:
    """Return the edges of blocks along an axis, in half nodes: centred, so that ends are alike."""
    n_blocks = max(1, round(length / factor))
    found: Counts = length - n_blocks * factor + 2 * factor * np.arange(n_blocks + 1)
    found[0], found[-1] = 0, 2 * length
    return found


def blocks_of(nodes: Counts, length: int, factor: int) -> Counts:
    """Return the block of each of some nodes along an axis, that of its first half."""
    return np.searchsorted(edges_of(length, factor), 2 * nodes, side="right") - 1


def reduced(values: NDArray[Any], factor: int, axes: int) -> NDArray[Any]:
    """Return the means of blocks of ``factor`` nodes along each axis; those at ends differ."""
    if factor == 1:
        return values
    found: NDArray[Any] = values
    areas: NDArray[Any] = np.ones(())
    for axis in range(axes):
        length, edges = values.shape[axis], edges_of(values.shape[axis], factor)
        first, sizes = edges[:-1] // 2, np.diff(edges)
        wide = (-1, *(1,) * (values.ndim - axis - 1))
        sums: NDArray[Any] = np.zeros(())
        areas = areas * sizes.reshape(wide)
        for node in (first + k for k in range(int(sizes.max()) // 2 + 1)):  # faster than reduceat
            inside = np.minimum(2 * node + 2, edges[1:]) - np.maximum(2 * node, edges[:-1])
            part = found.take(np.minimum(node, length - 1), axis)
            sums = sums + part * np.maximum(inside, 0.0).reshape(wide)
        found = sums
    found = found / areas  # of whole numbers exact, so the same in any order
    is_whole = np.issubdtype(values.dtype, np.integer)
    return (np.rint(found) if is_whole else found).astype(values.dtype)


def _known_means(values: NDArray[Any], factor: int, known: NDArray[np.bool_]) -> NDArray[Any]:
    """Return the means of the known nodes of blocks; 0 in blocks without any."""
    axes = known.ndim
    there = known.reshape(*known.shape, *(1,) * (values.ndim - axes)).astype(np.float64)
    shares, sums = (reduced(one, factor, axes) for one in (there, values * there))
    means = np.divide(sums, shares, out=np.zeros_like(sums), where=shares > 0)
    is_whole = np.issubdtype(values.dtype, np.integer)
    found: NDArray[Any] = (np.rint(means) if is_whole else means).astype(values.dtype)
    return found


def enlarged(values: Heights, factor: int, shape: Shape) -> Heights:
    """Return values of blocks interpolated at all nodes of a lattice."""
    if factor == 1:
        return values
    for axis, length in enumerate(shape):
        last = values.shape[axis] - 1
        before = (length - (last + 1) * factor) / 2  # as in `edges_of`
        place = np.clip((np.arange(length) + 0.5 - before) / factor - 0.5, 0.0, last)
        first = np.minimum(place.astype(np.int64), max(0, last - 1))
        share = (place - first).astype(np.float32)
        if axis == len(shape) - 1:
            return _interpolated(values, first, share)
        ahead = values.take(np.minimum(first + 1, last), axis)
        values = values.take(first, axis)
        values = values + share.reshape(-1, *(1,) * (len(shape) - axis - 1)) * (ahead - values)
    return values


def _interpolated(values: Heights, first: Counts, share: Heights) -> Heights:
    """Return values between columns, at a share of the way from the first to the next."""
    rows = np.ascontiguousarray(values).reshape(-1, values.shape[-1])
    found = np.empty((len(rows), first.size), np.float32)

    def task(start: int, stop: int) -> None:
        kernels.relief.interpolate(rows, first, share, start, stop, found)

    threads.over_rows(len(rows), task, 4.0 * first.size)
    return found.reshape(*values.shape[:-1], first.size)
