"""The headers of zarr arrays: checked before they are used.

The zarr package creates any object that a header names: types that hold Python objects, and codecs
that unpickle them, which runs any program. So only numbers pass, and only known codecs that do
nothing but change bytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from latviz.core.checks import shown
from latviz.core.disk.errors import shortened
from latviz.files import memory
from latviz.files.decoding import DecodeError

COMPRESSORS = ("blosc", "bz2", "gzip", "lz4", "lzma", "zlib", "zstd")
CHECKSUMS = ("adler32", "crc32", "crc32c", "fletcher32")
FILTERS = ("astype", "bitround", "delta", "fixedscaleoffset", "packbits", "quantize", "shuffle")
OF_FORMAT_2 = (*COMPRESSORS, *CHECKSUMS, *FILTERS)
"""Compressors and filters of format 2, by their ``id``; format 3 has them as ``numcodecs.*``."""
OF_FORMAT_3 = ("blosc", "bytes", "crc32c", "gzip", "sharding_indexed", "transpose", "zstd")

MOST_AXES = 32
MOST_ELEMENTS = 2**60
"""Elements of an array, so that no product of its sides overflows."""
MOST_NESTED = 8
"""Shards in shards."""
MOST_PIECES = 2**20
"""Inner chunks of a shard, whose index is read as a whole."""
_TYPE_2 = re.compile(r"[<>|]?(b1|[iu][1248]|f[248])")
_TYPE_3 = re.compile(r"bool|u?int(8|16|32|64)|float(16|32|64)")
_TYPES = ("dtype", "astype", "encode_dtype", "decode_dtype")
"""Settings of filters that are types themselves."""


def check_header(header: Mapping[str, Any]) -> None:
    """Raise `DecodeError` if an array's header (.zarray, zarr.json) is damaged or could do harm."""
    if header.get("zarr_format") == 2:
        _check_format_2(header)
    else:
        _check_format_3(header)
    _check_chunks(header)


def chunk_of(header: Mapping[str, Any]) -> list[int]:
    """Return the shape of an array's chunks; of shards, if it has them."""
    if header.get("zarr_format") == 2:
        return _sides(header.get("chunks"), "chunks")
    grid = header.get("chunk_grid")
    if not isinstance(grid, Mapping) or grid.get("name") != "regular":
        raise DecodeError(f"its chunk grid must be regular, got {brief(grid)}; get a fresh copy")
    return _sides(_settings(grid).get("chunk_shape"), "chunk shape")


def piece_of(header: Mapping[str, Any]) -> list[int]:
    """Return the shape that is decoded at once: of a chunk, or of an inner chunk of a shard."""
    found, codecs = chunk_of(header), header.get("codecs", ())
    while inner := [one for one in codecs if one["name"] == "sharding_indexed"]:
        found = _sides(_settings(inner[0]).get("chunk_shape"), "shape of inner chunks")
        codecs = _settings(inner[0])["codecs"]
    return found


def itemsize_of(header: Mapping[str, Any]) -> int:
    """Return the bytes of an element."""
    if header.get("zarr_format") == 2:
        return int(str(header["dtype"])[-1])
    digits = re.sub(r"\D", "", str(header["data_type"]))
    return int(digits or 8) // 8


def brief(value: Any) -> str:
    """Return a value of a header as a short text."""
    return shortened(shown(value), 60)


def _check_format_2(header: Mapping[str, Any]) -> None:
    _check_type(header.get("dtype"), _TYPE_2)
    given, compressor = header.get("filters"), header.get("compressor")
    if given is not None and not isinstance(given, list):
        raise DecodeError(f"its filters must be a list, got {brief(given)}; get a fresh copy")
    for one in (*(given or ()), *(() if compressor is None else (compressor,))):
        found = one if isinstance(one, Mapping) else {}
        _check_codec(found.get("id", one), OF_FORMAT_2, found)
    _check_separator(header.get("dimension_separator", "."))


