"""Zarr arrays and OME-Zarr pyramids: images in chunks, and at several resolutions.

A folder is an array, or a group whose attributes describe the levels of a pyramid (OME-NGFF
``multiscales``: 0.5 under ``ome``, older ones at the top). The zarr package reads and writes both
formats of zarr, 2 and 3.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.disk.errors import plain
from latviz.core.types import Region, Shape
from latviz.files.errors import ImageError
from latviz.files.suffixes import is_zarr

__all__ = ["Pyramid", "is_zarr", "metadata", "open_pyramid"]

NAMES = "tczyx"
"""Axes that a level may have, in the order in which older versions have them."""
COLOURS = 3
_INSTALL = "zarr files need the package zarr; install latviz[scale]"


@dataclass(frozen=True, eq=False)
class Pyramid:
    """An image at one resolution or several.

    Attributes
    ----------
    path : Path
        The folder.
    levels : tuple of zarr arrays
        The finest first.
    axes : str
        A letter for each axis of a level: time, channel, depth, height, width.
    scales : tuple of tuples of float
        For each level the size of its pixels along each axis.
    name : str
        What the file calls the image.
    """

    path: Path
    levels: tuple[Any, ...]
    axes: str
    scales: tuple[tuple[float, ...], ...]
    name: str

    @property
    def zarr_format(self) -> int:
        """The version of the format, 2 or 3."""
        return int(self.levels[0].metadata.zarr_format)

    @property
    def n_times(self) -> int:
        """How many images follow each other in time."""
        return self._length("t")

    @property
    def n_channels(self) -> int:
        """How many numbers a pixel has."""
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
        """Return the shape of what is read at once, on the lattice."""
        array = self.levels[level]
        sizes = dict(zip(self.axes, array.shards or array.chunks, strict=True))
        return tuple(int(sizes[name]) for name in self.lattice_axes)

    def scale(self, level: int) -> tuple[float, ...]:
        """Return the size of a level's pixels along each axis of the lattice."""
        sizes = dict(zip(self.axes, self.scales[level], strict=True))
        return tuple(sizes[name] for name in self.lattice_axes)

    def level_for(self, most: int) -> int:
        """Return the finest level that has at most so many pixels, or the coarsest."""
        sizes = [math.prod(self.shape(k)) for k in range(len(self.levels))]
        return next((k for k, size in enumerate(sizes) if size <= most), len(sizes) - 1)

    def place(self, time: int, region: Region) -> tuple[Any, ...]:
        """Return the index of a region of the lattice, with all channels, in a level's array."""
        parts = {"t": time, "z": 0, **dict(zip(self.lattice_axes, region, strict=True))}
        return tuple(parts.get(name, slice(None)) for name in self.axes)

    def arranged(self, array: Any) -> Any:
        """Return what was indexed by `place` as an image (*shape) or (*shape, M), of a usual type.

        Bytes, 16 bits and float32 stay; all else becomes float32.
        """
        kept = [name for name in self.axes if name == "c" or name in self.lattice_axes]
        if "c" in kept:
            channel = kept.index("c")
            array = array.transpose([*(k for k in range(len(kept)) if k != channel), channel])
            if self.n_channels == 1:
                array = array[..., 0]
        return array.astype(_usual(array.dtype), copy=False)

    def read(self, level: int, region: Region | None = None, time: int = 0) -> NDArray[Any]:
        """Return the pixels of a region of the lattice, or of all, (*shape) or (*shape, M).

        Raises
        ------
        ImageError
            If a chunk cannot be read.
        """
        chosen = region or tuple(slice(0, length) for length in self.shape(level))
        try:
            found: NDArray[Any] = self.arranged(self.levels[level][self.place(time, chosen)])
        except OSError as error:
            raise ImageError(self.path, plain(error)) from error
        except Exception as error:  # whatever is in the chunk, what comes of it is one line
            raise ImageError(self.path, f"a chunk of it is damaged ({error!r:.100})") from error
        return np.ascontiguousarray(found)

    def _length(self, name: str) -> int:
        where = self.axes.find(name)
        return 1 if where < 0 else int(self.levels[0].shape[where])


def _usual(dtype: Any) -> Any:
    kind = np.dtype(dtype).newbyteorder("=")
    if kind.kind == "b":
        return np.uint8
    return kind if kind.name in ("uint8", "uint16", "float32") else np.float32


