"""What the columns of a table hold: series, or the index, times and names that programs add.

pandas writes a first column without a title, R row names that its first line may not count, and
others dates. Such columns are left out, and named; where a column may be either, it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latviz.core.disk.errors import shortened
from latviz.files.numerals import is_missing, kind_of

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


TIMES, INDEX = "taken as times", "taken as the index"
"""Why the columns are left out that can be the axis of the others."""
SYMBOLS = "holds names that repeat"
"""Why a column is none of numbers, but one of symbols."""
MOST_SYMBOLS = 64
Row = tuple[int, list[str]]
"""The number of a line, and its tokens."""

_OF_TIME = re.compile(
    r"(?i)\W*(?:t|s|sec|time|date|datetime|timestamp|year|month|day|hour|seconds?|ms|zeit|jahr|datum"
    r"|index|idx|id|no|nr|row|sample|frame)\b.*"
)
"""Titles of columns that order the others, if their numbers increase."""
_WHOLE = re.compile(r"\d+")
_QUANTITY = re.compile(r"[^\w.]*[\d.,]+\s*\W*")
"""Numbers with signs, such as 12% or $5, which are not names."""


class TableColumns(NamedTuple):
    """The titles of a table's columns, if it has some, its rows, and what is left out."""

    titles: list[str]
    rows: list[Row]
    left_out: dict[int, str]  # why, by column
    symbols: list[int]  # the columns of symbols

    @property
    def notes(self) -> tuple[str, ...]:
        """One note for each column that is left out."""
        return tuple(f"{self.name(k)} {reason}" for k, reason in self.left_out.items())

    def places(self) -> NDArray[Any] | None:
        """Return where the rows are on an axis, from their times or index, if these increase."""
        columns = [
            _places([tokens[k] for _, tokens in self.rows])
            for k, reason in self.left_out.items()
            if reason in (TIMES, INDEX)
        ]
        days, *others = columns or [None]
        if days is not None and others and _is_of(days, "M") and _is_of(others[0], "m"):
            days = days + others[0]  # a column of dates, and one of times of day
        # Not infinity either, as of 1e999
        is_axis = days is not None and np.isfinite(days).all() and (days[1:] > days[:-1]).all()
        return days if is_axis else None

    def name(self, column: int) -> str:
        """Return the words for a column."""
        title = shortened(self.titles[column], 40) if self.titles else ""
        return f"column {column + 1}, “{title}”," if title else f"column {column + 1}"


def columns_of(rows: list[Row], is_quoted: bool, n_wide: int) -> TableColumns:
    """Return what the columns of a table are; its first line may be of titles, perhaps quoted."""
    # n_wide: columns from which a table is a matrix, of which the first may count
    titles = _titles(rows)
    has_names = False
    if titles:
        rows = rows[1:]
        has_names, titles = _of_row_names(titles, rows, is_quoted)
    left_out = dict(_without_numbers(rows, n_wide)) if rows else {}
    symbols = [k for k, reason in left_out.items() if reason == SYMBOLS]
    left_out = {k: reason for k, reason in left_out.items() if reason != SYMBOLS}
    if rows and 0 not in (*left_out, *symbols) and len(rows[0][1]) - len(left_out) > 1:
        is_index = has_names or (titles and not titles[0]) or _counts_lines(rows, titles, n_wide)
        if is_index:
            left_out = {0: INDEX} | left_out
        elif titles and _OF_TIME.fullmatch(titles[0]) and _increases(_column(rows, 0)):
            left_out = {0: TIMES} | left_out
    return TableColumns(titles, rows, left_out, symbols)


def _places(tokens: list[str]) -> NDArray[Any] | None:
    """Return times or numbers that tokens are; None if one is neither."""
    if all(kind_of(token) == "number" for token in tokens):
        return np.array(tokens, np.float64)
    return parse_times(tokens)


def _is_of(places: NDArray[Any] | None, kind: str) -> bool:
    return places is not None and places.dtype.kind == kind


