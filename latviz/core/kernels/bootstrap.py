"""Modes of resampled copies."""

import numpy as np

from latviz.core.kernels.compiler import njit


@njit(nogil=True, cache=True)
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
            votes[kept[copy, node]] += times[copy]
        for k in range(n_resamples):
            mode = 0
            for state in range(1, n_states):
                if votes[state, k] > votes[mode, k]:
                    mode = state
            wrong[k] += mode != truth[node]
            agreeing[k] += votes[mode, k]
    wrong += n_wrong
    agreeing += n_agreeing