def open_pyramid(path: str | os.PathLike[str]) -> Pyramid:
    """Open a zarr array, or an OME-Zarr group, without reading its pixels.

    Parameters
    ----------
    path : str or path-like
        The folder.

    Returns
    -------
    Pyramid

    Raises
    ------
    ImageError
        If there is no such folder, it is neither, or the package zarr is not installed.
    """
    folder = Path(path)
    if not folder.exists():
        raise ImageError(folder, plain(FileNotFoundError(2, "")))
    try:
        import zarr  # not above: it takes half a second, and may not be installed
    except ImportError as error:
        raise ImageError(folder, _INSTALL) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # zarr warns of what others put into a folder
            node = zarr.open(str(folder), mode="r")
            return _of_array(folder, node) if isinstance(node, zarr.Array) else _of(folder, node)
    except ImageError:
        raise
    except Exception as error:  # whatever is in the folder, what comes of it is one line
        reason = f"it is no zarr array and no OME-Zarr image ({error!r:.100}); get a fresh copy"
        raise ImageError(folder, reason) from error


def _of_array(folder: Path, array: Any) -> Pyramid:
    axes = _axes_of(folder, array)
    return Pyramid(folder, (array,), axes, ((1.0,) * array.ndim,), folder.stem)


def _axes_of(folder: Path, array: Any) -> str:
    """Return the axes of an array of which nothing is said, or only the names of its axes."""
    named = "".join(name or "?" for name in getattr(array.metadata, "dimension_names", ()) or ())
    if len(named) == array.ndim and set(named) <= set(NAMES):
        return _checked(folder, named, array.ndim)
    if array.ndim in (3, 4) and array.shape[-1] <= COLOURS + 1:
        return "zyxc"[4 - array.ndim :]
    return _checked(folder, {1: "x", 2: "yx", 3: "zyx", 5: NAMES}.get(array.ndim, ""), array.ndim)


def _of(folder: Path, group: Any) -> Pyramid:
    attributes = group.attrs.asdict()
    found = attributes.get("ome", attributes).get("multiscales")
    if not found:
        raise ImageError(
            folder, "it is a zarr group without multiscales; open one of the arrays that it holds"
        )
    first: Mapping[str, Any] = found[0]
    levels = tuple(group[one["path"]] for one in first["datasets"])
    given = first.get("axes", NAMES[-levels[0].ndim :])
    axes = "".join(one if isinstance(one, str) else one["name"] for one in given)
    scales = tuple(
        _scale_of(one.get("coordinateTransformations", ()), levels[0].ndim)
        for one in first["datasets"]
    )
    axes = _checked(folder, axes.lower(), levels[0].ndim)
    return Pyramid(folder, levels, axes, scales, str(first.get("name") or folder.stem))


def _scale_of(transformations: Sequence[Mapping[str, Any]], n_axes: int) -> tuple[float, ...]:
    for one in transformations:
        if one.get("type") == "scale" and len(one.get("scale", ())) == n_axes:
            return tuple(map(float, one["scale"]))
    return (1.0,) * n_axes


def _checked(folder: Path, axes: str, n_axes: int) -> str:
    """Return axes that can be a lattice's, or raise `ImageError`."""
    if len(axes) != n_axes or len(set(axes)) < n_axes or not set(axes) <= set(NAMES):
        raise ImageError(
            folder, f"its {n_axes} axes must be some of {', '.join(NAMES)}, got {axes or 'none'!r}"
        )
    space = [name for name in axes if name in "zyx"]
    if space not in (["x"], ["y", "x"], ["z", "y", "x"]):
        raise ImageError(folder, f"its axes of space must be z, y, x in this order, got {axes!r}")
    return axes


def metadata(
    name: str, axes: str, scales: Sequence[Sequence[float]], zarr_format: int
) -> dict[str, Any]:
    """Return the attributes of a group whose arrays ``0``, ``1``, ... are the levels of an image.

    Parameters
    ----------
    name : str
        What the image is called.
    axes : str
        Letters of space.
    scales : sequence of sequences of float
        For each level the size of its pixels along each axis.
    zarr_format : {2, 3}
        OME-NGFF 0.4 is written for 2, and 0.5 for 3.
    """
    image = {
        "name": name,
        "axes": [{"name": axis, "type": "space"} for axis in axes],
        "datasets": [
            {
                "path": str(k),
                "coordinateTransformations": [{"type": "scale", "scale": list(scale)}],
            }
            for k, scale in enumerate(scales)
        ],
    }
    if zarr_format == 2:
        return {"multiscales": [{**image, "version": "0.4"}], "image-label": {"version": "0.4"}}
    return {"ome": {"version": "0.5", "multiscales": [image], "image-label": {}}}
