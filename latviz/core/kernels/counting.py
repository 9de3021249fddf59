"""Sums of what the states emit, and counts of errors in resamples."""

import numpy as np

from latviz.core.kernels.compiler import njit

RUN = 32
"""Nodes that are looked at together, at most."""
SHORT = 8
"""Runs below it are looked at node by node: vectors of eight lanes would not be filled."""


@njit(nogil=True, fastmath={"reassoc", "contract"})
def scatter_run(vectors, mean, first, n, room, total):
    """Add (o - mu)(o - mu)' of nodes of one state, whose products are summed before.

    Parameters
    ----------
    vectors : ndarray, shape (n_nodes, M)
        The observations.
    mean : ndarray, shape (M,), float64
        mu of the state.
    first, n : int
        The first node, and how many there are.
    room : ndarray, shape (M, RUN), float64
        Room for the differences.
    total : ndarray, shape (M, M), float64
        What is added to, the lower triangle.
    """
    for a in range(mean.size):
        row = room[a]
        for k in range(n):
            row[k] = vectors[first + k, a] - mean[a]
        for b in range(a + 1):
            other, products = room[b], 0.0
            for k in range(n):
                products += row[k] * other[k]
            total[a, b] += products


@njit(nogil=True)
def scatter(states, vectors, means, start, stop, sums):
    """Add (o - mu)(o - mu)' of some nodes to the sums of their states, the lower triangle.

    Parameters
    ----------
    states : ndarray, shape (n,), uint8
        The states.
    vectors : ndarray, shape (n, M)
        The observations.
    means : ndarray, shape (N, M), float64
        mu.
    start, stop : int
        The nodes to do.
    sums : ndarray, shape (N, M, M), float64
        What is added to.

    Nodes in a row are often in the same state: the products of such a run are summed before they
    are added, many at a time, in whatever order is fastest.
    """
    channels = vectors.shape[1]
    room, difference = np.empty((channels, RUN)), np.empty(channels)
    first = start
    while first < stop:
        j, n = states[first], 1
        while n < RUN and first + n < stop and states[first + n] == j:
            n += 1
        if n >= SHORT:
            scatter_run(vectors, means[j], first, n, room, sums[j])
        else:
            for t in range(first, first + n):
                for a in range(channels):
                    difference[a] = vectors[t, a] - means[j, a]
                for a in range(channels):
                    for b in range(a + 1):
                        sums[j, a, b] += difference[a] * difference[b]
        first += n


@njit(nogil=True)
def count_errors(kept, truth, times, n_states, start, stop, wrong, agreeing):
    """Count, for each resample, modes that are not the truth and copies that are their mode.

    The mode is the least of those states that are commonest.

    Parameters
    ----------
    kept : ndarray, shape (n_copies, n_nodes), uint8
        The states of each node in each copy.
    truth : ndarray, shape (n_nodes,), uint8
        The true ones.
    times : ndarray, shape (n_copies, n_resamples), int32
        How often each resample has each copy.
    n_states : int
        N.
    start, stop : int
        The nodes to do.
    wrong : ndarray, shape (n_resamples,), int64
        Modes that are not the truth, added to.
    agreeing : ndarray, shape (n_resamples,), int64
        Copies in the state of the mode, added to.
    """
    n_copies, n_resamples = times.shape
    votes = np.empty((n_states, n_resamples), np.int32)
    n_wrong = n_agreeing = 0
    for node in range(start, stop):
        # Where all copies agree, as they do at most nodes, so do all resamples.
        n_alike = 1
        while n_alike < n_copies and kept[n_alike, node] == kept[0, node]:
            n_alike += 1
        if n_alike == n_copies:
            n_wrong += kept[0, node] != truth[node]
            n_agreeing += n_copies
            continue
        votes[:] = 0
        for copy in range(n_copies):
            for k in range(n_resamples):
                votes[kept[copy, node], k] += times[copy, k]
        for k in range(n_resamples):
            mode = 0
            for state in range(1, n_states):
                if votes[state, k] > votes[mode, k]:
                    mode = state
            wrong[k] += mode != truth[node]
            agreeing[k] += votes[mode, k]
    wrong += n_wrong
    agreeing += n_agreeing
