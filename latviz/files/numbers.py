"""Reading numbers that are written as text: a row of real values, or a matrix as an image."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latviz.core.axes import VECTOR, Axis
from latviz.core.disk.errors import shortened
from latviz.files import memory
from latviz.files.arrays import MOST_CHANNELS, NARROW
from latviz.files.decoding import DecodedFile, DecodeError, check_size
from latviz.files.memory import cost
from latviz.files.numerals import is_missing, is_number, lines_of, split, style_of, text_of
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
    """Numbers by row and column, the titles of the columns, and notes."""

    values: NDArray[Any]
    titles: list[str]
    x: NDArray[Any] | None  # (rows,): where they are on an axis
    notes: tuple[str, ...]


@contextmanager
def table_planes(stream: IO[bytes], reduction: int) -> Iterator[Planes]:
    """Yield the columns of a table as channels of an image of one row, or a matrix as an image."""
    table = _table_in(stream)
    (n_rows, n_columns), series = table.values.shape, _is_of_series(*table.values.shape)
    if not series or n_columns == 1:
        first = _decoded(table, 0, reduction)
        yield Planes((), lambda _place, _whole: replace(first, notes=()), first.notes, x=first.x)
        return

    def decode(place: tuple[int, ...], _whole: bool) -> DecodedFile:
        return replace(_decoded(table, place[0], reduction), notes=())

    titles = tuple(shortened(title, 40) for title in table.titles)
    entries = titles if len(set(filter(None, titles))) == n_columns else ()
    notes = (f"{n_rows:,} numbers in a column: a sequence", *table.notes)
    yield Planes((Axis("c", n_columns, entries, usual=VECTOR),), decode, notes, x=table.x)


def _table_in(stream: IO[bytes]) -> _Table:
    size = os.fstat(stream.fileno()).st_size
    if size * _TAKEN > memory.available():
        raise DecodeError(
            f"it has {size:,} bytes of text, more than fit into the memory that is free; save the "
            "numbers with numpy.save"
        )
    return _parsed(stream.read())


def _decoded(table: _Table, column: int, reduction: int) -> DecodedFile:
    """Return a column of series, or the whole of a single row, column or matrix."""
    n_rows, n_columns = table.values.shape
    is_of_series = _is_of_series(n_rows, n_columns)
    x = None
    if min(n_rows, n_columns) == 1 or is_of_series:
        x = table.x if n_columns == 1 or is_of_series else None
        series = table.values[:, column] if is_of_series else table.values
        image = series.reshape(1, -1)
        title = shortened(table.titles[column], 40) if table.titles and is_of_series else ""
        note = f"{image.size:,} numbers{f' of “{title}”' if title else ''}: a sequence"
    else:
        image, note = table.values, f"a matrix of {n_rows:,} lines: an image"
    check_size(image.shape[1], image.shape[0], cost(image.dtype), reduction)
    notes = (note, *table.notes)
    return DecodedFile(image, notes=notes, x=x)


def _is_of_series(n_rows: int, n_columns: int) -> bool:
    return n_columns <= MOST_CHANNELS and NARROW * n_columns <= n_rows


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
    _check_lengths(rows[1:], rows[0])
    n_wide = next(n for n in range(1, MOST_CHANNELS + 2) if not _is_of_series(len(rows) - 1, n))
    columns = columns_of(rows, lines[0][1].startswith('"'), n_wide + 1)
    _check_lengths(columns.rows, columns.rows[0] if columns.rows else rows[0])
    width = len(columns.rows[0][1]) if columns.rows else 0
    kept = [k for k in range(width) if k not in columns.left_out]
    if not kept:
        raise DecodeError(_NO_NUMBERS)
    notes = ["its first line is a title"] if len(columns.rows) < len(rows) else []
    notes += ["commas read as decimal points"] if style.comma else []
    own = [columns.titles[k] for k in kept] if columns.titles else []
    return _Table(_values(columns.rows, kept), own, columns.places(), (*notes, *columns.notes))


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


def _values(rows: list[Row], kept: list[int]) -> NDArray[Any]:
    """Return some columns of rows, which have their lines' numbers."""
    values, is_whole = array("d"), True
    for number, tokens in rows:
        for k in kept:
            values.append(_value(tokens[k], number))
            is_whole = is_whole and _is_whole(tokens[k])
    found = np.frombuffer(values, np.float64).reshape(len(rows), len(kept))
    return found.astype(np.int64) if is_whole else found


def _is_whole(token: str) -> bool:
    return len(token) < 16 and token.lstrip("+-").isdecimal()


def _value(token: str, line: int) -> float:
    if is_number(token):
        return float(token)
    if is_missing(token):
        raise DecodeError(
            f"line {line} has no finite number ({shortened(token, 20) or 'nothing'}); fill it in "
            "or remove the line"
        )
    raise DecodeError(
        f"line {line} holds “{shortened(token, 20)}”, which is not a number; remove it, or save a "
        "sequence of letters as FASTA"
    )
