"""Alpha-expansion (Boykov, Veksler and Zabih 2001), by the graph cuts of PyMaxflow."""

from itertools import cycle

import numpy as np
from maxflow.fastmin import aexpansion_grid_step

from latviz.core.progress import Progress, shares, stop_if_cancelled
from latviz.core.types import NodeMap, States
from latviz.wings.race.peers.problem import Problem

GAIN = 1e-9
"""Of the energy: a move that lowers it by less does not count, because cuts are rounded."""


def expanded(problem: Problem, progress: Progress | None = None) -> list[States]:
    """Return labels that no expansion of a single state improves, from each node's likeliest."""
    # A move is the best of all in which any set of nodes takes one state; moves go on until one of
    # every state has failed. The energy is at most twice the least one (for Potts fields). Progress
    # assumes after every move that no further one helps; it cancels between two moves
    parts = shares(progress, [one.size for one in problem.unary])
    return [_expanded(costs, problem.strength, next(parts)) for costs in problem.unary]


def _expanded(costs: NodeMap, strength: float, progress: Progress | None) -> States:
    n_states = costs.shape[-1]
    unary, pairs = costs.astype(np.float64), strength * (1 - np.eye(n_states))
    labels = costs.argmin(axis=-1)
    shown, n_vain, least = 0.0, 0, np.inf
    for n_moves, state in enumerate(cycle(range(n_states)), start=1):
        stop_if_cancelled(progress)
        energy, _ = aexpansion_grid_step(state, unary, pairs, labels)  # it changes the labels
        n_vain = 0 if energy < least - GAIN * abs(energy) else n_vain + 1
        least = min(least, energy)
        shown = max(shown, n_moves / (n_moves + n_states - n_vain))
        if progress is not None:
            progress.report(shown)
        if n_vain >= n_states:
            break
    return np.asarray(labels, dtype=np.uint8)
