"""MATLAB files up to version 7.2: the only array of numbers, after MathWorks' description.

SciPy's reader ends the process on some damaged files.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latviz.files.array_readers.bounds import check_room, only
from latviz.files.decoding import DecodeError
from latviz.files.readers import ReadArray

_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8"}
_TYPES |= {12: "i8", 13: "u8"}
"""How numbers are stored, which may be in fewer bytes than their class has."""
_CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4"}
_CLASSES |= {14: "i8", 15: "u8"}
_MATRIX, _PACKED = 14, 15
_COMPLEX, _LOGICAL = 0x800, 0x200
_HEAD = 2**12
"""Bytes in which the head of an array ends."""


class _Array(NamedTuple):
    start: int  # of its element
    flags: int
    shape: tuple[int, ...]


def read(stream: IO[bytes]) -> ReadArray:
    """Return the array, with slices before rows and columns."""
    stream.seek(126)
    order = "<" if stream.read(2) == b"IM" else ">"
    arrays = dict(_arrays(stream, order))
    shapes = {name: one.shape for name, one in arrays.items()}
    found = arrays[only(shapes, "scipy.io.loadmat(FILE)['NAME']")]
    if found.flags & _COMPLEX:
        raise DecodeError("its values are complex; save real numbers instead")
    n = math.prod(found.shape)
    check_room(8 * n)
    stream.seek(found.start)
    _, body = _element(stream, order, 8 * n + _HEAD)
    kind, stored = next(islice(_parts(body, order), 3, None))
    array = np.frombuffer(stored, np.dtype(f"{order}{_TYPES[kind]}"))[:n]
    wanted = "?" if found.flags & _LOGICAL else _CLASSES[found.flags & 255]
    return ReadArray(slices_first(array.astype(wanted).reshape(found.shape, order="F")))


def _arrays(stream: IO[bytes], order: str) -> Iterator[tuple[str, _Array]]:
    """Yield the arrays of several numbers by name."""
    start = 128
    while stream.seek(start) == start and len(tag := stream.read(8)) == 8:
        stream.seek(start)
        kind, head = _element(stream, order, _HEAD)
        if kind == _MATRIX:
            (_, flags), (_, lengths), (_, name) = islice(_parts(head, order), 3)
            shape = struct.unpack(f"{order}{len(lengths) // 4}i", lengths)
            (flag,) = struct.unpack_from(f"{order}I", flags)
            if flag & 255 in _CLASSES and math.prod(shape) > 1:
                yield name.decode("latin-1"), _Array(start, flag, shape)
        start += 8 + struct.unpack(f"{order}2I", tag)[1]


def _element(stream: IO[bytes], order: str, most: int) -> tuple[int, bytes]:
    """Return the type and the first bytes of an element, unpacked."""
    kind, n = struct.unpack(f"{order}2I", stream.read(8))
    if kind != _PACKED:
        return kind, stream.read(min(n, most))
    inner = zlib.decompressobj().decompress(stream.read(n), most)
    return struct.unpack_from(f"{order}I", inner)[0], inner[8:]


def _parts(body: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """Yield the types and the bytes of the elements in an array."""
    place = 0
    while place + 8 <= len(body):
        kind, n = struct.unpack_from(f"{order}2I", body, place)
        if kind >> 16:  # a short one: its length is here, and its bytes follow
            yield kind & 0xFFFF, body[place + 4 : place + 4 + (kind >> 16)]
            place += 8
        else:
            yield kind, body[place + 8 : place + 8 + n]
            place += 8 + n + -n % 8


def slices_first(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array of MATLAB, whose slices are the last axis, without axes of one entry."""
    array = np.squeeze(array)
    is_deep = array.ndim == 3 and array.shape[2] > 4
    return np.moveaxis(array, -1, 0) if is_deep else array
