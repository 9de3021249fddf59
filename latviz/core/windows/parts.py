"""Parts of a lattice, with margins for the windows of their nodes."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from latviz.core.data.data_set import DataSet
from latviz.core.data.fixed_point import Lattice, part_of, shape_of, sides_in
from latviz.core.data.lattice import each_of, reach
from latviz.core.types import Floats, Nodes, Region, Shape, Signature, Window
from latviz.core.windows.nodes import are_few, totals_at
from latviz.core.windows.signature import signature_at, signatures

SWEPT = 1 << 18
"""Nodes whose signatures are formed at a time, to take those of a few."""


def bands(shape: Shape, size: int, least: int = 1) -> Iterator[slice]:
    """Cut the first axis into parts of at most ``size`` nodes, but of ``least`` rows or more."""
    n_rows = max(least, size // int(np.prod(shape[1:], dtype=object)), 1)
    for start, stop in pairwise([*range(0, shape[0], n_rows), shape[0]]):
        yield slice(start, stop)


def frames(shape: Shape, size: int) -> Iterator[list[Region]]:
    """Cut a lattice into frames of about ``size`` nodes, from its border inwards, as regions."""
    # Along the longest axis, or axes, so that a turned or mirrored lattice has the same
    side = max(shape)
    longest = [axis for axis, length in enumerate(shape) if length == side]
    across, k, first = math.prod(shape) // side ** len(longest), len(longest), 0
    while 2 * first < side:
        outer = side - 2 * first
        inner = max(0.0, outer**k - size / across) ** (1 / k)
        last = first + max(1, int(outer - inner) // 2) if inner else -(-side // 2)
        yield _frame(shape, longest, first, last)
        first = last


def _frame(shape: Shape, longest: list[int], first: int, last: int) -> list[Region]:
    """Return the regions of nodes first to last - 1 away from an end of one of the longest axes."""
    side, whole = max(shape), {axis: slice(0, length) for axis, length in enumerate(shape)}
    outer, inner = slice(first, side - first), slice(last, side - last)
    if 2 * last >= side:
        found = [whole | dict.fromkeys(longest, outer)]
    else:
        found = [
            whole
            | dict.fromkeys(longest[:k], inner)
            | dict.fromkeys(longest[k:], outer)
            | {axis: end}
            for k, axis in enumerate(longest)
            for end in (slice(first, last), slice(side - last, side - first))
        ]
    return [tuple(region[axis] for axis in range(len(shape))) for region in found]


def sweeps(shape: Shape, size: int, side: int) -> Iterator[slice]:
    """Cut the first axis into parts not much smaller than their windows' margins."""
    # Along which it is ``side``. Slices of a volume hold many nodes, so parts may be small
    return bands(shape, size, 8 * side if len(shape) < 3 else side)


def around(lattice: Lattice, region: Region, window: int) -> tuple[Lattice, Region]:
    """Return the part of a lattice that a region's windows hold, and where in it the region is."""
    outer, inner = reached(region, shape_of(lattice), sides_in(lattice, window))
    return part_of(lattice, outer), inner


def reached(region: Region, shape: Shape, sides: Shape) -> tuple[Region, Region]:
    """Return a region with its windows, clipped to a lattice (*shape), and its place inside."""
    # As large as a whole window, if the lattice is: in smaller ones the fixed point of scores could
    # be finer than in the lattice
    outer = tuple(
        slice(
            max(0, min(s.start - side, length - (2 * side + 1))),
            min(length, max(s.stop + side, 2 * side + 1)),
        )
        for s, length, side in zip(region, shape, sides, strict=True)
    )
    inner = tuple(
        slice(s.start - o.start, s.stop - o.start) for s, o in zip(region, outer, strict=True)
    )
    return outer, inner


def signatures_of_rows(lattice: Lattice, n_symbols: int, window: Window, rows: slice) -> Signature:
    """Return the signatures of some rows' nodes, (n_rows, ..., M)."""
    others = tuple(slice(0, length) for length in shape_of(lattice)[1:])
    return signatures_of_region(lattice, n_symbols, window, (rows, *others))


def signatures_of_region(
    lattice: Lattice, n_symbols: int, window: Window, region: Region, origin: Floats | None = None
) -> Signature:
    """Return the signatures of a region's nodes, less an origin (M,), in the region's shape."""
    part, inner = around(lattice, region, reach(window))
    return signatures(part, n_symbols, window, origin)[inner]


def signatures_at(lattice: Lattice, n_symbols: int, window: Window, nodes: Nodes) -> Signature:
    """Return the signatures at some nodes, (n_nodes, M), those of several windows end to end."""
    # d from 1 to 3. nodes: d arrays, sorted by all axes but the last (of a sequence, by position);
    # symbols are trusted to be below M
    if isinstance(window, tuple):
        each = [signatures_at(lattice, n_symbols, one, nodes) for one in window]
        return np.concatenate(each, axis=-1)
    shape = shape_of(lattice)
    if len(shape) == 2:
        return signature_at(lattice, n_symbols, window, nodes)
    sides = sides_in(lattice, window)
    if are_few(lattice, n_symbols, sides, nodes[0].size):
        return totals_at(lattice, n_symbols, window, nodes).signatures()
    parts = []
    for rows in sweeps(shape, SWEPT, sides[0]):
        ends = np.searchsorted(nodes[0], (rows.start, rows.stop))
        first, *others = (axis[slice(*ends)] for axis in nodes)
        of_rows = signatures_of_rows(lattice, n_symbols, window, rows)
        parts.append(of_rows[(first - rows.start, *others)])
    return np.concatenate(parts)


def signatures_of(data: DataSet, window: Window, nodes: Sequence[Nodes]) -> Signature:
    """Return the signatures at some nodes of each lattice, one after the other, (n_nodes, M)."""
    # nodes: for each lattice as `signatures_at` takes them, perhaps none; `stratified.by_lattice`
    # parts those of a stack
    pairs = zip(data.lattices, nodes, strict=True)
    found = [signatures_at(o, data.n_symbols, window, t) for o, t in pairs if t[0].size]
    if len(found) == 1:
        return found[0]
    size = len(each_of(window)) * data.n_symbols
    return np.concatenate(found) if found else np.empty((0, size), dtype=np.float32)
