"""The pages of a TIFF file and their meaning: slices, times, channels or copies; their units."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import IO, Any
from xml.etree import ElementTree

import numpy as np

from latviz.core.axes import LATTICE, VECTOR, Axis, Role
from latviz.core.json_text import from_json
from latviz.files.decoding import DecodeError, check_page
from latviz.files.units import SYMBOLS, full_name

_GEOGRAPHIC, _PROJECTED = 2, 1
"""Values of the GeoTIFF key GTModelType: degrees, and metres unless another unit is given."""
_METRE = 9001
_GDAL = 42112
_RESOLUTION = {"x": 282, "y": 283}


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
            return _units_of_ome(first.description)
        if first.is_imagej:
            return _units_of_imagej(tif.imagej_metadata, first)
        if first.is_geotiff:
            return _units_of_geotiff(first.geotiff_tags)
    return Units()


def _spaced(named: Units, found: dict[str, Any], unit: str) -> Units:
    """Add distances, if they are positive numbers in a unit that is known."""
    unit = unit.encode().decode("unicode_escape") if "\\u" in unit else unit
    name = SYMBOLS.get(full_name(unit), "")
    spacing = {axis: float(value) for axis, value in found.items() if value is not None}
    known = name and spacing and all(0 < value < math.inf for value in spacing.values())
    return replace(named, spacing=spacing, unit=name) if known else named


def _units_of_ome(text: str) -> Units:
    pixels = _ome(text).findall(".//{*}Pixels")[0]
    own = pixels.findall("{*}Channel")
    names = tuple(one.get("Name", "") for one in own)
    sizes = {axis: pixels.get(f"PhysicalSize{axis.upper()}") for axis in "xyz"}
    units = {pixels.get(f"PhysicalSize{axis}Unit", "µm") for axis in "XY"}
    named = Units(names if all(names) else (), tuple(map(_color, own)))
    return _spaced(named, sizes, units.pop() if len(units) == 1 else "")


def _color(channel: Any) -> str:
    """Return the colour of a channel, whose attribute holds red to opacity in a signed number."""
    return f"#{int(channel.get('Color', -1)) & 0xFFFFFFFF:08x}"[:7]


def _units_of_imagej(metadata: dict[str, Any], first: Any) -> Units:
    labels, n = metadata.get("Labels", ()), int(metadata.get("channels", 1))
    names = tuple(map(str, labels)) if n > 1 and len(labels) == n else ()
    sizes: dict[str, Any] = {"z": metadata.get("spacing")}
    for axis, tag in _RESOLUTION.items():
        over, under = first.tags.valueof(tag, (0, 1))
        sizes[axis] = under / over if over else None
    tables = metadata.get("LUTs") or ()
    colors = tuple("#{:02x}{:02x}{:02x}".format(*one[:, -1]) for one in tables)
    return _spaced(Units(names, colors), sizes, str(metadata.get("unit", "")))


def _units_of_geotiff(tags: dict[str, Any]) -> Units:
    x, y, *_ = tags["ModelPixelScale"]
    kind = int(tags.get("GTModelTypeGeoKey", 0))
    is_metre = int(tags.get("ProjLinearUnitsGeoKey", _METRE)) == _METRE
    if kind == _GEOGRAPHIC:
        return Units(spacing={"x": float(x), "y": float(y)}, unit="°")
    return _spaced(Units(), {"x": x, "y": y}, "m" if kind == _PROJECTED and is_metre else "")


_USUAL: dict[str, Role] = {"Z": LATTICE, "C": VECTOR}
"""The roles of axes; of others the first entry is shown."""
_MOST_ASKED = 1 << 14
"""Pages that are asked whether they are reduced ones; all further ones are not."""
_MOST_INSIDE = 16
"""Pictures inside of a page that are compared with it."""
_IMAGEJ_SIZES = {"Z": "slices", "T": "frames", "C": "channels"}


@dataclass(frozen=True)
class TiffLayout:
    """The planes of a file."""

    # by plane, the number of its directory; those of reduced copies come last
    directories: tuple[int, ...]
    # length of each axis, the slowest first; empty if not in the file
    sizes: Mapping[str, int]
    n_full: int  # planes that are not reduced copies
    inside: bool = False  # if all planes follow each other behind the only directory
    notes: tuple[str, ...] = ()
    units: Units = field(default_factory=Units)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes of the planes, but for those of one entry."""
        sizes = self.sizes or {"page": self.n_full}
        return tuple(
            Axis(
                name.lower(),
                size,
                self.units.channels if name == "C" and len(self.units.channels) == size else (),
                usual=_USUAL.get(name, (0,)),
                colors=self.units.colors if name == "C" else (),
            )
            for name, size in sizes.items()
            if size > 1
        )

    def plane_at(self, place: Sequence[int]) -> int:
        """Return the plane at an entry of each of the axes."""
        shape = tuple(axis.length for axis in self.axes)
        return int(np.ravel_multi_index(tuple(place), shape)) if shape else 0


