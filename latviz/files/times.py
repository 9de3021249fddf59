"""Dates and times of day, as programs write them, as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ISO = re.compile(r"\d{4}-\d\d(-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?)?")
_ZONE = re.compile(r"(?<=:\d\d)(\.\d+)?(?:Z| ?[+-]\d\d:?\d\d)$")
_CLOCK = re.compile(r"(\d+):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?([AP])M)?", re.IGNORECASE)
_PARTS = re.compile(r"[a-z]+|\d+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CENTURY = 70
"""Years of two digits are of 1900 from here on, others of 2000."""


def parse_times(tokens: Sequence[str]) -> NDArray[Any] | None:
    """Return dates as datetime64[ms], or times of day as timedelta64[ms]; None if one is neither.

    Zones are dropped: times are shown as they are written.
    """
    try:
        if tokens and _ISO.fullmatch(_ZONE.sub(r"\1", tokens[0])):
            if _ZONE.search(tokens[0]):
                tokens = [_ZONE.sub(r"\1", token) for token in tokens]
            return np.array(tokens, "datetime64[ms]")
        return _of_any(tokens)
    except (ValueError, OverflowError, TypeError, IndexError):  # no such day, or another form
        return None


def _of_any(tokens: Sequence[str]) -> NDArray[Any] | None:
    clocks = [_CLOCK.search(token) for token in tokens]
    # What follows the time of day is its zone, unless no date is before it
    texts = [
        (token[: clock.start()].strip(" T") or token[clock.end() :]) if clock else token
        for token, clock in zip(tokens, clocks, strict=True)
    ]
    times = np.array([_milliseconds(clock) for clock in clocks], "timedelta64[ms]")
    parts = {text: _PARTS.findall(text.lower()) for text in dict.fromkeys(texts)}
    if not any(part.isdigit() for found in parts.values() for part in found):
        return times if all(clocks) else None
    day_first = _has_day_first(parts.values(), "/" in texts[0])
    days = {text: _day(found, day_first) for text, found in parts.items()}
    return np.asarray(np.array([days[text] for text in texts], "datetime64[D]") + times)


def _milliseconds(clock: re.Match[str] | None) -> int:
    """Return the time of day; 0 for a date alone."""
    if clock is None:
        return 0
    hours, minutes, seconds, fraction, half = clock.groups()
    hour = int(hours) % 12 + 12 * (half in "Pp") if half else int(hours)
    whole = 3600 * hour + 60 * int(minutes) + int(seconds or 0)
    return 1000 * whole + int((fraction or "")[:3].ljust(3, "0"))


def _has_day_first(dates: Iterable[list[str]], slashes: bool) -> bool:
    """Return if days are before months: where a number can be no month, or else by the sign."""
    numeric = [parts for parts in dates if len(parts) == 3 and all(map(str.isdigit, parts))]
    first, second = (max((int(parts[k]) for parts in numeric), default=0) for k in (0, 1))
    return first > 12 or (second <= 12 and not slashes)


def _day(parts: list[str], day_first: bool) -> date:
    """Return a day, or the first one of a month, a quarter or a week; or raise `ValueError`."""
    numbers = [part for part in parts if part.isdigit()]
    years = [part for part in numbers if len(part) == 4] or numbers[2:] or numbers[-1:]
    year = int(years[0])
    year += 0 if len(years[0]) == 4 else 1900 if year >= _CENTURY else 2000
    others = [int(part) for part in numbers if part is not years[0]]
    months = [_MONTHS.index(part[:3]) + 1 for part in parts if part[:3] in _MONTHS]
    if months:
        if len(numbers) == 1 and parts[0] == years[0] and len(years[0]) < 4:
            raise ValueError("a day without its year")
        return date(year, months[0], *(others or [1]))
    if "q" in parts:
        return date(year, 3 * others[0] - 2, 1)
    if "w" in parts:
        return date.fromisocalendar(year, others[0], 1)
    if len(others) == 2 and years[0] is not numbers[0] and day_first:
        others.reverse()
    return date(year, *(others if len(others) > 1 else [*others, 1]))
