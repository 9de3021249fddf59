"""Counts of states, of adjacent pairs and of what the states emit."""

import numpy as np

from latviz.core.kernels.compiler import njit


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
def add_run(state, length, n_following, counts, occupancy):
    """Count a run of nodes of one state in a row, as if the rows that follow were alike."""
    occupancy[state] += length
    counts[state, state] += length - 1 + n_following * length


@njit(nogil=True, cache=True)
def count_pairs(states, strides, lengths, start, stop, counts, occupancy):
    """Count the pairs (t, next node along an axis) and the states for rows start to stop.

    ``states`` is ``(rows, width)``; ``strides`` and ``lengths``, in rows, are the leading axes'.
    Runs of one state are counted at once, so that only where states differ a count is touched.
    """
    last = states.shape[1] - 1
    following = np.empty(strides.size, np.int64)
    for row in range(start, stop):
        n_following, first = forward_rows(row, strides, lengths, following), 0
        for x in range(last):
            i, j = states[row, x], states[row, x + 1]
            if i != j:
                counts[i, j] += 1
                add_run(i, x + 1 - first, n_following, counts, occupancy)
                first = x + 1
        add_run(states[row, last], last + 1 - first, n_following, counts, occupancy)
        for k in range(n_following):
            other = following[k]
            for x in range(last + 1):
                i, j = states[row, x], states[other, x]
                if i != j:
                    counts[i, i] -= 1
                    counts[i, j] += 1


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
