"""A CSV file that grows by a line at a time: a student's answers, under a code word."""

import csv
import io
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from latviz.core.cells import guarded, unguarded
from latviz.core.disk.errors import ExportError, plain
from latviz.core.disk.reading import read_bytes
from latviz.core.disk.writing import append

_WORDS = """
acorn alder amber aspen badger basil beaver birch bison cedar clover comet coral crane cricket
daisy delta dune ember falcon fern finch flint forest fox garnet ginger glacier harbor hazel
heron holly iris ivy jasper juniper kestrel lagoon lark laurel lemon lilac lynx magnet maple
marble meadow mint moss nettle oak olive onyx opal orchid osprey otter pearl pebble pine plum
poppy quartz quill raven reed robin saffron sage seal shell sparrow spruce stork swan thistle
thyme topaz tulip walnut willow wren zinnia
"""


def answers_in(folder: Path) -> Path:
    """Return the file of answers in a folder, or the name of a new one, with a new code word."""
    code = f"{secrets.choice(_WORDS.split())}-{100 + secrets.randbelow(900)}"
    there = sorted(folder.glob("understanding*.csv"))
    return there[0] if there else folder / f"understanding-{code}.csv"


def student_of(path: Path) -> str:
    """Return the code word in the name of a file of answers: "heron-482", or nothing."""
    return path.stem.partition("-")[2]


def add_row(path: Path, names: Sequence[str], row: Sequence[str]) -> None:
    """Add a line to a CSV file (RFC 4180, UTF-8); a new file begins with a line of names."""
    # Written at once, so that other windows and a crash lose no line; ExportError if it cannot be
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists() or path.stat().st_size == 0
    except OSError as error:
        raise ExportError(path, plain(error)) from error
    if is_new:
        writer.writerow(names)
    writer.writerow(map(guarded, row))
    append(path, text.getvalue().encode(errors="backslashreplace"))


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file as mappings; [] if there is no file."""
    # Damaged parts of lines, such as cut-off ends and bytes that are not text, are dropped;
    # ExportError if it cannot be read
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ExportError(path, plain(error)) from error
    text = data.decode(errors="replace").replace("\0", "")
    lines = csv.reader(io.StringIO(text, newline=""))
    found = list[list[str]]()
    with suppress(csv.Error):  # of a field that is longer than any answer
        found.extend(lines)
    names = found[0] if found else []
    return [dict(zip(names, map(unguarded, line), strict=False)) for line in found[1:]]
