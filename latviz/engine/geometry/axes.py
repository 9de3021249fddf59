"""Positions of numbers on a chart."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

Range = tuple[float, float]
"""The least and the largest number of an axis."""


@dataclass(frozen=True)
class Axes:
    """A rectangle in which numbers ``across`` it grow to the right, and those ``up`` it upwards."""

    left: float
    top: float
    width: float
    height: float
    across: Range
    up: Range

    def share(self, x: float) -> float:
        """Return the place of a number, as a share of the width."""
        return (x - self.across[0]) / (self.across[1] - self.across[0])

    def x(self, x: float) -> float:
        """Return the place of a number across."""
        return self.left + self.share(x) * self.width

    def y(self, y: float) -> float:
        """Return the place of a number up."""
        share = (y - self.up[0]) / (self.up[1] - self.up[0])
        return self.top + self.height - share * self.height

    def w(self, x: float) -> int:
        """Return the window nearest to a position, of those across."""
        low, high = self.across
        found = low + (x - self.left) / max(1.0, self.width) * (high - low)
        return min(max(math.floor(found + 0.5), math.ceil(low)), math.floor(high))


def windows(last: int, margin: float = 0.5) -> Range:
    """Return the range of windows from 0 on, with a margin on both sides in steps of w."""
    return -margin, last + margin


def with_room(values: Iterable[float], share: float = 0.06, least: float = 1e-3) -> Range:
    """Return a range around values, with a margin on both sides; without values from 0 to 1.

    ``least`` is the margin if all are equal.
    """
    there = [*values] or [0.0, 1.0]
    low, high = min(there), max(there)
    room = max(share * (high - low), least)
    return low - room, high + room
