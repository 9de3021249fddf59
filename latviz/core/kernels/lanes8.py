"""Window sums in eight lanes, for the loops that take most of the time.

A plane is as in `windows`, but its C integers a node, or the table's, come in G groups of eight
(padded with lanes of which nobody takes note). ``columns[g]`` is flat: group g of every column's
sum over the window's rows, eight numbers a column, with ``reach + 1`` columns of zeros before the
first and ``reach`` after the last. Thus no window has to be clipped: lane c of column x is at
``8 (reach + 1 + x) + c``, and the window of x from ``8 (x + 1)`` up to ``8 (x + 2 reach + 2)``.

While a row is swept, the running totals of the eight lanes are t0 to t7, eight variables and hence
in registers: a loop over an array of eight would keep them in memory, at three times the cost. The
invariant of every sweep is: before step x, ``entering`` is the place of the first lane of the
column that enters at x, ``leaving`` that of the column that leaves, and t0 to t7 are the totals of
x - 1.

Places are uint64: numba then spares the test for negative indices.

Where the least of several totals is sought, a *key* stands for a total and its state at once:
256 times the total plus the state. The least key has the least total and, of equal ones, the
smallest state, so that one ``min`` does both. It needs totals of at most 55 bits.
"""

import numpy as np

from latviz.core.kernels.compiler import njit

EIGHT = np.uint64(8)
ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN = (np.uint64(k) for k in range(1, 8))


@njit(nogil=True)
def add_row(sums, reach, plane, table, group, y, sign):
    """Add ``sign`` times row ``y`` of the plane to the column sums of a group.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    plane : ndarray, shape (H, W) or (H, W, 8 G)
        Symbols, or integers, in G groups of eight.
    table : ndarray, shape (G, 8 M), or None
        By group, the eight integers of each symbol after each other; None counts each symbol.
    group : int
        The group.
    y : int
        The row.
    sign : int
        1, or -1 to take it out.
    """
    first = 8 * (reach + 1)
    for x in range(plane.shape[1]):
        at = np.uint64(first + 8 * x)
        if plane.ndim == 3:
            for c in range(EIGHT):
                sums[at + c] += sign * plane[y, x, 8 * group + c]
        elif table is None:
            lane = np.int64(plane[y, x]) - 8 * group  # the symbol is one of this group, or not
            if 0 <= lane < 8:
                sums[at + np.uint64(lane)] += sign
        else:
            entries = EIGHT * np.uint64(plane[y, x])
            for c in range(EIGHT):
                sums[at + c] += sign * table[group, entries + c]


@njit(nogil=True)
def exchange_rows(sums, reach, plane, entries, entering, leaving):
    """Add a row of symbols to the column sums and take another one out, in one pass.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    plane : ndarray, shape (H, W)
        Symbols.
    entries : ndarray, shape (8 M,), integers
        The group's row of the table.
    entering, leaving : int
        The rows.
    """
    first = 8 * (reach + 1)
    for x in range(plane.shape[1]):
        at = np.uint64(first + 8 * x)
        new = EIGHT * np.uint64(plane[entering, x])
        old = EIGHT * np.uint64(plane[leaving, x])
        for c in range(EIGHT):
            sums[at + c] += entries[new + c] - entries[old + c]


@njit(nogil=True)
def move_to_row(sums, reach, plane, table, group, window, y, first):
    """Make a group's column sums, which are those of row y - 1, those of row ``y``.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    plane : ndarray, shape (H, W) or (H, W, 8 G)
        Symbols, or integers, in G groups of eight.
    table : ndarray, shape (G, 8 M), or None
        By group, the eight integers of each symbol after each other; None counts each symbol.
    group : int
        The group.
    window : int
        Half-width w >= 0.
    y : int
        The row.
    first : int
        The row with which a sweep begins: its sums are built anew.
    """
    height = plane.shape[0]
    if y == first:
        sums[:] = 0
        for row in range(max(0, y - window), min(height - 1, y + window) + 1):
            add_row(sums, reach, plane, table, group, row, 1)
        return
    entering, leaving = y + window < height, y - window - 1 >= 0
    if plane.ndim == 2 and table is not None:  # noqa: SIM102  the compiler decides this alone
        if entering and leaving:
            exchange_rows(sums, reach, plane, table[group], y + window, y - window - 1)
            return
    if entering:
        add_row(sums, reach, plane, table, group, y + window, 1)
    if leaving:
        add_row(sums, reach, plane, table, group, y - window - 1, -1)


