"""An order of lattices that does not depend on the order of the input."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.fixed_point import FixedPoint, Lattice, shape_of


def fingerprint(lattice: Lattice) -> tuple[Any, ...]:
    """Return a value that differs between lattices, but not if one is turned or mirrored."""
    # The frequency of each observation, and of each pair of neighbours, as sums of hashes
    values, scales = np.asarray(getattr(lattice, "values", lattice)), list[float]()
    if isinstance(lattice, FixedPoint):
        scales = [*lattice.offsets, *lattice.scales]
    if values.dtype == np.float32:
        values = np.ascontiguousarray(values).view(np.uint32)
    shape = shape_of(lattice)
    found = np.zeros(shape, dtype=np.uint64)
    for channel in np.moveaxis(values.reshape(*shape, -1), -1, 0):
        found = _mixed(found + channel.astype(np.uint64))
    total = int(found.sum())
    for axis in range(len(shape)):
        along = np.moveaxis(found, axis, 0)
        total += int(_mixed(along[1:] + along[:-1]).sum())
    return sorted(shape), scales, total


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a hash of each number."""
    spread = (numbers ^ (numbers >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)
    return np.asarray(spread ^ (spread >> np.uint64(32)))
