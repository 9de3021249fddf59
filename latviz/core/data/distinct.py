"""The distinct values or colours of an image, if they are few."""

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.color import packed

_FIRST, _NEXT = 1 << 12, 1 << 20
"""Pixels to check first, which is enough for most photographs, and then at a time."""


def few_distinct(
    image: NDArray[Any], most: int, *, in_colour: bool = False
) -> frozenset[Hashable] | None:
    """Return the distinct values, or colours, of an image; None if there are more than ``most``."""
    # uint8, uint16 or finite float32; in_colour: the last axis has three channels. Colours of 8
    # bits are `packed`, others tuples
    flat = image.reshape(-1, 3) if in_colour else image.reshape(-1)
    found: set[Hashable] = set()
    start, stop = 0, _FIRST
    while start < len(flat) and len(found) <= most:
        part = flat[start:stop]
        if in_colour and part.dtype != np.uint8:
            found |= set(map(tuple, np.unique(part, axis=0).tolist()))
        else:
            found |= set(np.unique(packed(part) if in_colour else part).tolist())
        start, stop = stop, stop + _NEXT
    return frozenset(found) if len(found) <= most else None
