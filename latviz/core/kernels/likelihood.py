"""The terms of the log-likelihood, node by node.

A lattice is rows ``(rows, width)``: its last axis is the columns, all others are folded into the
rows, and ``strides`` and ``lengths`` ``(d - 1,)`` tell which rows are adjacent along those. Rows of
several lattices of one shape may follow each other: the place of a row along an axis is its number
divided by the stride, modulo the length, so rows of different lattices are no neighbours.

Most nodes have all their neighbours in their own state. Their pair term depends on the state and on
the number of neighbours alone, so it is looked up, or counted and multiplied: only *mixed* nodes,
those with a neighbour in another state, and those at the ends of a row are computed one by one.
Where a sum is wanted, mixed nodes next to one other state are counted too: most lie at a border of
two regions. The counts tell A' as well, and the logarithm of all a(q_t, q_r) follows from A'.
"""

import numpy as np

from latviz.core.kernels import lanes, marks
from latviz.core.kernels.compiler import callee, njit

FAR = 1e100
"""Two factors up to this far from 1 have a product that float64 can tell from 0 and infinity."""
SEVERAL = 128
"""More than a node has neighbours."""


@callee()
def adjacent_rows(row, strides, lengths, out):
    """Write the rows adjacent to ``row`` along the leading axes; return how many there are.

    Parameters
    ----------
    row : int
        The row.
    strides, lengths : ndarray, shape (d - 1,), int64
        How many rows apart neighbours along each leading axis are, and how long the axis is.
    out : ndarray, shape (2 (d - 1),), int64
        What is written.
    """
    found = 0
    for axis in range(strides.size):
        position = (row // strides[axis]) % lengths[axis]
        if position > 0:
            out[found] = row - strides[axis]
            found += 1
        if position < lengths[axis] - 1:
            out[found] = row + strides[axis]
            found += 1
    return found


@callee()
def pair_term(i, sum_log, sum_a, n_neighbours, log_normalizers):
    """Return 1/2 sum over R(t) of log a(q_t, q_r) - log k_t.

    Parameters
    ----------
    i : int
        q_t.
    sum_log, sum_a : float
        The sums of log a and of a over R(t).
    n_neighbours : int
        |R(t)|; without neighbours the term is 0.
    log_normalizers : ndarray, shape (N,) or (0,), float64
        log k of each state; empty where k_t sums over the neighbours.
    """
    if n_neighbours == 0:
        return 0.0
    if sum_log == -np.inf:
        return -np.inf
    log_k = np.log(sum_a) if log_normalizers.size == 0 else log_normalizers[i]
    return 0.5 * (sum_log - n_neighbours * log_k)


@callee()
def uniform_terms(A, log_A, log_normalizers, most):
    """Return the pair term of a node all of whose neighbours are in its own state.

    Parameters
    ----------
    A, log_A : ndarray, shape (N, N), float64
        The potentials and their logarithms, -inf for 0.
    log_normalizers : ndarray, shape (N,) or (0,), float64
        log k of each state; empty where k_t sums over the neighbours.
    most : int
        The largest number of neighbours.

    Returns
    -------
    ndarray, shape (most + 1, N), float64
        By the number of neighbours and the state.
    """
    terms = np.empty((most + 1, A.shape[0]))
    for n in range(most + 1):
        for i in range(A.shape[0]):
            terms[n, i] = pair_term(
                i, n * log_A[i, i] if n else 0.0, n * A[i, i], n, log_normalizers
            )
    return terms


@callee()
def over_neighbours(states, row, x, rows, n_rows, A, log_A):
    """Return the sums of log a and of a over a node's neighbours, and how many they are.

    Parameters
    ----------
    states : ndarray, shape (rows, width), uint8
        The states of all rows of the lattice.
    row, x : int
        The node.
    rows : ndarray, int64
        The rows adjacent to its row.
    n_rows : int
        How many of them there are.
    A, log_A : ndarray, shape (N, N), float64
        The potentials and their logarithms.
    """
    i = states[row, x]
    sum_log, sum_a, n_neighbours = 0.0, 0.0, n_rows
    for k in range(n_rows):
        j = states[rows[k], x]
        sum_log += log_A[i, j]
        sum_a += A[i, j]
    for other in range(x - 1, x + 2, 2):
        if 0 <= other < states.shape[1]:
            j = states[row, other]
            sum_log += log_A[i, j]
            sum_a += A[i, j]
            n_neighbours += 1
    return sum_log, sum_a, n_neighbours


@callee()
def mark_mixed(states, row, rows, n_rows, mixed):
    """Mark the nodes of a row that have a neighbour in another state, and the first and last.

    Parameters
    ----------
    states : ndarray, shape (rows, width), uint8
        The states of all rows of the lattice.
    row : int
        The row.
    rows : ndarray, int64
        The rows adjacent to it.
    n_rows : int
        How many of them there are.
    mixed : ndarray, shape (width,), uint8
        What is written: not 0 where a node is mixed.
    """
    mixed[0], mixed[-1] = 1, 1
    # An exclusive or is 0 for equal states, and many are done at a time.
    for x in range(1, mixed.size - 1):
        i = states[row, x]
        mixed[x] = (states[row, x - 1] ^ i) | (states[row, x + 1] ^ i)
    for k in range(n_rows):
        other = rows[k]
        for x in range(mixed.size):
            mixed[x] |= states[other, x] ^ states[row, x]


@callee()
def list_marked(marked, none, places):
    """Write the places of the marks (W,), each 0 or not, to ``places``; return how many there are.

    ``none``, shape (W,), uint8, is all 0.
    """
    found = 0
    for place in range(0, marked.size, marks.NODES):
        bits = marks.unlike(marked, none, place, 0, marked.size)
        while bits:
            places[found] = place + marks.lowest(bits)
            bits &= bits - marks.ONE
            found += 1
    return found


@njit(nogil=True)
def pair_terms(states, strides, lengths, A, log_A, log_normalizers, start, stop, out):
    """Add the pair term of each node to ``out``.

    Parameters
    ----------
    states : ndarray, shape (rows, width), uint8
        The states of all rows of the lattice.
    strides, lengths : ndarray, shape (d - 1,), int64
        How many rows apart neighbours along each leading axis are, and how long the axis is.
    A, log_A : ndarray, shape (N, N), float64
        The potentials and their logarithms, -inf for 0.
    log_normalizers : ndarray, shape (N,) or (0,), float64
        log k of each state; empty where k_t sums over the neighbours.
    start, stop : int
        The rows to do.
    out : ndarray, shape (rows, width), float32 or float64
        What is added to.
    """
    rows = np.empty(2 * strides.size, np.int64)
    mixed = np.empty(states.shape[1], np.uint8)
    uniform = uniform_terms(A, log_A, log_normalizers, 2 * strides.size + 2)
    for row in range(start, stop):
        n_rows = adjacent_rows(row, strides, lengths, rows)
        mark_mixed(states, row, rows, n_rows, mixed)
        for x in range(mixed.size):
            if mixed[x]:
                sums = over_neighbours(states, row, x, rows, n_rows, A, log_A)
                out[row, x] += pair_term(states[row, x], *sums, log_normalizers)
            else:
                out[row, x] += uniform[n_rows + 2, states[row, x]]


@callee()
def count_others(states, row, rows, n_rows, mixed, others):
    """Count the neighbours of each node of a row that are in another state, if it is one state.

    Parameters
    ----------
    states, row, rows, n_rows, mixed
        As for `mark_mixed`, which has written ``mixed``.
    others : ndarray, shape (width,), uint8
        What is written, but for the first and last: how many they are; `SEVERAL` and more where
        they are in several states.
    """
    # Marks are the bits in which states differ: those of all neighbours, joined, are those of each
    # that differs only if there is one other state. Without a branch, many are done at a time.
    for x in range(1, mixed.size - 1):
        i, mark = states[row, x], mixed[x]
        left, right = states[row, x - 1] ^ i, states[row, x + 1] ^ i
        several = ((left != 0) & (left != mark)) | ((right != 0) & (right != mark))
        others[x] = (left == mark) + (right == mark) + SEVERAL * several
    for k in range(n_rows):
        other = rows[k]
        for x in range(1, mixed.size - 1):
            mark, bits = mixed[x], states[other, x] ^ states[row, x]
            others[x] = (others[x] + (bits == mark)) | (SEVERAL * ((bits != 0) & (bits != mark)))


@callee()
def add_pairs(states, row, x, rows, n_rows, pairs):
    """Raise ``pairs[q_t, q_r]`` for each neighbour r of a node.

    Parameters
    ----------
    states, row, x, rows, n_rows
        As for `over_neighbours`.
    pairs : ndarray, shape (N, N), int64
        What is added to.
    """
    i = states[row, x]
    for k in range(n_rows):
        pairs[i, states[rows[k], x]] += 1
    for other in range(x - 1, x + 2, 2):
        if 0 <= other < states.shape[1]:
            pairs[i, states[row, other]] += 1


@callee()
def add_runs(states, pairs, occupancy):
    """Count the nodes of a row by their states, and the places where one state follows another.

    Parameters
    ----------
    states : ndarray, shape (width,), uint8
        The states of the row.
    pairs : ndarray, shape (N, N), int64
        ``pairs[i, j]`` is raised by the nodes of state i before one in state j, which is not i.
    occupancy : ndarray, shape (N,), int64
        Is raised by the nodes in each state.
    """
    first, stop = 0, states.size - 1
    for place in range(0, stop, marks.NODES):
        bits = marks.unlike(states, states, place, 1, stop)
        while bits:
            x = place + marks.lowest(bits)
            bits &= bits - marks.ONE
            pairs[states[x], states[x + 1]] += 1
            occupancy[states[x]] += x + 1 - first
            first = x + 1
    occupancy[states[stop]] += states.size - first


@callee()
def add_unlike(one, other, pairs):
    """Raise ``pairs[one[x], other[x]]`` for each node of two rows in which these are unlike.

    Parameters
    ----------
    one, other : ndarray, shape (width,), uint8
        The states of the rows.
    pairs : ndarray, shape (N, N), int64
        What is added to.
    """
    for place in range(0, one.size, marks.NODES):
        bits = marks.unlike(one, other, place, 0, one.size)
        while bits:
            x = place + marks.lowest(bits)
            bits &= bits - marks.ONE
            pairs[one[x], other[x]] += 1


@njit(nogil=True)
def count_unlike_pairs(states, strides, lengths, start, stop, pairs, occupancy):
    """Count nodes by their states, and neighbours in unlike states: each two of them once.

    Parameters
    ----------
    states : ndarray, shape (rows, width), uint8
        The states of all rows of the lattice.
    strides, lengths : ndarray, shape (d - 1,), int64
        How many rows apart neighbours along each leading axis are, and how long the axis is.
    start, stop : int
        The rows to do.
    pairs : ndarray, shape (N, N), int64
        ``pairs[i, j]`` is raised by the nodes of state i whose next along an axis is in state j.
    occupancy : ndarray, shape (N,), int64
        Is raised by the nodes in each state.
    """
    for row in range(start, stop):
        one = states[row]
        add_runs(one, pairs, occupancy)
        for axis in range(strides.size):
            if (row // strides[axis]) % lengths[axis] < lengths[axis] - 1:
                add_unlike(one, states[row + strides[axis]], pairs)


@njit(nogil=True)
def neighbourhoods(states, strides, lengths, start, stop, alike, both, several, pairs, occupancy):
    """Count nodes by the states of their neighbours; mark the nodes that are not counted.

    Parameters
    ----------
    states : ndarray, shape (rows, width), uint8
        The states of all rows of the lattice.
    strides, lengths : ndarray, shape (d - 1,), int64
        How many rows apart neighbours along each leading axis are, and how long the axis is.
    start, stop : int
        The rows to do.
    alike : ndarray, shape (2 d + 1, N), int64
        ``alike[n, i]`` is raised by the nodes of state i all of whose n neighbours share it.
    both : ndarray, shape (2 d + 1, N, N) or (2 d + 1, 0, 0), int64
        ``both[m, i, j]`` is raised by the nodes of state i of whose 2 d neighbours m are in state
        j and all others in i.
    several : ndarray, shape (rows, ceil(width / 64)), uint64
        Bits of all other nodes are set: bit k of word v is that of column 64 v + k.
    pairs : ndarray, shape (N, N), int64
        ``pairs[i, j]`` is raised by the neighbours of these in state j, of nodes in i.
    occupancy : ndarray, shape (N,), int64
        And by their own states.
    """
    rows, places = np.empty(2 * strides.size, np.int64), np.empty(states.shape[1], np.int64)
    mixed, others, none = np.zeros((3, states.shape[1]), np.uint8)
    for row in range(start, stop):
        n_rows = adjacent_rows(row, strides, lengths, rows)
        mark_mixed(states, row, rows, n_rows, mixed)
        if both.size > 0 and n_rows == rows.size:
            count_others(states, row, rows, n_rows, mixed, others)
            others[0], others[-1] = SEVERAL, SEVERAL
        else:
            others[:] = SEVERAL
        n_mixed = list_marked(mixed, none, places)
        for k in range(n_mixed):
            x = places[k]
            i = states[row, x]
            if others[x] < SEVERAL:
                both[others[x], i, i ^ mixed[x]] += 1
            else:
                several[row, x // marks.NODES] |= marks.ONE << np.uint64(x % marks.NODES)
                occupancy[i] += 1
                add_pairs(states, row, x, rows, n_rows, pairs)
            # All nodes up to the next mixed one are alike, and so are their neighbours: one run.
            if k < n_mixed - 1:
                alike[n_rows + 2, states[row, x + 1]] += places[k + 1] - x - 1


@njit(nogil=True)
def counted_logs(A, alike, both):
    """Return the sum of |R(t)| log k_t, k_t = sum over R(t) of a(q_t, q_r), of counted nodes.

    Parameters
    ----------
    A : ndarray, shape (N, N), float64
        The potentials.
    alike, both
        As `neighbourhoods` counts.
    """
    total, most = 0.0, alike.shape[0] - 1
    for n in range(1, most + 1):
        for i in range(A.shape[0]):
            if alike[n, i] > 0:
                total += alike[n, i] * (n * np.log(n * A[i, i]))
    for m, i, j in np.ndindex(both.shape):
        if both[m, i, j] > 0:
            k = m * A[i, j] + (most - m) * A[i, i] if m < most else m * A[i, j]
            total += both[m, i, j] * (most * np.log(k))
    return total


@njit(nogil=True)
def marked_logs(states, strides, lengths, A, several, start, stop, sums):
    """Write for each row the sum of |R(t)| log k_t, as `counted_logs` returns it, of marked nodes.

    Parameters
    ----------
    states, strides, lengths, several, start, stop
        As for `neighbourhoods`.
    A : ndarray, shape (N, N), float64
        The potentials; those of all pairs of neighbours are positive.
    sums : ndarray, shape (rows,), float64
        What is written.

    The sum over nodes with all their neighbours is the logarithm of a product, of as many factors
    as fit: a logarithm takes longer than all else that is done for a node.
    """
    rows = np.empty(2 * strides.size, np.int64)
    most = rows.size + 2
    for row in range(start, stop):
        n_rows = adjacent_rows(row, strides, lengths, rows)
        product, sum_log_k, total = 1.0, 0.0, 0.0
        for word in range(several.shape[1]):
            bits = several[row, word]
            while bits:
                x = word * marks.NODES + marks.lowest(bits)
                bits &= bits - marks.ONE
                _, sum_a, n_neighbours = over_neighbours(states, row, x, rows, n_rows, A, A)
                if n_neighbours == most and 1 / FAR < sum_a < FAR:
                    product *= sum_a
                    if not 1 / FAR < product < FAR:
                        sum_log_k += np.log(product)
                        product = 1.0
                elif n_neighbours > 0:
                    total += n_neighbours * np.log(sum_a)
        sums[row] = total + most * (sum_log_k + np.log(product))


@njit(nogil=True)
def symbol_terms(states, symbols, log_B, start, stop, out):
    """Write log b(q_t, o_t) of each node.

    Parameters
    ----------
    states : ndarray, shape (rows, width), uint8
        The states of all rows of the lattice.
    symbols : ndarray, shape (rows, width), uint8 or uint16
        The observations.
    log_B : ndarray, shape (N, M), float64
        The logarithms of B, -inf for 0.
    start, stop : int
        The rows to do.
    out : ndarray, shape (rows, width), float32 or float64
        What is written.
    """
    for row in range(start, stop):
        for x in range(states.shape[1]):
            out[row, x] = log_B[states[row, x], symbols[row, x]]


@njit(nogil=True)
def normal_terms(states, vectors, normals, start, stop, out):
    """Write log f(o_t | mu, Sigma) of each node.

    Parameters
    ----------
    states : ndarray, shape (rows, width), uint8
        The states of all rows of the lattice.
    vectors : ndarray, shape (rows, width, M)
        The observations.
    normals : ndarray, shape (N, P), float64
        As for `lanes.log_densities_of_row`.
    start, stop : int
        The rows to do.
    out : ndarray, shape (rows, width), float32
        What is written.
    """
    for row in range(start, stop):
        lanes.log_densities_of_row(states[row], vectors[row], normals, out[row])


@njit(nogil=True, fastmath={"reassoc"})
def normal_sums(states, vectors, normals, start, stop, sums):
    """Write each row's sum of what `normal_terms` writes; return how many terms are -inf.

    Terms are added in whatever order is fastest. Arguments are those of `normal_terms`, but
    ``sums``, shape (rows,), float64.
    """
    terms, impossible = np.empty(states.shape[1]), 0
    for row in range(start, stop):
        lanes.log_densities_of_row(states[row], vectors[row], normals, terms)
        total = 0.0
        for x in range(terms.size):
            total += terms[x]
        sums[row] = total
        if total == -np.inf:
            for x in range(terms.size):
                impossible += terms[x] == -np.inf
    return impossible
