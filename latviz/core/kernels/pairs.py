"""The density of window averages on a plane, from a table that gives two integers a symbol.

The sums are as in `vectors`, but of two lanes, apart: ``sums[k]`` has lane k of every column's
sum over the window's rows, with ``reach + 1`` zeros before the first column and ``reach`` after the
last, so that no window has to be clipped.
"""

import numpy as np

from latviz.core.kernels.compiler import njit

ONE = np.uint64(1)


@njit(nogil=True)
def add_row(sums, reach, symbols, table, y, sign):
    """Add ``sign`` times row ``y`` to both sums of each column.

    Parameters
    ----------
    sums : ndarray, shape (2, W + 2 reach + 1), int64
        The sums to change.
    reach : int
        w, or the width of the plane if that is less.
    symbols : ndarray, shape (H, W)
        The plane.
    table : ndarray, shape (2, M), integers
        The two integers of each symbol, in fixed point.
    y : int
        The row.
    sign : int
        1, or -1 to take it out.
    """
    for x in range(symbols.shape[1]):
        at, symbol = np.uint64(x + reach + 1), np.uint64(symbols[y, x])
        sums[0, at] += sign * table[0, symbol]
        sums[1, at] += sign * table[1, symbol]


@njit(nogil=True)
def move_to_row(sums, reach, symbols, table, window, y, first):
    """Make the column sums those of row ``y``; return how many rows its window holds.

    Parameters
    ----------
    sums : ndarray, shape (2, W + 2 reach + 1), int64
        The sums of row y - 1; whatever they are if y is ``first``.
    reach : int
        w, or the width of the plane if that is less.
    symbols : ndarray, shape (H, W)
        The plane.
    table : ndarray, shape (2, M), integers
        The two integers of each symbol.
    window : int
        Half-width w >= 0.
    y : int
        The row.
    first : int
        The row with which a sweep begins: its sums are built anew.
    """
    height = symbols.shape[0]
    top, bottom = max(0, y - window), min(height - 1, y + window)
    if y == first:
        sums[:] = 0
        for row in range(top, bottom + 1):
            add_row(sums, reach, symbols, table, row, 1)
    else:
        if y + window < height:
            add_row(sums, reach, symbols, table, y + window, 1)
        if y - window - 1 >= 0:
            add_row(sums, reach, symbols, table, y - window - 1, -1)
    return bottom - top + 1


@njit(nogil=True)
def count_row(sums, reach, shares, factors, origin, counts):
    """Count the nodes of a row in the bins of their averages.

    A node's bin is ``origin + factors * total * share`` along each axis, clipped to the bins that
    there are.

    Parameters
    ----------
    sums : ndarray, shape (2, W + 2 reach + 1), int64
        The column sums of the row.
    reach : int
        w, or the width of the plane if that is less.
    shares : ndarray, shape (W,), float64
        One over the number of columns in the window at x.
    factors, origin : ndarray, shape (2,), float64
        From an average over columns to bins, and the bins of 0.
    counts : ndarray, shape (n_v, n_u), uint64
        What is added to.
    """
    last_u, last_v = counts.shape[1] - 1.0, counts.shape[0] - 1.0
    total_u, total_v = np.int64(0), np.int64(0)
    for x in range(1, 2 * reach + 1):
        total_u += sums[0, x]
        total_v += sums[1, x]
    entering, leaving = np.uint64(2 * reach + 1), np.uint64(0)
    for x in range(shares.size):
        total_u += sums[0, entering] - sums[0, leaving]
        total_v += sums[1, entering] - sums[1, leaving]
        entering += ONE
        leaving += ONE
        u = min(max(origin[0] + factors[0] * (total_u * shares[x]), 0.0), last_u)
        v = min(max(origin[1] + factors[1] * (total_v * shares[x]), 0.0), last_v)
        counts[np.uint64(v), np.uint64(u)] += ONE


@njit(nogil=True)
def density(symbols, table, window, start, stop, sums, reach, factors, origin, counts):
    """Count nodes in the bins of their windows' averages.

    Parameters
    ----------
    symbols : ndarray, shape (H, W)
        The plane.
    table : ndarray, shape (2, M), integers
        The two integers of each symbol.
    window : int
        Half-width w >= 0.
    start, stop : int
        The rows to do; the column sums are built anew for the first of them.
    sums : ndarray, shape (2, W + 2 reach + 1), int64
        Room for the column sums.
    reach : int
        w, or the width of the plane if that is less.
    factors, origin : ndarray, shape (2,), float64
        From an average to bins, and the bins of 0.
    counts : ndarray, shape (n_v, n_u), uint64
        What is added to.
    """
    width = symbols.shape[1]
    shares = np.empty(width)
    # A product instead of a quotient for every node.
    for x in range(width):
        shares[x] = 1.0 / (min(width - 1, x + reach) - max(0, x - reach) + 1)
    for y in range(start, stop):
        rows = move_to_row(sums, reach, symbols, table, window, y, start)
        count_row(sums, reach, shares, factors / rows, origin, counts)
