"""Files that are turned into .npy or TIFF before they are read: by plug-ins, or from archives.

Another package reads its format through the entry point ``latviz.readers``: a `FileReader`.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import IO, Any

import numpy as np
import tifffile
from numpy.lib import format as npy
from numpy.typing import NDArray

from latviz.core import plugins
from latviz.core.disk.npy import members
from latviz.files.decoding import DecodeError
from latviz.files.formats import HEAD
from latviz.files.memory import available
from latviz.files.units import SYMBOLS, full_name
from latviz.files.zarrs.multiscales import LETTERS

GROUP = "latviz.readers"
_ORDER = "tczyx"
_NUMERIC = {"double", "single", "logical", *(f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32))}
"""MATLAB's types of plain numbers."""


@dataclass(frozen=True, eq=False)
class ReadArray:
    """The numbers in a file, and what its axes are."""

    array: NDArray[Any]
    axes: str = ""  # of t, c, z, y, x, a letter an axis; empty: as in a .npy file
    names: tuple[str, ...] = ()  # of the channels
    spacing: tuple[float, ...] = ()  # of the nodes along each axis
    unit: str = ""  # of the spacing: a length
    mask: NDArray[np.bool_] | None = None  # (*shape of the array): what is known


@dataclass(frozen=True)
class FileReader:
    """A format of another package: the object that an entry point names."""

    name: str  # for messages
    suffixes: tuple[str, ...]  # of its files' names, in lower case
    read: Callable[[Path], Any]  # a `ReadArray`, or an ``xarray.DataArray``
    signature: bytes = b""  # that its files begin with; empty: the suffix decides

    def takes(self, head: bytes, path: Path) -> bool:
        """Return True for a file that begins with these bytes."""
        if self.signature:
            return head.startswith(self.signature)
        return path.name.lower().endswith(self.suffixes)


@cache
def plugged() -> list[FileReader]:
    """Return the readers of other packages; warn once of those that cannot be used."""
    found: list[FileReader] = []
    plugins.load_with_warnings(GROUP, FileReader, found.append)
    return found


@contextmanager
def unwrapped(stream: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    """Yield a file as .npy or TIFF if it is an archive of one array, or a plug-in reads it."""
    head = stream.read(HEAD)
    make = _maker(head, stream, path)
    stream.seek(0)
    if make is None:
        yield stream
        return
    with tempfile.NamedTemporaryFile() as buffer:  # decoders ask for its size and its name
        make(buffer)
        buffer.seek(0)
        yield buffer


def _maker(head: bytes, stream: IO[bytes], path: Path) -> Callable[[IO[bytes]], object] | None:
    for reader in plugged():
        if reader.takes(head, path):
            return partial(_read, reader, path)
    if head.startswith(b"PK\3\4") and zipfile.is_zipfile(stream):
        return _of_archive(zipfile.ZipFile(stream))
    if head.startswith(b"MATLAB 5.0 MAT-file"):
        return _of_matlab(stream)
    return None


def _of_archive(archive: zipfile.ZipFile) -> Callable[[IO[bytes]], object] | None:
    """Return what copies the only member of an archive, an array."""
    infos = archive.infolist()
    if len(infos) != 1 or not infos[0].filename.endswith(".npy"):
        return None
    (info,) = members(archive).values()
    _check_room(info.file_size)
    return lambda buffer: shutil.copyfileobj(archive.open(info), buffer)


def _of_matlab(stream: IO[bytes]) -> Callable[[IO[bytes]], object] | None:
    """Return what writes the only array of numbers in a MATLAB file."""
    from scipy import io  # not above: it loads when it is first used

    stream.seek(0)
    listed = [one for one in io.whosmat(stream) if one[2] in _NUMERIC and np.prod(one[1]) > 1]
    if len(listed) != 1:
        return None
    ((name, shape, _),) = listed
    _check_room(8 * int(np.prod(shape, dtype=object)))

    def write(buffer: IO[bytes]) -> None:
        stream.seek(0)
        array = np.squeeze(io.loadmat(stream, variable_names=[name])[name])
        # Slices are the last axis there.
        is_deep = array.ndim == 3 and array.shape[2] > 4
        npy.write_array(buffer, np.moveaxis(array, -1, 0) if is_deep else array, allow_pickle=False)

    return write


def _check_room(n_bytes: int) -> None:
    if n_bytes > available() // 2:
        raise DecodeError(f"its array has {n_bytes:,} bytes, too many for the free memory; cut it")


def _read(reader: FileReader, path: Path, buffer: IO[bytes]) -> None:
    """Write what a plug-in reads as TIFF, which has axes, or as .npy."""
    try:
        found = _settled(reader.read(path))
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        reason = f"the reader {reader.name!r} failed: {plugins.line_of(error)}"
        raise DecodeError(reason) from error
    if not found.axes:
        npy.write_array(buffer, found.array, allow_pickle=False)
        return
    metadata: dict[str, Any] = {"axes": found.axes.upper()}
    if found.names:
        metadata["Channel"] = {"Name": list(found.names)}
    if symbol := SYMBOLS.get(full_name(found.unit)):
        for axis, size in zip(found.axes.upper(), found.spacing, strict=False):
            if axis in "XYZ":
                metadata |= {f"PhysicalSize{axis}": size, f"PhysicalSize{axis}Unit": symbol}
    with tifffile.TiffWriter(buffer, ome=True) as writer:
        writer.write(found.array, photometric="minisblack", metadata=metadata)


def _settled(read: Any) -> ReadArray:
    """Return what a plug-in read with axes in OME's order, and NaN where nothing is known."""
    if hasattr(read, "dims"):  # of xarray
        axes = "".join(LETTERS[str(name).lower()] for name in read.dims)
        channel = read.coords.get(read.dims[axes.find("c")]) if "c" in axes else None
        names = () if channel is None else channel.values
        read = ReadArray(read.values, axes, tuple(map(str, names)))
    if not isinstance(read, ReadArray):
        raise TypeError(f"it returned {type(read).__name__}, not ReadArray")
    array = np.asarray(read.array)
    letters = set(read.axes)
    fits = len(letters) == len(read.axes) == array.ndim and {"y", "x"} <= letters <= {*_ORDER}
    if array.dtype.kind not in "buif" or (letters and not fits):
        raise ValueError(f"an array of {array.dtype}, shape {array.shape} and axes {read.axes!r}")
    if read.mask is not None:
        array = np.where(read.mask, array, np.float32(np.nan))
    if array.dtype.kind == "b":
        array = array.astype(np.uint8)
    elif array.dtype.itemsize > 4 or array.dtype == np.float16:  # OME has no integers of 64 bits
        array = array.astype(np.float64)
    order = sorted(range(len(read.axes)), key=lambda k: _ORDER.index(read.axes[k]))
    return ReadArray(
        np.ascontiguousarray(array.transpose(order)) if order else array,
        "".join(read.axes[k] for k in order),
        read.names,
        tuple(read.spacing[k] for k in order) if read.spacing else (),
        read.unit,
    )
