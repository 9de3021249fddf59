"""Counts of states, of adjacent pairs, of what the states emit, and of errors in resamples.

A lattice is rows ``(rows, width)``, as in `likelihood`.
"""

import numpy as np

from latviz.core.kernels import marks
from latviz.core.kernels.compiler import njit

RUN = 32
"""Nodes that are looked at together, at most."""
SHORT = 8
"""Runs below it are looked at node by node: vectors of eight lanes would not be filled."""


@njit(nogil=True)
def forward_rows(row, strides, lengths, out):
    """Write the rows that follow ``row`` along each leading axis; return how many there are.

    Parameters
    ----------
    row : int
        The row.
    strides, lengths : ndarray, shape (d - 1,), int64
        How many rows apart neighbours along each leading axis are, and how long the axis is.
    out : ndarray, shape (d - 1,), int64
        What is written.
    """
    found = 0
    for axis in range(strides.size):
        if (row // strides[axis]) % lengths[axis] < lengths[axis] - 1:
            out[found] = row + strides[axis]
            found += 1
    return found


@njit(nogil=True)
def add_run(state, length, n_following, counts, occupancy):
    """Count a run of nodes of one state in a row, as if the rows that follow were alike.

    Parameters
    ----------
    state : int
        The state.
    length : int
        How many nodes follow each other in it.
    n_following : int
        How many rows follow this one.
    counts : ndarray, shape (N, N), int64
        The pairs, added to.
    occupancy : ndarray, shape (N,), int64
        The nodes, added to.
    """
    occupancy[state] += length
    counts[state, state] += length - 1 + n_following * length


@njit(nogil=True)
def count_pairs(states, strides, lengths, start, stop, counts, occupancy):
    """Count the pairs (t, next node along an axis), and the nodes, by their states.

    Runs of one state are counted at once, so that only where states differ a count is touched.

    Parameters
    ----------
    states : ndarray, shape (rows, width), uint8
        The states of all rows of the lattice.
    strides, lengths : ndarray, shape (d - 1,), int64
        How many rows apart neighbours along each leading axis are, and how long the axis is.
    start, stop : int
        The rows to do.
    counts : ndarray, shape (N, N), int64
        The pairs, added to: A' is these and their transpose.
    occupancy : ndarray, shape (N,), int64
        The nodes, added to.
    """
    last = states.shape[1] - 1
    following = np.empty(strides.size, np.int64)
    for row in range(start, stop):
        here, first = states[row], 0
        n_following = forward_rows(row, strides, lengths, following)
        for place in range(0, last, marks.NODES):
            unlike = marks.unlike(here, here, place, 1, last)
            while unlike:
                x = place + marks.lowest(unlike)
                unlike &= unlike - marks.ONE
                counts[here[x], here[x + 1]] += 1
                add_run(here[x], x + 1 - first, n_following, counts, occupancy)
                first = x + 1
        add_run(here[last], last + 1 - first, n_following, counts, occupancy)
        for k in range(n_following):
            other = states[following[k]]
            for place in range(0, last + 1, marks.NODES):
                unlike = marks.unlike(here, other, place, 0, last + 1)
                while unlike:  # `add_run` took these for pairs of equal states
                    x = place + marks.lowest(unlike)
                    unlike &= unlike - marks.ONE
                    counts[here[x], here[x]] -= 1
                    counts[here[x], other[x]] += 1


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
