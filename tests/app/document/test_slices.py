"""The choice of the slice of a volume."""

import numpy as np

from latviz.app.document.document import Slices
from latviz.engine.pictures.picture import Picture


def volume(depth: int, **origin: object) -> Picture:
    return Picture(np.zeros((depth, 3, 4), np.uint8), "volume", dimensions=3, origin=origin)


def test_a_file_that_has_fewer_slices_now() -> None:
    slices = Slices()
    assert slices.of(volume(9, path="a.tif")) == 4
    assert slices.show(volume(9, path="a.tif"), 8) == 8
    assert slices.of(volume(9, path="a.tif")) == 8
    assert slices.of(volume(3, path="a.tif")) == 2
    slices.expect(volume(1, path="b.tif"), 7)
    assert slices.of(volume(3, path="b.tif")) == 2
