"""Iterated conditional modes (Besag 1986): each node takes the best state given its neighbours."""

import numpy as np
from numpy.typing import NDArray

from latviz.core.progress import Progress, shares, stop_if_cancelled
from latviz.core.types import NodeMap, States
from latviz.wings.race.peers.problem import Problem

MOST_SWEEPS = 100
"""Sweeps end when no node changes; rounding must not keep two nodes changing without end."""


def modes(problem: Problem, progress: Progress | None = None) -> list[States]:
    """Return the result of iterated conditional modes, from each node's own likeliest state."""
    # Nodes of a checkerboard's one colour have no neighbours of that colour, so they may all change
    # at once and the energy never rises. Progress: the share by which fewer nodes change than in
    # the first sweep
    parts = shares(progress, [one.size for one in problem.unary])
    return [_modes(costs, problem.strength, next(parts)) for costs in problem.unary]


def _modes(costs: NodeMap, strength: float, progress: Progress | None) -> States:
    states: States = costs.argmin(axis=-1).astype(np.uint8)
    colour = np.indices(states.shape, sparse=True)
    even = np.asarray(sum(colour) % 2 == 0)
    shown, n_first = 0.0, 0
    for _ in range(MOST_SWEEPS):
        n_changed = 0
        for chosen in (even, ~even):
            stop_if_cancelled(progress)
            n_changed += _improve(states, chosen, costs, strength)
        n_first = n_first or n_changed
        if n_changed == 0:
            break
        shown = max(shown, 1 - n_changed / n_first)
        if progress is not None:
            progress.report(shown)
    if progress is not None:
        progress.report(1.0)
    return states


def _improve(states: States, chosen: NDArray[np.bool_], costs: NodeMap, strength: float) -> int:
    """Give chosen nodes their best states if better; return the number of changes."""
    own = _costs_of(states, costs, strength, None)
    best, least = states.copy(), own.copy()
    for state in range(costs.shape[-1]):
        found = _costs_of(states, costs, strength, state)
        better = (found < least) & chosen
        best[better], least[better] = state, found[better]
    n_changed = int(np.count_nonzero(best != states))
    states[...] = best
    return n_changed


def _costs_of(states: States, costs: NodeMap, strength: float, state: int | None) -> NodeMap:
    """Return the cost of each node in a state, or in its own if that is None."""
    if state is None:
        own = np.take_along_axis(costs, states[..., None].astype(np.intp), axis=-1)[..., 0]
    else:
        own = costs[..., state]
    unlike = np.zeros(states.shape, dtype=np.float32)
    for axis in range(states.ndim):
        along, counted = np.moveaxis(states, axis, 0), np.moveaxis(unlike, axis, 0)
        wanted = along if state is None else np.full_like(along, state)
        counted[1:] += wanted[1:] != along[:-1]
        counted[:-1] += wanted[:-1] != along[1:]
    return np.asarray(own + np.float32(strength) * unlike)
