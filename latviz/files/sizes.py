"""How large an image is, told by its header; nothing is decoded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tifffile

from latviz.files.arrays import read_header
from latviz.files.decoding import decoding
from latviz.files.images import kind_of, reading
from latviz.files.raster import identified


def shape_of(path: Path) -> tuple[int, int]:
    """Return the rows and columns of an image, before it is turned by its orientation.

    Raises
    ------
    ImageError
        If its header cannot be read.
    """
    with reading(path) as (stream, _):
        kind = kind_of(stream)
        if kind == "TIFF":
            with tifffile.TiffFile(stream) as tif:
                page = tif.pages[0].aspage()
                return int(page.imagelength), int(page.imagewidth)
        if kind == ".npy":
            shape, _ = read_header(stream)
            rows, columns = (1, 1, *shape)[-2:] if len(shape) < 3 else shape[:2]
            return int(rows), int(columns * np.prod(shape[2:], dtype=int))
        with decoding(kind), identified(stream, kind) as image:
            return image.height, image.width
