"""Images in the formats of Netpbm: PBM, PGM, PPM and PAM, whose depths Pillow does not keep."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from latviz.files.decoding import DecodedFile, DecodeError, check_size, decoding
from latviz.files.memory import cost

_HEADER = 2**16
"""Bytes that a header has at most, with its comments."""
_SPACE = re.compile(rb"(?:\s|#[^\r\n]*[\r\n])*")
_WORD = re.compile(rb"\d+")
_FIELD = re.compile(rb"(WIDTH|HEIGHT|DEPTH|MAXVAL)\s+(\d+)")
_PER_DIGIT = 70
"""Bytes that a number of a plain file takes while it is read."""


@dataclass(frozen=True)
class _Header:
    """The header: the kind from 1 to 7, the sizes, white, and where the samples begin."""

    kind: int
    width: int
    height: int
    channels: int
    white: int
    start: int

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of binary samples."""
        return np.dtype("u1" if self.white < 256 else ">u2")


def read_netpbm(stream: IO[bytes], reduction: int = 1) -> DecodedFile:
    """Decode the first image of a file; see https://netpbm.sourceforge.net/doc/."""
    # Up to 8 bits, values are spread over 0 to 255, as those of PNG are; more bits are kept
    with decoding("Netpbm"):
        header = _header(stream.read(_HEADER))
        alpha = header.channels in (2, 4)
        plain = _PER_DIGIT * header.channels if header.kind < 4 else 4 * header.channels
        price = cost(header.dtype, header.channels, alpha=alpha, held=plain)
        check_size(header.width, header.height, price, reduction)
        stream.seek(header.start)
        samples = _plain(stream, header) if header.kind < 4 else _binary(stream, header)
        return DecodedFile(*_spread(samples, header), notes=_notes(header))


def _header(head: bytes) -> _Header:
    kind = int(head[1:2])
    if kind == 7:
        return _of_pam(head)
    numbers, place = list[int](), 2
    for _ in range(2 if kind in (1, 4) else 3):
        blank = _SPACE.match(head, place)
        found = _WORD.match(head, blank.end() if blank else place)
        if found is None:
            raise DecodeError("its header has no size; get a fresh copy")
        numbers.append(int(found[0][:20]))
        place = found.end()
    white = numbers[2] if len(numbers) > 2 else 1
    channels = 3 if kind in (3, 6) else 1
    return _checked(_Header(kind, numbers[0], numbers[1], channels, white, place + 1))


def _of_pam(head: bytes) -> _Header:
    end = head.find(b"ENDHDR\n")
    fields = {name: int(text[:20]) for name, text in _FIELD.findall(head[: max(end, 0)])}
    if len(fields) < 4:
        raise DecodeError("its header is not complete; get a fresh copy")
    size = fields[b"WIDTH"], fields[b"HEIGHT"], fields[b"DEPTH"]
    return _checked(_Header(7, *size, fields[b"MAXVAL"], end + 7))


def _checked(header: _Header) -> _Header:
    if not 1 <= header.white <= 65535:
        raise DecodeError(f"its largest value is {header.white}, not 1 to 65535; get a fresh copy")
    if not 1 <= header.channels <= 4:
        raise DecodeError(f"it has {header.channels} channels, not 1 to 4; save fewer of them")
    return header


def _binary(stream: IO[bytes], header: _Header) -> NDArray[Any]:
    bits = header.kind == 4
    row = -(-header.width // 8) if bits else header.width * header.channels
    wanted = row * header.height * header.dtype.itemsize
    there = os.fstat(stream.fileno()).st_size - header.start
    if there < wanted:
        raise DecodeError(
            f"it is cut off: it needs {wanted:,} bytes of samples and has {max(there, 0):,}; get a "
            "fresh copy"
        )
    samples = np.frombuffer(stream.read(wanted), header.dtype).reshape(header.height, row)
    if bits:  # one is black
        return 1 - np.unpackbits(samples, axis=1)[:, : header.width, None]
    native = samples.astype(header.dtype.newbyteorder("="), copy=False)
    return native.reshape(header.height, header.width, header.channels)


def _plain(stream: IO[bytes], header: _Header) -> NDArray[Any]:
    shape = header.height, header.width, header.channels
    wanted = header.height * header.width * header.channels
    text = re.sub(rb"#[^\r\n]*", b"", stream.read())
    if header.kind == 1:  # its digits need no space between them
        digits = np.frombuffer(b"".join(text.split()), np.uint8)[:wanted] - np.uint8(ord("0"))
        samples = 1 - digits
        is_valid = bool((digits <= 1).all())
    else:
        words = text.split(maxsplit=wanted)[:wanted]
        is_valid = all(word.isdigit() and len(word) < 6 for word in words)
        samples = np.array(words if is_valid else [], np.uint32)
    if not is_valid or samples.size < wanted:
        raise DecodeError("it is damaged or cut off: samples are missing; get a fresh copy")
    return samples.reshape(shape)


def _spread(samples: NDArray[Any], header: _Header) -> tuple[NDArray[Any], Any]:
    """Return samples of 8 or 16 bits, and the kind of the last channel."""
    if samples.max() > header.white:
        raise DecodeError(
            f"it has values above {header.white}, the largest that its header allows; get a fresh "
            "copy"
        )
    alpha = "straight" if header.channels in (2, 4) else "none"
    if header.white in (255, 65535):
        return samples.astype(np.uint8 if header.white == 255 else np.uint16, copy=False), alpha
    if header.white < 255:
        table = np.rint(np.arange(header.white + 1) * 255 / header.white).astype(np.uint8)
        return table[samples], alpha
    samples = samples.astype(np.uint16)
    if alpha != "none":  # opacity has the range of the type
        samples[..., -1] = np.rint(samples[..., -1] * (65535 / header.white))
    return samples, alpha


def _notes(header: _Header) -> tuple[str, ...]:
    if header.white < 255:
        return (f"values from 0 to {header.white} spread over 0 to 255",)
    return () if header.white in (255, 65535) else (f"its largest value is {header.white}",)
