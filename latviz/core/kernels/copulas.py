"""Densities of vectors by the bins of their channels, which a normal copula couples in each state.

A ``law`` is (edges, logs, scores, whiteners, constants), all float64: the edges of bins (M, K + 1);
the logarithm of each bin's density (N, M, K) and its normal score (N, M, K); L^-1 (N, M, M) with
L L' the correlation of scores, and -1/2 log |L L'| (N,). ``logs`` also hold half of each squared
score, which the copula leaves out.
"""

import numpy as np

from . import eights
from .chains import LANES
from .compiler import callee, njit


@callee()
def bin_of(edges, channel, value):
    """Return the bin of a number; one on an edge is in the lower bin."""
    low, high = 1, edges.shape[1] - 1
    while low < high:
        middle = (low + high) // 2
        if edges[channel, middle] < value:
            low = middle + 1
        else:
            high = middle
    return low - 1


@callee()
def logs_of_row(vectors, row, law, bins, own, logs):
    """Write the log-densities of a row's vectors under each state to logs (N, W or more)."""
    # bins and own (M,) are rooms
    edges, tables, scores, whiteners, constants = law
    width, n_channels = vectors.shape[1:]
    for x in range(width):
        for c in range(n_channels):
            bins[c] = bin_of(edges, c, vectors[row, x, c])
        for j in range(constants.size):
            total = constants[j]
            for a in range(n_channels):
                own[a] = scores[j, a, bins[a]]
                rest = 0.0
                for b in range(a + 1):
                    rest += whiteners[j, a, b] * own[b]
                total += tables[j, a, bins[a]] - 0.5 * rest * rest
            logs[j, x] = total


@njit(nogil=True)
def likelihoods(vectors, law, sizes, start, stop, out, tops):
    """Write what `marginals.of_vectors` does, under these densities."""
    _, _, n_rows, n_states = sizes
    width, n_channels = vectors.shape[1:]
    room = width + LANES - 1
    bins, own = np.empty(n_channels, np.int64), np.empty(n_channels)
    logs, top = np.zeros((n_states, room)), np.empty(LANES)
    flat = logs.reshape(-1)
    for row in range(start, stop):
        logs_of_row(vectors, row, law, bins, own, logs)
        tops[row] = 0.0
        for x in range(0, width, LANES):
            to = (x // LANES * n_rows + row) * n_states * LANES
            eights.shares_of_likeliest(flat, x, room, n_states, out, to, top)
            for k in range(min(LANES, width - x)):
                tops[row] += top[k]


@njit(nogil=True)
def log_densities(vectors, law, start, stop, out):
    """Write the log-densities of rows of vectors (R, W, M) to out (R, N, W)."""
    n_channels = vectors.shape[2]
    bins, own = np.empty(n_channels, np.int64), np.empty(n_channels)
    for row in range(start, stop):
        logs_of_row(vectors, row, law, bins, own, out[row])


@njit(nogil=True)
def count(weights, vectors, edges, out):
    """Add the weights (U, N) float32 of the nodes in each bin to out (N, M, K); vectors (U, M)."""
    for t in range(len(vectors)):
        for c in range(vectors.shape[1]):
            k = bin_of(edges, c, vectors[t, c])
            for j in range(weights.shape[1]):
                out[j, c, k] += weights[t, j]


@njit(nogil=True)
def moments(weights, vectors, edges, scores, out):
    """Add sum_t w(t, j) s(t, j, a) s(t, j, b) of scores to the lower triangles of out (N, M, M)."""
    n_channels = vectors.shape[1]
    bins, own = np.empty(n_channels, np.int64), np.empty(n_channels)
    for t in range(len(vectors)):
        for c in range(n_channels):
            bins[c] = bin_of(edges, c, vectors[t, c])
        for j in range(weights.shape[1]):
            for a in range(n_channels):
                own[a] = scores[j, a, bins[a]]
                weighted = weights[t, j] * own[a]
                for b in range(a + 1):
                    out[j, a, b] += weighted * own[b]
