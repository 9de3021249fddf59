"""The attributes of an image: its levels, its axes, and the sizes of its pixels.

OME-NGFF calls it ``multiscales``: 0.5 under ``ome``, older versions at the top.
"""

from __future__ import annotations

import math
import struct
from base64 import b64decode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from latviz.files.decoding import DecodeError
from latviz.files.units import SYMBOLS, full_name
from latviz.files.zarrs.headers import brief
from latviz.files.zarrs.nodes import Node

NAMES = "tczyx"
"""Axes that a level may have, in the order in which older versions have them."""
MOST_LEVELS = 64
_RGB = ("#ff0000", "#00ff00", "#0000ff")
LETTERS = {
    **dict.fromkeys(("time", "times", "frame", "frames"), "t"),
    **dict.fromkeys(("channel", "channels", "band", "bands", "rgb", "sample", "samples"), "c"),
    **dict.fromkeys(("depth", "plane", "slice"), "z"),
    **dict.fromkeys(("height", "row", "rows"), "y"),
    **dict.fromkeys(("width", "column", "columns", "col"), "x"),
    **{name: name for name in NAMES},
}
"""The letters of axes by their usual names."""
_OF_TYPES = {"time": "t", "channel": "c"}
"""The letters of axes by their types in OME-NGFF, for any names."""


@dataclass(frozen=True, eq=False)
class Multiscale:
    """The metadata of an image."""

    paths: tuple[str, ...]  # of the levels' arrays in the group, the finest first
    axes: str  # a letter for each axis; empty if unknown
    name: str  # empty if it has none
    transformations: tuple[Any, ...]  # of the pixels of each level
    unit: str = ""  # of the sizes of its pixels; empty if they have none, or several
    channels: tuple[str, ...] = ()  # their names; empty if unknown
    colors: tuple[str, ...] = ()  # that they are drawn in; empty if unknown

    @property
    def in_colour(self) -> bool:
        """False if it says that its channels are not red, green and blue."""
        return self.colors in ((), _RGB)

    def scales(self, n_axes: int) -> tuple[tuple[float, ...], ...]:
        """Return the size of the pixels along each axis for each level; 1 if missing."""
        return tuple(_scale_of(one, n_axes) for one in self.transformations)


def multiscale_of(group: Node) -> Multiscale:
    """Return the attributes of a group's first image; `DecodeError` if damaged."""
    listed = group.ngff.get("multiscales")
    first = listed[0] if isinstance(listed, list) and listed else None
    if not isinstance(first, Mapping):
        raise DecodeError(
            f"its multiscales must be a list of objects, got {brief(listed)}; get a fresh copy"
        )
    levels = first.get("datasets")
    if not isinstance(levels, list) or not 1 <= len(levels) <= MOST_LEVELS:
        n = f"{len(levels)} levels" if isinstance(levels, list) else brief(levels)
        raise DecodeError(f"its image must have 1 to {MOST_LEVELS} levels, got {n}")
    for one in levels:
        if not isinstance(one, Mapping) or not isinstance(one.get("path"), str):
            raise DecodeError(f"each level must have a path, got {brief(one)}; get a fresh copy")
    name, axes = first.get("name"), first.get("axes")
    return Multiscale(
        tuple(one["path"] for one in levels),
        "" if axes is None else "".join(map(_letter, _list_of_axes(axes))),
        name if isinstance(name, str) else "",
        tuple(one.get("coordinateTransformations") for one in levels),
        _unit_of(axes),
        *_channels_of(group.ngff.get("omero")),
    )


def _unit_of(axes: Any) -> str:
    """Return the unit of all axes of space; empty if there is none, or several."""
    listed = [axis for axis in axes or () if isinstance(axis, Mapping)]
    units = {str(axis.get("unit", "")) for axis in listed if _letter(axis) in "zyx"}
    return SYMBOLS.get(full_name(units.pop()), "") if len(units) == 1 else ""


def _channels_of(omero: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of channels, and the colours that they are drawn in."""
    listed = omero.get("channels") if isinstance(omero, Mapping) else None
    own = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    if not own:
        return (), ()
    names = tuple(str(one.get("label", "")) for one in own)
    colors = tuple(f"#{str(one.get('color', '')).lower()}" for one in own)
    return names if all(names) else (), colors


def named_axes(array: Node) -> str:
    """Return the letters of an array's axes that have names; empty if they have none."""
    # Format 3 has dimension_names, xarray writes _ARRAY_DIMENSIONS into format 2. An unknown name
    # stands as "?", if another one is known
    found = array.header.get("dimension_names") or array.attributes.get("_ARRAY_DIMENSIONS")
    if not isinstance(found, list):
        return ""
    letters = "".join(LETTERS.get(str(name).lower(), "?") for name in found)
    return letters if set(letters) - {"?"} else ""


def nodata_of(array: Node) -> str:
    """Return the number that an array's attributes declare for missing values; or none."""
    # A fill_value in the header is not one: it is what was never written. In format 3 xarray writes
    # floats as the base64 of their 8 bytes
    for name in ("_FillValue", "missing_value"):
        found = array.attributes.get(name)
        with suppress(ValueError, struct.error):
            if isinstance(found, str) and len(found) == 12:
                (found,) = struct.unpack("<d", b64decode(found, validate=True))
            if isinstance(found, int | float | str) and not isinstance(found, bool):
                return repr(float(found))
    return ""


def _list_of_axes(axes: Any) -> list[Any]:
    if not isinstance(axes, list):
        raise DecodeError(f"its axes must be a list, got {brief(axes)}; get a fresh copy")
    return axes


def _letter(axis: Any) -> str:
    """Return the letter of an axis by its type or its name."""
    name = axis.get("name") if isinstance(axis, Mapping) else axis
    kind = axis.get("type") if isinstance(axis, Mapping) else None
    known = _OF_TYPES.get(kind) if isinstance(kind, str) else None
    found = known or LETTERS.get(name.lower() if isinstance(name, str) else "")
    if found is None:
        raise DecodeError(f"its axes must be some of {', '.join(NAMES)}, got {brief(name)}")
    return found


def _scale_of(transformations: Any, n_axes: int) -> tuple[float, ...]:
    for one in transformations if isinstance(transformations, list) else ():
        if isinstance(one, Mapping) and one.get("type") == "scale":
            found = one.get("scale")
            if isinstance(found, list) and len(found) == n_axes and all(map(_is_size, found)):
                return tuple(map(float, found))
    return (1.0,) * n_axes


def _is_size(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 < value < math.inf
