"""Reading numbers that are written as text: a row of real values, or a matrix as an image."""

from __future__ import annotations

import os
from array import array
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latviz.core.disk.errors import shortened
from latviz.files import memory
from latviz.files.arrays import MOST_CHANNELS, NARROW
from latviz.files.decoding import Decoded, DecodeError, check_page, check_size
from latviz.files.memory import cost
from latviz.files.numerals import (
    is_missing,
    is_number,
    is_time,
    lines_of,
    split,
    style_of,
    text_of,
)

_SAMPLE = 1000
"""Lines that tell how all are split."""
_TAKEN = 40
"""Bytes that a byte of the text takes while it is read."""


class _Table(NamedTuple):
    """Numbers by row and column, the titles of the columns, and what was done."""

    values: NDArray[Any]
    titles: list[str]
    notes: tuple[str, ...]


def read_numbers(stream: IO[bytes], page: int, reduction: int = 1) -> Decoded:
    """Read a column or a row of numbers as an image of one row, and a matrix as an image.

    Of few columns of many lines each is a row of its own, as a page: such files hold series.

    Parameters
    ----------
    stream : binary file at its start
    page : int
        The column, from 0, if there are few.
    reduction : int
        What the sides will be divided by.

    Raises
    ------
    DecodeError
        If something else than numbers is in it, or lines have different numbers of them.
    """
    size = os.fstat(stream.fileno()).st_size
    if size * _TAKEN > memory.available():
        raise DecodeError(
            f"it has {size:,} bytes of text, more than fit into the memory that is free; save the "
            "numbers with numpy.save"
        )
    table = _parsed(stream.read())
    n_rows, n_columns = table.values.shape
    pages = 1
    if min(table.values.shape) == 1:
        image = table.values.reshape(1, -1)
        notes = (f"{image.size:,} numbers: an image of one row",)
    elif n_columns <= MOST_CHANNELS and NARROW * n_columns <= n_rows:
        pages = n_columns
        check_page(page, pages, "column")
        image = table.values[:, page].reshape(1, -1)
        title = f" “{shortened(table.titles[page], 40)}”" if table.titles else ""
        notes = (f"{n_rows:,} numbers of a column{title}: an image of one row",)
    else:
        image = table.values
        notes = (f"a matrix of {n_rows:,} lines: an image",)
    check_page(page, pages, "column")
    check_size(image.shape[1], image.shape[0], cost(image.dtype), reduction)
    return Decoded(image, page=page, pages=pages, unit="column", notes=(*notes, *table.notes))


def _parsed(data: bytes) -> _Table:
    text = text_of(data)
    if text is None or "\0" in text:
        raise DecodeError("it is not plain text in UTF-8; save it as plain text")
    lines = list(lines_of(text))
    if not lines:
        raise DecodeError("it holds no numbers; choose another file")
    style = style_of(line for _, line in lines[:_SAMPLE])
    titles = split(lines[0][1], style)
    has_titles = not all(is_number(one) or is_missing(one) or is_time(one) for one in titles)
    lines = lines[has_titles:]
    if not lines:
        raise DecodeError("it holds no numbers; choose another file")
    first = split(lines[0][1], style)
    width = len(first)
    kept = [k for k, one in enumerate(first) if not is_time(one) and (one or k + 1 < width)]
    values, is_whole = array("d"), True
    for number, line in lines:
        tokens = split(line, style)
        if len(tokens) != width:
            raise DecodeError(
                f"line {number} has {len(tokens)} columns, but line {lines[0][0]} has {width}; "
                "write equally many in each"
            )
        for k in kept:
            values.append(_value(tokens[k], number))
            is_whole = is_whole and _is_whole(tokens[k])
    found = np.frombuffer(values, np.float64).reshape(len(lines), -1)
    if found.size == 0:
        raise DecodeError("it holds dates or times, but no numbers; choose another file")
    notes = ["its first line is a title"] if has_titles else []
    notes += ["commas read as decimal points"] if style.comma else []
    notes += [f"{width - len(kept)} columns without numbers left out"] if len(kept) < width else []
    has_own = has_titles and len(titles) == width
    own = [titles[k] for k in kept] if has_own else []
    return _Table(found.astype(np.int64) if is_whole else found, own, tuple(notes))


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
