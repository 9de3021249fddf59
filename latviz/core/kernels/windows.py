"""Window sums over the rows of a plane, each row in time independent of the half-width.

A plane is either symbols ``(H, W)``, which a table ``(M, C)`` turns into C integers a node (None:
into M one-hot counts), or integers ``(H, W, C)``. A sequence is a plane of one row; in a volume a
plane is the sum over some layers, so ``layers`` tells how many nodes an entry stands for.

Two sums slide. ``columns[x]``, shape ``(C,)``, is the sum of column x over the rows y - w to y + w:
from one row to the next, one row enters and one leaves. ``total``, shape ``(C,)``, is the sum of
``columns`` over x - w to x + w: from one node to the next, one column enters and one leaves. Both
are clipped to the plane.

All sums are integers, so they are exact: what was added can be taken out again without a trace,
and results are the same however the rows are split over threads.
"""

import numpy as np

from latviz.core.kernels.compiler import njit


@njit(nogil=True)
def add_row(columns, plane, table, y, sign):
    """Add ``sign`` times row ``y`` of the plane to the column sums.

    Parameters
    ----------
    columns : ndarray, shape (W, C), integers
        The sums to change.
    plane : ndarray, shape (H, W) or (H, W, C)
        Symbols, or integers.
    table : ndarray, shape (M, C), or None
        The integers that stand for each symbol; None counts each symbol.
    y : int
        The row.
    sign : int
        1, or -1 to take it out.
    """
    width, channels = columns.shape
    if plane.ndim == 3:
        for x in range(width):
            for c in range(channels):
                columns[x, c] += sign * plane[y, x, c]
    elif table is None:
        for x in range(width):
            columns[x, plane[y, x]] += sign
    else:
        for x in range(width):
            symbol = plane[y, x]
            for c in range(channels):
                columns[x, c] += sign * table[symbol, c]


@njit(nogil=True)
def move_to_row(columns, plane, table, window, y, first):
    """Make the column sums those of row ``y``; return how many rows its window holds.

    Parameters
    ----------
    columns : ndarray, shape (W, C), integers
        The sums of row y - 1; whatever they are if y is ``first``.
    plane : ndarray, shape (H, W) or (H, W, C)
        Symbols, or integers.
    table : ndarray, shape (M, C), or None
        The integers that stand for each symbol; None counts each symbol.
    window : int
        Half-width w >= 0.
    y : int
        The row.
    first : int
        The row with which a sweep begins: its sums are built anew.
    """
    height = plane.shape[0]
    top, bottom = max(0, y - window), min(height - 1, y + window)
    if y == first:
        columns[:] = 0
        for row in range(top, bottom + 1):
            add_row(columns, plane, table, row, 1)
    else:
        if y + window < height:
            add_row(columns, plane, table, y + window, 1)
        if y - window - 1 >= 0:
            add_row(columns, plane, table, y - window - 1, -1)
    return bottom - top + 1


@njit(nogil=True)
def move_to_column(total, columns, window, x):
    """Make ``total`` the window sum at column ``x``; return how many columns the window holds.

    Parameters
    ----------
    total : ndarray, shape (C,), int64
        The window sum at x - 1; whatever it is if x is 0.
    columns : ndarray, shape (W, C), integers
        The column sums of the row.
    window : int
        Half-width w >= 0.
    x : int
        The column.
    """
    width, channels = columns.shape
    if x == 0:
        total[:] = 0
        for column in range(min(width, window + 1)):
            for c in range(channels):
                total[c] += columns[column, c]
    else:
        if x + window < width:
            for c in range(channels):
                total[c] += columns[x + window, c]
        if x - window - 1 >= 0:
            for c in range(channels):
                total[c] -= columns[x - window - 1, c]
    return min(width - 1, x + window) - max(0, x - window) + 1


