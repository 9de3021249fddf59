"""Many files: their list, the ones to learn from, and the one on screen."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import UNKNOWN
from latviz.core.data.lattice import middle_of
from latviz.core.data.masks import moved_to_known
from latviz.core.errors import ParameterError
from latviz.engine.pictures.leaving import through
from latviz.engine.pictures.picture import Picture

MOST_LEARNED = 1 << 24
"""Most pixels to learn from together, if there are several pictures.

In CIELAB a pixel takes about 40 bytes: 3 of the picture, 12 of observations, 12 of their fixed
point and more while it is learned from. This limit takes about 700 MB then, which leaves room in 2
GiB for a picture of 12 megapixels on screen. With more pixels, each picture gives a middle part:
with 1,000 pictures one of 128 x 128 pixels."""
LEAST_SIDE = 32
"""Pixels of the shorter side of such a part, at least."""


@dataclass(frozen=True)
class Entry:
    """A file on the shelf, which these fields identify."""

    path: str  # absolute
    size: int  # bytes
    mtime: int  # of the last change, in nanoseconds

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return PurePath(self.path).name


@dataclass(frozen=True)
class Shelf:
    """Files, in their order on the shelf."""

    entries: tuple[Entry, ...]  # at least one
    ticked: tuple[int, ...] = (0,)  # indices of those learned from, at least one; increasing
    shown: int = 0  # index of the one that is shown
    truth: str = ""  # folder or ending of label images, if it is not a usual one

    def __post_init__(self) -> None:
        n = len(self.entries)
        if not 0 <= self.shown < n:
            raise ParameterError(f"the file that is shown must be one of {n}, got {self.shown}")
        is_right = self.ticked == tuple(sorted(set(self.ticked))) and bool(self.ticked)
        if not is_right or not 0 <= self.ticked[0] <= self.ticked[-1] < n:
            raise ParameterError(
                f"the files to learn from must be at least one of {n}, in increasing order, got "
                f"{self.ticked}"
            )

    @classmethod
    def of(cls, entries: Sequence[Entry], truth: str = "") -> "Shelf":
        """Return a shelf that learns from all files and shows the first."""
        return cls(tuple(entries), tuple(range(len(entries))), truth=truth)

    @property
    def entry(self) -> Entry:
        """The file that is shown."""
        return self.entries[self.shown]

    def learned_from(self) -> tuple[Entry, ...]:
        """Return the files that are ticked."""
        return tuple(self.entries[k] for k in self.ticked)

    def showing(self, index: int) -> "Shelf":
        """Return the shelf with another file shown."""
        return replace(self, shown=index)

    def keeping(self, indices: Iterable[int]) -> "Shelf":
        """Return the shelf with these of its files alone, at least one."""
        kept = sorted(set(indices))
        ticked = [place for place, k in enumerate(kept) if k in self.ticked] or [0]
        shown = kept.index(self.shown) if self.shown in kept else ticked[0]
        entries = tuple(self.entries[k] for k in kept)
        return replace(self, entries=entries, ticked=tuple(ticked), shown=shown)

    def ticking(self, indices: Iterable[int]) -> "Shelf":
        """Return the shelf with these files learned from."""
        return replace(self, ticked=tuple(sorted(set(indices))))

    def toggled(self, index: int) -> "Shelf":
        """Return the shelf with one more file ticked, or one fewer; the last one stays."""
        found = set(self.ticked) ^ {index}
        return self.ticking(found) if found else self


def classes_of(entries: Sequence[Entry]) -> dict[str, str]:
    """Return the class of each file by path: its folder in the common one; {} of one class."""
    folders = [os.path.dirname(entry.path) for entry in entries]
    each = {*folders}  # of many files there are few
    try:
        common = os.path.commonpath(each)
    except ValueError:  # on several drives
        return {}
    names = {one: os.path.relpath(one, common).split(os.sep)[0] for one in each}
    known = {
        entry.path: names[folder]
        for entry, folder in zip(entries, folders, strict=True)
        if folder != common
    }
    return known if len({*known.values()}) > 1 else {}


def share_of(n_pictures: int) -> int:
    """Return the most pixels of each picture to learn from, given the number of pictures."""
    return max(LEAST_SIDE**2, MOST_LEARNED // n_pictures)


def part_of(picture: Picture, n_pictures: int) -> Picture:
    """Return the part of one of several pictures to learn from: itself, or its middle."""
    # The middle has as many pixels as each may have; its origin names the part. One picture alone,
    # sequences and volumes stay whole
    most = share_of(n_pictures)
    if n_pictures == 1 or picture.dimensions != 2 or picture.n_nodes <= most:
        return picture
    region = moved_to_known(middle_of(picture.shape, most), picture.known)
    part = [[side.start, side.stop] for side in region]
    return cut(picture, part)


def cut(picture: Picture, part: Sequence[Sequence[int]]) -> Picture:
    """Return a part of an image, given as the first and the last row and column."""
    inside = len(part) == picture.dimensions == 2 and all(
        0 <= first < last <= length
        for (first, last), length in zip(part, picture.shape, strict=False)
    )
    if not inside:
        raise ParameterError(f"{part} is not a part of an image of {picture.size_text}")
    region = tuple(slice(first, last) for first, last in part)
    if picture.whole is not None:
        return through(picture, lambda whole: cut(whole, part), region)

    def taken(array: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if array is None else np.ascontiguousarray(array[region])

    pixels, truth = taken(picture.pixels), taken(picture.truth)
    assert pixels is not None
    return replace(
        picture,
        pixels=pixels,
        labels=taken(picture.labels),
        known=taken(picture.known),
        x=None if picture.x is None else picture.x[region[-1]],
        truth=None if truth is None or (truth == UNKNOWN).all() else truth,
        origin={**picture.origin, "part": [list(map(int, side)) for side in part]},
    )


def alike(pictures: Sequence[Picture]) -> list[Picture]:
    """Return pictures to learn from together: all in colour, if one of them is.

    Grey ones are then repeated as red, green and blue, with a note.
    """
    if len({picture.is_grey for picture in pictures}) == 1:
        return list(pictures)
    return [coloured(picture) if picture.is_grey else picture for picture in pictures]


def coloured(picture: Picture) -> Picture:
    """Return a grey picture with three equal channels."""
    if picture.whole is not None:
        return through(picture, coloured)
    pixels = np.repeat(picture.pixels[..., None], 3, axis=-1)
    notes = (*picture.notes, "grey among colour pictures: opened with three equal channels")
    origin = {**picture.origin, "coloured": True}
    return replace(picture, pixels=pixels, labels=None, notes=notes, origin=origin)


def unlike(picture: Picture, first: Picture) -> str:
    """Return why a picture cannot be learned from together with another, or nothing."""
    if picture.dimensions != first.dimensions or picture.alphabet != first.alphabet:
        return f"it is not of the same kind as {first.name}: open it by itself"
    if picture.channels != first.channels:
        return f"it has other channels than {first.name}: open it by itself"
    one, other = picture.pixels.dtype.name, first.pixels.dtype.name
    if picture.dimensions > 1 and one != other:
        return (
            f"its pixels are {one}, but those of {first.name} are {other}, in other units: "
            "convert it, or put images of its kind into their own folder"
        )
    return ""
