"""States of every node for several codebooks at once, from windows with and without the node.

A plane and its column sums are as in `eights` (symbols) or `windows` (vectors). For each row of
nodes ``keys[k, x]`` is 256 times the score of codeword k at node x, plus the row that k has in
every codebook that holds it: the least key of a codebook's codewords tells the state, and of ties
the smallest. ``cuts[s, :sizes[s]]`` are the codewords of codebook s. What is left out of a window
is the hole: the nodes within its own half-width of the node.
"""

import numpy as np

from latviz.core.kernels import lanes8, windows
from latviz.core.kernels.compiler import njit
from latviz.core.kernels.lanes8 import EIGHT, FIVE, FOUR, ONE, SEVEN, SIX, THREE, TWO


@njit(nogil=True, cache=True)
def before_keys(sums, reach, rows):
    """Return the keys of a group's codewords around the column before the first."""
    totals = 256 * lanes8.before_first(sums, reach, np.int64)
    for c in range(rows.size):
        totals[c] += rows[c]
    return totals


@njit(nogil=True, cache=True)
def write_keys(sums, reach, rows, keys):
    """Sweep a row: write the keys ``(8, width)`` or ``(4, width)`` of a group of codewords."""
    if rows.size == 4:
        write_four_keys(sums, reach, rows, keys)
    else:
        write_eight_keys(sums, reach, rows, keys)


@njit(nogil=True, cache=True)
def write_four_keys(sums, reach, rows, keys):
    """Do what `write_keys` does for a group of which only the first four codewords count."""
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


@njit(nogil=True, cache=True)
def write_eight_keys(sums, reach, rows, keys):
    """Do what `write_keys` does for a group of eight."""
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


@njit(nogil=True, cache=True)
def without_own(own, entries, keys):
    """Take the nodes' own symbols out of the keys of a group."""
    for x in range(own.size):
        at = EIGHT * np.uint64(own[x])
        for c in range(4):
            keys[c, x] -= 256 * np.int64(entries[at + np.uint64(c)])
        if keys.shape[0] == 8:
            for c in range(4, 8):
                keys[c, x] -= 256 * np.int64(entries[at + np.uint64(c)])


@njit(nogil=True, cache=True)
def least_of_cuts(keys, cuts, sizes, best, states, y):
    """Write the states of row ``y`` for every codebook, ``states[s, y]``."""
    for s in range(sizes.size):
        first = keys[cuts[s, 0]]
        for x in range(best.size):
            best[x] = first[x]
        for k in range(1, sizes[s]):
            row = keys[cuts[s, k]]
            for x in range(best.size):
                best[x] = min(best[x], row[x])
        for x in range(best.size):
            states[s, y, x] = np.uint8(best[x] & 255)


@njit(nogil=True, cache=True)
def without_hole(sums, hole, keys, room):
    """Take the sums over the holes out of the keys of a group; ``room`` is as ``keys``."""
    write_keys(sums, hole, np.zeros(keys.shape[0], np.int64), room)
    for c in range(keys.shape[0]):
        for x in range(room.shape[1]):
            keys[c, x] -= room[c, x]


@njit(nogil=True, cache=True)
def symbol_states(plane, table, own, own_table, reaches, first, columns, holes, book, out):
    """Write the states of rows ``first[0]`` to ``first[1]``, from the scores summed over windows.

    ``reaches`` are w and the hole's half-width, along the columns and along the rows, where the
    plane's width bounds them. If the hole is 0 the nodes' ``own`` symbols are taken out. ``book``
    is ``(rows, cuts, sizes)``, ``out`` the states ``(n_codebooks, H, W)`` from windows with and
    without the hole. The codewords are padded to a multiple of four.
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
                without_own(own[y], own_table[g], group)
            else:
                lanes8.move_to_row(holes[g], hole_reach, plane, table, g, hole, y, first[0])
                without_hole(holes[g], hole_reach, group, room)
        least_of_cuts(keys, cuts, sizes, best, without, y)


@njit(nogil=True, cache=True)
def totals_of_row(columns, window, nodes_down, totals, nodes):
    """Sweep a row: write the window's sums ``(C, width)`` and how many nodes it holds."""
    total = np.zeros(columns.shape[1], np.int64)
    for x in range(nodes.size):
        nodes[x] = nodes_down * windows.move_to_column(total, columns, window, x)
        for c in range(total.size):
            totals[c, x] = total[c]


@njit(nogil=True, cache=True)
def write_vector_keys(totals, nodes, norms, slopes, rows, keys):
    """Write the keys of all codewords, ``nodes * norm + slopes . totals`` rounded."""
    scores = np.empty(nodes.size)
    for k in range(rows.size):
        for x in range(nodes.size):
            scores[x] = nodes[x] * norms[k]
        for c in range(totals.shape[0]):
            for x in range(nodes.size):
                scores[x] += slopes[k, c] * totals[c, x]
        for x in range(nodes.size):
            keys[k, x] = 256 * np.int64(np.rint(scores[x])) + rows[k]


@njit(nogil=True, cache=True)
def vector_states(plane, own, reaches, first, columns, holes, scores, book, out):
    """Do for vectors what `symbol_states` does; ``scores`` is ``(norms, slopes, layers)``."""
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
