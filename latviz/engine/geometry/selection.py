"""Selections by the user, and their pixels.

States are named by their slots, which they keep when N or w changes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from latviz.engine.geometry.signature_space import Corners, Projection

Mask = NDArray[np.bool_]
MapKind = Literal["likelihood", "inertia", "doubt", "resemblance"]


@dataclass(frozen=True)
class StateSelection:
    """The pixels of one state."""

    slot: int


@dataclass(frozen=True)
class PairSelection:
    """The pairs of neighbours that an entry of A was counted from."""

    slot: int
    other: int


@dataclass(frozen=True)
class SymbolSelection:
    """The pixels of one state that carry one symbol."""

    slot: int
    symbol: int


@dataclass(frozen=True)
class RegionSelection:
    """The pixels whose signatures a projection draws inside a polygon."""

    corners: Corners
    projection: Projection = field(default_factory=Projection)


@dataclass(frozen=True)
class RangeSelection:
    """The pixels whose value in a map is within a range, ends included."""

    map: MapKind
    low: float
    high: float


@dataclass(frozen=True)
class ChangeSelection:
    """The pixels that are in one state of the reference and in one of the current map."""

    slot_a: int
    slot_b: int


@dataclass(frozen=True)
class ConnectedSelection:
    """The pixels of the region that a node is in."""

    node: tuple[int, ...]


Selection = (
    StateSelection
    | PairSelection
    | SymbolSelection
    | RegionSelection
    | RangeSelection
    | ChangeSelection
    | ConnectedSelection
)


def moved(selection: Selection, to: Callable[[int], int]) -> Selection:
    """Return a selection whose states move to other slots; those of a reference stay."""
    slots = {name: getattr(selection, name, None) for name in ("slot", "other", "slot_b")}
    changes: dict[str, Any] = {k: to(slot) for k, slot in slots.items() if slot is not None}
    return replace(selection, **changes)


@dataclass(frozen=True, eq=False)
class Lit:
    """The pixels of a selection."""

    mask: Annotated[Mask, "(H, W)"]
    n_pixels: int
    n_pairs: int | None = None  # ordered pairs, counted as A'; only for a `PairSelection`


def index_of(slots: tuple[int, ...], slot: int) -> int | None:
    """Return the present state in a slot, or None."""
    return slots.index(slot) if slot in slots else None


def where(states: NDArray[np.uint8], slots: tuple[int, ...], slot: int) -> Mask:
    """Return the mask of a state."""
    state = index_of(slots, slot)
    return np.zeros(states.shape, bool) if state is None else states == state


def adjacent(states: NDArray[np.uint8], i: int, j: int, dimensions: int) -> Mask:
    """Return both ends of the pairs of states i and j, adjacent along the last axes."""
    mask = np.zeros(states.shape, dtype=bool)
    for axis in range(states.ndim - dimensions, states.ndim):
        here, there = (_without_end(states, axis, end) for end in (-1, 0))
        together = (here == i) & (there == j)
        if i != j:
            together |= (here == j) & (there == i)
        for end in (-1, 0):
            _without_end(mask, axis, end)[...] |= together
    return mask


def inside(points: NDArray[Any], corners: NDArray[Any]) -> Mask:
    """Return which points (n, 2) are inside a polygon (k, 2), by the even-odd rule."""
    x, y = np.asarray(points, np.float64).T
    odd = np.zeros(x.shape, dtype=bool)
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y1 != y2:
            crosses = (y1 <= y) != (y2 <= y)
            with np.errstate(over="ignore", invalid="ignore"):  # of points that it does not cross
                odd ^= crosses & (x < x1 + (y - y1) * (x2 - x1) / (y2 - y1))
    return odd


def _without_end(array: NDArray[Any], axis: int, end: int) -> NDArray[Any]:
    """Return a view without the last (-1) or the first (0) entry along an axis."""
    kept = slice(0, -1) if end == -1 else slice(1, None)
    return array[(slice(None),) * axis + (kept,)]
