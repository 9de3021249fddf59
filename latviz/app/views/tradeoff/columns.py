"""Where the sheet's columns lie: on the axis of its slider, as large as they have room."""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF

from latviz.app.widgets.painting import PAD

GAP = 8.0
"""Between columns, at least."""
FEWEST, MOST = 5, 9
"""Columns of maps, where there are as many windows."""


@dataclass(frozen=True)
class SheetAxis:
    """Windows spaced by their ratios, as their slider is, or numbers of states spaced evenly."""

    values: tuple[int, ...]  # increasing
    by_ratio: bool
    left: float  # the place of the first, and of the last
    right: float

    def along(self, value: float) -> float:
        """Return how far along the axis a value is, in its own unit."""
        return math.log1p(value) if self.by_ratio else float(value)

    @property
    def ends(self) -> tuple[float, float]:
        """The first and the last value in that unit; they differ."""
        low, high = self.along(self.values[0]), self.along(self.values[-1])
        return (low, high) if high > low else (low - 0.5, high + 0.5)

    def x(self, value: float) -> float:
        """Return the place of a value."""
        low, high = self.ends
        return self.left + (self.along(value) - low) / (high - low) * (self.right - self.left)

    def values_at(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values at some places; NaN before the first and after the last."""
        low, high = self.ends
        share = (x - self.left) / (self.right - self.left)
        along = low + share * (high - low)
        found = np.expm1(along) if self.by_ratio else along
        return np.where((share >= 0) & (share <= 1), found, np.nan)

    def nearest(self, x: float) -> int:
        """Return the value nearest to a place."""
        return min(self.values, key=lambda value: abs(self.x(value) - x))


@lru_cache(64)
def spread(values: tuple[int, ...], by_ratio: bool, count: int) -> tuple[tuple[int, ...], float]:
    """Return ``count`` values, both ends among them, as far apart as they can be, and how far."""
    # The least distance of neighbours, as a share of the axis
    axis = SheetAxis(values, by_ratio, 0.0, 1.0)
    for least in sorted({axis.x(b) - axis.x(a) for a, b in combinations(values, 2)}, reverse=True):
        found = [values[0]]
        for value in values[1:]:
            if axis.x(value) - axis.x(found[-1]) >= least:
                found.append(value)
        if len(found) >= count:
            found = [*found[: count - 1], values[-1]]
            return tuple(found), min(axis.x(b) - axis.x(a) for a, b in pairwise(found))
    return values[:1], 1.0


def columns(
    values: tuple[int, ...],
    by_ratio: bool,
    room: QRectF,
    around: tuple[float, float],
    aspect: float,
    high: float,
) -> tuple[SheetAxis, tuple[int, ...], float]:
    """Return the axis, the values that have columns, and the width of these."""
    # Maps have an ``aspect``, and at most ``high`` pixels of height; the axis has at least the room
    # ``around`` it, at the left and at the right
    counts = range(min(FEWEST, len(values)), min(MOST, len(values)) + 1)
    found = {share: shown for shown, share in (spread(values, by_ratio, k) for k in counts)}
    (gutter, after), wide, shown, share = around, room.width(), values[:1], 1.0
    for share in sorted(found, reverse=True):  # of those as far apart, the most values
        shown, wide = found[share], _width(room.width(), gutter, share)
        if wide <= high * aspect:
            break
    wide = max(1.0, min(wide, high * aspect))
    left, right = (max(side, wide / 2 + PAD) for side in (gutter, after))
    if right > wide / 2 + PAD:
        wide = max(1.0, min(wide, share * (room.width() - left - right) - GAP))
    return SheetAxis(values, by_ratio, room.left() + left, room.right() - right), shown, wide


def _width(room: float, gutter: float, share: float) -> float:
    """Return the width of columns that lie a share of the axis apart."""
    # Half of the last is after the axis, and half of the first before it, where they are wide
    wide = (share * (room - gutter - PAD) - GAP) / (1 + share / 2)
    if wide / 2 + PAD > gutter:
        wide = (share * (room - 2 * PAD) - GAP) / (1 + share)
    return wide


def placed(
    axis: SheetAxis, shown: tuple[int, ...], wide: float, now: int, kept: int | None
) -> dict[int, float]:
    """Return the values with columns and their middles, with the current and the kept one."""
    # Each takes the column nearest to it, which moves with it as far as its neighbours allow
    taken: dict[int, int] = {}
    for value in {now, now if kept is None else kept}.intersection(axis.values):
        left = [(abs(axis.x(v) - axis.x(value)), v) for v in shown if v not in taken]
        taken[min(left)[1]] = value
    taken = dict(zip(sorted(taken), sorted(taken.values()), strict=True))
    found: dict[int, float] = {}
    for k, old in enumerate(shown):
        before = axis.x(shown[k - 1]) if k else -math.inf
        after = axis.x(shown[k + 1]) if k + 1 < len(shown) else math.inf
        value = taken.get(old, old)
        # Neighbouring maps share the room between them equally
        low, high = (axis.x(old) + before + wide + GAP) / 2, (axis.x(old) + after - wide - GAP) / 2
        found[value] = min(max(axis.x(value), low), high)
    return found
