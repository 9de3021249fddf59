"""Images in NumPy's .npy files."""

from __future__ import annotations

import math
import os
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from latviz.core.disk.npy import Header, VersionError
from latviz.core.disk.npy import read_header as checked_header
from latviz.files.decoding import DecodedFile, DecodeError, check_page, check_size, decoding
from latviz.files.memory import cost
from latviz.files.pixels import to_depth

COLOURS = (3, 4)
"""Lengths of the last axis of an image in colour, of which four have an alpha channel."""
MOST_CHANNELS, NARROW = 16, 4
"""The last axis holds channels if it has at most 4, or at most 16 and the others are that many
times as long."""


def read_array(stream: IO[bytes], page: int, reduction: int = 1) -> DecodedFile:
    """Read an array of shape (H, W) or (H, W, C) as an image, and (n,) as an image of one row."""
    # Three channels are colours, four are colours and alpha, of others each is a page. Leading axes
    # of length 1 are dropped. DecodeError for another shape, pickled objects, a structured type, or
    # a damaged file
    with decoding(".npy"):
        header = read_header(stream)
        shape = header.shape
        _check(shape, header.fortran, header.dtype, reduction)
        _check_length(stream, header)
        stream.seek(0)
        array = _native(npy.read_array(stream, allow_pickle=False)).reshape(image_shape(shape))
    if array.shape[2] in (1, *COLOURS):
        check_page(page, 1, "page")
        notes = (f"{array.size:,} numbers: a sequence",) if len(shape) == 1 else ()
        return DecodedFile(array, "straight" if array.shape[2] == 4 else "none", notes=notes)
    channels = array.shape[2]
    check_page(page, channels, "channel")
    one = np.ascontiguousarray(array[..., page])
    notes = (f"read as an image of {channels} channels; as a volume it has {len(array)} slices",)
    return DecodedFile(one, page=page, pages=channels, unit="channel", notes=notes)


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


def holds_volume(stream: IO[bytes]) -> bool:
    """Return if the header of a .npy file describes a volume that cannot be an image."""
    # DecodeError if the header cannot be read
    stream.seek(0)
    with decoding(".npy"):
        shape = read_header(stream).shape
    return len(shape) in (3, 4) and not image_shape(shape)


def read_slices(stream: IO[bytes], reduction: int = 1) -> list[DecodedFile]:
    """Read an array of shape (D, H, W), (D, H, W, 1) or (D, H, W, 3) as the slices of a volume."""
    with decoding(".npy"):
        header = read_header(stream)
        shape, dtype = header.shape, header.dtype
        _check_type(dtype)
        if len(shape) not in (3, 4) or shape[3:] not in ((), (1,), (3,)):
            raise DecodeError(
                f"its array has shape {shape}, but a volume is (slices, height, width) or "
                "(slices, height, width, 3 colours); reorder or cut its axes first"
            )
        swapped = 0 if dtype.isnative else dtype.itemsize * math.prod(shape[3:])
        price = cost(dtype, math.prod(shape[3:]), turned=True, held=swapped)
        check_size(shape[2], shape[1], price, reduction, shape[0])
        _check_length(stream, header)
        stream.seek(0)
        array, _, notes = to_depth(_native(npy.read_array(stream, allow_pickle=False)))
        notes += _doubt(shape)
    return [DecodedFile(one, notes=notes, pages=len(array)) for one in array]


def _doubt(shape: tuple[int, ...]) -> tuple[str, ...]:
    """Return notes on reading an array with an axis that may hold channels."""
    first, last = shape[0], shape[-1]
    if len(shape) > 3 or (first > 4 and NARROW * last > min(shape[:2])):
        return ()
    place = "first" if first <= 4 else "last"
    return (
        f"read as {first} slices of {shape[2]} × {shape[1]} pixels; if the {place} axis holds "
        "channels, save it as (height, width, channels)",
    )


def read_header(stream: IO[bytes]) -> Header:
    """Return the header of a .npy file, or raise `DecodeError` for a version without numbers."""
    try:
        return checked_header(stream)
    except VersionError as error:
        raise DecodeError(
            f"it is a .npy file of version {error}, which holds no plain numbers; save an array of "
            "numbers with numpy.save"
        ) from error


def _check(shape: tuple[int, ...], fortran: bool, dtype: np.dtype[Any], reduction: int) -> None:
    _check_type(dtype)
    image = image_shape(shape)
    if not image:
        raise DecodeError(
            f"its array has shape {shape}, but an image is (height, width) or "
            "(height, width, channels); reorder or cut its axes first"
        )
    stored = dtype.itemsize * image[2]
    channels = image[2] if image[2] in COLOURS else 1
    held = stored * (image[2] != channels) + (0 if dtype.isnative else stored)
    price = cost(dtype, channels, alpha=channels == 4, turned=fortran, held=held)
    check_size(image[1], image[0], price, reduction)


def _check_type(dtype: np.dtype[Any]) -> None:
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
