"""How far two maps of states agree, whatever their states are called."""

from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from latviz.core import threads
from latviz.core.data.lattice import as_lattices
from latviz.core.errors import ParameterError

_BLOCK = 1 << 18


def contingency(one: ArrayLike, other: ArrayLike) -> NDArray[np.int64]:
    """Return how many nodes are in state i of one map and state j of the other, shape (N1, N2).

    Parameters
    ----------
    one, other : array_like of int, the same shape
        States from 0 to 255.

    Raises
    ------
    ParameterError
        If the shapes differ, or the values are no states.
    """
    a, b = _both(one, other)
    flat_a, flat_b = a.reshape(-1), b.reshape(-1)
    n_a, n_b = int(flat_a.max()) + 1, int(flat_b.max()) + 1

    def task(first: int, last: int) -> NDArray[np.int64]:
        counts = np.zeros(n_a * n_b, dtype=np.int64)
        for start in range(first, last, _BLOCK):
            block = slice(start, min(last, start + _BLOCK))
            joint = flat_a[block].astype(np.int64) * n_b + flat_b[block]
            counts += np.bincount(joint, minlength=counts.size)
        return counts

    return np.asarray(np.sum(threads.over_rows(flat_a.size, task), axis=0)).reshape(n_a, n_b)


def matched_states(table: ArrayLike) -> NDArray[np.bool_]:
    """Return which states i and j are matched, shape (N1, N2), so that most nodes agree.

    ``table`` is a `contingency`; each state is matched with at most one of the other map.
    """
    counts = _table(table)
    matched = np.zeros(counts.shape, dtype=bool)
    matched[scipy.optimize.linear_sum_assignment(counts, maximize=True)] = True
    return matched


def matched_accuracy(table: ArrayLike) -> float:
    """Return the share of nodes that agree when states are matched as well as they can be.

    ``table`` is a `contingency`; see `matched_states`.
    """
    counts = _table(table)
    return float(counts[matched_states(counts)].sum() / counts.sum())


def disagreement(one: ArrayLike, other: ArrayLike, table: ArrayLike) -> NDArray[np.bool_]:
    """Return at which nodes two maps are in states that are not matched, of the maps' shape.

    ``table`` is their `contingency`. A mere renumbering of states is no disagreement.

    Raises
    ------
    ParameterError
        If the shapes differ, or the table has no row or no column for a state.
    """
    a, b = _both(one, other)
    different = ~matched_states(table)
    if a.max() >= different.shape[0] or b.max() >= different.shape[1]:
        raise ParameterError(f"the table must count all states, got one of {different.shape}")
    flat_a, flat_b, n_b = a.reshape(-1), b.reshape(-1), different.shape[1]
    found, looked_up = np.empty(a.size, dtype=bool), different.reshape(-1)

    def task(first: int, last: int) -> None:
        for start in range(first, last, _BLOCK):
            block = slice(start, min(last, start + _BLOCK))
            joint = flat_a[block].astype(np.intp) * n_b + flat_b[block]
            np.take(looked_up, joint, out=found[block], mode="clip")

    threads.over_rows(found.size, task)
    return found.reshape(a.shape)


def matched_to(
    wanted: NDArray[np.uint8], states: NDArray[np.uint8], n_states: int
) -> NDArray[np.uint8]:
    """Return a map with its states, both of N, renamed so that most nodes agree with another."""
    table = contingency(wanted, states)
    missing = [(0, n_states - length) for length in table.shape]
    rows, columns = scipy.optimize.linear_sum_assignment(np.pad(table, missing), maximize=True)
    names = np.empty(n_states, dtype=np.uint8)
    names[columns] = rows
    return names[states]


def adjusted_rand(table: ArrayLike) -> float:
    """Return the adjusted Rand index (Hubert and Arabie 1985) of a `contingency`.

    1 for the same partition, about 0 for independent ones; 1 if both are of one state.
    """
    counts = _table(table).astype(np.float64)
    together = _pairs(counts).sum()
    one, other = _pairs(counts.sum(axis=1)).sum(), _pairs(counts.sum(axis=0)).sum()
    expected = one * other / max(_pairs(counts.sum()), 1.0)
    most = (one + other) / 2
    return 1.0 if most == expected else float((together - expected) / (most - expected))


def _pairs(counts: Any) -> Any:
    return counts * (counts - 1) / 2


def _both(one: ArrayLike, other: ArrayLike) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    a, b = _states("one", one), _states("other", other)
    if a.shape != b.shape:
        raise ParameterError(f"the maps must have the same shape, got {a.shape} and {b.shape}")
    return a, b


def _states(name: str, states: ArrayLike) -> NDArray[np.uint8]:
    array = as_lattices(np.asarray(states))[0]
    if array.dtype.kind not in "iu" or array.min() < 0 or array.max() > 255:
        raise ParameterError(f"{name} must hold states from 0 to 255, got {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.uint8)


def _table(table: ArrayLike) -> NDArray[np.int64]:
    counts = np.asarray(table)
    if counts.ndim != 2 or counts.dtype.kind not in "iu" or counts.size == 0 or counts.min() < 0:
        raise ParameterError(f"the table must hold counts (N1, N2), got {counts.shape}")
    if counts.sum() == 0:
        raise ParameterError("the table must count one node at least, got none")
    return counts.astype(np.int64)
