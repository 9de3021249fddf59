"""TIFF palettes and inverted greys of few bits in every packing; parts that are pictures."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import PIL.features
import pytest
import tifffile
from PIL import Image

from latviz.files.errors import ImageError
from latviz.files.images import ImageFile, read_image
from tests.files.makers import lzw, retagged

rng = np.random.default_rng(38)
PALETTE, WHITE_IS_ZERO = 3, 0
INVERTED = "white is zero in it: inverted, so that larger values are lighter"
RAW, LZW, ZIP, PACKBITS = 1, 5, 8, 32773


def read(folder: Path, content: bytes) -> ImageFile:
    path = folder / "a.tif"
    path.write_bytes(content)
    return read_image(path)


def packed(values: np.ndarray, bits: int, compression: int, end: str) -> bytes:
    """Return rows of some bits a pixel, compressed; packbits as literals."""
    if bits == 16:
        rows = [row.astype(f"{end}u2").tobytes() for row in values]
    else:
        text = ["".join(f"{v:0{bits}b}" for v in row) for row in values]
        text = [line + "0" * (-len(line) % 8) for line in text]
        rows = [int(line, 2).to_bytes(len(line) // 8, "big") for line in text]
    if compression == PACKBITS:
        return b"".join(bytes([len(row) - 1]) + row for row in rows)
    whole = b"".join(rows)
    pack: Callable[[bytes], bytes] = {RAW: bytes, LZW: lzw, ZIP: zlib.compress}[compression]
    return pack(whole)


def written(values, bits, photometric, compression, end, colours) -> bytes:
    """Return a TIFF of one strip, with the map of ``colours`` (N, 3) if it has a palette."""
    height, width = values.shape
    data = packed(values, bits, compression, end)
    table = (colours.T * 257).astype(f"{end}u2").tobytes() if photometric == PALETTE else b""
    tags = {256: width, 257: height, 258: bits, 259: compression, 262: photometric, 277: 1}
    entries = [(tag, 3, 1, value) for tag, value in tags.items()]
    entries += [(278, 3, 1, height), (279, 4, 1, len(data)), (273, 4, 1, 0)]
    entries += [(320, 3, 3 * len(colours), 0)] if table else []
    begin = 14 + 12 * len(entries)
    places = {273: begin + len(table), 320: begin}
    out = (b"II*\0" if end == "<" else b"MM\0*") + struct.pack(f"{end}IH", 8, len(entries))
    for tag, kind, count, value in sorted(entries):
        value = places.get(tag, value)
        cell = f"{end}HH" if kind == 3 and count == 1 else f"{end}I"
        numbers = (value, 0) if kind == 3 and count == 1 else (value,)
        out += struct.pack(f"{end}HHI", tag, kind, count) + struct.pack(cell, *numbers)
    return out + bytes(4) + table + data


@pytest.mark.parametrize("compression", [RAW, LZW, ZIP, PACKBITS])
@pytest.mark.parametrize("bits", [1, 2, 4, 8, 16])
def test_palettes_and_inverted_greys(tmp_path: Path, bits: int, compression: int) -> None:
    top = 2**bits - 1
    colours = rng.integers(0, 256, (top + 1, 3))
    values = rng.integers(0, top + 1, (10, 13))
    for end in "<>":
        file = read(tmp_path, written(values, bits, PALETTE, compression, end, colours))
        np.testing.assert_array_equal(file.pixels, colours[values])
        if bits < 16:
            np.testing.assert_array_equal(file.indices, values)
        file = read(tmp_path, written(values, bits, WHITE_IS_ZERO, compression, end, colours))
        spread = 255 // top if bits < 8 else 1
        np.testing.assert_array_equal(file.pixels, (top - values) * spread)
        assert INVERTED in file.notes or bits == 1


def parted(values: np.ndarray, kind: str, number: int, tile: Any, **options: Any) -> bytes:
    """Return a TIFF each of whose strips or tiles is a picture that Pillow writes."""
    stream, (height, width) = io.BytesIO(), values.shape[:2]
    grey = "rgb" if values.ndim == 3 else "minisblack"
    how: dict[str, Any] = {"tile": tile} if tile else {"rowsperstrip": 20}
    tifffile.imwrite(stream, values, metadata=None, photometric=grey, **how)
    rows, columns = tile or (20, width)
    offsets, sizes = [], []
    for top, left in np.ndindex(-(-height // rows), -(-width // columns)):
        part = values[top * rows : (top + 1) * rows, left * columns : (left + 1) * columns]
        if tile:
            beyond = [(0, tile[k] - part.shape[k]) for k in (0, 1)]
            part = np.pad(part, [*beyond, *[(0, 0)] * (values.ndim - 2)])
        coded = io.BytesIO()
        Image.fromarray(part).save(coded, kind, **options)
        offsets.append(stream.seek(0, io.SEEK_END))
        sizes.append(stream.write(coded.getvalue()))
    name = "Tile" if tile else "Strip"
    places = {f"{name}Offsets": offsets, f"{name}ByteCounts": sizes}
    whole: bytes = retagged(stream.getvalue(), Compression=number, **places)
    return whole


@pytest.mark.parametrize("tile", [None, (16, 32)])
@pytest.mark.parametrize(
    ("kind", "number", "options"),
    [
        ("WEBP", 50001, {"lossless": True}),
        ("PNG", 34933, {}),
        ("JPEG2000", 34712, {"no_jp2": True}),
        ("JPEG2000", 33005, {"no_jp2": True}),
    ],
)
def test_parts_that_are_pictures(tmp_path, kind, number, options, tile) -> None:
    values = rng.integers(0, 256, (50, 70, 3)).astype(np.uint8)
    file = read(tmp_path, parted(values, kind, number, tile, **options))
    np.testing.assert_array_equal(file.pixels, values)
    if kind != "WEBP":
        file = read(tmp_path, parted(values[..., 0], kind, number, tile, **options))
        np.testing.assert_array_equal(file.pixels, values[..., 0])


def test_a_compression_that_is_missing_is_named(tmp_path, monkeypatch) -> None:
    values = rng.integers(0, 256, (50, 70, 3)).astype(np.uint8)
    with pytest.raises(ImageError, match=r"JPEGXL compression.* cannot be decoded here"):
        read(tmp_path, parted(values, "PNG", 50002, None))
    narrow = retagged(parted(values, "PNG", 34933, None), ImageWidth=60)
    with pytest.raises(ImageError, match="a part of it"):
        read(tmp_path, narrow)
    content = parted(values, "WEBP", 50001, None)
    monkeypatch.setattr(PIL.features, "check", lambda _: False)
    with pytest.raises(ImageError, match="WEBP file, which this copy of Pillow"):
        read(tmp_path, content)
