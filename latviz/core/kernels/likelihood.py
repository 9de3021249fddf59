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
def pair_terms(states, strides, lengths, A, log_A, log_normalizers, start, stop, sums, out):
    """Add the pair term of each node to ``out``, each row's total to ``sums``."""
    width = states.shape[1]
    rows = np.empty(2 * strides.size, np.int64)
    for row in range(start, stop):
        n_rows = adjacent_rows(row, strides, lengths, rows)
        row_total = 0.0
        for x in range(width):
            i = states[row, x]
            sum_log, sum_a, n_neighbours = 0.0, 0.0, n_rows
            for k in range(n_rows):
                j = states[rows[k], x]
                sum_log += log_A[i, j]
                sum_a += A[i, j]
            for other in range(x - 1, x + 2, 2):
                if 0 <= other < width:
                    j = states[row, other]
                    sum_log += log_A[i, j]
                    sum_a += A[i, j]
                    n_neighbours += 1
            term = pair_term(i, sum_log, sum_a, n_neighbours, log_normalizers)
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