def layout_of(tif: Any, stream: IO[bytes]) -> TiffLayout:
    """Return the planes of a file; ignore metadata without a sensible description."""
    n_pages = len(tif.pages)
    check_page(0, n_pages, "page")
    others = [k for k in range(min(n_pages, _MOST_ASKED)) if n_pages > 1 and _is_copy(tif, k)]
    full = [k for k in range(n_pages) if k not in set(others)] or list(range(n_pages))
    plain = TiffLayout((*full, *(k for k in others if k not in full)), {}, len(full))
    with suppress(Exception):  # metadata of other programs may have any error
        first = tif.pages[full[0]].aspage()
        return replace(_by_metadata(first, tif, plain, stream), units=units_of(tif, first))
    return plain


def page_of(
    tif: Any, layout: TiffLayout, plane: int, stream: IO[bytes]
) -> tuple[Any, tuple[str, ...]]:
    """Return the directory of a plane, and a note on pictures in it that are left out."""
    ifd = tif.pages[layout.directories[plane]].aspage()
    if not layout.inside or plane == 0:
        return _largest(ifd)
    ifd, further = copy.copy(ifd), plane * ifd.nbytes
    ifd.dataoffsets = tuple(offset + further for offset in ifd.dataoffsets)
    end = ifd.dataoffsets[-1] + ifd.databytecounts[-1]
    if end > os.fstat(stream.fileno()).st_size:
        raise DecodeError(f"it is cut off before the end of page {plane + 1}; get a fresh copy")
    return ifd, ()


def _is_copy(tif: Any, page: int) -> bool:
    with suppress(Exception):  # reading the damaged page reports it
        ifd = tif.pages[page].aspage()
        return _is_reduced(ifd) and _is_reduced(_largest(ifd)[0])
    return False


def _is_reduced(ifd: Any) -> bool:
    return bool(ifd.is_reduced or ifd.is_mask)


def _largest(ifd: Any) -> tuple[Any, tuple[str, ...]]:
    """Return a page, or a larger picture inside of it, with a note: a DNG's page is a thumbnail."""
    found, others = ifd, list[Any]()
    with suppress(Exception):  # a damaged picture inside does not hide its page
        others = [one.aspage() for one in islice(ifd.pages or (), _MOST_INSIDE)]
        full = [one for one in others if not _is_reduced(one)]
        found = max([ifd, *full], key=lambda one: int(one.imagewidth) * int(one.imagelength))
    if found is ifd:
        return ifd, ()
    left = (f"{one.imagewidth} × {one.imagelength}" for one in (ifd, *others) if one is not found)
    note = f"the largest of its {1 + len(others)} pictures; left out: {', '.join(left)} pixels"
    return found, (note,)


def _by_metadata(first: Any, tif: Any, plain: TiffLayout, stream: IO[bytes]) -> TiffLayout:
    """Return the layout with the axes that the metadata of some program give to the planes."""
    if first.is_ome:
        return _of_ome(first, plain)
    if first.is_imagej:
        sizes = _of_imagej(tif, first)
    elif first.is_shaped:
        sizes = _of_tifffile(first)
    elif first.is_lsm:
        found = tif.lsm_metadata
        sizes = {"T": found["DimensionTime"], "Z": found["DimensionZ"]}
    elif first.is_stk:
        sizes = {"Z": int(tif.stk_metadata["NumberPlanes"])}
    else:
        return plain
    n_planes = math.prod(sizes.values())
    if n_planes == plain.n_full:
        return replace(plain, sizes=sizes)
    if plain.n_full == 1 < n_planes and _has_planes_inside(first, n_planes, stream):
        directories = (0,) * n_planes + plain.directories[1:]
        return TiffLayout(directories, sizes, n_planes, inside=True)
    return plain


def _has_planes_inside(first: Any, n_planes: int, stream: IO[bytes]) -> bool:
    """Return True if the data of several planes follow each other in a file."""
    if int(first.compression) != 1 or first.bitspersample % 8 or not first.is_contiguous:
        return False
    room = os.fstat(stream.fileno()).st_size - first.dataoffsets[0]
    return bool(n_planes <= 2**24 and room >= 2 * first.nbytes)


