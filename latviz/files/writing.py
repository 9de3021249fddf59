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

from latviz import __version__
from latviz.core.cells import guarded
from latviz.core.disk.errors import ExportError
from latviz.core.disk.writing import replacing
from latviz.core.errors import ParameterError

__all__ = [
    "ExportError",
    "png_bytes",
    "resized",
    "write_arrays",
    "write_labels",
    "write_mask",
    "write_page",
    "write_state_map",
    "write_summary",
    "write_table",
]

PathLike = str | os.PathLike[str]


def write_state_map(path: PathLike, states: NDArray[np.uint8], colors: NDArray[np.uint8]) -> None:
    """Write states as an indexed PNG, whose palette indices are the states.

    Parameters
    ----------
    path : str or path-like
    states : ndarray, shape (H, W), uint8
        State by row and column, less than N.
    colors : ndarray, shape (N, 3), uint8, 1 <= N <= 256
        Red, green and blue by state.

    Raises
    ------
    ParameterError
        For other shapes and types, or a state without a colour.
    ExportError
        If the file cannot be written.
    """
    states = _checked("states", states, 2, "(height, width)")
    colors = _checked("colors", colors, 2, "(number of states, 3)")
    if colors.shape[1] != 3 or len(colors) > 256:
        raise ParameterError(f"colors: wanted shape (1 to 256, 3), got {colors.shape}")
    if states.max() >= len(colors):
        raise ParameterError(
            f"states: wanted less than the {len(colors)} colors, got {states.max()}"
        )
    image = PIL.Image.frombytes("P", (states.shape[1], states.shape[0]), states.tobytes())
    image.putpalette(colors.tobytes())
    _save_png(path, image)


MOST_LABELS = 1 << 16
"""The labels that a pixel of 16 bits can tell apart."""


def write_labels(path: PathLike, labels: NDArray[np.int32]) -> None:
    """Write labels as a grey PNG of 16 bits, whose pixels are the labels.

    Parameters
    ----------
    path : str or path-like
    labels : ndarray, shape (H, W), int32
        Label by row and column, from 0.

    Raises
    ------
    ParameterError
        For other shapes and types, or a label below 0.
    ExportError
        If there are more labels than `MOST_LABELS`, or the file cannot be written.
    """
    if labels.ndim != 2 or labels.size == 0 or labels.dtype != np.int32 or labels.min() < 0:
        raise ParameterError(
            "labels: wanted int32 from 0 of shape (height, width), not empty, "
            f"got {labels.dtype} {labels.shape}"
        )
    if labels.max() >= MOST_LABELS:
        reason = f"it holds {MOST_LABELS:,} labels, got {labels.max() + 1:,}: choose .npz"
        raise ExportError(Path(path), reason)
    grey = labels.astype("<u2")
    _save_png(path, PIL.Image.frombytes("I;16", grey.shape[::-1], grey.tobytes()))


def write_mask(path: PathLike, mask: NDArray[np.bool_]) -> None:
    """Write a mask as a grey PNG of 8 bits: 255 where it is True, 0 elsewhere.

    Parameters
    ----------
    path : str or path-like
    mask : ndarray, shape (H, W), bool

    Raises
    ------
    ParameterError
        For other shapes and types.
    ExportError
        If the file cannot be written.
    """
    if mask.ndim != 2 or mask.size == 0 or mask.dtype != np.bool_:
        raise ParameterError(
            f"mask: wanted bool of shape (height, width), not empty, got {mask.dtype} {mask.shape}"
        )
    _save_png(path, PIL.Image.fromarray(mask.astype(np.uint8) * 255))


Arrays = Mapping[str, ArrayLike] | Iterable[tuple[str, ArrayLike]]
"""Arrays by name; those that come one by one need not be in memory together."""


def write_arrays(path: PathLike, arrays: Arrays) -> None:
    """Write named arrays as a compressed .npz file, the same bytes for the same arrays.

    Parameters
    ----------
    path : str or path-like
        Used as it is: no suffix is added.
    arrays : mapping of str to array_like, or iterable of pairs of these
        Any shapes and types except Python objects.

    Raises
    ------
    ParameterError
        For a name that is empty or no string, or an array of Python objects.
    ExportError
        If the file cannot be written.
    """
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
    """Write a summary as valid JSON, in the order of the mapping.

    NumPy's scalars and arrays become numbers and lists, paths become strings. Not a number becomes
    null, and the infinities become the strings "inf" and "-inf".

    Parameters
    ----------
    path : str or path-like
    summary : mapping of str to object
        Nested mappings, sequences, arrays, strings, numbers, booleans, paths and None.

    Raises
    ------
    ParameterError
        For a value of another type.
    ExportError
        If the file cannot be written.
    """
    text = json.dumps(_plain("summary", summary), indent=2, ensure_ascii=False, allow_nan=False)
    with replacing(path) as stream:
        stream.write(f"{text}\n".encode(errors="backslashreplace"))


def write_table(path: PathLike, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    r"""Write a table as CSV (RFC 4180, UTF-8): a line of names, and a line for each row.

    Numbers are written so that reading them gives the same number; None is an empty field; a text
    that spreadsheets would run is marked, see `guarded`. What UTF-8 cannot hold, such as parts of
    names that are none, is written as "\udce9" is.

    Raises
    ------
    ParameterError
        If a row has not as many fields as there are names.
    ExportError
        If the file cannot be written.
    """
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
    """Write a page of HTML, in UTF-8; what that cannot hold is written as in `write_table`.

    Raises
    ------
    ExportError
        If the file cannot be written.
    """
    with replacing(path) as stream:
        stream.write(html.encode(errors="backslashreplace"))


def png_bytes(pixels: NDArray[np.uint8], palette: NDArray[np.uint8] | None = None) -> bytes:
    """Return a picture as the bytes of a PNG file.

    Parameters
    ----------
    pixels : ndarray, shape (H, W, 3), or (H, W) with a palette, uint8
        Red, green and blue, or indices into the palette.
    palette : ndarray, shape (K, 3), uint8, 1 <= K <= 256, optional
        Red, green and blue by index.

    Raises
    ------
    ParameterError
        For other shapes and types.
    """
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
    """Return a picture of another size: pixels are repeated, or means of those that they cover.

    Parameters
    ----------
    picture : ndarray, shape (H, W, 3), uint8
    shape : (int, int)
        Height and width.

    Returns
    -------
    ndarray, shape (height, width, 3), uint8
    """
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


def _save_png(path: PathLike, image: PIL.Image.Image) -> None:
    text = PngInfo()
    text.add_text("Software", f"latviz {__version__}")
    with replacing(path) as stream:
        image.save(stream, "PNG", pnginfo=text)


def _plain(where: str, value: object) -> object:
    """Convert a value to what JSON knows; `where` names it in errors."""
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
