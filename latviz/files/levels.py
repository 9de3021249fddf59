"""An image out of a pyramid: the finest level that fits into memory and is quick on screen."""

from __future__ import annotations

import hashlib
import math
import os
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.axes import Axis
from latviz.files.errors import ImageError
from latviz.files.images import ImageFile
from latviz.files.memory import MAX_READ, cost, most_explored
from latviz.files.pixels import frozen, shrunk
from latviz.files.pyramids import COLOURS, Pyramid, folder_of_image, open_pyramid
from latviz.files.suffixes import DESCRIPTIONS
from latviz.files.zarrs.nodes import MOST_TEXT
from latviz.files.zarrs.parts import chunk_marks, read_part

QUICK = 1 << 25
"""Pixels of a level that views follow quickly; a larger level is opened only on request."""
BAND = 1 << 22
"""Pixels that are read at a time where an image without levels is reduced."""


def read_level(path: str | os.PathLike[str], *, page: int = 0, reduction: int = 1) -> ImageFile:
    """Read the finest level of a zarr image that fits, with its number, or raise `ImageError`."""
    # page: the place in time; reduction: a power of two, no level is less reduced; with 1 the
    # finest that fits. Pixels have shape (H, W), (H, W, 3), (D, H, W) or (D, H, W, 3)
    pyramid = open_pyramid(path)
    if pyramid.dimensions < 2:
        raise ImageError(
            pyramid.path,
            "it is a sequence of numbers; open a zarr array of two or three dimensions",
        )
    if not 0 <= page < pyramid.n_times:
        raise ImageError(
            pyramid.path,
            f"time {page + 1} was asked for, but it has {pyramid.n_times}; choose one from 1 to "
            f"{pyramid.n_times}",
        )
    level = level_for(pyramid, reduction)
    further = _further(pyramid, level, reduction)
    channels, notes = shown_channels(pyramid)
    pixels = _read(pyramid, level, page, further, channels)
    if not (np.isfinite(pixels.min()) and np.isfinite(pixels.max())):
        raise ImageError(
            pyramid.path,
            "it holds values that are not finite (NaN or infinity); replace them first",
        )
    found = (*_level_note(pyramid, level, further), *_axes_note(pyramid), *notes)
    n = pyramid.n_times
    return ImageFile(
        frozen(pixels),
        pyramid.path,
        pyramid.path.name,
        found,
        page,
        n,
        None,
        "time",
        axes=(Axis("t", n),) if n > 1 else (),
        roles={"t": (page,)} if n > 1 else {},
    )


def level_for(pyramid: Pyramid, reduction: int = 1) -> int:
    """Return the finest level that fits and is at least so much reduced, or the coarsest."""
    found = pyramid.level_for(min(QUICK, _most(pyramid)))
    while found < len(pyramid.levels) - 1 and ratio(pyramid, found) < reduction:
        found += 1
    return found


def ratio(pyramid: Pyramid, level: int) -> int:
    """Return the divisor of a level's width."""
    return max(1, round(pyramid.shape(0)[-1] / pyramid.shape(level)[-1]))


def reduction_of(path: str | os.PathLike[str], file: ImageFile) -> int:
    """Return the factor by which the read level of a zarr image is narrower than the finest."""
    pyramid = open_pyramid(path)
    width = file.pixels.shape[pyramid.dimensions - 1]
    return max(1, round(pyramid.shape(0)[-1] / int(width)))


def _most(pyramid: Pyramid) -> int:
    dtype = pyramid.levels[0].stored
    return most_explored(cost(dtype, min(pyramid.n_channels, COLOURS)))


def _further(pyramid: Pyramid, level: int, reduction: int) -> int:
    """Return the divisor of the coarsest level's sides, so that it fits."""
    n_pixels, fits, found = math.prod(pyramid.shape(level)), max(1, _most(pyramid)), 1
    while found * ratio(pyramid, level) < reduction or n_pixels > fits * found**2:
        found *= 2
    if found > 1 and (pyramid.dimensions > 2 or n_pixels > MAX_READ):
        sides = " × ".join(map(str, pyramid.shape(level)))
        raise ImageError(
            pyramid.path,
            f"its coarsest level has {sides} pixels, which do not fit into memory; add a coarser "
            "level",
        )
    return found


def _read(pyramid: Pyramid, level: int, page: int, further: int, channels: slice) -> NDArray[Any]:
    if further == 1:
        return pyramid.read(level, None, page, channels)
    height, width = pyramid.shape(level)
    n_rows = max(1, BAND // width // further) * further
    rows = (slice(top, min(top + n_rows, height)) for top in range(0, height, n_rows))
    parts = (pyramid.read(level, (one, slice(0, width)), page, channels) for one in rows)
    return np.concatenate([shrunk(one, further) for one in parts])


def shown_channels(pyramid: Pyramid) -> tuple[slice, tuple[str, ...]]:
    """Return the channels to show, as grey or as three colours, and notes on omitted ones."""
    n = pyramid.n_channels
    if n in (1, COLOURS):
        return slice(None), ()
    if n == COLOURS + 1:
        return slice(0, COLOURS), ("the fourth channel is left out",)
    return slice(0, 1), (f"channel 1 of {n}; the others are left out",)


def _level_note(pyramid: Pyramid, level: int, further: int) -> tuple[str, ...]:
    whole = " × ".join(map(str, pyramid.shape(0)[::-1]))
    if further > 1:
        by = ratio(pyramid, level) * further
        return (f"reduced to 1/{by} of the width and height of {whole} pixels",)
    if len(pyramid.levels) == 1:
        return ()
    if level == 0:
        return (f"the finest of {len(pyramid.levels)} levels",)
    return (f"level {level + 1} of {len(pyramid.levels)}, 1/{ratio(pyramid, level)} of {whole}",)


def _axes_note(pyramid: Pyramid) -> tuple[str, ...]:
    """Return the assumption on axes: a stack of channels has the shape of a volume."""
    if not pyramid.is_guess or len(pyramid.axes) < 3:
        return ()
    return (f"its axes have no names and are taken as {', '.join(pyramid.axes)}",)


def digest(path: str | os.PathLike[str], reduction: int = 1) -> str:
    """Return digests of the texts that describe a zarr folder, and of the chunks that are read."""
    # Chunks count by their names, sizes and times, because reading those of a slide would take too
    # long; they are those of the first level that is at least so much reduced, which no free memory
    # decides
    texts = hashlib.sha256(_texts(path)).hexdigest()
    pyramid = open_pyramid(path)
    last = len(pyramid.levels) - 1
    level = next(k for k in count() if k == last or ratio(pyramid, k) >= reduction)
    array = pyramid.levels[level]
    marks = hashlib.sha256()
    for mark in chunk_marks(array.folder / array.path, array.ndim):
        marks.update(os.fsencode(mark))
    return f"{texts}-{marks.hexdigest()}"


def _texts(path: str | os.PathLike[str]) -> bytes:
    """Return the texts that describe a zarr folder and its levels, one after the other."""
    folder = folder_of_image(path)
    with os.scandir(folder) as entries:
        places = [folder, *(Path(one.path) for one in entries if one.is_dir())]
    each = (place / name for place in places for name in (*DESCRIPTIONS, ".zattrs"))
    found = sorted(one for one in each if os.path.lexists(one))
    keys = (one.relative_to(folder).as_posix() for one in found)
    return b"".join(os.fsencode(key) + (read_part(folder, key, MOST_TEXT) or b"") for key in keys)
