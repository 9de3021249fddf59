"""Label images by their names: which files are some, and which belong to an image."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from latviz.files.formats import has_suffix, suffixes

ENDINGS = (".labels", "_labels")
"""The text between the name of an image and the suffix of its labels."""
MASK = ".mask"
"""The text between the name of an image and the suffix of its mask."""
FOLDER = "labels"
"""The folder next to images for labels with the names of the images."""
_TICK_NS, _SECOND_NS = 50_000_000, 1_000_000_000
"""Within the first a folder may change twice in one time of change; some disks count in seconds."""
_KEPT_S = 5
"""Seconds for which the names in a folder are cached while its time of change stays."""


def labels_next_to(path: Path, rule: str = "") -> Path | None:
    """Return the label image of an image folder/name.jpg, or None."""
    # ``rule`` is a folder that holds labels as name.png, or the text between name and suffix, such
    # as "_truth". Without it name.labels.png, name.jpg.labels.png, name_labels.png and
    # labels/name.png are tried in this order, also with other suffixes (`formats.suffixes`). Case
    # matters only in the name of the image
    return next(_there(path, rule, suffixes().labels), None)


def lossy_labels_next_to(path: Path, rule: str = "") -> Path | None:
    """Return the label image of an image in a format that changes values; or None."""
    return next(_there(path, rule, suffixes().lossy), None)


def mask_next_to(path: Path) -> Path | None:
    """Return the mask of an image name.tif: name.mask.png or name.tif.mask.png; or None."""
    places = ((path.parent, one, MASK) for one in (path.stem, path.name))
    return next(_named_so(places, path, suffixes().labels), None)


def labels_of(path: Path, rule: str = "") -> list[Path]:
    """Return all files, absolute, that are label images or the mask of an image by their names."""
    # Including those that cannot be read as labels, because their format changes values
    known = suffixes()
    found = [*_there(path, rule, known.labels), *_there(path, rule, known.lossy)]
    found += [one] if (one := mask_next_to(path)) is not None else []
    places = [Path(os.path.abspath(one)) for one in found]
    return [
        one for one in places if not has_suffix(one, known.lossy) or not _same_but_suffix(one, path)
    ]


def _same_but_suffix(one: Path, other: Path) -> bool:
    """Return True if two files differ only in their suffix."""
    return one.stem == other.stem and one.parent == other.parent


def is_labels(path: Path, rule: str = "") -> bool:
    """Return if a file is a label image, or a mask, by its name."""
    # A name with the ending of the rule, or .labels, is one, even if its image is not listed; one
    # with _labels or .mask, or in a folder of labels, only if its image is there
    folder, stem = path.parent, path.stem
    if stem.casefold().endswith(MASK) and _has_image(folder, stem[: -len(MASK)]):
        return True
    for ending in (rule,) if rule else ENDINGS:
        base = stem[: -len(ending)]
        if base and stem.casefold().endswith(ending.casefold()):
            return ending != ENDINGS[1] or bool(rule) or _has_image(folder, base)
    return not rule and holds_labels(folder) and _has_image(folder.parent, stem)


def holds_labels(folder: Path, rule: str = "") -> bool:
    """Return True if a folder holds label images, by its name."""
    if folder.name.casefold() == FOLDER:
        return True
    places = (Path(rule), folder.parent / rule) if rule else ()
    return os.path.abspath(folder) in map(os.path.abspath, places)


def may_be_labels(path: Path, rule: str = "") -> bool:
    """Return if a file is a label image by its name, or by that of its folder."""
    is_image = has_suffix(path, suffixes().images)
    return is_image and (holds_labels(path.parent, rule) or is_labels(path, rule))


def _there(path: Path, rule: str, some: Sequence[str]) -> Iterator[Path]:
    """Yield the label images of an image that are there, by the order in which they are taken."""
    yield from _named_so(_candidates(path, rule), path, some)


def _named_so(
    places: Iterable[tuple[Path, str, str]], path: Path, some: Sequence[str]
) -> Iterator[Path]:
    """Yield the files of some folders, stems and endings that are there, but for the image."""
    for folder, stem, ending in places:
        names = _names(folder)
        for suffix in some:
            for name in _named(names, stem, f"{ending}{suffix}"):
                found = folder / name
                if found != path and found.is_file():
                    yield found


def _candidates(path: Path, rule: str) -> Iterator[tuple[Path, str, str]]:
    """Yield the folder of label images, the name of the image in theirs, and the suffixes."""
    if rule:
        here = Path(rule)
        folder = here if here.is_absolute() or os.path.isdir(here) else path.parent / rule
        yield (folder, path.stem, "") if os.path.isdir(folder) else (path.parent, path.stem, rule)
        return
    yield path.parent, path.stem, ENDINGS[0]
    yield path.parent, path.name, ENDINGS[0]
    yield path.parent, path.stem, ENDINGS[1]
    for name in _named(_names(path.parent), "", FOLDER):
        yield path.parent / name, path.stem, ""


def _has_image(folder: Path, name: str) -> bool:
    """Return True if a folder has an image of a name, with its suffix or without."""
    names, images = _names(folder), suffixes().images
    endings = (*images, "") if has_suffix(name, images) else images
    return any(_named(names, name, ending) for ending in endings)


def _named(names: Mapping[str, list[str]], stem: str, ending: str) -> list[str]:
    """Return the names of a stem and an ending, which may be in small or capital letters."""
    wanted = f"{stem}{ending}"
    found = [name for name in names.get(wanted.casefold(), ()) if name.startswith(stem)]
    return sorted(found, key=lambda name: name != wanted)


def _names(folder: Path) -> Mapping[str, list[str]]:
    """Return the names in a folder, by themselves in small letters."""
    # Cached until the folder changes, as they are needed once an image
    try:
        changed = os.stat(folder).st_mtime_ns
    except (OSError, ValueError):
        return {}
    tick = _TICK_NS if changed % _SECOND_NS else 2 * _SECOND_NS
    if time.time_ns() - changed < tick:
        return _listed(str(folder))
    return _kept(str(folder), changed, int(time.monotonic() / _KEPT_S))


def _listed(folder: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    with suppress(OSError):
        for name in sorted(os.listdir(folder)):
            found.setdefault(name.casefold(), []).append(name)
    return found


@lru_cache(maxsize=16)
def _kept(folder: str, *_: int) -> dict[str, list[str]]:
    return _listed(folder)
