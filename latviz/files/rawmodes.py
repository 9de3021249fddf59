"""Pillow's raw modes, chosen so that 16-bit colour survives.

Pillow has no mode for colour with 16 bits a channel: it unpacks such files to their high bytes.
Its decoders take the layout of their rows ("raw mode") as an argument, so decoding a second time
with the other byte order yields the low bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import PIL.Image
import PIL.ImageFile
from numpy.typing import NDArray

Opener = Callable[[], PIL.ImageFile.ImageFile]

_PLANAR_CONFIGURATION = 284
_OTHER_HALF = {"B": "L", "L": "B", "N": "B" if sys.byteorder == "little" else "L"}
# libtiff hands out native values, yet Pillow swaps the bytes of big-endian files once more.
_NATIVE = {"I;16BS": "I;16NS", "I;32BS": "I;32NS", "F;32BF": "F;32NF"}


def raw_mode(image: PIL.ImageFile.ImageFile) -> str:
    """Return the raw mode that an image will be decoded with, "" if it names none."""
    if not image.tile:
        return ""
    arguments = image.tile[0][3]
    first = arguments[0] if isinstance(arguments, tuple) and arguments else arguments
    return first if isinstance(first, str) else ""


def set_raw_mode(image: PIL.ImageFile.ImageFile, mode: str) -> None:
    """Have an image decoded with another raw mode."""
    tiles: list[Any] = []
    for tile in image.tile:
        arguments = (mode, *tile[3][1:]) if isinstance(tile[3], tuple) else mode
        fields = (*tile[:3], arguments)
        # Pillow 11 made the tile a named tuple.
        tiles.append(type(tile)(*fields) if hasattr(tile, "_fields") else fields)
    image.tile = tiles


def make_native(image: PIL.ImageFile.ImageFile) -> None:
    """Correct the raw mode of a big-endian TIFF that libtiff decodes."""
    mode = raw_mode(image)
    if mode in _NATIVE and image.tile[0][0] == "libtiff":
        set_raw_mode(image, _NATIVE[mode])


def is_deep(image: PIL.ImageFile.ImageFile) -> bool:
    """Tell whether Pillow would reduce this image from 16 to 8 bits a channel."""
    return raw_mode(image)[-4:-1] == ";16" and not image.mode.startswith("I")


def read_deep(
    image: PIL.ImageFile.ImageFile, reopen: Opener
) -> tuple[NDArray[np.uint16], bool] | None:
    """Decode colour with 16 bits a channel.

    Parameters
    ----------
    image : PIL.ImageFile.ImageFile
        Opened and not yet loaded; loaded afterwards.
    reopen : callable
        Opens the image once more, not yet loaded.

    Returns
    -------
    samples : ndarray, shape (H, W, C), uint16
    premultiplied : bool
        Whether the last channel is alpha that the colours are multiplied by.

    None is returned instead if the image is laid out in a way that this cannot handle.
    """
    layout, _, depth = raw_mode(image).partition(";")
    if len(image.tile) != 1 or layout not in ("RGB", "RGBX", "RGBA", "RGBa", "LA"):
        return None
    if _has_planes(image):
        return None
    if layout == "LA":
        pairs = np.ascontiguousarray(_loaded(image, "RGBA"))
        return pairs.view(">u2").astype(np.uint16), False
    plain = "RGBA" if layout == "RGBa" else layout
    samples = _loaded(image, f"{plain};{depth}").astype(np.uint16)
    samples <<= 8
    samples |= _loaded(reopen(), f"{plain};16{_OTHER_HALF[depth[-1]]}")
    return samples, layout == "RGBa"


def _has_planes(image: PIL.ImageFile.ImageFile) -> bool:
    """Tell whether a TIFF stores its channels apart: its raw mode is then ignored."""
    return getattr(image, "tag_v2", {}).get(_PLANAR_CONFIGURATION) == 2


def _loaded(image: PIL.ImageFile.ImageFile, mode: str) -> NDArray[np.uint8]:
    set_raw_mode(image, mode)
    image.load()
    return np.asarray(image)
