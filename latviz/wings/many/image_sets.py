"""Images and their classes as they lie on a disk: a folder a class, a CSV, or PASCAL VOC's layout.

Images are listed, not read: each is read from its file when it is called for, so that a classifier
can learn from more of them than memory holds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.color import luma
from latviz.core.disk.errors import RefusedError, plain
from latviz.core.disk.reading import read_bytes
from latviz.files.errors import ImageError, ImageSetError
from latviz.files.formats import suffixes
from latviz.files.images import read_image
from latviz.files.label_files import is_labels
from latviz.files.listing import among_others, images_in
from latviz.files.marks import is_marked
from latviz.files.suffixes import is_zarr
from latviz.wings.many.classify.gathering import is_coloured
from latviz.wings.many.lists import ListError, decoded, file_of, read_items

MOST_BYTES = 1 << 26
"""Of a table of names, or of an annotation: larger ones are something else."""
_LISTS = "ImageSets/Main", "ImageSets"
"""The folder of PASCAL VOC's lists of images: since 2007, and in 2006."""
_PICTURES = "JPEGImages", "PNGImages"
"""The folder of its images, by the same."""
_OBJECT = re.compile(r'^\s*Original label for object \d+ "PAS([A-Z]?[a-z]+)(\w*)" :', re.MULTILINE)
"""The line of an object in annotations of 2006: its class, then view, "Trunc" and "Difficult"."""
COLOURED = "palette", "rgb", "lab", "labels"
"""Encodings for which images are kept in colour; for all others they are made grey."""


def colours_for(classifier: Any) -> bool | None:
    """Return whether a classifier sees colours; None if that depends on its first image."""
    if classifier.trained is not None:
        return is_coloured(classifier.trained.kind)
    grey, coloured = (
        any(one is not None and one.name in COLOURED for one in classifier.encodings(kind))
        for kind in (False, True)
    )
    return grey if grey == coloured else None


@dataclass(frozen=True)
class ImageOnDisk:
    """An image that is read when it is called."""

    path: Path
    name: str  # for messages: its path from the data set on, as several may share a file's name
    # True: three channels, also for grey; False: grey, also for colours; None: unchanged
    colours: bool | None = None

    def __call__(self) -> NDArray[Any]:
        """Return its pixels, (H, W) or (H, W, 3), masked where they are unknown."""
        # An `ImageError` has its ``name``
        try:
            file = read_image(self.path)
        except ImageError as error:
            error.name = self.name
            raise
        pixels = self._coloured(file.pixels)
        if file.known is None:
            return pixels
        hidden = ~file.known.reshape(*file.known.shape, *(1,) * (pixels.ndim - file.known.ndim))
        return np.ma.MaskedArray(pixels, np.broadcast_to(hidden, pixels.shape))

    def _coloured(self, pixels: NDArray[Any]) -> NDArray[Any]:
        if self.colours and pixels.ndim == 2:
            return np.repeat(pixels[..., None], 3, axis=2)
        if self.colours is False and pixels.ndim == 3:
            grey = luma(pixels)
            whole = pixels.dtype.kind == "u"
            return np.asarray(np.rint(grey) if whole else grey, dtype=pixels.dtype)
        return pixels


@dataclass(frozen=True)
class ImageSet:
    """Images and their classes."""

    images: tuple[ImageOnDisk, ...]
    labels: tuple[str, ...]  # the class of each; empty where classes are not known
    notes: tuple[str, ...] = ()  # omitted images, one short sentence each

    def with_colours(self, colours: bool | None) -> ImageSet:
        """Return the set with all images in colour, or all grey; see `ImageOnDisk`."""
        images = tuple(replace(image, colours=colours) for image in self.images)
        return replace(self, images=images)


def read_image_set(
    path: str | os.PathLike[str], split: str = "", *, lenient: bool = False
) -> ImageSet:
    """List the images of a data set and their classes, by name or by line; else `ImageSetError`."""
    # A folder with ImageSets has the layout of PASCAL VOC, of 2006 or later: the images of a
    # ``split`` ("train" by default) are those marked by 1 in CLASS_SPLIT.txt; without such files,
    # those of SPLIT.txt, by the objects of their annotations that are not difficult. An image of
    # several classes is left out, with a note. Any other folder has a folder for each class, with
    # its images anywhere below. A CSV has a line for each image: its path relative to the CSV's
    # folder, and its class; see `lists.read_items`.
    # lenient: classes without images and missing files are left out, with a note each
    place = Path(path)
    try:
        if not place.is_dir():
            found = _of_table(place, lenient)
        elif (lists := _first_folder(place, _LISTS)) is not None:
            return _of_voc(place, lists, split or "train", lenient)
        else:
            found = _of_folders(place, lenient)
    except OSError as error:
        raise _refused(place, error) from error
    if split:
        raise ImageSetError(
            place,
            f"only folders of PASCAL VOC have a split such as {split!r}; leave the split out",
        )
    return found


