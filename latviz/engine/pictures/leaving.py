"""Pixels that the user left out of a picture: they are unknown, until all are used again."""

import base64
import math
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.masks import filled
from latviz.core.errors import ParameterError
from latviz.core.types import Shape
from latviz.engine.pictures.picture import Picture

LEFT_OUT = "left_out"
"""The entry of a picture's origin with the pixels that were left out, as text."""


def without(picture: Picture, out: NDArray[np.bool_]) -> Picture:
    """Return a picture with some pixels (*shape) left out; `ParameterError` if none would stay."""
    whole = picture.whole or picture
    out = out | left_out_of(picture)
    known = ~out if whole.known is None else whole.known & ~out
    if not known.any():
        raise ParameterError("some pixels must stay: leave fewer out")
    pixels = filled(whole.pixels, known)
    labels = None if whole.labels is None else filled(whole.labels, known)
    origin = {**whole.origin, LEFT_OUT: _text_of(out)}
    return replace(whole, pixels=pixels, labels=labels, known=known, origin=origin, whole=whole)


def left_out_of(picture: Picture) -> NDArray[np.bool_]:
    """Return which pixels of a picture the user left out, (*shape)."""
    if picture.whole is None or picture.known is None:
        return np.zeros(picture.shape, bool)
    return ~picture.known if picture.whole.known is None else picture.whole.known & ~picture.known


def read_without(picture: Picture, text: Any) -> Picture:
    """Return a picture that was read again, without the pixels of the `LEFT_OUT` of its origin."""
    return without(picture, _out_of(text, picture.shape))


def through(picture: Picture, change: Callable[[Picture], Picture], out: Any = ...) -> Picture:
    """Return a picture changed as a whole; of the pixels left out, those of a region ``out``."""
    if picture.whole is None:
        return change(picture)
    gone, changed = left_out_of(picture)[out], change(picture.whole)
    return without(changed, gone) if gone.any() else changed


def _text_of(out: NDArray[np.bool_]) -> str:
    return base64.b85encode(zlib.compress(np.packbits(out).tobytes())).decode()


def _out_of(text: Any, shape: Shape) -> NDArray[np.bool_]:
    n_nodes = math.prod(shape)
    try:
        found = zlib.decompressobj().decompress(base64.b85decode(text), -(-n_nodes // 8))
        bits = np.unpackbits(np.frombuffer(found, np.uint8), count=n_nodes)
    except (TypeError, ValueError, zlib.error):
        raise ParameterError("the pixels left out must be a text of this program") from None
    if len(found) != -(-n_nodes // 8):
        raise ParameterError("the pixels left out must be those of a picture of this size")
    return bits.astype(bool).reshape(shape)
