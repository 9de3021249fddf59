"""Images in NumPy's .npy files."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from latviz.core.axes import COLOUR, LATTICE, VECTOR, Axis
from latviz.core.disk.npy import Header, VersionError
from latviz.core.disk.npy import read_header as checked_header
from latviz.files.decoding import Alpha, DecodedFile, DecodeError, check_size, decoding
from latviz.files.memory import cost
from latviz.files.pixels import to_depth
from latviz.files.planes import Planes

MOST_CHANNELS, NARROW = 16, 4
"""The last axis holds channels if it has at most 4, or at most 16 and the others are that many
times as long."""


def image_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape (H, W, C) of an array that is an image, or () if it cannot be one."""
    if len(shape) == 1 and shape[0] > 1:
        shape = (1, *shape)
    while shape[0:1] == (1,) and (len(shape) > 3 or (len(shape) == 3 and shape[2] > 4)):
        shape = shape[1:]
    if len(shape) == 2:
        return (*shape, 1)
    if len(shape) != 3:
        return ()
    narrow = shape[2] <= MOST_CHANNELS and NARROW * shape[2] <= min(shape[:2])
    return shape if 1 <= shape[2] <= 4 or narrow else ()


@contextmanager
def array_planes(stream: IO[bytes], reduction: int, asked: str) -> Iterator[Planes]:
    """Yield an array as planes: by its shape, or with the axis that is ``asked`` for, z or c."""
    with decoding(".npy"):
        header = read_header(stream)
        shape = _plane_shape(header, asked, reduction)
        _check_length(stream, header)

    def read() -> NDArray[Any]:
        with decoding(".npy"):
            stream.seek(0)
            return _native(npy.read_array(stream, allow_pickle=False))

    yield _by_shape(header.shape, shape, read)


def shaped_planes(array: NDArray[Any], reduction: int, asked: str) -> Planes:
    """Return the same of an array that was read from another file, without names of its axes."""
    header = Header(array.shape, array.flags.fnc, array.dtype, 0)
    shape = _plane_shape(header, asked, reduction)
    return _by_shape(array.shape, shape, lambda: _native(array))


def _by_shape(
    stored: tuple[int, ...], shape: tuple[int, ...], read_array: Callable[[], NDArray[Any]]
) -> Planes:
    is_volume, n = len(shape) == 4, shape[-1]

    @cache
    def read() -> tuple[NDArray[Any], tuple[str, ...]]:
        found = read_array().reshape(shape)
        if not is_volume:
            return found, ()
        found, _, notes = to_depth(found)  # for all slices alike
        found.flags.writeable = False  # planes are read from it again
        return found, notes

    axes = [Axis("z", shape[0], usual=LATTICE)] if is_volume else []
    if n > 1:
        coloured = n == 3 or (n == 4 and not is_volume and _is_opaque(read()[0][..., 3]))
        axes.append(Axis("c", n, of_samples=True, usual=COLOUR if coloured else VECTOR))

    def decode(place: tuple[int, ...], whole: bool) -> DecodedFile:
        array, notes = read()
        plane = array[place] if is_volume else array
        if whole or n < 3:
            return DecodedFile(plane, notes=notes)
        alpha: Alpha = "straight" if n == 4 else "none"
        return DecodedFile(plane[..., : n if n == 4 else 3], alpha, notes=notes)

    return Planes(tuple(axes), decode, _meaning(stored, shape))


def _plane_shape(header: Header, asked: str, reduction: int) -> tuple[int, ...]:
    """Return the shape (H, W, C) or (D, H, W, C) that an array is read in; check its size."""
    shape, dtype = header.shape, header.dtype
    check_type(dtype)
    image, volume = image_shape(shape), _volume_shape(shape)
    if asked == "c" and len(shape) == 3:
        image = shape
    found = volume if volume and (asked == "z" or not image) else image
    if not found:
        raise DecodeError(
            f"its array has shape {shape}, but an image is (height, width) or (height, width, "
            "channels), and a volume has slices before these; reorder or cut its axes first"
        )
    n = found[-1]
    swapped = 0 if dtype.isnative else dtype.itemsize * n
    turned = header.fortran or len(found) == 4
    price = cost(dtype, n, alpha=n == 4, turned=turned, held=swapped)
    check_size(found[-2], found[-3], price, reduction, math.prod(found[:-3]))
    return found


def _volume_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape (D, H, W, C) of an array that is a volume, or ()."""
    if len(shape) == 3:
        return (*shape, 1)
    return shape if len(shape) == 4 and 1 <= shape[3] <= MOST_CHANNELS else ()


def _is_opaque(samples: NDArray[Any]) -> bool:
    """Return True if the fourth channel is opacity without any transparent pixel."""
    full = 1 if samples.dtype.kind == "f" else (255, 65535)
    return bool((samples == samples.flat[0]).all() and samples.flat[0] in np.atleast_1d(full))


def _meaning(stored: tuple[int, ...], shape: tuple[int, ...]) -> tuple[str, ...]:
    """Return notes on how the axes of an array, which have no names, are taken."""
    if len(stored) == 1:
        return (f"{math.prod(shape):,} numbers: a sequence",)
    if len(shape) == 4:
        others = "; for channels in the first axis set z=vector, in the last c=vector"
        others = "" if shape[3] > 1 else others
        return (f"its axes have no names: {shape[0]} slices of {shape[2]} × {shape[1]}{others}",)
    if shape[2] in (1, 3):
        return ()
    return (f"its axes have no names: the last one is taken as {shape[2]} channels",)


def read_header(stream: IO[bytes]) -> Header:
    """Return the header of a .npy file, or raise `DecodeError` for a version without numbers."""
    try:
        return checked_header(stream)
    except VersionError as error:
        raise DecodeError(
            f"it is a .npy file of version {error}, which holds no plain numbers; save an array of "
            "numbers with numpy.save"
        ) from error


def check_type(dtype: np.dtype[Any]) -> None:
    """Raise `DecodeError` unless an array holds real numbers."""
    if dtype.hasobject:
        raise DecodeError(
            "it holds pickled Python objects, which are never loaded because they can run "
            "programs; save an array of numbers with numpy.save"
        )
    if dtype.kind not in "biuf":
        raise DecodeError(f"its values are of type {dtype.name}; save real numbers instead")


def _check_length(stream: IO[bytes], header: Header) -> None:
    there = os.fstat(stream.fileno()).st_size - header.start
    if there < header.n_bytes:
        raise DecodeError(
            f"it is cut off: its array needs {header.n_bytes:,} bytes and {max(there, 0):,} are "
            "there; get a fresh copy"
        )


def _native(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("="), copy=False)
