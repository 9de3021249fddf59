"""The files that folders, globs and names stand for, and the label images beside them."""

from __future__ import annotations

import errno
import glob
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from latviz.core.disk.errors import FileError, plain
from latviz.files.errors import ImageError
from latviz.files.formats import IMAGE_NAMES, IMAGES, LABELS

PathLike = str | os.PathLike[str]

ENDINGS = (".labels", "_labels")
"""What comes between the name of an image and the suffix of its labels."""
FOLDER = "labels"
"""The folder beside images in which labels have the names of the images."""
_DIGITS = re.compile(r"(\d+)")


class Listed(NamedTuple):
    """A file: where it is, its size in bytes, and when it was changed last, in nanoseconds."""

    path: Path
    size: int
    mtime: int


def listed(
    places: Iterable[PathLike], *, recursive: bool = False, labels: str = ""
) -> tuple[list[Listed], list[FileError]]:
    """Return the files that places stand for, each once, and what is wrong with some of them.

    Parameters
    ----------
    places : iterable of str or path-like
        Files, which are taken as they are; folders; and patterns such as ``scans/*.tif``, where no
        file has that name. Of folders and patterns only images are taken, told by their suffixes.
        Hidden files and label images are left out.
    recursive : bool, optional
        Whether folders in folders are looked into, too. A pattern with ``**`` does by itself.
    labels : str, optional
        As for `labels_beside`.

    Returns
    -------
    files : list of Listed
        Place by place; those of one place in natural order, in which 9 comes before 10.
    failures : list of FileError
        A line each.
    """
    files, failures = dict[Path, Listed](), list[FileError]()
    for place in places:
        try:
            paths = _paths_of(place, recursive, labels, failures)
            found = [_listed(path) for path in paths]
        except FileError as error:
            failures.append(error)
            continue
        files |= {one.path: files.get(one.path, one) for one in found}
    return list(files.values()), failures


def natural(path: Path) -> list[tuple[int, int, str]]:
    """Return a key by which names are sorted as people do: their numbers as numbers."""
    parts = _DIGITS.split(str(path).casefold())
    return [(0, int(part), part) if part.isdecimal() else (1, 0, part) for part in parts if part]


def labels_beside(path: Path, rule: str = "") -> Path | None:
    """Return the label image of an image; None if there is none.

    Parameters
    ----------
    path : Path
        Of the image ``folder/name.jpg``.
    rule : str, optional
        A folder that holds labels of the name ``name.png``, or what comes between the name and the
        suffix, such as "_truth". Without it ``name.labels.png``, ``name.jpg.labels.png``,
        ``name_labels.png`` and ``labels/name.png`` are looked for, in this order. They may have
        other suffixes, see `LABELS`.

    Returns
    -------
    Path or None
    """
    return next((p for p in _candidates(path, rule) if p != path and p.is_file()), None)


def _candidates(path: Path, rule: str) -> Iterator[Path]:
    stems = [path.with_name(path.stem + ending) for ending in ENDINGS]
    stems.insert(1, path.with_name(path.name + ENDINGS[0]))
    stems.append(path.parent / FOLDER / path.stem)
    if rule and _is_folder(rule, path):
        stems = [_folder(rule, path) / path.stem]
    elif rule:
        stems = [path.with_name(path.stem + rule)]
    for stem in stems:
        yield from (stem.with_name(stem.name + suffix) for suffix in LABELS)


def _folder(rule: str, path: Path) -> Path:
    """Return the folder that a rule names: from here, or else from where the image is."""
    here = Path(rule)
    return here if here.is_absolute() or here.is_dir() else path.parent / rule


def _is_folder(rule: str, path: Path) -> bool:
    return _folder(rule, path).is_dir()


def _paths_of(
    place: PathLike, recursive: bool, labels: str, failures: list[FileError]
) -> list[Path]:
    """Return the files of a place; what is wrong with folders in it is added to ``failures``."""
    path = Path(place)
    try:
        if path.is_dir():
            found = sorted(_in_folder(path, recursive, failures), key=natural)
        elif path.exists() or not glob.has_magic(str(place)):
            return [path]
        else:
            matched = glob.glob(os.path.expanduser(place), recursive=True)
            found = sorted(filter(_is_image, map(Path, matched)), key=natural)
    except OSError as error:
        raise ImageError(path, plain(error)) from error
    except ValueError as error:  # null characters
        raise ImageError(path, plain(FileNotFoundError(errno.ENOENT, ""))) from error
    if not found:
        what = "it holds no image" if path.is_dir() else "no image is named like this"
        raise ImageError(path, f"{what} that can be read ({IMAGE_NAMES})")
    return _without_labels(found, labels)


def _in_folder(folder: Path, recursive: bool, failures: list[FileError]) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            path = Path(entry.path)
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):  # links could lead in a circle
                if recursive and entry.name != FOLDER:
                    yield from _in_folder_inside(path, failures)
            elif _is_image(path):
                yield path


def _in_folder_inside(folder: Path, failures: list[FileError]) -> Iterator[Path]:
    """Yield the files of a folder in another one; one that cannot be read costs no other."""
    try:
        yield from _in_folder(folder, True, failures)
    except OSError as error:
        failures.append(ImageError(folder, plain(error)))


def _is_image(path: Path) -> bool:
    is_hidden = path.name.startswith(".")
    return not is_hidden and path.suffix.lower() in IMAGES and not path.is_dir()


def _without_labels(paths: list[Path], rule: str) -> list[Path]:
    """Return those that are not the labels of another one."""
    there = set(paths)
    labels = {label for path in paths for label in _candidates(path, rule) if label != path}
    return [path for path in paths if path not in labels & there]


def _listed(path: Path) -> Listed:
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        reason = plain(error) if isinstance(error, OSError) else "its name is no file's"
        raise ImageError(path, reason) from error
    return Listed(Path(os.path.abspath(path)), found.st_size, found.st_mtime_ns)
