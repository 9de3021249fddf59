"""Norms of the shares of states in each node's window, sqrt(sum_j p_j^2).

Narrow windows, of up to 15 columns, hold at most 225 nodes in a plane. So counts fit into bytes,
and the sum over states of their squares, which is at most the square of their sum, into two: lanes
are 64 nodes of a row. Wide windows, and those of slabs, are summed as in `sweeps`, eight states of
a node at once.

For narrow windows a row of ``columns`` holds the counts of one state by column, over the rows of a
window, after ``reach`` columns of zeros and before ``reach`` and some room. So the window of node x
is its columns x to x + 2 reach, and none has to be clipped. All counts are whole and exact:
subtracting undoes adding. Most states are absent from the windows of 64 consecutive nodes, and take
no time there.
"""

import numpy as np
from llvmlite import ir
from numba import types

from latviz.core.kernels import vectors
from latviz.core.kernels.compiler import callee, njit
from latviz.core.kernels.sweeps import before_row, row_at, table_at
from latviz.core.kernels.vectors import BYTE, LONG, llvm, loop, splat, vector

NODES = 64
WIDEST = 7
"""The half-width of the widest windows that are narrow."""
NO_STATE = 255
"""The value for a missing row: states are 0 to 254."""


@llvm(types.int64)
def exchange_states(b, columns, entering, leaving, reach):
    """Count a row of states in and another out; return the number of nodes done."""
    # 64 nodes at a time; columns (N, room) uint8, zeros before column ``reach``; entering and
    # leaving (W,) uint8
    n_states, room = columns.shape
    bytes_ = ir.VectorType(BYTE, NODES)

    def nodes(x):
        new, old = entering.load(x, NODES), leaving.load(x, NODES)

        def state(j):
            number = splat(b, b.trunc(j, BYTE), NODES)
            # A mark of one bit widens to -1.
            fewer = b.sext(b.icmp_unsigned("==", new, number), bytes_)
            more = b.sext(b.icmp_unsigned("==", old, number), bytes_)
            place = b.add(b.mul(j, room), b.add(reach, x))
            count = b.sub(columns.load(place, NODES), fewer)
            columns.store(place, b.add(count, more))
            return []

        loop(b, LONG(0), n_states, 1, [], state)
        return []

    return loop(b, LONG(0), entering.shape[0], NODES, [], nodes)[0]


@llvm()
def squares_of_row(b, columns, reach, squares):
    """Write the sum over states of each window's squared counts to squares (W + 63,) uint16."""
    # columns (N, W + 2 reach + 64) uint8; windows are 2 reach + 1 columns wide
    n_states, room = columns.shape
    across = b.mul(reach, LONG(2))
    wide, none = ir.VectorType(squares.lane, NODES), vector(BYTE, [0] * NODES)

    def nodes(x):
        def state(j, total):
            place = b.add(b.mul(j, room), x)
            end = b.add(place, across)
            first, last = columns.load(place, NODES), columns.load(end, NODES)
            there = b.bitcast(b.icmp_unsigned("!=", b.or_(first, last), none), LONG)
            before, some, after = b.block, b.append_basic_block(), b.append_basic_block()
            b.cbranch(b.icmp_unsigned("!=", there, LONG(0)), some, after)
            b.position_at_end(some)

            def column(at, count):
                return [b.add(count, columns.load(at, NODES))]

            _, (count,) = loop(b, b.add(place, LONG(1)), b.add(end, LONG(1)), 1, [first], column)
            count = b.zext(count, wide)
            more = b.add(total, b.mul(count, count))
            counted = b.block
            b.branch(after)
            b.position_at_end(after)
            phi = b.phi(wide)
            phi.add_incoming(total, before), phi.add_incoming(more, counted)
            return [phi]

        first = vector(squares.lane, [0] * NODES)
        _, (total,) = loop(b, LONG(0), n_states, 1, [first], state)
        squares.store(x, total)
        return []

    loop(b, LONG(0), squares.shape[0], NODES, [], nodes)


@callee()
def exchange(columns, entering, leaving, reach):
    """Count a row of states in and another one out; arguments are those of `exchange_states`."""
    for x in range(exchange_states(columns, entering, leaving, reach), entering.size):
        new, old = entering[x], leaving[x]
        if new != NO_STATE:
            columns[new, reach + x] += 1
        if old != NO_STATE:
            columns[old, reach + x] -= 1


@callee()
def narrow_squares_at(plane, blank, window, y, start, columns, squares):
    """Write the sum of squares of each window's counts for row ``y``; return its rows."""
    # ``start`` is the first row of the sweep; the rest is as for `narrow_norms`
    height, reach = plane.shape[0], min(window, plane.shape[1])
    if y == start:
        columns[:] = 0
        for row in range(max(0, y - window), min(height, y + window)):
            exchange(columns, plane[row], blank, reach)
    last, gone = y + window, -1 if y == start else y - window - 1
    exchange(columns, row_at(plane, last, blank), row_at(plane, gone, blank), reach)
    squares_of_row(columns, reach, squares)
    return min(height - 1, last) - max(0, y - window) + 1


