"""The density of windows' averages on a plane: how many nodes fall into each of its bins.

Rows are swept as those of vectors are in `sweeps`. Symbols are vectors of two channels, which are
looked up: where a table puts them along both axes of the plane.
"""

import numpy as np

from latviz.core.kernels import sweeps
from latviz.core.kernels.compiler import njit

TWO = np.uint64(2)
ONE = np.uint64(1)


@njit(nogil=True)
def exchange_symbols(sums, added, entering, removed, leaving):
    """Add a row of symbols to column sums, and take another one out.

    Parameters
    ----------
    sums : ndarray, shape (2 W,), integers
        The sums, changed.
    added, removed : ndarray, shape (2 M,), integers
        The two numbers of each symbol that enters, and that leaves.
    entering, leaving : ndarray, shape (W,)
        The rows.
    """
    for x in range(np.uint64(entering.size)):
        at, new, old = TWO * x, TWO * np.uint64(entering[x]), TWO * np.uint64(leaving[x])
        sums[at] += added[new] - removed[old]
        sums[at + ONE] += added[new + ONE] - removed[old + ONE]


@njit(nogil=True)
def symbol_totals_at(plane, tables, blank, window, y, start, columns, totals):
    """Write the sums of each window of row ``y``; return how many rows they hold.

    Parameters
    ----------
    plane : ndarray, shape (H, W)
        Symbols.
    tables : ndarray, shape (2, 2 M), integers
        The two numbers of each symbol; then zeros.
    blank : ndarray, shape (W,)
        A row of symbols 0.
    window : int
        Half-width w >= 0.
    y, start : int
        The row, and that with which the sweep began.
    columns : ndarray, shape (2 (W + 2 reach + 1),), integers
        Room for the column sums, ``reach`` being w, or W if that is less.
    totals : ndarray, shape (2, W + 7), float64
        What is written.
    """
    height, width = plane.shape
    reach = min(window, width)
    sums = columns[2 * (reach + 1) : 2 * (reach + 1 + width)]
    if y == start:
        columns[:] = 0
        for row in range(max(0, y - window), min(height, y + window)):
            exchange_symbols(sums, tables[0], plane[row], tables[1], blank)
    last, gone = y + window, -1 if y == start else y - window - 1
    added, removed = tables[0 if last < height else 1], tables[0 if gone >= 0 else 1]
    entering, leaving = sweeps.row_at(plane, last, blank), sweeps.row_at(plane, gone, blank)
    exchange_symbols(sums, added, entering, removed, leaving)
    sweeps.sums_along(columns, reach, totals)
    return min(height - 1, last) - max(0, y - window) + 1


@njit(nogil=True)
def count_row(totals, rows, shares, inner, bins, places, counts):
    """Count nodes of a row in the bins of their averages.

    Parameters
    ----------
    totals : ndarray, shape (C, W + 7), float64
        The windows' sums, by channel.
    rows : int
        How many rows, times layers, the windows hold.
    shares : ndarray, shape (W + 7,), float64
        One over the number of columns that they hold.
    inner : (int, int)
        The nodes to count: the first, and the one after the last.
    bins : (projection, origin)
        From an average to bins along both axes, (2, C), and the bins of an average of 0, (2,).
    places : ndarray, shape (2, W + 7), float64
        Room for bins along both axes.
    counts : ndarray, shape (n_v, n_u), int64
        What is added to; what is outside counts in the last bin.
    """
    projection, origin = bins
    for axis in range(2):
        last = counts.shape[1 - axis] - 1.0
        place = places[axis]
        place[:] = 0.0
        for c in range(totals.shape[0]):
            factor, total = projection[axis, c] / rows, totals[c]
            for x in range(place.size):
                place[x] += factor * total[x]
        for x in range(place.size):
            place[x] = min(max(origin[axis] + place[x] * shares[x], 0.0), last)
    for x in range(np.uint64(inner[0]), np.uint64(inner[1])):
        counts[np.uint64(places[1, x]), np.uint64(places[0, x])] += 1


@njit(nogil=True)
def shares_of(window, width):
    """Return one over how many columns the window of each node of a row holds, (W + 7,)."""
    shares = np.empty(width + 7)
    sweeps.write_widths(window, width, shares)
    for x in range(shares.size):
        shares[x] = 1.0 / shares[x]
    return shares


@njit(nogil=True)
def of_symbols(plane, tables, blank, window, start, stop, columns, inner, bins, counts):
    """Count nodes in the bins of their windows' averages.

    Parameters
    ----------
    start, stop : int
        The rows to do; the column sums are built anew for the first of them.
    plane, tables, blank, window, columns
        As for `symbol_totals_at`.
    inner, bins, counts
        As for `count_row`.
    """
    room = plane.shape[1] + 7
    totals, places = np.zeros((2, room)), np.empty((2, room))
    shares = shares_of(window, plane.shape[1])
    for y in range(start, stop):
        rows = symbol_totals_at(plane, tables, blank, window, y, start, columns, totals)
        count_row(totals, rows, shares, inner, bins, places, counts)


@njit(nogil=True)
def of_vectors(plane, blank, window, start, stop, columns, layers, inner, bins, counts):
    """Count nodes in the bins of their windows' averages.

    Parameters
    ----------
    plane, blank, window, start, stop, columns, layers
        As for `sweeps.nearest_means`.
    inner, bins, counts
        As for `count_row`.
    """
    width, n_channels = plane.shape[1:]
    room = width + 7
    totals, places = np.zeros((n_channels, room)), np.empty((2, room))
    shares = shares_of(window, width)
    for y in range(start, stop):
        rows = sweeps.vector_totals_at(plane, blank, window, y, start, columns, totals)
        count_row(totals, layers * rows, shares, inner, bins, places, counts)
