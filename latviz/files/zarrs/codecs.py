"""Decompressors that stop where a chunk ends: a megabyte may decompress to a terabyte.

They replace those of zarr and numcodecs, which decompress without a limit.
"""

from __future__ import annotations

import asyncio
import bz2
import lzma
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numcodecs
from numcodecs.abc import Codec
from zarr.abc.codec import BytesBytesCodec

from latviz.files.zarrs.headers import COMPRESSORS, chunk_of, itemsize_of

GROWTH = 16
"""Greatest ratio by which filters enlarge a chunk."""
_HEADROOM = 2**20
"""Bytes that headers and checksums of a chunk take, at most."""
_LZMA_MEMORY = 2**28
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_BLOCK = 2**17


def room(chunk: Sequence[int], itemsize: int) -> int:
    """Return the most bytes of a chunk in any of its forms."""
    return GROWTH * math.prod(chunk) * itemsize + _HEADROOM


def bounded(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checked header of an array with decompressors that stop in place of names."""
    itemsize = itemsize_of(header)
    if header["zarr_format"] == 3:
        return {**header, "codecs": _bounded_codecs(header["codecs"], chunk_of(header), itemsize)}
    stopped = partial(_stopped, most=room(chunk_of(header), itemsize))
    compressor, filters = header.get("compressor"), header.get("filters")
    return {
        **header,
        "compressor": None if compressor is None else stopped(compressor),
        "filters": [stopped(one) for one in filters] if filters else None,
    }


def _stopped(config: Mapping[str, Any], most: int) -> Any:
    return Stopped(config["id"], most) if config["id"] in COMPRESSORS else config


def _bounded_codecs(codecs: Sequence[Any], chunk: Sequence[int], itemsize: int) -> list[Any]:
    found: list[Any] = []
    for one in codecs:
        name, settings = one["name"].removeprefix("numcodecs."), one.get("configuration", {})
        if name in COMPRESSORS:
            found.append(StoppedBytes(Stopped(name, room(chunk, itemsize))))
        elif name == "sharding_indexed":
            inner = _bounded_codecs(settings["codecs"], settings["chunk_shape"], itemsize)
            found.append({**one, "configuration": {**settings, "codecs": inner}})
        else:
            found.append(one)
    return found


@dataclass(frozen=True)
class Stopped(Codec):  # type: ignore[misc]
    """A decompressor of format 2 that gives up at a number of bytes."""

    codec_id = "stopped"
    name: str  # one of `COMPRESSORS`
    most: int  # the largest number of bytes that may come out

    def decode(self, buf: Any, out: Any = None) -> Any:
        """Return the decompressed bytes; ValueError if they are too many, or damaged."""
        data = bytes(buf)
        if self.name in _STREAMS:
            return _inflated(_STREAMS[self.name], data, self.most)
        if (claimed := _CLAIMS[self.name](data)) > self.most:
            raise _too_large(self.most, f"{claimed:,} bytes")
        return numcodecs.get_codec({"id": self.name}).decode(data, out)

    def encode(self, buf: Any) -> Any:
        """Refuse: nothing is written."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """Return the configuration for the header."""
        return {"id": self.name}


@dataclass(frozen=True)
class StoppedBytes(BytesBytesCodec):  # type: ignore[misc]
    """The same for format 3."""

    inner: Stopped
    is_fixed_size = False

    async def _decode_single(self, chunk_bytes: Any, chunk_spec: Any) -> Any:
        found = await asyncio.to_thread(self.inner.decode, chunk_bytes.to_bytes())
        return chunk_spec.prototype.buffer.from_bytes(found)

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: Any) -> int:
        """Refuse: nothing is written."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the configuration for the header."""
        return {"name": self.inner.name}


def _too_large(most: int, what: str) -> ValueError:
    return ValueError(f"it holds {what}, but a chunk has at most {most:,}")


def _inflated(start: Callable[[], Any], data: bytes, most: int) -> bytes:
    """Return the content of one compressed stream, or several in a row."""
    parts: list[bytes] = []
    while data.strip(b"\0"):  # writers may pad a stream
        stream = start()
        parts.append(stream.decompress(data, most + 1))
        most -= len(parts[-1])
        if most < 0:
            raise _too_large(most + len(parts[-1]), "more")
        if not stream.eof:
            raise ValueError("it is cut off")
        data = stream.unused_data
    return b"".join(parts)


_STREAMS: dict[str, Callable[[], Any]] = {
    "bz2": bz2.BZ2Decompressor,
    "gzip": partial(zlib.decompressobj, 16 + zlib.MAX_WBITS),
    "lzma": partial(lzma.LZMADecompressor, memlimit=_LZMA_MEMORY),
    "zlib": zlib.decompressobj,
}


def _zstd_size(data: bytes) -> int:
    """Return the declared size of a Zstandard frame's content, or else the greatest possible."""
    if data[:4] != _ZSTD_MAGIC or len(data) < 14:
        return 0  # its decoder reports the error
    flags = data[4]
    is_single = bool(flags & 0x20)
    start = 5 + (not is_single) + (0, 1, 2, 4)[flags & 3]
    width = (int(is_single), 2, 4, 8)[flags >> 6]
    if width:
        return int.from_bytes(data[start : start + width], "little") + 256 * (width == 2)
    return _zstd_blocks(data, start)


def _zstd_blocks(data: bytes, start: int) -> int:
    """Return the most bytes in the blocks of a frame."""
    total, is_last = 0, False
    while not is_last and start + 3 <= len(data):
        head = int.from_bytes(data[start : start + 3], "little")
        is_last, kind, size = bool(head & 1), head >> 1 & 3, head >> 3
        total += _ZSTD_BLOCK if kind == 2 else size
        start += 3 + (1 if kind == 1 else size)
    return total


_CLAIMS: dict[str, Callable[[bytes], int]] = {
    "blosc": lambda data: int.from_bytes(data[4:8], "little"),
    "lz4": lambda data: int.from_bytes(data[:4], "little"),
    "zstd": _zstd_size,
}
