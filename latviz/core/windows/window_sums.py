"""Window sums over lattices of any dimension, plane by plane, row by row."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.data.lattice import frozen, most_nodes
from latviz.core.types import Floats, Shape
from latviz.core.values import Value

Visit = Callable[..., None]

_MOST_ROWS_OF_BYTES = (2**31 - 1) // 255
"""Rows whose sum has 32 bits."""
LONG = 1 << 14
"""Nodes of a sequence that are summed at a time."""
_EXACT = 50
"""Bits of window sums that float64 holds exactly, with some to spare for rounding up."""


@dataclass(frozen=True, eq=False)
class Source(Value):
    """Numbers that are summed at each node."""

    values: NDArray[Any]  # symbols (*shape), or integers (*shape, C)
    shape: Shape  # of the lattice
    n_channels: int  # C
    # wide enough for sums over all axes of the window but the last
    dtype: type[np.signedinteger[Any]]
    # integers of each symbol; None counts each
    table: Annotated[NDArray[Any] | None, "(M, C)"] = None
    unit: float = 1.0  # the value of 1 in the table's fixed point

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(self.values))

    def in_lanes(self) -> "Source":
        """Return the source with its channels padded to a multiple of eight."""
        # Pads of a table repeat its first column; those of counts are zero
        missing = -self.n_channels % 8
        table = self.table
        if table is not None:
            table = np.concatenate([table, np.repeat(table[:, :1], missing, axis=1)], axis=1)
        return replace(self, n_channels=self.n_channels + missing, table=table)


@dataclass(frozen=True, eq=False)
class InVectors(Value):
    """Input of the kernels of `sweeps`, in groups of eight channels."""

    source: Source  # with channels padded to a multiple of eight
    # by group, the eight numbers of each symbol; then zeros
    tables: Annotated[NDArray[Any], "(2, C / 8, 8 M)"]
    sums: type[np.number[Any]]  # np.int32 or np.float64, of column sums
    totals: type[np.number[Any]]  # np.int32 or np.float64, of window sums

    def rooms(self, width: int, reach: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return room for the sums of ``width`` columns, and for a total of each."""
        n_groups = self.source.n_channels // 8
        columns = np.empty((n_groups, 8 * (width + 2 * reach + 9)), dtype=self.sums)
        return columns, np.empty(width + 7, dtype=self.totals)


def blank_row(plane: NDArray[Any], value: int = 0) -> NDArray[Any]:
    """Return a row of zeros, or of another value, of the plane's type."""
    blank = np.full(plane.shape[1:], value, dtype=plane.dtype)
    blank.flags.writeable = plane.flags.writeable
    return blank


def vector_columns(plane: NDArray[Any], window: int) -> NDArray[Any]:
    """Return room for column sums of a plane of vectors, for `sweeps.nearest_means`."""
    height, width, n_channels = plane.shape
    is_narrow = plane.dtype == np.uint8 and height <= _MOST_ROWS_OF_BYTES
    size = n_channels * (width + 2 * min(window, width) + 8)
    return np.empty(size, dtype=np.int32 if is_narrow else np.int64)


def in_vectors(
    source: Source, sums: type[np.number[Any]], totals: type[np.number[Any]]
) -> InVectors:
    """Return a source for the kernels of `sweeps`, with a table for counts too."""
    source = source.in_lanes()
    table = np.eye(source.n_channels) if source.table is None else source.table
    groups = table.reshape(len(table), -1, 8).transpose(1, 0, 2)
    tables = np.zeros((2, len(groups), 8 * len(table)), dtype=sums)
    tables[0] = groups.reshape(len(groups), -1)
    return InVectors(source, tables, sums, totals)


def counts(symbols: NDArray[Any], n_symbols: int) -> Source:
    """Return the source whose window sums are the counts of each symbol."""
    return Source(symbols, symbols.shape, n_symbols, np.int32)


def nodes_across(shape: Shape, sides: Shape) -> int:
    """Return the most nodes of a clipped window across all axes but the last."""
    return most_nodes(sides[:-1], shape[:-1])


def looked_up(symbols: NDArray[Any], table: Floats, sides: Shape) -> Source:
    """Return the source that sums a table (M, C), |entries| <= 3, in fixed point."""
    # The scale keeps every sum exact, in float64 too, and an average of entries within 2.4e-7 of
    # the true one (windows of at most 255 nodes across all axes but the last, whose sums across
    # have 32 bits) or 1e-10
    across = nodes_across(symbols.shape, sides)
    narrow = across <= 255
    bits = min(40, _EXACT - _bits_of(3 * most_nodes(sides, symbols.shape)))
    if narrow:
        bits = min(bits, 31 - _bits_of(3 * across))
    dtype = np.int32 if narrow else np.int64
    fixed = np.rint(table * 2.0**bits).astype(dtype)
    return Source(symbols, symbols.shape, table.shape[1], dtype, fixed, 2.0**-bits)


def _bits_of(most: float) -> int:
    """Return the bits of whole numbers up to some number."""
    return int(np.ceil(np.log2(most + 1)))


