"""Lists of files and their classes, as spreadsheets and programs write them."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from latviz.core.cells import unguarded
from latviz.files.formats import has_suffix, suffixes

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"", "utf-8-sig"),
)
"""Marks at the head of texts, and their encodings; those of 32 bits begin with a mark of 16."""
_CLASS = (re.compile(r"class|label|categor|target|klasse|kategorie"),)
_NAME = re.compile(r"file|path|image|img|datei|bild"), re.compile(r"name"), re.compile(r"\bid\b")
"""Words in titles of columns, the surest first."""
_HINT = re.compile(r"sep=(?P<separator>.)\r?\n")
"""The line that sets the separator of cells, for a spreadsheet."""
_SEEN = 200
"""Lines whose files are searched, to find the separator of cells."""


class ListError(ValueError):
    """A text cannot be read as a list; the message states why, with a remedy."""


class Item(NamedTuple):
    """A line of a list: its number, and its name and class, which may be empty."""

    line: int
    name: str
    label: str


def decoded(data: bytes) -> str:
    """Return a text that is UTF-8, UTF-16 or UTF-32, or raise UnicodeDecodeError."""
    # UTF-16 needs no mark at its beginning: half of the bytes of letters are zeros then
    encoding = next(name for mark, name in _MARKS if data.startswith(mark))
    head = data[:1000]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if encoding == "utf-8-sig" and max(even, odd) > len(head) / 4 and min(even, odd) == 0:
        encoding = "utf-16-le" if odd else "utf-16-be"
    return data.decode(encoding)


def read_items(text: str, folder: Path) -> list[Item]:
    """Return the lines of a list, without blank ones and titles, or raise `ListError`."""
    # Cells are separated by commas, semicolons or tabs: by those with which most lines name a file
    # that exists in ``folder``, or else have a name and a class. The name is in the first cell, the
    # class in the second, unless titles name other columns. ListError also if several separators
    # do, with other names or classes
    if "\0" in text:
        raise ListError("it is not a CSV file; choose a folder or a CSV file of names and classes")
    hint = _HINT.match(text)
    body = text if hint is None else text[hint.end() :]
    found = _readings(body, DELIMITERS if hint is None else hint[1], folder)
    scores = {one: sum(bool(i.name and i.label) for i in own) for one, own in found.items()}
    if sum(map(bool, scores.values())) > 1:
        for one, own in found.items():
            there = sum(_is_there(i.name, folder) for i in own[:_SEEN])
            scores[one] += there * len(text)  # which counts for more than any number of lines
    best = max(found, key=scores.__getitem__)
    for one, own in found.items():
        if scores[one] == scores[best] > 0 and own != found[best]:
            both = " or ".join(DELIMITERS[name] for name in (best, one))
            raise ListError(
                f"its cells could be separated by {both}; put cells that contain either in quotes"
            )
    return found[best]


def _readings(text: str, delimiters: Iterable[str], folder: Path) -> dict[str, list[Item]]:
    """Return the lines of a list by possible separator of its cells."""
    found, errors = dict[str, list[Item]](), list[ListError]()
    for one in delimiters:
        try:
            found[one] = _items(text, one, folder)
        except ListError as error:
            errors.append(error)
    if not found:
        raise errors[0]
    return found


def file_of(name: str, folder: Path) -> Path:
    """Return the file of a name, in which backslashes may separate folders."""
    path = folder / name
    if "\\" in name and not path.exists():
        return folder / name.replace("\\", "/")
    return path


def _items(text: str, delimiter: str, folder: Path) -> list[Item]:
    name, label = 0, 1
    found = list[Item]()
    for number, (line, cells) in enumerate(_rows(text, delimiter)):
        if number == 0 and (columns := _columns(cells, folder)) is not None:
            name, label = columns
            continue
        padded = [*cells, *[""] * (1 + max(name, label))]
        found.append(Item(line, padded[name], padded[label]))
    return found


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line that is not blank, with its number."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    line = last = 0
    try:
        for row in reader:
            line, last = last + 1, reader.line_num
            cells = [unguarded(cell.strip()) for cell in row]
            if any(cells):
                yield line, cells
    except csv.Error as error:
        raise ListError(f"it is not a CSV file ({error}); save it again") from None
    if last > line and text.count('"') % 2:
        raise ListError(f"the quote that begins in line {line} does not end; close it")


def _columns(cells: Sequence[str], folder: Path) -> tuple[int, int] | None:
    """Return the columns of names and classes if these are titles: they name no image."""
    images = suffixes().images
    if any(has_suffix(cell, images) or _is_there(cell, folder) for cell in cells):
        return None
    titles = [cell.casefold() for cell in cells]
    label = _first(_CLASS, titles, None)
    name = _first(_NAME, titles, label)
    if name is None and label is None:
        return None
    if name is None:
        return int(label == 0), label or 0
    return name, name + 1 if label is None else label


def _is_there(name: str, folder: Path) -> bool:
    return bool(name) and file_of(name, folder).is_file()


def _first(
    kinds: Sequence[re.Pattern[str]], titles: Sequence[str], taken: int | None
) -> int | None:
    """Return the first title that matches the most certain pattern; None if none does."""
    places = [k for k in range(len(titles)) if k != taken]
    return next((k for kind in kinds for k in places if kind.search(titles[k])), None)
