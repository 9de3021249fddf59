"""Leave-one-out decoding: the state of each node from its window without the node itself."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels
from latviz.core.checks import UNKNOWN
from latviz.core.data.fixed_point import (
    FixedPoint,
    Lattice,
    known_of,
    numbers_of,
    shape_of,
    sides_in,
)
from latviz.core.data.lattice import frozen, reach
from latviz.core.data.merge_tree import Codewords
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.core.types import Floats, Matrix, Shape, States, Window
from latviz.core.windows import end_to_end
from latviz.core.windows.parts import around, bands
from latviz.core.windows.scores import scores, summed_scores
from latviz.core.windows.signature import vector_source
from latviz.core.windows.window_sums import (
    blank_row,
    each_plane,
    in_vectors,
    vector_columns,
)

Both = tuple[States, States]

BAND = 1 << 18
"""Nodes decoded between two checks for cancellation."""


def decode_both(lattice: Lattice, codewords: Codewords, window: Window) -> Both:
    """Decode with several codebooks, from windows with and without their middle."""
    # Both (n_sizes, *shape). Two codebooks of a tree share most codewords, so all sizes up to N
    # need 2 N - 1 window sums per node. The first result equals `decode` for each of the codebooks,
    # of 1 to 255 states. At w = 0 a window without its middle is empty: all states tie, and its
    # node gets state 0. Codewords of k windows are concatenated, (K, k M)
    if isinstance(window, tuple):
        return _hidden(end_to_end.decode_both(lattice, codewords, window), lattice)
    shape, n_sizes = shape_of(lattice), len(codewords.members)
    out = _room(n_sizes, shape), _room(n_sizes, shape)
    _decode_rows(lattice, codewords, sides_in(lattice, window), None, out)
    return _hidden(out, lattice)


def _hidden(out: Both, lattice: Lattice) -> Both:
    """Make the states of unknown nodes `UNKNOWN`."""
    if (known := known_of(lattice)) is not None:
        for maps in out:
            maps[:, ~known] = UNKNOWN
    return out


def decode_without(lattice: Lattice, codebook: Matrix, window: int) -> States:
    """Return the state of each node, (*shape) uint8, from its window without the node itself."""
    # At w = 0 all states tie, and every node takes state 0
    return np.ascontiguousarray(decode_both(lattice, apart([codebook]), window)[1][0])


def apart(codebooks: Sequence[Matrix]) -> Codewords:
    """Return the codewords of codebooks (N, M) without shared ones."""
    ends = np.cumsum([len(codebook) for codebook in codebooks])
    members = (np.arange(end - len(one), end) for end, one in zip(ends, codebooks, strict=True))
    return Codewords(np.concatenate(codebooks), tuple(members))


def _decode_rows(
    lattice: Lattice, codewords: Codewords, sides: Shape, rows: slice | None, out: Both
) -> None:
    """Write the states of some rows of the first axis, or of all."""
    cuts = np.zeros((len(codewords.members), max(map(len, codewords.members))), dtype=np.int64)
    for cut, members in zip(cuts, codewords.members, strict=True):
        cut[: members.size] = members
    book = cuts, np.array([members.size for members in codewords.members])
    decode = _vector_states if isinstance(lattice, FixedPoint) else _symbol_states
    decode(lattice, codewords.values, book, sides, rows, out)


def decode_both_in_bands(
    lattice: Lattice, codewords: Codewords, window: Window, progress: Progress | None = None
) -> Both:
    """Return the result of `decode_both`; ``progress`` may cancel between bands."""
    shape, sides = shape_of(lattice), sides_in(lattice, reach(window))
    plain, without = np.empty((2, len(codewords.members), *shape), dtype=np.uint8)
    for rows in bands(shape, BAND, 8 * sides[0]):
        stop_if_cancelled(progress)
        if len(shape) <= 2 and not isinstance(window, tuple):
            _decode_rows(lattice, codewords, sides, rows, (plain, without))
            continue
        region = (rows, *(slice(0, length) for length in shape[1:]))
        part, inner = around(lattice, region, reach(window))
        found = decode_both(part, codewords, window)
        for maps, of_part in zip((plain, without), found, strict=True):
            maps[:, rows] = of_part[(slice(None), *inner)]
    return _hidden((plain, without), lattice)


def _room(n_sizes: int, shape: Shape) -> States:
    """Return an array (n_sizes, *shape) with the maps of each plane contiguous."""
    if len(shape) == 1:
        return np.empty((n_sizes, *shape), dtype=np.uint8)
    planes = np.empty((*shape[:-2], n_sizes, *shape[-2:]), dtype=np.uint8)
    return np.moveaxis(planes, -3, 0)


def _symbol_states(
    lattice: Any, codewords: Floats, book: Any, sides: Shape, rows: slice | None, out: Both
) -> None:
    symbols, window = numbers_of(lattice), sides[-1]
    found = scores(symbols.shape, codewords, sides, is_masked=known_of(lattice) is not None)
    summed = in_vectors(found.source(symbols), found.totals, found.totals)
    own_table = summed.tables[0]

    def visit(plane: Any, _layers: int, output: Any, start: int, stop: int) -> None:
        columns, _ = summed.rooms(plane.shape[1], min(window, plane.shape[1]))
        kernels.leave_one_out.symbol_states(
            plane, summed.tables, blank_row(plane), output[0], own_table, window, (start, stop),
            columns, book, _maps(output),
        )  # fmt: skip

    work = 2 + codewords.size / 4
    each_plane(summed.source, sides, _outputs(symbols, out), visit, rows, work=work)


def _vector_states(
    vectors: Any, codewords: Floats, book: Any, sides: Shape, rows: slice | None, out: Both
) -> None:
    source, window = vector_source(vectors), sides[-1]
    linear = summed_scores(vectors, codewords)

    def visit(plane: Any, layers: int, output: Any, start: int, stop: int) -> None:
        kernels.leave_one_out.vector_states(
            plane, blank_row(plane), output[0], window, (start, stop),
            vector_columns(plane, window), (*linear, layers), book, _maps(output),
        )  # fmt: skip

    work = 2 + codewords.size / 4
    each_plane(source, sides, _outputs(source.values, out), visit, rows, work=work)


def _outputs(own: NDArray[Any], out: Both) -> tuple[NDArray[Any], ...]:
    """Return the arrays that `each_plane` cuts in the same way: observations, and maps by node."""
    return frozen(own), np.moveaxis(out[0], 0, -1), np.moveaxis(out[1], 0, -1)


def _maps(output: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
    """Return a plane's maps (n_sizes, H, W)."""
    return output[1].transpose(2, 0, 1), output[2].transpose(2, 0, 1)
