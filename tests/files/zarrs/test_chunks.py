"""Chunks that are damaged, too large, or no files: named in one line, and read no further."""

import asyncio
import bz2
import gzip
import lzma
import os
import struct
import zlib
from collections.abc import Callable
from functools import partial

import numcodecs
import numpy as np
import pytest
import zarr

from latviz.files.errors import ImageError
from latviz.files.levels import read_level
from latviz.files.pyramids import open_pyramid
from latviz.files.session_archive import sha256_of
from latviz.files.zarrs import reading
from tests.files.test_pyramids import array_at, image_at, pixels
from tests.files.zarrs.cases import array_2, array_3, group_2, multiscales, refusal

FIVE = {"multiscales": multiscales("tczyx", ["s0", "s1"])}


@pytest.mark.parametrize("damage", ["cut off", "other bytes", "empty", "a folder"])
@pytest.mark.parametrize("zarr_format", [2, 3])
def test_the_damaged_chunk_is_named(tmp_path, zarr_format, damage):
    path = array_at(tmp_path / "a.zarr", pixels((40, 50)), zarr_format)
    name = {2: "1.2", 3: "c/1/2"}[zarr_format]
    whole = (path / name).read_bytes()
    (path / name).unlink()
    if damage == "a folder":
        (path / name).mkdir()
    else:
        bad = {"cut off": whole[:-9], "other bytes": b"no chunk at all", "empty": b""}[damage]
        (path / name).write_bytes(bad)
    assert f"{name} " in refusal(path)
    assert ".zarr: its " in refusal(path)


def test_the_chunk_of_a_level_is_named_with_the_level(tmp_path):
    path = image_at(tmp_path / "a.zarr", pixels((1, 1, 1, 40, 50)), FIVE, 2, 2)
    (path / "s1" / "0.0.0.1.1").write_bytes(b"no chunk")
    assert read_level(path).pixels.shape == (40, 50)  # of the finest level all is well
    with pytest.raises(ImageError, match=r"s1/0\.0\.0\.1\.1"):
        open_pyramid(path).read(1)


def test_a_missing_chunk_holds_the_fill_value(tmp_path):
    path = array_2(tmp_path / "a.zarr", fill_value=7)
    (path / "0.0").unlink()
    assert np.array_equal(read_level(path).pixels, np.full((8, 9), 7))


LARGE = bytes(2**24)
"""16 MiB in a chunk of 72 bytes, to which 16 times as much and a megabyte are granted."""
BOMBS: dict[str, Callable[[bytes], bytes]] = {
    "zlib": zlib.compress,
    "gzip": gzip.compress,
    "gzip twice": lambda large: gzip.compress(bytes(72)) + gzip.compress(large),
    "bz2": bz2.compress,
    "lzma": partial(lzma.compress, preset=0),
    "zstd": lambda large: bytes(numcodecs.Zstd().encode(large)),
    "zstd without a size": lambda _: sizeless_zstd(),
    "blosc": lambda large: bytes(numcodecs.Blosc().encode(large)),
    "lz4": lambda large: bytes(numcodecs.LZ4().encode(large)),
}
"""Compressors; the chunk is made by the test that reads it, as every worker collects all tests."""


