"""A store of results on the disk, by the content of the image and the task.

A result is one small JSON file, named by the SHA-256 of the image, of its labels and of the task.
The SHA-256 of a file is cached by its path, size, times of change and inode. Damaged or missing
results are computed again.
"""

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from latviz import files
from latviz.collection.record import Record, RecordTask
from latviz.core.disk.errors import FileError
from latviz.core.disk.reading import read_bytes
from latviz.core.disk.writing import replacing
from latviz.core.errors import ParameterError
from latviz.core.json_text import from_json
from latviz.engine.keeping.plain import from_plain, to_plain
from latviz.engine.pictures.shelf import Entry
from latviz.files.cache_folder import cache_folder
from latviz.files.errors import ImageError

MOST = 1 << 28
"""Bytes that are kept, at most: some 100,000 results, or 20,000 thumbnails."""
OWNER_ALONE = 0o600


class Store:
    """A folder of results, which several processes may share."""

    # folder: the program's own by default, see `cache_folder`; most: bytes that `prune` leaves

    def __init__(self, folder: str | os.PathLike[str] | None = None, most: int = MOST) -> None:
        self.folder, self._most = Path(folder) if folder else cache_folder(), most

    def known(
        self, entry: Entry, task: RecordTask, truth: str = "", *, at_once: bool = False
    ) -> Record | None:
        """Return the result of an image if it is kept; the image is not decoded."""
        # Its path is that of the entry, even if the content was first found elsewhere. ``at_once``:
        # a file whose SHA-256 is not cached has no result
        try:
            key = self.key(entry, task, truth, at_once=at_once)
            kept = self._read(self._place("results", key, ".json"))
            record: Record = from_plain(Record, kept, {}, "the result")
        except (FileError, OSError, ParameterError):
            return None
        return replace(record, path=entry.path)

    def keep(self, entry: Entry, task: RecordTask, record: Record, truth: str = "") -> None:
        """Keep a result, if it can be."""
        with suppress(FileError, OSError):
            place = self._place("results", self.key(entry, task, truth), ".json")
            self._write(place, to_plain(record, {}, "result"))

    def key(self, entry: Entry, task: RecordTask, truth: str = "", *, at_once: bool = False) -> str:
        """Return the key of a result; `FileError` if the image, or its labels, cannot be read."""
        # ``at_once``: also if a SHA-256 is not remembered
        labels = files.label_files.labels_next_to(Path(entry.path), truth)
        places = [Path(entry.path), *([] if labels is None else [labels])]
        parts = [self.digest(place, at_once=at_once) for place in places]
        parts += [""] * (2 - len(parts))
        return hashlib.sha256(":".join((*parts, task.fingerprint)).encode()).hexdigest()

    def digest(self, path: str | os.PathLike[str], *, at_once: bool = False) -> str:
        """Return the SHA-256 of a file's content, remembered until it changes; or `FileError`."""
        # ``at_once``: it is raised if none is remembered
        mark = _mark(path)
        name = hashlib.sha256(os.fsencode(os.path.abspath(path))).hexdigest()
        place = self._place("digests", name, ".json")
        with suppress(OSError, ParameterError, KeyError):
            kept = self._read(place)
            if isinstance(kept, dict) and mark is not None and kept.get("mark") == mark:
                return str(kept["sha256"])
        if at_once:
            raise ImageError(Path(path), "its SHA-256 is not known yet")
        found = files.session_archive.sha256_of(path)
        with suppress(FileError, OSError):
            self._write(place, {"mark": mark, "sha256": found})
        return found

    def picture(self, name: str, entry: Entry) -> Path:
        """Return the place of an image's small picture, also if not stored yet."""
        # By path, size, times of change and inode: reading all of the file would take longer than
        # drawing it. Of a missing file it is the last one
        mark = f"{entry.path}:{entry.size}:{entry.mtime}".encode(errors="surrogateescape")
        place = self._place(name, hashlib.sha256(mark).hexdigest(), "-")
        if (found := _mark(entry.path)) is None:
            kept = sorted(place.parent.glob(f"{place.name}*"), key=os.path.getmtime)
            return kept[-1] if kept else place
        return place.with_name(f"{place.name}{found[2]:x}-{found[3]:x}.png")

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

    def _place(self, kind: str, name: str, suffix: str) -> Path:
        return self.folder / kind / name[:2] / f"{name[2:]}{suffix}"

    def _read(self, place: Path) -> Any:
        try:
            return from_json(read_bytes(place))
        except ValueError as error:
            raise ParameterError(f"{place} is damaged") from error

    def _write(self, place: Path, content: Any) -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        with replacing(place, OWNER_ALONE, lasting=False) as stream:
            stream.write(json.dumps(content).encode())


def _mark(path: str | os.PathLike[str]) -> list[int] | None:
    """Return a file's size, its times of change and its inode."""
    # Programs can set the first of the times (mtime), but not the second (ctime)
    try:
        found = os.stat(path)
    except (OSError, ValueError):  # reading it reports the reason
        return None
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
