"""Sweeps over the rows of a plane, over a sequence and over slices of a volume, by `vectors`.

A plane is symbols ``(H, W)`` or integers ``(H, W, 8 G)``; column sums and tables are those of
`vectors`, by group. A row that the plane does not have is blank, or has a table of zeros.

All sums are whole and exact: what was added can be taken out again without a trace, and results are
the same however the rows are split over threads.
"""

import numpy as np

from latviz.core.kernels import lanes, vectors
from latviz.core.kernels.compiler import callee, njit


@callee()
def copy(source, target):
    """Copy as many numbers as fit; to assign a slice takes a second more to compile."""
    for k in range(target.size):
        target[k] = source[k]


@callee()
def row_at(plane, y, blank):
    """Return a row of the plane, or where there is none a blank one."""
    return plane[y] if 0 <= y < plane.shape[0] else blank


@callee()
def table_at(tables, group, plane, y):
    """Return the group's table for a row of the plane, or where there is none one of zeros."""
    return tables[0 if 0 <= y < plane.shape[0] else 1, group]


@callee()
def before_row(sums, plane, tables, blank, window, y, reach, group):
    """Make a group's column sums those with which a sweep of row ``y`` begins.

    They hold what its window does but for its last row, which enters with the sweep.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 9),), int32 or float64
        The sums, written.
    plane, tables, blank, window, reach, group
        As for `least_scores`.
    y : int
        The row.
    """
    sums[:] = 0
    height = plane.shape[0]
    for row in range(max(0, y - window), min(height, y + window), 2):
        last = row + 1 if row + 1 < min(height, y + window) else -1
        one, other = row_at(plane, row, blank), row_at(plane, last, blank)
        added, also = table_at(tables, group, plane, row), table_at(tables, group, plane, last)
        vectors.add_two_rows(sums, added, one, also, other, reach, group)


@njit(nogil=True)
def least_scores(plane, tables, blank, window, start, stop, columns, least, found, states):
    """Write the state of least summed score, ties to the smallest.

    Parameters
    ----------
    plane : ndarray, shape (H, W) or (H, W, 8 G)
        Symbols, or integers, in G groups of eight.
    tables : ndarray, shape (2, G, 8 M), the type of ``columns``
        By group, the eight numbers of each symbol after each other; then zeros. For integers it is
        of no account.
    blank : ndarray, shape (W,) or (W, 8 G)
        A row of zeros of the type of the plane.
    window : int
        Half-width w >= 0.
    start, stop : int
        The rows to do; the column sums are built anew for the first of them.
    columns : ndarray, shape (G, 8 (W + 2 reach + 9)), int32 or float64
        Room for the column sums of each group, ``reach`` being w, or W if that is less.
    least : ndarray, shape (W + 7,), int32 or float64
        Room for a row's keys; its type is that of totals, see `vectors.least_of_row`.
    found : ndarray, shape (W + 7,), uint8
        Room for a row's states.
    states : ndarray, shape (H, W), uint8
        What is written.
    """
    for y in range(start, stop):
        least_scores_at(plane, tables, blank, window, y, start, columns, least, found, states[y])


@callee()
def least_scores_at(plane, tables, blank, window, y, start, columns, least, found, states):
    """Write the states of row ``y``, shape (W,), after those of the row before.

    Arguments are those of `least_scores`; the column sums are built anew for row ``start``.
    """
    width = plane.shape[1]
    reach = min(window, width)
    last, gone = y + window, -1 if y == start else y - window - 1
    entering, leaving = row_at(plane, last, blank), row_at(plane, gone, blank)
    for g in range(columns.shape[0]):
        if y == start:
            before_row(columns[g], plane, tables, blank, window, y, reach, g)
        added, removed = table_at(tables, g, plane, last), table_at(tables, g, plane, gone)
        vectors.least_of_row(columns[g], added, entering, removed, leaving, reach, g, least, found)
    copy(found, states)