def read_images(path: str | os.PathLike[str]) -> ImageSet:
    """List images without classes: a file, or those anywhere in a folder; else `ImageSetError`."""
    place, notes = Path(path), list[str]()
    try:
        if place.is_dir():
            found = _named(_images_below(place, notes), place)
        else:
            found = [ImageOnDisk(place, place.name)]
    except OSError as error:
        raise _refused(place, error) from error
    if not found:
        raise ImageSetError(place, _no_image(place))
    return ImageSet(tuple(found), (), tuple(notes))


def _refused(place: Path, error: OSError) -> ImageSetError:
    """Return the system's error on a data set, with the file that caused it."""
    return ImageSetError(Path(error.filename or place), plain(error))


def _no_image(folder: Path) -> str:
    if is_zarr(folder):
        return among_others([folder])
    return f"it holds no image ({suffixes().names}); put some into it or choose another folder"


def _images_below(place: Path, notes: list[str]) -> list[Path]:
    """Return the images anywhere in a folder by name, without labels and, noted, own files."""

    def failed(_folder: Path, error: OSError) -> None:
        raise error

    entered = () if is_zarr(place) else images_in(place, lambda one: not is_zarr(one), failed)
    images = sorted(path for path in entered if not is_labels(path))
    kept = [path for path in images if not is_marked(path)]
    if left := len(images) - len(kept):
        notes.append(f"{place.name}: files that latviz wrote, left out: {left:,}")
    return kept


def _named(paths: Iterable[Path], place: Path) -> list[ImageOnDisk]:
    """Return images of a folder, each called by its path from there on."""
    return [ImageOnDisk(path, path.relative_to(place).as_posix()) for path in paths]


def _of_folders(place: Path, lenient: bool) -> ImageSet:
    folders = [one for one in sorted(place.iterdir()) if one.is_dir() and one.name[0] != "."]
    if not folders:
        reason = "it holds no folders; make one for each class, and put its images into it"
        raise ImageSetError(place, reason)
    images, labels, notes = list[ImageOnDisk](), list[str](), list[str]()
    for folder in folders:
        own = _named(_images_below(folder, notes), place)
        if not own:
            _leave_out(ImageSetError(folder, _no_image(folder)), lenient, notes)
        images += own
        labels += [folder.name] * len(own)
    if not images:
        raise ImageSetError(place, "none of its folders holds an image; put some into each")
    return ImageSet(tuple(images), tuple(labels), tuple(notes))


def _leave_out(error: ImageSetError, lenient: bool, notes: list[str]) -> None:
    """Note an omission and its reason, or raise the error."""
    if not lenient:
        raise error
    notes.append(f"{error}; left out")


def _text_of(place: Path) -> str:
    """Return the text of a small file, or raise `ImageSetError`."""
    try:
        return decoded(read_bytes(place, MOST_BYTES, "a list of images"))
    except RefusedError as error:
        raise ImageSetError(place, plain(error)) from error
    except UnicodeDecodeError:
        reason = "it is not plain text in UTF-8 or UTF-16; save it as CSV in UTF-8"
        raise ImageSetError(place, reason) from None


def _of_table(place: Path, lenient: bool) -> ImageSet:
    try:
        items = read_items(_text_of(place), place.parent)
    except ListError as error:
        raise ImageSetError(place, str(error)) from None
    if not items:
        raise ImageSetError(place, "it names no image; write a line NAME,CLASS for each")
    kept, notes = list[tuple[ImageOnDisk, str]](), list[str]()
    for line, name, label in items:
        if not (name and label):
            what = "class" if name else "name"
            raise ImageSetError(place, f"line {line} has no {what}; write NAME,CLASS")
        image = file_of(name, place.parent)
        if image.is_file():
            kept.append((ImageOnDisk(image, name), label))
        else:
            reason = f"it names {name}, but there is no such file next to it"
            _leave_out(ImageSetError(place, reason), lenient, notes)
    if not kept:
        raise ImageSetError(place, "none of the files that it names exists; check their paths")
    images, classes = zip(*kept, strict=True)
    return ImageSet(images, classes, tuple(notes))


