"""The files behind folders, globs and names, with their label images."""

from __future__ import annotations

import errno
import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from latviz.core.disk.errors import FileError, plain
from latviz.files.errors import ImageError
from latviz.files.formats import has_suffix, suffixes
from latviz.files.label_files import (
    holds_labels,
    is_labels,
    labels_next_to,
    labels_of,
    lossy_labels_next_to,
)
from latviz.files.marks import is_marked
from latviz.files.suffixes import PathLike, is_zarr

_DIGITS = re.compile(r"(\d+)")


class ListedFile(NamedTuple):
    """A file: its path, its size in bytes, and its last change, in nanoseconds."""

    path: Path
    size: int
    mtime: int


class Listing(NamedTuple):
    """The files of some places, the errors of others, and the files that are left out."""

    files: list[ListedFile]
    failures: list[FileError]
    own: set[Path]  # that latviz wrote, see `marks`


def listed(places: Iterable[PathLike], *, recursive: bool = False, labels: str = "") -> Listing:
    """Return the files of some places, each once."""
    # Files are always taken; of folders, and of patterns such as scans/*.tif that are not the name
    # of a file, only images by suffix: none that is hidden, holds labels (see `is_labels`), or was
    # written by latviz (`is_marked`). Folders in folders count if ``recursive``, or by a pattern
    # with **. The files of one place are in natural order, 9 before 10
    files, failures, own = dict[Path, ListedFile](), list[FileError](), set[Path]()
    for place in places:
        try:
            paths = _paths_of(place, recursive, labels, failures, own)
            found = [_listed(path) for path in paths]
        except FileError as error:
            failures.append(error)
            continue
        files |= {one.path: files.get(one.path, one) for one in found}
    kept = without_labels(files, labels)
    return Listing([files[path] for path in kept], [*failures, *_lossy(kept, labels)], own)


def without_labels(paths: Iterable[Path], rule: str = "") -> list[Path]:
    """Return the files, given by absolute paths, that are not label images of others that stay."""
    known, kept = set[Path](), list[Path]()
    for path in paths:
        if path not in known:
            known.update(labels_of(path, rule))
            kept.append(path)
    return [path for path in kept if path not in known]


def _lossy(kept: Sequence[Path], rule: str) -> list[FileError]:
    """Return one error for all label images whose format may change values, if any."""
    alone = (path for path in kept if labels_next_to(path, rule) is None)
    found = [one for path in alone if (one := lossy_labels_next_to(path, rule)) is not None]
    if not found:
        return []
    more = f" (files in all: {len(found):,})" if len(found) > 1 else ""
    reason = (
        f"it is not read as labels{more}: its format may change values; save labels as "
        f"{suffixes().labels[0]}"
    )
    return [ImageError(found[0], reason)]


def among_others(zarrs: Sequence[Path]) -> str:
    """Return why zarr folders, which are images by themselves, are left out among other images."""
    more = f" (folders in all: {len(zarrs):,})" if len(zarrs) > 1 else ""
    return f"it is a zarr folder, which cannot be one of several images{more}; open it by itself"


def natural(path: Path) -> list[tuple[int, int, str]]:
    """Return a key for sorting names as people do: their numbers as numbers."""
    parts = _DIGITS.split(str(path).casefold())
    return [(0, int(part), part) if part.isdecimal() else (1, 0, part) for part in parts if part]


def _paths_of(
    place: PathLike, recursive: bool, labels: str, failures: list[FileError], own: set[Path]
) -> list[Path]:
    """Return the files of a place; add errors of its folders, and the files that latviz wrote."""
    path, zarrs = Path(place), list[Path]()
    try:
        if path.is_dir():
            found = _inside(path, recursive, labels, failures, zarrs)
        elif path.exists() or not glob.has_magic(str(place)):
            return [path]
        else:
            found = _matching(path.expanduser())
            zarrs += filter(is_zarr, found)
        images = sorted(filter(_is_image, found), key=natural)
    except OSError as error:
        raise ImageError(path, plain(error)) from error
    except ValueError as error:  # null characters
        raise ImageError(path, plain(FileNotFoundError(errno.ENOENT, ""))) from error
    if zarrs:
        failures.append(ImageError(min(zarrs, key=natural), among_others(zarrs)))
    pictures = [one for one in images if not is_labels(one, labels)]
    kept = [one for one in pictures if not is_marked(one)]
    own.update({*pictures} - {*kept})
    if not kept and not zarrs:
        what = "it holds no image" if path.is_dir() else "this pattern fits no image"
        others = "files that latviz wrote" if pictures else "label images"
        but = f"; there are only {others}" if images else ""
        raise ImageError(path, f"{what} that can be read ({suffixes().names}){but}")
    return kept


def _inside(
    folder: Path, recursive: bool, labels: str, failures: list[FileError], zarrs: list[Path]
) -> list[Path]:
    """Return the images in a folder; its errors and its zarr folders are added to lists."""

    def enters(one: Path) -> bool:
        if is_zarr(one):
            zarrs.append(one)
            return False
        return one == folder or (recursive and not holds_labels(one, labels))

    def failed(one: Path, error: OSError) -> None:
        failures.append(ImageError(one, plain(error)))

    return list(images_in(folder, enters, failed)) if enters(folder) else []


def _matching(pattern: Path) -> list[Path]:
    """Return the files of a pattern; a part that exists literally is a name."""
    found = [Path(pattern.anchor)]
    parts = pattern.parts[1:] if pattern.anchor else pattern.parts
    for k, part in enumerate(parts):
        is_last = k == len(parts) - 1
        found = [one for place in found for one in _matching_part(place, part, is_last)]
    return list(dict.fromkeys(found))


def _matching_part(place: Path, part: str, is_last: bool) -> Iterator[Path]:
    """Yield the matches of one part of a pattern in a folder."""
    if part == "**":
        for folder, folders, files in os.walk(place):
            folders[:] = [name for name in folders if not name.startswith(".")]
            yield Path(folder)
            if is_last:
                yield from (Path(folder, name) for name in files)
    elif os.path.lexists(place / part):
        yield place / part
    elif glob.has_magic(part):
        yield from (place / name for name in glob.glob(part, root_dir=place))


def images_in(
    folder: Path, enters: Callable[[Path], bool], failed: Callable[[Path, OSError], None]
) -> Iterator[Path]:
    """Yield the images in a folder, in no order, and those in the folders that are entered."""
    # Hidden files and folders are left out, and so are links to folders, which could lead in a
    # circle. A folder that cannot be read is handed to ``failed``, and the others go on.
    with os.scandir(folder) as entries:
        for entry in entries:
            path = Path(entry.path)
            if entry.name.startswith("."):
                continue
            if not entry.is_dir(follow_symlinks=False):
                yield from [path] if _is_image(path) else []
            elif enters(path):
                try:
                    yield from images_in(path, enters, failed)
                except OSError as error:
                    failed(path, error)


def _is_image(path: Path) -> bool:
    is_hidden = path.name.startswith(".")
    return not is_hidden and has_suffix(path, suffixes().images) and not path.is_dir()


def _listed(path: Path) -> ListedFile:
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        reason = plain(error) if isinstance(error, OSError) else "its name is not a file name"
        raise ImageError(path, reason) from error
    return ListedFile(Path(os.path.abspath(path)), found.st_size, found.st_mtime_ns)
