"""Files whose array is read as a whole: its axes in order, and its planes."""

from __future__ import annotations

import math
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import plugins
from latviz.core.axes import COLOUR, LATTICE, VECTOR, Axis, Role
from latviz.files.arrays import shaped_planes
from latviz.files.decoding import Alpha, DecodedFile, DecodeError, check_size, decoding
from latviz.files.formats import Format
from latviz.files.memory import cost
from latviz.files.pixels import to_depth
from latviz.files.planes import Planes
from latviz.files.readers import FileReader, ReadArray
from latviz.files.units import SYMBOLS, full_name
from latviz.files.zarrs.multiscales import LETTERS

_ORDER = "tczyxs"
_USUAL: dict[str, Role] = {"t": (0,), "c": VECTOR, "z": LATTICE, "s": COLOUR}


def whole_planes(stream: IO[bytes], row: Format, reduction: int, asked: str) -> Planes:
    """Return the planes of a file whose array is read as a whole, or raise `DecodeError`."""
    if row.plug_in is not None:
        found = _read_by(row.plug_in, Path(stream.name))
    else:
        with decoding(row.name):
            module = import_module(f"latviz.files.array_readers.{row.codec}")
            found = _settled(module.read(stream))
    if not found.axes:
        array = found.array
        if found.mask is not None:
            array = np.where(found.mask, array, np.float32(np.nan))
        return shaped_planes(array, reduction, asked)
    return _named_planes(found, reduction)


def _named_planes(found: ReadArray, reduction: int) -> Planes:
    array, notes = found.array, tuple[str, ...]()
    shape = dict(zip(found.axes, array.shape, strict=True))
    n_samples = shape.get("s", 1)
    check_size(shape["x"], shape["y"], cost(array.dtype, n_samples), reduction)
    if array.dtype.kind in "iu":  # of all planes alike
        array, _, notes = to_depth(array)
    array.flags.writeable = False  # planes are read from it again
    samples = "s" if "c" in shape else "c"
    names = found.names if len(found.names) == shape.get("c") else ()
    axes = tuple(
        Axis(samples if a == "s" else a, shape[a], names * (a == "c"), a == "s", _USUAL[a])
        for a in found.axes
        if a not in "yx"
    )
    unit = SYMBOLS.get(full_name(found.unit), "")
    spacing = dict(zip(found.axes, found.spacing, strict=False)) if unit else {}

    def decode(place: tuple[int, ...], whole: bool) -> DecodedFile:
        plane, unknown = array[place], {}
        if found.mask is not None:
            known = found.mask[place].reshape(*plane.shape[:2], -1)
            unknown = {"masked": ~known.all(axis=2)}
        alpha: Alpha = "straight" if n_samples == 4 and not whole else "none"
        return DecodedFile(plane, alpha, unknown=unknown, notes=notes)

    lengths = {axis: spacing[axis] for axis in "zyx" if 0 < spacing.get(axis, 0) < math.inf}
    return Planes(axes, decode, (), lengths, unit)


def _read_by(reader: FileReader, path: Path) -> ReadArray:
    """Return what a plug-in reads, or raise `DecodeError`."""
    try:
        return _settled(reader.read(path))
    except (KeyboardInterrupt, MemoryError, DecodeError):
        raise
    except BaseException as error:
        reason = f"the reader {reader.name!r} failed: {plugins.line_of(error)}"
        raise DecodeError(reason) from error


def _step(places: NDArray[Any]) -> float:
    """Return the distance of places that are evenly spaced, or 0."""
    steps = np.diff(places) if places.dtype.kind in "iuf" else places[:0]
    is_even = len(steps) and np.allclose(steps, steps[0], rtol=1e-3, atol=0)
    return abs(float(steps[0])) if is_even else 0.0


def _settled(read: Any) -> ReadArray:
    """Return what was read with axes in the order t, c, z, y, x, s, and without those of one."""
    if hasattr(read, "dims"):  # of xarray
        axes = "".join(LETTERS[str(name).lower()] for name in read.dims)
        channel = read.coords.get(read.dims[axes.find("c")]) if "c" in axes else None
        names = () if channel is None else channel.values
        places = [read.coords.get(name) for name in read.dims]
        steps = tuple(0.0 if one is None else _step(one.values) for one in places)
        units = {
            one.attrs.get("units", "") for one, step in zip(places, steps, strict=True) if step
        }
        unit = str(units.pop()) if len(units) == 1 else ""
        read = ReadArray(read.values, axes, tuple(map(str, names)), steps, unit)
    if not isinstance(read, ReadArray):
        raise TypeError(f"it returned {type(read).__name__}, not ReadArray")
    array, letters = np.asarray(read.array), set(read.axes)
    fits = len(letters) == len(read.axes) == array.ndim and {"y", "x"} <= letters <= {*_ORDER}
    if array.dtype.kind not in "buif" or (letters and not fits):
        raise ValueError(f"an array of {array.dtype}, shape {array.shape} and axes {read.axes!r}")
    if len(read.spacing) not in (0, array.ndim):
        raise ValueError(f"an array of {array.ndim} axes, and spacing of {len(read.spacing)}")
    if not letters:
        return read
    lengths = dict(zip(read.axes, array.shape, strict=True))
    kept = [a for a in _ORDER if a in letters and (a in "yx" or lengths[a] > 1)]
    order = [read.axes.index(axis) for axis in kept]

    def turned(values: NDArray[Any]) -> NDArray[Any]:
        alone = [k for k in range(values.ndim) if k not in order]
        return np.asarray(values.transpose(*alone, *order)[(0,) * len(alone)])

    return replace(
        read,
        array=turned(array),
        axes="".join(kept),
        names=tuple(map(str, read.names)),
        spacing=tuple(read.spacing[k] for k in order) if read.spacing else (),
        mask=None if read.mask is None else turned(np.asarray(read.mask)),
    )
