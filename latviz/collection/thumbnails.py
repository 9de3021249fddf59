"""Small pictures of the files on a shelf, drawn cheaply and kept on the disk."""

from contextlib import suppress
from pathlib import Path

import numpy as np
import PIL.Image
from numpy.typing import NDArray

from latviz import files
from latviz.collection.store import OWNER_ALONE, Store
from latviz.core.disk.errors import FileError
from latviz.core.disk.reading import opened
from latviz.core.disk.writing import replacing
from latviz.engine.frames.thumbnail import thumbnail as drawn_small
from latviz.engine.keeping.session import middle_slice
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.shelf import Entry
from latviz.workspace import read_picture

SIDE = 96
"""Pixels of the longer side."""


def thumbnail(entry: Entry, side: int = SIDE, store: Store | None = None) -> NDArray[np.uint8]:
    """Return a small picture (H, W, 3) of a file, ``side`` pixels at most; or `ImageError`."""
    place = None if store is None else store.picture(f"thumbnails {side}", entry)
    if place is not None and (known := _known(place)) is not None:
        return known
    drawn = _drawn(Path(entry.path), side)
    if place is not None:
        with suppress(FileError, OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            with replacing(place, OWNER_ALONE, lasting=False) as stream:
                stream.write(files.writing.png_bytes(drawn))
    return drawn


def _known(place: Path) -> NDArray[np.uint8] | None:
    try:
        with opened(place) as stream, PIL.Image.open(stream, formats=("PNG",)) as image:
            return np.asarray(image.convert("RGB"))
    except (OSError, ValueError, SyntaxError):  # not there, or damaged
        return None


def _drawn(path: Path, side: int) -> NDArray[np.uint8]:
    if files.images.is_sequence(path) or files.volumes.is_volume(path):
        picture = read_picture(path)
        shown = drawn_small(picture, middle_slice(picture))
        return np.ascontiguousarray(shown[..., :3])
    picture = Picture(files.sizes.read_small(path, side), path.name)
    colours = picture.in_colour(picture.shown)
    height, width = picture.shape
    scale = min(1.0, side / max(height, width))
    shape = max(1, round(height * scale)), max(1, round(width * scale))
    return colours if shape == (height, width) else files.writing.resized(colours, shape)
