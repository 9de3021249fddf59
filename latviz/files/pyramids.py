"""Zarr arrays and OME-Zarr pyramids: images in chunks, and at several resolutions.

A folder is an array, or a group whose attributes describe the levels of a pyramid (see
`zarrs.multiscales`), or holds one of these (see `zarrs.nodes`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.disk.errors import shortened
from latviz.core.extras import install
from latviz.core.types import Region, Shape
from latviz.files.decoding import DecodeError
from latviz.files.errors import ImageError
from latviz.files.suffixes import is_zarr
from latviz.files.units import full_name
from latviz.files.zarrs.multiscales import NAMES, multiscale_of, named_axes, nodata_of
from latviz.files.zarrs.nodes import Node, find_image, joined, read_node

if TYPE_CHECKING:  # at run time it would load zarr
    from latviz.files.zarrs.reading import ZarrLevel

__all__ = ["Pyramid", "folder_of_image", "is_zarr", "metadata", "open_pyramid"]

COLOURS = 3
_ALL = slice(None)
INSTALL = f"zarr files need the package zarr: {install('scale')}"


@dataclass(frozen=True, eq=False)
class Pyramid:
    """An image at one resolution or several."""

    path: Path  # the folder
    levels: tuple[ZarrLevel, ...]  # the finest first
    axes: str  # a letter for each axis of a level: time, channel, depth, height, width
    scales: tuple[tuple[float, ...], ...]  # for each level the size of its pixels along each axis
    name: str  # the file's name of the image
    is_guess: bool = False  # if the axes follow from the shape, because they have no names
    unit: str = ""  # of the sizes of pixels; empty if unknown
    channels: tuple[str, ...] = ()  # names; empty if unknown
    in_colour: bool = True  # if three channels are red, green and blue
    colors: tuple[str, ...] = ()  # that channels are drawn in; empty if unknown
    nodata: str = ""  # the number of pixels without data, as attributes declare it

    @property
    def zarr_format(self) -> int:
        """The version of the format, 2 or 3."""
        return self.levels[0].zarr_format

    @property
    def n_times(self) -> int:
        """The number of images in time."""
        return self._length("t")

    @property
    def n_channels(self) -> int:
        """The number of values per pixel."""
        return self._length("c")

    @property
    def lattice_axes(self) -> str:
        """The axes of the lattice: those of space that are longer than one, two at least."""
        space = [name for name in self.axes if name in "zyx"]
        return "".join(name for name in space if name != "z" or self._length("z") > 1)

    @property
    def dimensions(self) -> int:
        """The number d of axes of the lattice."""
        return len(self.lattice_axes)

    def shape(self, level: int) -> Shape:
        """Return the shape of the lattice at a level."""
        sizes = dict(zip(self.axes, self.levels[level].shape, strict=True))
        return tuple(int(sizes[name]) for name in self.lattice_axes)

    def chunks(self, level: int) -> Shape:
        """Return the shape that is read at once, on the lattice."""
        sizes = dict(zip(self.axes, self.levels[level].unit, strict=True))
        return tuple(int(sizes[name]) for name in self.lattice_axes)

    def scale(self, level: int) -> tuple[float, ...]:
        """Return the size of a level's pixels along each axis of the lattice."""
        sizes = dict(zip(self.axes, self.scales[level], strict=True))
        return tuple(sizes[name] for name in self.lattice_axes)

    def level_for(self, most: int) -> int:
        """Return the finest level of at most ``most`` pixels, or the coarsest."""
        sizes = [math.prod(self.shape(k)) for k in range(len(self.levels))]
        return next((k for k, size in enumerate(sizes) if size <= most), len(sizes) - 1)

    def place(self, time: int, region: Region, channels: slice = _ALL) -> tuple[Any, ...]:
        """Return the index of a region of the lattice in a level's array."""
        own = dict(zip(self.lattice_axes, region, strict=True))
        parts = {"t": time, "z": 0, "c": channels, **own}
        return tuple(parts[name] for name in self.axes)

    def arranged(self, array: Any) -> Any:
        """Return an array indexed by `place` as an image (*shape) or (*shape, M)."""
        kept = [name for name in self.axes if name == "c" or name in self.lattice_axes]
        if "c" in kept:
            channel = kept.index("c")
            array = array.transpose([*(k for k in range(len(kept)) if k != channel), channel])
            if array.shape[-1] == 1:
                array = array[..., 0]
        return array

    def read(
        self, level: int, region: Region | None = None, time: int = 0, channels: slice = _ALL
    ) -> NDArray[Any]:
        """Return the pixels of a region, or of all, (*shape) or (*shape, M); else `ImageError`."""
        chosen = region or tuple(slice(0, length) for length in self.shape(level))
        found = self.levels[level][self.place(time, chosen, channels)]
        return np.ascontiguousarray(self.arranged(found))

    def read_chosen(
        self, level: int, region: Region | None, time: int, channels: Sequence[int]
    ) -> NDArray[Any]:
        """Return the pixels of some channels, (*shape) of one or (*shape, M); else `ImageError`."""
        first, last = min(channels), max(channels) + 1
        found = self.read(level, region, time, slice(first, last))
        if list(channels) == list(range(first, last)):
            return found
        return np.ascontiguousarray(found[..., [k - first for k in channels]])

    def _length(self, name: str) -> int:
        where = self.axes.find(name)
        return 1 if where < 0 else int(self.levels[0].shape[where])


