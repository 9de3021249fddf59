"""The largest image that fits, on this computer and now."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from latviz.core.memory import available

__all__ = [
    "EXPLORED",
    "MAX_PIXELS",
    "MAX_READ",
    "Cost",
    "available",
    "cost",
    "most_explored",
    "most_read",
    "reduction_for",
]

MAX_PIXELS = 2**27
"""Images of more pixels are not explored; they may be opened reduced."""
MAX_READ = 2**29
"""Images of more pixels are not read at all."""
EXPLORED = 17
"""Bytes per pixel of all views of its symbols, without the picture."""
_AS_THEY_ARE = ("uint8", "uint16", "float32")

MAX_HELD = 2**29
"""Bytes of pictures that are held to be undone without reading them again."""


def most_held() -> int:
    """Return the most bytes of pictures to hold besides the one on screen."""
    return min(MAX_HELD, available() // 8)


@dataclass(frozen=True)
class Cost:
    """Bytes per pixel that an image takes, by its header."""

    read: float  # at the worst moment of reading
    kept: float  # afterwards: pixels, their drawings, palette indices

    @property
    def explored(self) -> float:
        """Including all views."""
        return self.kept + EXPLORED


def cost(
    dtype: DTypeLike,
    channels: int = 1,
    *,
    alpha: bool = False,
    turned: bool = False,
    indexed: bool = False,
    held: float = 0.0,
) -> Cost:
    """Return the memory of an image whose decoder returns samples of a type."""
    # They are converted to their final type, composited and turned, each time from one array into
    # another, and the samples stay until the last step. channels: with alpha; turned: pixels are
    # reordered in the end; indexed: palette indices are stored; held: bytes per pixel besides the
    # samples
    dtype = np.dtype(dtype)
    size = _final_size(dtype)
    colours = channels - alpha
    changed = 0 if dtype.name in _AS_THEY_ARE else channels * size
    settled = changed + colours * size * (alpha + turned)
    kept = colours * size + (colours if size > 1 else 0) + indexed
    return Cost(max(held + channels * dtype.itemsize + settled, kept), kept)


def _final_size(dtype: np.dtype[np.generic]) -> int:
    """Return the most bytes of the final value."""
    if dtype.kind == "b":
        return 1
    if dtype.kind == "u":
        return min(dtype.itemsize, 4)
    return 4  # integers below zero, and floats


def most_explored(cost: Cost) -> int:
    """Return the most pixels of an image."""
    return min(MAX_PIXELS, int(available() / cost.explored))


def most_read(cost: Cost, reduction: int = 1) -> int:
    """Return the most pixels of an image that is reduced while it is read."""
    taken = cost.read + (cost.kept / reduction**2 if reduction > 1 else 0)
    return min(MAX_READ, int(available() / taken))


def reduction_for(n_pixels: int, cost: Cost) -> int:
    """Return the least power of two to divide an image's sides by so that it can be explored."""
    most, reduction = max(1, most_explored(cost)), 1
    while n_pixels > most * reduction**2:
        reduction *= 2
    return reduction
