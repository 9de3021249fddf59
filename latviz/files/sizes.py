"""The size of an image, by its header; nothing is decoded."""

from __future__ import annotations

from pathlib import Path

from latviz.files.arrays import image_shape, read_header
from latviz.files.decoding import decoding
from latviz.files.images import READERS, format_of, reading
from latviz.files.raster import identified
from latviz.files.tiff import size_of


def shape_of(path: Path) -> tuple[int, int]:
    """Return the rows and columns of an image, before its orientation turns it, by its header."""
    with reading(path) as (stream, _):
        row = format_of(stream)
        if row.reader == "tiff":
            return size_of(stream)
        if row.reader == "array":
            shape, _ = read_header(stream)
            rows, columns = (image_shape(shape) or (1, 1, *shape)[-2:])[:2]
            return int(rows), int(columns)
        if row.reader != "raster":
            rows, columns = READERS[row.reader](stream, 0, 1).samples.shape[:2]
            return int(rows), int(columns)
        with decoding(row.name), identified(stream, row.codec) as image:
            return image.height, image.width
