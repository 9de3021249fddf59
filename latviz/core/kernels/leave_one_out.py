"""States of every node for several codebooks at once, from windows with and without the node.

A plane and its column sums are as in `vectors` (symbols) or `windows` (vectors). The K codewords
are those of all codebooks together, each once. ``rows`` ``(K,)`` is the row that each has in every
codebook that holds it, ``cuts[s, :sizes[s]]`` are the codewords of codebook s, by row.

For each row of nodes ``keys[k, x]`` is 256 times the score of codeword k at node x, plus its row:
the least key of a codebook's codewords tells the state, and of ties the smallest.

What is left out of a window is the hole: the nodes within its own half-width of the node. The score
without the hole is the window's less the hole's, which is why keys are kept until both are told.
"""

import numpy as np

from latviz.core.kernels import sweeps, vectors, windows
from latviz.core.kernels.compiler import njit


@njit(nogil=True)
def least_of_cuts(keys, cuts, sizes, best, states, y):
    """Write the states of row ``y`` for every codebook.

    Parameters
    ----------
    keys : ndarray, shape (K, W) or wider, int64
        The keys of the row.
    cuts : ndarray, shape (S, n), int64
        The codewords of each codebook.
    sizes : ndarray, shape (S,), int64
        How many it has.
    best : ndarray, shape (W,), int64
        Room for the least keys.
    states : ndarray, shape (S, H, W), uint8
        What is written.
    y : int
        The row.
    """
    for s in range(sizes.size):
        # Codeword by codeword along the row: minima of two rows are many at a time.
        first = keys[cuts[s, 0]]
        for x in range(best.size):
            best[x] = first[x]
        for k in range(1, sizes[s]):
            row = keys[cuts[s, k]]
            for x in range(best.size):
                best[x] = min(best[x], row[x])
        for x in range(best.size):
            states[s, y, x] = np.uint8(best[x] & 255)


@njit(nogil=True)
def write_keys(plane, tables, blank, window, y, first, columns, rows, keys):
    """Write the keys of row ``y``, (8 G, W + 7), after those of the row before.

    Arguments are those of `symbol_states`; the column sums are built anew for row ``first``.
    """
    reach = min(window, plane.shape[1])
    last, gone = y + window, -1 if y == first else y - window - 1
    entering = sweeps.row_at(plane, last, blank)
    leaving = sweeps.row_at(plane, gone, blank)
    for g in range(columns.shape[0]):
        if y == first:
            sweeps.before_row(columns[g], plane, tables, blank, window, y, reach, g)
        added = sweeps.table_at(tables, g, plane, last)
        removed = sweeps.table_at(tables, g, plane, gone)
        vectors.keys_of_row(columns[g], added, entering, removed, leaving, reach, g, rows, keys)


@njit(nogil=True)
def symbol_states(plane, tables, blank, own, own_table, reaches, first, columns, holes, book, out):
    """Write the states of symbols, from the scores summed over windows.

    Parameters
    ----------
    plane, tables, blank
        As for `sweeps.least_scores`.
    own : ndarray, shape (H, W)
        The nodes' own symbols; they are taken out if the hole is 0.
    own_table : ndarray, shape (G, 8 M), int64
        By group, 256 times the eight numbers of each symbol.
    reaches : (int, int)
        w and the hole's half-width.
    first : (int, int)
        The rows to do, the first and the one after the last.
    columns, holes : ndarray, shape (G, ...), integers
        Room for the column sums of windows and of holes, as for `sweeps.least_scores`.
    book : (rows, cuts, sizes)
        The codewords of all codebooks, as the head of the module says; padded to 8 G.
    out : pair of ndarray, shape (S, H, W), uint8
        The states from windows with and without the hole, written.
    """
    (window, hole), (rows, cuts, sizes), (plain, without) = reaches, book, out
    width = plane.shape[1]
    keys, best = np.empty((rows.size, width + 7), np.int64), np.empty(width, np.int64)
    left_out, nothing = np.empty(keys.shape, np.int64), np.zeros(rows.size, np.int64)
    for y in range(first[0], first[1]):
        write_keys(plane, tables, blank, window, y, first[0], columns, rows, keys)
        least_of_cuts(keys, cuts, sizes, best, plain, y)
        if hole == 0:
            for g in range(columns.shape[0]):
                vectors.subtract_own(own[y], own_table[g], g, keys)
        else:
            write_keys(plane, tables, blank, hole, y, first[0], holes, nothing, left_out)
            for k in range(rows.size):
                for x in range(width):
                    keys[k, x] -= left_out[k, x]
        least_of_cuts(keys, cuts, sizes, best, without, y)