@njit(nogil=True)
def least_scores_of_slices(
    volume, tables, blank, window, start, stop, slab, columns, least, found, states
):
    """Write the states of slices of a volume, as `least_scores` does those of rows.

    The slab holds the sum of the slices in the window. A row of it is moved to the next slice just
    before it enters a window, so that it is fetched from memory once.

    Parameters
    ----------
    volume : ndarray, shape (D, H, W)
        Symbols.
    blank : ndarray, shape (W, 8 G), the type of ``slab``
        A row of zeros.
    start, stop : int
        The slices to do; the slab is built anew for the first of them.
    slab : ndarray, shape (H, W, 8 G), the type of ``columns``
        Room for the sums.
    tables, window, columns, least, found
        As for `least_scores`.
    states : ndarray, shape (D, H, W), uint8
        What is written.
    """
    height = slab.shape[0]
    slab[:] = 0
    for t in range(max(0, start - window), min(volume.shape[0], start + window)):
        for y in range(height):
            move_slab(slab, volume, tables, t, -1, y)
    for t in range(start, stop):
        last, gone, moved = t + window, -1 if t == start else t - window - 1, 0
        for y in range(height):
            while moved < min(height, y + window + 1):
                move_slab(slab, volume, tables, last, gone, moved)
                moved += 1
            least_scores_at(slab, tables, blank, window, y, 0, columns, least, found, states[t, y])


@callee()
def move_slab(slab, volume, tables, last, gone, y):
    """Add row ``y`` of slice ``last`` to a slab, and take that of slice ``gone`` out.

    Slices that the volume does not have count as zeros. Arguments are those of
    `least_scores_of_slices`.
    """
    entering, leaving = row_at(volume, last, volume[0])[y], row_at(volume, gone, volume[0])[y]
    for g in range(tables.shape[1]):
        added, removed = table_at(tables, g, volume, last), table_at(tables, g, volume, gone)
        vectors.exchange_rows(slab[y], added, entering, removed, leaving, 0, g)


@njit(nogil=True)
def least_scores_along(row, tables, window, start, stop, columns, least, found, states):
    """Write the states of a sequence, as `least_scores` does, part by part.

    No part needs more room than the last: the sums of its columns are the symbols' own numbers.

    Parameters
    ----------
    row : ndarray, shape (n,)
        Symbols.
    start, stop : int
        The nodes to do.
    columns : ndarray, shape (G, 8 (P + 4 window + 9)), int32 or float64
        Room for the column sums of each group, of parts of P nodes.
    least, found : ndarray, shape (P + 2 window + 7,)
        Room for keys and states.
    tables, window, states
        As for `least_scores`, but ``states`` has shape (n,).
    """
    size = least.size - 7 - 2 * window
    for first in range(start, stop, size):
        last = min(stop, first + size)
        left, right = max(0, first - window), min(row.size, last + window)
        part = row[left:right]
        reach = min(window, part.size)
        for g in range(columns.shape[0]):
            columns[g, : 8 * (part.size + 2 * reach + 9)] = 0
            added, removed = tables[0, g], tables[1, g]
            vectors.least_of_row(columns[g], added, part, removed, part, reach, g, least, found)
        copy(found[first - left :], states[first:last])


@callee()
def totals_at(plane, tables, blank, window, y, start, columns, totals):
    """Write the sums of each window of row ``y`` by channel; return how many rows they hold.

    Parameters
    ----------
    y, start : int
        The row, and that with which the sweep began.
    plane, tables, blank, window, columns
        As for `least_scores`.
    totals : ndarray, shape (8 G or more, W + 7)
        What is written; see `vectors.totals_of_row`.
    """
    reach = min(window, plane.shape[1])
    last, gone = y + window, -1 if y == start else y - window - 1
    entering, leaving = row_at(plane, last, blank), row_at(plane, gone, blank)
    for g in range(columns.shape[0]):
        if y == start:
            before_row(columns[g], plane, tables, blank, window, y, reach, g)
        added, removed = table_at(tables, g, plane, last), table_at(tables, g, plane, gone)
        vectors.totals_of_row(columns[g], added, entering, removed, leaving, reach, g, totals)
    return min(plane.shape[0] - 1, last) - max(0, y - window) + 1


