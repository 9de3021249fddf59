"""Sweeps over the rows of a plane, over a sequence and over slices of a volume, by `vectors`.

A plane is symbols ``(H, W)`` or integers ``(H, W, 8 G)``; column sums and tables are those of
`vectors`, by group. A row outside the plane is blank, or has a table of zeros.

All sums are whole and exact: subtracting undoes adding, and results are the same for every split of
the rows over threads.
"""

import numpy as np

from latviz.core.kernels import lanes, running, vectors
from latviz.core.kernels.compiler import callee, njit


@callee()
def copy(source, target):
    """Copy as many numbers as fit; to assign a slice takes a second more to compile."""
    for k in range(target.size):
        target[k] = source[k]


@callee()
def row_at(plane, y, blank):
    """Return a row of the plane, or a blank one outside it."""
    return plane[y] if 0 <= y < plane.shape[0] else blank


@callee()
def table_at(tables, group, plane, y):
    """Return the group's table for a row of the plane, or one of zeros outside it."""
    return tables[0 if 0 <= y < plane.shape[0] else 1, group]


@callee()
def before_row(sums, plane, tables, blank, window, y, reach, group):
    """Make a group's column sums those with which a sweep of row ``y`` begins."""
    # That is its window without the last row, which enters with the sweep. sums (8 (W + 2 reach +
    # 9),), int32 or float64, written; the rest is as for `least_scores`
    sums[:] = 0
    height = plane.shape[0]
    for row in range(max(0, y - window), min(height, y + window), 2):
        last = row + 1 if row + 1 < min(height, y + window) else -1
        one, other = row_at(plane, row, blank), row_at(plane, last, blank)
        added, also = table_at(tables, group, plane, row), table_at(tables, group, plane, last)
        vectors.add_two_rows(sums, added, one, also, other, reach, group)


@njit(nogil=True)
def least_scores(plane, tables, blank, window, start, stop, columns, least, found, states):
    """Write the state of least summed score, the first of ties, of rows start to stop (H, W)."""
    # plane (H, W) symbols, or (H, W, 8 G) integers; tables (2, G, 8 M): by group, the eight numbers
    # of each symbol, then zeros (not used for integers); blank (W,) or (W, 8 G): a row of zeros;
    # columns (G, 8 (W + 2 reach + 9)), int32 or float64, reach = min(w, W): the column sums, built
    # from scratch for row ``start``. least (W + 7,): a row's keys, of the type of totals, see
    # `vectors.least_of_row`; found (W + 7,) uint8
    for y in range(start, stop):
        least_scores_at(plane, tables, blank, window, y, start, columns, least, found, states[y])


@callee()
def least_scores_at(plane, tables, blank, window, y, start, columns, least, found, states):
    """Write the states (W,) of row ``y`` after those of the row before, from row ``start`` on."""
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
    """Write the states of slices of a volume, as `least_scores` does those of rows."""
    # volume (D, H, W) symbols. slab (H, W, 8 G): the sum of the slices in the window. Each row is
    # moved to the next slice just before it enters a window, so that it is read from memory once
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
    """Add row ``y`` of slice ``last`` to a slab, and take that of slice ``gone`` out."""
    # Slices outside the volume count as zeros
    entering, leaving = row_at(volume, last, volume[0])[y], row_at(volume, gone, volume[0])[y]
    for g in range(tables.shape[1]):
        added, removed = table_at(tables, g, volume, last), table_at(tables, g, volume, gone)
        vectors.exchange_rows(slab[y], added, entering, removed, leaving, 0, g)


@njit(nogil=True)
def least_scores_along(row, tables, window, start, stop, columns, least, found, states):
    """Write the states (n,) of nodes start to stop of a sequence, in parts of P nodes."""
    # The size of the room depends only on P: the sums of a sequence's columns are the symbols' own
    # numbers. columns (G, 8 (P + 4 window + 9)); least and found (P + 2 window + 7,); the rest as
    # for `least_scores`
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
    """Write the window sums of row ``y`` to totals (8 G or more, W + 7)."""
    # Returns the number of rows in the windows.
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
    """Add entering (W, C) to column sums (C W,), and take leaving (W, C) out."""
    new, old = entering.reshape(-1), leaving.reshape(-1)
    for k in range(sums.size):
        sums[k] += sums.dtype.type(new[k]) - sums.dtype.type(old[k])


@callee()
def sums_at(sums, reach, chosen, totals):
    """Write the window sums of chosen columns (n,) int64, as `running.sums_of_row` does of all."""
    n_channels = totals.shape[0]
    for x in chosen:
        for c in range(n_channels):
            total = np.int64(0)
            for column in range(x + 1, x + 2 * reach + 2):
                total += np.int64(sums[n_channels * column + c])
            totals[c, x] = total


@callee()
def move_vectors(plane, blank, window, y, start, columns):
    """Move the column sums of `nearest_means` to row ``y``; return the rows in a window there."""
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
    """Write the window sums of row ``y`` to totals (C, W + 7) float64; return its rows."""
    rows = move_vectors(plane, blank, window, y, start, columns)
    running.sums_of_row(columns, min(window, plane.shape[1]), plane.shape[1], totals)
    return rows


@callee()
def write_widths(window, width, widths):
    """Write the columns in the window of each node of a row to widths (W + 7,); 1 beyond it."""
    for x in range(widths.size):
        widths[x] = max(1, min(width - 1, x + window) - max(0, x - window) + 1)


@callee()
def write_averages(totals, rows, widths, chosen, scales, offsets, out):
    """Write offset + scale * average of the windows of chosen columns (n,) to out (n, C)."""
    # totals (C or more, W + 7), widths (W + 7,), scales and offsets (C,), float64; rows: times
    # layers
    for k in range(chosen.size):
        x = chosen[k]
        nodes = rows * widths[x]
        for c in range(out.shape[1]):
            out[k, c] = offsets[c] + scales[c] * (totals[c, x] / nodes)


@njit(nogil=True)
def symbol_averages(
    plane, tables, blank, window, start, stop, columns, layers, spans, chosen, scales, offsets, out
):
    """Write offset + scale * average of the windows of some nodes to out (n, C) float32."""
    # spans (stop - start, 3) int64: where a row's nodes begin and end in chosen, and begin in out;
    # layers: nodes summed in an entry of the plane; tables may be those that count each symbol
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
    """Write offset + scale * average of the windows of some nodes to out (n, C)."""
    # As `symbol_averages`, with the plane of `nearest_means`
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
            running.sums_of_row(columns, reach, width, totals)
        write_averages(totals, rows, widths, places, scales, offsets, nodes)


@njit(nogil=True)
def nearest_means(plane, blank, window, start, stop, columns, layers, norms, slopes, states):
    """Write the state (H, W) whose mean is nearest to the window's, the first of ties."""
    # plane (H, W, C): fixed point, or sums over ``layers`` nodes; blank (W, C) zeros; columns (C (W
    # + 2 reach + 8),), built from scratch for row ``start``, reach = min(w, W); norms (N,)
    # ||mu_j||^2 and slopes (N, C) -2 mu_j, float64
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
