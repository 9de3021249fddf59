"""Signatures: summaries of the window around each node (paper 2.4, 3.2)."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import check_integer, check_memory, check_symbols, check_windows
from latviz.core.data.data_set import Several, given_back, read_each
from latviz.core.data.fixed_point import (
    FixedPoint,
    Lattice,
    SymbolLattice,
    known_of,
    numbers_of,
    shape_of,
    sides_in,
    spaced,
    spacing_of,
)
from latviz.core.data.lattice import along_axes, window_sizes
from latviz.core.data.stacks import gathered
from latviz.core.renamed import renamed
from latviz.core.types import Floats, Nodes, OneLattice, Shape, Signature, Window
from latviz.core.windows.nodes import are_few, totals_at
from latviz.core.windows.window_sums import (
    Source,
    blank_row,
    counts,
    each_plane,
    in_vectors,
    vector_columns,
)

_AT_A_TIME = 256
"""Symbols that are counted in a sweep: their one-hot table has to stay small."""


def vector_source(vectors: FixedPoint) -> Source:
    """Return the source of the Gaussian signature, the sums of the window's vectors."""
    shape, n_channels = vectors.values.shape[:-1], vectors.values.shape[-1]
    return Source(vectors.values, shape, n_channels, np.int64)


@overload
def window_signature(
    observations: Several, *, n_symbols: int, window: Window
) -> list[Signature]: ...


@overload
def window_signature(
    observations: OneLattice | FixedPoint, *, n_symbols: int, window: Window
) -> Signature: ...


@renamed("observations n_symbols window")
def window_signature(observations: Any, *, n_symbols: int, window: Window) -> Any:
    """Return the signature of every node, shape (*shape, M); a list for a data set.

    Parameters
    ----------
    observations : ndarray, shape (*shape), or FixedPoint, or a list or tuple of these
        Symbols 0..M-1, or vectors.
    n_symbols : int
        M.
    window : int, or a tuple of int
        Half-width w >= 0, of a volume perhaps one for each of its three axes; signatures of k
        windows are otherwise concatenated, k M numbers per node.

    Returns
    -------
    ndarray, shape (*shape, M), float32 or float64, or a list of them
        Discrete: the share of each symbol in the clipped window; rows sum to 1. The paper's
        algorithms divide by M; its text (a sample probability) implies n_t, as here. Gaussian: the
        mean of the clipped window; float64 if vectors are so far from 0, so large or so small that
        they would be equal in float32.

    Raises
    ------
    ParameterError
        If an observation is not a symbol 0..M-1, or the window is negative.

    Examples
    --------
    >>> print(window_signature([0, 0, 1], n_symbols=2, window=1).round(2))
    [[1.   0.  ]
     [0.67 0.33]
     [0.5  0.5 ]]
    """
    n_symbols = check_integer("n_symbols", n_symbols, 1, 65536)

    def read(lattice: Any) -> Lattice:
        return lattice if isinstance(lattice, FixedPoint) else check_symbols(lattice, n_symbols)

    window = check_windows(window)
    lattices = read_each(observations, read)
    shapes = [shape_of(lattice) for lattice in lattices]
    window, steps = along_axes(window, len(shapes[0]))
    lattices = [spaced(lattice, steps) for lattice in lattices] if steps else lattices
    found = gathered(shapes, lambda k: signatures(lattices[k], n_symbols, window))
    return given_back(observations, found)


def signatures(
    lattice: Lattice, n_symbols: int, window: Window, origin: Floats | None = None
) -> Signature:
    """Return `window_signature` of one lattice that was checked, less an origin (M,)."""
    if isinstance(window, tuple):
        ends = [signatures(lattice, n_symbols, one, origin) for one in window]
        return np.concatenate(ends, axis=-1)
    if not isinstance(lattice, np.ndarray) and lattice.known is not None:
        return _of_known(lattice, n_symbols, window, origin)
    shape = shape_of(lattice)
    out = _room(lattice, n_symbols, shape, origin)
    for averages, group in _averages(lattice, n_symbols, sides_in(lattice, window), origin):
        found = out if group == slice(0, n_symbols) else np.empty_like(out[..., group], order="C")
        each_plane(averages.source, averages.sides, found, averages.of_rows)
        if found is not out:
            out[..., group] = found
    return out