def _of_imagej(tif: Any, first: Any) -> dict[str, int]:
    fields = tif.imagej_metadata
    order = str(fields.get("order", "")).upper()
    axes = order[::-1] if sorted(order) == ["C", "T", "Z"] else "TZC"  # the slowest first
    sizes = {axis: int(fields.get(_IMAGEJ_SIZES[axis], 1)) for axis in axes}
    if sizes["C"] == first.samplesperpixel > 1:  # samples that are declared as channels
        del sizes["C"]
    if math.prod(sizes.values()) == 1 and int(fields.get("images", 1)) > 1:
        return {"Z": int(fields["images"])}
    return sizes


def _of_tifffile(first: Any) -> dict[str, int]:
    """Return the axes before those of a page: of descriptions that begin with their shape."""
    stored = from_json(first.shaped_description)
    shape = tuple(map(int, stored["shape"]))
    k = max(k for k in range(len(shape)) if math.prod(shape[k:]) == first.size)
    axes = stored.get("axes", "")
    if len(axes) != len(shape):
        return {"PAGE": math.prod(shape[:k])}
    names = axes[:k]
    if len(set(names)) != k:
        raise ValueError("axes of the same name")
    return dict(zip(names, shape[:k], strict=True))


def _of_ome(first: Any, plain: TiffLayout) -> TiffLayout:
    """Return the planes of the only image of OME-XML; see the model's Pixels and TiffData."""
    # tifffile's own series would open the other files, and make room for as many planes as claimed
    root = _ome(first.description)
    images = root.findall("{*}Image")
    if len(images) != 1:
        note = "its axes are described in another file, which is not read"
        several = f"its pages are those of {len(images)} images"
        return replace(plain, notes=(several if root.find("{*}BinaryOnly") is None else note,))
    pixels = images[0].findall("{*}Pixels")[0]
    axes = pixels.attrib["DimensionOrder"][:1:-1]
    sizes = {axis: int(pixels.attrib[f"Size{axis}"]) for axis in axes}
    samples = first.samplesperpixel
    if samples > 1 and sizes["C"] % samples == 0:
        sizes["C"] //= samples
    n_pages = len(plain.directories)
    return _placed(plain, sizes, _directories(pixels, sizes, root.get("UUID", ""), n_pages))


def _ome(text: str) -> ElementTree.Element:
    """Return the parsed OME-XML; entities, which may expand without end, are refused."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("entities")
    return ElementTree.fromstring(text.encode())


def _directories(
    pixels: ElementTree.Element, sizes: dict[str, int], own: str, n_pages: int
) -> dict[int, int]:
    """Return by the number of a plane, in the order of the axes, its directory in this file."""
    found: dict[int, int] = {}
    shape = tuple(sizes.values())
    for data in pixels.findall("{*}TiffData"):
        if own and (data.findtext("{*}UUID") or own).strip() != own:
            continue
        begin = [int(data.get(f"First{axis}", 0)) for axis in sizes]
        number, page = int(np.ravel_multi_index(begin, shape)), int(data.get("IFD", 0))
        most = min(math.prod(shape) - number, n_pages - page)  # whatever the file claims
        count = int(data.get("PlaneCount", 1 if "IFD" in data.attrib else 0)) or most
        found |= {number + k: page + k for k in range(min(count, most))}
    return found


def _placed(plain: TiffLayout, sizes: dict[str, int], found: dict[int, int]) -> TiffLayout:
    """Return the planes in the order of the axes; some may be in other files."""
    n_planes = math.prod(sizes.values())
    if not found:  # without TiffData the pages follow the axes
        return replace(plain, sizes=sizes) if n_planes == plain.n_full else plain
    full = set(plain.directories[: plain.n_full])
    there = {plane: page for plane, page in sorted(found.items()) if page in full}
    missing = n_planes - len(there)
    notes = (f"planes in other files, which are not read: {missing:,}",) if missing else ()
    pages = tuple(there.values())
    if sorted(pages) != sorted(full):
        return replace(plain, notes=notes)
    kept = [len(set(one.tolist())) for one in np.unravel_index(list(there), tuple(sizes.values()))]
    own = dict(zip(sizes, kept, strict=True)) if math.prod(kept) == len(there) else {}
    return replace(
        plain, directories=(*pages, *plain.directories[plain.n_full :]), sizes=own, notes=notes
    )
