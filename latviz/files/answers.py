"""A CSV file that grows by a line at a time, such as a person's answers."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from latviz.files.errors import ExportError, plain


def add_row(path: Path, names: Sequence[str], row: Sequence[str]) -> None:
    """Add a line to a CSV file (RFC 4180, UTF-8); a new file begins with a line of names.

    It is written at once, so that other windows and a crash lose no line.

    Raises
    ------
    ExportError
        If it cannot be written.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as stream:
            if stream.tell() == 0:
                writer.writerow(names)
            writer.writerow(row)
            stream.write(text.getvalue().encode())
    except OSError as error:
        raise ExportError(path, plain(error)) from error


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the lines of a CSV file by their names; nothing if there is no file.

    Lines that are cut short, or hold what is no text, lose what is damaged.

    Raises
    ------
    ExportError
        If it cannot be read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ExportError(path, plain(error)) from error
    text = data.decode(errors="replace").replace("\0", "")
    lines = csv.reader(io.StringIO(text, newline=""))
    names = next(lines, [])
    return [dict(zip(names, line, strict=False)) for line in lines]


def remove(path: Path) -> None:
    """Delete a file, if it is there.

    Raises
    ------
    ExportError
        If it cannot be deleted.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ExportError(path, plain(error)) from error
