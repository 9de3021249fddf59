"""The terms of the log-likelihood, node by node."""

import numpy as np
from numba import njit


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
def mixed_term(states, row, x, rows, n_rows, A, log_A, log_normalizers):
    """Return the pair term of a node, whatever its neighbours' states."""
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
    return pair_term(i, sum_log, sum_a, n_neighbours, log_normalizers)


@njit(nogil=True, cache=True)
def pair_terms(states, strides, lengths, A, log_A, log_normalizers, start, stop, sums, out):
    """Add the pair term of each node to ``out``, each row's total to ``sums``."""
    last = states.shape[1] - 1
    rows = np.empty(2 * strides.size, np.int64)
    uniform = uniform_terms(A, log_A, log_normalizers, 2 * strides.size + 2)
    for row in range(start, stop):
        n_rows = adjacent_rows(row, strides, lengths, rows)
        row_total = 0.0
        for x in range(last + 1):
            i = states[row, x]
            same = (x == 0 or states[row, x - 1] == i) and (x == last or states[row, x + 1] == i)
            for k in range(n_rows):
                same = same and states[rows[k], x] == i
            if same:
                term = uniform[n_rows + (x > 0) + (x < last), i]
            else:
                term = mixed_term(states, row, x, rows, n_rows, A, log_A, log_normalizers)
            row_total += term
            out[row, x] += term
        sums[row] = row_total


@njit(nogil=True, cache=True)
def symbol_terms(states, symbols, log_B, start, stop, sums, out):
    """Write log b(q_t, o_t) of each node to ``out``, each row's total to ``sums``."""
    for row in range(start, stop):
        row_total = 0.0
        for x in range(states.shape[1]):
            term = log_B[states[row, x], symbols[row, x]]
            row_total += term
            out[row, x] = term
        sums[row] = row_total


@njit(nogil=True, cache=True)
def normal_terms(states, vectors, means, whiteners, constants, start, stop, sums, out):
    """Write log f(o_t | mu, Sigma) of each node to ``out``, each row's total to ``sums``.

    ``whiteners[j]`` is the inverse of the lower Cholesky factor of Sigma(j); ``constants[j]`` is
    -1/2 (M log 2 pi + log det Sigma(j)).
    """
    channels = vectors.shape[2]
    for row in range(start, stop):
        row_total = 0.0
        for x in range(states.shape[1]):
            j = states[row, x]
            squares = 0.0
            for a in range(channels):
                z = 0.0
                for b in range(a + 1):
                    z += whiteners[j, a, b] * (vectors[row, x, b] - means[j, b])
                squares += z * z
            term = constants[j] - 0.5 * squares
            row_total += term
            out[row, x] = term
        sums[row] = row_total
