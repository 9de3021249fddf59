"""Lattices: clipped windows, neighbourhoods, counts of nodes and of adjacent pairs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.errors import ParameterError

Shape = tuple[int, ...]


def check_window(window: int) -> int:
    """Return the half-width as an int, or raise `ParameterError` if it is not an int >= 0."""
    if isinstance(window, bool) or not isinstance(window, int | np.integer) or window < 0:
        raise ParameterError(f"window must be an integer >= 0, got {window!r}")
    return int(window)


def check_states(n_states: int) -> int:
    """Return the number of states as an int, or raise `ParameterError` if outside 1 to 255."""
    if not isinstance(n_states, int | np.integer) or not 1 <= n_states <= 255:
        raise ParameterError(f"n_states must be an integer from 1 to 255, got {n_states!r}")
    return int(n_states)


def as_lattices(observations: Any) -> list[NDArray[Any]]:
    """Return a data set as a list of arrays: one array is a data set of one lattice.

    Raises
    ------
    ParameterError
        If there is no lattice or a lattice has no node.
    """
    several = isinstance(observations, list | tuple) and (
        len(observations) == 0 or np.ndim(observations[0]) > 0
    )
    lattices = [np.asarray(o) for o in (observations if several else [observations])]
    if not lattices:
        raise ParameterError("observations must hold at least one lattice, got an empty list")
    for lattice in lattices:
        if lattice.ndim < 1 or lattice.size == 0:
            raise ParameterError(
                f"a lattice must have one or more dimensions and nodes, got shape {lattice.shape}"
            )
    return lattices


def window_slices(shape: Sequence[int], node: Sequence[int], window: int) -> tuple[slice, ...]:
    """Return the w-window of a node, clipped to the lattice, as one slice per axis (2.2)."""
    return tuple(
        slice(max(0, t - window), min(length, t + window + 1))
        for t, length in zip(node, shape, strict=True)
    )


def window_counts(length: int, window: int) -> NDArray[np.int64]:
    """Return, for every position along an axis, how many positions its clipped window holds."""
    t = np.arange(length)
    return np.minimum(t + window, length - 1) - np.maximum(t - window, 0) + 1


def n_pairs(shape: Sequence[int]) -> int:
    """Return the number |E| of unordered pairs of adjacent nodes."""
    size = int(np.prod(shape))
    return sum(size // length * (length - 1) for length in shape)


def degrees(shape: Sequence[int]) -> NDArray[np.int64]:
    """Return |R(t)|, the number of axis neighbours inside the lattice, as an array of ``shape``."""
    total = np.zeros(shape, dtype=np.int64)
    for axis, length in enumerate(shape):
        along = np.full(length, 2)
        along[0] -= 1
        along[-1] -= 1
        total += along.reshape([-1 if k == axis else 1 for k in range(len(shape))])
    return total
