"""States of every node for several codebooks at once, from windows with and without the node.

A plane and its column sums are as in `lanes8` (symbols) or `windows` (vectors). The K codewords are
those of all codebooks together, each once. ``rows`` ``(K,)`` is the row that each has in every
codebook that holds it, ``cuts[s, :sizes[s]]`` are the codewords of codebook s, by row.

While a row is swept, the running totals of the eight lanes are t0 to t7, eight variables and hence
in registers: a loop over an array of eight would keep them in memory, at three times the cost. The
invariant of every sweep is: before step x, ``entering`` is the place of the first lane of the
column that enters at x, ``leaving`` that of the column that leaves, and t0 to t7 are the totals of
x - 1.

For each row of nodes ``keys[k, x]`` is 256 times the score of codeword k at node x, plus its row:
the least key of a codebook's codewords tells the state, and of ties the smallest.

What is left out of a window is the hole: the nodes within its own half-width of the node. The score
without the hole is the window's less the hole's, which is why keys are kept until both are told.
"""

import numpy as np

from latviz.core.kernels import lanes8, windows
from latviz.core.kernels.compiler import njit
from latviz.core.kernels.lanes8 import EIGHT, FIVE, FOUR, ONE, SEVEN, SIX, THREE, TWO


@njit(nogil=True)
def before_keys(sums, reach, rows):
    """Return the keys of a group's codewords around the column before the first, (8,).

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    rows : ndarray, shape (4,) or (8,), int64
        The rows of the group's codewords.
    """
    totals = 256 * lanes8.before_first(sums, reach)
    for c in range(rows.size):
        totals[c] += rows[c]
    return totals


@njit(nogil=True)
def write_keys(sums, reach, rows, keys):
    """Sweep a row: write the keys of a group of codewords.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    rows : ndarray, shape (4,) or (8,), int64
        The rows of the group's codewords.
    keys : ndarray, shape (4, W) or (8, W), int64
        What is written.
    """
    if rows.size == 4:
        write_four_keys(sums, reach, rows, keys)
    else:
        write_eight_keys(sums, reach, rows, keys)


@njit(nogil=True)
def write_four_keys(sums, reach, rows, keys):
    """Write the keys, as `write_keys` does, of a group whose first four codewords alone count.

    Arguments are those of `write_keys`.
    """
    totals = before_keys(sums, reach, rows)
    t0, t1, t2, t3 = totals[0], totals[1], totals[2], totals[3]
    entering, leaving = np.uint64(8 * (2 * reach + 1)), np.uint64(0)
    for x in range(keys.shape[1]):
        t0 += 256 * (sums[entering] - sums[leaving])
        t1 += 256 * (sums[entering + ONE] - sums[leaving + ONE])
        t2 += 256 * (sums[entering + TWO] - sums[leaving + TWO])
        t3 += 256 * (sums[entering + THREE] - sums[leaving + THREE])
        entering += EIGHT
        leaving += EIGHT
        keys[0, x], keys[1, x], keys[2, x], keys[3, x] = t0, t1, t2, t3


@njit(nogil=True)
def write_eight_keys(sums, reach, rows, keys):
    """Write the keys, as `write_keys` does, of a group of eight.

    Arguments are those of `write_keys`.
    """
    t0, t1, t2, t3, t4, t5, t6, t7 = before_keys(sums, reach, rows)
    entering, leaving = np.uint64(8 * (2 * reach + 1)), np.uint64(0)
    for x in range(keys.shape[1]):
        t0 += 256 * (sums[entering] - sums[leaving])
        t1 += 256 * (sums[entering + ONE] - sums[leaving + ONE])
        t2 += 256 * (sums[entering + TWO] - sums[leaving + TWO])
        t3 += 256 * (sums[entering + THREE] - sums[leaving + THREE])
        t4 += 256 * (sums[entering + FOUR] - sums[leaving + FOUR])
        t5 += 256 * (sums[entering + FIVE] - sums[leaving + FIVE])
        t6 += 256 * (sums[entering + SIX] - sums[leaving + SIX])
        t7 += 256 * (sums[entering + SEVEN] - sums[leaving + SEVEN])
        entering += EIGHT
        leaving += EIGHT
        keys[0, x], keys[1, x], keys[2, x], keys[3, x] = t0, t1, t2, t3
        keys[4, x], keys[5, x], keys[6, x], keys[7, x] = t4, t5, t6, t7


