"""Session files: a zip archive of one JSON text and of arrays, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import math
import os
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from latviz import __version__
from latviz.core.disk import npy
from latviz.core.disk.errors import plain, shortened
from latviz.core.disk.reading import opened
from latviz.core.disk.writing import replacing
from latviz.core.json_text import from_json
from latviz.files import levels, memory
from latviz.files.decoding import DecodeError, decoding
from latviz.files.errors import ImageError, SessionError
from latviz.files.listing import listed
from latviz.files.suffixes import is_zarr
from latviz.files.writing import add_array, member

VERSION = 2
"""Increased when older programs cannot read the new files."""
MOST_TEXT = 1 << 24
"""Bytes of JSON that are read."""
MOST_VALUES = 5
"""Numbers per pixel that are read: three colours, a label and a state."""
_FORMAT = "latviz session"
_TEXT = "session.json"
OWNER_ALONE = 0o600
"""The mode of a session's file: it may hold a picture that is private."""

PathLike = str | os.PathLike[str]
Arrays = dict[str, NDArray[Any]]


def write_session(
    path: PathLike, content: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a session; an older file stays whole until the new one is; else `ExportError`."""
    # content: finite numbers, text, booleans, None, lists and mappings of these
    head = {"format": _FORMAT, "version": VERSION, "latviz": __version__, "content": content}
    text = json.dumps(head, indent=1, allow_nan=False)
    with replacing(path, OWNER_ALONE) as stream, zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(member(_TEXT), text)
        for name, array in arrays.items():
            add_array(archive, name, array)


def read_session(
    path: PathLike, names: Collection[str] | None = None
) -> tuple[dict[str, Any], Arrays]:
    """Return the content of a session, only the arrays of ``names``, or raise `SessionError`."""
    # Arrays are read-only. It is raised for files that are damaged, of a newer program, or larger
    # than memory
    path = Path(path)
    try:
        with opened(path, "a session file") as stream, decoding("session"):
            return _read(stream, names)
    except DecodeError as error:
        raise SessionError(path, error.reason) from error
    except OSError as error:
        raise SessionError(path, plain(error)) from error
    except MemoryError as error:
        raise SessionError(path, "there is not enough memory; close other programs") from error


def sha256_of(path: PathLike, reduction: int = 1) -> str:
    """Return the SHA-256 of an image file's bytes, as hexadecimal digits, or raise `ImageError`."""
    # Of a zarr folder there are two: see `levels.digest`, which ``reduction`` is for
    try:
        if is_zarr(path):
            return levels.digest(path, reduction)
        paths = [one.path for one in listed([path]).files] if os.path.isdir(path) else []
        if paths:  # which are slices
            each = "".join(f"{one.name}\0{sha256_of(one)}" for one in paths)
            return hashlib.sha256(os.fsencode(each)).hexdigest()
        with opened(Path(path)) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except DecodeError as error:
        raise ImageError(Path(path), error.reason) from error
    except OSError as error:
        raise ImageError(Path(path), plain(error)) from error


def is_same(kept: str, found: str) -> bool:
    """Return True if the file of a kept digest is unchanged; older ones ignored chunks of zarr."""
    return kept in (found, found.partition("-")[0])


def _read(stream: IO[bytes], names: Collection[str] | None = None) -> tuple[dict[str, Any], Arrays]:
    if not zipfile.is_zipfile(stream):
        raise DecodeError("it is not a session, or it is damaged or cut off; get a fresh copy")
    with zipfile.ZipFile(stream) as archive:
        content = _content(archive)
        members = npy.members(archive)
        if names is not None:
            members = {name: info for name, info in members.items() if name in names}
        _check_sizes(archive, members)
        return content, {name: _array(archive, name, info) for name, info in members.items()}


def _content(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Return the content of the text, if this program can read it."""
    if _TEXT not in archive.namelist():
        raise DecodeError("it is an archive, but holds no session; choose another file")
    info = archive.getinfo(_TEXT)
    if info.file_size > MOST_TEXT:
        raise DecodeError(
            f"its settings take {info.file_size:,} bytes, too many for a session; get a fresh copy"
        )
    head = from_json(archive.read(info))
    if not isinstance(head, dict) or head.get("format") != _FORMAT:
        raise DecodeError("it is an archive, but holds no session; choose another file")
    version = head.get("version")
    if type(version) is int and version > VERSION:
        raise DecodeError(
            f"it was saved by a newer latviz ({str(head.get('latviz'))[:20]}, format {version}) "
            f"and this one reads format {VERSION}; update latviz"
        )
    content = head.get("content")
    if version not in range(1, VERSION + 1) or not isinstance(content, dict):
        raise DecodeError("its settings are damaged; get a fresh copy")
    return content


def _check_sizes(archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo]) -> None:
    """Raise `DecodeError` unless the declared content of the members fits into memory."""
    n_values = n_bytes = 0
    for name, info in members.items():
        try:
            header = npy.header_in(archive, info)
        except ValueError as error:
            raise _damaged(name) from error
        kinds = "fmM" if name.endswith(".x") else "biuf"  # a picture's places may be times
        if header.dtype.kind not in kinds:
            raise _damaged(name)
        n_values, n_bytes = n_values + math.prod(header.shape), n_bytes + header.n_bytes
    n_pixels = n_values / MOST_VALUES
    taken = n_bytes + n_pixels * memory.EXPLORED
    if n_pixels > memory.MAX_PIXELS or taken > memory.available():
        raise DecodeError(
            f"its image takes {n_bytes:,} bytes, more than can be explored in the memory that is "
            "free; close other programs, or save it with a smaller image"
        )


def _damaged(name: str) -> DecodeError:
    return DecodeError(
        f"its array {shortened(name + npy.SUFFIX)} is damaged or of an unknown kind; get a fresh "
        "copy"
    )


def _array(archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo) -> NDArray[Any]:
    try:
        array = npy.array_in(archive, info)
    except ValueError as error:
        raise _damaged(name) from error
    array = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="), copy=False))
    array.flags.writeable = False
    return array
