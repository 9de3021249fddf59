"""States of every node for several codebooks at once, from windows with and without the node.

Planes and their column sums are those of `sweeps`. The K codewords are those of all codebooks
together, each once; ``cuts[s, :sizes[s]]`` are the codewords of codebook s, in its own order.

For each row of nodes ``scores[k, x]`` is the score of codeword k at node x. The codeword of the
least score in a codebook determines the state; ties go to the first.

The score without the node is the window's minus the node's own, so scores are stored until both
states are known.
"""

import numpy as np

from latviz.core.kernels import lanes, sweeps, vectors
from latviz.core.kernels.compiler import callee, njit


@callee()
def room_of(width):
    """Return the room for a row's scores, which more than one intrinsic of `lanes` goes over."""
    return (width + 7 + lanes.WIDE - 1) // lanes.WIDE * lanes.WIDE


@callee()
def write_states(scores, cuts, sizes, found, states, y):
    """Write the states of row ``y`` for every codebook to states (S, H, W) uint8."""
    # scores, cuts, sizes and found are as for `lanes.least_of_cuts`
    lanes.least_of_cuts(scores, cuts, sizes, found)
    for s in range(sizes.size):
        sweeps.copy(found[s], states[s, y])


@njit(nogil=True)
def symbol_states(plane, tables, blank, own, own_table, window, first, columns, book, out):
    """Write the states of symbols from windows with and without the node, two (S, H, W) uint8."""
    # plane, tables, blank and columns as for `sweeps.least_scores`; own (H, W): the nodes' symbols;
    # own_table (G, 8 M): by group, the eight numbers of each symbol, of the type of totals; first:
    # the first row to do and the one after the last; book (cuts, sizes): see the head of the module
    (cuts, sizes), (plain, without) = book, out
    room = room_of(plane.shape[1])
    scores = np.empty((8 * columns.shape[0], room), own_table.dtype)
    found = np.empty((sizes.size, room), np.uint8)
    for y in range(first[0], first[1]):
        sweeps.totals_at(plane, tables, blank, window, y, first[0], columns, scores)
        write_states(scores, cuts, sizes, found, plain, y)
        for g in range(columns.shape[0]):
            vectors.subtract_own(own[y], own_table[g], g, scores)
        write_states(scores, cuts, sizes, found, without, y)


@njit(nogil=True)
def vector_states(plane, blank, own, window, first, columns, linear, book, out):
    """Write the states of vectors, as `symbol_states` does for symbols."""
    # plane, blank and columns as for `sweeps.nearest_means`; own (H, W, C) integers; linear (norms,
    # slopes, layers): see `lanes.scores_of_row`, and the nodes that an entry of the plane sums over
    (cuts, sizes), (plain, without) = book, out
    norms, slopes, layers = linear
    width, n_channels = plane.shape[1:]
    room = room_of(width)
    scores, found = np.empty((norms.size, room)), np.empty((sizes.size, room), np.uint8)
    totals, nodes, widths = np.zeros((n_channels, room)), np.empty(room), np.empty(room)
    sweeps.write_widths(window, width, widths)
    for y in range(first[0], first[1]):
        down = sweeps.vector_totals_at(plane, blank, window, y, first[0], columns, totals)
        for x in range(room):
            nodes[x] = layers * down * widths[x]
        lanes.scores_of_row(totals, nodes, norms, slopes, scores)
        write_states(scores, cuts, sizes, found, plain, y)
        for x in range(width):
            nodes[x] -= 1
            for c in range(n_channels):
                totals[c, x] -= own[y, x, c]
        lanes.scores_of_row(totals, nodes, norms, slopes, scores)
        write_states(scores, cuts, sizes, found, without, y)
