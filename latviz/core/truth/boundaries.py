"""How well the boundaries between states agree with those of another map."""

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from latviz.core.data.lattice import check_integer
from latviz.core.errors import ParameterError

TOLERANCE = 2
"""Nodes by which a boundary may be off, unless told otherwise."""


def boundary_f_score(found: ArrayLike, truth: ArrayLike, tolerance: int = TOLERANCE) -> float:
    """Return the F-score of the boundaries of one map against those of another, from 0 to 1.

    A node is on a boundary if an axis neighbour has another state. Precision is the share of the
    found boundary nodes that have a true one within ``tolerance`` nodes along every axis, recall
    the share of the true ones that have a found one; F is their harmonic mean. It is 1 if neither
    map has a boundary.

    Parameters
    ----------
    found, truth : array_like of int, the same shape
        States; what they are called does not matter.
    tolerance : int, optional
        In nodes, >= 0.

    Raises
    ------
    ParameterError
        If the shapes differ.
    """
    check_integer("tolerance", tolerance, 0)
    one, other = np.asarray(found), np.asarray(truth)
    if one.shape != other.shape:
        raise ParameterError(f"the maps must have the same shape, got {one.shape}, {other.shape}")
    a, b = boundaries(one), boundaries(other)
    if not (a.any() and b.any()):
        return float(not a.any() and not b.any())
    size = 2 * tolerance + 1
    precision = scipy.ndimage.maximum_filter(b, size)[a].mean()
    recall = scipy.ndimage.maximum_filter(a, size)[b].mean()
    total = precision + recall
    return float(2 * precision * recall / total) if total > 0 else 0.0


def boundaries(states: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which nodes have an axis neighbour of another state, shape (*shape)."""
    on = np.zeros(states.shape, dtype=np.bool_)
    for axis in range(states.ndim):
        along, marked = np.moveaxis(states, axis, 0), np.moveaxis(on, axis, 0)
        differs = along[1:] != along[:-1]
        marked[1:] |= differs
        marked[:-1] |= differs
    return on
