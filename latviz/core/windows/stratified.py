"""Nodes that represent a whole lattice: random ones in each cell of an even grid.

Turning or mirroring the lattice turns or mirrors its nodes, which keeps their signatures.
"""

from __future__ import annotations  # numpy.random is loaded when nodes are drawn

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from latviz.core import data as core_data
from latviz.core.data.fixed_point import Lattice, known_of, shape_of
from latviz.core.data.lattice import frozen
from latviz.core.types import Counts, Nodes, Shape

SAMPLE = 4096
"""Signatures that a codebook is learned from where all of them would take too long."""
SAMPLE_EXACT = 256
"""Number of clusters from which down that learning is exact."""


def stratified_nodes(shape: Shape, size: int) -> Nodes:
    """Return about ``size`` nodes of a lattice, spread evenly, in order: an int64 array an axis."""
    # All nodes if there are no more. They are drawn in one corner, one in each cell of an even
    # grid. Their mirror images along any axis and, for d <= 3, their rotations are added
    n_nodes = math.prod(shape)
    if n_nodes <= size:
        return tuple(np.indices(shape).reshape(len(shape), n_nodes))
    by_length = sorted(range(len(shape)), key=lambda axis: shape[axis])
    lengths = tuple(shape[axis] for axis in by_length)
    turns, long = _turns(lengths), [axis for axis, length in enumerate(lengths) if length > 1]
    corner = tuple((length + 1) // 2 for length in lengths)
    drawn = _drawn(corner, max(1, size // (len(turns) << len(long))))
    turned = np.concatenate([drawn[turn] for turn in turns], axis=1)
    for axis in long:
        mirrored = turned.copy()
        mirrored[axis] = lengths[axis] - 1 - mirrored[axis]
        turned = np.concatenate([turned, mirrored], axis=1)
    flat = np.ravel_multi_index([turned[by_length.index(k)] for k in range(len(shape))], shape)
    # Kernels are compiled for contiguous places only.
    return tuple(np.ascontiguousarray(axis) for axis in np.unravel_index(np.unique(flat), shape))


def _turns(lengths: Shape) -> list[list[int]]:
    """Return the orders of the axes of a lattice that keep its shape."""
    if len(lengths) > 3:  # d! orders are too many
        return [list(range(len(lengths)))]
    orders = itertools.permutations(range(len(lengths)))
    return [list(order) for order in orders if tuple(lengths[k] for k in order) == lengths]


def _drawn(shape: Shape, size: int) -> NDArray[np.int64]:
    """Return a node at random in each cell of an even grid, (d, n)."""
    cells, rng = _cells(shape, size), np.random.default_rng(0)
    axes = []
    for axis, (length, n_cells) in enumerate(zip(shape, cells, strict=True)):
        others = cells[:axis] + cells[axis + 1 :]
        drawn = _one_in_each(length, n_cells, math.prod(others), rng)
        axes.append(np.moveaxis(drawn.reshape(n_cells, *others), 0, axis).reshape(-1))
    return np.stack(axes)


def by_lattice(nodes: Nodes, n_lattices: int) -> list[Nodes]:
    """Return some nodes of a stack of lattices, (n_lattices, *shape), as those of each lattice."""
    # The first axis of ``nodes``, by which they are sorted, is the lattice
    first, *axes = nodes
    ends = np.searchsorted(first, np.arange(n_lattices + 1)).tolist()
    return [tuple(axis[a:b] for axis in axes) for a, b in pairwise(ends)]


def sample_nodes(data: core_data.data_set.DataSet, size: int = SAMPLE) -> list[Nodes]:
    """Return about ``size`` nodes of a data set, of any d, spread evenly over each lattice."""
    return spread_over_known(data.lattices, size)


def spread_over_known(lattices: Sequence[Lattice], size: int = SAMPLE) -> list[Nodes]:
    """Return `spread_nodes` of lattices, without their unknown nodes."""
    shapes, masks = list(map(shape_of, lattices)), list(map(known_of, lattices))
    if all(known is None for known in masks):
        return spread_nodes(shapes, size)
    pairs = zip(masks, shapes, strict=True)
    n_known = sum(math.prod(s) if m is None else int(np.count_nonzero(m)) for m, s in pairs)
    nodes = spread_nodes(shapes, max(1, size * sum(map(math.prod, shapes)) // n_known))
    return [
        some if known is None else tuple(frozen(axis[known[some]]) for axis in some)
        for some, known in zip(nodes, masks, strict=True)
    ]


def spread_nodes(shapes: Sequence[Shape], size: int = SAMPLE) -> list[Nodes]:
    """Return about ``size`` nodes of lattices of any d, evenly spread over each."""
    share = size / sum(map(math.prod, shapes))
    return [_spread(shape, max(1, round(share * math.prod(shape)))) for shape in shapes]


@lru_cache(maxsize=64)
def _spread(shape: Shape, size: int) -> Nodes:
    return tuple(frozen(axis) for axis in stratified_nodes(shape, size))


def _cells(shape: Shape, size: int) -> Shape:
    """Return the number of nearly square cells along each axis: at most ``size`` in all."""
    cells = list[int]()
    for axis, length in enumerate(shape):
        left = max(1, size // math.prod(cells))
        side = (math.prod(shape[axis:]) / left) ** (1 / (len(shape) - axis))
        cells.append(min(length, max(1, round(length / side))))
    for axis, length in enumerate(shape[:-1]):
        others = math.prod(cells) // cells[axis]
        cells[axis] = min(length, max(1, size // others))
    return tuple(cells)


def _one_in_each(length: int, n_cells: int, n_draws: int, rng: np.random.Generator) -> Counts:
    """Return a position in each of n_cells parts of an axis, shape (n_cells, n_draws)."""
    starts = np.arange(n_cells) * length // n_cells
    stops = np.arange(1, n_cells + 1) * length // n_cells
    return rng.integers(starts[:, None], stops[:, None], (n_cells, n_draws))