@njit(nogil=True)
def before_first(sums, reach, kind):
    """Return the eight totals with which a sweep begins, (8,).

    They are those of the window around the column before the first: what lies left of the plane is
    zero, and the column that leaves at the first step is zero too.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    kind : type
        Of the totals: np.int64, or np.int32 where that is wide enough.
    """
    totals = np.zeros(8, kind)
    for column in range(1, 2 * reach + 1):
        for c in range(8):
            totals[c] += sums[8 * column + c]
    return totals


@njit(nogil=True)
def least_of_group(sums, reach, least, states):
    """Sweep a row: write the least of a group's totals and which it is (ties: the smallest).

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    least : ndarray, shape (W,), int64
        The least total of each node, written.
    states : ndarray, shape (W,), uint8
        Its lane, 0 to 7, written.
    """
    t0, t1, t2, t3, t4, t5, t6, t7 = before_first(sums, reach, np.int64)
    entering, leaving = np.uint64(8 * (2 * reach + 1)), np.uint64(0)
    for x in range(states.size):
        t0 += sums[entering] - sums[leaving]
        t1 += sums[entering + ONE] - sums[leaving + ONE]
        t2 += sums[entering + TWO] - sums[leaving + TWO]
        t3 += sums[entering + THREE] - sums[leaving + THREE]
        t4 += sums[entering + FOUR] - sums[leaving + FOUR]
        t5 += sums[entering + FIVE] - sums[leaving + FIVE]
        t6 += sums[entering + SIX] - sums[leaving + SIX]
        t7 += sums[entering + SEVEN] - sums[leaving + SEVEN]
        entering += EIGHT
        leaving += EIGHT
        # A knock-out of the eight; the left one stays at a tie, so that the smallest state wins.
        j01, j23 = 1 if t1 < t0 else 0, 3 if t3 < t2 else 2
        j45, j67 = 5 if t5 < t4 else 4, 7 if t7 < t6 else 6
        m01, m23, m45, m67 = min(t0, t1), min(t2, t3), min(t4, t5), min(t6, t7)
        j03, m03 = j23 if m23 < m01 else j01, min(m01, m23)
        j47, m47 = j67 if m67 < m45 else j45, min(m45, m67)
        best, total = j47 if m47 < m03 else j03, min(m03, m47)
        least[x], states[x] = total, best


@njit(nogil=True)
def keep_lesser(least, states, others, found, group):
    """Take the totals of another group where they are less, and their states.

    Parameters
    ----------
    least : ndarray, shape (W,), int64
        The least totals of the groups before, changed.
    states : ndarray, shape (W,), uint8
        Their states, changed.
    others : ndarray, shape (W,), int64
        The least totals of the group.
    found : ndarray, shape (W,), uint8
        Their lanes.
    group : int
        The group, later than those before: at a tie the smaller state stays.
    """
    for x in range(states.size):
        less = others[x] < least[x]
        least[x] = others[x] if less else least[x]
        states[x] = np.uint8(8 * group + found[x]) if less else states[x]


@njit(nogil=True)
def lower_keys(sums, reach, group, keys):
    """Sweep a row: lower each node's key to the least of a group's.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    group : int
        The group: lane c is state 8 group + c.
    keys : ndarray, shape (W,), int64
        The least keys of the groups before, changed.
    """
    totals = before_first(sums, reach, np.int64)
    for c in range(8):
        totals[c] = 256 * totals[c] + 8 * group + c  # its low byte, the state, never changes
    t0, t1, t2, t3, t4, t5, t6, t7 = totals
    entering, leaving = np.uint64(8 * (2 * reach + 1)), np.uint64(0)
    for x in range(keys.size):
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
        # A tree of minima needs no branch and is three deep, where a chain would be seven.
        low, high = min(min(t0, t1), min(t2, t3)), min(min(t4, t5), min(t6, t7))
        keys[x] = min(keys[x], min(low, high))


@njit(nogil=True)
def lower_four_keys(sums, reach, group, keys):
    """Lower the keys, as `lower_keys` does, to a group whose first four totals alone count.

    Arguments are those of `lower_keys`.
    """
    totals = before_first(sums, reach, np.int64)
    for c in range(4):
        totals[c] = 256 * totals[c] + 8 * group + c
    t0, t1, t2, t3 = totals[0], totals[1], totals[2], totals[3]
    entering, leaving = np.uint64(8 * (2 * reach + 1)), np.uint64(0)
    for x in range(keys.size):
        t0 += 256 * (sums[entering] - sums[leaving])
        t1 += 256 * (sums[entering + ONE] - sums[leaving + ONE])
        t2 += 256 * (sums[entering + TWO] - sums[leaving + TWO])
        t3 += 256 * (sums[entering + THREE] - sums[leaving + THREE])
        entering += EIGHT
        leaving += EIGHT
        keys[x] = min(keys[x], min(min(t0, t1), min(t2, t3)))