def _of_known(
    lattice: FixedPoint | SymbolLattice, n_symbols: int, window: int, origin: Floats | None
) -> Signature:
    """Return the signatures of known nodes' windows; a window without any has zeros."""
    # Sums are whole, so they follow exactly from averages over all nodes
    shape, sides = shape_of(lattice), sides_in(lattice, window)
    size = window_sizes(shape, sides)[..., None]
    if isinstance(lattice, SymbolLattice):
        found = signatures(replace(lattice, known=None), n_symbols + 1, window)
        exact: Any = {"dtype": np.float64, "casting": "same_kind"}  # part by part, to save memory
        np.rint(np.multiply(found, size, out=found, **exact), out=found)
        held = np.maximum(size - found[..., -1:], 1.0)
        shares = np.empty((*shape, n_symbols), np.float32)
        np.divide(found[..., :-1], held, out=shares, **exact)
        return shares
    check_memory(f"signatures of shape {shape}", 32 * (n_symbols + 1) * math.prod(shape))
    units = np.ones(n_symbols + 1)
    averages = _of_vectors(replace(lattice, scales=units), sides, 0.0 * units)
    sums = np.empty((*shape, n_symbols + 1))
    each_plane(averages.source, sides, sums, averages.of_rows)
    sums = np.rint(sums * size)
    means = sums[..., :-1] / np.maximum(sums[..., -1:], 1.0)
    offsets = lattice.offsets if origin is None else lattice.offsets - origin
    return (offsets + lattice.scales * means).astype(lattice.signature_dtype(origin))


def known_sizes(lattice: Lattice, window: int) -> NDArray[np.int64]:
    """Return the number of known nodes in each clipped window, (*shape)."""
    known = known_of(lattice)
    sizes = window_sizes(shape_of(lattice), sides_in(lattice, window))
    if known is None:
        return sizes
    there = spaced(known.astype(np.uint8), spacing_of(lattice))
    shares = signatures(there, 2, window)[..., 1]
    return np.asarray(np.rint(shares * sizes), dtype=np.int64)


def signature_at(lattice: Lattice, n_symbols: int, window: int, nodes: Nodes) -> Signature:
    """Return the signatures at some nodes of an image, (n_nodes, M), as `window_signature` does."""
    # nodes: rows and columns, sorted by row; symbols are trusted to be below M
    sides = sides_in(lattice, window)
    if are_few(lattice, n_symbols, sides, nodes[0].size):
        return totals_at(lattice, n_symbols, window, nodes).signatures()
    if known_of(lattice) is not None:
        return signatures(lattice, n_symbols, window)[nodes]
    out = _room(lattice, n_symbols, nodes[0].shape)
    for averages, group in _averages(lattice, n_symbols, sides):
        averages.at(nodes, out[:, group])
    return out


def _room(
    lattice: Lattice, n_symbols: int, shape: Shape, origin: Floats | None = None
) -> Signature:
    """Return room for signatures, of the type that keeps them distinct."""
    dtype: type[np.floating[Any]] = np.float32
    if isinstance(lattice, FixedPoint):
        dtype = lattice.signature_dtype(origin)
    shape = (*shape, n_symbols)
    check_memory(f"signatures of shape {shape}", math.prod(shape) * np.dtype(dtype).itemsize)
    return np.empty(shape, dtype=dtype)


