"""Decoding: every node takes the state nearest to its signature (Algorithms 2, 3, 6, 7).

All at once, or coarse nodes first: the quadtree of the paper's future work (4.3).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.data.data_set import DataSet
from latviz.core.data.fixed_point import (
    FixedPoint,
    Lattice,
    SymbolLattice,
    known_of,
    numbers_of,
    shape_of,
    sides_in,
)
from latviz.core.data.lattice import reach
from latviz.core.data.masks import hide
from latviz.core.progress import Progress, shares, stop_if_cancelled
from latviz.core.types import Matrix, Nodes, Region, Shape, States, Window
from latviz.core.values import Value
from latviz.core.windows import end_to_end
from latviz.core.windows.nodes import Totals, totals_at
from latviz.core.windows.parts import around, bands
from latviz.core.windows.scores import scores, summed_scores
from latviz.core.windows.signature import vector_source
from latviz.core.windows.window_sums import blank_row, each_plane, in_vectors, vector_columns

PART = 1 << 12
"""Nodes of a sequence that are swept at a time, so that their sums stay in cache."""


def decode(lattice: Lattice, codebook: Matrix, window: Window) -> States:
    """Return the state of each node, the j of least ||x_t - codebook[j]||, (*shape) uint8."""
    # Ties go to the smallest. Signatures are not formed for symbols: n_t |B_j|^2 - 2 sum B_j[o_s]
    # over the window orders the states in the same way, and is a window sum of a table over the
    # symbols, so the time depends neither on w nor on M. It is summed in fixed point: states whose
    # mean squared distances differ by less than 1e-6 may swap. codebook (N, M), or (N, k M) of k
    # windows, concatenated
    if isinstance(window, tuple):
        states = end_to_end.decode(lattice, codebook, window)
    elif isinstance(lattice, FixedPoint):
        states = _decode_vectors(lattice, codebook, sides_in(lattice, window))
    else:
        states = _decode_symbols(lattice, codebook, sides_in(lattice, window))
    return hide(states, known_of(lattice))


def _decode_symbols(
    lattice: NDArray[Any] | SymbolLattice, codebook: Matrix, sides: Shape
) -> States:
    shape, symbols, window = shape_of(lattice), numbers_of(lattice), sides[-1]
    found = scores(shape, codebook, sides, is_masked=known_of(lattice) is not None)
    source = found.source(symbols, 8 if found.keys is np.int32 else 1)
    summed = in_vectors(source, found.sums, found.keys)
    states = np.empty(source.shape, dtype=np.uint8)

    def visit(plane: Any, _layers: int, output: Any, start: int, stop: int) -> None:
        width = plane.shape[1]
        columns, least = summed.rooms(width, min(window, width))
        row, blank = np.empty(least.size, dtype=np.uint8), blank_row(plane)
        kernels.sweeps.least_scores(
            plane, summed.tables, blank, window, start, stop, columns, least, row, output
        )

    def along(start: int, stop: int) -> None:
        size = min(stop - start, max(PART, 4 * window)) + 2 * window
        columns, least = summed.rooms(size, window)
        row = np.empty(least.size, dtype=np.uint8)
        kernels.sweeps.least_scores_along(
            summed.source.values, summed.tables, window, start, stop, columns, least, row, states
        )

    def slices(start: int, stop: int) -> None:
        height, width = states.shape[1:]
        columns, least = summed.rooms(width, min(window, width))
        row = np.empty(least.size, dtype=np.uint8)
        slab = np.empty((height, width, summed.source.n_channels), dtype=summed.sums)
        kernels.sweeps.least_scores_of_slices(
            summed.source.values, summed.tables, np.zeros_like(slab[0]), window, start, stop,
            slab, columns, least, row, states,
        )  # fmt: skip

    work = summed.source.n_channels / 8  # of a node
    if states.ndim == 1:
        threads.over_rows(states.size, along, work)
    elif states.ndim == 3 and len(set(sides)) == 1:
        threads.over_rows(len(states), slices, 2 * work * states[0].size)
    else:
        each_plane(summed.source, sides, states, visit, work=work)
    return states


def _decode_vectors(vectors: FixedPoint, means: Matrix, sides: Shape) -> States:
    source, window = vector_source(vectors), sides[-1]
    states = np.empty(source.shape, dtype=np.uint8)
    norms, slopes = summed_scores(vectors, means)

    def visit(plane: Any, layers: int, output: Any, start: int, stop: int) -> None:
        columns = vector_columns(plane, window)
        kernels.sweeps.nearest_means(
            plane, blank_row(plane), window, start, stop, columns, layers, norms, slopes, output
        )

    each_plane(source, sides, states, visit, work=1 + means.size / 12)
    return states


MOST_CELLS = 1 << 14
"""Number of cells that the first level has at most."""
FIRST_COST = 1 << 23
"""Nodes in the windows of the first level's cells, at most (but for a lattice of one cell)."""
BAND = 1 << 22
"""Nodes that the last level decodes at a time."""


