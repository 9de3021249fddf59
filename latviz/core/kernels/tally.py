"""Counts in each spatial block of a lattice; blocks are ranges of rows and of columns.

Block b is that of rows ``row_edges[v]`` to ``row_edges[v + 1]`` and columns ``column_edges[u]`` to
``column_edges[u + 1]``, with b = v * n_across + u. Maps are ``(rows, width)``. Threads share out
the blocks, so that no two add to the same counts.
"""

import numpy as np

from latviz.core.kernels import marks
from latviz.core.kernels.compiler import callee, njit

FEW = 256
"""Pairs of values up to which nodes are counted many at a time, for each pair."""
RUNS = 256
"""Nodes whose products are summed at a time: 2^8 squares of numbers of 27 bits are below 2^63."""


@callee()
def bounds(block, row_edges, column_edges):
    """Return a block's first and last row and first and last column."""
    v, u = divmod(block, column_edges.size - 1)
    return row_edges[v], row_edges[v + 1], column_edges[u], column_edges[u + 1]


@njit(nogil=True)
def joint(maps, sizes, other, row_edges, column_edges, first, last, counts):
    """Count the nodes of blocks first to last by their values in maps and in another map."""
    # maps (S, rows, width) and other (rows, width), uint8 or uint16; sizes (S,): bounds of the
    # values of each; counts (S, n_blocks, N1, N2) int64; for the edges see the head of the module
    few = counts.shape[2] * counts.shape[3] <= FEW and other.shape[1] >= marks.NODES
    across = column_edges.size - 1
    block = first
    while block < last:
        # Blocks side by side: memory is read row by row.
        n = min(last - block, across - block % across)
        edges = side_by_side(block, n, row_edges, column_edges)
        found = counts[:, block : block + n]
        if few:
            joint_by_marks(maps, sizes, other, edges, found)
        else:
            for s in range(sizes.size):
                joint_by_turns(maps[s], other, edges, found[s])
        block += n


@callee()
def side_by_side(block, n, row_edges, column_edges):
    """Return the first and last row of n blocks side by side, and the edges of their columns."""
    v, u = divmod(block, column_edges.size - 1)
    return row_edges[v], row_edges[v + 1], column_edges[u : u + n + 1]