def sizeless_zstd() -> bytes:
    """Return a frame without its size: 128 blocks that repeat a byte 131,072 times."""
    sizes = (1 << 20 | 1 << 1 | k // 127 for k in range(128))
    blocks = b"".join(struct.pack("<I", size)[:3] + b"\0" for size in sizes)
    return struct.pack("<IBB", 0xFD2FB528, 0, 56) + blocks


def test_the_frame_without_a_size_is_one():
    assert bytes(numcodecs.Zstd().decode(sizeless_zstd())) == LARGE


@pytest.mark.parametrize("name", BOMBS)
def test_a_chunk_that_grows_too_large_is_not_decompressed(tmp_path, name):
    codec, bomb = name.split()[0], BOMBS[name](LARGE)
    path = array_2(tmp_path / "2.zarr", bomb, compressor={"id": codec})
    assert "its chunk 0.0 is damaged (it holds" in refusal(path)
    codecs = [{"name": "bytes"}, {"name": f"numcodecs.{codec}", "configuration": {}}]
    path = array_3(tmp_path / "3.zarr", bomb, codecs=codecs)
    assert "its chunk c/0/0 is damaged (it holds" in refusal(path)


def test_an_inner_chunk_that_grows_too_large_is_not_decompressed(tmp_path):
    inner = zlib.compress(LARGE)
    index = struct.pack("<QQ", 0, len(inner))
    shards = {
        "chunk_shape": [8, 9],
        "codecs": [{"name": "bytes"}, {"name": "numcodecs.zlib"}],
        "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
    }
    path = array_3(
        tmp_path / "a.zarr", inner + index,
        codecs=[{"name": "sharding_indexed", "configuration": shards}],
    )  # fmt: skip
    assert "its chunk c/0/0 is damaged (it holds" in refusal(path)


def test_a_stream_in_several_parts_is_read(tmp_path):
    values = bytes(range(72))
    parts = gzip.compress(values[:30]) + gzip.compress(values[30:]) + bytes(5)
    path = array_2(tmp_path / "a.zarr", parts, compressor={"id": "gzip"})
    assert np.array_equal(read_level(path).pixels.reshape(-1), range(72))


def test_a_file_that_is_larger_than_a_chunk_is_not_read(tmp_path):
    path = array_2(tmp_path / "a.zarr")
    with open(path / "0.0", "r+b") as stream:
        stream.truncate(2**40)
    assert "0.0 cannot be used: it has 1,099,511,627,776 bytes" in refusal(path)


@pytest.mark.posix("os.mkfifo", "/dev/zero")
@pytest.mark.parametrize("kind", ["a pipe", "a device", "a link to a pipe", "a link to itself"])
@pytest.mark.parametrize("name", ["0/.zarray", "0/.zattrs", "0/0.0", ".zgroup", ".zattrs",
                                  "zarr.json", "0/zarr.json"])  # fmt: skip
def test_what_is_no_file_is_never_read(tmp_path, name, kind):
    folder = group_2(tmp_path / "a.zarr", {"multiscales": multiscales()})
    array_2(folder / "0")
    place = folder / name
    place.unlink(missing_ok=True)
    if kind == "a pipe":
        os.mkfifo(place)
    else:
        os.mkfifo(tmp_path / "pipe")
        targets = {"a device": "/dev/zero", "a link to a pipe": tmp_path / "pipe"}
        place.symlink_to(targets.get(kind, place))
    wanted = "links lead in a circle" if kind == "a link to itself" else "a device or a pipe"
    assert f"its part {name} " in refusal(folder)
    assert wanted in refusal(folder)


@pytest.mark.posix("os.mkfifo")
def test_the_digest_reads_files_alone(tmp_path):
    folder = array_2(tmp_path / "a.zarr")
    (folder / "more").mkdir()
    os.mkfifo(folder / "more" / ".zattrs")
    with pytest.raises(ImageError, match=r"more/\.zattrs cannot be used: it is a device"):
        sha256_of(folder)


@pytest.mark.parametrize("damage", ["refused", "not decoded"])
def test_nothing_goes_on_after_a_chunk_that_failed(tmp_path, monkeypatch, damage):
    """zarr reads on otherwise, and prints hundreds of lines when the program ends."""
    folder = array_2(tmp_path / "a.zarr", bytes(1), shape=[40, 40], chunks=[1, 1])
    if damage == "refused":
        (folder / "1.10").mkdir()
    else:
        (folder / "1.10").write_bytes(bytes(2))
    read, once = [], reading.read_part
    monkeypatch.setattr(reading, "read_part", lambda *at: (read.append(at), once(*at))[1])
    level = open_pyramid(folder).levels[0]
    with pytest.raises(ImageError, match=r"its (part|chunk) 1\.10 "):
        level[:, :]
    zarr.core.sync.sync(ended())
    assert len(read) < 400  # of 1600


async def ended():
    """Wait until the other tasks in the loop of the zarr package, which were cancelled, end."""
    async with asyncio.timeout(60):
        while asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.sleep(0.01)


def test_no_part_lies_outside_of_the_folder(tmp_path):
    array_2(tmp_path / "other.zarr")
    for path in ("../other.zarr", "0/../../other.zarr", str(tmp_path / "other.zarr"), "", "."):
        paths = {"multiscales": multiscales(paths=[path])}
        folder = group_2(tmp_path / "a.zarr", paths)
        said = refusal(folder)
        assert "lies outside of the folder" in said or "must be an array, but" in said


def test_too_many_small_chunks_are_not_read(tmp_path, monkeypatch):
    path = array_at(tmp_path / "a.zarr", pixels((40, 50)), side=4)
    monkeypatch.setattr(reading, "MOST_PIECES", 129)  # there are 10 times 13
    assert "130 of them would have to be read at once" in refusal(path)
    monkeypatch.setattr(reading, "MOST_PIECES", 130)
    assert read_level(path).pixels.shape == (40, 50)


def test_large_shards_are_read_in_parts(tmp_path, monkeypatch):
    values = pixels((64, 64))
    made = zarr.create_array(
        str(tmp_path / "a.zarr"), shape=(64, 64), chunks=(8, 8), shards=(32, 32), dtype="uint8"
    )
    made[:] = values
    found = open_pyramid(tmp_path / "a.zarr").levels[0]
    assert found.unit == (32, 32)
    monkeypatch.setattr(reading, "HELD", 1000)
    assert found.unit == (8, 8)
    assert np.array_equal(found[8:40, 3:64], values[8:40, 3:64])
