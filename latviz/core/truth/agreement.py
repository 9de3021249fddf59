"""Agreement of two maps of states, or of two data sets: of their states, and of their borders.

The two maps are given by place: measures are symmetric, so scikit-learn's order (the truth first)
and its reverse give the same number.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, TypeVar

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from latviz.core import threads
from latviz.core.checks import (
    MOST_COUNTED,
    UNKNOWN,
    as_array,
    as_lattice,
    check_integer,
    check_map,
)
from latviz.core.data.data_set import is_several, read_each
from latviz.core.data.lattice import widths
from latviz.core.data.masks import in_both
from latviz.core.data.per_lattice import per_lattice
from latviz.core.data.stacks import gathered
from latviz.core.errors import ParameterError, at_index
from latviz.core.renamed import renamed, took_a_table
from latviz.core.types import Counts, States

M = TypeVar("M", bound=NDArray[Any])
_BLOCK = 1 << 18
TOO_WIDE = 16
"""States from which on a table of counts is not one of bytes: it is a map of states."""


def contingency(one: Any, other: Any) -> Counts:
    """Return the number of nodes in state i of one map and state j of the other, (N1, N2).

    Parameters
    ----------
    one, other : ndarray of int, shape (*shape), or lists or tuples of as many of them
        States from 0 to 255, in maps of the same shapes. The nodes of all lattices are counted.

    Returns
    -------
    ndarray, shape (N1, N2), int64
        N1 and N2 are the largest states + 1.

    Raises
    ------
    ParameterError
        If the shapes differ, or the values are not states.

    Examples
    --------
    >>> contingency([0, 0, 1, 1], [1, 1, 1, 0]).tolist()
    [[0, 2], [1, 1]]
    """
    pairs = pairs_of_maps(one, other, _states)
    n_a, n_b = (1 + max(int(maps.max()) for maps in side) for side in zip(*pairs, strict=True))
    counts = [_contingency(a, b, n_a, n_b) for a, b in pairs]
    return np.asarray(np.sum(counts, axis=0))


def known_contingency(states: Any, known: Any) -> Counts:
    """Return the `contingency` of two maps, without nodes that are `UNKNOWN` in one of them."""
    pairs = pairs_of_maps(states, known, _states)
    if all(one.max() < UNKNOWN for pair in pairs for one in pair):
        return contingency(states, known)
    kept = [(one[both], other[both]) for one, other in pairs if (both := in_both(one, other)).any()]
    if not kept:
        raise ParameterError("both maps must know the state of a node, got none")
    return contingency(*(np.concatenate(side) for side in zip(*kept, strict=True)))


def _contingency(a: States, b: States, n_a: int, n_b: int) -> Counts:
    # Not by a kernel: agreement with a truth is shown before all of them are compiled
    flat_a, flat_b = a.reshape(-1), b.reshape(-1)

    def task(start: int) -> Counts:
        block = slice(start, start + _BLOCK)
        joint = flat_a[block].astype(np.int64) * n_b + flat_b[block]
        return np.bincount(joint, minlength=n_a * n_b)

    found = threads.each(range(0, a.size, _BLOCK), task)
    return np.asarray(np.sum(found, axis=0)).reshape(n_a, n_b)


def matched_states(table: ArrayLike) -> NDArray[np.bool_]:
    """Return which states i and j of a `contingency` are matched, (N1, N2), for most agreement."""
    # Each state is matched with at most one of the other map
    counts = _table(table)
    matched = np.zeros(counts.shape, dtype=bool)
    matched[scipy.optimize.linear_sum_assignment(counts, maximize=True)] = True
    return matched


def accuracy_of(table: ArrayLike) -> float:
    """Return the `matched_accuracy` of two maps of which this is the `contingency`."""
    counts = _table(table)
    return float(counts[matched_states(counts)].sum() / counts.sum())


@took_a_table(accuracy_of)
def matched_accuracy(one: Any, other: Any) -> float:
    """Return the share of nodes that agree when states are matched as well as they can be.

    Each state of one map is matched with at most one of the other.

    Parameters
    ----------
    one, other : ndarray of int, shape (*shape), or lists or tuples of as many of them
        As for `contingency`, in any order: the measure is symmetric.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    ParameterError
        As for `contingency`.

    Examples
    --------
    >>> matched_accuracy([0, 0, 1, 1], [1, 1, 1, 0])  # 0 with 1, and 1 with 0: 3 of 4 nodes
    0.75
    """
    return accuracy_of(contingency(one, other))


@renamed("one other table")
@per_lattice
def disagreement(
    one: Any, other: Any, *, table: ArrayLike | None = None
) -> list[NDArray[np.bool_]]:
    """Return a mask of nodes where two maps have unmatched states, shape (*shape), bool.

    A renumbering of states does not count as disagreement.

    Parameters
    ----------
    one, other : ndarray of int, shape (*shape), or lists or tuples of as many of them
        States from 0 to 255, in maps of the same shapes.
    table : array_like of int, shape (N1, N2), optional
        Their `contingency`, if it is known already, or that of larger maps.

    Returns
    -------
    ndarray, shape (*shape), bool, or a list of them for data sets

    Raises
    ------
    ParameterError
        If the shapes differ, or the table has no row or no column for a state.

    Examples
    --------
    >>> disagreement([0, 0, 1, 1], [1, 1, 1, 0]).tolist()
    [False, False, True, False]
    """
    pairs = pairs_of_maps(one, other, _states)
    different = ~matched_states(contingency(one, other) if table is None else table)
    if any(a.max() >= len(different) or b.max() >= different.shape[1] for a, b in pairs):
        raise ParameterError(f"the table must count all states, got one of {different.shape}")
    shapes = [a.shape for a, _ in pairs]
    return gathered(shapes, lambda k: _disagreement(*pairs[k], different))


def _disagreement(a: States, b: States, different: NDArray[np.bool_]) -> NDArray[np.bool_]:
    flat_a, flat_b, n_b = a.reshape(-1), b.reshape(-1), different.shape[1]
    found, looked_up = np.empty(a.size, dtype=bool), different.reshape(-1)

    def task(first: int, last: int) -> None:
        for start in range(first, last, _BLOCK):
            block = slice(start, min(last, start + _BLOCK))
            joint = flat_a[block].astype(np.intp) * n_b + flat_b[block]
            np.take(looked_up, joint, out=found[block], mode="clip")

    threads.over_rows(found.size, task, 8.0)
    return found.reshape(a.shape)


def matched_to(wanted: States, states: States, n_states: int) -> States:
    """Return a map with its states, both of N, renamed so that most nodes agree with another."""
    table = contingency(wanted, states)
    missing = [(0, n_states - length) for length in table.shape]
    rows, columns = scipy.optimize.linear_sum_assignment(np.pad(table, missing), maximize=True)
    names = np.empty(n_states, dtype=np.uint8)
    names[columns] = rows
    return names[states]


def rand_of(table: ArrayLike) -> float:
    """Return the `adjusted_rand` of two maps of which this is the `contingency`."""
    counts = _table(table).astype(np.float64)
    together = _pairs(counts).sum()
    one, other = _pairs(counts.sum(axis=1)).sum(), _pairs(counts.sum(axis=0)).sum()
    expected = one * other / max(_pairs(counts.sum()), 1.0)
    most = (one + other) / 2
    return 1.0 if most == expected else float((together - expected) / (most - expected))


@took_a_table(rand_of)
def adjusted_rand(one: Any, other: Any) -> float:
    """Return the adjusted Rand index of two maps of states (Hubert and Arabie 1985).

    1 for the same partition, about 0 for independent ones; 1 if both are of one state.

    Parameters
    ----------
    one, other : ndarray of int, shape (*shape), or lists or tuples of as many of them
        As for `contingency`, in any order: the index is symmetric.

    Returns
    -------
    float
        At most 1.

    Raises
    ------
    ParameterError
        As for `contingency`.

    Examples
    --------
    >>> adjusted_rand([0, 0, 1, 1], [1, 1, 0, 0]), round(adjusted_rand([0, 0, 1, 1], [0, 1] * 2), 6)
    (1.0, -0.5)
    """
    return rand_of(contingency(one, other))


def _pairs(counts: Any) -> Any:
    return counts * (counts - 1) / 2


def pairs_of_maps(one: Any, other: Any, read: Callable[[str, Any], M]) -> list[tuple[M, M]]:
    """Return pairs of the maps of two data sets, or one pair, each through ``read(name, map)``."""
    # `ParameterError` if numbers of maps or shapes differ; the name is "one" or "other"
    maps = read_each(one, partial(read, "one")), read_each(other, partial(read, "other"))
    several, lengths = is_several(one), [len(side) for side in maps]
    if several != is_several(other) or lengths[0] != lengths[1]:
        raise ParameterError(
            f"there must be as many maps of both, got {lengths[0]} and {lengths[1]}"
        )
    pairs = list(zip(*maps, strict=True))
    for k, (a, b) in enumerate(pairs):
        with at_index(k) if several else nullcontext():
            if a.shape != b.shape:
                raise ParameterError(
                    f"the maps must have the same shape, got {a.shape} and {b.shape}"
                )
    return pairs


def _states(name: str, states: Any) -> States:
    return check_map(states, 256, name)


def _labels(name: str, states: Any) -> NDArray[Any]:
    array = as_lattice(states, name)
    if array.dtype.kind not in "iub":
        raise ParameterError(f"{name} must be a map of states, integers, got {array.dtype}")
    return array


def _table(table: ArrayLike) -> Counts:
    counts = as_array("the table", table)
    if counts.dtype.itemsize == 1 and max(counts.shape, default=0) >= TOO_WIDE:
        raise ParameterError(
            f"the table must hold counts, as contingency(one, other) returns, got {counts.dtype} "
            f"{counts.shape}, as of a map of states"
        )
    if counts.ndim != 2 or counts.dtype.kind not in "iu" or counts.size == 0 or counts.min() < 0:
        raise ParameterError(
            f"the table must hold counts (N1, N2), got {counts.shape}; "
            "contingency(one, other) counts two maps"
        )
    total = counts.sum(dtype=np.float64)
    if not 0 < total <= MOST_COUNTED:
        raise ParameterError(f"the table must count from 1 to 2^53 nodes, got {total:g}")
    return counts.astype(np.int64)


TOLERANCE = 2
"""Default distance in nodes by which a boundary may be off."""


@renamed("found truth tolerance")
def boundary_f_score(found: Any, truth: Any, *, tolerance: int = TOLERANCE) -> float:
    """Return the F-score of the boundaries of one map against those of another, from 0 to 1.

    A node is on a boundary if an axis neighbour has another state. Precision is the share of the
    found boundary nodes that have a true one within ``tolerance`` nodes along every axis, recall
    the share of the true ones that have a found one; F is their harmonic mean. It is 1 if neither
    map has a boundary.

    Parameters
    ----------
    found, truth : ndarray of int, shape (*shape), or lists or tuples of as many of them
        States, in maps of the same shapes, with any numbering. Precision and recall are shares of
        the boundary nodes of all lattices.
    tolerance : int, optional
        In nodes, >= 0.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    ParameterError
        If the shapes differ.

    Examples
    --------
    >>> [boundary_f_score([0, 0, 1, 1], [0, 1, 1, 1], tolerance=tolerance) for tolerance in (0, 1)]
    [0.5, 1.0]
    """
    tolerance = check_integer("tolerance", tolerance, 0)
    maps = pairs_of_maps(found, truth, _labels)
    return _f_score([(boundaries(one), boundaries(other)) for one, other in maps], tolerance)


def known_boundary_f_score(found: Any, truth: Any) -> float:
    """Return the `boundary_f_score` of nodes at which the truth is not `UNKNOWN`."""
    # All others are on no boundary, and no neighbours
    pairs = []
    for one, other in pairs_of_maps(found, truth, _states):
        known = None if (there := other != UNKNOWN).all() else there
        pairs.append((boundaries(one, known), boundaries(other, known)))
    return _f_score(pairs, TOLERANCE)


def _f_score(pairs: Sequence[tuple[NDArray[np.bool_], NDArray[np.bool_]]], tolerance: int) -> float:
    """Return the F-score of boundaries, of each lattice the found and the true ones."""
    n_found, n_true = (sum(int(on.sum()) for on in side) for side in zip(*pairs, strict=True))
    if not (n_found and n_true):
        return float(n_found == n_true)
    precision = sum(_n_near(a, b, tolerance) for a, b in pairs) / n_found
    recall = sum(_n_near(b, a, tolerance) for a, b in pairs) / n_true
    total = precision + recall
    return float(2 * precision * recall / total) if total > 0 else 0.0


def _n_near(one: NDArray[np.bool_], other: NDArray[np.bool_], tolerance: int) -> int:
    """Return the number of marked nodes of one map near a marked node of the other."""
    near = scipy.ndimage.maximum_filter(other, widths((tolerance,) * other.ndim, other.shape))
    return int(np.count_nonzero(near[one]))


def boundaries(states: NDArray[Any], known: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Return the nodes with an axis neighbour of another state, (*shape), among known ones."""
    on = np.zeros(states.shape, dtype=np.bool_)
    for axis in range(states.ndim):
        along, marked = np.moveaxis(states, axis, 0), np.moveaxis(on, axis, 0)
        differs = along[1:] != along[:-1]
        if known is not None:
            there = np.moveaxis(known, axis, 0)
            differs &= there[1:] & there[:-1]
        marked[1:] |= differs
        marked[:-1] |= differs
    return on
