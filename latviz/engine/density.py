"""How many signatures are drawn where in the signature space, of lattices of any dimension."""

from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.data.fixed_point import FixedPoint, Lattice, shape_of
from latviz.core.data.lattice import fit_window
from latviz.core.types import Matrix
from latviz.core.windows.signature import vector_source
from latviz.core.windows.window_sums import each_plane, looked_up
from latviz.engine.space import Plane, extent

Counter = Callable[[int, int, NDArray[np.int64]], None]

BINS = 256


def density(lattice: Lattice, window: int, plane: Plane) -> NDArray[np.int64]:
    """Count all nodes' signatures in the bins of the plane's box, shape (rows, columns).

    The lattice has d from 1 to 3. The bins of a segment are centred on the shares that a whole
    window can have.
    """
    shape = shape_of(lattice)
    rows, n_columns, per_unit, origin = _bins(window, plane, len(shape))
    if len(shape) == 3:
        return _volume_density(lattice, window, plane, (rows, n_columns), (per_unit, origin))
    lattice = as_plane(lattice)
    count = _vector_counter if isinstance(lattice, FixedPoint) else _symbol_counter
    task = count(lattice, window, plane, per_unit, origin)

    def counted(start: int, stop: int) -> NDArray[np.int64]:
        counts = np.zeros((rows, n_columns), dtype=np.int64)
        task(start, stop, counts)
        return counts

    return np.asarray(sum(threads.over_rows(shape_of(lattice)[0], counted)))


def as_plane(lattice: Lattice) -> Lattice:
    """Return a sequence as an image of one row; images as they are."""
    if len(shape_of(lattice)) == 2:
        return lattice
    if isinstance(lattice, FixedPoint):
        return replace(lattice, values=lattice.values[None])
    return lattice[None]


def _volume_density(
    lattice: Lattice,
    window: int,
    plane: Plane,
    shape: tuple[int, int],
    bins: tuple[Matrix, Matrix],
) -> NDArray[np.int64]:
    """Count what `density` counts, slice by slice of the sums over the window's first axis."""
    per_unit, origin = bins
    if isinstance(lattice, FixedPoint):
        source = vector_source(lattice)
        matrix = plane.matrix * lattice.scales * per_unit[:, None]
        origin = origin + plane.matrix @ lattice.offsets * per_unit
    else:
        source = looked_up(lattice, plane.matrix.T, fit_window(window, lattice.shape))
        matrix = np.diag(per_unit * source.unit)
    counts, lock = np.zeros(shape, dtype=np.int64), Lock()

    def visit(slab: Any, layers: int, _output: Any, start: int, stop: int) -> None:
        found = np.zeros(shape, dtype=np.int64)
        columns, projection = source.columns(slab.shape[1]), matrix / layers
        ends = np.array(shape[::-1])
        kernels.windows.density(slab, reach, start, stop, columns, projection, origin, ends, found)
        with lock:
            np.add(counts, found, out=counts)

    reach = fit_window(window, source.shape)
    each_plane(source, reach, np.empty(source.shape[0]), visit)
    return counts


def density_of(signatures: NDArray[Any], window: int, plane: Plane) -> NDArray[np.int64]:
    """Count some pixels' signatures, shape (n, M), in the bins that `density` counts in."""
    rows, columns, per_unit, origin = _bins(window, plane)
    places = origin + per_unit * (signatures.astype(np.float64) @ plane.matrix.T)
    column, row = np.clip(np.floor(places).astype(np.int64), 0, (columns - 1, rows - 1)).T
    return np.bincount(row * columns + column, minlength=rows * columns).reshape(rows, columns)


def _bins(window: int, plane: Plane, dimensions: int = 2) -> tuple[int, int, Matrix, Matrix]:
    """Return the numbers of rows and columns of bins, bins per unit, and the origin in bins."""
    rows = 1 if plane.kind in ("segment", "histogram") else BINS
    n_columns = _shares(window, dimensions) if plane.kind == "segment" else BINS
    left, bottom, width, height = extent(plane, n_columns)
    per_unit = np.array([n_columns, rows]) / (width, height)
    return rows, n_columns, per_unit, (plane.origin - (left, bottom)) * per_unit


def _symbol_counter(
    symbols: Any, window: int, plane: Plane, per_unit: Matrix, origin: Matrix
) -> Counter:
    window = fit_window(window, symbols.shape)
    source = looked_up(symbols, plane.matrix.T, window)
    assert source.table is not None
    table, reach = np.ascontiguousarray(source.table.T), min(window, symbols.shape[1])

    def task(start: int, stop: int, counts: NDArray[np.int64]) -> None:
        sums = np.empty((2, symbols.shape[1] + 2 * reach + 1), dtype=source.dtype)
        factors = per_unit * source.unit
        kernels.pairs.density(
            source.values, table, window, start, stop, sums, reach, factors, origin, counts
        )

    return task


def _vector_counter(
    vectors: Any, window: int, plane: Plane, per_unit: Matrix, origin: Matrix
) -> Counter:
    source = vector_source(vectors)
    window = fit_window(window, source.shape)
    projection = np.ascontiguousarray(plane.matrix * vectors.scales * per_unit[:, None])
    start_at = origin + plane.matrix @ vectors.offsets * per_unit

    def task(start: int, stop: int, counts: NDArray[np.int64]) -> None:
        columns, bins = source.columns(source.shape[1]), np.array(counts.shape[::-1])
        kernels.windows.density(
            source.values, window, start, stop, columns, projection, start_at, bins, counts
        )

    return task


def _shares(window: int, dimensions: int) -> int:
    """Return how many bins to count shares in: one for each that a window's nodes can make.

    Of few shares each has an odd number of bins, the middle one its own; many come in 65 bins.
    """
    n_nodes: int = (2 * window + 1) ** dimensions
    if n_nodes > 2 * BINS:
        return BINS // 4 + 1
    return n_nodes * (BINS // 8 // n_nodes // 2 * 2 + 1) + 1
