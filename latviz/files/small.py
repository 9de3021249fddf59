"""Small pictures of image files, read at less cost than the whole image."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from latviz.files.images import format_of, read_image, reading
from latviz.files.pixels import settle
from latviz.files.sizes import shape_of
from latviz.files.tiff import read_reduced

MOST_REDUCED = 64


def read_small(path: Path, side: int) -> NDArray[Any]:
    """Return an image whose longer side has ``side`` pixels or some more, if it has as many."""
    # Of a JPEG only the coarse frequencies are decoded, of a TIFF a reduced page if there is one.
    # Shape (H, W) or (H, W, 3); ImageError says why it cannot be read
    longest, reduction = max(shape_of(path)), 1
    if longest < 2 * side:
        return read_image(path).pixels
    with reading(path) as (stream, _):
        reduced = read_reduced(stream, side) if format_of(stream).reader == "tiff" else None
        if reduced is not None:
            return settle(reduced, 1)[0]
    while longest // (2 * reduction) >= side and reduction < MOST_REDUCED:
        reduction *= 2
    return read_image(path, reduction=reduction).pixels
