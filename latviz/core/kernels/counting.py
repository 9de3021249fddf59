"""Sums of the emissions or colours of states, and counts of errors in resamples."""

import numpy as np

from latviz.core.kernels.compiler import callee, njit
from latviz.core.kernels.lanes import multiply_add
from latviz.core.kernels.normals import as_double
from latviz.core.kernels.vectors import INT, LONG, llvm, loop, vector

FEW = 3
"""Channels whose products, one for each pair, are held in one vector."""
TURNS = 4
"""Sums of each state that take turns: a single one would have to wait for itself."""

RUN = 32
"""Most nodes in a run."""
SHORT = 8
"""Shorter runs are handled node by node: vectors of eight lanes would not be filled."""


@callee(fastmath={"reassoc", "contract"})
def scatter_run(vectors, mean, first, n, room, total):
    """Add (o - mu)(o - mu)' of ``n`` successive nodes of one state to a lower triangle (M, M)."""
    # vectors (n_nodes, M), mean (M,), room (M, RUN) for the differences, whose products are summed
    # before they are added
    for a in range(mean.size):
        row = room[a]
        for k in range(n):
            row[k] = vectors[first + k, a] - mean[a]
        for b in range(a + 1):
            other, products = room[b], 0.0
            for k in range(n):
                products += row[k] * other[k]
            total[a, b] += products


@callee()
def scatter_by_run(states, vectors, means, start, stop, sums):
    """Do the same as `scatter`, but add up each run of one state first."""
    # Neighbours are often in the same state. The order of the sums is free, so that LLVM vectorises
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


@llvm()
def add_products(b, states, vectors, means, start, stop, room):
    """Add the products of the differences of each node's channels to room (8 TURNS N,)."""
    # As for `scatter`, with FEW channels at most; means (N, 4), whose columns from M on are not
    # used. A state has TURNS places of eight products, (1, 1), (2, 1), (2, 2), (3, 1) ..., filled
    # by turns, because an addition to the place just written would wait for it
    signed = getattr(vectors.type.dtype, "signed", True)

    def sweep(known):
        pairs = [(i, j) for i in range(known) for j in range(i + 1)]
        pairs += [(0, 0)] * ((1, 4, 8)[known - 1] - len(pairs))
        masks = [vector(INT, list(places)) for places in zip(*pairs, strict=True)]

        def add(x, turn, n):
            state = b.zext(states.number(x), LONG)
            read = as_double(b, vectors.load(b.mul(x, LONG(known)), n), signed)
            apart = b.fsub(read, means.load(b.mul(state, LONG(4)), n))
            one, other = (b.shuffle_vector(apart, apart, mask) for mask in masks)
            place = b.add(b.mul(state, LONG(8 * TURNS)), LONG(8 * turn))
            sums = room.load(place, len(pairs))
            room.store(place, multiply_add(b, one, other, sums))
            return []

        def turns(x):
            for turn in range(TURNS):
                add(b.add(x, LONG(turn)), turn, 4 if known == 3 else known)
            return []

        # Four numbers are read at once where there are three: one node has to come after.
        x, _ = loop(b, start, b.sub(stop, LONG(1)), TURNS, [], turns)
        loop(b, x, stop, 1, [], lambda x: add(x, 0, known))

    for known in range(1, FEW + 1):
        with b.if_then(b.icmp_signed("==", vectors.shape[1], LONG(known))):
            sweep(known)


@njit(nogil=True)
def scatter(states, vectors, means, start, stop, sums):
    """Add (o - mu)(o - mu)' of nodes start to stop to the lower triangles (N, M, M) by state."""
    # states (n,) uint8, vectors (n, M), means (N, M) float64
    n_states, channels = means.shape
    if channels > FEW:
        scatter_by_run(states, vectors, means, start, stop, sums)
        return
    padded, room = np.zeros((n_states, 4)), np.zeros(8 * TURNS * n_states)
    for j in range(n_states):
        for c in range(channels):
            padded[j, c] = means[j, c]
    add_products(states, vectors, padded, start, stop, room)
    for j in range(n_states):
        place = 8 * TURNS * j
        for a in range(channels):
            for b in range(a + 1):
                for turn in range(TURNS):
                    sums[j, a, b] += room[place + 8 * turn]
                place += 1


@njit(nogil=True)
def add_colours(states, colours, start, stop, sums):
    """Add red, green, blue and 1 for each of nodes start to stop to sums (N, 4) int64 by state."""
    # states (n,) and colours (n, 3) uint8. Neighbours are often in the same state: while the state
    # stays, its sums stay in registers
    node = start
    while node < stop:
        state, first = states[node], node
        red = green = blue = np.int64(0)
        while node < stop and states[node] == state:
            red += colours[node, 0]
            green += colours[node, 1]
            blue += colours[node, 2]
            node += 1
        sums[state, 0] += red
        sums[state, 1] += green
        sums[state, 2] += blue
        sums[state, 3] += node - first


@njit(nogil=True)
def count_errors(kept, truth, times, n_states, start, stop, wrong, agreeing):
    """Count, for each resample, the modes that are wrong and the copies that equal the mode."""
    # kept (n_copies, n_nodes) and truth (n_nodes,) uint8; times (n_copies, n_resamples) int32 is
    # the number of each copy in a resample; wrong and agreeing (n_resamples,) int64. Ties go to the
    # least mode
    n_copies, n_resamples = times.shape
    votes = np.empty((n_states, n_resamples), np.int32)
    n_wrong = n_agreeing = 0
    for node in range(start, stop):
        # If all copies agree, as at most nodes, all resamples do.
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
