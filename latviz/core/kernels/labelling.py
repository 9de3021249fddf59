"""Connected components of all states at once: one pass over the nodes, in disjoint sets."""

import numpy as np

from latviz.core.kernels.compiler import callee, njit

UNKNOWN = np.uint8(255)


@callee()
def root(parents, i):
    """Return the first node of a set; ways to it become shorter."""
    while parents[i] != i:
        parents[i] = parents[parents[i]]
        i = parents[i]
    return i


@callee()
def begin(states, labels, start, stop):
    """Give nodes of a row the first node of their run of equal states; unknown ones -1."""
    first = start
    for i in range(start, stop):
        if states[i] == UNKNOWN:
            labels[i] = -1
        elif i > start and states[i] == states[i - 1]:
            labels[i] = first
        else:
            first = labels[i] = i


@callee()
def join(states, labels, start, stop, back):
    """Join the sets of a row's nodes and of equal ones ``back`` nodes before."""
    for i in range(start, stop):
        if states[i] != states[i - back] or states[i] == UNKNOWN:
            continue
        # Runs that touch further left are one set by now
        if i == start or states[i - 1] != states[i] or states[i - back - 1] != states[i]:
            a, b = root(labels, i), root(labels, i - back)
            labels[max(a, b)] = min(a, b)


@njit(nogil=True)
def label(states, lengths, strides, labels):
    """Write the component of each node to labels (rows, columns) int32, by first nodes."""
    # states (rows, columns) uint8: rows are neighbours along K further axes, whose ``lengths`` and
    # ``strides`` are in rows. The first node of a set is its least, so that a parent comes before
    # its nodes, and has its label already when the second pass, in place, comes to them
    n_rows, n_columns = states.shape
    own, found = states.reshape(-1), labels.reshape(-1)
    for row in range(n_rows):
        start, stop = row * n_columns, (row + 1) * n_columns
        begin(own, found, start, stop)
        for k in range(lengths.size):
            if row // strides[k] % lengths[k]:
                join(own, found, start, stop, strides[k] * n_columns)
    n = np.int32(0)
    for i in range(own.size):
        if found[i] == i:
            found[i] = n
            n += np.int32(1)
        elif found[i] >= 0:
            found[i] = found[found[i]]
