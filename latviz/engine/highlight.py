"""Which pixels a selection lights."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.windows.parts import Lattice, shape_of, signatures_of_rows, sweeps
from latviz.engine.frame import Frame
from latviz.engine.projection import Corners
from latviz.engine.selection import (
    ChangeSelection,
    Lit,
    MapKind,
    Mask,
    PairSelection,
    RangeSelection,
    RegionSelection,
    Selection,
    StateSelection,
    SymbolSelection,
    index_of,
    inside,
    lit,
    of_pairs,
    of_state,
)
from latviz.engine.space import Plane
from latviz.engine.stages import Watch

_BAND = 1 << 20
_BLOCK = 1 << 14


@dataclass(frozen=True, eq=False)
class Decoded:
    """What a selection is looked up in.

    Attributes
    ----------
    states : ndarray, shape (H, W), uint8
        As they are shown.
    slots : tuple of int
        Those of the states.
    paired : ndarray, shape (H, W), uint8
        The states that ``pairs``, A' (N, N), was counted over.
    symbols : ndarray, shape (H, W), or None
        None if observations are vectors.
    dimensions : int
        How many of the last axes neighbours lie along.
    compared : Frame or None
        Decoding A.
    """

    states: NDArray[np.uint8]
    slots: tuple[int, ...]
    paired: NDArray[np.uint8]
    pairs: NDArray[np.int64]
    symbols: NDArray[Any] | None
    dimensions: int
    compared: Frame | None = None


def light(
    chosen: Selection,
    decoded: Decoded,
    region: Callable[[RegionSelection], Mask],
    values: Callable[[MapKind], NDArray[np.float32]],
) -> Lit:
    """Return the pixels of a selection; a state that is not there has none.

    ``region`` and ``values`` compute what only some selections need.
    """
    states, slots = decoded.states, decoded.slots
    match chosen:
        case StateSelection(slot):
            return lit(of_state(states, slots, slot))
        case PairSelection(slot, other):
            i, j = index_of(slots, slot), index_of(slots, other)
            if i is None or j is None:
                return lit(np.zeros(states.shape, bool), 0)
            return lit(of_pairs(decoded.paired, i, j, decoded.dimensions), int(decoded.pairs[i, j]))
        case SymbolSelection(slot, symbol):
            if decoded.symbols is None:
                return lit(np.zeros(states.shape, bool))
            return lit(of_state(states, slots, slot) & (decoded.symbols == symbol))
        case RegionSelection():
            return lit(region(chosen))
        case ChangeSelection(slot_a, slot_b):
            a = decoded.compared
            if a is None or a.states.shape != states.shape:
                return lit(np.zeros(states.shape, bool))
            return lit(of_state(a.states, a.slots, slot_a) & of_state(states, slots, slot_b))
        case RangeSelection(kind, low, high):
            found = values(kind)
            return lit((found >= low) & (found <= high))


def in_region(
    lattice: Lattice,
    n_symbols: int,
    window: int,
    plane: Plane,
    corners: Corners,
    watch: Watch,
) -> Mask:
    """Return where the signature is drawn inside a polygon of the plane, shape (H, W)."""
    shape = shape_of(lattice)
    mask, polygon = np.zeros(shape, dtype=bool), np.array(corners)
    for rows in sweeps(shape, _BAND, window):
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
