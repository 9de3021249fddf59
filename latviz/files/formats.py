"""The table of formats: messages, dialogs, folders and the manual follow from its rows.

A new format is a row of `FORMATS`; its reader is called in `latviz.files.images`, or is that of
sequences. Other packages add rows, see `latviz.files.readers`.
"""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from os import fspath
from typing import Literal

from latviz.core.extras import install
from latviz.files.numerals import holds_numbers
from latviz.files.readers import FileReader, plugged
from latviz.files.suffixes import PathLike

HEAD = 2**16
"""Bytes of a file's beginning that its format is recognised by."""

EXTRA = install("formats")
"""The command that installs the packages of all formats."""

Reader = Literal["raster", "tiff", "array", "netpbm", "numbers", "sequence", "whole", "film"]


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
    # Pillow's name for the reader "raster", the module of `array_readers` for "whole"
    codec: str = ""
    by_suffix: bool = False  # if the suffix is enough where the content is not known
    exact: bool = False  # keeps every value unchanged, so that it can hold labels
    package: str = ""  # that has to be installed, see `EXTRA`
    alone: bool = False  # may hold anything, so folders are not searched for it
    plug_in: FileReader | None = None  # of another package

    @property
    def is_missing(self) -> bool:
        """True if its package is not installed."""
        return bool(self.package) and find_spec(self.package) is None

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


_NIFTI = re.compile(
    rb"(?:\x5c\x01\0\0|\0\0\x01\x5c).{340}n\+1\0|(?:\x1c\x02\0\0|\0\0\x02\x1c)n\+2\0", re.DOTALL
)


def _unzipped(head: bytes) -> bytes:
    """Return the beginning of what gzip packed; other bytes as they are."""
    if head.startswith(GZIP):
        with suppress(zlib.error):
            return zlib.decompressobj(31).decompress(head, HEAD)
    return head


def _is_fasta(head: bytes) -> bool:
    """Return True if a text begins with a title, also if it is packed by gzip."""
    head = _unzipped(head)
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
        "FITS",
        (".fits", ".fit", ".fts"),
        _begins(rb"SIMPLE  =  "),
        "whole",
        "the first image of any depth: (height, width), with slices before them",
        codec="fits",
        exact=True,
    ),
    Format(
        "NIfTI",
        (".nii", ".nii.gz"),
        lambda head: _NIFTI.match(_unzipped(head)) is not None,
        "whole",
        "volumes of any depth, also in colour, over time and packed by gzip, with their spacing",
        codec="nifti",
        exact=True,
    ),
    Format(
        "DICOM",
        (".dcm", ".dicom"),
        _begins(rb".{128}DICM\x02\0"),
        "whole",
        "one file: an image or several slices, with their spacing",
        codec="dicom",
        exact=True,
        package="pydicom",
    ),
    Format(
        "HDF5",
        (".h5", ".hdf5"),
        _begins(rb"\x89HDF\r\n\x1a\n", rb"MATLAB 7\.3 MAT-file"),
        "whole",
        "the only array of numbers in it, also in a MATLAB file of version 7.3",
        codec="hdf5",
        package="h5py",
        alone=True,
    ),
    Format(
        ".npz",
        (".npz",),
        _begins(rb"PK\x03\x04.{26}(?!header\.npy)[^/\0]{1,100}?\.npy"),
        "whole",
        "the only array in it",
        codec="npz",
        alone=True,
    ),
    Format(
        "MATLAB",
        (".mat",),
        _begins(rb"MATLAB 5\.0 MAT-file"),
        "whole",
        "the only array of numbers in it, slices last",
        codec="matlab",
        alone=True,
    ),
    Format(
        "HEIC",
        (".heic", ".heif", ".hif"),
        _begins(rb"\0.{3}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)"),
        "raster",
        "colour, 8 bits",
        codec="HEIF",
        package="pillow_heif",
    ),
    Format(
        "film",
        (
            *(".mp4", ".m4v", ".mov", ".3gp", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".wmv"),
            *(".flv", ".ts"),
        ),
        _begins(
            rb"RIFF.{4}AVI ",
            rb"\x1a\x45\xdf\xa3",
            rb"\0.{3}(?:ftyp(?:isom|iso\d|mp4\d|avc1|dash|M4V|MSNV|3g|qt  |f4v)|moov|mdat|wide)",
            rb"G.{187}G.{187}G",
            rb"\0\0\x01[\xb3\xba]|\x30\x26\xb2\x75\x8e\x66\xcf\x11|FLV\x01",
        ),
        "film",
        "frames in colour, 8 bits: one time is shown",
        package="av",
        alone=True,
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
        "columns of numbers or of names, or a matrix as an image",
        by_suffix=True,
    ),
)


def formats() -> tuple[Format, ...]:
    """Return the rows of `FORMATS`, then those of other packages."""
    return (*FORMATS, *map(_of_plug_in, plugged()))


@cache
def _of_plug_in(reader: FileReader) -> Format:
    content = _begins(re.escape(reader.signature)) if reader.signature else None
    return Format(
        *(reader.name, reader.suffixes, content, "whole", "of another package"),
        by_suffix=not reader.signature,
        exact=True,
        plug_in=reader,
    )


def listed(names: Iterable[str]) -> str:
    """Return names as a list: "PNG, TIFF or GIF"."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


@dataclass(frozen=True)
class Suffixes:
    """The suffixes of files by what they are for."""

    offered: tuple[str, ...]  # images and volumes, in dialogs
    images: tuple[str, ...]  # those that folders are searched for
    sequences: tuple[str, ...]
    labels: tuple[str, ...]  # of formats that keep every value unchanged, so they can hold labels
    lossy: tuple[str, ...]  # that may change values: no labels are read from these
    names: str  # of the formats of images, for messages


def suffixes() -> Suffixes:
    """Return the suffixes of all formats."""
    return _suffixes_of(formats())


@lru_cache(maxsize=1)
def _suffixes_of(rows: tuple[Format, ...]) -> Suffixes:
    def of(some: Iterable[Format]) -> tuple[str, ...]:
        return tuple(suffix for row in some for suffix in row.suffixes)

    images = [row for row in rows if not row.is_text]
    found = [row for row in images if not (row.alone or row.is_missing)]
    missing = [row.name for row in images if row.is_missing]
    return Suffixes(
        of(images),
        of(found),
        of(row for row in rows if row.is_text),
        of(row for row in rows if row.exact and row in found),
        of(row for row in found if not row.exact),
        listed(row.name for row in images if not row.is_missing)
        + (f", and after {EXTRA} also {listed(missing)}" if missing else ""),
    )


def has_suffix(path: PathLike, some: tuple[str, ...]) -> bool:
    """Return True if a file's name ends with one of some suffixes."""
    return fspath(path).lower().endswith(some)


def by_content(head: bytes, path: PathLike = "") -> Format | None:
    """Return the format of a file that begins with these bytes, if they distinguish it."""
    for reader in plugged():  # for which a name may be enough, whatever the content
        if reader.takes(head, fspath(path)):
            return _of_plug_in(reader)
    return next((row for row in FORMATS if row.content and row.content(head)), None)


def by_suffix(path: PathLike) -> Format | None:
    """Return the format that a file's name is enough for, if any."""
    rows = (row for row in FORMATS if row.by_suffix)
    return next((row for row in rows if has_suffix(path, row.suffixes)), None)
