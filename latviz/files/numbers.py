"""Reading numbers that are written as text: a row of real values, or a matrix as an image."""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latviz.core.axes import VECTOR, Axis, Role
from latviz.core.disk.errors import shortened
from latviz.files import memory
from latviz.files.arrays import MOST_CHANNELS, NARROW
from latviz.files.decoding import DecodedFile, DecodeError, check_size
from latviz.files.memory import cost
from latviz.files.numerals import is_missing, is_number, kind_of, lines_of, split, style_of, text_of
from latviz.files.planes import Planes
from latviz.files.tables import Row, columns_of

_SAMPLE = 1000
"""Lines that determine how all are split."""
_NO_NUMBERS = (
    "it holds no numbers; choose another file, or save a sequence of letters as plain text or FASTA"
)
_TAKEN = 64
"""Bytes that a byte of the text takes while it is read."""


class _Table(NamedTuple):
    """Numbers by row and column, which are known, columns of symbols, and notes."""

    values: NDArray[Any]
    known: NDArray[np.bool_]  # (*shape of the values)
    symbols: list[_Symbols]
    titles: list[str]  # of the numbers, then of the symbols; or none
    x: NDArray[Any] | None  # (rows,): where they are on an axis
    notes: tuple[str, ...]

    @property
    def is_of_series(self) -> bool:
        """True if its columns are series, False if it is a matrix."""
        n_rows, n_columns = self.values.shape
        return _is_of_series(n_rows, n_columns, self.titles)


class _Symbols(NamedTuple):
    """A column of names."""

    names: tuple[str, ...]
    places: NDArray[np.uint8]  # of each row's in the names
    known: NDArray[np.bool_]


@contextmanager
def table_planes(stream: IO[bytes], reduction: int) -> Iterator[Planes]:
    """Yield the columns of a table as channels of an image of one row, or a matrix as an image."""
    table = _table_in(stream)
    (n_rows, n_numbers), n_symbols = table.values.shape, len(table.symbols)
    n = n_numbers + n_symbols
    names = {n_numbers + k: column.names for k, column in enumerate(table.symbols)}
    if n == 1 or not table.is_of_series:
        first = _decoded(table, 0, reduction)
        alone = replace(first, notes=())
        yield Planes((), lambda _place, _whole: alone, first.notes, x=first.x, symbols=names)
        return

    def decode(place: tuple[int, ...], _whole: bool) -> DecodedFile:
        return replace(_decoded(table, place[0], reduction), notes=())

    titles = tuple(shortened(title, 40) for title in table.titles)
    entries = titles if len(set(filter(None, titles))) == n else ()
    usual: Role = VECTOR if n_numbers == n else tuple(range(max(n_numbers, 1)))
    notes = [f"{n_rows:,} {'rows' if names else 'numbers in a column'}: a sequence"]
    notes += [f"c={k} reads the names in “{entries[k]}”" for k in names if entries and n_numbers]
    axes = (Axis("c", n, entries, usual=usual),)
    yield Planes(axes, decode, (*notes, *table.notes), x=table.x, symbols=names)


def _table_in(stream: IO[bytes]) -> _Table:
    size = os.fstat(stream.fileno()).st_size
    if size * _TAKEN > memory.available():
        raise DecodeError(
            f"it has {size:,} bytes of text, more than fit into the memory that is free; save the "
            "numbers with numpy.save"
        )
    return _parsed(stream.read())


def _decoded(table: _Table, column: int, reduction: int) -> DecodedFile:
    """Return a column of series or names, or the whole of a single row, column or matrix."""
    n_rows, n_columns = table.values.shape
    is_column = column >= n_columns or table.is_of_series
    values, known = table.values, table.known
    if column >= n_columns:
        _, values, known = table.symbols[column - n_columns]
    elif is_column:
        values, known = values[:, column], known[:, column]
    title = shortened(table.titles[column], 40) if table.titles and is_column else ""
    what = "names" if column >= n_columns else "numbers"
    note = f"{values.size:,} {what}{f' of “{title}”' if title else ''}: a sequence"
    if is_column or 1 in values.shape:
        values, known = values.reshape(1, -1), known.reshape(1, -1)
    else:
        note = f"a matrix of {n_rows:,} lines: an image"
    x = table.x if is_column or n_columns == 1 else None
    check_size(values.shape[1], values.shape[0], cost(values.dtype), reduction)
    return DecodedFile(values, unknown={"gaps": ~known}, notes=(note, *table.notes), x=x)


