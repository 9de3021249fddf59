"""Rims: states that only lie between two others, as blurred borders do."""

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import UNKNOWN
from latviz.core.types import Matrix


def count_rims(states: NDArray[np.uint8], codebook: Matrix) -> int:
    """Return how many states are rims, of a state map (*shape) and its codebook (N, M)."""
    # Most runs of a rim along the axes part two states whose codewords are on both sides of its
    # own, and it is at most three nodes wide: at most a third of them has no neighbour in another
    n = len(codebook)
    apart = codebook[None] - codebook[:, None]  # (N, N, M): from each codeword to the others
    is_between = np.pad(np.einsum("kim,kjm->kij", apart, apart) < 0, (0, 1))  # unknown nodes too
    states = np.where(states == UNKNOWN, np.uint8(n), states)
    runs, parting = np.zeros(n + 1), np.zeros(n + 1)
    inside = np.ones(states.shape, bool)
    for axis in range(states.ndim):
        rows = np.moveaxis(states, axis, -1)
        same = rows[..., 1:] == rows[..., :-1]
        within = np.moveaxis(inside, axis, -1)  # a view
        is_known = rows < n
        alike = same | ~(is_known[..., 1:] & is_known[..., :-1])  # as at the edge of the picture
        within[..., 1:] &= alike
        within[..., :-1] &= alike
        starts = np.ones(rows.shape, bool)
        starts[..., 1:] = ~same
        of_runs = rows[starts]
        ends = np.zeros(rows.shape, bool)
        ends[..., 0] = True  # the first run of a row has none before it
        is_first = ends[starts]
        is_inner = ~is_first[1:-1] & ~is_first[2:] & (of_runs[:-2] < n) & (of_runs[2:] < n)
        middle = np.flatnonzero(is_inner) + 1
        k = of_runs[middle]
        runs += np.bincount(k, minlength=n + 1)
        parts = is_between[k, of_runs[middle - 1], of_runs[middle + 1]]
        parting += np.bincount(k[parts], minlength=n + 1)
    nodes = np.bincount(states.reshape(-1), minlength=n + 1)
    inner = np.bincount(states[inside], minlength=n + 1)
    return int(((2 * parting > runs) & (3 * inner <= nodes))[:n].sum())
