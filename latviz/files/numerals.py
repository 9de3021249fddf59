"""Numbers written as text: splitting a line, parsing a number, and recognising such a text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NO_VALUE = re.compile(r"(?i)[+-]?(?:nan|inf|infinity)|n/?a|null|none|-+|")
_TIME = re.compile(r"\d+(?:[-/:.T]\d+)*[-/:T]\d+(?:[.:]\d+)*Z?")
_COMMENT = re.compile(r"(?:#|%|//).*")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_LONGEST, _WRAPPED = 15, 10
"""Most digits of an exact number, and of tokens of equal length that are not numbers."""


class Style(NamedTuple):
    """The separator of the numbers of a line ("" for white space), and the decimal sign."""

    separator: str
    comma: bool


def text_of(data: bytes, whole: bool = True) -> str | None:
    """Return a text in UTF-8, or in UTF-16 with its mark; None if it is neither."""
    # A beginning that is not ``whole`` may end within a character
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data, final=whole)
    except UnicodeDecodeError:
        return None
    return text.replace("\u2212", "-")


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, without comments, and their numbers from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line := _COMMENT.sub("", line).strip(" \r\ufeff"):
            yield number, line


def style_of(lines: Iterable[str]) -> Style:
    """Return the style of lines: split by semicolons, tabs or commas if they have any."""
    some = list(lines)
    separator = next((one for one in ";\t" if any(one in line for line in some)), "")
    if separator or not any("," in line for line in some):
        return Style(separator, any(map(_is_comma, _tokens(some, separator))))
    words = [word for line in some[1:] or some for word in line.split()]
    spaced = any(word.endswith(",") or word.startswith(",") for word in words)
    is_decimal = all(map(_DECIMAL_COMMA.fullmatch, words)) and not spaced
    is_decimal = is_decimal and "," not in re.sub(r"\d,\d", "", some[0])
    return Style("", True) if is_decimal and not _counts(words) else Style(",", False)


def _is_comma(token: str) -> bool:
    return _DECIMAL_COMMA.fullmatch(token) is not None


def _tokens(lines: Iterable[str], separator: str) -> Iterator[str]:
    for line in lines:
        yield from split(line, Style(separator, False))


def _counts(words: list[str]) -> bool:
    """Return True if the texts before commas number the lines: 0, 1, 2, 3 and so on."""
    before = [int(word.split(",")[0] or 0) for word in words]
    return len(before) > 2 and all(b == a + 1 for a, b in pairwise(before))


def split(line: str, style: Style) -> list[str]:
    """Return the tokens of a line, with decimal points."""
    tokens = line.split(style.separator) if style.separator else line.split()
    tokens = [token.strip(" \t\"'") for token in tokens]
    return [token.replace(",", ".") for token in tokens] if style.comma else tokens


def is_number(token: str) -> bool:
    """Return True if a token is a finite number."""
    return _NUMBER.fullmatch(token) is not None


def is_missing(token: str) -> bool:
    """Return True if a token marks a missing number, or one that is not finite."""
    return _NO_VALUE.fullmatch(token) is not None


def is_time(token: str) -> bool:
    """Return True if a token is a date or a time of day."""
    return _TIME.fullmatch(token) is not None


def holds_numbers(head: bytes) -> bool:
    """Return if a text that begins with these bytes holds numbers, not symbols."""
    # Most of its lines hold numbers alone. Digits without a separator, such as 0110, and single
    # digits are symbols
    text = text_of(head, whole=False)
    if text is None or "\0" in text or text.lstrip("\ufeff \r\n").startswith((">", ";")):
        return False
    lines = [line for _, line in lines_of(text)]
    lines = lines[:-1] if len(lines) > 2 else lines  # the last one may be cut off
    style = style_of(lines)
    rows = [split(line, style) for line in lines]
    good = [row for row in rows if all(map(_is_of_numbers, row)) and any(map(is_number, row))]
    tokens = [token for row in good for token in row if is_number(token)]
    if len(tokens) < 2 or 2 * len(good) < len(rows):
        return False
    is_row_or_column = len(good) == 1 or all(len(row) == 1 for row in good)
    return bool(style.separator) or not _are_digits(tokens, is_row_or_column)


def _is_of_numbers(token: str) -> bool:
    return is_number(token) or is_missing(token) or is_time(token)


def _are_digits(tokens: list[str], is_row_or_column: bool) -> bool:
    """Return True if tokens are strings of digits, not numbers."""
    if not all(token.isdecimal() for token in tokens):
        return False
    lengths = {len(token) for token in tokens}
    if lengths == {1}:
        return is_row_or_column
    padded = any(len(token) > 1 and token[0] == "0" for token in tokens)
    wrapped = len({len(token) for token in tokens[:-1]}) == 1 and len(tokens[0]) >= _WRAPPED
    return padded or wrapped or max(lengths) > _LONGEST or set("".join(tokens)) <= set("01")
