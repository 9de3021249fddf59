"""Parts of a lattice, with what the windows of their nodes reach beyond them."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.fixed_point import FixedPoint
from latviz.core.data.lattice import Region, Shape
from latviz.core.windows.nodes import Nodes, totals_at
from latviz.core.windows.signature import Signature, signature_at, window_signature

Lattice = NDArray[Any] | FixedPoint

SWEPT = 1 << 18
"""Nodes whose signatures are formed at a time, to take those of a few."""


def shape_of(lattice: Lattice) -> Shape:
    """Return the shape of a lattice without its channels."""
    return lattice.values.shape[:-1] if isinstance(lattice, FixedPoint) else lattice.shape


def bands(shape: Shape, size: int, least: int = 1) -> Iterator[slice]:
    """Cut the first axis into parts of at most ``size`` nodes, but of ``least`` rows or more."""
    n_rows = max(least, size // int(np.prod(shape[1:], dtype=object)), 1)
    for start, stop in pairwise([*range(0, shape[0], n_rows), shape[0]]):
        yield slice(start, stop)


def sweeps(shape: Shape, size: int, window: int) -> Iterator[slice]:
    """Cut the first axis into parts not much smaller than what their windows reach beyond them.

    Slices hold many nodes, so of a volume they may be.
    """
    return bands(shape, size, 8 * window if len(shape) < 3 else window)


def around(lattice: Lattice, region: Region, window: int) -> tuple[Any, Region]:
    """Return the part of a lattice that a region's windows hold, and where in it the region is.

    It is as large as a whole window, if the lattice is: in smaller ones the fixed point of scores
    could be finer than in the lattice.
    """
    across = 2 * window + 1
    outer = tuple(
        slice(
            max(0, min(s.start - window, length - across)),
            min(length, max(s.stop + window, across)),
        )
        for s, length in zip(region, shape_of(lattice), strict=True)
    )
    inner = tuple(
        slice(s.start - o.start, s.stop - o.start) for s, o in zip(region, outer, strict=True)
    )
    if isinstance(lattice, FixedPoint):
        return replace(lattice, values=lattice.values[outer]), inner
    return lattice[outer], inner


def signatures_of_rows(lattice: Lattice, n_symbols: int, window: int, rows: slice) -> Signature:
    """Return the signatures of some rows' nodes, shape (n_rows, ..., M), float32."""
    others = tuple(slice(0, length) for length in shape_of(lattice)[1:])
    part, inner = around(lattice, (rows, *others), window)
    return window_signature(part, n_symbols, window)[inner]


def signatures_at(lattice: Lattice, n_symbols: int, window: int, nodes: Nodes) -> Signature:
    """Return the signatures at some nodes, shape (n_nodes, M), float32; d from 1 to 3.

    ``nodes`` are d arrays, sorted by all axes but the last (of a sequence, by position). Symbols
    are trusted to be from 0 to M-1.
    """
    shape = shape_of(lattice)
    if len(shape) == 2:
        return signature_at(lattice, n_symbols, window, nodes)
    held = int(np.prod([min(length, 2 * window + 1) for length in shape], dtype=object))
    if nodes[0].size * held <= 2 * int(np.prod(shape)):
        return totals_at(lattice, n_symbols, window, nodes).signatures()
    parts = []
    for rows in sweeps(shape, SWEPT, window):
        ends = np.searchsorted(nodes[0], (rows.start, rows.stop))
        first, *others = (axis[slice(*ends)] for axis in nodes)
        signatures = signatures_of_rows(lattice, n_symbols, window, rows)
        parts.append(signatures[(first - rows.start, *others)])
    return np.concatenate(parts)
