"""The eight ways to turn and mirror an image, and the one that all its turned versions share."""

import itertools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latviz.core import threads


class Turn(NamedTuple):
    """A way to turn an image: the axes are mirrored, then swapped."""

    down: bool = False
    across: bool = False
    swapped: bool = False

    def of(self, image: NDArray[Any]) -> NDArray[Any]:
        """Return an image (H, W, ...), turned, as a view."""
        mirrored = image[:: -1 if self.down else 1, :: -1 if self.across else 1]
        return mirrored.swapaxes(0, 1) if self.swapped else mirrored

    def back(self, image: NDArray[Any]) -> NDArray[Any]:
        """Return the image turned back, as a view."""
        mirrored = image.swapaxes(0, 1) if self.swapped else image
        return mirrored[:: -1 if self.down else 1, :: -1 if self.across else 1]

    def back_of(self, image: NDArray[Any]) -> NDArray[Any]:
        """Return a copy of the image, turned back."""
        # A pixel is moved as one item: numpy takes twice as long for channels one by one
        height, width = image.shape[:2]
        pixels = np.ascontiguousarray(image).view(f"V{image[0, 0].nbytes}")
        turned = self.back(pixels.reshape(height, width))
        found = np.empty(turned.shape, dtype=turned.dtype)

        def task(start: int, stop: int) -> None:
            found[start:stop] = turned[start:stop]

        threads.over_rows(len(found), task, 4.0 * found.shape[1])
        return found.view(image.dtype).reshape(*found.shape, *image.shape[2:])


def turn_of(image: NDArray[Any]) -> Turn:
    """Return the turn that makes an image (H, W, ...) at most as high as wide, and least."""
    # Of two turned images the lesser is the one with the lesser first value that differs
    height, width = image.shape[:2]
    swaps = [False, True] if height == width else [height > width]
    best, *others = (
        Turn(down, across, swapped)
        for swapped, down, across in itertools.product(swaps, (False, True), (False, True))
    )
    for other in others:
        if _comes_before(other.of(image), best.of(image)):
            best = other
    return best


def _comes_before(one: NDArray[Any], other: NDArray[Any]) -> bool:
    for mine, its in zip(one, other, strict=True):
        differs = mine != its
        if differs.any():
            first = np.argmax(differs)
            return bool(mine.reshape(-1)[first] < its.reshape(-1)[first])
    return False