def open_pyramid(path: str | os.PathLike[str]) -> Pyramid:
    """Open a zarr array, or an OME-Zarr image, without reading its pixels; else `ImageError`."""
    # For a folder of bioformats2raw, or of a plate, it is the image in it. Refused are folders
    # without an image or with several, types and codecs that are not read, and all if zarr is not
    # installed
    folder = Path(path)
    node = find_image(folder)
    try:
        from latviz.files.zarrs import reading  # not above: zarr may not be installed, and is slow
    except ImportError as error:
        raise ImageError(folder, INSTALL) from error
    if node.is_array:
        return _of_array(folder, node, reading.open_level(folder, node))
    try:
        image = multiscale_of(node)
    except DecodeError as error:
        raise ImageError(folder, error.reason) from error
    arrays = list(_arrays(folder, node, image.paths))
    levels = tuple(reading.open_level(folder, one) for one in arrays)
    axes = image.axes or NAMES[-levels[0].ndim :]
    _check_levels(folder, levels, axes)
    name, scales = image.name or folder.stem, image.scales(len(axes))
    meaning = (image.unit, image.channels, image.in_colour, image.colors, nodata_of(arrays[0]))
    return Pyramid(folder, levels, axes, scales, name, False, *meaning)


def folder_of_image(path: str | os.PathLike[str]) -> Path:
    """Return the folder of the image for `open_pyramid`: the path itself, or one in it."""
    folder = Path(path)
    return folder / find_image(folder).path


def _arrays(folder: Path, group: Node, paths: Sequence[str]) -> Iterator[Node]:
    for path in paths:
        place = joined(group.path, path)
        node = read_node(folder, place)
        if node is None or not node.is_array:
            found = "there is none" if node is None else "it is a group"
            reason = f"its level {shortened(place)} must be an array, but {found}; get a fresh copy"
            raise ImageError(folder, reason)
        yield node


def _of_array(folder: Path, node: Node, level: ZarrLevel) -> Pyramid:
    named = named_axes(node)
    axes = named or _axes_by_shape(level.shape)
    _check_axes(folder, axes, level.ndim)
    scales, nodata = ((1.0,) * level.ndim,), nodata_of(node)
    return Pyramid(folder, (level,), axes, scales, folder.stem, not named, nodata=nodata)


def _axes_by_shape(shape: Shape) -> str:
    """Return the axes of an array whose axes have no names."""
    if len(shape) in (3, 4) and shape[-1] <= COLOURS + 1:
        return "zyxc"[4 - len(shape) :]
    return {1: "x", 2: "yx", 3: "zyx", 5: NAMES}.get(len(shape), "")


def _check_levels(folder: Path, levels: Sequence[ZarrLevel], axes: str) -> None:
    """Raise `ImageError` unless levels share axes, times and channels, and sizes never grow."""
    _check_axes(folder, axes, levels[0].ndim)
    for finer, level in pairwise(levels):
        sides = list(zip(axes, level.shape, finer.shape, strict=False))
        fits = all(n <= m if name in "zyx" else n == m for name, n, m in sides)
        if level.ndim != finer.ndim or not fits:
            raise ImageError(
                folder,
                f"its level {shortened(level.path)} of shape {level.shape} does not follow one of "
                f"shape {finer.shape}: levels must become smaller; get a fresh copy",
            )


def _check_axes(folder: Path, axes: str, n_axes: int) -> None:
    """Raise `ImageError` unless axes can be those of a lattice, of times and of channels."""
    if len(axes) != n_axes or len(set(axes)) < n_axes or not set(axes) <= set(NAMES):
        raise ImageError(
            folder, f"its {n_axes} axes must be some of {', '.join(NAMES)}, got {axes or 'none'!r}"
        )
    space = [name for name in axes if name in "zyx"]
    if space not in (["x"], ["y", "x"], ["z", "y", "x"]):
        raise ImageError(folder, f"its axes of space must be z, y, x in this order, got {axes!r}")


def metadata(
    name: str,
    axes: str,
    scales: Sequence[Sequence[float]],
    zarr_format: int,
    unit: str = "",
    labels: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the attributes of a group whose arrays "0", "1" and so on are an image's levels."""
    # axes: letters of space; scales: for each level the size of its pixels along each axis, in a
    # unit of length if it is known; labels: further facts on the labels, such as their colours.
    # OME-NGFF 0.4 is written for zarr_format 2, and 0.5 for 3
    units = {"unit": full_name(unit)} if full_name(unit) else {}
    image = {
        "name": name,
        "axes": [{"name": axis, "type": "space", **units} for axis in axes],
        "datasets": [
            {
                "path": str(k),
                "coordinateTransformations": [{"type": "scale", "scale": list(scale)}],
            }
            for k, scale in enumerate(scales)
        ],
    }
    facts = dict(labels or {})
    if zarr_format == 2:
        version = {"version": "0.4"}
        return {"multiscales": [{**image, **version}], "image-label": {**version, **facts}}
    return {"ome": {"version": "0.5", "multiscales": [image], "image-label": facts}}
