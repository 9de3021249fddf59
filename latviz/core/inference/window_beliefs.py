"""The evidence of a window for its state, if all of its nodes shared it."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels
from latviz.core.data.data_set import DataSet
from latviz.core.data.fixed_point import (
    FixedPoint,
    Lattice,
    known_of,
    numbers_of,
    shape_of,
    sides_in,
)
from latviz.core.data.lattice import most_nodes
from latviz.core.data.masks import Mask, hide, marked
from latviz.core.inference.copula import CopulaDensities
from latviz.core.inference.emission import (
    FLOOR,
    BinnedDensities,
    Densities,
    NormalDensities,
    SymbolDensities,
)
from latviz.core.progress import Progress, report, shares, stop_if_cancelled
from latviz.core.types import Floats, Matrix, NodeMap, Shape, States
from latviz.core.windows.parts import around, sweeps
from latviz.core.windows.signature import vector_source
from latviz.core.windows.window_sums import (
    Source,
    blank_row,
    each_plane,
    in_vectors,
    vector_columns,
)

_BAND = 1 << 22
"""Nodes between two checks for cancellation."""
_MOST_BITS, _SUM_BITS = 40, 52
"""Useful bits after the point, and bits of a sum in float64, without the sign."""
_LOG_BITS = 25
"""Bits after the point of a node's logarithms, which are at least those of FLOOR: 32 in all."""
_TOLERANCE = 1e-6
"""Largest error of the logarithm of a belief, in bits."""


def entropies(
    emission: Densities, lattice: Lattice, window: int, progress: Progress | None = None
) -> NodeMap:
    """Return the entropy of each window's belief, (*shape) float32, in bits; NaN where unknown."""
    found = _in_bands(emission, lattice, window, np.float32, progress)
    if (known := known_of(lattice)) is not None:
        found[~known] = np.nan
    return found


def likeliest(
    emission: Densities, lattice: Lattice, window: int, progress: Progress | None = None
) -> States:
    """Return the state of most belief of each window, (*shape) uint8; of several the smallest."""
    found = _in_bands(emission, lattice, window, np.uint8, progress)
    return hide(found, known_of(lattice))


def likeliest_each(
    emission: Densities, data: DataSet, window: int, progress: Progress | None = None
) -> list[States]:
    """Return `likeliest` of each lattice of a data set."""
    parts = shares(progress, [math.prod(shape) for shape in data.shapes])
    both = zip(data.lattices, parts, strict=False)
    return [likeliest(emission, lattice, window, part) for lattice, part in both]


def _in_bands(
    emission: Densities,
    lattice: Lattice,
    window: int,
    dtype: type[np.generic],
    progress: Progress | None,
) -> NDArray[Any]:
    """Return the results of a type, (*shape): entropies (float32), or states (uint8)."""
    shape = shape_of(lattice)
    out = np.empty(shape, dtype=dtype)
    for rows in sweeps(shape, _BAND, sides_in(lattice, window)[0]):
        stop_if_cancelled(progress)
        region = (rows, *(slice(0, length) for length in shape[1:]))
        part, inner = around(lattice, region, window)
        found = np.empty(shape_of(part), dtype=dtype)
        _write(emission, part, sides_in(part, window), found)
        out[rows] = found[inner]
        report(progress, rows.stop / shape[0])
    return out


def _write(emission: Densities, lattice: Lattice, sides: Shape, out: NDArray[Any]) -> None:
    if isinstance(emission, BinnedDensities | CopulaDensities):
        assert isinstance(lattice, FixedPoint)
        vectors, known = lattice.values[..., : lattice.scales.size], known_of(lattice)
        numbers = lattice.offsets + lattice.scales * vectors
        if isinstance(emission, CopulaDensities):
            _write_logs(emission, numbers, known, sides, out)
        else:
            bins = marked(emission.bins(numbers), known, emission.n_directions)
            _write_symbols(emission.table, bins, sides, out)
    elif isinstance(emission, SymbolDensities):
        _write_symbols(emission, numbers_of(lattice), sides, out)
    else:
        assert isinstance(emission, NormalDensities)
        assert isinstance(lattice, FixedPoint)
        _write_vectors(emission, lattice, sides, out)


