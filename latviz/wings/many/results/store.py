"""A store of results on the disk, by the file of the image and the task.

A result is one small JSON file, named by the SHA-256 of the task and of the path, inode, size and
times of the image and of its labels. Damaged or missing results are computed again.
"""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from latviz import files
from latviz.core.disk.errors import FileError, plain
from latviz.core.disk.reading import read_bytes
from latviz.core.disk.writing import replacing
from latviz.core.errors import ParameterError
from latviz.core.json_text import from_json
from latviz.engine.keeping.plain import from_plain, to_plain
from latviz.engine.pictures.shelf import Entry
from latviz.files.cache_folder import cache_folder
from latviz.files.errors import ImageError
from latviz.wings.many.results.record import Record, RecordTask

MOST = 1 << 28
"""Bytes that are kept, at most: some 100,000 results."""
OWNER_ALONE = 0o600


class Store:
    """A folder of results, which several processes may share."""

    # folder: the program's own by default, see `cache_folder`; most: bytes that `prune` leaves

    def __init__(self, folder: str | os.PathLike[str] | None = None, most: int = MOST) -> None:
        self.folder, self._most = Path(folder) if folder else cache_folder(), most

    def known(self, entry: Entry, task: RecordTask, truth: str = "") -> Record | None:
        """Return the result of an image if it is kept; the image is not read."""
        try:
            kept = from_json(read_bytes(self._place(entry, task, truth)))
            record: Record = from_plain(Record, kept, {}, "the result")
        except (FileError, OSError, ParameterError, ValueError):
            return None
        return record

    def keep(self, entry: Entry, task: RecordTask, record: Record, truth: str = "") -> None:
        """Keep a result, if it can be."""
        with suppress(FileError, OSError):
            place = self._place(entry, task, truth)
            place.parent.mkdir(parents=True, exist_ok=True)
            with replacing(place, OWNER_ALONE, lasting=False) as stream:
                stream.write(json.dumps(to_plain(record, {}, "result")).encode())

    def prune(self) -> None:
        """Delete the least recently used results, beyond the limit."""
        found = []
        for place in self.folder.glob("*/*/*"):
            with suppress(OSError):
                status = place.stat()
                found.append((max(status.st_atime_ns, status.st_mtime_ns), status.st_size, place))
        left = self._most
        for _, size, place in sorted(found, reverse=True):
            left -= size
            if left < 0:
                with suppress(OSError):
                    place.unlink()

    def _place(self, entry: Entry, task: RecordTask, truth: str) -> Path:
        key = key_of(entry, task, truth)
        return self.folder / "results" / key[:2] / f"{key[2:]}.json"


def key_of(entry: Entry, task: RecordTask, truth: str = "") -> str:
    """Return the key of a result; `ImageError` if the image or its labels are not there."""
    path = Path(entry.path)
    more = files.label_files.labels_next_to(path, truth), files.label_files.mask_next_to(path)
    marks = [mark_of(one) for one in (entry.path, *more) if one is not None]
    return hashlib.sha256(repr((task.fingerprint, marks)).encode()).hexdigest()


def mark_of(path: str | Path) -> tuple[str, int, int, int, int]:
    """Return the path, inode, size and times of a file, or raise `ImageError`."""
    # Programs can set the first of the times (mtime), but not the second (ctime)
    try:
        found = os.stat(path)
    except OSError as error:
        raise ImageError(Path(path), plain(error)) from error
    times = found.st_mtime_ns, found.st_ctime_ns
    return os.path.abspath(path), found.st_ino, found.st_size, *times
