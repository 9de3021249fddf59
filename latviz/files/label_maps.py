"""State maps as label images: TIFF that ImageJ, OME and GIS open, at its place on a map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Annotated, Any

import numpy as np
import tifffile
from numpy.typing import NDArray

from latviz.core.disk.writing import replacing
from latviz.files.errors import ImageError
from latviz.files.images import reading
from latviz.files.marks import SOFTWARE
from latviz.files.units import SYMBOLS, full_name
from latviz.files.writing import PathLike

_SCALE, _TIES, _TRANSFORMATION = 33550, 33922, 34264
_KEYS, _DOUBLES, _TEXTS = 34735, 34736, 34737
_COLORS, _NODATA, _ORIENTATION = 320, 42113, 274
_GEO = {_SCALE: 12, _TIES: 12, _TRANSFORMATION: 12, _KEYS: 3, _DOUBLES: 12, _TEXTS: 2}
"""The tags that place a GeoTIFF on a map, and the numbers of their types."""
_RASTER_TYPE, _IS_POINT = 1025, 2
"""The key that says if a coordinate is of a pixel's corner or of its middle, and the latter."""


@dataclass(frozen=True, eq=False)
class LabelMap:
    """States as labels, with what other programs show and measure them by."""

    labels: Annotated[NDArray[np.uint8], "(H, W) or (D, H, W)"]  # from 1; 0 is unknown
    colors: Annotated[NDArray[np.uint8], "(N, 3)"]  # of the states, without that of 0
    names: tuple[str, ...]  # of the states
    spacing: tuple[float, ...]  # of the nodes along each axis
    unit: str = ""  # of the spacing; empty: it is counted in nodes

    @property
    def axes(self) -> str:
        """A letter for each axis."""
        return "zyx"[3 - self.labels.ndim :]

    @property
    def described(self) -> str:
        """A line for each label: its number and its name."""
        return "\n".join(f"{k}: {name}" for k, name in enumerate(("unknown", *self.names)))


Tags = Sequence[tuple[int, int, int, Any, bool]]
"""Tags of a TIFF: number, type, count, value, and if they are of the first page alone."""


def write_label_tiff(path: PathLike, found: LabelMap, place: Tags = ()) -> None:
    """Write labels as a TIFF with a colour table; see `place_of` for tags of its place on a map."""
    # ImageJ's metadata unless the name ends with .ome.tif. ImageJ and GIS use the table of colours
    # of a grey image, too; where it is declared as a palette, others read colours
    is_ome = PurePath(path).name.lower().endswith((".ome.tif", ".ome.tiff"))
    palette = np.zeros((3, 256), np.uint16)
    palette[:, 1 : 1 + len(found.colors)] = 257 * found.colors.T.astype(np.uint16)
    colors = (_COLORS, 3, palette.size, palette.reshape(-1).tolist(), False)
    metadata = {"axes": found.axes.upper(), **(_ome if is_ome else _imagej)(found)}
    _write(path, found.labels, found, metadata, [colors, *place], is_ome=is_ome)


def write_layer_tiff(
    path: PathLike, layers: NDArray[np.float32], found: LabelMap, place: Tags = ()
) -> None:
    """Write a number for each node and state, (*shape of the labels, N), as a channel a state."""
    metadata = {**_imagej(found), "axes": f"{found.axes[:-2]}cyx".upper(), "mode": "grayscale"}
    metadata["Labels"] = [*found.names] * (found.labels.shape[0] if found.labels.ndim == 3 else 1)
    channels = np.ascontiguousarray(np.moveaxis(layers, -1, -3))
    _write(path, channels, found, metadata, place)


def _write(
    path: PathLike,
    pages: NDArray[Any],
    found: LabelMap,
    metadata: dict[str, Any],
    tags: Tags,
    *,
    is_ome: bool = False,
) -> None:
    # ImageJ expects the pages of a stack behind each other, so that only other files are compressed
    y, x = found.spacing[-2:]
    with (
        replacing(path) as stream,
        tifffile.TiffWriter(stream, ome=is_ome, imagej=not is_ome) as writer,
    ):
        writer.write(
            pages,
            photometric="minisblack",
            compression="zlib" if is_ome or pages.ndim == 2 else None,
            resolution=None if is_ome else (1 / x, 1 / y),
            software=SOFTWARE,
            metadata=metadata,
            extratags=tags,
        )


def _imagej(found: LabelMap) -> dict[str, Any]:
    unit = "um" if (name := full_name(found.unit)) == "micrometer" else SYMBOLS.get(name, "")
    depth = {"spacing": found.spacing[0]} if found.labels.ndim == 3 else {}
    return {"mode": "color", "Info": found.described, **depth, **({"unit": unit} if unit else {})}


def _ome(found: LabelMap) -> dict[str, Any]:
    unit, sizes = full_name(found.unit), dict[str, Any]()
    for axis, size in zip(found.axes.upper() if unit else "", found.spacing, strict=False):
        sizes |= {f"PhysicalSize{axis}": size, f"PhysicalSize{axis}Unit": SYMBOLS[unit]}
    return {"Description": found.described, **sizes}


def place_of(path: PathLike, shape: tuple[int, ...], reduction: int = 1) -> Tags:
    """Return the tags of a GeoTIFF's place on a map, for labels of a shape that were read from it.

    Nothing for other files, and if the file is not there any more or has another size.
    """
    with suppress(ImageError), reading(Path(path)) as (stream, _), tifffile.TiffFile(stream) as tif:
        page = tif.pages[0].aspage()
        sides = math.ceil(page.imagelength / reduction), math.ceil(page.imagewidth / reduction)
        found = {code: page.tags.valueof(code) for code in _GEO if code in page.tags}
        if sides == shape and page.tags.valueof(_ORIENTATION, 1) == 1 and _KEYS in found:
            return _tags(_reduced(found, reduction))
    return ()


def _reduced(found: dict[int, Any], reduction: int) -> dict[int, Any]:
    """Return the tags of the same place for pixels whose sides are multiplied."""
    keys = np.reshape(found[_KEYS], (-1, 4))[1:].tolist()
    is_point = any(key == _RASTER_TYPE and value == _IS_POINT for key, _, _, value in keys)
    # The middle of a larger pixel lies between those of the pixels in it.
    shift = (reduction - 1) / 2 if is_point else 0.0
    if _SCALE in found:
        x, y, z = found[_SCALE]
        found[_SCALE] = (x * reduction, y * reduction, z)
    if _TIES in found:
        ties = np.reshape(found[_TIES], (-1, 6)).astype(np.float64)
        ties[:, :2] = (ties[:, :2] - shift) / reduction
        found[_TIES] = tuple(ties.reshape(-1).tolist())
    if _TRANSFORMATION in found:
        matrix = np.reshape(found[_TRANSFORMATION], (4, 4)).astype(np.float64)
        matrix[:, 3] += shift * (matrix[:, 0] + matrix[:, 1])
        matrix[:, :2] *= reduction
        found[_TRANSFORMATION] = tuple(matrix.reshape(-1).tolist())
    return found


def _tags(found: dict[int, Any]) -> Tags:
    """Return tags as tifffile writes them; 0 is declared as a pixel without data."""
    values = {**found, _NODATA: "0"}
    return [
        (code, _GEO.get(code, 2), 0 if isinstance(value, str) else len(value), value, True)
        for code, value in values.items()
    ]
