"""Bytes of the files in a zarr folder: texts that describe it, and chunks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePath

from latviz.core.disk import inputs
from latviz.core.disk.errors import RefusedError, plain, shortened
from latviz.core.disk.reading import opened
from latviz.files.errors import ImageError

_CHUNK = re.compile(r"c|(?:c\.)?\d+(?:\.\d+)*")
"""Names of chunks, and of folders of chunks, in both formats."""


def read_part(
    folder: Path, key: str, most: int, start: int = 0, stop: int | None = None
) -> bytes | None:
    """Return bytes of a file in a zarr folder; None if it is missing; or raise `ImageError`."""
    # ``most`` bytes at most. Every byte of a zarr folder is read here: only from regular files, and
    # links to them, and never outside the folder. start counts from the end if negative
    place, name = PurePath(key), shortened(key)
    if ".." in place.parts or place.is_absolute() or place.drive:
        raise ImageError(folder, f"its part {name} lies outside of the folder; get a fresh copy")
    inputs.hold([folder])
    try:
        with opened(folder / key, "a fresh copy") as stream:
            size = os.fstat(stream.fileno()).st_size
            first, *_ = slice(start, stop).indices(size)
            length = len(range(*slice(start, stop).indices(size)))
            if length > most:
                raise RefusedError(
                    f"it has {length:,} bytes, but at most {most:,} are expected; get a fresh copy"
                )
            stream.seek(first)
            return stream.read(length)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ImageError(folder, f"its part {name} cannot be used: {plain(error)}") from error


def chunk_marks(folder: Path, depth: int, before: str = "") -> Iterator[str]:
    """Yield the name, size and last change of each chunk in an array's folder, in order."""
    # depth: of folders in folders, which links to folders could make endless
    with os.scandir(folder) as entries:
        found = sorted((one for one in entries if _CHUNK.fullmatch(one.name)), key=_name)
    for one in found:
        name = f"{before}{one.name}"
        if depth and one.is_dir(follow_symlinks=False):
            yield from chunk_marks(Path(one.path), depth - 1, f"{name}/")
        else:
            try:
                status = one.stat()
            except FileNotFoundError:  # of a link that leads nowhere
                status = one.stat(follow_symlinks=False)
            yield f"{name} {status.st_size} {status.st_mtime_ns}\n"


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name
