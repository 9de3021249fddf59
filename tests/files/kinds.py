"""Eighty kinds of files: how each is made in a few lines, and what it opens as.

Expected pixels are those that were written, not read by this program. A refusal has some words.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

rng = np.random.default_rng(80)
GREY = rng.integers(0, 256, (20, 30)).astype(np.uint8)
COLOUR = rng.integers(0, 256, (20, 30, 3)).astype(np.uint8)
DEEP = rng.integers(0, 65536, (20, 30)).astype(np.uint16)
REAL = rng.normal(size=(20, 30)).astype(np.float32)
STACK = rng.integers(0, 256, (5, 20, 30)).astype(np.uint8)


@dataclass(frozen=True)
class Kind:
    """A kind of files."""

    name: str  # of the file, too: its suffix decides where its content does not
    make: Callable[[Path], object]  # writes it
    wanted: Any  # pixels; or words of the refusal; or the letters of a sequence, see ``letters``
    within: float = 0  # of each value
    says: str = ""  # words of a note
    roles: str = ""  # of its axes
    needs: str = ""  # a package that is optional
    letters: bool = False


def fits(array: NDArray[Any], **more: object) -> bytes:
    """Return a FITS file with one image, after the standard; its numbers are big-endian."""
    bits = array.dtype.itemsize * (-8 if array.dtype.kind == "f" else 8)
    about: dict[str, object] = {"SIMPLE": "T", "BITPIX": bits, "NAXIS": array.ndim}
    about |= {f"NAXIS{k + 1}": n for k, n in enumerate(array.shape[::-1])} | more
    head = "".join(f"{key:8}= {value!s:>20}".ljust(80) for key, value in about.items())
    body = array.astype(array.dtype.newbyteorder(">")).tobytes()
    parts = (f"{head}{'END':80}".encode(), body)
    return b"".join(
        part + bytes([32 - 32 * k]) * (-len(part) % 2880) for k, part in enumerate(parts)
    )


def nifti(array: NDArray[Any], slope: float = 0, zero: float = 0) -> bytes:
    """Return a NIfTI-1 volume with the axes x, y and z, of 0.5, 0.25 and 3 mm."""
    head = bytearray(352)
    code = {"u1": 2, "i2": 4, "f4": 16, "f8": 64}[array.dtype.str[1:]]
    lengths = (array.ndim, *array.shape, *(1,) * (7 - array.ndim))
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, *lengths)
    struct.pack_into("<2h", head, 70, code, 8 * array.dtype.itemsize)
    struct.pack_into("<8f", head, 76, 1, 0.5, 0.25, 3, 0, 0, 0, 0)
    struct.pack_into("<3f", head, 108, 352, slope, zero)
    head[123], head[344:348] = 2, b"n+1\0"
    return bytes(head) + array.tobytes("F")


def dicom(array: NDArray[Any], slope: float = 1, zero: float = 0) -> bytes:
    """Return a DICOM file of one slice of 16 bits, explicit and little-endian, of 0.5 x 0.25 mm."""

    def element(group: int, number: int, kind: bytes, value: bytes) -> bytes:
        value += (b"\0" if kind in (b"UI", b"OB") else b" ") * (len(value) % 2)
        long = kind in (b"OB", b"OW")
        length = struct.pack("<HI" if long else "<H", *(0,) * long, len(value))
        return struct.pack("<HH", group, number) + kind + length + value

    def short(number: int, value: int) -> bytes:
        return element(0x28, number, b"US", struct.pack("<H", value))

    meta = element(2, 1, b"OB", b"\0\1") + element(2, 2, b"UI", b"1.2.840.10008.5.1.4.1.1.2")
    meta += element(2, 3, b"UI", b"1.2.3") + element(2, 0x10, b"UI", b"1.2.840.10008.1.2.1")
    body = short(2, 1) + element(0x28, 4, b"CS", b"MONOCHROME2") + short(0x10, array.shape[0])
    body += short(0x11, array.shape[1]) + element(0x28, 0x30, b"DS", b"0.5\\0.25")
    body += short(0x100, 16) + short(0x101, 16) + short(0x102, 15)
    body += short(0x103, int(array.dtype.kind == "i"))
    body += element(0x28, 0x1052, b"DS", str(zero).encode())
    body += element(0x28, 0x1053, b"DS", str(slope).encode())
    body += element(0x7FE0, 0x10, b"OW", array.tobytes())
    length = element(2, 0, b"UL", struct.pack("<I", len(meta)))
    return bytes(128) + b"DICM" + length + meta + body


def hdf5(path: Path, **arrays: NDArray[Any]) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            file[name] = array


def heic(path: Path, pixels: NDArray[np.uint8]) -> None:
    import pillow_heif

    image = Image.fromarray(pixels).convert("RGB")
    pillow_heif.from_pillow(image).save(str(path), quality=100, chroma=444)


def film(path: Path, kind: str = "mp4", n: int = 6) -> None:
    """Write frames that grow brighter by 40."""
    import av

    with av.open(str(path), "w", format=kind) as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for k in range(n):
            pixels = np.full((48, 64, 3), 40 * k, np.uint8)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
