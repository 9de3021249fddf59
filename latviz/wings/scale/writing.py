"""States as labels in OME-Zarr pyramids, written chunk by chunk by whoever computes them."""

import math
import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
from numpy.typing import NDArray

from latviz.core.disk.writing import becoming
from latviz.core.errors import ParameterError
from latviz.core.renamed import renamed
from latviz.core.types import Shape
from latviz.engine.settings.palette import state_colors
from latviz.files import memory
from latviz.files.levels import known_pixels
from latviz.files.pyramids import Pyramid, metadata
from latviz.files.zarrs import writing as whole
from latviz.files.zarrs.reading import ZarrLevel
from latviz.wings.scale.blocks import map_nodes

HELD = 1 << 24
"""Approximate bytes of a computed chunk: chunks of files are joined to this size."""
MOST_PARTS = 1 << 15
"""Parts of about `HELD` bytes that a level is computed in, which is half a terabyte."""
MOST_PIECES = 1 << 24
"""Most chunks of the file to read."""
LEAST = 1 << 12
"""Nodes of a chunk that is written: an image in tiny chunks would make a million files."""


@renamed("pyramid level time")
def open_level(pyramid: Pyramid, *, level: int = 0, time: int = 0) -> da.Array:
    """Return a level of a pyramid as a dask array, (*shape) or (*shape, M), without reading it.

    Level 0 is the finest, and ``time`` is the index of an image in a time series. The chunks are
    whole chunks of the file, of about 16 MiB together. Values may stand for pixels without data:
    see `known_in`.

    Raises
    ------
    ParameterError
        If the level or time does not exist, or is too large to decode.
    """
    if not (0 <= level < len(pyramid.levels) and 0 <= time < pyramid.n_times):
        raise ParameterError(
            f"there is no level {level} at time {time}: levels are from 0 to "
            f"{len(pyramid.levels) - 1}, times from 0 to {pyramid.n_times - 1}"
        )
    shape, unit = pyramid.shape(level), pyramid.chunks(level)
    source = pyramid.levels[level]
    sides = _grown(unit, shape, source.dtype.itemsize * pyramid.n_channels, HELD)
    _check_work(source, shape, sides, source.dtype.itemsize * pyramid.n_channels)
    sizes = dict(zip(pyramid.lattice_axes, sides, strict=True))
    chunks = [sizes.get(a, -1 if a == "c" else 1) for a in pyramid.axes]
    array = da.from_array(source, chunks=tuple(chunks), name=False)
    whole = tuple(slice(None) for _ in shape)
    return pyramid.arranged(array[pyramid.place(time, whole)])


@renamed("image pyramid")
def known_in(image: da.Array, *, pyramid: Pyramid) -> da.Array | None:
    """Return which pixels of a level are known, a dask array (*shape) bool, or None if all are.

    Unknown are those that are NaN or infinite, or hold the number that the file declares for pixels
    without data. Nothing is read before it is asked for, chunk by chunk.

    Parameters
    ----------
    image : dask array
        Of `open_level`.
    pyramid : Pyramid

    Returns
    -------
    dask array, or None
    """
    if image.dtype.kind != "f" and not pyramid.nodata:
        return None
    given = pyramid.dimensions, pyramid.nodata, pyramid.in_colour
    return map_nodes(partial(_known_pixels, *given), image, given[0], 0, np.bool_)


def _known_pixels(d: int, nodata: str, in_colour: bool, block: NDArray[Any]) -> NDArray[np.bool_]:
    known, _ = known_pixels(block, d, nodata, in_colour)
    return np.ones(block.shape[:d], bool) if known is None else known


