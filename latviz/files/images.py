"""Reading one image from a file of any format."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO

from latviz.core.axes import LATTICE, PLANE, VOLUME, Axis, Roles, is_deep, settled, spelled
from latviz.core.disk.errors import FileError, plain
from latviz.core.disk.reading import opened
from latviz.files.arrays import array_planes
from latviz.files.decoding import DecodedFile, DecodeError, aside, remarks
from latviz.files.errors import ImageError
from latviz.files.films import film_planes
from latviz.files.foreign import foreign, is_camera_raw
from latviz.files.formats import EXTRA, HEAD, Format, by_content, by_suffix, suffixes
from latviz.files.listing import listed
from latviz.files.memory import MAX_PIXELS
from latviz.files.netpbm import read_netpbm
from latviz.files.numbers import table_planes
from latviz.files.planes import ImageFile, Planes, stacked
from latviz.files.raster import raster_planes
from latviz.files.readers import plugged
from latviz.files.tiff import tiff_planes
from latviz.files.whole import whole_planes

__all__ = ["MAX_PIXELS", "ImageError", "ImageFile", "read_image"]


def read_lattice(
    path: str | os.PathLike[str], roles: Roles | None = None, *, reduction: int = 1
) -> ImageFile:
    """Read an image or a volume by the roles of the axes of its file, or raise `ImageError`."""
    path, wanted = Path(path), roles or {}
    with _opened(path, reduction, _asked(wanted)) as (planes, heard):
        found = stacked(planes, wanted, reduction, path)
    return replace(found, notes=(*found.notes, *heard))


def dimensions_of(path: Path, roles: Roles) -> int:
    """Return the axes that the lattice of a file has with these roles, without its pixels."""
    with _opened(path, 1, _asked(roles)) as (planes, _):
        found = settled(planes.axes, spelled(planes.axes, roles))
        return 1 if planes.alphabet(found) else 2 + int(is_deep(found))


def _asked(roles: Roles) -> str:
    """Return which axis an array is to have besides rows and columns, "" if its shape decides."""
    return "z" if {VOLUME, "z"} & roles.keys() else "c" if "c" in roles else ""


def planes_of(
    stream: IO[bytes], row: Format, reduction: int, asked: str
) -> AbstractContextManager[Planes]:
    """Return the planes of a file; an array's axes have no names but the one that is asked for."""
    if row.reader == "tiff":
        return tiff_planes(stream, reduction)
    if row.reader == "array":
        return array_planes(stream, reduction, asked)
    if row.reader == "raster":
        return raster_planes(stream, row.codec, reduction)
    if row.reader == "numbers":
        return table_planes(stream, reduction)
    if row.reader == "film":
        return film_planes(stream, reduction)
    if row.reader == "whole":
        return nullcontext(whole_planes(stream, row, reduction, asked))
    decoded = read_netpbm(stream, reduction)
    return nullcontext(Planes((), lambda _place, _whole: decoded))


def read_image(path: str | os.PathLike[str], *, page: int = 0, reduction: int = 1) -> ImageFile:
    """Read an image of any format of `latviz.files.formats.FORMATS`, or raise `ImageError`."""
    # The content of the file decides which it is, and its name only if the content does not.
    # Transparent images are composited on white, the EXIF orientation is applied, with notes.
    # reduction: a power of two from 1 to 64: a pixel is the mean of a square, a palette index the
    # one in its middle. Unknown are pixels that are not finite, transparent or without data.
    # ImageError for damaged files, too many pixels (MAX_PIXELS, or memory) and a missing page
    return read_lattice(path, {PLANE: (page,)}, reduction=reduction)


def read_samples(path: Path) -> tuple[Format, DecodedFile]:
    """Return a file's format, and its samples as stored: labels must not be blended."""
    with reading(path) as (stream, _):
        row = format_of(stream)
        with planes_of(stream, row, 1, "") as planes:
            return row, planes.decode((0,) * sum(not a.of_samples for a in planes.axes), False)


