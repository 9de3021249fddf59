"""Files of every format and depth, and the memory that reading them takes.

``python -m tests.files.taken FOLDER`` prints it for all of them, or for those named after it, in
bytes per pixel: for reading whole and reduced to 1/16, and the free memory with which the file is
opened so. Set ``MALLOC_MMAP_THRESHOLD_=65536``, so that freed memory is given back.
"""

import gc
import io
import json
import os
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tifffile
from PIL import Image

from latviz import workspace
from latviz.core.disk.errors import FileError
from latviz.files import memory
from tests.files.makers import chunk, lzw_tiff, png_header

WIDTH, HEIGHT = 1536, 1024
TURNED = Image.Exif()
TURNED[0x0112] = 6
Maker = Callable[[int, int], bytes]


def ramp(width: int, height: int, *channels: int, dtype: Any = np.uint8) -> Any:
    grey = np.add.outer(np.arange(height), np.arange(width)) % 256
    wide = grey.reshape(height, width, *(1,) * len(channels)).astype(dtype)
    return np.broadcast_to(wide, (height, width, *channels)).copy()


def png(kind: int, bits: int, *chunks: bytes) -> Maker:
    """Return a maker of a PNG of a colour type and depth."""
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]

    def make(width: int, height: int) -> bytes:
        row = np.random.default_rng(1).integers(0, 8, -(-width * channels * bits // 8))
        rows = np.tile(np.append([0], row).astype(np.uint8), (height, 1)).tobytes()
        palette = chunk(b"PLTE", bytes(range(256)) * 3 if bits == 8 else bytes(range(6)))
        body = chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")
        head = png_header(width, height, bits, kind)
        return head + palette * (kind == 3) + b"".join(chunks) + body

    return make


def saved(kind: str, *channels: int, mode: str = "", frames: int = 1, **options: Any) -> Maker:
    """Return a maker of a file that Pillow writes."""

    def make(width: int, height: int) -> bytes:
        dtype = {"F": np.float32, "I;16": np.uint16}.get(mode, np.uint8)
        pictures = []
        for number in range(frames):
            picture = Image.fromarray(ramp(width, height, *channels, dtype=dtype) + dtype(number))
            if mode not in ("F", "I;16", ""):
                picture = (
                    Image.fromarray(np.asarray(picture), mode)
                    if mode == "CMYK"
                    else (picture.convert(mode))
                )
            pictures.append(picture)
        more = {"save_all": True, "append_images": pictures[1:]} if frames > 1 else {}
        stream = io.BytesIO()
        pictures[0].save(stream, kind, **options, **more)
        return stream.getvalue()

    return make


def tiff(dtype: str, *channels: int, planes: bool = False, **options: Any) -> Maker:
    def make(width: int, height: int) -> bytes:
        values = ramp(width, height, *channels, dtype=dtype)
        if channels == (4,) and dtype == "f4":
            values /= 200
        whole = {"rowsperstrip": height} if options.get("rowsperstrip") == -1 else {}
        if planes:
            values = np.moveaxis(values, 2, 0)
        stream = io.BytesIO()
        options.setdefault("photometric", "rgb" if channels else "minisblack")
        tifffile.imwrite(stream, values, metadata=None, **{**options, **whole})
        return stream.getvalue()

    return make


def slices(dtype: str, *channels: int, **options: Any) -> Maker:
    def make(width: int, height: int) -> bytes:
        values = ramp(width, height, *channels, dtype=dtype)
        stream = io.BytesIO()
        kind = "rgb" if channels else "minisblack"
        values = values.reshape(16, height // 16, width, *channels)
        tifffile.imwrite(stream, values, metadata=None, photometric=kind, **options)
        return stream.getvalue()

    return make


def stack(**options: Any) -> Maker:
    """Return a maker of a stack of ImageJ with one directory, or of OME with channels."""

    def make(width: int, height: int) -> bytes:
        values = ramp(width, height, dtype=np.uint16).reshape(2, 8, height // 16, width)
        axes = "ZCYX" if "imagej" in options else "CZYX"
        stream = io.BytesIO()
        how: dict[str, Any] = {"photometric": "minisblack", "truncate": "imagej" in options}
        tifffile.imwrite(stream, values, metadata={"axes": axes}, **how, **options)
        return stream.getvalue()

    return make


def npy(dtype: str, *channels: int, order: str = "C", depth: int = 0) -> Maker:
    def make(width: int, height: int) -> bytes:
        values = ramp(width, height, *channels, dtype=dtype)
        if channels == (4,) and values.dtype.kind == "f":
            values /= 200
        if depth:
            values = values.reshape(depth, height // depth, width, *channels)
        stream = io.BytesIO()
        np.save(stream, np.asarray(values, order=order))
        return stream.getvalue()

    return make


def netpbm(magic: bytes, dtype: str, *channels: int) -> Maker:
    def make(width: int, height: int) -> bytes:
        values = ramp(width, height, *channels, dtype=dtype)
        return b"%s %d %d 65535\n" % (magic, width, height) + values.tobytes()

    return make


def plain(*channels: int) -> Maker:
    def make(width: int, height: int) -> bytes:
        words = " ".join(map(str, ramp(width, height, *channels).ravel().tolist()))
        return b"P3 %d %d 255\n" % (width, height) + words.encode()

    return make


def text(pattern: bytes) -> Maker:
    return lambda width, height: pattern * (width * height // len(pattern))


def lzw(*channels: int) -> Maker:
    return lambda width, height: lzw_tiff(ramp(width, 64, *channels, dtype=np.uint16))


CASES: dict[str, Maker] = {
    **{f"png grey {bits}": png(0, bits) for bits in (1, 2, 4, 8, 16)},
    **{f"png rgb {bits}": png(2, bits) for bits in (8, 16)},
    **{f"png palette {bits}": png(3, bits) for bits in (1, 2, 4, 8)},
    **{f"png grey alpha {bits}": png(4, bits) for bits in (8, 16)},
    **{f"png rgb alpha {bits}": png(6, bits) for bits in (8, 16)},
    "png grey clear": png(0, 8, chunk(b"tRNS", bytes(2))),
    "png rgb clear": png(2, 8, chunk(b"tRNS", bytes(6))),
    "png rgb 16 clear": png(2, 16, chunk(b"tRNS", bytes(6))),
    "png palette clear": png(3, 8, chunk(b"tRNS", bytes(6))),
    "png turned": saved("PNG", 3, exif=TURNED),
    "png animation": saved("PNG", 4, frames=3),
    "jpeg grey": saved("JPEG"),
    "jpeg": saved("JPEG", 3),
    "jpeg turned": saved("JPEG", 3, exif=TURNED),
    "jpeg progressive": saved("JPEG", 3, progressive=True, subsampling=0),
    "jpeg inks": saved("JPEG", 4, mode="CMYK"),
    "jpeg inks progressive": saved("JPEG", 4, mode="CMYK", progressive=True),
    "webp": saved("WEBP", 3, method=0),
    "webp lossless": saved("WEBP", 3, lossless=True, method=0),
    "webp alpha": saved("WEBP", 4, method=0),
    "webp lossless alpha": saved("WEBP", 4, lossless=True, method=0),
    "webp animation": saved("WEBP", 4, frames=3, method=0),
    "bmp": saved("BMP", 3),
    "bmp grey": saved("BMP"),
    "bmp palette": saved("BMP", mode="P"),
    "bmp bits": saved("BMP", mode="1"),
    "bmp alpha": saved("BMP", 4),
    "jpeg2000": saved("JPEG2000", 3),
    "jpeg2000 grey 16": saved("JPEG2000", mode="I;16"),
    "jpeg2000 alpha": saved("JPEG2000", 4),
    "avif": saved("AVIF", 3, speed=10),
    "avif alpha": saved("AVIF", 4, speed=10),
    "ppm": saved("PPM", 3),
    "pgm 16": netpbm(b"P5", ">u2"),
    "ppm 16": netpbm(b"P6", ">u2", 3),
    "ppm plain": plain(3),
    "pbm": saved("PPM", mode="1"),
    "gif": saved("GIF", mode="P"),
    "gif colours": saved("GIF", 3),
    "gif animation": saved("GIF", 3, frames=4),
    "gif grey animation": saved("GIF", frames=4),
    **{f"tif {dtype}": tiff(dtype) for dtype in ("u1", "i1", "i2", "u4", "i8", "f2", "f4", "f8")},
    **{f"tif rgb {dtype}": tiff(dtype, 3) for dtype in ("u1", "i2", "u2", "f4", "f8")},
    **{f"tif rgb zlib {d}": tiff(d, 3, compression="zlib") for d in ("u1", "u2", "f4")},
    "tif big-endian": tiff("u2", 3, byteorder=">"),
    "tif one strip": tiff("u2", 3, compression="zlib", rowsperstrip=-1),
    "tif one strip predicted": tiff("u2", 3, compression="zlib", rowsperstrip=-1, predictor=True),
    "tif tiles": tiff("u2", 3, compression="zlib", tile=(256, 256)),
    "tif lzma": tiff("u1", 3, compression="lzma"),
    "tif planes": tiff("u2", 3, planes=True, planarconfig="separate"),
    "tif 6 channels": tiff("u2", 6, planarconfig="contig"),
    "tif alpha": tiff("u2", 4, extrasamples=["unassalpha"]),
    "tif alpha f4": tiff("f4", 4, extrasamples=["unassalpha"]),
    "tif white is zero": tiff("u2", photometric="miniswhite"),
    "tif palette": tiff("u1", photometric="palette", colormap=np.zeros((3, 256), np.uint16)),
    "tif lzw": saved("TIFF", 3, compression="tiff_lzw"),
    "tif lzw alpha": saved("TIFF", 4, compression="tiff_lzw"),
    "tif lzw floats": saved("TIFF", mode="F", compression="tiff_lzw"),
    "tif lzw 16": saved("TIFF", mode="I;16", compression="tiff_lzw"),
    "tif lzw inks": saved("TIFF", 4, mode="CMYK", compression="tiff_lzw"),
    "tif lzw palette": saved("TIFF", mode="P", compression="tiff_lzw"),
    "tif packbits": saved("TIFF", 3, compression="packbits"),
    "tif jpeg": saved("TIFF", 3, compression="jpeg"),
    "tif fax": saved("TIFF", mode="1", compression="group4"),
    "volume tif imagej": stack(imagej=True),
    "volume tif ome": stack(ome=True),
    "volume tif u1": slices("u1"),
    "volume tif u2": slices("u2"),
    "volume tif f4": slices("f4", compression="zlib"),
    "volume tif rgb": slices("u1", 3, compression="zlib"),
    **{f"npy {d}": npy(d) for d in ("?", "u1", "i1", "u2", "i2", "u4", "i8", "f2", "f4", "f8")},
    **{f"npy rgb {d}": npy(d, 3) for d in ("?", "u1", "i1", "u2", "i4", "u8", "f2", "f4", "f8")},
    **{f"npy alpha {dtype}": npy(dtype, 4) for dtype in ("u1", "u2", "i8", "f4", "f8")},
    **{f"npy fortran {dtype}": npy(dtype, 3, order="F") for dtype in ("u1", "u2", "f8")},
    **{f"npy big-endian {dtype}": npy(dtype, 3) for dtype in (">u2", ">f4", ">f8")},
    **{f"volume npy {dtype}": npy(dtype, depth=16) for dtype in ("u1", "u2", "i4", "f4", "f8")},
    **{f"volume npy fortran {d}": npy(d, depth=16, order="F") for d in ("u1", "u2", "f8")},
    **{f"volume npy rgb {d}": npy(d, 3, depth=16) for d in ("u1", "u2", "f4")},
    "npy channels": npy("u2", 8),
    "numbers column": text(b"0.512\n-1.25\n"),
    "text": text(b"ACGT\n"),
    "text utf-8": text("αβγδ".encode()),
    "fasta": text(b">a\n" + b"ACGT" * 5000 + b"\n"),
    "fasta of short records": text(b">a\nACGTACGTAC\n"),
}
SUFFIXES = {"text": ".txt", "fasta": ".fasta"}
LAST_FRAME = {"gif animation": 3, "gif grey animation": 3, "webp animation": 2, "png animation": 2}


def status(key: str) -> int:
    """Return a figure of this process in bytes."""
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


def peak(read: Callable[[], Any]) -> int:
    """Return the peak memory of a call in bytes, minus the memory before."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # this resets the highest mark
    before = status("VmRSS")
    read()
    return status("VmHWM") - before


_made: dict[Path, str] = {}
"""The case that a file holds."""


def reader(folder: Path, name: str, size: tuple[int, int], reduction: int) -> Callable[[], Any]:
    suffix = SUFFIXES.get(name.split()[0], ".img")
    path = folder / f"a{size[0]}{suffix}"
    if _made.get(path) != name:
        path.write_bytes(CASES[name](*size))
        _made[path] = name
    axes = f"plane={LAST_FRAME.get(name, 0)}"
    axes += ", volume=lattice" if name.startswith("volume tif") else ""
    return lambda: workspace.read_pictures(path, axes, reduction)


def is_text(name: str) -> bool:
    """Return True if a file holds letters, which are all read."""
    return name.split()[0] in SUFFIXES


def refused(read: Callable[[], Any], available: int) -> bool:
    """Return True if a file is refused with an amount of free memory."""
    real = memory.available
    memory.available = lambda: available
    for module in list(sys.modules.values()):
        if getattr(module, "available", None) is real:
            module.available = memory.available
    try:
        read()
    except FileError as error:
        return "memory" in error.reason or "too many" in error.reason
    finally:
        for module in list(sys.modules.values()):
            if getattr(module, "available", None) is memory.available:
                module.available = real
        memory.available = real
    return False


def planned(read: Callable[[], Any], _: int) -> float:
    """Return with how much free memory a file is opened, in bytes per pixel, to 5 %."""
    low, high, most = 0, WIDTH * HEIGHT, 256 * WIDTH * HEIGHT
    while high < most and refused(read, high):  # takes no time, unlike reading
        low, high = high, 2 * high
    while high - low > high / 20:
        middle = (low + high) // 2
        low, high = (middle, high) if refused(read, middle) else (low, middle)
    return high / WIDTH / HEIGHT


def measured(folder, name, plan=planned) -> dict[str, Any]:
    """Return bytes per pixel of reading, taken and planned, whole and reduced.

    ``plan`` is called with a function that reads, and the bytes that it took. Runs in a separate
    process, because memory freed before may be used again.
    """
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        found = {}
        try:
            for reduction in (1, 16):
                reader(folder, name, (256, 64), reduction)()
                read = reader(folder, name, (WIDTH, HEIGHT), reduction)
                gc.collect()
                taken = peak(read)
                found[f"taken {reduction}"] = taken / WIDTH / HEIGHT
                found[f"planned {reduction}"] = plan(read, taken)
                if is_text(name):  # which is not reduced
                    found |= {"taken 16": found["taken 1"], "planned 16": found["planned 1"]}
                    break
        finally:
            os.write(send, json.dumps(found).encode())
            os._exit(0)
    os.close(send)
    os.waitpid(child, 0)
    with os.fdopen(receive, "rb") as stream:
        return dict(json.loads(stream.read()))


def main(folder: Path, names: list[str]) -> None:
    for name in CASES:
        if not names or name in names:
            print(json.dumps({"name": name, **measured(folder, name)}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
