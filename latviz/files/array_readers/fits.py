"""FITS: the first image of a file, after the standard's version 4.0."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import IO

import numpy as np

from latviz.files.array_readers.bounds import exactly
from latviz.files.decoding import DecodeError
from latviz.files.readers import ReadArray

_BLOCK, _MOST_BLOCKS = 2880, 1000
_CARD = re.compile(r"([\w-]+) *= (?:\s*'([^']*)'|([^/]*))")
_END = re.compile(r"(?:.{80})*?END {77}", re.DOTALL)
_TYPES = {8: "u1", 16: ">i2", 32: ">i4", 64: ">i8", -32: ">f4", -64: ">f8"}
_SPECTRAL = ("FREQ", "ENER", "WAV", "VRAD", "VOPT", "ZOPT", "AWAV", "VELO", "FELO", "BETA")
"""Beginnings of the types of an axis along a spectrum: its entries are channels."""


def read(stream: IO[bytes]) -> ReadArray:
    """Return the first image; its first row is the first one in the file, as in astropy."""
    for cards in _headers(stream):
        shape = _shape(cards)
        if cards.get("ZIMAGE") == "T":
            raise DecodeError("its image is compressed; unpack it first: funpack FILE")
        if math.prod(shape) > 1 and cards.get("XTENSION", "IMAGE") == "IMAGE":
            return _image(stream, cards, shape)
    raise DecodeError("it holds no image but tables; save one as numbers in text (.csv)")


def _headers(stream: IO[bytes]) -> Iterator[dict[str, str]]:
    """Yield the cards of each unit; the stream is at its numbers then."""
    while head := _head(stream):
        lines = (_CARD.match(head[k : k + 80]) for k in range(0, len(head), 80))
        cards = {card[1]: (card[2] or card[3] or "").strip() for card in lines if card}
        start, n = stream.tell(), math.prod(_shape(cards)) + int(cards.get("PCOUNT", 0))
        n_bytes = abs(int(cards["BITPIX"])) // 8 * int(cards.get("GCOUNT", 1)) * n
        yield cards
        stream.seek(start + -(-n_bytes // _BLOCK) * _BLOCK)


def _head(stream: IO[bytes]) -> str:
    head = ""
    for _ in range(_MOST_BLOCKS):
        head += (block := stream.read(_BLOCK).decode("latin-1"))
        if not block or _END.match(block):
            break
    return head


def _shape(cards: dict[str, str]) -> tuple[int, ...]:
    """Return the lengths of the axes, the slowest first; (0,) without pixels."""
    n = int(cards["NAXIS"])
    return tuple(int(cards[f"NAXIS{k}"]) for k in range(n, 0, -1)) or (0,)


def _image(stream: IO[bytes], cards: dict[str, str], shape: tuple[int, ...]) -> ReadArray:
    bits = int(cards["BITPIX"])
    stored = exactly(stream, math.prod(shape), np.dtype(_TYPES[bits])).reshape(shape)
    known = stored != int(cards["BLANK"]) if bits > 0 and "BLANK" in cards else None
    slope, zero = float(cards.get("BSCALE", 1)), float(cards.get("BZERO", 0))
    array = stored.astype(stored.dtype.newbyteorder("="))
    if slope == 1 and bits > 8 and zero == 2.0 ** (bits - 1):  # integers without a sign
        unsigned = f"u{bits // 8}"
        array = array.view(unsigned) ^ np.array(1 << (bits - 1), unsigned)
    elif (slope, zero) != (1, 0):
        array = array * slope + zero
    long = [k for k, length in enumerate(shape) if length > 1]
    array, kinds = np.squeeze(array), [cards.get(f"CTYPE{len(shape) - k}", "") for k in long]
    known = None if known is None else np.squeeze(known)
    if array.ndim == 3 and kinds[0].startswith(_SPECTRAL):
        return ReadArray(array, "cyx", mask=known)
    return ReadArray(array, "yx" if array.ndim == 2 else "", mask=known)