@dataclass(frozen=True, eq=False)
class _Averages:
    """The averages of a lattice's windows."""

    source: Source  # the input of the sums
    sides: Shape  # half-widths of the windows along each axis
    # (plane, layers, start, stop, spans, chosen, out) of `kernels.sweeps.symbol_averages`
    write: Callable[..., None]

    def of_rows(self, plane: Any, layers: int, output: Any, start: int, stop: int) -> None:
        """Write the averages of all nodes of some rows."""
        width, n_channels = output.shape[1:]
        spans = np.zeros((stop - start, 3), np.int64)
        spans[:, 1], spans[:, 2] = width, width * np.arange(start, stop)
        flat = output.reshape(-1, n_channels)
        self.write(plane, layers, start, stop, spans, np.arange(width), flat)

    def at(self, nodes: Nodes, out: Signature) -> None:
        """Write the averages at some nodes of an image, sorted by row."""
        threads.over_rows(
            len(out), lambda start, stop: self._of_nodes(nodes, out, start, stop), 8.0
        )

    def _of_nodes(self, nodes: Nodes, out: Signature, start: int, stop: int) -> None:
        rows, columns = (axis[start:stop] for axis in nodes)
        first, last = int(rows[0]), int(rows[-1]) + 1
        ends = np.searchsorted(rows, np.arange(first, last + 1))
        spans = np.stack([ends[:-1], ends[1:], ends[:-1]], axis=1)
        found = np.empty((rows.size, out.shape[1]), dtype=out.dtype)
        self.write(self.source.values, 1, first, last, spans, columns, found)
        out[start:stop] = found


def _averages(
    lattice: Lattice, n_symbols: int, sides: Shape, origin: Floats | None = None
) -> Iterator[tuple[_Averages, slice]]:
    """Yield functions that average windows, with their channels: many symbols in several groups."""
    if isinstance(lattice, FixedPoint):
        offsets = lattice.offsets if origin is None else lattice.offsets - origin
        yield _of_vectors(lattice, sides, offsets), slice(0, n_symbols)
        return
    symbols = numbers_of(lattice)
    for first in range(0, n_symbols, _AT_A_TIME):
        last = min(n_symbols, first + _AT_A_TIME)
        yield _of_symbols(_counts(symbols, n_symbols, first, last), sides), slice(first, last)


def _counts(symbols: NDArray[Any], n_symbols: int, first: int, last: int) -> Source:
    """Return the source of the counts of some of the symbols."""
    n_counted = last - first
    if n_counted == n_symbols:
        return counts(symbols, n_symbols)
    inside = (symbols >= first) & (symbols < last)
    others = np.where(inside, symbols.astype(np.int32) - first, n_counted).astype(np.uint16)
    table = np.eye(n_counted + 1, n_counted, dtype=np.int32)
    return Source(others, symbols.shape, n_counted, np.int32, table)


def _of_symbols(source: Source, sides: Shape) -> _Averages:
    window = sides[-1]  # within a plane, see `each_plane`
    summed = in_vectors(source, np.float64, np.float64)
    scales, offsets = np.ones(source.n_channels), np.zeros(source.n_channels)

    def write(plane: Any, layers: int, start: int, stop: int, *nodes: Any) -> None:
        columns, _ = summed.rooms(plane.shape[1], min(window, plane.shape[1]))
        spans, chosen, out = nodes
        kernels.sweeps.symbol_averages(
            plane, summed.tables, blank_row(plane), window, start, stop, columns, layers, spans,
            chosen, scales, offsets, out,
        )  # fmt: skip

    return _Averages(summed.source, sides, write)


def _of_vectors(vectors: FixedPoint, sides: Shape, offsets: Floats) -> _Averages:
    window = sides[-1]

    def write(plane: Any, layers: int, start: int, stop: int, *nodes: Any) -> None:
        spans, chosen, out = nodes
        kernels.sweeps.vector_averages(
            plane, blank_row(plane), window, start, stop, vector_columns(plane, window), layers,
            spans, chosen, vectors.scales, offsets, out,
        )  # fmt: skip

    return _Averages(vector_source(vectors), sides, write)
