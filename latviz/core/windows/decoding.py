"""Decoding: every node takes the state nearest to its signature (Algorithms 2, 3, 6, 7)."""

from typing import Any

import numpy as np

from latviz.core import kernels
from latviz.core.data.fixed_point import FixedPoint, Lattice
from latviz.core.data.lattice import fit_window
from latviz.core.types import Matrix, States
from latviz.core.windows.signature import vector_source
from latviz.core.windows.window_sums import each_plane, looked_up

SHORT = 1 << 22
"""Half-widths below this sum fewer than 2^23 numbers of 32 bits along a row: 55 bits at most."""


def decode(lattice: Lattice, codebook: Matrix, window: int) -> States:
    """Return the state of each node, shape (*shape), uint8.

    The state is the j of least ||x_t - codebook[j]||, ties to the smallest. Signatures are not
    formed for symbols: n_t |B_j|^2 - 2 sum B_j[o_s] over the window orders the states alike, and
    is a window sum of a table over the symbols, so the cost depends neither on w nor on M. It is
    summed in fixed point: states whose mean squared distances differ by less than 1e-6 may swap.

    Parameters
    ----------
    lattice : ndarray, shape (*shape), or FixedPoint
        Symbols 0..M-1, or vectors in R^M.
    codebook : ndarray, shape (N, M), float64
        B (rows of the simplex) or the means.
    window : int
        Half-width w >= 0.
    """
    if isinstance(lattice, FixedPoint):
        return _decode_vectors(lattice, codebook, window)
    window = fit_window(window, lattice.shape)
    squares = (codebook**2).sum(axis=1)
    source = looked_up(lattice, (squares[:, None] - 2 * codebook).T, window).in_lanes()
    by_groups, reach = source.table_in_lanes(), min(window, source.shape[-1])
    small = source.dtype is np.int32 and reach < SHORT
    kernel = kernels.lanes8.least_small_scores if small else kernels.lanes8.least_scores
    states = np.empty(source.shape, dtype=np.uint8)

    def visit(plane: Any, _layers: int, output: Any, start: int, stop: int) -> None:
        table = by_groups if plane.ndim == 2 else None
        columns = source.columns_in_lanes(plane.shape[1], reach)
        kernel(plane, table, window, start, stop, columns, reach, len(codebook), output)

    each_plane(source, window, states, visit)
    return states


def _decode_vectors(vectors: FixedPoint, means: Matrix, window: int) -> States:
    source = vector_source(vectors)
    window = fit_window(window, source.shape)
    states = np.empty(source.shape, dtype=np.uint8)
    centred = means - vectors.offsets

    def visit(plane: Any, layers: int, output: Any, start: int, stop: int) -> None:
        columns, scales = source.columns(plane.shape[1]), vectors.scales
        kernels.windows.nearest_means(
            plane, window, start, stop, columns, layers, scales, centred, output
        )

    each_plane(source, window, states, visit)
    return states
