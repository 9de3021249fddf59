"""Window sums over the rows of a plane, each row in time independent of the half-width.

A plane is either symbols ``(H, W)``, which a table ``(M, C)`` turns into ``C`` integers a node
(None: into M one-hot counts), or integers ``(H, W, C)``. ``columns[x]`` holds the sum of column
``x`` over the window's rows; a row is swept with the sum over the window's columns. All sums are
integers, so they are exact and the same however the rows are split over threads.
``layers`` is the number of nodes that each entry of the plane already sums over.
"""

import numpy as np

from latviz.core.kernels.compiler import njit


@njit(nogil=True, cache=True)
def add_row(columns, plane, table, y, sign):
    """Add ``sign`` times row ``y`` of the plane to the column sums."""
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


@njit(nogil=True, cache=True)
def move_to_row(columns, plane, table, window, y, first):
    """Make the column sums those of row ``y``; return how many rows its window holds."""
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


@njit(nogil=True, cache=True)
def move_to_column(total, columns, window, x):
    """Make ``total`` the window sum at column ``x`` (from that at ``x - 1``); return its width."""
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


@njit(nogil=True, cache=True)
def nearest_means(plane, window, start, stop, columns, layers, scales, means, states):
    """Write the state whose mean is nearest to the window's mean for rows start to stop."""
    total = np.zeros(columns.shape[1], np.int64)
    for y in range(start, stop):
        rows = move_to_row(columns, plane, None, window, y, start)
        for x in range(columns.shape[0]):
            nodes = layers * rows * move_to_column(total, columns, window, x)
            best, least = 0, np.inf
            for j in range(means.shape[0]):
                distance = 0.0
                for c in range(total.size):
                    difference = scales[c] * (total[c] / nodes) - means[j, c]
                    distance += difference * difference
                if distance < least:
                    best, least = j, distance
            states[y, x] = best


@njit(nogil=True, cache=True)
def averages(plane, window, start, stop, columns, layers, scales, offsets, out):
    """Write offset + scale * average of the window for rows start to stop."""
    total = np.zeros(columns.shape[1], np.int64)
    for y in range(start, stop):
        rows = move_to_row(columns, plane, None, window, y, start)
        for x in range(columns.shape[0]):
            nodes = layers * rows * move_to_column(total, columns, window, x)
            for c in range(total.size):
                out[y, x, c] = offsets[c] + scales[c] * (total[c] / nodes)


@njit(nogil=True, cache=True)
def averages_at(plane, window, rows_of, columns_of, columns, scales, offsets, out):
    """Write the averages at nodes ``(rows_of[k], columns_of[k])``, sorted by row, to ``out[k]``."""
    width = columns.shape[0]
    first = rows_of[0]
    y, rows = first - 1, 0
    for k in range(rows_of.size):
        while y < rows_of[k]:
            y += 1
            rows = move_to_row(columns, plane, None, window, y, first)
        left, right = max(0, columns_of[k] - window), min(width - 1, columns_of[k] + window)
        nodes = rows * (right - left + 1)
        for c in range(columns.shape[1]):
            total = np.int64(0)
            for x in range(left, right + 1):
                total += columns[x, c]
            out[k, c] = offsets[c] + scales[c] * (total / nodes)


@njit(nogil=True, cache=True)
def density(plane, window, start, stop, columns, projection, origin, bins, counts):
    """Count the nodes of rows start to stop in the bins of a plane onto which sums project.

    A node's coordinates, in bins, are ``origin + projection @ average``; ``bins`` is their number.
    """
    total = np.zeros(columns.shape[1], np.int64)
    for y in range(start, stop):
        rows = move_to_row(columns, plane, None, window, y, start)
        for x in range(columns.shape[0]):
            nodes = rows * move_to_column(total, columns, window, x)
            u, v = origin[0], origin[1]
            for c in range(total.size):
                average = total[c] / nodes
                u += projection[0, c] * average
                v += projection[1, c] * average
            column = min(max(int(np.floor(u)), 0), bins[0] - 1)
            row = min(max(int(np.floor(v)), 0), bins[1] - 1)
            counts[row, column] += 1


@njit(nogil=True, cache=True)
def add_slice(slab, source, table, sign):
    """Add ``sign`` times a slice (symbols ``(n,)`` or integers ``(n, C)``) to a slab ``(n, C)``."""
    for t in range(slab.shape[0]):
        if source.ndim == 2:
            for c in range(slab.shape[1]):
                slab[t, c] += sign * source[t, c]
        elif table is None:
            slab[t, source[t]] += sign
        else:
            for c in range(slab.shape[1]):
                slab[t, c] += sign * table[source[t], c]


@njit(nogil=True, cache=True)
def exchange_slices(slab, entering, leaving, table):
    """Add a slice to a slab and take another one out, in one pass; see `add_slice`."""
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
