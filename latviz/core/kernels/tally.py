"""What is counted in each spatial block of a lattice; blocks are ranges of rows and of columns.

Block b is that of rows ``row_edges[v]`` to ``row_edges[v + 1]`` and columns ``column_edges[u]`` to
``column_edges[u + 1]``, with b = v * n_across + u. Maps are ``(rows, width)``.
"""

import numpy as np

from latviz.core.kernels.compiler import njit

STRETCH = 64


@njit(nogil=True, cache=True)
def bounds(block, row_edges, column_edges):
    """Return the first and last row and the first and last column of a block."""
    v, u = divmod(block, column_edges.size - 1)
    return row_edges[v], row_edges[v + 1], column_edges[u], column_edges[u + 1]


@njit(nogil=True, cache=True)
def joint(one, other, row_edges, column_edges, first, last, counts):
    """Count the nodes of blocks first to last by their values in two maps, ``counts[b, i, j]``.

    Neighbours are often alike, and one counter would have to wait for itself: they take turns.
    """
    turns = np.empty((2, *counts.shape[1:]), np.int64)
    for block in range(first, last):
        top, bottom, left, right = bounds(block, row_edges, column_edges)
        turns[:] = 0
        for row in range(top, bottom):
            for x in range(left, right - 1, 2):
                turns[0, one[row, x], other[row, x]] += 1
                turns[1, one[row, x + 1], other[row, x + 1]] += 1
            if (right - left) & 1:
                turns[0, one[row, right - 1], other[row, right - 1]] += 1
        counts[block] += turns[0] + turns[1]


@njit(nogil=True, cache=True)
def alike(one, other):
    """Return whether two rows of states are the same: many at a time, since most are."""
    differences = np.uint8(0)
    for x in range(one.size):
        differences |= one[x] ^ other[x]
    return differences == 0


@njit(nogil=True, cache=True)
def joint_moved(before, after, other, row_edges, column_edges, first, last, counts):
    """Make the counts of ``joint(before, other)`` those of ``joint(after, other)``."""
    for block in range(first, last):
        top, bottom, left, right = bounds(block, row_edges, column_edges)
        for row in range(top, bottom):
            for start in range(left, right, STRETCH):
                stop = min(right, start + STRETCH)
                if alike(before[row, start:stop], after[row, start:stop]):
                    continue
                for x in range(start, stop):
                    i, j = before[row, x], after[row, x]
                    if i != j:
                        counts[block, i, other[row, x]] -= 1
                        counts[block, j, other[row, x]] += 1


@njit(nogil=True, cache=True)
def add_moments(vector, origin, sign, sums):
    """Add ``sign`` times z z' to sums, its lower triangle, with z = (1, vector - origin)."""
    sums[0, 0] += sign
    for a in range(origin.size):
        z = vector[a] - origin[a]
        sums[a + 1, 0] += sign * z
        for b in range(a + 1):
            sums[a + 1, b + 1] += sign * z * (vector[b] - origin[b])


@njit(nogil=True, cache=True)
def moments(states, vectors, origin, row_edges, column_edges, first, last, sums):
    """Add the moments of the vectors ``(rows, width, M)`` of blocks first to last, by state."""
    for block in range(first, last):
        top, bottom, left, right = bounds(block, row_edges, column_edges)
        for row in range(top, bottom):
            for x in range(left, right):
                add_moments(vectors[row, x], origin, 1.0, sums[block, states[row, x]])


@njit(nogil=True, cache=True)
def moments_moved(before, after, vectors, origin, row_edges, column_edges, first, last, sums):
    """Make the sums of ``moments(before, vectors)`` those of ``moments(after, vectors)``."""
    for block in range(first, last):
        top, bottom, left, right = bounds(block, row_edges, column_edges)
        for row in range(top, bottom):
            for x in range(left, right):
                i, j = before[row, x], after[row, x]
                if i != j:
                    add_moments(vectors[row, x], origin, -1.0, sums[block, i])
                    add_moments(vectors[row, x], origin, 1.0, sums[block, j])
