"""The quadtree of a map of states: its leaves are the largest blocks of one state each."""

from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import check_map
from latviz.core.data.data_set import Several, given_back, read_each
from latviz.core.errors import ParameterError
from latviz.core.types import Counts, OneLattice, States
from latviz.core.values import Value

_Found = tuple[Counts, Counts, Counts, States]


@dataclass(frozen=True, eq=False)
class Leaves(Value):
    """The leaves of a quadtree, largest first.

    Attributes
    ----------
    rows, columns : ndarray, shape (n,), int64
        Their first nodes, multiples of ``sides``.
    sides : ndarray, shape (n,), int64
        Powers of two; leaves at the border may reach beyond it.
    states : ndarray, shape (n,), uint8

    Examples
    --------
    >>> found = quadtree_leaves(np.array([[0, 0, 1, 1], [0, 0, 1, 0]], np.uint8))
    >>> found.sides.tolist(), int(found.states[0])
    ([2, 1, 1, 1, 1], 0)
    """

    rows: Counts
    columns: Counts
    sides: Counts
    states: States


@overload
def quadtree_leaves(states: Several) -> list[Leaves]: ...


@overload
def quadtree_leaves(states: OneLattice) -> Leaves: ...


def quadtree_leaves(states: Any) -> Any:
    """Return the leaves of a map of states: no four of them can be joined.

    Parameters
    ----------
    states : ndarray, shape (H, W), uint8, or a list or tuple of them
        A data set gives a list.

    Returns
    -------
    Leaves, or a list of them for a data set

    Raises
    ------
    ParameterError
        If a map does not have two dimensions, or is empty.

    Examples
    --------
    >>> quadtree_leaves(np.array([[0, 0, 1, 1], [0, 0, 1, 0]], np.uint8)).sides.tolist()
    [2, 1, 1, 1, 1]
    """
    return given_back(states, read_each(states, _leaves_of))


def _leaves_of(states: Any) -> Leaves:
    states = check_map(states, 256)
    if states.ndim != 2:
        raise ParameterError(f"states must be a map of shape (H, W), got shape {states.shape}")
    whole: NDArray[np.bool_] = np.ones(states.shape, dtype=bool)
    values, side = states, 1
    found: list[_Found] = []
    while values.size > 1:
        parents, wholes = _parents(values, whole)
        height, width = values.shape
        covered = wholes.repeat(2, axis=0).repeat(2, axis=1)[:height, :width]
        found.append(_leaves(side, values, whole & ~covered))
        values, whole, side = parents, wholes, 2 * side
    found.append(_leaves(side, values, whole))
    return Leaves(*(np.concatenate(arrays) for arrays in zip(*found[::-1], strict=True)))


def _leaves(side: int, values: States, chosen: NDArray[np.bool_]) -> _Found:
    rows, columns = np.nonzero(chosen)
    return side * rows, side * columns, np.full(rows.size, side), values[rows, columns]


def _parents(values: States, whole: NDArray[np.bool_]) -> tuple[States, NDArray[np.bool_]]:
    """Return the state of each block of four, and if the four are whole and agree."""
    # At the border the missing row and column repeat the last ones
    height, width = values.shape
    margins = ((0, height % 2), (0, width % 2))
    values, whole = np.pad(values, margins, mode="edge"), np.pad(whole, margins, mode="edge")
    first, agree = values[::2, ::2], whole[::2, ::2].copy()
    for v, w in (
        (values[::2, 1::2], whole[::2, 1::2]),
        (values[1::2, ::2], whole[1::2, ::2]),
        (values[1::2, 1::2], whole[1::2, 1::2]),
    ):
        agree &= w & (v == first)
    return first, agree
