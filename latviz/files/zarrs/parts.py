"""Bytes of the files in a zarr folder: texts that describe it, and chunks."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

from latviz.core.disk import inputs
from latviz.core.disk.errors import RefusedError, plain, shortened
from latviz.core.disk.reading import opened
from latviz.files.errors import ImageError


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
