"""Agreement of the boundaries between states with those of another map."""

from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.data.lattice import as_lattice, check_integer
from latviz.core.truth.agreement import pairs_of_maps

TOLERANCE = 2
"""Nodes by which a boundary may be off, unless told otherwise."""


def boundary_f_score(found: Any, truth: Any, tolerance: int = TOLERANCE) -> float:
    """Return the F-score of the boundaries of one map against those of another, from 0 to 1.

    A node is on a boundary if an axis neighbour has another state. Precision is the share of the
    found boundary nodes that have a true one within ``tolerance`` nodes along every axis, recall
    the share of the true ones that have a found one; F is their harmonic mean. It is 1 if neither
    map has a boundary.

    Parameters
    ----------
    found, truth : ndarray of int, shape (*shape), or lists or tuples of as many of them
        States, in maps of the same shapes; what they are called does not matter. Precision and
        recall are shares of the boundary nodes of all lattices.
    tolerance : int, optional
        In nodes, >= 0.

    Raises
    ------
    ParameterError
        If the shapes differ.
    """
    check_integer("tolerance", tolerance, 0)
    maps = pairs_of_maps(found, truth, lambda _, states: as_lattice(states))
    pairs = [(boundaries(one), boundaries(other)) for one, other in maps]
    n_found, n_true = (sum(int(on.sum()) for on in side) for side in zip(*pairs, strict=True))
    if not (n_found and n_true):
        return float(n_found == n_true)
    precision = sum(_n_near(a, b, tolerance) for a, b in pairs) / n_found
    recall = sum(_n_near(b, a, tolerance) for a, b in pairs) / n_true
    total = precision + recall
    return float(2 * precision * recall / total) if total > 0 else 0.0


def _n_near(one: NDArray[np.bool_], other: NDArray[np.bool_], tolerance: int) -> int:
    """Return how many marked nodes of one map have one of the other within the tolerance."""
    near = scipy.ndimage.maximum_filter(other, 2 * tolerance + 1)
    return int(np.count_nonzero(near[one]))


def boundaries(states: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which nodes have an axis neighbour of another state, shape (*shape)."""
    on = np.zeros(states.shape, dtype=np.bool_)
    for axis in range(states.ndim):
        along, marked = np.moveaxis(states, axis, 0), np.moveaxis(on, axis, 0)
        differs = along[1:] != along[:-1]
        marked[1:] |= differs
        marked[:-1] |= differs
    return on
