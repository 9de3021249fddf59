"""The terms of the log-likelihood, node by node."""

import numpy as np

from latviz.core.kernels.compiler import njit


@njit(nogil=True, cache=True)
def adjacent_rows(row, strides, lengths, out):
    """Write the rows adjacent to ``row`` along the leading axes to ``out``; return how many."""
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


@njit(nogil=True, cache=True)
def pair_term(i, sum_log, sum_a, n_neighbours, log_normalizers):
    """Return 1/2 sum over R(t) of log a - log k; an empty ``log_normalizers``: k sums over R(t)."""
    if n_neighbours == 0:
        return 0.0
    if sum_log == -np.inf:
        return -np.inf
    log_k = np.log(sum_a) if log_normalizers.size == 0 else log_normalizers[i]
    return 0.5 * (sum_log - n_neighbours * log_k)


@njit(nogil=True, cache=True)
def uniform_terms(A, log_A, log_normalizers, most):
    """Return the pair term of a node whose neighbours, 0 to ``most``, are all in its own state."""
    terms = np.empty((most + 1, A.shape[0]))
    for n in range(most + 1):
        for i in range(A.shape[0]):
            terms[n, i] = pair_term(
                i, n * log_A[i, i] if n else 0.0, n * A[i, i], n, log_normalizers
            )
    return terms


@njit(nogil=True, cache=True)
def over_neighbours(states, row, x, rows, n_rows, A, log_A):
    """Return the sums of log a and of a over a node's neighbours, and how many they are."""
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


@njit(nogil=True, cache=True)
def mark_mixed(states, row, rows, n_rows, mixed):
    """Mark the nodes of a row that have a neighbour in another state, and the first and last."""
    mixed[0], mixed[-1] = 1, 1
    for x in range(1, mixed.size - 1):
        i = states[row, x]
        mixed[x] = (states[row, x - 1] ^ i) | (states[row, x + 1] ^ i)
    for k in range(n_rows):
        other = rows[k]
        for x in range(mixed.size):
            mixed[x] |= states[other, x] ^ states[row, x]


@njit(nogil=True, cache=True)
def list_marked(marks, places):
    """Write the places of the marks, each 0 or not, to ``places``; return how many there are."""
    found = 0
    for x in range(marks.size):
        places[found] = x
        found += marks[x] != 0
    return found


@njit(nogil=True, cache=True)
def pair_terms(states, strides, lengths, A, log_A, log_normalizers, start, stop, out):
    """Add the pair term of each node of rows start to stop to ``out``."""
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


@njit(nogil=True, cache=True)
def pair_sums(states, strides, lengths, A, log_A, log_normalizers, start, stop, sums, counts):
    """Write each row's sum of the pair terms of mixed nodes; count the others.

    ``counts[n, i]`` becomes the number of nodes of state i all of whose n neighbours share it.
    """
    rows, places = np.empty(2 * strides.size, np.int64), np.empty(states.shape[1], np.int64)
    mixed = np.empty(states.shape[1], np.uint8)
    for row in range(start, stop):
        n_rows = adjacent_rows(row, strides, lengths, rows)
        mark_mixed(states, row, rows, n_rows, mixed)
        n_mixed, total = list_marked(mixed, places), 0.0
        for k in range(n_mixed):
            x = places[k]
            over = over_neighbours(states, row, x, rows, n_rows, A, log_A)
            total += pair_term(states[row, x], *over, log_normalizers)
            if k < n_mixed - 1:
                counts[n_rows + 2, states[row, x + 1]] += places[k + 1] - x - 1
        sums[row] = total


@njit(nogil=True, cache=True)
def symbol_terms(states, symbols, log_B, start, stop, out):
    """Write log b(q_t, o_t) of each node of rows start to stop to ``out``."""
    for row in range(start, stop):
        for x in range(states.shape[1]):
            out[row, x] = log_B[states[row, x], symbols[row, x]]


@njit(nogil=True, cache=True, fastmath={"reassoc"})
def symbol_sums(states, symbols, log_B, start, stop, sums):
    """Write each row's sum of what `symbol_terms` writes, added in whatever order is fastest."""
    for row in range(start, stop):
        total = 0.0
        for x in range(states.shape[1]):
            total += log_B[states[row, x], symbols[row, x]]
        sums[row] = total


@njit(nogil=True, cache=True)
def normal_term(vector, mean, whitener, constant):
    """Return log f(o_t | mu, Sigma).

    ``whitener`` is the inverse of the lower Cholesky factor of Sigma; ``constant`` is
    -1/2 (M log 2 pi + log det Sigma).
    """
    squares = 0.0
    for a in range(vector.size):
        z = 0.0
        for b in range(a + 1):
            z += whitener[a, b] * (vector[b] - mean[b])
        squares += z * z
    return constant - 0.5 * squares


@njit(nogil=True, cache=True)
def normal_terms(states, vectors, means, whiteners, constants, start, stop, out):
    """Write `normal_term` of each node of rows start to stop to ``out``."""
    for row in range(start, stop):
        for x in range(states.shape[1]):
            j = states[row, x]
            out[row, x] = normal_term(vectors[row, x], means[j], whiteners[j], constants[j])


@njit(nogil=True, cache=True)
def normal_sums(states, vectors, means, whiteners, constants, start, stop, sums):
    """Write each row's sum of what `normal_terms` writes."""
    for row in range(start, stop):
        total = 0.0
        for x in range(states.shape[1]):
            j = states[row, x]
            total += normal_term(vectors[row, x], means[j], whiteners[j], constants[j])
        sums[row] = total
