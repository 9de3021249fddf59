"""Images in NumPy's .npy files."""

from __future__ import annotations

import math
import os
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from latviz.files.decoding import Decoded, DecodeError, check_page, check_size, decoding
from latviz.files.memory import cost
from latviz.files.pixels import to_depth

IMAGE_CHANNELS = (1, 3, 4)
"""Lengths of the last axis of an array of three dimensions that is an image."""


def read_array(stream: IO[bytes], page: int, reduction: int = 1) -> Decoded:
    """Read an array of shape (H, W), (H, W, 1), (H, W, 3) or (H, W, 4) as an image.

    Parameters
    ----------
    stream : binary file at its start
    page : int
        Only 0 exists.
    reduction : int
        What the sides will be divided by.

    Raises
    ------
    DecodeError
        For another shape, pickled objects, a structured type, or a damaged file.
    """
    with decoding(".npy"):
        check_page(page, 1, "page")
        shape, fortran, dtype = _header(stream)
        _check(shape, fortran, dtype, reduction)
        _check_length(stream, shape, dtype)
        stream.seek(0)
        array = _native(npy.read_array(stream, allow_pickle=False))
    return Decoded(array, "straight" if array.ndim == 3 and array.shape[2] == 4 else "none")


def holds_volume(stream: IO[bytes]) -> bool:
    """Return whether the header of a .npy file tells of a volume that can be no image.

    Raises
    ------
    DecodeError
        If it tells nothing that can be read.
    """
    stream.seek(0)
    with decoding(".npy"):
        shape = read_header(stream)[0]
    return len(shape) == 4 or (len(shape) == 3 and shape[2] not in IMAGE_CHANNELS)


def read_slices(stream: IO[bytes], reduction: int = 1) -> list[Decoded]:
    """Read an array of shape (D, H, W) or (D, H, W, 3) as the slices of a volume.

    Parameters and errors are those of `read_array`.
    """
    with decoding(".npy"):
        shape, dtype = read_header(stream)
        _check_type(dtype)
        if len(shape) not in (3, 4) or shape[3:] not in ((), (3,)):
            raise DecodeError(
                f"its array has shape {shape}, but a volume is (slices, height, width) or "
                "(slices, height, width, 3 colours); reorder or cut its axes first"
            )
        swapped = 0 if dtype.isnative else dtype.itemsize * math.prod(shape[3:])
        price = cost(dtype, math.prod(shape[3:]), turned=True, held=swapped)
        check_size(shape[2], shape[1], price, reduction, shape[0])
        _check_length(stream, shape, dtype)
        stream.seek(0)
        array, _, notes = to_depth(_native(npy.read_array(stream, allow_pickle=False)))
    return [Decoded(one, notes=notes, pages=len(array)) for one in array]


def read_header(stream: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return the shape and the type that a .npy file says it has; `DecodeError` if it cannot."""
    shape, _, dtype = _header(stream)
    return shape, dtype


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return the shape, whether the first axis is the fastest, and the type."""
    version = npy.read_magic(stream)
    read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}.get(version)
    if read is None:
        raise DecodeError(
            f"it is a .npy file of version {version[0]}.{version[1]}, which holds no plain "
            "numbers; save an array of numbers with numpy.save"
        )
    return read(stream)


def _check(shape: tuple[int, ...], fortran: bool, dtype: np.dtype[Any], reduction: int) -> None:
    _check_type(dtype)
    if len(shape) not in (2, 3) or (len(shape) == 3 and shape[2] not in IMAGE_CHANNELS):
        raise DecodeError(
            f"its array has shape {shape}, but an image is (height, width) or "
            "(height, width, 1, 3 or 4 channels); reorder or cut its axes first"
        )
    channels = math.prod(shape[2:])
    swapped = 0 if dtype.isnative else dtype.itemsize * channels
    price = cost(dtype, channels, alpha=channels == 4, turned=fortran, held=swapped)
    check_size(shape[1], shape[0], price, reduction)


def _check_type(dtype: np.dtype[Any]) -> None:
    if dtype.hasobject:
        raise DecodeError(
            "it holds pickled Python objects, which are never loaded because they can run "
            "programs; save an array of numbers with numpy.save"
        )
    if dtype.kind not in "biuf":
        raise DecodeError(f"its values are of type {dtype.name}; save real numbers instead")


def _check_length(stream: IO[bytes], shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    wanted = dtype.itemsize
    for length in shape:
        wanted *= length
    there = os.fstat(stream.fileno()).st_size - stream.tell()
    if there < wanted:
        raise DecodeError(
            f"it is cut off: its array needs {wanted:,} bytes and {max(there, 0):,} are there; "
            "get a fresh copy"
        )


def _native(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("="), copy=False)