def _check_format_3(header: Mapping[str, Any]) -> None:
    _check_type(header.get("data_type"), _TYPE_3)
    _check_codecs(header.get("codecs"))
    keys = header.get("chunk_key_encoding")
    if not isinstance(keys, Mapping) or keys.get("name") not in ("default", "v2"):
        raise DecodeError(
            f"its chunk key encoding must be default or v2, got {brief(keys)}; get a fresh copy"
        )
    _check_separator(_settings(keys).get("separator", "/"))


def _check_codecs(codecs: Any, n_around: int = 0) -> None:
    """Check a list of codecs that lies in ``n_around`` shards."""
    if not isinstance(codecs, list):
        raise DecodeError(f"its codecs must be a list, got {brief(codecs)}; get a fresh copy")
    if n_around > MOST_NESTED:
        raise DecodeError(
            f"its shards are nested more than {MOST_NESTED} deep; save it with plain shards"
        )
    for one in codecs:
        name = one.get("name") if isinstance(one, Mapping) else one
        if not isinstance(one, Mapping) or not isinstance(name, str):
            raise DecodeError(f"a codec must have a name, got {brief(one)}; get a fresh copy")
        known = OF_FORMAT_2 if name.startswith("numcodecs.") else OF_FORMAT_3
        _check_codec(name.removeprefix("numcodecs."), known, _settings(one))
        if name == "sharding_indexed":
            _check_codecs(_settings(one).get("codecs"), n_around + 1)
            _check_codecs(_settings(one).get("index_codecs"), n_around + 1)


def _check_codec(name: Any, known: tuple[str, ...], settings: Mapping[str, Any]) -> None:
    if name not in known:
        raise DecodeError(
            f"it uses the codec {brief(name)}, which could run a program or is not known; save it "
            f"with one of {', '.join(COMPRESSORS)}"
        )
    if settings.get("id", name) != name:  # zarr would take one of the two names
        raise DecodeError(
            f"its codec {name} has a second name, {brief(settings['id'])}; get a fresh copy"
        )
    for key in _TYPES:
        if key in settings:
            _check_type(settings[key], _TYPE_2)


def _check_type(found: Any, wanted: re.Pattern[str]) -> None:
    if not isinstance(found, str) or not wanted.fullmatch(found):
        raise DecodeError(
            f"its values are of the type {brief(found)}, but only booleans, integers and floats "
            "are read; save an array of these"
        )


def _check_separator(found: Any) -> None:
    if found not in (".", "/"):
        raise DecodeError(f"the separator of its chunks must be . or /, got {brief(found)}")


def _check_chunks(header: Mapping[str, Any]) -> None:
    """Check the sides of an array and of its chunks, and that memory holds a chunk."""
    shape, chunk, piece = _sides(header.get("shape"), "shape"), chunk_of(header), piece_of(header)
    if not len(shape) == len(chunk) == len(piece):
        raise DecodeError(
            f"its shape has {len(shape)} axes and its chunks have {len(chunk)} and {len(piece)}; "
            "get a fresh copy"
        )
    if len(shape) > MOST_AXES or math.prod(shape) > MOST_ELEMENTS:
        raise DecodeError(f"its shape {brief(shape)} is larger than any array; get a fresh copy")
    if math.prod(chunk) > MOST_PIECES * math.prod(piece):
        raise DecodeError(
            f"its shards {brief(chunk)} have more than {MOST_PIECES:,} inner chunks {brief(piece)} "
            "each; save it with smaller shards"
        )
    needed, most = math.prod(piece) * itemsize_of(header), memory.available() // 4
    if needed > most:
        sides = " × ".join(map(str, piece))
        raise DecodeError(
            f"its chunks of {sides} elements take {needed:,} bytes each, but the free memory has "
            f"room for {most:,}; save it in smaller chunks"
        )


def _sides(found: Any, what: str) -> list[int]:
    is_list = isinstance(found, list) and all(type(side) is int and side > 0 for side in found)
    if not is_list:
        raise DecodeError(
            f"its {what} must be a list of integers from 1, got {brief(found)}; get a fresh copy"
        )
    return list(found)


def _settings(found: Mapping[str, Any]) -> Mapping[str, Any]:
    given = found.get("configuration", {})
    if not isinstance(given, Mapping):
        raise DecodeError(f"a configuration must be an object, got {brief(given)}")
    return given
