"""Files that neither Pillow nor tifffile can write, made by hand for the tests."""

import io
import struct
import zlib
from typing import Any

import numpy as np
import tifffile

_ADAM7 = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2))
_ADAM7 = (*_ADAM7, (1, 0, 2, 1))


def chunk(name, data):
    """One PNG chunk with its length and checksum."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_header(width, height, bits, colour_type, interlaced=False):
    fields = struct.pack(">IIBBBBB", width, height, bits, colour_type, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", fields)


def png(samples, colour_type, *, bits=None, interlaced=False, filters=(0,), chunks=()):
    """A PNG file from samples of shape (H, W) or (H, W, C), filtering its rows in turn."""
    samples = samples.reshape(*samples.shape[:2], -1)
    bits = bits or 8 * samples.dtype.itemsize
    passes = _ADAM7 if interlaced else ((0, 0, 1, 1),)
    data = b"".join(_filtered(samples[y::dy, x::dx], bits, filters) for y, x, dy, dx in passes)
    header = png_header(samples.shape[1], samples.shape[0], bits, colour_type, interlaced)
    body = b"".join(chunk(name, content) for name, content in chunks)
    return header + body + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def _filtered(samples, bits, filters):
    if samples.size == 0:
        return b""
    step = max(1, samples.shape[2] * bits // 8)
    rows = [np.frombuffer(_packed(row, bits), np.uint8).astype(int) for row in samples]
    above, lines = np.zeros_like(rows[0]), []
    for number, row in enumerate(rows):
        kind = filters[number % len(filters)]
        lines.append(bytes([kind]) + _filter(kind, row, above, step).tobytes())
        above = row
    return b"".join(lines)


def _packed(row, bits):
    if bits >= 8:
        return row.astype(f">u{bits // 8}").tobytes()
    text = "".join(f"{value:0{bits}b}" for value in row.ravel())
    text += "0" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big")


def _filter(kind, row, above, step):
    left = np.concatenate([np.zeros(step, int), row])[: len(row)]
    corner = np.concatenate([np.zeros(step, int), above])[: len(row)]
    guess = left + above - corner
    a, b, c = abs(guess - left), abs(guess - above), abs(guess - corner)
    paeth = np.where((a <= b) & (a <= c), left, np.where(b <= c, above, corner))
    predicted = (0, left, above, (left + above) // 2, paeth)[kind]
    return ((row - predicted) % 256).astype(np.uint8)


def lzw(data: bytes) -> bytes:
    """LZW as TIFF has it, with literals alone: the table never outgrows nine bits."""
    codes = []
    for start in range(0, len(data), 200):
        codes += [256, *data[start : start + 200]]
    text = "".join(f"{code:09b}" for code in [*codes, 257])
    text += "0" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big")


def lzw_tiff(samples, *, byteorder="<", predictor=False, **options):
    """A TIFF file with LZW compression, which tifffile leaves to another package."""
    stream = io.BytesIO()
    if predictor:
        options |= {"compression": "zlib", "predictor": True}
    tifffile.imwrite(stream, samples, byteorder=byteorder, metadata=None, **options)
    planes = samples if options.get("planarconfig") == "separate" else [samples]
    strips = [_strip(np.asarray(plane), byteorder, predictor) for plane in planes]
    offsets = []
    stream.seek(0, io.SEEK_END)
    for strip in strips:
        stream.write(b"\0" * (stream.tell() % 2))
        offsets.append(stream.tell())
        stream.write(strip)
    stream.seek(0)
    with tifffile.TiffFile(stream, mode="r+") as tif:
        tags = tif.pages[0].tags
        tags["Compression"].overwrite(5)
        tags["StripOffsets"].overwrite(offsets)
        tags["StripByteCounts"].overwrite([len(strip) for strip in strips])
        return stream.getvalue()


def _strip(plane, byteorder, predictor):
    if predictor:
        plane = np.diff(plane, axis=1, prepend=np.zeros_like(plane[:, :1]))
    return lzw(plane.astype(plane.dtype.newbyteorder(byteorder)).tobytes())


def retagged(data: bytes, **tags: Any) -> bytes:
    """A TIFF file with tags of its first page overwritten."""
    stream = io.BytesIO(data)
    with tifffile.TiffFile(stream, mode="r+") as tif:
        for name, value in tags.items():
            tif.pages[0].tags[name].overwrite(value)
        return stream.getvalue()