@callee()
def squares_at(plane, tables, blank, window, y, start, columns, squares):
    """Do as `narrow_squares_at` for windows of any width; arguments are those of `norms`."""
    reach = min(window, plane.shape[1])
    last, gone = y + window, -1 if y == start else y - window - 1
    entering, leaving = row_at(plane, last, blank), row_at(plane, gone, blank)
    for g in range(columns.shape[0]):
        if y == start:
            before_row(columns[g], plane, tables, blank, window, y, reach, g)
        added, removed = table_at(tables, g, plane, last), table_at(tables, g, plane, gone)
        vectors.squares_of_row(columns[g], added, entering, removed, leaving, reach, g, squares)
    return min(plane.shape[0] - 1, last) - max(0, y - window) + 1


@callee()
def norm(square, x, width, reach, rows):
    """Return sqrt(sum p^2) of the shares p in the window at column x of ``width``."""
    # square: the sum of squares of its counts; rows: the rows, times layers, that it holds
    across = min(width - 1, x + reach) - max(0, x - reach) + 1
    return np.sqrt(np.float64(square)) / (rows * across)  # of 16 bits it were single


@callee()
def write_norms(squares, reach, rows, out):
    """Write the norms of a row (W,) from sums of squares (W or more,)."""
    # In the middle of a row all windows are equally wide, so one division serves all its nodes
    width, share = out.size, 1.0 / (rows * (2 * reach + 1))
    last = max(reach, width - reach)
    for x in range(reach, last):
        out[x] = np.sqrt(squares[x]) * share
    for x in range(reach):
        out[x] = norm(squares[x], x, width, reach, rows)
    for x in range(last, width):
        out[x] = norm(squares[x], x, width, reach, rows)


@callee(fastmath={"reassoc"})
def sum_of_roots(squares):
    """Return the sum of the square roots, in the fastest order."""
    total = 0.0
    for x in range(squares.size):
        total += np.sqrt(np.float64(squares[x]))
    return total


@callee()
def sum_of_norms(squares, width, reach, rows):
    """Return the sum of the output of `write_norms` for ``width`` nodes."""
    last, size = max(reach, width - reach), rows * (2 * reach + 1)
    total = sum_of_roots(squares[reach:last]) / size
    for x in range(reach):
        total += norm(squares[x], x, width, reach, rows)
    for x in range(last, width):
        total += norm(squares[x], x, width, reach, rows)
    return total


@njit(nogil=True)
def narrow_norms(plane, blank, window, start, stop, columns, squares, out):
    """Write sqrt(sum p^2), p the shares of states in each node's window, to out (H, W) float32."""
    # plane (H, W) uint8; blank (W,) of NO_STATE; window 0 to WIDEST; columns (N, W + 2 reach + 64)
    # uint8, counts made from scratch for row ``start``, reach = min(w, W); squares (W + 63,)
    # uint16, a room
    reach = min(window, plane.shape[1])
    for y in range(start, stop):
        rows = narrow_squares_at(plane, blank, window, y, start, columns, squares)
        write_norms(squares, reach, rows, out[y])


@njit(nogil=True)
def sums_of_narrow_norms(plane, blank, window, start, stop, columns, squares, out):
    """Write the sum over each row of the output of `narrow_norms` to out (H,) float64."""
    width = plane.shape[1]
    for y in range(start, stop):
        rows = narrow_squares_at(plane, blank, window, y, start, columns, squares)
        out[y] = sum_of_norms(squares, width, min(window, width), rows)


@njit(nogil=True)
def norms(plane, tables, blank, window, start, stop, columns, layers, squares, out):
    """Do the same as `narrow_norms` for windows of any width."""
    # plane (states, or counts of each over ``layers`` nodes) and the rest as for
    # `sweeps.least_scores`, with tables that count each state; squares (W + 7,), a room of the type
    # of totals
    reach = min(window, plane.shape[1])
    for y in range(start, stop):
        rows = layers * squares_at(plane, tables, blank, window, y, start, columns, squares)
        write_norms(squares, reach, rows, out[y])


@njit(nogil=True)
def sums_of_norms(plane, tables, blank, window, start, stop, columns, layers, squares, out):
    """Write the sum over each row of the output of `norms` to out (H,) float64."""
    width = plane.shape[1]
    for y in range(start, stop):
        rows = layers * squares_at(plane, tables, blank, window, y, start, columns, squares)
        out[y] = sum_of_norms(squares, width, min(window, width), rows)
