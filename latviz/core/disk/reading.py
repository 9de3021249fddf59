"""The one way to read a file: it must be regular, and not larger than expected.

Pipes, sockets and devices, and links to them, could block for ever or never end.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from latviz.core.disk import inputs
from latviz.core.disk.errors import RefusedError

SMALL = 1 << 24
"""Bytes of a text that somebody writes, or of a record: larger ones are something else."""


@contextmanager
def opened(
    path: str | os.PathLike[str], wanted: str = "an image file", *, is_input: bool = True
) -> Iterator[BufferedReader]:
    """Open a regular file to read it; `RefusedError` names the ``wanted`` kind if it is not one."""
    # OSError if it is missing or cannot be opened. is_input: a command must not replace it
    try:
        check_regular(os.stat(path).st_mode, wanted)
    except ValueError as error:
        raise RefusedError("its name cannot be the name of a file; check it") from error
    with open(path, "rb", opener=without_waiting) as stream:
        found = os.fstat(stream.fileno())
        check_regular(found.st_mode, wanted)  # it may be another by now
        if is_input:
            inputs.note(path, found)
        yield stream


def read_bytes(path: str | os.PathLike[str], most: int = SMALL, wanted: str = "a file") -> bytes:
    """Return all bytes of a regular file; `RefusedError` if there are more than ``most``."""
    with opened(path, wanted) as stream:
        found = stream.read(most + 1) if os.fstat(stream.fileno()).st_size <= most else None
    if found is None or len(found) > most:
        raise RefusedError(f"it is larger than {most:,} bytes; choose {wanted}")
    return found


def read_text(path: str | os.PathLike[str], most: int = SMALL, wanted: str = "a text file") -> str:
    """Return the text of a file in UTF-8, with LF line ends, or raise `RefusedError`."""
    try:
        text = read_bytes(path, most, wanted).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RefusedError(f"it is not plain text in UTF-8; choose {wanted}") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def is_small(path: Path) -> bool:
    """Return True if a library may open a file by itself."""
    try:
        found = path.stat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size <= SMALL


def without_waiting(path: str, flags: int) -> int:
    """Open a file for `open`; a pipe refuses, or is open at once, and does not wait."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def check_regular(mode: int, wanted: str) -> None:
    """Raise `RefusedError` unless it is a regular file; the message names the ``wanted`` kind."""
    if stat.S_ISDIR(mode):
        raise RefusedError(f"it is a folder, not a file; choose {wanted}")
    if not stat.S_ISREG(mode):
        raise RefusedError(f"it is a device or a pipe, not a file; choose {wanted}")
