"""Column sums in eight lanes, for `leave_one_out`.

A plane is as in `windows`, but its C integers a node, or the table's, come in G groups of eight
(padded with lanes of which nobody takes note). ``columns[g]`` is flat: group g of every column's
sum over the window's rows, eight numbers a column, with ``reach + 1`` columns of zeros before the
first and ``reach`` after the last. Thus no window has to be clipped: lane c of column x is at
``8 (reach + 1 + x) + c``, and the window of x from ``8 (x + 1)`` up to ``8 (x + 2 reach + 2)``.

Places are uint64: numba then spares the test for negative indices.
"""

import numpy as np

from latviz.core.kernels.compiler import njit

EIGHT = np.uint64(8)
ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN = (np.uint64(k) for k in range(1, 8))


@njit(nogil=True)
def add_row(sums, reach, plane, table, group, y, sign):
    """Add ``sign`` times row ``y`` of the plane to the column sums of a group.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    plane : ndarray, shape (H, W) or (H, W, 8 G)
        Symbols, or integers, in G groups of eight.
    table : ndarray, shape (G, 8 M), or None
        By group, the eight integers of each symbol after each other; None for integers.
    group : int
        The group.
    y : int
        The row.
    sign : int
        1, or -1 to take it out.
    """
    first = 8 * (reach + 1)
    for x in range(plane.shape[1]):
        at = np.uint64(first + 8 * x)
        if plane.ndim == 3:
            for c in range(EIGHT):
                sums[at + c] += sign * plane[y, x, 8 * group + c]
        else:
            entries = EIGHT * np.uint64(plane[y, x])
            for c in range(EIGHT):
                sums[at + c] += sign * table[group, entries + c]


@njit(nogil=True)
def exchange_rows(sums, reach, plane, entries, entering, leaving):
    """Add a row of symbols to the column sums and take another one out, in one pass.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    plane : ndarray, shape (H, W)
        Symbols.
    entries : ndarray, shape (8 M,), integers
        The group's row of the table.
    entering, leaving : int
        The rows.
    """
    first = 8 * (reach + 1)
    for x in range(plane.shape[1]):
        at = np.uint64(first + 8 * x)
        new = EIGHT * np.uint64(plane[entering, x])
        old = EIGHT * np.uint64(plane[leaving, x])
        for c in range(EIGHT):
            sums[at + c] += entries[new + c] - entries[old + c]


@njit(nogil=True)
def move_to_row(sums, reach, plane, table, group, window, y, first):
    """Make a group's column sums, which are those of row y - 1, those of row ``y``.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    plane : ndarray, shape (H, W) or (H, W, 8 G)
        Symbols, or integers, in G groups of eight.
    table : ndarray, shape (G, 8 M), or None
        By group, the eight integers of each symbol after each other; None for integers.
    group : int
        The group.
    window : int
        Half-width w >= 0.
    y : int
        The row.
    first : int
        The row with which a sweep begins: its sums are built anew.
    """
    height = plane.shape[0]
    if y == first:
        sums[:] = 0
        for row in range(max(0, y - window), min(height - 1, y + window) + 1):
            add_row(sums, reach, plane, table, group, row, 1)
        return
    entering, leaving = y + window < height, y - window - 1 >= 0
    if plane.ndim == 2:  # noqa: SIM102  the compiler decides this alone
        if entering and leaving:
            exchange_rows(sums, reach, plane, table[group], y + window, y - window - 1)
            return
    if entering:
        add_row(sums, reach, plane, table, group, y + window, 1)
    if leaving:
        add_row(sums, reach, plane, table, group, y - window - 1, -1)


@njit(nogil=True)
def before_first(sums, reach):
    """Return the eight totals with which a sweep begins, (8,).

    They are those of the window around the column before the first: what lies left of the plane is
    zero, and the column that leaves at the first step is zero too.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    """
    totals = np.zeros(8, np.int64)
    for column in range(1, 2 * reach + 1):
        for c in range(8):
            totals[c] += sums[8 * column + c]
    return totals
