"""The correlation that states leave unexplained: products of the residuals of neighbours.

A residual is an observation minus the mean of its state; for symbols, of their one-hot vectors,
whose products need no vectors. Lattices are flat, with their ``strides`` and ``lengths`` along the
axes. Neighbours are ``apart`` nodes from each other.
"""

import numpy as np

from .compiler import njit


@njit(nogil=True)
def of_symbols(symbols, states, table, products, strides, lengths, apart, start, stop, out):
    """Write mean products of nodes start to stop with their neighbours to out (U,); return sums."""
    # symbols and states (U,); table (N, M): shares of symbols in each state; products table @
    # table.T; strides and lengths (d,) int64. Nodes without neighbours get NaN. Sums: of products
    # with neighbours, of their number, and of products with themselves
    pairs, n_pairs, squares = 0.0, 0.0, 0.0
    for t in range(start, stop):
        q, o = states[t], symbols[t]
        squares += 1.0 - 2.0 * table[q, o] + products[q, q]
        total, n = 0.0, 0
        for axis in range(strides.size):
            place = t // strides[axis] % lengths[axis]
            for step in (-apart, apart):
                if 0 <= place + step < lengths[axis]:
                    r = t + step * strides[axis]
                    p, k = states[r], symbols[r]
                    total += (o == k) - table[q, k] - table[p, o] + products[q, p]
                    n += 1
        out[t] = total / n if n else np.nan
        pairs += total
        n_pairs += n
    return pairs, n_pairs, squares


@njit(nogil=True)
def of_vectors(vectors, states, means, weights, strides, lengths, apart, start, stop, out):
    """Do the same for vectors (U, M) whose states have the means (N, M), channels weighted (M,)."""
    pairs, n_pairs, squares = 0.0, 0.0, 0.0
    n_channels = vectors.shape[1]
    own = np.empty(n_channels)
    for t in range(start, stop):
        for c in range(n_channels):
            rest = vectors[t, c] - means[states[t], c]
            own[c] = weights[c] * rest
            squares += own[c] * rest
        total, n = 0.0, 0
        for axis in range(strides.size):
            place = t // strides[axis] % lengths[axis]
            for step in (-apart, apart):
                if 0 <= place + step < lengths[axis]:
                    r = t + step * strides[axis]
                    for c in range(n_channels):
                        total += own[c] * (vectors[r, c] - means[states[r], c])
                    n += 1
        out[t] = total / n if n else np.nan
        pairs += total
        n_pairs += n
    return pairs, n_pairs, squares