def _titles(rows: list[Row]) -> list[str]:
    """Return the tokens of the first line if they are titles; or none."""
    first = rows[0][1]
    kinds = list(map(kind_of, first))
    if len(rows) == 1:
        return first if "text" in kinds else []
    second = rows[1][1]
    shift = len(second) - len(first) if len(second) - len(first) in (0, 1) else 0
    below = list(map(kind_of, second))[shift:]
    if "text" in kinds and any(
        one == "text" != other for one, other in zip(kinds, below, strict=False)
    ):
        return first
    if not shift and _are_titles_of_symbols(first, rows[1:]):
        return first
    if shift or len(first) < 2:
        return first if _is_numbered(first, rows[1:]) else []
    column = _column(rows[1:], 0)
    is_corner = first[0] == "" and (kind_of(column[0]) in ("time", "text") or _increases(column))
    is_corner = is_corner or (kinds[0] == "text" and _counts(first[1:]))
    return first if is_corner or _is_numbered(first, rows[1:]) else []


def _is_numbered(first: list[str], rows: list[Row]) -> bool:
    """Return True if a line numbers columns from 0, and all below have decimals, as in pandas."""
    return (
        first == list(map(str, range(len(first))))
        and bool(rows)
        and not any(_WHOLE.fullmatch(token.lstrip("+-")) for _, tokens in rows for token in tokens)
    )


def _of_row_names(titles: list[str], rows: list[Row], is_quoted: bool) -> tuple[bool, list[str]]:
    """Return if there are row names that the titles do not count, and a title for each column."""
    width = len(rows[0][1]) if rows else len(titles)
    if len(titles) == width:
        return False, titles
    column = _column(rows, 0)
    has_names = len(titles) == width - 1 and (
        is_quoted or kind_of(column[0]) == "text" or _counts(column)
    )
    return has_names, ["", *titles] if has_names else []


def _are_titles_of_symbols(first: list[str], rows: list[Row]) -> bool:
    """Return True if all columns are of symbols, of which the first line has none."""
    columns = [_column(rows, k) for k in range(len(first))]
    return all(map(_is_of_symbols, columns)) and not any(map(list.__contains__, columns, first))


def _without_numbers(rows: list[Row], n_wide: int) -> Iterator[tuple[int, str]]:
    """Yield the columns that hold no numbers, and the reason why they are left out."""
    width = len(rows[0][1])
    for k in range(width):
        column = _column(rows, k)
        token = next((one for one in column if not is_missing(one)), "")
        kind = kind_of(token)
        if token == "" and (width < n_wide or not any(column)):
            yield k, "left out: it is empty"
        elif kind == "time":
            yield k, TIMES
        elif kind == "text" and _is_of_symbols(column):
            yield k, SYMBOLS
        elif kind == "text" and _is_of_names(column, k):
            yield k, "taken as names" if k == 0 else "left out: it holds no numbers"


def _is_of_symbols(column: Sequence[str]) -> bool:
    """Return True if names repeat in a column, each twice on average, and are few."""
    names = [token for token in column if not is_missing(token)]
    kinds = set(names)
    return 2 <= len(kinds) <= min(MOST_SYMBOLS, len(names) // 2) and not any(
        kind_of(name) != "text" or _QUANTITY.fullmatch(name) for name in kinds
    )


def _is_of_names(column: Sequence[str], k: int) -> bool:
    """Return True if tokens are names: of lines in the first column, without digits in others."""
    if k:
        return not any(re.search(r"\d", token) for token in column)
    return not any(kind_of(token) == "number" or _QUANTITY.fullmatch(token) for token in column)


def _counts_lines(rows: list[Row], titles: list[str], n_wide: int) -> bool:
    """Return True if the first column counts, and cannot be one of a matrix of whole numbers."""
    if not _counts(_column(rows, 0)):
        return False
    if titles or len(rows[0][1]) < n_wide:
        return True
    return not any(_WHOLE.fullmatch(token) for _, tokens in rows for token in tokens[1:])


def _column(rows: list[Row], k: int) -> list[str]:
    """Return the tokens of a column; rows that are too short are refused later."""
    return [tokens[k] for _, tokens in rows if k < len(tokens)]


def _counts(tokens: Sequence[str]) -> bool:
    """Return True if tokens are 0, 1, 2, ... or 1, 2, 3, ..."""
    first = tokens[0] if len(tokens) > 1 else ""
    return first in ("0", "1") and all(
        token == str(number) for number, token in enumerate(tokens, start=int(first))
    )


def _increases(tokens: Sequence[str]) -> bool:
    if len(tokens) < 2 or any(kind_of(token) != "number" for token in tokens):
        return False
    return all(a < b for a, b in pairwise(map(float, tokens)))
