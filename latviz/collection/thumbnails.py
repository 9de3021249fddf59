"""Small pictures of the files on a shelf, drawn cheaply."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latviz import files
from latviz.engine.frames.thumbnail import thumbnail as drawn_small
from latviz.engine.keeping.session import middle_slice
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.shelf import Entry
from latviz.workspace import read_picture

SIDE = 96
"""Pixels of the longer side."""


def thumbnail(entry: Entry, side: int = SIDE) -> NDArray[np.uint8]:
    """Return a small picture (H, W, 3) of a file, ``side`` pixels at most; or `ImageError`."""
    path = Path(entry.path)
    if files.images.is_sequence(path) or files.sizes.is_stack(path):
        picture = read_picture(path)
        shown = drawn_small(picture, middle_slice(picture))
        return np.ascontiguousarray(shown[..., :3])
    picture = Picture(files.sizes.read_small(path, side), path.name)
    colours = picture.in_colour(picture.shown)
    height, width = picture.shape
    scale = min(1.0, side / max(height, width))
    shape = max(1, round(height * scale)), max(1, round(width * scale))
    return colours if shape == (height, width) else files.writing.resized(colours, shape)