@njit(nogil=True)
def subtract_own(own, entries, keys):
    """Take the nodes' own symbols out of the keys of a group.

    Parameters
    ----------
    own : ndarray, shape (W,)
        The symbols of a row.
    entries : ndarray, shape (8 M,), integers
        The group's row of the table.
    keys : ndarray, shape (4, W) or (8, W), int64
        What is changed.
    """
    for x in range(own.size):
        at = EIGHT * np.uint64(own[x])
        for c in range(4):
            keys[c, x] -= 256 * np.int64(entries[at + np.uint64(c)])
        if keys.shape[0] == 8:
            for c in range(4, 8):
                keys[c, x] -= 256 * np.int64(entries[at + np.uint64(c)])


@njit(nogil=True)
def least_of_cuts(keys, cuts, sizes, best, states, y):
    """Write the states of row ``y`` for every codebook.

    Parameters
    ----------
    keys : ndarray, shape (K, W), int64
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
def subtract_holes(sums, hole, keys, room):
    """Take the sums over the holes out of the keys of a group.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 hole + 1),), integers
        The group's column sums over the rows of the hole.
    hole : int
        Its half-width, at most the width of the plane.
    keys : ndarray, shape (4, W) or (8, W), int64
        What is changed.
    room : ndarray, shape (8, W), int64
        Room for the holes' own.
    """
    write_keys(sums, hole, np.zeros(keys.shape[0], np.int64), room)
    for c in range(keys.shape[0]):
        for x in range(room.shape[1]):
            keys[c, x] -= room[c, x]


@njit(nogil=True)
def symbol_states(plane, table, own, own_table, reaches, first, columns, holes, book, out):
    """Write the states of symbols, from the scores summed over windows.

    Parameters
    ----------
    plane : ndarray, shape (H, W) or (H, W, 8 G)
        Symbols, or integers, in G groups of eight.
    table : ndarray, shape (G, 8 M), or None
        By group, the eight integers of each symbol after each other; None for integers.
    own : ndarray, shape (H, W)
        The nodes' own symbols; they are taken out if the hole is 0.
    own_table : ndarray, shape (G, 8 M)
        The table for these, in volumes too, where the plane needs none.
    reaches : (int, int, int, int)
        w and the hole's half-width; then the same, bounded by the plane's width.
    first : (int, int)
        The rows to do, the first and the one after the last.
    columns, holes : ndarray, shape (G, ...), integers
        Room for the column sums of windows and of holes.
    book : (rows, cuts, sizes)
        The codewords of all codebooks, as the head of the module says.
    out : pair of ndarray, shape (S, H, W), uint8
        The states from windows with and without the hole, written.

    The codewords are padded to a multiple of four.
    """
    n_groups, width = columns.shape[0], plane.shape[1]
    (window, hole, reach, hole_reach), (rows, cuts, sizes), (plain, without) = reaches, book, out
    keys, best = np.empty((rows.size, width), np.int64), np.empty(width, np.int64)
    room = np.empty((8, width), np.int64)
    for y in range(first[0], first[1]):
        for g in range(n_groups):
            lanes8.move_to_row(columns[g], reach, plane, table, g, window, y, first[0])
            write_keys(columns[g], reach, rows[8 * g : 8 * g + 8], keys[8 * g : 8 * g + 8])
        least_of_cuts(keys, cuts, sizes, best, plain, y)
        for g in range(n_groups):
            group = keys[8 * g : 8 * g + 8]
            if hole == 0:
                subtract_own(own[y], own_table[g], group)
            else:
                lanes8.move_to_row(holes[g], hole_reach, plane, table, g, hole, y, first[0])
                subtract_holes(holes[g], hole_reach, group, room)
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