@njit(nogil=True)
def totals_of_row(columns, window, nodes_down, totals, nodes):
    """Sweep a row: write each window's sums and how many nodes it holds.

    Parameters
    ----------
    columns : ndarray, shape (W, C), int64
        The column sums of the row.
    window : int
        Half-width w >= 0.
    nodes_down : int
        How many nodes a column holds.
    totals : ndarray, shape (C, W), float64
        The sums, written: by channel, so that the loops over nodes that follow are contiguous.
    nodes : ndarray, shape (W,), float64
        The numbers of nodes, written.
    """
    total = np.zeros(columns.shape[1], np.int64)
    for x in range(nodes.size):
        nodes[x] = nodes_down * windows.move_to_column(total, columns, window, x)
        for c in range(total.size):
            totals[c, x] = total[c]


@njit(nogil=True)
def write_vector_keys(totals, nodes, norms, slopes, rows, keys):
    """Write the keys of all codewords, of the scores ``nodes * norm + slopes . totals`` rounded.

    Parameters
    ----------
    totals : ndarray, shape (C, W), float64
        The windows' sums.
    nodes : ndarray, shape (W,), float64
        How many nodes they hold.
    norms : ndarray, shape (K,), float64
        ||mu_k||^2 in the unit of scores.
    slopes : ndarray, shape (K, C), float64
        -2 mu_k in that unit, for sums in fixed point.
    rows : ndarray, shape (K,), int64
        The codewords' rows.
    keys : ndarray, shape (K, W), int64
        What is written.
    """
    scores = np.empty(nodes.size)
    for k in range(rows.size):
        for x in range(nodes.size):
            scores[x] = nodes[x] * norms[k]
        for c in range(totals.shape[0]):
            for x in range(nodes.size):
                scores[x] += slopes[k, c] * totals[c, x]
        for x in range(nodes.size):
            keys[k, x] = 256 * np.int64(np.rint(scores[x])) + rows[k]


@njit(nogil=True)
def vector_states(plane, own, reaches, first, columns, holes, scores, book, out):
    """Write the states of vectors, as `symbol_states` does for symbols.

    Parameters
    ----------
    plane : ndarray, shape (H, W, C), integers
        Vectors in fixed point, or sums of them over layers.
    own : ndarray, shape (H, W, C), integers
        The nodes' own vectors.
    reaches : (int, int)
        w and the hole's half-width.
    first : (int, int)
        The rows to do, the first and the one after the last.
    columns, holes : ndarray, shape (W, C), int64
        Room for the column sums of windows and of holes.
    scores : (norms, slopes, layers)
        As for `write_vector_keys`; how many nodes each entry of the plane sums over.
    book : (rows, cuts, sizes)
        The codewords of all codebooks, as the head of the module says.
    out : pair of ndarray, shape (S, H, W), uint8
        The states from windows with and without the hole, written.
    """
    n_channels, width = columns.shape[1], plane.shape[1]
    (window, hole), (rows, cuts, sizes), (plain, without) = reaches, book, out
    norms, slopes, layers = scores
    keys, best = np.empty((rows.size, width), np.int64), np.empty(width, np.int64)
    totals, nodes = np.empty((n_channels, width)), np.empty(width)
    left_out, n_left_out = np.empty((n_channels, width)), np.ones(width)
    for y in range(first[0], first[1]):
        down = windows.move_to_row(columns, plane, None, window, y, first[0])
        totals_of_row(columns, window, layers * down, totals, nodes)
        write_vector_keys(totals, nodes, norms, slopes, rows, keys)
        least_of_cuts(keys, cuts, sizes, best, plain, y)
        if hole == 0:
            for c in range(n_channels):
                for x in range(width):
                    left_out[c, x] = own[y, x, c]
        else:
            down = windows.move_to_row(holes, plane, None, hole, y, first[0])
            totals_of_row(holes, hole, down, left_out, n_left_out)
        totals -= left_out
        nodes -= n_left_out
        write_vector_keys(totals, nodes, norms, slopes, rows, keys)
        least_of_cuts(keys, cuts, sizes, best, without, y)
