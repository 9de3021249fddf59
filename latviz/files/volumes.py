"""Reading a volume: the pages of a TIFF file, or an array of three dimensions."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.disk.reading import opened
from latviz.files.arrays import holds_volume, read_slices
from latviz.files.decoding import DecodedFile, DecodeError
from latviz.files.images import ImageFile, format_of, reading
from latviz.files.pixels import frozen, settle
from latviz.files.tiff import read_pages


def is_volume(path: str | os.PathLike[str]) -> bool:
    """Return True if a file holds an array that is a volume and cannot be an image."""
    try:
        with opened(Path(path)) as stream:
            return stream.read(6) == b"\x93NUMPY" and holds_volume(stream)
    except (DecodeError, OSError):
        return False  # reading it reports the reason


def read_volume(path: str | os.PathLike[str], *, page: int = 0, reduction: int = 1) -> ImageFile:
    """Read a TIFF's pages, or a .npy array, as a volume (D, H, W) or (D, H, W, 3)."""
    # If a TIFF has slices, times and channels: the slices of the time and channel of ``page``,
    # without reduced copies. reduction: of each slice. ImageError as in `read_image`, and for pages
    # of different sizes or colours, or a single one
    path = Path(path)
    with reading(path) as (stream, heard):
        slices, unit = _slices(stream, page, reduction)
        pixels, notes = _stacked(slices, reduction)
    found = (*dict.fromkeys(notes), *heard)
    return ImageFile(pixels, path, path.name, found, page, len(pixels), None, unit)


def _slices(stream: IO[bytes], page: int, reduction: int) -> tuple[Iterable[DecodedFile], str]:
    """Return the slices of a file, and their name in it."""
    row = format_of(stream)
    if row.reader == "tiff":
        return read_pages(stream, page, reduction), "page"
    if row.reader == "array":
        return read_slices(stream, reduction), "slice"
    raise DecodeError(
        f"it is a {row.name} file, which cannot hold a volume; use a TIFF file of several pages "
        "or a .npy array of three dimensions"
    )


def _stacked(slices: Iterable[DecodedFile], reduction: int) -> tuple[NDArray[Any], list[str]]:
    volume: NDArray[Any] = np.empty(0, np.uint8)
    notes: list[str] = []
    for number, decoded in enumerate(slices):
        if decoded.pages == 1:
            raise DecodeError("it has one page, so it is not a volume; open it as an image")
        pixels, _, own_notes = settle(replace(decoded, pages=1, indices=None), reduction)
        notes += own_notes
        if number == 0:
            volume = np.empty((decoded.pages, *pixels.shape), pixels.dtype)
        if pixels.shape != volume.shape[1:]:
            raise DecodeError(
                f"its page {number + 1} has shape {pixels.shape}, but page 1 has "
                f"{volume.shape[1:]}; a volume needs equal pages, so open them one by one"
            )
        volume = volume.astype(np.result_type(volume, pixels), copy=False)
        volume[number] = pixels
    return frozen(volume), notes
