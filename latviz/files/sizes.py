"""The size of an image by its header, and small pictures at less cost than the whole image."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from latviz.files.arrays import image_shape, read_header
from latviz.files.decoding import decoding
from latviz.files.images import format_of, read_image, read_samples, reading
from latviz.files.pixels import settle
from latviz.files.raster import identified
from latviz.files.tiff import read_reduced, size_of

MOST_REDUCED = 64


def shape_of(path: Path) -> tuple[int, int]:
    """Return the rows and columns of an image, before its orientation turns it, by its header."""
    with reading(path) as (stream, _):
        row = format_of(stream)
        if row.reader == "tiff":
            return size_of(stream)
        if row.reader == "array":
            shape = read_header(stream).shape
            rows, columns = (image_shape(shape) or (1, 1, *shape)[-2:])[:2]
            return int(rows), int(columns)
        if row.reader != "raster":
            rows, columns = read_samples(path)[1].samples.shape[:2]
            return int(rows), int(columns)
        with decoding(row.name), identified(stream, row.codec) as image:
            return image.height, image.width


def is_stack(path: Path) -> bool:
    """Return True if a file holds an array that cannot be one image."""
    with reading(path) as (stream, _):
        is_array = format_of(stream).reader == "array"
        return is_array and not image_shape(read_header(stream).shape)


def read_small(path: Path, side: int) -> NDArray[Any]:
    """Return an image whose longer side has ``side`` pixels or some more, if it has as many."""
    # For a JPEG only the coarse frequencies are decoded, for a TIFF a reduced page if there is one.
    # Shape (H, W) or (H, W, 3); ImageError states why it cannot be read
    longest, reduction = max(shape_of(path)), 1
    if longest < 2 * side:
        return read_image(path).pixels
    with reading(path) as (stream, _):
        reduced = read_reduced(stream, side) if format_of(stream).reader == "tiff" else None
        if reduced is not None:
            return settle(reduced).pixels
    while longest // (2 * reduction) >= side and reduction < MOST_REDUCED:
        reduction *= 2
    return read_image(path, reduction=reduction).pixels