@njit(nogil=True)
def squares_of_group(sums, reach, squares):
    """Sweep a row: add the squares of a group's totals, which are counts.

    Parameters
    ----------
    sums : ndarray, shape (8 (W + 2 reach + 1),), integers
        A group's column sums, as the head of the module says.
    reach : int
        w, or the width of the plane if that is less.
    squares : ndarray, shape (W,), int32 or int64
        What is added to. Its type tells in how many bits all is done: 32 take half the time of 64.
    """
    kind = squares.dtype.type
    t0, t1, t2, t3, t4, t5, t6, t7 = before_first(sums, reach, kind)
    entering, leaving = np.uint64(8 * (2 * reach + 1)), np.uint64(0)
    for x in range(squares.size):
        t0 = kind(t0 + sums[entering] - sums[leaving])
        t1 = kind(t1 + sums[entering + ONE] - sums[leaving + ONE])
        t2 = kind(t2 + sums[entering + TWO] - sums[leaving + TWO])
        t3 = kind(t3 + sums[entering + THREE] - sums[leaving + THREE])
        t4 = kind(t4 + sums[entering + FOUR] - sums[leaving + FOUR])
        t5 = kind(t5 + sums[entering + FIVE] - sums[leaving + FIVE])
        t6 = kind(t6 + sums[entering + SIX] - sums[leaving + SIX])
        t7 = kind(t7 + sums[entering + SEVEN] - sums[leaving + SEVEN])
        entering += EIGHT
        leaving += EIGHT
        squares[x] += kind(t0 * t0 + t1 * t1) + kind(t2 * t2 + t3 * t3)
        squares[x] += kind(t4 * t4 + t5 * t5) + kind(t6 * t6 + t7 * t7)


@njit(nogil=True)
def squares_of_four(sums, reach, squares):
    """Add squares, as `squares_of_group` does, of a group whose first four totals alone count.

    Arguments are those of `squares_of_group`.
    """
    kind = squares.dtype.type
    totals = before_first(sums, reach, kind)
    t0, t1, t2, t3 = totals[0], totals[1], totals[2], totals[3]
    entering, leaving = np.uint64(8 * (2 * reach + 1)), np.uint64(0)
    for x in range(squares.size):
        t0 = kind(t0 + sums[entering] - sums[leaving])
        t1 = kind(t1 + sums[entering + ONE] - sums[leaving + ONE])
        t2 = kind(t2 + sums[entering + TWO] - sums[leaving + TWO])
        t3 = kind(t3 + sums[entering + THREE] - sums[leaving + THREE])
        entering += EIGHT
        leaving += EIGHT
        squares[x] += kind(t0 * t0 + t1 * t1) + kind(t2 * t2 + t3 * t3)


@njit(nogil=True)
def least_scores(plane, table, window, start, stop, columns, reach, _n_states, states):
    """Write the state of least summed score, ties to the smallest.

    Parameters
    ----------
    plane : ndarray, shape (H, W) or (H, W, 8 G)
        Symbols, or integers, in G groups of eight.
    table : ndarray, shape (G, 8 M), or None
        By group, the eight integers of each symbol after each other; None counts each symbol.
    window : int
        Half-width w >= 0.
    start, stop : int
        The rows to do; the column sums are built anew for the first of them.
    columns : ndarray, shape (G, 8 (W + 2 reach + 1)), integers
        Room for the column sums of each group.
    reach : int
        w, or the width of the plane if that is less.
    _n_states : int
        N; not asked for here, but both kernels of scores are called alike.
    states : ndarray, shape (H, W), uint8
        What is written.
    """
    width = plane.shape[1]
    least, others = np.empty(width, np.int64), np.empty(width, np.int64)
    found = np.empty(width, np.uint8)
    for y in range(start, stop):
        move_to_row(columns[0], reach, plane, table, 0, window, y, start)
        least_of_group(columns[0], reach, least, states[y])
        for g in range(1, columns.shape[0]):
            move_to_row(columns[g], reach, plane, table, g, window, y, start)
            least_of_group(columns[g], reach, others, found)
            keep_lesser(least, states[y], others, found, g)


