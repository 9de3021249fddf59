"""Which pixels a selection lights."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.parts import Lattice, bands, shape_of, signatures_of_rows
from latviz.live.selection import Mask, inside
from latviz.live.space import Plane
from latviz.live.stages import Watch

_BAND = 1 << 20
_BLOCK = 1 << 14


def in_region(
    lattice: Lattice,
    n_symbols: int,
    window: int,
    plane: Plane,
    corners: tuple[tuple[float, float], ...],
    watch: Watch,
) -> Mask:
    """Return where the signature is drawn inside a polygon of the plane, shape (H, W)."""
    shape = shape_of(lattice)
    mask, polygon = np.zeros(shape, dtype=bool), np.array(corners)
    for rows in bands(shape, _BAND, 8 * window):
        watch.stop_if_told()
        signatures = signatures_of_rows(lattice, n_symbols, window, rows).reshape(-1, n_symbols)
        mask[rows] = _inside(signatures, plane, polygon).reshape(mask[rows].shape)
    return mask


def _inside(signatures: NDArray[np.float32], plane: Plane, polygon: NDArray[Any]) -> Mask:
    found = np.zeros(len(signatures), dtype=bool)
    low, high = polygon.min(axis=0), polygon.max(axis=0)

    def task(first: int, last: int) -> None:
        for start in range(first, last, _BLOCK):
            block = slice(start, min(last, start + _BLOCK))
            points = plane.origin + signatures[block].astype(np.float64) @ plane.matrix.T
            near = ((points >= low) & (points <= high)).all(axis=1)
            found[block][near] = inside(points[near], polygon)

    threads.over_rows(len(found), task)
    return found
