"""A CSV file that grows by a line at a time, such as a student's answers."""

import csv
import io
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from latviz.core.cells import guarded, unguarded
from latviz.core.disk.errors import ExportError, plain
from latviz.core.disk.reading import read_bytes
from latviz.core.disk.writing import append


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
