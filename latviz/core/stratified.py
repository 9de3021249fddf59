"""Which nodes stand for a whole lattice: one at random in each cell of an even grid."""

import numpy as np
from numpy.typing import NDArray

SAMPLE = 4096
"""Signatures that a codebook is learned from where all of them would take too long."""
SAMPLE_EXACT = 256
"""From how many clusters down that learning is exact."""

Nodes = tuple[NDArray[np.int64], NDArray[np.int64]]


def stratified_nodes(shape: tuple[int, int], size: int, seed: int = 0) -> Nodes:
    """Return about ``size`` nodes of an image, one at random in each cell of an even grid.

    All nodes are returned if there are no more than ``size``. Rows and columns are int64 arrays,
    sorted by row.
    """
    height, width = shape
    if height * width <= size:
        rows, columns = np.divmod(np.arange(height * width), width)
        return rows, columns
    n_rows = min(height, max(1, round(np.sqrt(size * height / width))))
    n_columns = min(width, max(1, size // n_rows))
    n_rows = min(height, max(1, size // n_columns))
    rng = np.random.default_rng(seed)
    rows = _one_in_each(height, n_rows, n_columns, rng)
    columns = _one_in_each(width, n_columns, n_rows, rng).T
    order = np.argsort(rows, axis=None, kind="stable")
    return rows.reshape(-1)[order], columns.reshape(-1)[order]


def _one_in_each(
    length: int, n_cells: int, n_draws: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return a position in each of n_cells parts of an axis, shape (n_cells, n_draws)."""
    starts = np.arange(n_cells) * length // n_cells
    stops = np.arange(1, n_cells + 1) * length // n_cells
    return rng.integers(starts[:, None], stops[:, None], (n_cells, n_draws))