@callee()
def joint_by_marks(maps, sizes, other, edges, counts):
    """Count the nodes of blocks side by side, 64 at a time, for each pair of values."""
    # Arguments as for `joint`, of 64 columns or more; edges as `side_by_side` returns them
    top, bottom, columns = edges
    n_maps, n_blocks, n_one, n_other = counts.shape
    height, width = other.shape
    masks = np.empty((n_other + 7) // 8 * 8, np.int64)
    size = n_one * masks.size
    found = np.zeros((n_blocks, n_maps, n_one, masks.size), np.int64)
    for row in range(top, bottom):
        for u in range(n_blocks):
            for place in range(columns[u], columns[u + 1], marks.NODES):
                start = min(place, width - marks.NODES)
                n_before = place - start
                n = min(columns[u + 1], place + marks.NODES) - start
                valid = marks.ALL << np.uint64(n_before) & marks.ALL >> np.uint64(marks.NODES - n)
                marks.mark_values(other, row * width + start, valid, masks)
                for s in range(n_maps):
                    node = (s * height + row) * width + start
                    first = (u * n_maps + s) * size
                    marks.count_marked(maps, node, sizes[s], masks, found, first)
    for u, s, i, j in np.ndindex((n_blocks, n_maps, n_one, n_other)):
        counts[s, u, i, j] += found[u, s, i, j]


@callee()
def joint_by_turns(one, other, edges, counts):
    """Count the nodes of blocks side by side, one by one, into counts (n, N1, N2) int64."""
    # Neighbours are often alike, and one counter would have to wait for itself: two take turns.
    # Loops, not sums of arrays: for these Numba compiles texts of errors about shapes as well.
    top, bottom, columns = edges
    turns = np.empty((2, *counts.shape[1:]), np.int64)
    for u in range(counts.shape[0]):
        left, right = columns[u], columns[u + 1]
        turns.fill(0)
        for row in range(top, bottom):
            for x in range(left, right - 1, 2):
                turns[0, one[row, x], other[row, x]] += 1
                turns[1, one[row, x + 1], other[row, x + 1]] += 1
            if (right - left) & 1:
                turns[0, one[row, right - 1], other[row, right - 1]] += 1
        for i in range(turns.shape[1]):
            for j in range(turns.shape[2]):
                counts[u, i, j] += turns[0, i, j] + turns[1, i, j]


@callee()
def run_edges(states, edges):
    """Write where each run of one state begins and the last one ends; return the number of runs."""
    # states (n,) uint8, n >= 1; edges (n + 1,) or longer, int64
    edges[0], n_runs = 0, 1
    for x in range(1, states.size):
        edges[n_runs] = x
        n_runs += states[x] != states[x - 1]
    edges[n_runs] = states.size
    return n_runs


@njit(nogil=True)
def moments(states, vectors, origin, row_edges, column_edges, first, last, sums):
    """Add the moments of blocks first to last, by state, to sums (n_blocks, N, M + 1, M + 1)."""
    # states (rows, width) uint8, vectors (rows, width, M) in fixed point; origin (M,) float64: a
    # whole number near the middle, so that squares stay small enough to be exact
    n_channels = origin.size
    # The first of z is 1. The sum over runs of one state is the difference of sums from the left,
    # in integers: exact, and one step for each product and node, for any runs.
    z, sums_before = np.ones((n_channels + 1, RUNS), np.int64), np.zeros(RUNS + 1, np.int64)
    edges = np.empty(RUNS + 1, np.int64)
    middle = origin.astype(np.int64)
    for block in range(first, last):
        top, bottom, left, right = bounds(block, row_edges, column_edges)
        for row in range(top, bottom):
            for start in range(left, right, RUNS):
                stretch = states[row, start : min(right, start + RUNS)]
                own = vectors[row, start : start + stretch.size]
                n_runs = run_edges(stretch, edges)
                for c in range(n_channels):
                    for x in range(stretch.size):
                        z[c + 1, x] = np.int64(own[x, c]) - middle[c]
                for a in range(n_channels + 1):
                    for b in range(a + 1):
                        total = np.int64(0)
                        for x in range(stretch.size):
                            total += z[a, x] * z[b, x]
                            sums_before[x + 1] = total
                        for run in range(n_runs):
                            low, high = edges[run], edges[run + 1]
                            more = sums_before[high] - sums_before[low]
                            sums[block, stretch[low], a, b] += more


@callee()
def add_moments(vector, origin, sign, sums):
    """Add sign times z z', z = (1, vector - origin), to a lower triangle (M + 1, M + 1)."""
    sums[0, 0] += sign
    for a in range(origin.size):
        z = vector[a] - origin[a]
        sums[a + 1, 0] += sign * z
        for b in range(a + 1):
            sums[a + 1, b + 1] += sign * z * (vector[b] - origin[b])


@njit(nogil=True)
def moments_moved(before, after, vectors, origin, row_edges, column_edges, first, last, sums):
    """Make the sums of ``moments(before, vectors)`` those of ``moments(after, vectors)``."""
    # Decodings with consecutive windows are similar, so only changed nodes are read. All numbers
    # are whole, so the sums are the same to the last bit
    for block in range(first, last):
        top, bottom, left, right = bounds(block, row_edges, column_edges)
        for row in range(top, bottom):
            old, new = before[row], after[row]
            for place in range(left, right, marks.NODES):
                unlike = marks.unlike(old, new, place, 0, right)
                while unlike:
                    x = place + marks.lowest(unlike)
                    unlike &= unlike - marks.ONE
                    add_moments(vectors[row, x], origin, -1.0, sums[block, old[x]])
                    add_moments(vectors[row, x], origin, 1.0, sums[block, new[x]])