def _check_work(source: ZarrLevel, shape: Shape, sides: Shape, n_bytes: int) -> None:
    """Raise `ParameterError` for more chunks than can be computed, or larger than memory."""
    what = f"the level has {' × '.join(map(str, shape))} pixels"
    n_parts = math.prod(-(-length // side) for length, side in zip(shape, sides, strict=True))
    if n_parts > MOST_PARTS or source.n_pieces() > MOST_PIECES:
        raise ParameterError(
            f"{what} in {source.n_pieces():,} chunks, which are read in {n_parts:,} parts; at most "
            f"{MOST_PIECES:,} chunks and {MOST_PARTS:,} parts are possible: choose a coarser "
            "level, or crop the image"
        )
    needed, most = n_bytes * math.prod(map(min, sides, shape)), memory.available() // 4
    if needed > most:
        raise ParameterError(
            f"{what} in parts of {needed:,} bytes, but the free memory has room for {most:,}: save "
            "it in smaller chunks"
        )


@renamed("pyramid level")
def from_level(pyramid: Pyramid, *, level: int) -> Pyramid:
    """Return a pyramid without the levels that are finer than one."""
    levels, scales = pyramid.levels[level:], pyramid.scales[level:]
    return replace(pyramid, levels=levels, scales=scales)


def _grown(unit: Shape, shape: Shape, n_bytes: int, held: int) -> Shape:
    """Return multiples of the sides of a chunk of about ``held`` bytes, at ``n_bytes`` per node."""
    sides = list(unit)
    while True:
        axes = [k for k in range(len(sides)) if sides[k] < shape[k]]
        if not axes or 2 * n_bytes * math.prod(sides) > held:
            return tuple(sides)
        sides[min(axes, key=lambda k: sides[k])] *= 2


@renamed("path states like attributes n_states")
def write_states(
    path: str | os.PathLike[str],
    states: da.Array,
    *,
    like: Pyramid | None = None,
    attributes: Mapping[str, Any] | None = None,
    n_states: int = 0,
) -> None:
    """Write states as labels in an OME-Zarr pyramid, by the scheduler that dask is set to.

    Labels are states from 1, and 0 where a node is unknown, as in all exports of labels. The finest
    level is computed and written chunk by chunk; each coarser one has the states in the middles of
    the squares of the one before. The folder has another name until it is complete.

    Parameters
    ----------
    path : str or path-like
        The folder, which must not exist yet.
    states : dask array, shape (*shape), uint8
        From 0; 255 where a node is unknown.
    like : Pyramid, optional
        The image's pyramid: the levels get its shapes, pixel sizes and format. Without it, or if it
        has one level, each level has half the sides of the one before, down to 1,024.
    attributes : mapping, optional
        Further JSON data of the group, under ``latviz``.
    n_states : int, optional
        N: that many labels get colours, and their numbers as names.

    Raises
    ------
    ExportError
        If the folder exists already, or cannot be written.
    ParameterError
        If the shape is not that of the image's finest level.
    """
    if like is not None and like.shape(0) != states.shape:
        raise ParameterError(f"states must have shape {like.shape(0)}, got {states.shape}")
    shapes, scales = _levels(states.shape, like)
    zarr_format = 3 if like is None else like.zarr_format
    axes = "zyx"[3 - states.ndim :] if like is None else like.lattice_axes
    unit = "" if like is None else like.unit
    names = tuple(str(k) for k in range(1, n_states + 1))
    facts = whole.label_facts(state_colors(tuple(range(n_states))), names) if names else {}
    described = metadata(Path(path).stem, axes, scales, zarr_format, unit, facts)
    level = states + np.uint8(1)  # 255, which is unknown, becomes 0
    with becoming(Path(path)) as folder:
        group = whole.new_group(
            folder, {**described, "latviz": dict(attributes or {})}, zarr_format
        )
        for k, shape in enumerate(shapes):
            if k > 0:
                level = whole.halved(da.from_array(group[str(k - 1)], name=False), shape)
            chunks = like.chunks(0) if like else (whole.SIDE,) * states.ndim
            _write(group, str(k), level, chunks, axes)


def _levels(shape: Shape, like: Pyramid | None) -> tuple[list[Shape], list[tuple[float, ...]]]:
    """Return the shape of each level, and the sizes of its pixels."""
    if like is not None and len(like.levels) > 1:
        numbers = range(len(like.levels))
        return [like.shape(k) for k in numbers], [like.scale(k) for k in numbers]
    return whole.levels_of(shape, like.scale(0) if like else (1.0,) * len(shape))


def _write(group: Any, name: str, labels: da.Array, unit: Shape, axes: str) -> None:
    """Write an array chunk by chunk: no two tasks write into one chunk of the file."""
    unit = _grown(unit, labels.shape, 1, LEAST)
    unit = tuple(
        min(whole.SIDE, side, length) for side, length in zip(unit, labels.shape, strict=True)
    )
    if any(start % side for axis, side in enumerate(unit) for start in _starts(labels, axis)):
        labels = labels.rechunk(_grown(unit, labels.shape, labels.dtype.itemsize, HELD))
    target = whole.new_array(group, name, labels.shape, unit, axes)
    da.store(labels, target, lock=False)


def _starts(array: da.Array, axis: int) -> list[int]:
    return [int(start) for start in np.cumsum((0, *array.chunks[axis][:-1]))]
