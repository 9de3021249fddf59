"""States of every node for several codebooks at once, from windows with and without the node.

Planes and their column sums are those of `sweeps`. The K codewords are those of all codebooks
together, each once; ``cuts[s, :sizes[s]]`` are the codewords of codebook s, in its own order.

For each row of nodes ``scores[k, x]`` is the score of codeword k at node x: of a codebook's
codewords the one of least score tells the state, and of ties the first.

What is left out of a window is the hole: the nodes within its own half-width of the node. The score
without the hole is the window's less the hole's, which is why scores are kept until both are told.
"""

import numpy as np

from latviz.core.kernels import lanes, sweeps, vectors
from latviz.core.kernels.compiler import njit


@njit(nogil=True)
def write_states(scores, cuts, sizes, found, states, y):
    """Write the states of row ``y`` for every codebook.

    Parameters
    ----------
    scores, cuts, sizes, found
        As for `lanes.least_of_cuts`.
    states : ndarray, shape (S, H, W), uint8
        What is written.
    y : int
        The row.
    """
    lanes.least_of_cuts(scores, cuts, sizes, found)
    for s in range(sizes.size):
        sweeps.copy(found[s], states[s, y])


@njit(nogil=True)
def subtract(numbers, others):
    """Take rows of numbers out of others of the same shape."""
    one, other = numbers.reshape(-1), others.reshape(-1)
    for k in range(one.size):
        one[k] -= other[k]


@njit(nogil=True)
def symbol_states(plane, tables, blank, own, own_table, reaches, first, columns, holes, book, out):
    """Write the states of symbols, from the scores summed over windows.

    Parameters
    ----------
    plane, tables, blank
        As for `sweeps.least_scores`.
    own : ndarray, shape (H, W)
        The nodes' own symbols; they are taken out if the hole is 0.
    own_table : ndarray, shape (G, 8 M), float64
        By group, the eight numbers of each symbol.
    reaches : (int, int)
        w and the hole's half-width.
    first : (int, int)
        The rows to do, the first and the one after the last.
    columns, holes : ndarray, shape (G, ...)
        Room for the column sums of windows and of holes, as for `sweeps.least_scores`.
    book : (cuts, sizes)
        The codewords of all codebooks, as the head of the module says.
    out : pair of ndarray, shape (S, H, W), uint8
        The states from windows with and without the hole, written.
    """
    (window, hole), (cuts, sizes), (plain, without) = reaches, book, out
    room = plane.shape[1] + 7
    scores, found = np.empty((8 * columns.shape[0], room)), np.empty((sizes.size, room), np.uint8)
    left_out = np.empty(scores.shape)
    for y in range(first[0], first[1]):
        sweeps.totals_at(plane, tables, blank, window, y, first[0], columns, scores)
        write_states(scores, cuts, sizes, found, plain, y)
        if hole == 0:
            for g in range(columns.shape[0]):
                vectors.subtract_own(own[y], own_table[g], g, scores)
        else:
            sweeps.totals_at(plane, tables, blank, hole, y, first[0], holes, left_out)
            subtract(scores, left_out)
        write_states(scores, cuts, sizes, found, without, y)


@njit(nogil=True)
def vector_states(plane, blank, own, reaches, first, columns, holes, linear, book, out):
    """Write the states of vectors, as `symbol_states` does for symbols.

    Parameters
    ----------
    plane, blank
        As for `sweeps.nearest_means`.
    own : ndarray, shape (H, W, C), integers
        The nodes' own vectors.
    reaches : (int, int)
        w and the hole's half-width.
    first : (int, int)
        The rows to do, the first and the one after the last.
    columns, holes : ndarray, shape (C ...,), integers
        Room for the column sums of windows and of holes, as for `sweeps.nearest_means`.
    linear : (norms, slopes, layers)
        As for `lanes.scores_of_row`; how many nodes each entry of the plane sums over.
    book : (cuts, sizes)
        The codewords of all codebooks, as the head of the module says.
    out : pair of ndarray, shape (S, H, W), uint8
        The states from windows with and without the hole, written.
    """
    (window, hole), (cuts, sizes), (plain, without) = reaches, book, out
    norms, slopes, layers = linear
    width, n_channels = plane.shape[1:]
    room = width + 7
    scores, found = np.empty((norms.size, room)), np.empty((sizes.size, room), np.uint8)
    totals, left_out = np.zeros((n_channels, room)), np.zeros((n_channels, room))
    nodes, n_left_out = np.empty(room), np.ones(room)
    widths, hole_widths = np.empty(room), np.empty(room)
    sweeps.write_widths(window, width, widths)
    sweeps.write_widths(hole, width, hole_widths)
    for y in range(first[0], first[1]):
        down = sweeps.vector_totals_at(plane, blank, window, y, first[0], columns, totals)
        for x in range(room):
            nodes[x] = layers * down * widths[x]
        lanes.scores_of_row(totals, nodes, norms, slopes, scores)
        write_states(scores, cuts, sizes, found, plain, y)
        if hole == 0:
            for x in range(width):
                for c in range(n_channels):
                    left_out[c, x] = own[y, x, c]
        else:
            down = sweeps.vector_totals_at(plane, blank, hole, y, first[0], holes, left_out)
            for x in range(room):
                n_left_out[x] = down * hole_widths[x]
        subtract(totals, left_out)
        subtract(nodes, n_left_out)
        lanes.scores_of_row(totals, nodes, norms, slopes, scores)
        write_states(scores, cuts, sizes, found, without, y)
