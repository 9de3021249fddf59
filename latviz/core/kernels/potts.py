"""Sweeps over a field of states: of Gibbs, and of Swendsen and Wang.

Random numbers are those of SplitMix64 (Steele, Lea and Flood 2014), whose k-th number does not need
the earlier ones. So each node has its own number, on any thread and in any order.
"""

import numpy as np

from latviz.core.kernels.compiler import callee, njit

GAMMA, FIRST, SECOND = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
UNIT = 2.0**-53
PER_NODE = 3
"""Random numbers that each node has in a sweep: one draws its state, two open its bonds."""


@callee()
def bits(key, place):
    """Return 53 random bits of the stream of a key; all are uint64."""
    z = key + GAMMA * (place + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return (z ^ (z >> np.uint64(31))) >> np.uint64(11)


@callee()
def uniform(key, place):
    """Return a number of the stream of a key, from 0 to below 1, both arguments uint64."""
    return np.float64(bits(key, place)) * UNIT


@njit(nogil=True)
def gibbs(padded, pairs, key, place, colour, start, stop):
    """Draw the states of every other node of rows start to stop, given their neighbours'."""
    # padded (H + 2, W + 2) uint8: states in a frame of state N, drawn where row + column + colour
    # is even, so that no node drawn is a neighbour of another. pairs (N + 1, N + 1, N) float64: the
    # product of two neighbours' potentials for each state, 1 for state N. key and place, uint64:
    # the random stream, and where the numbers of this sweep begin
    n_states, width = pairs.shape[2], padded.shape[1] - 2
    bounds = np.empty(n_states)
    for row in range(start, stop):
        for x in range((row + colour) % 2, width, 2):
            across = pairs[padded[row + 1, x], padded[row + 1, x + 2]]
            above = pairs[padded[row, x + 1], padded[row + 2, x + 1]]
            total = 0.0
            for j in range(n_states):
                total += across[j] * above[j]
                bounds[j] = total
            node = np.uint64(PER_NODE) * np.uint64(row * width + x)
            drawn, state = uniform(key, place + node) * total, 0
            while state < n_states - 1 and drawn >= bounds[state]:
                state += 1
            padded[row + 1, x + 1] = state


@callee()
def root_of(parents, node):
    """Return the least node of a cluster, and shorten the path to it."""
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = parents[node]
    return node


@njit(nogil=True)
def open_bonds(states, parents, opening, key, place):
    """Open bonds between like neighbours; write the parents (H W,) int32 of the clusters."""
    # The numbers of a node open the bonds to its right and below it, so here a node uses the
    # numbers of those left of it and above it. Two clusters meet only if both bonds are open: most
    # nodes are joined by one assignment. A parent is less than its node, or the node itself.
    # ``opening`` is a probability
    height, width = states.shape
    each = np.uint64(PER_NODE)
    most = np.uint64(np.ceil(opening / UNIT))  # a number is below opening if its bits are below
    for row in range(height):
        for x in range(width):
            node, state = row * width + x, states[row, x]
            at = place + each * np.uint64(node)
            left = x > 0 and states[row, x - 1] == state
            left = left and bits(key, at - each + np.uint64(1)) < most
            above = row > 0 and states[row - 1, x] == state
            above = above and bits(key, at - each * np.uint64(width) + np.uint64(2)) < most
            if left and above:
                one, other = root_of(parents, node - 1), root_of(parents, node - width)
                least = min(one, other)
                parents[max(one, other)] = least
                parents[node] = least
            elif left:
                parents[node] = parents[node - 1]
            elif above:
                parents[node] = parents[node - width]
            else:
                parents[node] = node


@njit(nogil=True)
def draw_clusters(states, parents, n_states, key, place):
    """Draw a state (H W,) for each cluster of `open_bonds`, by the number of its least node."""
    # A parent is less than its node, so its state was drawn before, and no root has to be searched
    for node in range(states.size):
        parent = parents[node]
        if parent == node:
            drawn = uniform(key, place + np.uint64(PER_NODE) * np.uint64(node))
            states[node] = min(np.int64(drawn * n_states), n_states - 1)
        else:
            states[node] = states[parent]