def _is_of_series(n_rows: int, n_columns: int, titles: Sequence[str] = ()) -> bool:
    # Of more columns, only names say that each is a quantity of its own
    is_named = titles and all(kind_of(title) == "text" for title in titles)
    return (n_columns <= MOST_CHANNELS or bool(is_named)) and NARROW * n_columns <= n_rows


def _parsed(data: bytes) -> _Table:
    text = text_of(data)
    if text is None or "\0" in text:
        raise DecodeError("it is not plain text in UTF-8; save it as plain text")
    lines = list(lines_of(text))
    style = style_of(line for _, line in lines[:_SAMPLE])
    if style.doubtful:
        raise DecodeError(
            f"its “{shortened(style.doubtful, 20)}” may have a decimal comma or one of thousands; "
            "save numbers without commas, or split columns by semicolons"
        )
    if not lines:
        raise DecodeError(_NO_NUMBERS)
    rows = [(number, split(line, style)) for number, line in lines]
    if style.separator:  # else nothing says which cells are missing
        width = max(len(tokens) for _, tokens in rows[:2])
        rows[1:] = ((number, row + [""] * (width - len(row))) for number, row in rows[1:])
    _check_lengths(rows[1:], rows[0])
    n_wide = next(n for n in range(1, MOST_CHANNELS + 2) if not _is_of_series(len(rows) - 1, n))
    columns = columns_of(rows, lines[0][1].startswith('"'), n_wide + 1)
    _check_lengths(columns.rows, columns.rows[0] if columns.rows else rows[0])
    if columns.rows and not columns.titles:
        _check_corner(columns.rows[0])
    width = len(columns.rows[0][1]) if columns.rows else 0
    kept = [k for k in range(width) if k not in (*columns.left_out, *columns.symbols)]
    own = [columns.titles[k] for k in kept] if columns.titles else []
    symbols = columns.symbols if _is_of_series(len(columns.rows), len(kept), own) else []
    if not (kept or symbols):
        raise DecodeError(_NO_NUMBERS)
    notes = ["its first line is a title"] if len(columns.rows) < len(rows) else []
    notes += ["commas read as decimal points"] if style.comma else []
    others = [k for k in columns.symbols if k not in symbols]
    notes += [f"{columns.name(k)} left out: it holds no numbers" for k in others]
    own += [columns.titles[k] for k in symbols] if columns.titles else []
    names = [_symbols([tokens[k] for _, tokens in columns.rows]) for k in symbols]
    values = _values(columns.rows, kept)
    return _Table(*values, names, own, columns.places(), (*notes, *columns.notes))


def _symbols(tokens: list[str]) -> _Symbols:
    known = np.array([not is_missing(token) for token in tokens])
    names = sorted({token for token, there in zip(tokens, known, strict=True) if there})
    numbers = {name: number for number, name in enumerate(names)}
    places = np.array([numbers.get(token, 0) for token in tokens], np.uint8)
    return _Symbols(tuple(names), places, known)


def _check_corner(first: Row) -> None:
    """Raise `DecodeError` if a line may be of titles, or begin with a gap."""
    number, (corner, *others) = first
    if corner == "" and others and all(map(is_number, others)):
        raise DecodeError(
            f"line {number} begins with an empty cell, as titles do; write nan if a number is "
            "missing there"
        )


def _check_lengths(rows: list[Row], first: Row) -> None:
    """Raise `DecodeError` unless rows are as long as each other; as the ``first``, if one is."""
    if not rows:
        return
    number, tokens = first if len(first[1]) == len(rows[0][1]) else rows[0]
    for other, found in rows:
        if len(found) != len(tokens):
            raise DecodeError(
                f"line {other} has {len(found)} columns, but line {number} has {len(tokens)}; "
                "write the same number in each"
            )


def _values(rows: list[Row], kept: list[int]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return some columns of rows, which have their lines' numbers, and which cells are known."""
    values, is_whole = array("d"), True
    for number, tokens in rows:
        for k in kept:
            values.append(_value(tokens[k], number))
            is_whole = is_whole and (_is_whole(tokens[k]) or is_missing(tokens[k]))
    found = np.frombuffer(values, np.float64).reshape(len(rows), len(kept)).copy()
    known = np.isfinite(found)
    found[~known] = 0
    return found.astype(np.int64) if is_whole else found, known


def _is_whole(token: str) -> bool:
    return len(token) < 16 and token.lstrip("+-").isdecimal()


def _value(token: str, line: int) -> float:
    """Return a number, NaN for a missing one."""
    if is_missing(token):
        return math.nan
    if is_number(token):
        return float(token)
    raise DecodeError(
        f"line {line} holds “{shortened(token, 20)}”, which is not a number; remove it, or save a "
        "sequence of letters as FASTA"
    )