@contextmanager
def _opened(path: Path, reduction: int, asked: str) -> Iterator[tuple[Planes, list[str]]]:
    """Yield the planes of a file, or those of a folder, and the remarks of `reading`."""
    if asked == "z" and path.is_dir():
        with _reporting(path):
            yield _slices(path, reduction), []
        return
    with (
        reading(path) as (stream, heard),
        planes_of(stream, format_of(stream), reduction, asked) as planes,
    ):
        yield planes, heard


def _slices(folder: Path, reduction: int) -> Planes:
    """Return the images of a folder as slices; those are read one by one."""
    paths = [one.path for one in listed([folder]).files]
    if len(paths) < 2:
        raise DecodeError(
            "it is a folder, not a file, and has no two images to be slices; open an image"
        )

    def decode(place: tuple[int, ...], whole: bool) -> DecodedFile:
        with _opened(paths[place[0]], reduction, "") as (planes, _):
            return planes.decode((), whole)

    with _opened(paths[0], reduction, "") as (first, _):
        if any(not axis.of_samples for axis in first.axes):
            raise DecodeError("its files hold several planes each; open them one by one")
    note = f"slices in the order of their names, {paths[0].name} to {paths[-1].name}"
    axes = (Axis("z", len(paths), usual=LATTICE), *first.axes)
    return Planes(axes, decode, (note, *first.notes), first.spacing, first.unit)


@contextmanager
def reading(path: Path) -> Iterator[tuple[IO[bytes], list[str]]]:
    """Open a file and turn all errors into `ImageError`."""
    # The yielded list has the decoders' remarks when the block ends
    plugged()  # here its warnings are not remarks on the file
    with _reporting(path), remarks() as heard, opened(path) as stream:
        if os.fstat(stream.fileno()).st_size == 0:
            raise DecodeError("the file is empty; get a fresh copy or save it again")
        yield stream, heard


@contextmanager
def _reporting(path: Path) -> Iterator[None]:
    """Turn all errors about a file into `ImageError`."""
    try:
        yield
    except DecodeError as error:
        raise ImageError(path, error.reason, error.reduction) from error
    except OSError as error:
        raise ImageError(path, plain(error)) from error
    except MemoryError as error:
        reason = "there is not enough memory for it; close other programs or scale it down"
        raise ImageError(path, reason) from error
    except FileError:
        raise
    except Exception as error:  # any error in the file becomes one line
        reason = f"it is damaged or of an unknown variant{aside(error)}; get a fresh copy"
        raise ImageError(path, reason) from error


def format_of(stream: IO[bytes]) -> Format:
    """Return the format of an image by its content, or else its name, or raise `DecodeError`."""
    found = _format(stream)
    if found is None:
        raise DecodeError(
            f"it is not an image in a format that can be read ({suffixes().names}); convert it to "
            "one of these"
        )
    if found.is_missing:
        raise DecodeError(f"its format is {found.name}, which opens after this command: {EXTRA}")
    if found.reader == "sequence":
        raise DecodeError("it is not an image but a sequence; open it by itself")
    return found


def _format(stream: IO[bytes]) -> Format | None:
    """Return the format of a file, or raise `DecodeError` for one that is known and not read."""
    head, name = stream.read(HEAD), str(getattr(stream, "name", ""))
    stream.seek(0)
    found = by_content(head, name)
    if found is None or (found.reader == "tiff" and is_camera_raw(head, name)):
        reason = foreign(head, name)
    else:  # some formats are kept in files of a general one
        reason = foreign(b"", name) if found.alone else None
    if reason is not None:
        raise DecodeError(reason)
    return found or by_suffix(name)


def is_sequence(path: str | os.PathLike[str]) -> bool:
    """Return True if a file holds a sequence, by its content, or else by its name."""
    try:
        with opened(Path(path)) as stream:
            found = _format(stream)
    except DecodeError:  # reading it reports the reason
        return False
    except OSError:  # as above
        found = by_suffix(path)
    return found is not None and found.reader == "sequence"
