"""Local binary patterns: symbols by brighter pixels among the 8 around each pixel.

Ojala, Pietikäinen and Mäenpää (2002), Multiresolution gray-scale and rotation invariant texture
classification with local binary patterns: surrounding pixels that are at least as bright, in one
run or none, are counted, 0 to 8; several runs are one more symbol. The square of the 8 nearest
pixels replaces their circle, without interpolation. The symbols do not depend on the image's
brightness or contrast, nor on rotations by steps of 45 degrees.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from latviz.core import threads
from latviz.core.data.bins import countable_grey
from latviz.core.data.color import distinct_colours
from latviz.core.data.method import Bytes, Fitted, Image

N_SYMBOLS = 10
AROUND = (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)
"""Offsets of the 8 pixels, row and column, in order around the middle one."""
_ROWS = 64
"""Rows compared at a time, so that they stay in the cache."""


class Patterns:
    """Each pixel's symbol is the number of brighter ones of the 8 around it, if in one run."""

    reach = 1

    def prepare(self, image: Image, labels: Bytes | None) -> Image:
        """Return the greys, rounded to whole numbers if the image has such."""
        return countable_grey(image)

    def fit(self, prepared: Sequence[Image]) -> Fitted:
        """Return the symbols, which are those of every image."""
        names = *(f"{n} brighter" for n in range(9)), "several runs"
        return Fitted(names, distinct_colours(N_SYMBOLS))

    def values(self, prepared: Image, fitted: Fitted) -> Bytes:
        """Return the symbol of each pixel; beyond the image are the pixels of its border."""
        height, width = prepared.shape
        symbols = np.empty(prepared.shape, dtype=np.uint8)
        columns = np.clip(np.arange(-1, width + 1), 0, width - 1)

        def compare(first: int, last: int) -> None:
            for top in range(first, last, _ROWS):
                bottom = min(top + _ROWS, last)
                rows = np.clip(np.arange(top - 1, bottom + 1), 0, height - 1)
                symbols[top:bottom] = _table()[_runs(prepared[np.ix_(rows, columns)])]

        threads.over_rows(height, compare)
        return symbols


def _runs(grey: Image) -> Bytes:
    """Return which pixels around each inner one are as bright or brighter, a bit each."""
    height, width = grey.shape[0] - 2, grey.shape[1] - 2
    middle, found = grey[1:-1, 1:-1], np.zeros((height, width), dtype=np.uint8)
    for bit, (down, right) in enumerate(AROUND):
        other = grey[1 + down : 1 + down + height, 1 + right : 1 + right + width]
        found |= (other >= middle).view(np.uint8) << np.uint8(bit)
    return found


@cache
def _table() -> Bytes:
    """Return the symbol of each set of 8 pixels, (256,)."""
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
    changes = (bits != np.roll(bits, 1, axis=1)).sum(axis=1)
    return np.where(changes <= 2, bits.sum(axis=1), N_SYMBOLS - 1).astype(np.uint8)
