"""The veil over all pixels but the highlighted ones, dark or light by what it must set off."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QColor

from latviz.app.look.theme import contrast

_ALPHA = 215
DARK, LIGHT = (16, 19, 23), (244, 245, 247)
FAINTEST = {DARK: (198, 198, 198), LIGHT: (67, 67, 67)}
"""The colour of a faded state that shows through each most, see `map_layer.faded_table`."""
_ENOUGH = 3.0
"""The contrast of WCAG 2 for parts of pictures; more of it makes nothing more visible."""

Rgb = tuple[int, int, int]


def veil_over(colors: Sequence[Rgb], counts: Sequence[int]) -> NDArray[np.uint8]:
    """Return the colours of a mask, (256, 4): 0 is veiled, so that the lit colours stand out.

    ``counts`` are the pixels of each lit colour.
    """

    def visible(veil: Rgb) -> float:
        rest = QColor(*through(veil, FAINTEST[veil]))
        each = (min(contrast(QColor(*color), rest), _ENOUGH) for color in colors)
        return sum(n * part for n, part in zip(counts, each, strict=True))

    table = np.zeros((256, 4), dtype=np.uint8)
    table[0] = (*max((DARK, LIGHT), key=visible), _ALPHA)
    return table


def through(veil: Rgb, below: Rgb) -> Rgb:
    """Return the colour of a pixel under a veil."""
    red, green, blue = (
        (_ALPHA * over + (255 - _ALPHA) * under) // 255
        for over, under in zip(veil, below, strict=True)
    )
    return red, green, blue