@njit(nogil=True)
def least_small_scores(plane, table, window, start, stop, columns, reach, n_states, states):
    """Write the states, as `least_scores` does, by keys: faster, for totals of at most 55 bits.

    Arguments are those of `least_scores`; with up to four states left for the last group, its other
    lanes are not summed.
    """
    keys = np.empty(plane.shape[1], np.int64)
    for y in range(start, stop):
        keys[:] = np.iinfo(np.int64).max
        for g in range(columns.shape[0]):
            move_to_row(columns[g], reach, plane, table, g, window, y, start)
            if n_states <= 8 * g + 4:
                lower_four_keys(columns[g], reach, g, keys)
            else:
                lower_keys(columns[g], reach, g, keys)
        for x in range(keys.size):
            states[y, x] = np.uint8(keys[x] & 255)


@njit(nogil=True)
def squares_of_row(plane, window, y, start, columns, reach, n_states, squares):
    """Write the sum of squares of each window's counts for a row; return how many rows it holds.

    Parameters
    ----------
    plane : ndarray, shape (H, W) or (H, W, 8 G)
        States, or counts of each over layers.
    window : int
        Half-width w >= 0.
    y, start : int
        The row, and that with which the sweep began.
    columns : ndarray, shape (G, 8 (W + 2 reach + 1)), integers
        Room for the column sums of each group.
    reach : int
        w, or the width of the plane if that is less.
    n_states : int
        N.
    squares : ndarray, shape (W,), int32 or int64
        What is written.
    """
    squares[:] = 0
    for g in range(columns.shape[0]):
        move_to_row(columns[g], reach, plane, None, g, window, y, start)
        if n_states <= 8 * g + 4:
            squares_of_four(columns[g], reach, squares)
        else:
            squares_of_group(columns[g], reach, squares)
    return min(plane.shape[0] - 1, y + window) - max(0, y - window) + 1


@njit(nogil=True)
def norm(squares, x, reach, rows):
    """Return sqrt(sum p^2) of the shares p in the window at a column.

    Parameters
    ----------
    squares : ndarray, shape (W,), int32 or int64
        The sums of squares of the counts in a row's windows.
    x : int
        The column.
    reach : int
        w, or the width of the plane if that is less.
    rows : int
        How many rows, times layers, the window holds.
    """
    across = min(squares.size - 1, x + reach) - max(0, x - reach) + 1
    return np.sqrt(np.float64(squares[x])) / (rows * across)


@njit(nogil=True)
def norms(plane, window, start, stop, columns, reach, n_states, layers, squares, out):
    """Write sqrt(sum p^2) of the shares p of the states in each node's window.

    Parameters
    ----------
    plane : ndarray, shape (H, W) or (H, W, 8 G)
        States, or counts of each over layers.
    window : int
        Half-width w >= 0.
    start, stop : int
        The rows to do; the column sums are built anew for the first of them.
    columns : ndarray, shape (G, 8 (W + 2 reach + 1)), integers
        Room for the column sums of each group.
    reach : int
        w, or the width of the plane if that is less.
    n_states : int
        N.
    layers : int
        How many nodes each entry of the plane sums over.
    squares : ndarray, shape (W,), int32 or int64
        Room for a row.
    out : ndarray, shape (H, W), float32
        What is written.
    """
    for y in range(start, stop):
        rows = layers * squares_of_row(plane, window, y, start, columns, reach, n_states, squares)
        for x in range(squares.size):
            out[y, x] = norm(squares, x, reach, rows)


@njit(nogil=True, fastmath={"reassoc"})
def sum_of_roots(squares):
    """Return the sum of the square roots, in whatever order is fastest."""
    total = 0.0
    for x in range(squares.size):
        total += np.sqrt(np.float64(squares[x]))
    return total


@njit(nogil=True)
def sums_of_norms(plane, window, start, stop, columns, reach, n_states, layers, squares, out):
    """Write the sum over each row of what `norms` would write for its nodes.

    Arguments are those of `norms`, but ``out``, shape (H,), float64.

    In the middle of a row all windows are equally wide, so one division serves for all its roots.
    """
    width = squares.size
    first = min(reach, width)
    last = max(first, width - reach)
    for y in range(start, stop):
        rows = layers * squares_of_row(plane, window, y, start, columns, reach, n_states, squares)
        out[y] = sum_of_roots(squares[first:last]) / (rows * (2 * reach + 1))
        for x in range(first):
            out[y] += norm(squares, x, reach, rows)
        for x in range(last, width):
            out[y] += norm(squares, x, reach, rows)
