"""Windows of a few nodes, each summed on its own: for nodes too sparse for a sweep.

A lattice has three leading axes (missing ones have length 1): symbols ``(D, H, W)``, or integers
``(D, H, W, C)``. ``totals`` ``(n, C)`` are the windows' exact sums, for symbols the counts of each,
and ``sizes`` ``(n,)`` the number of nodes in each window.
"""

import numpy as np

from latviz.core.kernels.compiler import callee, njit

PACKED = 8
"""Symbols whose counts are held in one number, a byte for each."""
MOST_PACKED = 255
"""The largest value of a byte."""


@callee()
def packed_counts(line):
    """Return the counts of the symbols of a line, ``(n,)``, a byte for each; all are below 8."""
    packed = np.uint64(0)
    for x in range(line.size):
        packed += np.uint64(1) << (np.uint64(line[x]) << np.uint64(3))
    return packed


@callee()
def add_packed(packed, counts):
    """Add packed counts to counts, ``(C,)``."""
    for c in range(counts.size):
        counts[c] += np.int64(packed >> np.uint64(8 * c) & np.uint64(MOST_PACKED))


@callee()
def count_packed(lattice, z, y, left, right, counts):
    """Add the counts of up to 8 symbols in layers, rows and columns of a lattice to counts (C,)."""
    # z and y are the first layer and row and those after the last. Many nodes are counted at once,
    # in bytes, which are added up before they can overflow
    packed, n_packed = np.uint64(0), 0
    for plane in range(z[0], z[1]):
        for row in range(y[0], y[1]):
            for first in range(left, right, MOST_PACKED):
                last = min(right, first + MOST_PACKED)
                if n_packed + last - first > MOST_PACKED:
                    add_packed(packed, counts)
                    packed, n_packed = np.uint64(0), 0
                packed += packed_counts(lattice[plane, row, first:last])
                n_packed += last - first
    add_packed(packed, counts)


@callee()
def count_line(line, parts):
    """Add the counts of the symbols of a line (n,) to parts (4, C)."""
    # Successive symbols are often equal, and one counter would wait for itself: four take turns
    whole = line.size & ~3
    for x in range(0, whole, 4):
        parts[0, line[x]] += 1
        parts[1, line[x + 1]] += 1
        parts[2, line[x + 2]] += 1
        parts[3, line[x + 3]] += 1
    for x in range(whole, line.size):
        parts[0, line[x]] += 1


@callee()
def add_line(line, sums):
    """Add a line of integers, ``(n,)``, to as many sums, in vectors for any number of channels."""
    for k in range(line.size):
        sums[k] += line[k]


@njit(nogil=True)
def totals_at(lattice, sides, nodes, start, stop, totals, sizes):
    """Write the sums (n, C) and sizes (n,) int64 of the clipped windows of nodes start to stop."""
    # lattice (D, H, W) symbols, or (D, H, W, C) integers; sides (3,) half-widths, and nodes (3, n),
    # int64, by axis
    depth, height, width = lattice.shape[:3]
    channels, flat = totals.shape[1], lattice.reshape(-1)
    # Of symbols four counts, of integers the sums of each column.
    n_parts = 4 if lattice.ndim == 3 else min(width, 2 * sides[2] + 1)
    parts = np.empty((n_parts, channels), np.int64)
    sums = parts.reshape(-1)
    for k in range(start, stop):
        z, y, x = nodes[0, k], nodes[1, k], nodes[2, k]
        front, back = max(0, z - sides[0]), min(depth, z + sides[0] + 1)
        top, bottom = max(0, y - sides[1]), min(height, y + sides[1] + 1)
        left, right = max(0, x - sides[2]), min(width, x + sides[2] + 1)
        sizes[k] = (back - front) * (bottom - top) * (right - left)
        totals[k] = 0
        if lattice.ndim == 3 and channels <= PACKED:
            count_packed(lattice, (front, back), (top, bottom), left, right, totals[k])
            continue
        parts[:] = 0
        for plane in range(front, back):
            for row in range(top, bottom):
                if lattice.ndim == 3:
                    count_line(lattice[plane, row, left:right], parts)
                else:
                    first = ((plane * height + row) * width + left) * channels
                    add_line(flat[first : first + (right - left) * channels], sums)
        for part in range(n_parts):
            for c in range(channels):
                totals[k, c] += parts[part, c]


@njit(nogil=True)
def least_scores(totals, table, start, stop, states):
    """Write the state of least score of nodes start to stop, the first of ties, to states (n,)."""
    # totals (n, M) int64: symbols in each window; table (M, N): a symbol's score for a state, fixed
    # point
    scores = np.empty(table.shape[1], np.int64)
    for k in range(start, stop):
        scores[:] = 0
        for m in range(totals.shape[1]):
            count = totals[k, m]
            if count:  # most symbols are in few windows
                for j in range(table.shape[1]):
                    scores[j] += count * table[m, j]
        best = 0
        for j in range(1, scores.size):
            if scores[j] < scores[best]:
                best = j
        states[k] = best


@njit(nogil=True)
def nearest_means(totals, sizes, norms, slopes, start, stop, states):
    """Write the state whose mean is nearest to the window's, the first of ties, to states (n,)."""
    # totals (n, C) int64 in fixed point, sizes (n,); norms (N,) ||mu_j||^2, slopes (N, C) -2 mu_j.
    # Step by step the arithmetic of `lanes.nearest_of_row`, so that states are the same
    for k in range(start, stop):
        best, least = 0, np.inf
        for j in range(norms.size):
            score = sizes[k] * norms[j]
            for c in range(totals.shape[1]):
                score += slopes[j, c] * totals[k, c]
            if score < least:
                best, least = j, score
        states[k] = best
