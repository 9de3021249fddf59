"""Parts of files that writers left which were killed."""

import time
from contextlib import suppress
from pathlib import Path

import psutil

from latviz.files.atomic import PARTS, writer_of

OLD_S = 24 * 3600
"""A part that does not say who wrote it is left alone for so long."""


def sweep(folder: Path) -> None:
    """Remove the parts of files in a folder that nobody writes any more."""
    for part in folder.glob(PARTS):
        with suppress(OSError):  # another program may sweep at the same time
            if not _is_being_written(part):
                part.unlink()


def _is_being_written(part: Path) -> bool:
    writer, written = writer_of(part), part.stat().st_mtime
    if writer is None:
        return time.time() - written < OLD_S
    try:
        # A process that began later has the number of one that ended.
        return bool(psutil.Process(writer).create_time() <= written + 1)
    except psutil.Error:
        return False