@callee()
def exchange(sums, entering, leaving):
    """Add a row of numbers to column sums, and take another one out.

    Parameters
    ----------
    sums : ndarray, shape (C W,), integers
        The sums, changed.
    entering, leaving : ndarray, shape (W, C), integers
        The rows.
    """
    new, old = entering.reshape(-1), leaving.reshape(-1)
    for k in range(sums.size):
        sums[k] += sums.dtype.type(new[k]) - sums.dtype.type(old[k])


@callee()
def sums_along(sums, reach, totals):
    """Sweep a row: write the sums of each window, by channel.

    Parameters
    ----------
    sums : ndarray, shape (C (W + 2 reach + 1),), integers
        The column sums, after ``reach + 1`` columns of zeros and before ``reach``.
    reach : int
        w, or the width of the row if that is less.
    totals : ndarray, shape (C, W + 7), float64
        What is written.
    """
    n_channels = totals.shape[0]
    step = np.uint64(n_channels)  # places of uint64 need no test for negative ones
    for c in range(n_channels):
        total = np.int64(0)
        for x in range(1, 2 * reach + 1):
            total += sums[n_channels * x + c]
        entering, leaving = np.uint64(n_channels * (2 * reach + 1) + c), np.uint64(c)
        for x in range(totals.shape[1] - 7):
            total += np.int64(sums[entering]) - np.int64(sums[leaving])
            entering += step
            leaving += step
            totals[c, x] = total


@callee()
def sums_at(sums, reach, chosen, totals):
    """Write the sums of the windows of a few nodes of a row, as `sums_along` does of all.

    ``chosen``, shape (n,), int64, are the nodes' columns.
    """
    n_channels = totals.shape[0]
    for x in chosen:
        for c in range(n_channels):
            total = np.int64(0)
            for column in range(x + 1, x + 2 * reach + 2):
                total += np.int64(sums[n_channels * column + c])
            totals[c, x] = total


@callee()
def move_vectors(plane, blank, window, y, start, columns):
    """Move the column sums to row ``y``; return how many rows a window holds there.

    Parameters
    ----------
    y, start : int
        The row, and that with which the sweep began.
    plane, blank, window, columns
        As for `nearest_means`.
    """
    height, width, n_channels = plane.shape
    reach = min(window, width)
    sums = columns[n_channels * (reach + 1) : n_channels * (reach + 1 + width)]
    if y == start:
        columns[:] = 0
        for row in range(max(0, y - window), min(height, y + window)):
            exchange(sums, plane[row], blank)
    last, gone = y + window, -1 if y == start else y - window - 1
    exchange(sums, row_at(plane, last, blank), row_at(plane, gone, blank))
    return min(height - 1, last) - max(0, y - window) + 1


@callee()
def vector_totals_at(plane, blank, window, y, start, columns, totals):
    """Write the sums of each window of row ``y`` by channel; return how many rows they hold.

    Parameters
    ----------
    y, start : int
        The row, and that with which the sweep began.
    plane, blank, window, columns
        As for `nearest_means`.
    totals : ndarray, shape (C, W + 7), float64
        What is written.
    """
    rows = move_vectors(plane, blank, window, y, start, columns)
    sums_along(columns, min(window, plane.shape[1]), totals)
    return rows


@callee()
def write_widths(window, width, widths):
    """Write how many columns the window of each node of a row holds; 1 beyond the row.

    Parameters
    ----------
    window, width : int
        Half-width w >= 0, and the number of columns.
    widths : ndarray, shape (W + 7,), float64
        What is written.
    """
    for x in range(widths.size):
        widths[x] = max(1, min(width - 1, x + window) - max(0, x - window) + 1)


@callee()
def write_averages(totals, rows, widths, chosen, scales, offsets, out):
    """Write offset + scale * average of the windows of some nodes of a row.

    Parameters
    ----------
    totals : ndarray, shape (C or more, W + 7), float64
        The windows' sums, by channel.
    rows : int
        How many rows, times layers, the windows hold.
    widths : ndarray, shape (W + 7,), float64
        How many columns each holds.
    chosen : ndarray, shape (n,), int64
        The nodes' columns.
    scales, offsets : ndarray, shape (C,), float64
        The unit and the zero of each channel.
    out : ndarray, shape (n, C), float32 or float64
        What is written.
    """
    for k in range(chosen.size):
        x = chosen[k]
        nodes = rows * widths[x]
        for c in range(out.shape[1]):
            out[k, c] = offsets[c] + scales[c] * (totals[c, x] / nodes)