@njit(nogil=True)
def averages(plane, window, start, stop, columns, layers, scales, offsets, out):
    """Write offset + scale * average of each node's window.

    Parameters
    ----------
    plane : ndarray, shape (H, W) or (H, W, C)
        Symbols, or integers.
    window : int
        Half-width w >= 0.
    start, stop : int
        The rows to do; the column sums are built anew for the first of them.
    columns : ndarray, shape (W, C), integers
        Room for the column sums.
    layers : int
        How many nodes each entry of the plane sums over.
    scales, offsets : ndarray, shape (C,), float64
        The unit and the zero of each channel.
    out : ndarray, shape (H, W, C), float32
        What is written.
    """
    total = np.zeros(columns.shape[1], np.int64)
    for y in range(start, stop):
        rows = move_to_row(columns, plane, None, window, y, start)
        for x in range(columns.shape[0]):
            nodes = layers * rows * move_to_column(total, columns, window, x)
            for c in range(total.size):
                out[y, x, c] = offsets[c] + scales[c] * (total[c] / nodes)


@njit(nogil=True)
def averages_at(plane, window, rows_of, columns_of, columns, scales, offsets, out):
    """Write offset + scale * average of the windows of some nodes, sorted by row.

    Parameters
    ----------
    plane : ndarray, shape (H, W) or (H, W, C)
        Symbols, or integers.
    window : int
        Half-width w >= 0.
    rows_of, columns_of : ndarray, shape (n,), int64
        Where the nodes are.
    columns : ndarray, shape (W, C), integers
        Room for the column sums.
    scales, offsets : ndarray, shape (C,), float64
        The unit and the zero of each channel.
    out : ndarray, shape (n, C), float32
        What is written.
    """
    width = columns.shape[0]
    first = rows_of[0]
    y, rows = first - 1, 0
    for k in range(rows_of.size):
        while y < rows_of[k]:  # rows without nodes are passed too: their sums lead to the next
            y += 1
            rows = move_to_row(columns, plane, None, window, y, first)
        left, right = max(0, columns_of[k] - window), min(width - 1, columns_of[k] + window)
        nodes = rows * (right - left + 1)
        # Nodes are few, so the sum over the columns is not carried on from one to the next.
        for c in range(columns.shape[1]):
            total = np.int64(0)
            for x in range(left, right + 1):
                total += columns[x, c]
            out[k, c] = offsets[c] + scales[c] * (total / nodes)


@njit(nogil=True)
def add_slice(slab, source, table, sign):
    """Add ``sign`` times a slice of a lattice to a slab, the sum of such slices.

    Parameters
    ----------
    slab : ndarray, shape (n, C), integers
        The sums to change, a slice's nodes in a row.
    source : ndarray, shape (n,) or (n, C)
        The slice: symbols, or integers.
    table : ndarray, shape (M, C), or None
        The integers that stand for each symbol; None counts each symbol.
    sign : int
        1, or -1 to take it out.
    """
    for t in range(slab.shape[0]):
        if source.ndim == 2:
            for c in range(slab.shape[1]):
                slab[t, c] += sign * source[t, c]
        elif table is None:
            slab[t, source[t]] += sign
        else:
            for c in range(slab.shape[1]):
                slab[t, c] += sign * table[source[t], c]


@njit(nogil=True)
def exchange_slices(slab, entering, leaving, table):
    """Add a slice to a slab and take another one out, in one pass.

    Parameters
    ----------
    slab : ndarray, shape (n, C), integers
        The sums to change.
    entering, leaving : ndarray, shape (n,) or (n, C)
        The slices: symbols, or integers.
    table : ndarray, shape (M, C), or None
        The integers that stand for each symbol; None counts each symbol.
    """
    # One pass instead of two: the slab is large, and each pass would fetch it from memory.
    for t in range(slab.shape[0]):
        if entering.ndim == 2:
            for c in range(slab.shape[1]):
                slab[t, c] += entering[t, c] - leaving[t, c]
        elif table is None:
            slab[t, entering[t]] += 1
            slab[t, leaving[t]] -= 1
        else:
            new, old = entering[t], leaving[t]
            for c in range(slab.shape[1]):
                slab[t, c] += table[new, c] - table[old, c]
