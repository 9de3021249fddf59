"""Label images as OME-Zarr: the parts that all writers share, and one for labels in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from numpy.typing import NDArray

from latviz.core.disk.writing import becoming
from latviz.core.types import Shape
from latviz.files.label_maps import LabelMap
from latviz.files.pyramids import metadata

SIDE = 1024
"""Sides of the chunks of files, and of the coarsest level of a pyramid that is made, at most."""


def write_label_zarr(path: str | Path, found: LabelMap, zarr_format: int = 3) -> None:
    """Write labels as a pyramid of OME-Zarr: 0.5, or 0.4 for format 2; the folder must be new."""
    shapes, scales = levels_of(found.labels.shape, found.spacing)
    described = metadata(
        Path(path).stem,
        found.axes,
        scales,
        zarr_format,
        found.unit,
        label_facts(found.colors, found.names),
    )
    with becoming(Path(path)) as folder:
        group = new_group(folder, described, zarr_format)
        level = found.labels
        for k, shape in enumerate(shapes):
            level = halved(level, shape) if k else level
            chunks = tuple(min(SIDE, length) for length in shape)
            new_array(group, str(k), shape, chunks, found.axes)[...] = level


def label_facts(colors: NDArray[np.uint8], names: Sequence[str]) -> dict[str, Any]:
    """Return the colours (N, 3) and names of labels from 1, for OME-Zarr; 0 is transparent."""
    rgba = [[0, 0, 0, 0], *([*color, 255] for color in colors.tolist())]
    return {
        "colors": [{"label-value": k, "rgba": color} for k, color in enumerate(rgba)],
        "properties": [{"label-value": k, "name": n} for k, n in enumerate(("unknown", *names))],
    }


def levels_of(
    shape: Shape, spacing: tuple[float, ...]
) -> tuple[list[Shape], list[tuple[float, ...]]]:
    """Return the shapes of levels of half the sides of the one before, and their pixels' sizes."""
    shapes, scales = [shape], [spacing]
    while max(shapes[-1]) > SIDE:
        shapes.append(tuple(-(-length // 2) for length in shapes[-1]))
        scales.append(tuple(2 * size for size in scales[-1]))
    return shapes, scales


def halved(array: Any, shape: Shape) -> Any:
    """Return the values in the middles of the cells that a coarser level's nodes stand for."""
    for axis, (length, wanted) in enumerate(zip(array.shape, shape, strict=True)):
        step = round(length / wanted)
        chosen: Any = slice(
            step // 2 if step * (wanted - 1) + step // 2 < length else 0, None, step
        )
        if len(range(*chosen.indices(length))) != wanted:
            middles = ((np.arange(wanted) + 0.5) * length / wanted).astype(np.int64)
            chosen = np.minimum(middles, length - 1)
        array = array[(*(slice(None),) * axis, chosen)]
    return array


def new_group(folder: Path, attributes: dict[str, Any], zarr_format: int) -> Any:
    """Make a group in a folder that is being written."""
    return zarr.create_group(str(folder), zarr_format=zarr_format, attributes=attributes)


def new_array(group: Any, name: str, shape: Shape, chunks: Shape, axes: str) -> Any:
    """Make an array of uint8 in a group, with names of its axes."""
    # OME-NGFF 0.4 wants a folder for each axis of chunks; xarray's attribute names its axes
    old: dict[str, Any] = {
        "chunk_key_encoding": {"name": "v2", "separator": "/"},
        "attributes": {"_ARRAY_DIMENSIONS": list(axes)},
    }
    is_old = group.metadata.zarr_format == 2
    return group.create_array(
        name,
        shape=shape,
        chunks=chunks,
        dtype=np.uint8,
        compressors=_compressor(is_old),
        fill_value=0,
        config={"write_empty_chunks": True},  # to see that a chunk is all 0 takes longer
        **(old if is_old else {"dimension_names": list(axes)}),
    )


def _compressor(is_old: bool) -> Any:
    """Return the compressor that makes state maps small as fast as a disk takes them."""
    if is_old:
        from numcodecs import Blosc  # not above: it belongs to zarr, and only old files need it

        return Blosc("lz4", 5, Blosc.SHUFFLE)
    return zarr.codecs.BloscCodec(cname="lz4", clevel=5, shuffle="shuffle")
