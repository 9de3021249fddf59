"""Writing state maps, arrays, summaries, tables and pictures."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import PIL.Image
from numpy.lib import format as npy
from numpy.typing import ArrayLike, NDArray
from PIL.PngImagePlugin import PngInfo

from latviz.core.cells import guarded
from latviz.core.checks import UNKNOWN
from latviz.core.disk.errors import ExportError
from latviz.core.disk.writing import replacing
from latviz.core.errors import ParameterError
from latviz.files.marks import SOFTWARE

__all__ = [
    "ExportError",
    "png_bytes",
    "resized",
    "write_arrays",
    "write_features",
    "write_labels",
    "write_page",
    "write_state_map",
    "write_summary",
    "write_table",
]

PathLike = str | os.PathLike[str]


def write_state_map(path: PathLike, states: NDArray[np.uint8], colors: NDArray[np.uint8]) -> None:
    """Write states (H, W) as an indexed PNG, whose palette (N, 3), N <= 256, are the colours."""
    # 255 without a colour is an unknown node, and transparent. ParameterError for other shapes,
    # types and a state without colour; ExportError, here and below
    states = _checked("states", states, 2, "(height, width)")
    colors = _checked("colors", colors, 2, "(number of states, 3)")
    if colors.shape[1] != 3 or len(colors) > 256:
        raise ParameterError(f"colors: wanted shape (1 to 256, 3), got {colors.shape}")
    has_gaps = len(colors) <= UNKNOWN and bool((states == UNKNOWN).any())
    most = states[states != UNKNOWN].max(initial=0) if has_gaps else states.max()
    if most >= len(colors):
        raise ParameterError(f"states: wanted less than the {len(colors)} colors, got {most}")
    if has_gaps:
        white = np.full((UNKNOWN + 1 - len(colors), 3), 255, np.uint8)
        colors = np.concatenate([colors, white])
    image = PIL.Image.frombytes("P", (states.shape[1], states.shape[0]), states.tobytes())
    image.putpalette(colors.tobytes())
    _save_png(path, image, **({"transparency": UNKNOWN} if has_gaps else {}))


MOST_LABELS = 1 << 16
"""The number of labels that 16 bits can hold."""


def write_labels(path: PathLike, labels: NDArray[np.int32]) -> None:
    """Write labels (H, W) int32, from 0 to `MOST_LABELS` - 1, as a grey PNG of 16 bits."""
    # -1 is an unknown node, and becomes `MOST_LABELS` - 1, which then no label can have
    if labels.ndim != 2 or labels.size == 0 or labels.dtype != np.int32 or labels.min() < -1:
        raise ParameterError(
            "labels: wanted int32 from -1 of shape (height, width), not empty, "
            f"got {labels.dtype} {labels.shape}"
        )
    most = MOST_LABELS - bool(labels.min() < 0)
    if labels.max() >= most:
        reason = f"a PNG holds at most {most:,} labels, got {labels.max() + 1:,}; choose .npz"
        raise ExportError(Path(path), reason)
    grey = labels.astype("<u2")
    _save_png(path, PIL.Image.frombytes("I;16", grey.shape[::-1], grey.tobytes()))


Arrays = Mapping[str, ArrayLike] | Iterable[tuple[str, ArrayLike]]
"""Arrays by name; an iterable need not have them in memory together."""


def write_arrays(path: PathLike, arrays: Arrays) -> None:
    """Write named arrays as a compressed .npz file, the same bytes for the same arrays."""
    # No suffix is added to the path. ParameterError for Python objects, and a name that is empty or
    # not a string
    pairs = arrays.items() if isinstance(arrays, Mapping) else arrays
    with replacing(path) as stream, zipfile.ZipFile(stream, "w") as archive:
        for name, array in pairs:
            add_array(archive, name, _checked_array(name, array))


def add_array(archive: zipfile.ZipFile, name: str, array: NDArray[Any]) -> None:
    """Add an array to an open archive, as the member ``name`` with .npy behind it."""
    with archive.open(member(f"{name}.npy"), "w", force_zip64=True) as entry:
        npy.write_array(entry, array, allow_pickle=False)


def member(name: str) -> zipfile.ZipInfo:
    """Return a compressed member that bears no time stamp."""
    made = zipfile.ZipInfo(name)
    made.compress_type = zipfile.ZIP_DEFLATED
    return made


def write_summary(path: PathLike, summary: Mapping[str, object]) -> None:
    """Write a summary as valid JSON, in the order of the mapping."""
    # NumPy's scalars and arrays become numbers and lists, paths strings, NaN null, and the
    # infinities the strings "inf" and "-inf". ParameterError for values of another type
    text = json.dumps(_plain("summary", summary), indent=2, ensure_ascii=False, allow_nan=False)
    with replacing(path) as stream:
        stream.write(f"{text}\n".encode(errors="backslashreplace"))


def write_features(path: PathLike, features: Iterable[Mapping[str, Any]]) -> None:
    """Write features as a collection of GeoJSON, one a line; properties as in `write_summary`."""
    plain = ({**one, "properties": _plain("properties", one["properties"])} for one in features)
    text = ",\n".join(json.dumps(one, ensure_ascii=False, allow_nan=False) for one in plain)
    whole = f'{{"type": "FeatureCollection", "features": [\n{text}\n]}}\n'
    with replacing(path) as stream:
        stream.write(whole.encode(errors="backslashreplace"))


def write_table(path: PathLike, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table as CSV (RFC 4180, UTF-8): a line of names, and a line for each row."""
    # Numbers are written so that reading them gives the same number; None is an empty field; a text
    # that spreadsheets would run is marked, see `guarded`. Text that UTF-8 cannot encode, as parts
    # of names in other codes, is escaped, like "\udce9". ParameterError if a row has more or fewer
    # fields than names
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(map(guarded, names))
    for row in rows:
        if len(row) != len(names):
            raise ParameterError(f"rows: wanted {len(names)} fields each, got {len(row)}")
        writer.writerow(map(guarded, row))
    with replacing(path) as stream:
        stream.write(text.getvalue().encode(errors="backslashreplace"))


