"""NIfTI-1 and NIfTI-2, also packed by gzip: volumes with their spacing, after nifti1.h."""

from __future__ import annotations

import gzip
import math
import struct
from typing import IO, Any

import numpy as np

from latviz.files.array_readers.bounds import exactly
from latviz.files.decoding import DecodeError
from latviz.files.formats import GZIP
from latviz.files.readers import ReadArray

_TYPES = {2: "u1", 4: "i2", 8: "i4", 16: "f4", 64: "f8", 128: "u1", 256: "i1", 512: "u2"}
_TYPES |= {768: "u4", 1024: "i8", 1280: "u8", 2304: "u1"}
_COLOURS = {128: 3, 2304: 4}
_UNITS = {1: "m", 2: "mm", 3: "um"}
_AXES = "xyztc"
_MOST_BEFORE = 2**24
"""Bytes of the header and its extensions."""


def read(stream: IO[bytes]) -> ReadArray:
    """Return the volume, as `nibabel` does: its values are scaled, and its nodes are not turned."""
    is_packed = stream.read(3) == GZIP
    stream.seek(0)
    if not is_packed:
        return _read(stream)
    with gzip.GzipFile(fileobj=stream) as inner:
        return _read(inner)


def _read(stream: Any) -> ReadArray:
    head = stream.read(540)
    order = "<" if head[0] in (0x5C, 0x1C) else ">"  # 348 or 540
    lengths, code, sizes, start, slope, zero, units = _fields(head, order)
    shape = tuple(lengths[1 : 1 + lengths[0]])
    if code not in _TYPES:
        raise DecodeError(f"its values are of NIfTI's type {code}; save real numbers instead")
    if not 1 <= lengths[0] <= 7 or min(shape) < 1 or math.prod(shape[5:]) != 1:
        raise DecodeError(f"its shape is {shape}; an image is x, y, z, time and channels at most")
    if not 348 <= start <= _MOST_BEFORE:
        raise DecodeError("its header is damaged; get a fresh copy")
    stream.seek(start)
    dtype, n_colours = np.dtype(order + _TYPES[code]), _COLOURS.get(code, 1)
    stored = exactly(stream, math.prod(shape) * n_colours, dtype)
    array = stored.reshape((n_colours, *shape[:5]), order="F").astype(dtype.newbyteorder("="))
    if slope and math.isfinite(slope) and (slope, zero) != (1, 0) and n_colours == 1:
        array = array * slope + zero
    array = array.reshape(*array.shape, *(1,) * (6 - array.ndim))
    unit = _UNITS.get(units & 7, "")
    spacing = (0.0, *map(abs, sizes[1:4]), 0.0, 0.0)
    return ReadArray(array, f"s{_AXES}", spacing=spacing, unit=unit)


def _fields(head: bytes, order: str) -> tuple[Any, ...]:
    """Return lengths, type, sizes, where numbers begin, slope, offset and units of a header."""
    is_first = struct.unpack_from(f"{order}i", head)[0] == 348
    formats = "8h 1h 8f 3f 1b" if is_first else "8q 1h 8d q2d 1i"
    places = (40, 70, 76, 108, 123) if is_first else (16, 12, 104, 168, 500)
    lengths, (code,), sizes, (start, slope, zero), (units,) = (
        struct.unpack_from(f"{order}{one}", head, place)
        for one, place in zip(formats.split(), places, strict=True)
    )
    return lengths, code, sizes, int(start), slope, zero, units
