"""Small TIFF files that would take gigabytes are refused before they do."""

import lzma
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import tifffile

from latviz.files import tiff as reader
from latviz.files.errors import ImageError
from latviz.files.images import read_image, read_lattice

MIB = 2**20
HARMLESS = 4 * MIB
INFLATED = 24 * MIB
SHORT, LONG = 3, 4
PACKERS: dict[int, Callable[[bytes], bytes]] = {
    8: zlib.compress,
    32946: zlib.compress,
    34925: lzma.compress,
}
try:
    zstd = import_module("compression.zstd")
except ImportError:  # before Python 3.14
    pass
else:
    PACKERS[50000] = zstd.compress


@cache
def packed(compression: int) -> bytes:
    """Return a strip that inflates to far more than an image of it can hold."""
    return PACKERS[compression](bytes(INFLATED))


def with_a_vast_dictionary() -> bytes:
    """Return a strip that takes a gigabyte to unpack: its header says so, with the right sum."""
    strip = bytearray(lzma.compress(bytes(1)))
    end = 12 + 4 * strip[12]  # of the header of its first block, where the sum begins
    strip[strip.index(b"\x21\x01", 12, end) + 2] = 36  # its size: 2 << 36 / 2 + 11
    strip[end : end + 4] = zlib.crc32(strip[12:end]).to_bytes(4, "little")
    return bytes(strip)


def tiff(widths: list[int], height: int, compression: int, strip: bytes) -> bytes:
    """Return a TIFF file of one strip whose width is a list of numbers."""
    outside = struct.pack(f"<{len(widths)}I", *widths) if len(widths) > 1 else b""
    end = 8 + 2 + 9 * 12 + 4
    tags = [
        (256, LONG, len(widths), end if outside else widths[0]),
        (257, LONG, 1, height),
        (258, SHORT, 1, 8),
        (259, SHORT, 1, compression),
        (262, SHORT, 1, 1),
        (273, LONG, 1, end + len(outside)),
        (277, SHORT, 1, 1),
        (278, LONG, 1, height),
        (279, LONG, 1, len(strip)),
    ]
    entries = b"".join(struct.pack("<HHII", *tag) for tag in tags)
    head = b"II*\0" + struct.pack("<IH", 8, len(tags))
    return head + entries + bytes(4) + outside + strip


@pytest.fixture(autouse=True)
def tracing(monkeypatch: pytest.MonkeyPatch) -> object:
    assert reader._HARMLESS == 64 * MIB  # of any part, without a look; here of smaller ones
    monkeypatch.setattr(reader, "_HARMLESS", HARMLESS)
    tracemalloc.start()
    yield
    tracemalloc.stop()


def refusal(read: Callable[[Path], object], path: Path) -> str:
    """Return why a file is refused, which must not take memory."""
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    with pytest.raises(ImageError) as caught:
        read(path)
    assert tracemalloc.get_traced_memory()[1] - before < 16 * MIB
    return caught.value.reason


@pytest.mark.parametrize("read", [read_image, read_lattice])
def test_several_widths(tmp_path: Path, read: Callable[[Path], object]) -> None:
    path = tmp_path / "widths.tif"
    path.write_bytes(tiff([3000, 3000], 20_000_000, 1, bytes(100)))
    assert len(path.read_bytes()) < 250
    assert refusal(read, path).startswith("its header gives several sizes for one image")


@pytest.mark.parametrize("read", [read_image, read_lattice])
@pytest.mark.parametrize("compression", PACKERS)
def test_a_strip_that_inflates_to_far_more(tmp_path, compression, read) -> None:
    path = tmp_path / "bomb.tif"
    strip = packed(compression)
    path.write_bytes(tiff([100], 100, compression, strip))
    assert len(strip) < MIB
    assert "inflates to more than the image can hold" in refusal(read, path)


@pytest.mark.parametrize("compression", sorted(PACKERS.keys() - {8, 32946}))
def test_a_stream_after_the_first_that_inflates_to_far_more(tmp_path, compression) -> None:
    path, first = tmp_path / "bomb.tif", PACKERS[compression](bytes(10_000))
    path.write_bytes(tiff([100], 100, compression, first + packed(compression)))
    assert "inflates to more than the image can hold" in refusal(read_image, path)


@pytest.mark.parametrize("first", [b"", lzma.compress(bytes(9_999))], ids=["first", "second"])
@pytest.mark.parametrize("read", [read_image, read_lattice])
def test_a_dictionary_that_takes_a_gigabyte(tmp_path, read, first) -> None:
    path = tmp_path / "dictionary.tif"
    path.write_bytes(tiff([100], 100, 34925, first + with_a_vast_dictionary()))
    assert "unpacking a part of it takes more than 128 MiB" in refusal(read, path)


def test_the_strongest_preset_of_lzma_is_read(tmp_path: Path) -> None:
    path = tmp_path / "preset.tif"
    path.write_bytes(tiff([100], 100, 34925, lzma.compress(bytes(10_000), preset=9)))
    assert not read_image(path).pixels.any()


@pytest.mark.parametrize("compression", PACKERS)
def test_a_strip_that_is_truly_large(tmp_path: Path, compression: int) -> None:
    path = tmp_path / "large.tif"
    side = 2100  # more than is unpacked without a look
    path.write_bytes(tiff([side], side, compression, PACKERS[compression](bytes(side * side))))
    assert read_image(path, reduction=4).pixels.shape == (525, 525)


def test_parts_of_many_pixels_and_channels(tmp_path: Path) -> None:
    path = tmp_path / "tiles.tif"
    pixels = np.zeros((800, 1100, 3), np.uint16)
    pixels[5, 7] = 300
    tifffile.imwrite(path, pixels, compression="zlib", rowsperstrip=800)
    np.testing.assert_array_equal(read_image(path).pixels, pixels)


def test_planes_that_ome_claims(tmp_path: Path) -> None:
    path, n = tmp_path / "claims.ome.tif", 10**8
    text = (
        '<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image><Pixels '
        f'DimensionOrder="XYZCT" SizeX="12" SizeY="10" SizeZ="{n}" SizeC="1" SizeT="1">'
        f'<TiffData IFD="0" PlaneCount="{n}"/></Pixels></Image></OME>'
    )
    tifffile.imwrite(path, np.zeros((10, 12), np.uint8), description=text, metadata=None)
    tracemalloc.reset_peak()
    assert read_image(path).notes == ("planes in other files, which are not read: 99,999,999",)
    assert tracemalloc.get_traced_memory()[1] < 16 * MIB
