"""Lattices: clipped windows, neighbourhoods, counts of nodes and of adjacent pairs."""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import check_window
from latviz.core.types import Region, Shape, Spacing, Window

_SLACK = 1e-9
"""So that rounding makes no extent of whole nodes smaller."""


def sides_of(window: int, shape: Sequence[int], spacing: Spacing = None) -> Shape:
    """Return the half-widths of windows along each axis, at most the lattice's length."""
    # Along the finest axis that is w: windows extend over 2 w + 1 nodes. Along the others it is the
    # one whose 2 s + 1 nodes extend as nearly as far
    window, longest = check_window(window), max(shape)
    if spacing is None:
        return (min(window, longest),) * len(shape)
    extent = (2 * window + 1) * min(spacing)
    return tuple(min(int(extent / (2 * step) + _SLACK), longest) for step in spacing)


def along_axes(window: Window, dimensions: int) -> tuple[Window, Spacing]:
    """Return half-widths as given; three of a volume as the largest, and steps that yield all."""
    if dimensions != 3 or not isinstance(window, tuple) or len(window) != 3:
        return window, None
    return max(window), steps_of(window)


def steps_of(sides: Shape) -> tuple[float, ...]:
    """Return the distances of nodes with which the largest half-width yields that of each axis."""
    return tuple((2 * max(sides) + 1) / (2 * side + 1) for side in sides)


def each_of(window: Window) -> tuple[int, ...]:
    """Return the half-widths of one window, or of several."""
    return window if isinstance(window, tuple) else (window,)


def reach(window: Window) -> int:
    """Return the half-width of the largest window."""
    return max(each_of(window))


def widths(sides: Shape, shape: Sequence[int]) -> Shape:
    """Return the widths 2 w + 1 of windows along each axis, no wider than reach across it."""
    return tuple(2 * min(s, length - 1) + 1 for s, length in zip(sides, shape, strict=True))


def most_nodes(sides: Shape, shape: Sequence[int]) -> int:
    """Return the most nodes of a clipped window."""
    return math.prod(min(length, 2 * s + 1) for s, length in zip(sides, shape, strict=True))


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array contiguous and read-only, the one kind that kernels are compiled for."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def window_slices(shape: Sequence[int], node: Sequence[int], sides: Shape) -> tuple[slice, ...]:
    """Return the w-window of a node, clipped to the lattice, as one slice per axis (2.2)."""
    return tuple(
        slice(max(0, t - side), min(length, t + side + 1))
        for t, length, side in zip(node, shape, sides, strict=True)
    )


def window_sizes(shape: Sequence[int], sides: Shape) -> NDArray[np.int64]:
    """Return n_t, the number of nodes in each clipped window, (*shape)."""
    lengths = []
    for length, side in zip(shape, sides, strict=True):
        t = np.arange(length)
        lengths.append(np.minimum(t + side, length - 1) - np.maximum(t - side, 0) + 1)
    return np.asarray(math.prod(np.ix_(*lengths)))


def n_pairs(shape: Sequence[int], known: NDArray[np.bool_] | None = None) -> int:
    """Return the number |E| of unordered pairs of adjacent nodes, both known."""
    if known is not None:
        return int(known_degrees(known).sum(dtype=np.int64)) // 2
    size = int(np.prod(shape))
    return sum(size // length * (length - 1) for length in shape)


def n_directions(shapes: Sequence[Sequence[int]]) -> int:
    """Return d, the number of axes along which any lattice has neighbours; of one node 1."""
    return max(1, [max(lengths) > 1 for lengths in zip(*shapes, strict=True)].count(True))


def degrees(shape: Sequence[int]) -> NDArray[np.uint8]:
    """Return |R(t)|, the number of axis neighbours inside the lattice, as an array of ``shape``."""
    total = np.zeros(shape, dtype=np.uint8)
    for axis, length in enumerate(shape):
        along = np.full(length, 2, dtype=np.uint8)
        along[0] -= 1
        along[-1] -= 1
        total += along.reshape([-1 if k == axis else 1 for k in range(len(shape))])
    return total


def known_degrees(known: NDArray[np.bool_], apart: int = 1) -> NDArray[np.uint8]:
    """Return the number of known neighbours of each known node, and 0 of unknown ones."""
    total = np.zeros(known.shape, dtype=np.uint8)
    for one, other in neighbour_slices(known.ndim, apart):
        total[one] += known[one] & known[other]
    return total


def neighbour_slices(dimensions: int, apart: int = 1) -> Iterator[tuple[Region, Region]]:
    """Yield the nodes with a neighbour on one side along an axis, and these neighbours."""
    # Neighbours are ``apart`` steps from each other
    for axis in range(dimensions):
        before = (slice(None),) * axis
        nearer, further = (*before, slice(-apart)), (*before, slice(apart, None))
        yield nearer, further
        yield further, nearer


def middle_of(shape: Shape, most: int) -> Region:
    """Return the middle of a lattice of at most ``most`` nodes."""
    # As far from one end of an axis as from the other, so that it turns with the lattice
    left, found = most, dict[int, slice]()
    axes = sorted(range(len(shape)), key=lambda axis: shape[axis])
    for k, axis in enumerate(axes):
        share = (left / math.prod(shape[other] for other in axes[k:])) ** (1 / (len(axes) - k))
        length = max(1, min(shape[axis], round(shape[axis] * share)))
        if (shape[axis] - length) % 2:
            length += 1 if length == 1 else -1
        left = max(1, left // length)
        start = (shape[axis] - length) // 2
        found[axis] = slice(start, start + length)
    return tuple(found[axis] for axis in range(len(shape)))


def spread_over(shape: Shape, most: int) -> list[Region]:
    """Return the middles of the halves of a lattice along each axis, ``most`` nodes in all."""
    halves = [[(0, n)] if n == 1 else [(0, n // 2), (n - n // 2, n)] for n in shape]
    parts = list(itertools.product(*halves))
    regions = []
    for part in parts:
        inner = middle_of(tuple(stop - start for start, stop in part), max(1, most // len(parts)))
        regions.append(
            tuple(slice(a + s.start, a + s.stop) for (a, _), s in zip(part, inner, strict=True))
        )
    return regions
