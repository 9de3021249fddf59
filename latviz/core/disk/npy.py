"""Arrays in .npy files and in zip archives: headers are read and checked before any number is.

A kilobyte may describe a terabyte, and half a megabyte of an archive hold half a gigabyte of zeros.
"""

from __future__ import annotations

import io
import math
import zipfile
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

SUFFIX = ".npy"
_LONGEST = 12_000
"""Bytes in which a header ends: NumPy's longest one has 10,000 characters."""
_READ = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compressions that NumPy writes; other decompressors return any amount at once."""


class VersionError(ValueError):
    """A .npy file has a version for which there are no plain numbers."""


class Header(NamedTuple):
    """The header of an array."""

    shape: tuple[int, ...]
    fortran: bool  # if the first axis is the fastest
    dtype: np.dtype[Any]
    start: int  # where the numbers begin, in bytes

    @property
    def n_bytes(self) -> int:
        """The bytes of the numbers."""
        return math.prod(self.shape) * self.dtype.itemsize


def read_header(stream: IO[bytes]) -> Header:
    """Return the header at the beginning of a stream; ValueError if it is damaged or too long."""
    # Few bytes are read, because a header may claim a length of four gigabytes
    head = io.BytesIO(stream.read(_LONGEST))
    version = npy.read_magic(head)
    if version not in _READ:
        raise VersionError(f"{version[0]}.{version[1]}")
    shape, fortran, dtype = _READ[version](head)
    if any(side < 0 for side in shape):
        raise ValueError(f"an array of shape {shape}")
    return Header(shape, fortran, dtype, head.tell())


def members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Return the arrays of an archive by name; ValueError if two members have one name."""
    infos = archive.infolist()
    if len({info.filename for info in infos}) < len(infos):
        raise ValueError("two of its members have one name")
    if any(info.compress_type not in _PACKED for info in infos):
        raise ValueError("its members are compressed in an unknown way")
    found = [info for info in infos if info.filename.endswith(SUFFIX)]
    return {info.filename.removesuffix(SUFFIX): info for info in found}


def header_in(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Header:
    """Return the header of a member; ValueError if its numbers are not as long as it says."""
    with archive.open(info) as entry:
        found = read_header(entry)
    if found.start + found.n_bytes != info.file_size:
        raise ValueError(f"an array of {info.file_size:,} bytes and shape {found.shape}")
    return found


def array_in(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    """Return the array of a member whose header was checked."""
    with archive.open(info) as entry:
        array: NDArray[Any] = npy.read_array(entry, allow_pickle=False)
        if entry.read(1):
            raise ValueError("there is more than its array")
    return array
