"""Lattices: clipped windows, neighbourhoods, counts of nodes and of adjacent pairs."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latviz.core.errors import ParameterError
from latviz.core.types import Region, Shape


def check_integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return a value as an int, or raise `ParameterError` if it is none or outside its range."""
    wanted = f"an integer from {low} to {high}" if high is not None else f"an integer >= {low}"
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ParameterError(f"{name} must be {wanted}, got {value!r}")
    if value < low or (high is not None and value > high):
        raise ParameterError(f"{name} must be {wanted}, got {value}")
    return int(value)


def check_window(window: int) -> int:
    """Return the half-width as an int, or raise `ParameterError` if it is not an int >= 0."""
    return check_integer("window", window, 0)


def check_shape(shape: Sequence[int], most: int | None = None) -> Shape:
    """Return the lengths of a lattice of at most ``most`` axes, or raise `ParameterError`."""
    wanted = "positive integers" if most is None else f"1 to {most} positive integers"
    lattice = tuple(shape)
    integers = all(isinstance(length, int | np.integer) and length > 0 for length in lattice)
    if not lattice or not integers or (most is not None and len(lattice) > most):
        raise ParameterError(f"shape must be {wanted}, got {lattice}")
    return tuple(int(length) for length in lattice)


def fit_window(window: int, shape: Sequence[int]) -> int:
    """Return the least half-width whose windows, clipped to the lattice, are the same."""
    return min(check_window(window), max(shape))


def check_states(n_states: int) -> int:
    """Return the number of states as an int, or raise `ParameterError` if outside 1 to 255."""
    return check_integer("n_states", n_states, 1, 255)


def check_symbols(observation: ArrayLike, n_symbols: int) -> NDArray[Any]:
    """Return a lattice of symbols as contiguous uint8 or uint16, or raise `ParameterError`."""
    check_integer("n_symbols", n_symbols, 1, 65536)
    array = as_lattice(observation)
    if array.dtype.kind not in "iub":
        raise ParameterError(f"symbols must be integers, got {array.dtype}")
    if array.min() < 0 or array.max() >= n_symbols:
        raise ParameterError(
            f"symbols must be from 0 to {n_symbols - 1}, got {array.min()} to {array.max()}"
        )
    return np.ascontiguousarray(array, dtype=np.uint8 if n_symbols <= 256 else np.uint16)


def as_floats(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return a new float64 array, or raise `ParameterError` if the values are no real numbers."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be an array of real numbers, got {values!r}") from None


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array contiguous and read-only, the one kind that kernels are compiled for."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def first_bad(good: NDArray[np.bool_], values: NDArray[Any]) -> Any:
    """Return the first value that is not good, for a message."""
    return values.reshape(-1)[int(np.argmin(good.reshape(-1)))]


def as_lattice(observation: Any) -> NDArray[Any]:
    """Return one lattice as an array, or raise `ParameterError` if it has no axis or no node."""
    try:
        lattice = np.asarray(observation)
    except ValueError:
        raise ParameterError("a lattice must be an array, got lists of unequal lengths") from None
    if lattice.ndim < 1 or lattice.size == 0:
        kind = "an empty one" if lattice.ndim else "one"
        raise ParameterError(
            "a lattice must have one or more dimensions and nodes, "
            f"got {kind} of shape {lattice.shape}"
        )
    return lattice


def window_slices(shape: Sequence[int], node: Sequence[int], window: int) -> tuple[slice, ...]:
    """Return the w-window of a node, clipped to the lattice, as one slice per axis (2.2)."""
    return tuple(
        slice(max(0, t - window), min(length, t + window + 1))
        for t, length in zip(node, shape, strict=True)
    )


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


def middle_of(shape: Shape, most: int) -> Region:
    """Return the middle of a lattice: all of it, if it has no more than ``most`` nodes."""
    left, found = most, dict[int, slice]()
    axes = sorted(range(len(shape)), key=lambda axis: shape[axis])
    for k, axis in enumerate(axes):
        share = (left / math.prod(shape[other] for other in axes[k:])) ** (1 / (len(axes) - k))
        length = max(1, min(shape[axis], round(shape[axis] * share)))
        left = max(1, left // length)
        found[axis] = _middle(shape[axis], length)
    return tuple(found[axis] for axis in range(len(shape)))


def _middle(length: int, part: int) -> slice:
    start = (length - part) // 2
    return slice(start, start + part)
