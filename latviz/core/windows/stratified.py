"""Which nodes stand for a whole lattice: one at random in each cell of an even grid."""

import math

import numpy as np
from numpy.typing import NDArray

SAMPLE = 4096
"""Signatures that a codebook is learned from where all of them would take too long."""
SAMPLE_EXACT = 256
"""From how many clusters down that learning is exact."""

Nodes = tuple[NDArray[np.int64], ...]


def stratified_nodes(shape: tuple[int, ...], size: int, seed: int = 0) -> Nodes:
    """Return about ``size`` nodes of a lattice, one at random in each cell of an even grid.

    All nodes are returned if there are no more than ``size``. There is an int64 array for each
    axis; they are sorted by all axes but the last, those of a sequence by position.
    """
    n_nodes = math.prod(shape)
    if n_nodes <= size:
        return tuple(np.indices(shape).reshape(len(shape), n_nodes))
    cells, rng = _cells(shape, size), np.random.default_rng(seed)
    axes = []
    for axis, (length, n_cells) in enumerate(zip(shape, cells, strict=True)):
        others = cells[:axis] + cells[axis + 1 :]
        drawn = _one_in_each(length, n_cells, math.prod(others), rng)
        axes.append(np.moveaxis(drawn.reshape(n_cells, *others), 0, axis).reshape(-1))
    order = np.lexsort(axes[-2::-1] or axes)
    return tuple(axis[order] for axis in axes)


def _cells(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return how many cells, about as long as wide, to cut each axis into: at most ``size``."""
    cells = list[int]()
    for axis, length in enumerate(shape):
        left = max(1, size // math.prod(cells))
        side = (math.prod(shape[axis:]) / left) ** (1 / (len(shape) - axis))
        cells.append(min(length, max(1, round(length / side))))
    for axis, length in enumerate(shape[:-1]):
        others = math.prod(cells) // cells[axis]
        cells[axis] = min(length, max(1, size // others))
    return tuple(cells)


def _one_in_each(
    length: int, n_cells: int, n_draws: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return a position in each of n_cells parts of an axis, shape (n_cells, n_draws)."""
    starts = np.arange(n_cells) * length // n_cells
    stops = np.arange(1, n_cells + 1) * length // n_cells
    return rng.integers(starts[:, None], stops[:, None], (n_cells, n_draws))