@dataclass(frozen=True, eq=False)
class CoarseStates(Value):
    """A decoding of one node in each cell of a region.

    Attributes
    ----------
    side : int
        The cells' side in nodes, a power of two; 1 is the decoding itself.
    region : tuple of d slices
        The nodes that the cells cover; it starts at multiples of ``side``.
    states : ndarray, one entry per cell, uint8
        The state of the node in the middle of each cell, as in `decode`.
    totals : Totals or None
        The windows of these nodes; None for a side of 1, which needs none.

    Examples
    --------
    >>> model = DiscreteModel(A=np.eye(2), B=np.eye(2), window=0)
    >>> *_, last = model.decode_coarse_to_fine(np.array([[0, 1], [1, 1]]))
    >>> last.side, last.states.tolist()
    (1, [[0, 1], [1, 1]])
    """

    side: int
    region: Region
    states: States
    totals: Totals | None = None


def decode_coarse_to_fine(
    lattice: Lattice,
    codebook: Matrix,
    window: int,
    *,
    visible: Region | None = None,
    progress: Progress | None = None,
) -> Iterator[CoarseStates]:
    """Decode a lattice coarsely first, then finer; yield each level as soon as it is there."""
    # The first level covers the whole lattice at a cost that does not grow with its size. Of the
    # finer ones, each a quarter of the side, those that cover the visible region come first. The
    # last level equals `decode`, bit for bit. d from 1 to 3. Progress is that of the last level;
    # cancelling works between levels and parts of the last
    yield from coarse_levels(lattice, codebook, window, visible=visible, progress=progress)
    states = decode_in_bands(lattice, codebook, window, progress)
    yield CoarseStates(1, _whole(states.shape), states)


def coarse_levels(
    lattice: Lattice,
    codebook: Matrix,
    window: int,
    *,
    visible: Region | None = None,
    progress: Progress | None = None,
) -> Iterator[CoarseStates]:
    """Yield the levels of `decode_coarse_to_fine`, except the last."""
    shape, sides = shape_of(lattice), sides_in(lattice, window)
    for side, region in plan(shape, sides, visible)[:-1]:
        stop_if_cancelled(progress)
        if side > 1:
            nodes, cells = cell_nodes(region, shape, side)
            totals = totals_at(lattice, codebook.shape[1], window, nodes)
            yield CoarseStates(side, region, totals.decode(codebook).reshape(cells), totals)
        else:
            yield CoarseStates(side, region, _decoded_part(lattice, codebook, window, region))


