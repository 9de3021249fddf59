"""Numbers written as text: splitting a line, parsing a number, and recognising such a text."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NO_VALUE = re.compile(r"(?i)[+-]?(?:nan|inf|infinity)|n/?a|null|none|-+|")
_CLOCK = r"\d+(?:[-/:.T]\d+)*[-/:T]\d+(?:[.:,]\d+)*"
_DAY = r"\d{1,2}\.\d{1,2}\.\d{2,4}"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_NAMED = rf"(?:\d{{1,4}}[-/. ]+)?{_MONTH}[-/., ]*\d{{1,4}}(?:[-/., ]+\d{{1,4}})?"
_SPAN = r"\d{4}[- ]?[QW]\d{1,2}|Q\d[- ]\d{4}"
_ZONE = r"Z|UTC|GMT|[A-Z]{2,4}T|[+-]\d{2}(?::?\d{2})?"
_TIME = re.compile(
    rf"(?i)(?:[a-z]{{3,9}},? )?(?:{_NAMED}|{_CLOCK}|{_DAY}|{_SPAN})(?:[ T]{_CLOCK})?"
    rf"(?: ?[AP]M)?(?: ?(?:{_ZONE}))?"
)
_LONGEST_TIME = 60
_COMMENT = re.compile(r"^\s*(?:#|%|//).*|\s(?:#|%|//)\s.*|^sep=.$")
"""Comments, after a number or alone, and the line in which Excel names the separator."""
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")
_GROUPED_BY_POINTS = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+,\d*")
_WORD = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
_LONGEST, _WRAPPED = 15, 10
"""Most digits of an exact number, and of tokens of equal length that are not numbers."""


Kind = Literal["number", "missing", "time", "text"]


class Style(NamedTuple):
    """The separator of the numbers of a line ("" for white space), and the decimal sign."""

    separator: str
    comma: bool
    doubtful: str = ""  # a token whose comma may be decimal or not


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
        return Style(separator, _sign_of(some, separator)[0])
    words = [word for line in some[1:] or some for word in line.split()]
    spaced = any(word.endswith(",") or word.startswith(",") for word in words)
    decimals = [word for word in words if not is_time(word)]
    is_decimal = bool(decimals) and all(map(_DECIMAL_COMMA.fullmatch, decimals)) and not spaced
    is_decimal = is_decimal and "," not in re.sub(r"\d,\d", "", some[0])
    if is_decimal and not _counts(decimals):
        return Style("", True)
    return Style(",", *_sign_of(some, ","))


def _sign_of(lines: Iterable[str], separator: str) -> tuple[bool, str]:
    """Return if tokens have decimal commas, and a token that leaves it open between commas."""
    commas = {one for line in lines for one in _cells(line, separator) if "," in one}
    grouped = {one for one in commas if _GROUPED.fullmatch(one)}
    signs = _DECIMAL_COMMA, _GROUPED_BY_POINTS
    decimal = {one for one in commas if any(sign.fullmatch(one) for sign in signs)}
    if any("." in one or one.count(",") > 1 for one in grouped):
        return False, ""
    is_open = separator == "," and bool(grouped) and not decimal - grouped
    return bool(decimal) and not is_open, min(grouped) if is_open else ""


def _counts(words: list[str]) -> bool:
    """Return True if the texts before commas number the lines: 0, 1, 2, 3 and so on."""
    before = [int(word.split(",")[0] or 0) for word in words]
    return len(before) > 2 and all(b == a + 1 for a, b in pairwise(before))


def split(line: str, style: Style) -> list[str]:
    """Return the tokens of a line, with decimal points and without those of thousands."""
    return [_pointed(token, style.comma) for token in _cells(line, style.separator)]


def _cells(line: str, separator: str) -> list[str]:
    """Return the tokens of a line; quotes hold one together, and two stand for one (RFC 4180)."""
    if '"' not in line:
        tokens = line.split(separator) if separator else line.split()
    elif separator:
        tokens = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
    else:
        tokens = [quoted or plain for quoted, plain in _WORD.findall(line)]
    return [token.strip(" \t\"'") for token in tokens]


def _pointed(token: str, comma: bool) -> str:
    if "," not in token:
        return token
    if not comma:
        return token.replace(",", "") if _GROUPED.fullmatch(token) else token
    if _GROUPED_BY_POINTS.fullmatch(token):
        token = token.replace(".", "")
    return token.replace(",", ".")


def is_number(token: str) -> bool:
    """Return True if a token is a finite number."""
    return _NUMBER.fullmatch(token) is not None


def is_missing(token: str) -> bool:
    """Return True if a token marks a missing number, or one that is not finite."""
    return _NO_VALUE.fullmatch(token) is not None


def is_time(token: str) -> bool:
    """Return True if a token is a date, a time of day, both, or a month, as programs write them."""
    return len(token) <= _LONGEST_TIME and _TIME.fullmatch(token) is not None


def kind_of(token: str) -> Kind:
    """Return the kind of a token."""
    if is_number(token):
        return "number"
    if is_missing(token):
        return "missing"
    return "time" if is_time(token) else "text"


def holds_numbers(head: bytes) -> bool:
    """Return if a text that begins with these bytes holds numbers, not symbols."""
    # Most of its lines hold numbers alone, or after a name. Digits without a separator, such as
    # 0110, and single digits are symbols
    text = text_of(head, whole=False)
    if text is None or "\0" in text or text.lstrip("\ufeff \r\n").startswith(">"):
        return False
    lines = [line for _, line in lines_of(text)]
    lines = lines[:-1] if len(lines) > 2 else lines  # the last one may be cut off
    style = style_of(lines)
    rows = [split(line, style) for line in lines]
    good = [
        row
        for row, line in zip(rows, lines, strict=True)
        if _is_of_numbers(row[bool(style.separator or line.startswith('"')) and len(row) > 1 :])
    ]
    if text.lstrip("\ufeff \r\n").startswith(";") and len(set(map(len, rows))) > 1:
        return False  # a comment, as FASTA had them first, and not an empty title
    tokens = [token for row in good for token in row if is_number(token)]
    if len(tokens) < 2 or 2 * len(good) < len(rows):
        return False
    is_row_or_column = len(good) == 1 or all(len(row) == 1 for row in good)
    return bool(style.separator) or not _are_digits(tokens, is_row_or_column)


def _is_of_numbers(tokens: list[str]) -> bool:
    kinds = set(map(kind_of, tokens))
    return "number" in kinds and "text" not in kinds


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
