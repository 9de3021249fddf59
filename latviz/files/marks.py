"""The mark of pictures that latviz wrote: the name of the program, where formats keep it.

State maps and figures in a folder of images would be the images of the next run. So folders and
patterns leave files with the mark out, whatever their names. A file that is named is opened.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from latviz import __version__
from latviz.core.disk.reading import opened

SOFTWARE = f"latviz {__version__}"
"""The mark."""
_BEGIN = b"latviz "
TAG = 0x0131
"""That of the program's name in TIFF and Exif."""
_MOST, _LONGEST = 1 << 12, 1 << 16
"""Most parts of a file that are looked at, and the longest one that is read."""


def is_marked(path: Path) -> bool:
    """Return True if a file bears the mark; only its headers are read."""
    try:
        with opened(path, is_input=False) as stream:
            return any(text.startswith(_BEGIN) for text in _texts(stream))
    except (OSError, ValueError, struct.error):  # reading it reports the reason
        return False


def _texts(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the texts of a file that may be the mark."""
    head = stream.read(12)
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        stream.seek(8)
        yield from _of_png(stream)
    elif head.startswith(b"GIF8"):
        yield from _of_gif(stream)
    elif head.startswith(b"RIFF") and head.endswith(b"WEBP"):
        yield from _of_webp(stream)
    elif head.startswith((b"II", b"MM")):
        yield from _of_tiff(stream)


def _of_png(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the names of programs before the pixels."""
    for _ in range(_MOST):
        length, kind = struct.unpack(">I4s", stream.read(8))
        if kind in (b"IDAT", b"IEND"):
            return
        if kind == b"tEXt" and length < _LONGEST:
            yield stream.read(length).removeprefix(b"Software\0")
            stream.seek(4, io.SEEK_CUR)
        else:
            stream.seek(length + 4, io.SEEK_CUR)


def _of_gif(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the beginnings of comments before the first frame."""
    stream.seek(10)
    (flags,) = stream.read(1)
    stream.seek(13 + (3 * 2 ** (1 + flags % 8) if flags & 0x80 else 0))
    while stream.read(1) == b"!":
        is_comment = stream.read(1) == b"\xfe"
        blocks = list(_blocks_of_gif(stream))
        yield from blocks[:1] if is_comment else ()


def _blocks_of_gif(stream: IO[bytes]) -> Iterator[bytes]:
    for _ in range(_MOST):
        (length,) = stream.read(1)
        if not length:
            return
        yield stream.read(length)


def _of_webp(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the name of the program in its Exif, which is behind the frames."""
    for _ in range(_MOST):
        header = stream.read(8)
        if len(header) < 8:
            return
        kind, length = struct.unpack("<4sI", header)
        if kind == b"EXIF" and length < _LONGEST:
            yield from _of_tiff(io.BytesIO(stream.read(length).removeprefix(b"Exif\0\0")))
            return
        stream.seek(length + length % 2, io.SEEK_CUR)


def _of_tiff(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the name of the program in the first directory of a TIFF, or of a BigTIFF."""
    stream.seek(0)
    head = stream.read(16)
    order = "<" if head.startswith(b"II") else ">"
    (version,) = struct.unpack_from(f"{order}H", head, 2)
    at, number, size, count = (8, "Q", 20, "Q") if version == 43 else (4, "I", 12, "H")
    (place,) = struct.unpack_from(f"{order}{number}", head, at)
    stream.seek(place)
    (n_tags,) = struct.unpack(f"{order}{count}", stream.read(struct.calcsize(count)))
    tags = stream.read(size * min(n_tags, _MOST))
    for start in range(0, len(tags), size):
        tag, _, length, where = struct.unpack_from(f"{order}HH{number}{number}", tags, start)
        if tag == TAG and length > len(_BEGIN):
            stream.seek(where)
            yield stream.read(min(length, _LONGEST))
            return
