"""Signatures: what the window around each node holds (paper 2.4, 3.2)."""

import math
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import check_integer, check_memory, check_symbols, check_window
from latviz.core.data.data_set import Several, gathered, given_back, read_each
from latviz.core.data.fixed_point import FixedPoint, Lattice, shape_of
from latviz.core.data.lattice import fit_window
from latviz.core.types import Floats, Nodes, OneLattice, Signature
from latviz.core.windows.nodes import are_few, totals_at
from latviz.core.windows.window_sums import Source, counts, each_plane


def symbol_source(symbols: NDArray[Any], n_symbols: int) -> Source:
    """Return the source of the discrete signature, the counts of the window's symbols."""
    return counts(symbols, n_symbols)


def vector_source(vectors: FixedPoint) -> Source:
    """Return the source of the Gaussian signature, the sums of the window's vectors."""
    shape, n_channels = vectors.values.shape[:-1], vectors.values.shape[-1]
    return Source(vectors.values, shape, n_channels, np.int64)


@overload
def window_signature(observations: Several, n_symbols: int, window: int) -> list[Signature]: ...


@overload
def window_signature(
    observations: OneLattice | FixedPoint, n_symbols: int, window: int
) -> Signature: ...


def window_signature(observations: Any, n_symbols: int, window: int) -> Any:
    """Return the signature of every node, shape (*shape, M); a list for a data set.

    Parameters
    ----------
    observations : ndarray, shape (*shape), or FixedPoint, or a list or tuple of these
        Symbols 0..M-1, or vectors.
    n_symbols : int
        M.
    window : int
        Half-width w >= 0.

    Returns
    -------
    ndarray, shape (*shape, M), float32 or float64, or a list of them
        Discrete: the share of each symbol in the clipped window; rows sum to 1. The paper's
        algorithms divide by M; its text (a sample probability) asks for n_t, as here.
        Gaussian: the mean of the clipped window; float64 if vectors are so far from 0, so large
        or so small that float32 could not tell them apart.

    Raises
    ------
    ParameterError
        If an observation holds anything but symbols 0..M-1, or the window is negative.
    """

    def read(lattice: Any) -> Lattice:
        return lattice if isinstance(lattice, FixedPoint) else check_symbols(lattice, n_symbols)

    check_integer("n_symbols", n_symbols, 1, 65536), check_window(window)
    lattices = read_each(observations, read)
    shapes = [shape_of(lattice) for lattice in lattices]
    found = gathered(shapes, lambda k: signatures(lattices[k], n_symbols, window))
    return given_back(observations, found)


def signatures(
    lattice: Lattice, n_symbols: int, window: int, origin: Floats | None = None
) -> Signature:
    """Return `window_signature` of one lattice that was checked, less an origin (M,)."""
    source, scales, offsets, dtype = _described(lattice, n_symbols, origin)
    window = fit_window(window, source.shape)
    shape = (*source.shape, source.n_channels)
    check_memory(f"signatures of shape {shape}", math.prod(shape) * np.dtype(dtype).itemsize)
    out: Signature = np.empty(shape, dtype=dtype)

    def visit(plane: Any, layers: int, output: Any, start: int, stop: int) -> None:
        columns = source.columns(plane.shape[1])
        kernels.windows.averages(
            plane, window, start, stop, columns, layers, scales, offsets, output
        )

    each_plane(source, window, out, visit)
    return out


def signature_at(lattice: Lattice, n_symbols: int, window: int, nodes: Nodes) -> Signature:
    """Return the signatures at some nodes of an image, shape (n_nodes, M).

    ``nodes`` are rows and columns, sorted by row. Symbols are trusted to be from 0 to M-1.
    Otherwise as `window_signature`.
    """
    source, scales, offsets, dtype = _described(lattice, n_symbols)
    _, width = source.shape
    window = fit_window(window, source.shape)
    if are_few(lattice, n_symbols, window, nodes[0].size):
        return totals_at(lattice, n_symbols, window, nodes).signatures()
    out: Signature = np.empty((nodes[0].size, n_symbols), dtype=dtype)

    def task(start: int, stop: int) -> None:
        rows, columns = (axis[start:stop] for axis in nodes)
        sums, part = source.columns(width), out[start:stop]
        kernels.windows.averages_at(
            source.values, window, rows, columns, sums, scales, offsets, part
        )

    threads.over_rows(len(out), task)
    return out


def _described(
    lattice: Lattice, n_symbols: int, origin: Floats | None = None
) -> tuple[Source, Floats, Floats, type[np.floating[Any]]]:
    """Return what is summed, its units and zeros less the origin, and the type of averages."""
    if isinstance(lattice, FixedPoint):
        offsets = lattice.offsets if origin is None else lattice.offsets - origin
        return vector_source(lattice), lattice.scales, offsets, lattice.signature_dtype(origin)
    return symbol_source(lattice, n_symbols), np.ones(n_symbols), np.zeros(n_symbols), np.float32