def _write_symbols(
    emission: SymbolDensities, symbols: NDArray[Any], sides: Shape, out: NDArray[Any]
) -> None:
    # Unknown nodes have one more symbol, which no window counts
    window = sides[-1]
    table, units = log_beliefs(emission.B, symbols.shape, sides)
    table = np.concatenate([table, np.zeros_like(table[:1])])
    source = Source(symbols, symbols.shape, table.shape[1], np.int64, table)
    summed = in_vectors(source, np.float64, np.float64)

    def visit(plane: Any, _layers: int, output: Any, start: int, stop: int) -> None:
        columns, _ = summed.rooms(plane.shape[1], min(window, plane.shape[1]))
        kernels.entropy.of_symbols(
            plane, summed.tables, blank_row(plane), window, start, stop, columns, units,
            emission.n_states, _by_type(output),
        )  # fmt: skip

    each_plane(summed.source, sides, out, visit, work=4.0 * emission.n_states)


def _write_logs(
    emission: CopulaDensities, vectors: Floats, known: Mask, sides: Shape, out: NDArray[Any]
) -> None:
    # Sums of whole numbers are exact. The logarithms are those of the shares of each node's
    # likeliest state, at most FLOOR apart as in beliefs
    by_row = vectors.reshape(-1, *vectors.shape[-2:])
    logs = emission.log_densities(by_row)
    logs -= logs.max(axis=1, keepdims=True)
    whole = np.rint(np.ldexp(np.maximum(logs / np.log(2), np.log2(FLOOR)), _LOG_BITS))
    shape = *vectors.shape[:-1], emission.n_states
    whole = whole.astype(np.int32).swapaxes(1, 2).reshape(shape)
    if known is not None:
        whole *= known[..., None]
    source, window = Source(whole, shape[:-1], emission.n_states, np.int64), sides[-1]

    def visit(plane: Any, _layers: int, output: Any, start: int, stop: int) -> None:
        kernels.entropy.of_logs(
            plane, blank_row(plane), window, start, stop, vector_columns(plane, window),
            np.array([2.0**-_LOG_BITS]), _by_type(output),
        )  # fmt: skip

    each_plane(source, sides, out, visit, work=4.0 * emission.n_states)


def _by_type(out: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Return entropies and states for the kernels: the one that is not ``out`` is empty."""
    if out.dtype == np.uint8:
        return np.empty((0, 0), dtype=np.float32), out
    return out, np.empty((0, 0), dtype=np.uint8)


def log_beliefs(B: Matrix, shape: Shape, sides: Shape) -> tuple[NDArray[np.int64], Floats]:
    """Return log2 B in fixed point, (M, K N) int64, and the bits that 1 is worth in each part."""
    # Sums over windows are exact. The midpoint of each symbol's logarithms is subtracted, which
    # changes no belief. One part has as many bits after the point as its sums fit into float64. If
    # these are too few, as in windows of about 5,000 nodes, a second part has the rounding error of
    # the first. If B has zeros, a last part counts them, in a unit that no other logarithms can
    # outweigh
    possible = B.T > 0
    logs = np.log2(B.T, out=np.zeros(B.T.shape), where=possible)
    apart = logs - ((logs.max(axis=1) + logs.min(axis=1)) / 2)[:, None]
    n_nodes = most_nodes(sides, shape)
    reach = n_nodes * float(np.abs(apart).max())
    bits = min(_MOST_BITS, _SUM_BITS - math.ceil(reach + 1).bit_length())
    parts = [np.rint(np.ldexp(apart, bits))]
    units = [2.0**-bits]
    if n_nodes * units[0] > _TOLERANCE:
        finer = _SUM_BITS - n_nodes.bit_length()
        parts.append(np.rint(np.ldexp(np.ldexp(apart, bits) - parts[0], finer)))
        units.append(units[0] * 2.0**-finer)
    if not possible.all():
        parts.append(~possible)
        units.append(-2 * reach - 1024.0)
    return np.concatenate(parts, axis=1).astype(np.int64), np.array(units)


def _write_vectors(
    emission: NormalDensities, vectors: FixedPoint, sides: Shape, out: NDArray[Any]
) -> None:
    source, window = vector_source(vectors), sides[-1]
    whiteners = np.linalg.inv(np.linalg.cholesky(emission.covariances))
    log_det = np.log2(np.diagonal(whiteners, axis1=1, axis2=2)).sum(axis=1)
    # A density in bits: half the squared distance times log2 e.
    whiteners *= np.sqrt(0.5 / np.log(2.0))
    normals = emission.means - vectors.offsets, whiteners, log_det

    def visit(plane: Any, layers: int, output: Any, start: int, stop: int) -> None:
        kernels.entropy.of_vectors(
            plane, blank_row(plane), window, start, stop, vector_columns(plane, window), layers,
            vectors.scales, normals, _by_type(output),
        )  # fmt: skip

    each_plane(source, sides, out, visit, work=4.0 * emission.n_states)
