"""Inference along one chain of nodes: forward and backward, and the most probable states."""

import numpy as np

from .chains import LANES
from .compiler import callee, njit
from .eights import TINY


@njit(nogil=True)
def forward_backward(unary, potentials, cavity):
    """Write the belief in each node from all others, (U, N) float32; rows sum to 1."""
    # unary: the positive likelihoods, in tiles as those of `chains`, of one row. potentials as for
    # `chains.chain`. Each message waits for the one before it, so both directions are sent side by
    # side; the one that comes to a node first is stored there until the other one comes. For the
    # same reason messages are scaled at every eighth node only: likelihoods are at least 2^-60 and
    # potentials 2^-15, so that between these they stay above 2^-600. Those of unknown nodes are 0
    n_nodes, n_states = cavity.shape
    forth, back = np.full(n_states, 1.0 / n_states), np.full(n_states, 1.0 / n_states)
    one, other = np.empty(n_states), np.empty(n_states)
    for t in range(n_nodes):
        s = n_nodes - 1 - t
        if t <= s:
            cavity[t] = 1.0
        _meet(forth, cavity, t)
        if t < s:
            cavity[s] = 1.0
        _meet(back, cavity, s)
        is_scaled = t % LANES == LANES - 1
        _send(unary, _place(t, n_states), potentials, is_scaled, forth, one)
        _send(unary, _place(s, n_states), potentials, is_scaled, back, other)


@callee()
def _place(t, n_states):
    """Return the place of a node's first likelihood; the next ones are LANES numbers apart."""
    return t // LANES * n_states * LANES + t % LANES


@callee()
def _meet(came, cavity, t):
    """Multiply what is stored at a node by the message that came to it; it sums to 1."""
    total = 0.0
    for j in range(came.size):
        total += came[j] * cavity[t, j]
    total = 1.0 / total
    for j in range(came.size):
        cavity[t, j] = came[j] * cavity[t, j] * total


@callee()
def _send(unary, at, potentials, is_scaled, came, product):
    """Replace the message that came to a node by that which it sends on, perhaps scaled."""
    n_states, total = came.size, 0.0
    for j in range(n_states):
        product[j] = unary[at + j * LANES] * came[j]
        total += product[j]
    if total == 0.0:  # an unknown node: a chain begins after it
        came[:] = 1.0 / n_states
        return
    if is_scaled:
        for j in range(n_states):
            product[j] /= total
        total = 1.0
    if potentials.size == 1:  # a Potts field
        unlike = np.float64(potentials[0])
        for j in range(n_states):
            came[j] = unlike * total + (1.0 - unlike) * product[j]
        return
    came[:] = 0.0
    for j in range(n_states):
        for i in range(n_states):
            came[i] += product[j] * potentials[j * n_states + i]


@njit(nogil=True)
def shares(unary, cavity, out):
    """Write sum_j c(t, j) b(j, o_t) for cavities (U, N), (U,) float64; 1 of unknown nodes."""
    n_nodes, n_states = cavity.shape
    for t in range(n_nodes):
        at, total = _place(t, n_states), 0.0
        for j in range(n_states):
            total += np.float64(cavity[t, j] * unary[at + j * LANES])
        out[t] = total if total > 0.0 else 1.0


@njit(nogil=True)
def beliefs(unary, cavity, out):
    """Write the beliefs (U, N) float32, which sum to 1; those of unknown nodes are 0."""
    n_nodes, n_states = cavity.shape
    for t in range(n_nodes):
        at, total = _place(t, n_states), np.float32(TINY)
        for j in range(n_states):
            out[t, j] = cavity[t, j] * unary[at + j * LANES]
            total += out[t, j]
        for j in range(n_states):
            out[t, j] /= total


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