@njit(nogil=True)
def symbol_averages(
    plane, tables, blank, window, start, stop, columns, layers, spans, chosen, scales, offsets, out
):
    """Write offset + scale * average of the windows of some nodes.

    Parameters
    ----------
    plane, tables, blank, window, start, stop, columns
        As for `least_scores`; the tables may be those that count each symbol.
    layers : int
        How many nodes each entry of the plane sums over.
    spans : ndarray, shape (stop - start, 3), int64
        For each row, where its nodes begin and end in ``chosen``, and where the first of them is
        in ``out``.
    chosen, scales, offsets
        As for `write_averages`.
    out : ndarray, shape (n, C), float32
        What is written; C is 8 G at most.
    """
    room = plane.shape[1] + 7
    totals, widths = np.empty((8 * columns.shape[0], room)), np.empty(room)
    write_widths(window, plane.shape[1], widths)
    for y in range(start, stop):
        rows = layers * totals_at(plane, tables, blank, window, y, start, columns, totals)
        first, last, place = spans[y - start]
        nodes = out[place : place + last - first]
        write_averages(totals, rows, widths, chosen[first:last], scales, offsets, nodes)


@njit(nogil=True)
def vector_averages(
    plane, blank, window, start, stop, columns, layers, spans, chosen, scales, offsets, out
):
    """Write offset + scale * average of the windows of some nodes.

    Parameters
    ----------
    plane, blank, window, start, stop, columns, layers
        As for `nearest_means`.
    spans, chosen, scales, offsets
        As for `symbol_averages`.
    out : ndarray, shape (n, C), float32 or float64
        What is written.
    """
    width, n_channels = plane.shape[1:]
    totals, widths = np.empty((n_channels, width + 7)), np.empty(width + 7)
    write_widths(window, width, widths)
    reach = min(window, width)
    for y in range(start, stop):
        rows = layers * move_vectors(plane, blank, window, y, start, columns)
        first, last, place = spans[y - start]
        nodes, places = out[place : place + last - first], chosen[first:last]
        if places.size * (2 * reach + 1) < width:
            sums_at(columns, reach, places, totals)
        else:
            sums_along(columns, reach, totals)
        write_averages(totals, rows, widths, places, scales, offsets, nodes)


@njit(nogil=True)
def nearest_means(plane, blank, window, start, stop, columns, layers, norms, slopes, states):
    """Write the state whose mean is nearest to the window's mean, ties to the smallest.

    Parameters
    ----------
    plane : ndarray, shape (H, W, C), integers
        Vectors in fixed point, or sums of them over layers.
    blank : ndarray, shape (W, C)
        A row of zeros of the type of the plane.
    window : int
        Half-width w >= 0.
    start, stop : int
        The rows to do; the column sums are built anew for the first of them.
    columns : ndarray, shape (C (W + 2 reach + 1),), integers
        Room for the column sums, ``reach`` being w, or W if that is less.
    layers : int
        How many nodes each entry of the plane sums over.
    norms, slopes : ndarray, shapes (N,) and (N, C), float64
        ||mu_j||^2 and -2 mu_j, as for `lanes.nearest_of_row`.
    states : ndarray, shape (H, W), uint8
        What is written.
    """
    width, n_channels = plane.shape[1:]
    totals, found = np.zeros((n_channels, width + 7)), np.empty(width + 7, np.uint8)
    widths, sizes = np.empty(width + 7), np.empty(width + 7)
    write_widths(window, width, widths)
    for y in range(start, stop):
        rows = layers * vector_totals_at(plane, blank, window, y, start, columns, totals)
        for x in range(sizes.size):
            sizes[x] = rows * widths[x]
        lanes.nearest_of_row(totals, sizes, norms, slopes, found)
        copy(found, states[y])
