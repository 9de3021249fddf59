"""The density of window averages on a plane, from a table that gives two integers a symbol."""

import numpy as np

from latviz.core.kernels.compiler import njit

ONE = np.uint64(1)


@njit(nogil=True, cache=True)
def add_row(sums, reach, symbols, table, y, sign):
    """Add ``sign`` times row ``y`` to both sums of each column."""
    for x in range(symbols.shape[1]):
        at, symbol = np.uint64(x + reach + 1), np.uint64(symbols[y, x])
        sums[0, at] += sign * table[0, symbol]
        sums[1, at] += sign * table[1, symbol]


@njit(nogil=True, cache=True)
def move_to_row(sums, reach, symbols, table, window, y, first):
    """Make the column sums those of row ``y``; return how many rows its window holds."""
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


@njit(nogil=True, cache=True)
def count_row(sums, reach, shares, factors, origin, counts):
    """Count the nodes of a row in the bins of their averages.

    ``shares[x]`` is one over the number of columns in the window at ``x``; a node's bin is
    ``origin + factors * total * share`` along each axis, clipped to those that there are.
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


@njit(nogil=True, cache=True)
def density(symbols, table, window, start, stop, sums, reach, factors, origin, counts):
    """Count the nodes of rows start to stop in the bins of their windows' averages.

    ``sums`` is room for two sums a column, with ``reach + 1`` zeros before and ``reach`` after.
    """
    width = symbols.shape[1]
    shares = np.empty(width)
    for x in range(width):
        shares[x] = 1.0 / (min(width - 1, x + reach) - max(0, x - reach) + 1)
    for y in range(start, stop):
        rows = move_to_row(sums, reach, symbols, table, window, y, start)
        count_row(sums, reach, shares, factors / rows, origin, counts)
