"""Arrays of several lattices, as slices of one contiguous array."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import Shape


def gathered(shapes: Sequence[Shape], make: Callable[[int], NDArray[Any]]) -> list[NDArray[Any]]:
    """Return ``make(k)`` for each lattice, an array (*shapes[k], ...)."""
    # Several of one shape are slices of one contiguous array, so that `stacked` needs no copy
    first = make(0)
    if len(shapes) == 1 or len(set(shapes)) > 1:
        return [first, *map(make, range(1, len(shapes)))]
    stack = np.empty((len(shapes), *first.shape), dtype=first.dtype)
    stack[0] = first
    for k in range(1, len(shapes)):
        made = make(k)
        if made.dtype != stack.dtype:  # they are never cast
            return [*stack[:k], made, *map(make, range(k + 1, len(shapes)))]
        stack[k] = made
    return list(stack)


def stacked(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return arrays (*shape) as one, (n, *shape), without a copy if they are slices of one."""
    whole = arrays[0].base
    if isinstance(whole, np.ndarray) and whole.shape == (len(arrays), *arrays[0].shape):
        slices = zip(whole, arrays, strict=True)
        if all(a.__array_interface__ == b.__array_interface__ for a, b in slices):
            return whole
    return np.stack(arrays)
