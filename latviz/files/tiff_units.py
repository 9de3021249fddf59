"""What the metadata of a TIFF file say of its nodes: names of channels, distances, their unit."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

from latviz.files.units import SYMBOLS, full_name

_GEOGRAPHIC, _PROJECTED = 2, 1
"""Values of the GeoTIFF key GTModelType: degrees, and metres unless another unit is given."""
_METRE = 9001
_GDAL = 42112
_RESOLUTION = {"x": 282, "y": 283}
Channels = tuple[tuple[str, ...], tuple[str, ...]]
"""Their names, and the colours that they are drawn in."""


@dataclass(frozen=True)
class Units:
    """Names of channels, and the distance of nodes along each axis in one unit."""

    channels: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()  # that channels are drawn in; empty if unknown
    spacing: dict[str, float] = field(default_factory=dict)  # by "x", "y", "z"; empty if unknown
    unit: str = ""


def scale_notes(ifd: Any) -> tuple[str, ...]:
    """Return a note on the scale and offset that GDAL's metadata give to stored numbers, if any."""
    found: dict[str, str] = {}
    with suppress(Exception):  # metadata of other programs may have any error
        for item in ElementTree.fromstring(str(ifd.tags.valueof(_GDAL, ""))):
            if item.attrib.get("role") in ("scale", "offset"):
                found[item.attrib["role"]] = (item.text or "").strip()[:20]
    if not found:
        return ()
    each = " and ".join(f"{role} {found[role]}" for role in ("scale", "offset") if role in found)
    return (f"numbers as stored: its metadata give them {each}",)


def units_of(tif: Any, first: Any) -> Units:
    """Return what the metadata say; nothing where they are damaged."""
    with suppress(Exception):  # metadata of other programs may have any error
        if first.is_ome:
            return _of_ome(first.description)
        if first.is_imagej:
            return _of_imagej(tif.imagej_metadata, first)
        if first.is_geotiff:
            return _of_geotiff(first.geotiff_tags)
    return Units()


def _checked(channels: Channels, found: dict[str, Any], unit: str) -> Units:
    """Return distances that are positive numbers, in a unit that is known."""
    name = SYMBOLS.get(full_name(unit.encode().decode("unicode_escape") if "\\u" in unit else unit))
    spacing = {axis: float(value) for axis, value in found.items() if value is not None}
    if not name or not all(0 < value < math.inf for value in spacing.values()):
        return Units(*channels)
    return Units(*channels, spacing, name) if spacing else Units(*channels)


def _of_ome(text: str) -> Units:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        return Units()
    root = ElementTree.fromstring(text.encode())
    pixels = next(one for one in root.iter() if one.tag.endswith("}Pixels"))
    own = [one for one in pixels if one.tag.endswith("}Channel")]
    names = tuple(one.attrib.get("Name", "") for one in own)
    sizes = {axis: pixels.attrib.get(f"PhysicalSize{axis.upper()}") for axis in "xyz"}
    units = {pixels.attrib.get(f"PhysicalSize{a.upper()}Unit", "µm") for a in "xy"}
    channels = names if all(names) else (), tuple(map(_color, own))
    return _checked(channels, sizes, units.pop() if len(units) == 1 else "")


def _color(channel: Any) -> str:
    """Return the colour of a channel, whose attribute holds red to opacity in a signed number."""
    return f"#{int(channel.attrib.get('Color', -1)) & 0xFFFFFFFF:08x}"[:7]


def _of_imagej(metadata: dict[str, Any], first: Any) -> Units:
    labels, n = metadata.get("Labels", ()), int(metadata.get("channels", 1))
    names = tuple(map(str, labels)) if n > 1 and len(labels) == n else ()
    sizes: dict[str, Any] = {"z": metadata.get("spacing")}
    for axis, tag in _RESOLUTION.items():
        over, under = first.tags.valueof(tag, (0, 1))
        sizes[axis] = under / over if over else None
    tables = metadata.get("LUTs") or ()
    colors = tuple("#{:02x}{:02x}{:02x}".format(*one[:, -1]) for one in tables)
    return _checked((names, colors), sizes, str(metadata.get("unit", "")))


def _of_geotiff(tags: dict[str, Any]) -> Units:
    x, y, *_ = tags["ModelPixelScale"]
    kind = int(tags.get("GTModelTypeGeoKey", 0))
    is_metre = int(tags.get("ProjLinearUnitsGeoKey", _METRE)) == _METRE
    if kind == _GEOGRAPHIC:
        return Units(spacing={"x": float(x), "y": float(y)}, unit="°")
    return _checked(((), ()), {"x": x, "y": y}, "m" if kind == _PROJECTED and is_metre else "")
