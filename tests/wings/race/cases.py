"""Small problems for the methods that label nodes, and their energies by plain loops."""

import itertools

import numpy as np

from latviz.wings.race.peers.problem import Problem
from tests import naive


def a_problem(shape, n_states, seed, strength=0.8, signatures=False):
    """Return a problem of random costs."""
    rng = np.random.default_rng(seed)
    unary = rng.exponential(size=(*shape, n_states)).astype(np.float32)
    seen = (rng.random((*shape, 3)).astype(np.float32),) if signatures else ()
    return Problem((unary,), strength, seen)


def neighbours(shape):
    """Yield each pair of neighbours once."""
    for t in naive.nodes(shape):
        for axis, length in enumerate(shape):
            if t[axis] + 1 < length:
                yield t, (*t[:axis], t[axis] + 1, *t[axis + 1 :])


def energy_by_loops(problem, states):
    (unary,) = problem.unary
    own = sum(float(unary[t][states[t]]) for t in naive.nodes(states.shape))
    pairs = sum(states[t] != states[r] for t, r in neighbours(states.shape))
    return own + problem.strength * float(pairs)


def least_energy(problem):
    """Return the least energy of all labellings of one lattice."""
    (shape,) = problem.shapes
    every = itertools.product(range(problem.n_states), repeat=int(np.prod(shape)))
    return min(energy_by_loops(problem, np.array(one).reshape(shape)) for one in every)


class Listener:
    """Records its reports; cancels after a fraction."""

    def __init__(self, most=np.inf):
        self.told, self._most = [], most

    def report(self, fraction):
        self.told.append(fraction)

    def cancelled(self):
        return len(self.told) > self._most