def write_page(path: PathLike, html: str) -> None:
    """Write a page of HTML, in UTF-8; other characters are written as in `write_table`."""
    with replacing(path) as stream:
        stream.write(html.encode(errors="backslashreplace"))


def png_bytes(pixels: NDArray[np.uint8], palette: NDArray[np.uint8] | None = None) -> bytes:
    """Return a picture (H, W, 3), or (H, W) with a palette (K, 3), K <= 256, as bytes of a PNG."""
    if palette is None:
        pixels = _checked("pixels", pixels, 3, "(height, width, 3)")
        image = PIL.Image.fromarray(np.ascontiguousarray(pixels))
    else:
        pixels = _checked("pixels", pixels, 2, "(height, width)")
        image = PIL.Image.frombytes("P", (pixels.shape[1], pixels.shape[0]), pixels.tobytes())
        image.putpalette(_checked("palette", palette, 2, "(number of colours, 3)").tobytes())
    stream = io.BytesIO()
    image.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def resized(picture: NDArray[np.uint8], shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return a picture (H, W, 3) uint8 in another size: pixels are repeated, or averaged."""
    height, width = shape
    is_smaller = height < picture.shape[0] or width < picture.shape[1]
    how = PIL.Image.Resampling.BOX if is_smaller else PIL.Image.Resampling.NEAREST
    image = PIL.Image.fromarray(np.ascontiguousarray(picture))
    return np.array(image.resize((width, height), how))


def _checked(name: str, array: NDArray[np.uint8], ndim: int, shape: str) -> NDArray[np.uint8]:
    array = np.asarray(array)
    if array.dtype != np.uint8 or array.ndim != ndim or array.size == 0:
        raise ParameterError(
            f"{name}: wanted uint8 of shape {shape}, not empty, got {array.dtype} {array.shape}"
        )
    return array


def _checked_array(name: str, array: ArrayLike) -> NDArray[Any]:
    if not isinstance(name, str) or not name or "\0" in name:
        raise ParameterError(f"arrays: wanted names that are strings and not empty, got {name!r}")
    array = np.asanyarray(array)
    if array.dtype.hasobject:
        raise ParameterError(f"arrays: wanted numbers or text, got Python objects in {name!r}")
    return array


def _save_png(path: PathLike, image: PIL.Image.Image, **options: Any) -> None:
    text = PngInfo()
    text.add_text("Software", SOFTWARE)
    with replacing(path) as stream:
        image.save(stream, "PNG", pnginfo=text, **options)


def _plain(where: str, value: object) -> object:
    """Convert a value to JSON types; `where` names it in errors."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return _plain_float(value)
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, Mapping):
        return _plain_mapping(where, value)
    if isinstance(value, list | tuple):
        return [_plain(f"{where}[{i}]", item) for i, item in enumerate(value)]
    raise ParameterError(f"{where}: wanted numbers, text, lists or mappings, got {type(value)}")


def _plain_float(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def _plain_mapping(where: str, mapping: Mapping[Any, object]) -> dict[str, object]:
    plain: dict[str, object] = {}
    for key, value in mapping.items():
        if not isinstance(key, str | int | np.integer):
            raise ParameterError(f"{where}: wanted names that are text or integers, got {key!r}")
        if str(key) in plain:
            raise ParameterError(f"{where}: wanted each name once, got {str(key)!r} twice")
        plain[str(key)] = _plain(f"{where}.{key}", value)
    return plain
