"""Positions of numbers on a chart, and round numbers and times to mark its axes with."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import digits

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


_SECONDS = {"ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "D": 86_400.0, "M": 2.63e6, "Y": 3.156e7}
"""The units of times, and about how long they are."""
_STEPS = (
    *(("ms", k) for k in (1, 2, 5, 10, 20, 50, 100, 200, 500)),
    *((unit, k) for unit in "sm" for k in (1, 2, 5, 10, 15, 30)),
    *(("h", k) for k in (1, 2, 3, 6, 12)),
    *(("D", k) for k in (1, 2, 5, 10)),
    *(("M", k) for k in (1, 2, 3, 6)),
    *(("Y", k * 10**e) for e in range(4) for k in (1, 2, 5)),
)
_EPOCH = 1970
"""The year that NumPy counts from."""


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers between two, about ``most``."""
    unit = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(unit * k for k in (1, 2, 5, 10) if unit * k * most >= high - low)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def round_places(x: NDArray[Any], most: int) -> tuple[NDArray[Any], list[str]]:
    """Return about ``most`` round values between the first and the last of x, and their texts."""
    # x increases, of at least two numbers, datetime64 or timedelta64
    if x.dtype.kind == "f":
        values = np.array(ticks(x[0], x[-1], most))
        return values, list(map(digits.plain, values.tolist()))
    values = _times(x[0], x[-1], most)
    texts = [place_text(value) for value in values]
    if texts and x.dtype.kind == "M" and not any("-" in text for text in texts):
        texts[0] = f"{str(values[0])[:10]} {texts[0]}"  # no midnight is in view: the day is named
    return values, texts


def place_text(value: Any, *, whole: bool = False) -> str:
    """Return a number, a time of day or a date, alone at midnight or with it if ``whole``."""
    if value.dtype.kind == "f":
        return digits.plain(value)
    if value.dtype.kind == "m":
        seconds, rest = divmod(int(value.astype("timedelta64[ms]").astype(np.int64)), 1000)
        clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:03}"
        return clock.removesuffix(".000").removesuffix(":00")
    day, clock = str(value.astype("datetime64[ms]")).split("T")
    clock = clock.removesuffix(".000").removesuffix(":00")
    return day if clock == "00:00" else f"{day} {clock}" if whole else clock


def _times(low: Any, high: Any, most: int) -> NDArray[Any]:
    """Return round times between two, about ``most``."""
    seconds = (high - low) / np.timedelta64(1, "s") / most
    of_days = low.dtype.kind == "m"  # elapsed times have no months
    steps = [row for row in _STEPS if not of_days or row[0] not in "MY"]
    days = "D", math.ceil(seconds / _SECONDS["D"])
    unit, step = next((row for row in steps if row[1] * _SECONDS[row[0]] >= seconds), days)
    kind, first = f"{low.dtype.kind}8[{unit}]", _EPOCH if unit == "Y" else 0
    start, stop = (int(end.astype(kind).astype(np.int64)) + first for end in (low, high))
    numbers = np.arange(-(-start // step) * step, stop + 1, step) - first
    times = numbers.astype(kind).astype(low.dtype)
    return np.asarray(times[times >= low])