def decode_in_bands(
    lattice: Lattice,
    codebook: Matrix,
    window: Window,
    progress: Progress | None = None,
) -> States:
    """Return `decode`; between bands of a large lattice it can be cancelled."""
    shape = shape_of(lattice)
    n_nodes = int(np.prod(shape))
    if n_nodes <= BAND:
        stop_if_cancelled(progress)
        return decode(lattice, codebook, window)
    states = np.empty(shape, dtype=np.uint8)
    for rows in bands(shape, BAND, 8 * sides_in(lattice, reach(window))[0]):
        stop_if_cancelled(progress)
        band = (rows, *_whole(shape[1:]))
        states[rows] = _decoded_part(lattice, codebook, window, band)
        if progress is not None:
            progress.report(rows.stop / shape[0])
    return states


def decode_each(
    data: DataSet, codebook: Matrix, window: Window, progress: Progress | None = None
) -> list[States]:
    """Return the states of each lattice of a data set, (*shape) uint8; see `decode`."""
    parts = shares(progress, [math.prod(shape) for shape in data.shapes])

    def decoded(lattice: Lattice) -> States:
        part = next(parts)
        states = decode_in_bands(lattice, codebook, window, part)
        if part is not None:
            part.report(1.0)
        return states

    return data.each(decoded)


def plan(shape: Shape, sides: Shape, visible: Region | None) -> list[tuple[int, Region]]:
    """Return the side and the region of each level, in order."""
    whole = _whole(shape)
    first = coarsest_side(shape, sides)
    levels = [(first, whole)] if first > 1 else []
    seen = whole if visible is None else clipped(visible, shape)
    if seen != whole:
        finer = _finer_sides(tuple(s.stop - s.start for s in seen), sides, first)
        levels += [(side, _aligned(seen, shape, side)) for side in finer]
    return levels + [(side, whole) for side in _finer_sides(shape, sides, first)]


def coarsest_side(shape: Shape, sides: Shape) -> int:
    """Return the side of the first level's cells: the least that keeps it cheap."""
    side, across = 1, math.prod(2 * one + 1 for one in sides)
    while side < max(shape):
        n_cells = _n_cells(shape, side)
        if n_cells <= MOST_CELLS and n_cells * across <= FIRST_COST:
            break
        side *= 2
    return side


def cell_nodes(region: Region, shape: Shape, side: int) -> tuple[Nodes, Shape]:
    """Return the node in the middle of each cell of a region, and the number of cells."""
    axes = [
        np.minimum(np.arange(s.start, s.stop, side) + side // 2, length - 1)
        for s, length in zip(region, shape, strict=True)
    ]
    grid = np.meshgrid(*axes, indexing="ij")
    return tuple(axis.reshape(-1) for axis in grid), grid[0].shape


def _finer_sides(shape: Shape, across: Shape, side: int) -> list[int]:
    """Return the sides below one, while single windows take less time than all of them."""
    sides, held = [], math.prod(2 * one + 1 for one in across)
    while (side := side // 4) > 1 and _n_cells(shape, side) * held <= np.prod(shape):
        sides.append(side)
    return [*sides, 1]


def _n_cells(shape: Shape, side: int) -> int:
    return int(np.prod([-(-length // side) for length in shape]))


def clipped(region: Region, shape: Shape) -> Region:
    """Return the part of a region that is inside a lattice, or all of the lattice."""
    bounds = [s.indices(length)[:2] for s, length in zip(region, shape, strict=True)]
    if any(start >= stop for start, stop in bounds):
        return _whole(shape)
    return tuple(slice(start, stop) for start, stop in bounds)


def _aligned(region: Region, shape: Shape, side: int) -> Region:
    """Return the whole cells that hold a region."""
    return tuple(
        slice(s.start // side * side, min(length, -(-s.stop // side) * side))
        for s, length in zip(region, shape, strict=True)
    )


def _whole(shape: Shape) -> Region:
    return tuple(slice(0, length) for length in shape)


def _decoded_part(lattice: Lattice, codebook: Matrix, window: Window, region: Region) -> States:
    part, inner = around(lattice, region, reach(window))
    return decode(part, codebook, window)[inner]
