"""Progressive decoding, coarse nodes first: the quadtree of the paper's future work (4.3)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.decoding import Lattice, States, decode
from latviz.core.fixed_point import FixedPoint
from latviz.core.lattice import fit_window
from latviz.core.nodes import Nodes, totals_at
from latviz.core.progress import Cancelled, Progress

Region = tuple[slice, ...]
Shape = tuple[int, ...]

MOST_CELLS = 1 << 16
"""Of the first level, at most."""
FIRST_COST = 1 << 22
"""Nodes in the windows of the first level's cells, at most (but for a lattice of one cell)."""
BAND = 1 << 22
"""Nodes that the last level decodes at a time."""


@dataclass(frozen=True, eq=False)
class Level:
    """A decoding of one node in each cell of a region.

    Attributes
    ----------
    side : int
        The cells' side in nodes, a power of two; 1 is the decoding itself.
    region : tuple of d slices
        The nodes that the cells cover; it starts at multiples of ``side``.
    states : ndarray, one entry a cell, uint8
        The state of the node in the middle of each cell, as `decode` gives it.
    """

    side: int
    region: Region
    states: States


def decode_levels(
    lattice: Lattice,
    codebook: NDArray[np.float64],
    window: int,
    *,
    visible: Region | None = None,
    progress: Progress | None = None,
) -> Iterator[Level]:
    """Decode a lattice coarsely first, then finer, and yield each level as soon as it is there.

    The first level covers the whole lattice and costs the same however large that is. Of the
    finer ones, which have a quarter of the side, those that cover the visible region come first.
    The last level is what `decode` returns, bit for bit.

    Parameters
    ----------
    lattice : ndarray, shape (*shape), or FixedPoint
        Symbols 0..M-1 or vectors; d from 1 to 3.
    codebook : ndarray, shape (N, M), float64
        B or the means.
    window : int
        Half-width w >= 0.
    visible : tuple of d slices, optional
        What to refine first.
    progress : Progress, optional
        Told of the fraction done of the last level; asked between levels and parts of the last.

    Raises
    ------
    ParameterError
        If the lattice has more than three dimensions.
    Cancelled
        If ``progress`` says so.
    """
    shape = shape_of(lattice)
    window = fit_window(window, shape)
    for side, region in plan(shape, window, visible):
        if progress is not None and progress.cancelled():
            raise Cancelled
        if side > 1:
            nodes, cells = cell_nodes(region, shape, side)
            totals = totals_at(lattice, codebook.shape[1], window, nodes)
            yield Level(side, region, totals.decode(codebook).reshape(cells))
        else:
            yield Level(side, region, _decoded(lattice, codebook, window, region, progress))


def plan(shape: Shape, window: int, visible: Region | None) -> list[tuple[int, Region]]:
    """Return the side and the region of each level, in order."""
    whole = tuple(slice(0, length) for length in shape)
    first = coarsest_side(shape, window)
    levels = [(first, whole)] if first > 1 else []
    seen = whole if visible is None else _clipped(visible, shape)
    if seen != whole:
        finer = _finer_sides(_lengths(seen), window, first)
        levels += [(side, _aligned(seen, shape, side)) for side in finer]
    return levels + [(side, whole) for side in _finer_sides(shape, window, first)]


def coarsest_side(shape: Shape, window: int) -> int:
    """Return the side of the first level's cells: the least that keeps it cheap."""
    side, across = 1, (2 * window + 1) ** len(shape)
    while side < max(shape):
        n_cells = _n_cells(shape, side)
        if n_cells <= MOST_CELLS and n_cells * across <= FIRST_COST:
            break
        side *= 2
    return side


def cell_nodes(region: Region, shape: Shape, side: int) -> tuple[Nodes, Shape]:
    """Return the node in the middle of each cell of a region, and how many cells it has."""
    axes = [
        np.minimum(np.arange(s.start, s.stop, side) + side // 2, length - 1)
        for s, length in zip(region, shape, strict=True)
    ]
    grid = np.meshgrid(*axes, indexing="ij")
    return tuple(axis.reshape(-1) for axis in grid), grid[0].shape


def shape_of(lattice: Lattice) -> Shape:
    """Return the shape of a lattice without its channels."""
    return lattice.values.shape[:-1] if isinstance(lattice, FixedPoint) else lattice.shape


def _finer_sides(shape: Shape, window: int, side: int) -> list[int]:
    """Return the sides below one, as long as single windows cost less than all of them."""
    sides, across = [], (2 * window + 1) ** len(shape)
    while (side := side // 4) > 1 and _n_cells(shape, side) * across <= np.prod(shape):
        sides.append(side)
    return [*sides, 1]


def _n_cells(shape: Shape, side: int) -> int:
    return int(np.prod([-(-length // side) for length in shape]))


def _clipped(region: Region, shape: Shape) -> Region:
    bounds = [s.indices(length)[:2] for s, length in zip(region, shape, strict=True)]
    if any(start >= stop for start, stop in bounds):
        return tuple(slice(0, length) for length in shape)
    return tuple(slice(start, stop) for start, stop in bounds)


def _aligned(region: Region, shape: Shape, side: int) -> Region:
    """Return the whole cells that hold a region."""
    return tuple(
        slice(s.start // side * side, min(length, -(-s.stop // side) * side))
        for s, length in zip(region, shape, strict=True)
    )


def _lengths(region: Region) -> Shape:
    return tuple(s.stop - s.start for s in region)


def _decoded(
    lattice: Lattice,
    codebook: NDArray[np.float64],
    window: int,
    region: Region,
    progress: Progress | None,
) -> States:
    """Decode a region in bands, between which the computation can be stopped."""
    lengths = _lengths(region)
    states = np.empty(lengths, dtype=np.uint8)
    n_rows = max(8 * window, BAND * lengths[0] // states.size, 1)
    bounds = [*range(0, lengths[0], n_rows), lengths[0]]
    for start, stop in pairwise(bounds):
        if progress is not None and progress.cancelled():
            raise Cancelled
        rows = slice(region[0].start + start, region[0].start + stop)
        states[start:stop] = _decoded_part(lattice, codebook, window, (rows, *region[1:]))
        if progress is not None:
            progress.report(stop / lengths[0])
    return states


def _decoded_part(
    lattice: Lattice, codebook: NDArray[np.float64], window: int, region: Region
) -> States:
    """Decode a region from the nodes that its windows hold, and as many as a whole window has.

    With fewer the fixed point of the scores could be finer than that of the lattice.
    """
    across = 2 * window + 1
    around = tuple(
        slice(
            max(0, min(s.start - window, length - across)),
            min(length, max(s.stop + window, across)),
        )
        for s, length in zip(region, shape_of(lattice), strict=True)
    )
    inner = tuple(
        slice(s.start - a.start, s.stop - a.start) for s, a in zip(region, around, strict=True)
    )
    return decode(_cut(lattice, around), codebook, window)[inner]


def _cut(lattice: Lattice, region: Region) -> Any:
    if isinstance(lattice, FixedPoint):
        return replace(lattice, values=lattice.values[region])
    return lattice[region]
