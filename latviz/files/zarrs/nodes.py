"""The bytes of a zarr folder, its arrays and groups, and which image of several is meant."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path, PurePath
from typing import Any

from latviz.core.disk import inputs
from latviz.core.disk.errors import RefusedError, plain, shortened
from latviz.core.disk.reading import opened
from latviz.core.json_text import from_json
from latviz.files.decoding import DecodeError
from latviz.files.errors import ImageError
from latviz.files.suffixes import DESCRIPTIONS
from latviz.files.zarrs.headers import brief, check_header

MOST_TEXT = 2**25
"""Bytes of a text that describes an array or a group."""
NAMED = 6
"""Images of a folder that an error names."""
MOST_PLACES = 2**12
"""Most places of a folder where an image is searched."""


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


@dataclass(frozen=True, eq=False)
class Node:
    """An array or a group."""

    path: str  # in the folder, with slashes; empty for the folder itself
    header: dict[str, Any]  # of an array, checked; of a group only its ``zarr_format``
    attributes: dict[str, Any]  # the writer's metadata

    @property
    def is_array(self) -> bool:
        """True for an array."""
        return "shape" in self.header

    @property
    def zarr_format(self) -> int:
        """The version of the format, 2 or 3."""
        return int(self.header["zarr_format"])

    @property
    def ngff(self) -> Mapping[str, Any]:
        """The attributes of OME-NGFF: under ``ome`` since 0.5."""
        inner = self.attributes.get("ome")
        return inner if isinstance(inner, Mapping) else self.attributes

    @property
    def is_image(self) -> bool:
        """True for an array, or a group that describes the levels of an image."""
        return self.is_array or bool(self.ngff.get("multiscales"))


def read_node(folder: Path, path: str = "") -> Node | None:
    """Return the array or group at a path in a folder, or None; `ImageError` if it is damaged."""
    # Consolidated metadata are ignored: only the texts next to arrays and groups count
    document = _document(folder, path, "zarr.json")
    if document is not None:
        return _of_format_3(folder, path, document)
    document = _document(folder, path, ".zarray")
    if document is not None:
        header = _checked(folder, path, {**document, "zarr_format": 2})
        return Node(path, header, _document(folder, path, ".zattrs") or {})
    if _document(folder, path, ".zgroup") is None:
        return None
    return Node(path, {"zarr_format": 2}, _document(folder, path, ".zattrs") or {})


def find_image(folder: Path) -> Node:
    """Return the only image of a folder, itself or in a known layout, or raise `ImageError`."""
    # Layouts are those of bioformats2raw, of plates and wells, and groups of arrays. The message
    # names some images if there are several
    root = read_node(folder)
    if root is None:
        if not folder.exists():
            raise ImageError(folder, plain(FileNotFoundError(errno.ENOENT, "")))
        raise ImageError(
            folder,
            "it is neither a zarr array nor an OME-Zarr image; choose one that is",
        )
    if root.is_image:
        return root
    found = list(islice(_images_of(folder, root), NAMED + 1))
    if len(found) == 1:
        return found[0]
    if not found:
        raise ImageError(
            folder,
            "it is a zarr group without multiscales, and no image is found in it; choose an array "
            "or an OME-Zarr image",
        )
    names = ", ".join(shortened(f"{folder.name}/{one.path}") for one in found[:NAMED])
    more = ", …" if len(found) > NAMED else ""
    raise ImageError(folder, f"it holds several images; open one of them: {names}{more}")


def joined(*parts: str) -> str:
    """Return a path in a folder from its parts, some of which may be empty."""
    return "/".join(part.strip("/") for part in parts if part.strip("/"))


def _images_of(folder: Path, group: Node) -> Iterator[Node]:
    for place in islice(_places(folder, group), MOST_PLACES):
        node = read_node(folder, place)
        if node is not None and node.is_image:
            yield node


def _places(folder: Path, group: Node) -> Iterator[str]:
    """Yield the paths of possible images of a group, in its own order."""
    ngff = group.ngff
    if "plate" in ngff:
        for well in _paths(ngff["plate"], "wells"):
            yield from _fields(folder, joined(group.path, well))
    elif "well" in ngff:
        yield from (joined(group.path, field) for field in _paths(ngff["well"], "images"))
    elif "bioformats2raw.layout" in ngff:
        yield from (joined(group.path, one) for one in _series(folder, group.path))
    else:
        yield from (joined(group.path, one) for one in _inside(folder, group.path))


def _fields(folder: Path, path: str) -> Iterator[str]:
    well = read_node(folder, path)
    if well is not None:
        yield from (joined(path, field) for field in _paths(well.ngff.get("well"), "images"))


def _series(folder: Path, path: str) -> Iterator[str]:
    """Yield the groups that the group ``OME`` lists, or those numbered from 0."""
    node = read_node(folder, joined(path, "OME"))
    listed = node.ngff.get("series") if node is not None else None
    if isinstance(listed, list) and listed:
        yield from (one for one in listed if isinstance(one, str))
        return
    for number in map(str, count()):
        if read_node(folder, joined(path, number)) is None:
            return
        yield number


def _inside(folder: Path, path: str) -> list[str]:
    """Return the folders in a group that are arrays or groups themselves."""
    try:
        with os.scandir(folder / path) as entries:
            names = sorted(one.name for one in islice(entries, MOST_PLACES) if one.is_dir())
    except OSError as error:
        raise ImageError(folder, plain(error)) from error
    place = folder / path
    return [name for name in names if any((place / name / one).exists() for one in DESCRIPTIONS)]


def _paths(owner: Any, key: str) -> Iterator[str]:
    """Yield the paths in a list of objects; nothing for other values."""
    listed = owner.get(key) if isinstance(owner, Mapping) else None
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, Mapping) and isinstance(one.get("path"), str):
            yield one["path"]


def _of_format_3(folder: Path, path: str, document: dict[str, Any]) -> Node:
    attributes = document.get("attributes", {})
    if not isinstance(attributes, dict):
        reason = f"its attributes must be an object, got {brief(attributes)}; get a fresh copy"
        raise ImageError(folder, reason)
    if document.get("node_type") == "group":
        return Node(path, {"zarr_format": 3}, attributes)
    if document.get("node_type") != "array":
        kind = brief(document.get("node_type"))
        raise ImageError(folder, f"it must be an array or a group, got {kind}; get a fresh copy")
    kept = {k: v for k, v in document.items() if k not in ("attributes", "consolidated_metadata")}
    return Node(path, _checked(folder, path, {**kept, "zarr_format": 3}), attributes)


def _checked(folder: Path, path: str, header: dict[str, Any]) -> dict[str, Any]:
    try:
        check_header(header)
    except DecodeError as error:
        place = f"its array {shortened(path)}: " if path else ""
        raise ImageError(folder, f"{place}{error.reason}") from error
    return header


def _document(folder: Path, path: str, name: str) -> dict[str, Any] | None:
    """Return the JSON object in a file, or None if the file is not there."""
    key = joined(path, name)
    text = read_part(folder, key, MOST_TEXT)
    if text is None:
        return None
    try:
        found = from_json(text)
    except ValueError as error:
        reason = f"its part {shortened(key)} is not JSON; get a fresh copy"
        raise ImageError(folder, reason) from error
    if not isinstance(found, dict):
        raise ImageError(
            folder, f"its part {shortened(key)} must hold an object, got {brief(found)}"
        )
    return found
