"""The pixels of a selection."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import segmentation, threads
from latviz.core.data.fixed_point import Lattice, known_of, shape_of
from latviz.core.data.observations import Observations
from latviz.core.progress import Cancelled, Progress
from latviz.core.types import Signature, States
from latviz.core.windows.parts import signatures_of_rows, sweeps
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import (
    ChangeSelection,
    ConnectedSelection,
    Lit,
    Mask,
    PairSelection,
    RangeSelection,
    StateSelection,
    SymbolSelection,
    adjacent,
    index_of,
    inside,
    where,
)
from latviz.engine.geometry.signature_space import Corners
from latviz.engine.geometry.space import Plane

Slots = tuple[int, ...]

_BAND = 1 << 20
_BLOCK = 1 << 14


def of_mask(mask: Mask, n_pairs: int | None = None) -> Lit:
    """Return a mask with its number of nodes."""
    return Lit(mask, int(np.count_nonzero(mask)), n_pairs)


def of_state(states: States, slots: Slots, chosen: StateSelection) -> Lit:
    """Return the nodes of a state; one that is not there has none."""
    return of_mask(where(states, slots, chosen.slot))


def of_pairs(
    states: States, pairs: NDArray[np.int64], slots: Slots, dimensions: int, chosen: PairSelection
) -> Lit:
    """Return both ends of the pairs that an entry of A counts."""
    # A' (N, N) was counted over ``states``, whose neighbours lie along the last ``dimensions`` axes
    i, j = index_of(slots, chosen.slot), index_of(slots, chosen.other)
    if i is None or j is None:
        return of_mask(np.zeros(states.shape, bool), 0)
    return of_mask(adjacent(states, i, j, dimensions), int(pairs[i, j]))


def of_symbol(
    observations: Observations, states: States, slots: Slots, chosen: SymbolSelection
) -> Lit:
    """Return the nodes of a state that have a symbol; for vectors none."""
    if not observations.discrete:
        return of_mask(np.zeros(states.shape, bool))
    return of_mask(where(states, slots, chosen.slot) & (observations.values == chosen.symbol))


def of_change(states: States, slots: Slots, compared: Frame | None, chosen: ChangeSelection) -> Lit:
    """Return the nodes that are in one state of the reference and in one of the current map."""
    if compared is None or compared.states.shape != states.shape:
        return of_mask(np.zeros(states.shape, bool))
    before = where(compared.states, compared.slots, chosen.slot_a)
    return of_mask(before & where(states, slots, chosen.slot_b))


def of_connected(regions: "segmentation.regions.Regions", chosen: ConnectedSelection) -> Lit:
    """Return the nodes of the region of a node; none if it is outside the picture."""
    labels, node = regions.labels, chosen.node
    places = zip(node, labels.shape, strict=False)
    if len(node) != labels.ndim or not all(0 <= at < length for at, length in places):
        return of_mask(np.zeros(labels.shape, bool))
    return of_mask((labels == labels[node]) & (labels >= 0))


def of_range(values: NDArray[np.float32], chosen: RangeSelection) -> Lit:
    """Return the nodes whose value in a map is within a range."""
    return of_mask((values >= chosen.low) & (values <= chosen.high))


def in_region(
    lattice: Lattice, n_symbols: int, window: int, plane: Plane, corners: Corners, watch: Progress
) -> Mask:
    """Return a mask of signatures drawn inside a polygon of the plane, shape (H, W)."""
    shape = shape_of(lattice)
    mask, polygon = np.zeros(shape, dtype=bool), np.array(corners)
    for rows in sweeps(shape, _BAND, window):
        if watch.cancelled():
            raise Cancelled
        signatures = signatures_of_rows(lattice, n_symbols, window, rows).reshape(-1, n_symbols)
        mask[rows] = _inside(signatures, plane, polygon).reshape(mask[rows].shape)
    known = known_of(lattice)
    return mask if known is None else mask & known


def _inside(signatures: Signature, plane: Plane, polygon: NDArray[Any]) -> Mask:
    found = np.zeros(len(signatures), dtype=bool)
    low, high = polygon.min(axis=0), polygon.max(axis=0)

    def task(first: int, last: int) -> None:
        for start in range(first, last, _BLOCK):
            block = slice(start, min(last, start + _BLOCK))
            points = plane.origin + signatures[block].astype(np.float64) @ plane.matrix.T
            near = ((points >= low) & (points <= high)).all(axis=1)
            found[block][near] = inside(points[near], polygon)

    threads.over_rows(len(found), task, 16.0)
    return found
