"""An image out of a pyramid: the finest level that fits into memory and is quick on screen."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.axes import (
    APART,
    COLOUR,
    LATTICE,
    VECTOR,
    Axis,
    Role,
    Roles,
    is_deep,
    of_time,
    settled,
)
from latviz.core.errors import ParameterError
from latviz.core.types import Region
from latviz.files.decoding import DecodedFile, DecodeError
from latviz.files.errors import ImageError
from latviz.files.images import ImageFile
from latviz.files.memory import MAX_READ, cost, most_explored
from latviz.files.pixels import filled, frozen, shrunk, shrunk_mask, unknown_in, unknown_notes
from latviz.files.planes import role_notes
from latviz.files.pyramids import COLOURS, Pyramid, folder_of_image, open_pyramid
from latviz.files.suffixes import DESCRIPTIONS
from latviz.files.zarrs.nodes import MOST_TEXT, chunk_marks, read_part

QUICK = 1 << 25
"""Pixels of a level that views follow quickly; a larger level is opened only on request."""
BAND = 1 << 22
"""Pixels that are read at a time where an image without levels is reduced."""
_Known = tuple[NDArray[Any], NDArray[np.bool_] | None, tuple[str, ...]]


def read_level(
    path: str | os.PathLike[str], roles: Roles | None = None, *, reduction: int = 1
) -> ImageFile:
    """Read the finest level of a zarr image that fits, with its number, or raise `ImageError`."""
    # reduction: a power of two, no level is less reduced; with 1 the finest that fits. Pixels as
    # those of `read_lattice`
    pyramid = open_pyramid(path)
    if pyramid.dimensions < 2:
        raise ImageError(
            pyramid.path,
            "it is a sequence of numbers; open a zarr array of two or three dimensions",
        )
    axes = axes_of(pyramid)
    try:
        found = settled(axes, of_time(axes, roles or {}))
    except ParameterError as error:
        raise ImageError(pyramid.path, str(error)) from error
    time = found.get("t", (0,))
    if not isinstance(time, tuple) or len(time) != 1:
        raise ImageError(pyramid.path, "of its times one is shown: choose one, such as t=0")
    level = level_for(pyramid, reduction)
    further = _further(pyramid, level, reduction)
    entries, names = read_channels(axes, found)
    region = _region(pyramid, level, found.get("z", LATTICE))
    pixels, known, reasons = _read(pyramid, level, time[0], further, entries, region)
    if isinstance(found.get("z"), tuple):
        pixels, known = pixels[0], None if known is None else known[0]
    try:
        unknown = tuple(unknown_notes(known, reasons))
    except DecodeError as error:
        raise ImageError(pyramid.path, error.reason) from error
    notes = (*_level_note(pyramid, level, further), *_axes_note(pyramid), *role_notes(axes, found))
    return ImageFile(
        frozen(pixels),
        pyramid.path,
        pyramid.path.name,
        (*notes, *unknown),
        known=known,
        axes=axes,
        roles=found,
        channels=names,
        spacing=_spacing(pyramid, level, further)[-2 - is_deep(found) :],
        spacing_unit=pyramid.unit,
    )


def axes_of(pyramid: Pyramid) -> tuple[Axis, ...]:
    """Return the axes of slices, times and channels; of the latter not those of one entry."""
    n_times, n, names = pyramid.n_times, pyramid.n_channels, pyramid.channels
    usual = COLOUR if n == COLOURS and pyramid.in_colour else VECTOR
    deep = [Axis("z", pyramid.shape(0)[0], usual=LATTICE)] if pyramid.dimensions == 3 else []
    every = (
        Axis("t", n_times),
        Axis("c", n, names if len(names) == n else (), True, usual, pyramid.colors),
    )
    return (*deep, *(axis for axis in every if axis.length > 1))


def _region(pyramid: Pyramid, level: int, role: Role) -> Region | None:
    """Return the slice that is read, None for all."""
    if role in (LATTICE, APART):
        return None
    if not isinstance(role, tuple) or len(role) > 1:
        raise ImageError(pyramid.path, "of its slices one or all are shown: choose one, as in z=0")
    n_slices, *sides = pyramid.shape(level)
    first = role[0] * n_slices // pyramid.shape(0)[0]
    return (slice(first, first + 1), *(slice(0, side) for side in sides))


def read_channels(axes: Sequence[Axis], roles: Roles) -> tuple[list[int], tuple[str, ...]]:
    """Return which channels are read, and the names of those that are not colours."""
    axis = next((axis for axis in axes if axis.name == "c"), None)
    if axis is None:
        return [0], ()
    if roles["c"] == COLOUR:
        return [0, 1, 2], ()
    entries = list(axis.chosen(roles["c"]))
    return entries, tuple(map(axis.entry, entries)) if len(entries) > 1 else ()


def _spacing(pyramid: Pyramid, level: int, further: int) -> tuple[float, ...]:
    """Return the distance of nodes along each axis; empty if its unit is unknown."""
    *deep, y, x = pyramid.scale(level)
    return (*deep, y * further, x * further) if pyramid.unit else ()


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
    width = file.pixels.shape[1 + is_deep(file.roles)]
    return max(1, round(pyramid.shape(0)[-1] / int(width)))


def _most(pyramid: Pyramid) -> int:
    dtype = pyramid.levels[0].stored
    return most_explored(cost(dtype, pyramid.n_channels))


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


def _read(
    pyramid: Pyramid,
    level: int,
    page: int,
    further: int,
    channels: Sequence[int],
    region: Region | None,
) -> _Known:
    """Return the pixels, which of them are known, None if all are, and why others are not."""
    if further == 1:
        return filled_part(pyramid, pyramid.read_chosen(level, region, page, channels))
    height, width = pyramid.shape(level)
    n_rows = max(1, BAND // width // further) * further
    rows = (slice(top, min(top + n_rows, height)) for top in range(0, height, n_rows))
    parts = (pyramid.read_chosen(level, (one, slice(0, width)), page, channels) for one in rows)
    pixels, masks, reasons = list[NDArray[Any]](), list[NDArray[np.bool_]](), dict[str, None]()
    for one in parts:
        part, known, why = filled_part(pyramid, one)
        pixels.append(shrunk(part, further, known))
        whole = np.ones(part.shape[:2], bool) if known is None else known
        masks.append(shrunk_mask(whole, further))
        reasons |= dict.fromkeys(why)
    known = np.concatenate(masks)
    found = None if known.all() else known
    return filled(np.concatenate(pixels), found), found, tuple(reasons)


def filled_part(pyramid: Pyramid, pixels: NDArray[Any]) -> _Known:
    """Return pixels (*shape, ...) with a known value for unknown ones, and as above."""
    given = pixels, pyramid.dimensions, pyramid.nodata, pyramid.in_colour
    known, reasons = known_pixels(*given)
    return filled(pixels, known), known, reasons


def known_pixels(
    pixels: NDArray[Any], dimensions: int, nodata: str, in_colour: bool
) -> tuple[NDArray[np.bool_] | None, tuple[str, ...]]:
    """Return which pixels (*shape, ...) are known, None if all are, and why others are not."""
    *outer, width = pixels.shape[:dimensions]
    rows = pixels.reshape(math.prod(outer), width, -1)
    decoded = DecodedFile(rows, nodata=nodata)
    known, reasons = unknown_in(decoded, in_colour and rows.shape[-1] == COLOURS)
    return None if known is None else known.reshape(*outer, width), reasons


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
