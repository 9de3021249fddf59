"""The table of formats: messages, dialogs, folders and the manual follow from its rows.

A new format is a row of `FORMATS`; its reader is called in `latviz.files.images`, or is that of
sequences.
"""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from latviz.files.numerals import holds_numbers
from latviz.files.suffixes import PathLike

HEAD = 2**16
"""Bytes of a file's beginning that its format is recognised by."""

Reader = Literal["raster", "tiff", "array", "netpbm", "numbers", "sequence"]


@dataclass(frozen=True)
class Format:
    """A format of files that can be opened: a row of `FORMATS`."""

    name: str  # for messages
    suffixes: tuple[str, ...]  # of its files' names, the usual one first
    # returns True for files that begin with these bytes (at most `HEAD`); None: no bytes identify
    # it
    content: Callable[[bytes], bool] | None
    reader: Reader
    axes: str  # the content of its files, for the manual
    codec: str = ""  # Pillow's name, for the reader "raster"
    by_suffix: bool = False  # if the suffix is enough where the content is not known
    exact: bool = False  # keeps every value unchanged, so that it can hold labels

    @property
    def is_text(self) -> bool:
        """True if its files are texts, which are skipped in folders of images."""
        return self.reader in ("numbers", "sequence")


def _begins(*patterns: bytes) -> Callable[[bytes], bool]:
    """Return a test whether bytes begin with one of some regular expressions."""
    found = re.compile(b"|".join(patterns), re.DOTALL)
    return lambda head: found.match(head) is not None


GZIP = b"\x1f\x8b\x08"
_TITLED = re.compile(rb"(?:\xef\xbb\xbf)?\s*[>;][^\0]*\Z", re.DOTALL)


def _is_fasta(head: bytes) -> bool:
    """Return True if a text begins with a title, also if it is packed by gzip."""
    if head.startswith(GZIP):
        with suppress(zlib.error):
            head = zlib.decompressobj(31).decompress(head, HEAD)
    return _TITLED.match(head) is not None and not _begins_with_empty_title(head)


def _begins_with_empty_title(head: bytes) -> bool:
    """Return True if a text is a table whose semicolons split columns."""
    lines = [line for line in head.removeprefix(codecs.BOM_UTF8).splitlines() if line.strip()]
    most = lines[:-1] if len(lines) > 2 else lines  # the last one may be cut off
    return len(lines) > 1 and lines[0].startswith(b";") and all(b";" in line for line in most)


FORMATS = (
    Format(
        "PNG",
        (".png", ".apng"),
        _begins(rb"\x89PNG\r\n\x1a\n"),
        "raster",
        "grey, colour or palette, 1 to 16 bits; frames",
        codec="PNG",
        exact=True,
    ),
    Format(
        "TIFF",
        (".tif", ".tiff", ".btf", ".tf8", ".lsm", ".stk"),
        _begins(rb"II[*+]\0", rb"MM\0[*+]"),
        "tiff",
        "any depth; pages, or slices, times and channels (ImageJ, OME, LSM)",
        exact=True,
    ),
    Format(
        ".npy",
        (".npy",),
        _begins(rb"\x93NUMPY"),
        "array",
        "(height, width), with channels behind them, or with slices before them",
        exact=True,
    ),
    Format(
        "GIF", (".gif",), _begins(rb"GIF8"), "raster", "palette; frames", codec="GIF", exact=True
    ),
    Format(
        "BMP",
        (".bmp", ".dib"),
        _begins(rb"BM.{12}.\0\0\0"),
        "raster",
        "grey, colour or palette",
        codec="BMP",
        exact=True,
    ),
    Format(
        "PGM, PPM, PBM and PAM",
        (".pgm", ".ppm", ".pbm", ".pnm", ".pam"),
        _begins(rb"P[1-6][\s#]", rb"P7\s*\n"),
        "netpbm",
        "grey or colour, 1 to 16 bits",
        exact=True,
    ),
    Format(
        "JPEG",
        (".jpg", ".jpeg", ".jpe", ".jfif"),
        _begins(rb"\xff\xd8\xff"),
        "raster",
        "grey or colour, 8 bits",
        codec="JPEG",
    ),
    Format(
        "JPEG 2000",
        (".jp2", ".j2k", ".jpx", ".jpf", ".j2c", ".jpc"),
        _begins(rb"\xff\x4f\xff\x51", rb"\0\0\0\x0cjP  \r\n\x87\n"),
        "raster",
        "grey of 1 to 16 bits, colour of 8",
        codec="JPEG2000",
    ),
    Format(
        "WebP",
        (".webp",),
        _begins(rb"RIFF....WEBP"),
        "raster",
        "colour, 8 bits; frames",
        codec="WEBP",
    ),
    Format(
        "AVIF",
        (".avif", ".avifs"),
        _begins(rb"....ftyp(?:avi[fs]|.{8,56}?avi[fs])"),
        "raster",
        "colour, 8 bits; frames",
        codec="AVIF",
    ),
    Format(
        "TGA",
        (".tga", ".icb", ".vda", ".vst"),
        None,
        "raster",
        "grey, colour or palette, 8 bits",
        codec="TGA",
        by_suffix=True,
        exact=True,
    ),
    Format(
        "FASTA",
        (".fasta", ".fa", ".fas", ".fna", ".faa", ".ffn", ".frn", ".fsa", ".mfa", ".afa", ".aln"),
        _is_fasta,
        "sequence",
        "records of one sequence each, and their known states; also packed by gzip",
        by_suffix=True,
    ),
    Format(
        "plain text",
        (".txt", ".seq"),
        None,
        "sequence",
        "one sequence of characters",
        by_suffix=True,
    ),
    Format(
        "numbers as text",
        (".csv", ".tsv", ".dat"),
        holds_numbers,
        "numbers",
        "one row of real values, several of them as columns, or a matrix as an image",
        by_suffix=True,
    ),
)


def _suffixes(rows: Iterable[Format]) -> tuple[str, ...]:
    return tuple(suffix for row in rows for suffix in row.suffixes)


def listed(names: Iterable[str]) -> str:
    """Return names as a list: "PNG, TIFF or GIF"."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


IMAGES = _suffixes(row for row in FORMATS if not row.is_text)
"""The suffixes that stand for images and volumes, in folders and dialogs."""
SEQUENCES = _suffixes(row for row in FORMATS if row.is_text)
LABELS = _suffixes(row for row in FORMATS if row.exact)
"""The suffixes of label images: of formats that keep every value unchanged."""
LOSSY = tuple(suffix for suffix in IMAGES if suffix not in LABELS)
"""The suffixes of formats that may change values: no labels are read from these."""
IMAGE_NAMES = listed(row.name for row in FORMATS if not row.is_text)


def by_content(head: bytes) -> Format | None:
    """Return the format of a file that begins with these bytes, if they distinguish it."""
    return next((row for row in FORMATS if row.content and row.content(head)), None)


def by_suffix(path: PathLike) -> Format | None:
    """Return the format that a file's name is enough for, if any."""
    suffix = PurePath(path).suffix.lower()
    return next((row for row in FORMATS if row.by_suffix and suffix in row.suffixes), None)