def each_plane(
    source: Source,
    sides: Shape,
    outputs: Any,
    visit: Visit,
    rows: slice | None = None,
    *,
    work: float = 2.0,
) -> None:
    """Call ``visit(plane, layers, output, start, stop)`` for every plane of the lattice."""
    # A plane is the source itself for d <= 2. Beyond, it is its sum over the window's leading axes,
    # ``layers`` nodes deep, and output the matching part of ``outputs``, an array (*shape, ...) or
    # a tuple of such. Sequences are planes of one row. The half-width within a plane is the last of
    # ``sides``: where that across rows is another, planes are rows. ``rows`` limits the first axis;
    # ``work`` is that of a node, see `threads.over_rows`
    if len(sides) > 1 and sides[-2] != sides[-1]:
        source, sides = _by_row(source), (*sides[:-1], 0, sides[-1])
        outputs = _each(outputs, partial(np.expand_dims, axis=len(source.shape) - 2))
    first, last, _ = (rows or slice(None)).indices(source.shape[0])
    if len(source.shape) == 1:
        _visit_sequence(source, sides[0], outputs, visit, first, last, work)
        return
    values = source.values

    def task(start: int, stop: int) -> None:
        start, stop = first + start, first + stop
        if len(source.shape) == 2:
            visit(values, 1, outputs, start, stop)
        else:
            _descend(source, sides, 1, outputs, visit, start, stop)

    in_row = math.prod(source.shape[1:])
    threads.over_rows(last - first, task, work * in_row)


def _by_row(source: Source) -> Source:
    """Return a source with an axis of length 1 before the last."""
    values = np.expand_dims(source.values, len(source.shape) - 1)
    return replace(source, values=values, shape=(*source.shape[:-1], 1, source.shape[-1]))


def _visit_sequence(
    source: Source,
    window: int,
    outputs: Any,
    visit: Visit,
    first: int,
    last: int,
    work: float,
) -> None:
    plane, output = source.values[None], _each(outputs, lambda array: array[None])
    length = plane.shape[1]
    if length < LONG and (first, last) == (0, length):
        visit(plane, 1, output, 0, 1)
        return
    size = max(LONG, 4 * window)

    def task(start: int, stop: int) -> None:
        """Visit parts that fit into the cache, each with its windows' margins."""
        for begin in range(first + start * size, min(last, first + stop * size), size):
            end = min(last, begin + size)
            left, right = max(0, begin - window), min(length, end + window)
            reached, inner = slice(left, right), slice(begin - left, end - left)
            part = _each(_each(output, itemgetter((slice(None), reached))), _own)
            visit(plane[:, reached], 1, part, 0, 1)
            for whole, piece in zip(_as_tuple(output), _as_tuple(part), strict=True):
                if whole.flags.writeable:
                    whole[0, begin:end] = piece[0, inner]

    threads.over_rows(-(-(last - first) // size), task, work * size)


def _descend(
    source: Source, sides: Shape, layers: int, outputs: Any, visit: Visit, start: int, stop: int
) -> None:
    """Slide a slab, the sum over the window's first axis, and visit the rest of the lattice."""
    length, rest, window = source.shape[0], source.shape[1:], sides[0]
    slab = np.zeros((*rest, source.n_channels), dtype=source.dtype)
    below = Source(slab, rest, source.n_channels, source.dtype)
    first, last = max(0, start - window), max(0, start - window) - 1
    for t in range(start, stop):
        entering = range(last + 1, min(length, t + window + 1))
        leaving = range(first, max(first, t - window))
        last, first = last + len(entering), first + len(leaving)
        if len(entering) == len(leaving) == 1:
            _exchange(slab, source, entering[0], leaving[0])
        else:
            for layer in entering:
                _add(slab, source, layer, 1)
            for layer in leaving:
                _add(slab, source, layer, -1)
        deeper = layers * (last - first + 1)
        output = _each(outputs, itemgetter(t))
        if len(rest) > 2:
            _descend(below, sides[1:], deeper, output, visit, 0, rest[0])
        else:
            visit(slab, deeper, output, 0, rest[0])


def _each(outputs: Any, take: Callable[[Any], Any]) -> Any:
    """Apply a function to an array, or to each of a tuple."""
    return tuple(map(take, outputs)) if isinstance(outputs, tuple) else take(outputs)


def _own(array: NDArray[Any]) -> NDArray[Any]:
    """Return a writable array as a copy, and a read-only one itself."""
    return np.copy(array) if array.flags.writeable else array


def _as_tuple(outputs: Any) -> tuple[Any, ...]:
    return outputs if isinstance(outputs, tuple) else (outputs,)


def _add(slab: NDArray[Any], source: Source, t: int, sign: int) -> None:
    sums = slab.reshape(-1, source.n_channels)
    kernels.slabs.add_slice(sums, _layer(source, t), source.table, sign)


def _exchange(slab: NDArray[Any], source: Source, entering: int, leaving: int) -> None:
    """Add a layer and take another one out, in one pass."""
    sums = slab.reshape(-1, source.n_channels)
    layers = _layer(source, entering), _layer(source, leaving)
    kernels.slabs.exchange_slices(sums, *layers, source.table)


def _layer(source: Source, t: int) -> NDArray[Any]:
    values = source.values[t]
    return np.asarray(values.reshape((-1, *values.shape[len(source.shape) - 1 :])))