# PASCAL VOC


def _first_folder(place: Path, names: Iterable[str]) -> Path | None:
    return next((found for name in names if (found := place / name).is_dir()), None)


def _of_voc(place: Path, lists: Path, split: str, lenient: bool) -> ImageSet:
    files = sorted(
        one for one in lists.glob(f"*_{escape(split)}.txt") if not one.name.startswith(".")
    )
    marks = {one.name.removesuffix(f"_{split}.txt"): _marked(one) for one in files}
    if not marks:
        whole = lists / f"{split}.txt"
        if not whole.is_file():
            reason = f"there are no images of the split {split!r} in it; choose another split"
            raise ImageSetError(lists, reason)
        marks = _annotated(place, [line.split()[0] for line in _lines(whole)])
    notes = list[str]()
    for name in [name for name, own in marks.items() if not own]:
        reason = f"the class {name!r} has no image in the split {split!r}"
        _leave_out(ImageSetError(lists, reason), lenient, notes)
    classes = dict[str, list[str]]()
    for name, own in marks.items():
        for image in own:
            classes.setdefault(image, []).append(name)
    single = {image: names[0] for image, names in sorted(classes.items()) if len(names) == 1}
    left = len(classes) - len(single)
    notes += [f"images of several classes left out: {left:,}"] if left else []
    pictures = _first_folder(place, _PICTURES) or place / _PICTURES[0]
    by_name = {one.path.stem: one for one in _named(_images_below(pictures, notes), place)}
    for missing in [image for image in single if image not in by_name]:
        reason = f"{missing} is listed, but {pictures.name} has no such image"
        _leave_out(ImageSetError(place, reason), lenient, notes)
        del single[missing]
    if not single:
        raise ImageSetError(
            place, f"the split {split!r} has no image of a single class; choose another split"
        )
    images = tuple(by_name[image] for image in single)
    return ImageSet(images, tuple(single.values()), tuple(notes))


def _lines(place: Path) -> list[str]:
    return [line for line in _text_of(place).splitlines() if line.strip()]


def _marked(place: Path) -> list[str]:
    """Return the images that a list marks as of its class: lines of a name and 1, 0 or -1."""
    rows = [line.split() for line in _lines(place)]
    bad = next((row for row in rows if len(row) != 2 or row[1] not in ("1", "0", "-1")), None)
    if bad is not None:
        raise ImageSetError(place, f"a line must be a name and 1, 0 or -1, got {' '.join(bad)!r}")
    return [name for name, mark in rows if mark == "1"]


def _annotated(place: Path, names: Sequence[str]) -> dict[str, list[str]]:
    """Return the images of each class that the objects of their annotations have."""
    # Difficult objects do not count, as in the lists of classes, which mark them by 0
    found = dict[str, list[str]]()
    for name in names:
        for label in _objects(place / "Annotations", name):
            found.setdefault(label, []).append(name)
    return dict(sorted(found.items()))


def _objects(folder: Path, name: str) -> set[str]:
    """Return the classes of the objects in an image, without difficult ones."""
    place = folder / f"{name}.xml"
    in_text = folder / f"{name}.txt"
    if in_text.is_file() and not place.is_file():
        place, objects = in_text, list(_objects_of_text(_text_of(in_text)))
    else:
        objects = list(_objects_of_xml(place))
    if not objects or "" in dict(objects):
        raise ImageSetError(place, "it names no object, or one without a class")
    return {label for label, is_difficult in objects if not is_difficult}


def _objects_of_text(text: str) -> Iterator[tuple[str, bool]]:
    """Yield class and difficulty of each object of a "PASCAL Annotation Version 1.00"."""
    for label, features in _OBJECT.findall(text):
        yield label, features.endswith("Difficult")


def _objects_of_xml(place: Path) -> Iterator[tuple[str, bool]]:
    """Yield class and difficulty of each object of an annotation since 2007."""
    text = _text_of(place)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ImageSetError(place, "it defines entities, which annotations must not do")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError):
        raise ImageSetError(place, "it is not an annotation in XML; get a fresh copy") from None
    for one in root.iter("object"):
        is_difficult = (one.findtext("difficult") or "").strip() == "1"
        yield (one.findtext("name") or "").strip(), is_difficult
