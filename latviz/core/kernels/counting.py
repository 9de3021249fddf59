"""Counts of states, of adjacent pairs and of what the states emit."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def forward_rows(row, strides, lengths, out):
    """Write the rows that follow ``row`` along each leading axis to ``out``; return how many."""
    found = 0
    for axis in range(strides.size):
        if (row // strides[axis]) % lengths[axis] < lengths[axis] - 1:
            out[found] = row + strides[axis]
            found += 1
    return found


@njit(nogil=True, cache=True)
def count_pairs(states, strides, lengths, start, stop, counts):
    """Count the pairs (t, next node along an axis) for rows start to stop.

    ``states`` is ``(rows, width)``; ``strides`` and ``lengths``, in rows, are the leading axes'.
    """
    width = states.shape[1]
    following = np.empty(strides.size, np.int64)
    for row in range(start, stop):
        for x in range(width - 1):
            counts[0, states[row, x], states[row, x + 1]] += 1
        for k in range(forward_rows(row, strides, lengths, following)):
            other = following[k]
            for x in range(width):
                counts[1, states[row, x], states[other, x]] += 1


@njit(nogil=True, cache=True)
def count_states(states, start, stop, counts):
    """Count each state among the flat nodes start to stop."""
    for t in range(start, stop):
        counts[states[t]] += 1


@njit(nogil=True, cache=True)
def count_emissions(states, symbols, start, stop, counts):
    """Count each (state, symbol) among the flat nodes start to stop."""
    for t in range(start, stop):
        counts[states[t], symbols[t]] += 1


@njit(nogil=True, cache=True)
def scatter(states, vectors, means, start, stop, sums):
    """Add (o - mu)(o - mu)' of the flat nodes start to stop to the sums of their states."""
    channels = vectors.shape[1]
    difference = np.empty(channels)
    for t in range(start, stop):
        j = states[t]
        for a in range(channels):
            difference[a] = vectors[t, a] - means[j, a]
        for a in range(channels):
            for b in range(a + 1):
                sums[j, a, b] += difference[a] * difference[b]
