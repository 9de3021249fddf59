"""The terms of the log-likelihood, node by node.

A lattice is rows ``(rows, width)``: its last axis is the columns, all others are folded into the
rows, and ``strides`` and ``lengths`` ``(d - 1,)`` give the adjacent rows along those. Rows of
several lattices of one shape may follow each other: the place of a row along an axis is its number
divided by the stride, modulo the length, so rows of different lattices are not neighbours.

Most nodes have all their neighbours in their own state. Their pair term depends only on the state
and the number of neighbours, so it is looked up, or counted and multiplied. Only *mixed* nodes,
those with a neighbour in another state, and those at the ends of a row are computed one by one. For
sums, mixed nodes next to one other state are counted too: most lie at a border of two regions. The
counts also give A', and the logarithm of all a(q_t, q_r) follows from A'.
"""

import numpy as np

from latviz.core.kernels import marks
from latviz.core.kernels.compiler import callee, njit
from latviz.core.kernels.normals import log_densities_of_row

FAR = 1e100
"""Two factors up to this far from 1 have a finite product above 0 in float64."""
SEVERAL = 128
"""More than a node has neighbours."""


@callee()
def adjacent_rows(row, strides, lengths, out):
    """Write the rows adjacent to ``row`` to out (2 (d - 1),); return their number."""
    # strides and lengths (d - 1,) int64: rows between neighbours along an axis, and its length
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
    """Return 1/2 sum over R(t) of log a(q_t, q_r) - log k_t, or 0 without neighbours; i is q_t."""
    # log_normalizers (N,) are log k of each state; (0,) where k_t is sum_a, a summed over R(t)
    if n_neighbours == 0:
        return 0.0
    if sum_log == -np.inf:
        return -np.inf
    log_k = np.log(sum_a) if log_normalizers.size == 0 else log_normalizers[i]
    return 0.5 * (sum_log - n_neighbours * log_k)


@callee()
def uniform_terms(A, log_A, log_normalizers, most):
    """Return pair terms (most + 1, N) of nodes amid their own state, by number of neighbours."""
    # Most nodes are such, so their terms are looked up. A and log_A (N, N), log 0 is -inf
    terms = np.empty((most + 1, A.shape[0]))
    for n in range(most + 1):
        for i in range(A.shape[0]):
            terms[n, i] = pair_term(
                i, n * log_A[i, i] if n else 0.0, n * A[i, i], n, log_normalizers
            )
    return terms


@callee()
def over_neighbours(states, row, x, rows, n_rows, A, log_A):
    """Return the sums of log a and of a over a node's neighbours, and their number."""
    # states (rows, width) uint8; rows: those adjacent to the node's row, n_rows of them
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
    """Mark the nodes of a row with a neighbour in another state, and the first and last."""
    # Arguments are those of `over_neighbours`; mixed (width,) uint8, not 0 where a node is mixed
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
    """Write the places of the marks (W,), each 0 or not, to ``places``; return their number."""
    # none (W,) uint8 is all 0
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
    """Add the pair term of each node of rows start to stop to out (rows, width)."""
    # states (rows, width) uint8; strides and lengths as for `adjacent_rows`, the rest as for
    # `pair_term`
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
    """Count each node's neighbours in another state; SEVERAL or more if they are in two others."""
    # Arguments are those of `mark_mixed`, which wrote mixed; others (width,) uint8, without both
    # ends. Marks are the bits in which states differ: joining those of all neighbours gives those
    # of each different one only if there is one other state. Without a branch, many are computed at
    # a time.
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
    """Raise pairs[q_t, q_r] (N, N) int64 for each neighbour r of a node; see `over_neighbours`."""
    i = states[row, x]
    for k in range(n_rows):
        pairs[i, states[rows[k], x]] += 1
    for other in range(x - 1, x + 2, 2):
        if 0 <= other < states.shape[1]:
            pairs[i, states[row, other]] += 1


@callee()
def add_runs(states, pairs, occupancy):
    """Raise occupancy (N,) by a row's nodes, pairs (N, N) where state j follows i along it."""
    # j is not i: the pairs of like states follow from the occupancy
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
    """Raise pairs[one[x], other[x]] where two rows (width,) are unlike."""
    for place in range(0, one.size, marks.NODES):
        bits = marks.unlike(one, other, place, 0, one.size)
        while bits:
            x = place + marks.lowest(bits)
            bits &= bits - marks.ONE
            pairs[one[x], other[x]] += 1


@njit(nogil=True)
def count_unlike_pairs(states, strides, lengths, start, stop, pairs, occupancy):
    """Raise occupancy (N,) by nodes of rows start to stop, pairs (N, N) by unlike neighbours."""
    # Each two are counted once: pairs[i, j] by nodes of i whose next along an axis is in j; int64.
    # states, strides and lengths as for `pair_terms`
    for row in range(start, stop):
        one = states[row]
        add_runs(one, pairs, occupancy)
        for axis in range(strides.size):
            if (row // strides[axis]) % lengths[axis] < lengths[axis] - 1:
                add_unlike(one, states[row + strides[axis]], pairs)


@njit(nogil=True)
def neighbourhoods(states, strides, lengths, start, stop, alike, both, several, pairs, occupancy):
    """Count nodes of rows start to stop by their neighbours' states; mark those not counted."""
    # alike (2 d + 1, N)[n, i]: nodes of state i whose n neighbours all share it. both (2 d + 1, N,
    # N) [m, i, j], or empty: nodes of i of whose 2 d neighbours m are in j, the others in i.
    # several (rows, ceil(width / 64)) uint64: bit k of word v marks column 64 v + k, counted in
    # neither; pairs (N, N) and occupancy (N,) count those. All counts are int64; states, strides,
    # lengths: see `pair_terms`
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
    """Return the sum of |R(t)| log k_t, k_t = sum over R(t) of a(q_t, q_r), of counted nodes."""
    # A (N, N) float64; alike and both as `neighbourhoods` counts
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
    """Write each row's sum of |R(t)| log k_t of marked nodes to sums (rows,) float64."""
    # See `counted_logs`. A logarithm takes longer than all else that is done for a node. So nodes
    # with all their neighbours are multiplied, as many as fit, before one is taken. Potentials of
    # all pairs that occur are positive
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
    """Write log b(q_t, o_t) of each node of rows start to stop to out (rows, width)."""
    # states uint8 and symbols (rows, width); log_B (N, M) float64, log 0 is -inf
    for row in range(start, stop):
        for x in range(states.shape[1]):
            out[row, x] = log_B[states[row, x], symbols[row, x]]


@njit(nogil=True)
def normal_terms(states, vectors, normals, start, stop, out):
    """Write log f(o_t | mu, Sigma) of nodes of rows start to stop to out (rows, width) float32."""
    # states (rows, width) uint8, vectors (rows, width, M); normals as for
    # `log_densities_of_row`
    for row in range(start, stop):
        log_densities_of_row(states[row], vectors[row], normals, out[row])


@njit(nogil=True, fastmath={"reassoc"})
def normal_sums(states, vectors, normals, start, stop, sums):
    """Write each row's sum of `normal_terms` to sums (rows,); return the number of -inf terms."""
    # Terms are added in the fastest order
    terms, impossible = np.empty(states.shape[1]), 0
    for row in range(start, stop):
        log_densities_of_row(states[row], vectors[row], normals, terms)
        total = 0.0
        for x in range(terms.size):
            total += terms[x]
        sums[row] = total
        if total == -np.inf:
            for x in range(terms.size):
                impossible += terms[x] == -np.inf
    return impossible
