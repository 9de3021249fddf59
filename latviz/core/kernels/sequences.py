"""Inference along one chain of nodes: forward and backward, and the most probable states."""

import numpy as np

from .compiler import callee, njit


@njit(nogil=True)
def forward_backward(likelihood, potentials, cavity):
    """Write the belief in each node from all others, (U, N) float32; rows sum to 1."""
    # likelihood (U, N) float32, positive; potentials as for `chains.chain`
    n_nodes, n_states = likelihood.shape
    came, says = np.full(n_states, 1.0 / n_states), np.empty(n_states)
    for t in range(n_nodes):
        cavity[t] = came
        _send(likelihood[t], potentials, came, says)
    came[:] = 1.0 / n_states
    for s in range(n_nodes):
        t = n_nodes - 1 - s
        total = 0.0
        for j in range(n_states):
            says[j] = cavity[t, j] * came[j]
            total += says[j]
        for j in range(n_states):
            cavity[t, j] = says[j] / total
        _send(likelihood[t], potentials, came, says)


@callee()
def _send(likelihood, potentials, came, says):
    """Replace the message that came to a node by that which it sends on; it sums to 1."""
    n_states, total = came.size, 0.0
    for j in range(n_states):
        says[j] = likelihood[j] * came[j]
        total += says[j]
    if potentials.size == 1:  # a Potts field
        unlike = np.float64(potentials[0])
        alike, whole = (1.0 - unlike) / total, 1.0 - unlike + n_states * unlike
        for j in range(n_states):
            came[j] = (unlike + alike * says[j]) / whole
        return
    came[:] = 0.0
    for j in range(n_states):
        for i in range(n_states):
            came[i] += says[j] * potentials[j * n_states + i]
    total = 0.0
    for i in range(n_states):
        total += came[i]
    for i in range(n_states):
        came[i] /= total


@njit(nogil=True)
def most_probable(likelihood, potentials, before, states):
    """Write the most probable states (U,) uint8; of ties the smallest state where they part."""
    # before (U, N) uint8 is a room: the state from which each state of a node came
    n_nodes, n_states = likelihood.shape
    best, found = np.empty(n_states), np.empty(n_states)
    for j in range(n_states):
        best[j] = likelihood[0, j]
    for t in range(1, n_nodes):
        most = 0.0
        for j in range(n_states):
            value, place = -1.0, 0
            for i in range(n_states):
                reached = best[i] * potentials[i, j]
                if reached > value:
                    value, place = reached, i
            found[j] = value * likelihood[t, j]
            before[t, j] = place
            most = max(most, found[j])
        for j in range(n_states):
            best[j] = found[j] / most
    states[n_nodes - 1] = np.argmax(best)
    for s in range(1, n_nodes):
        t = n_nodes - s
        states[t - 1] = before[t, states[t]]
