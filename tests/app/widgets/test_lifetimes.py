"""What Qt points to outlives what points to it."""

import numpy as np
import pytest
from PyQt6 import sip
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QApplication

from latviz.app.widgets.lifetimes import image_of, painting_on, pdf_writer, svg_generator


def test_an_exception_ends_painting(qapp: QApplication) -> None:
    image = QImage(2, 2, QImage.Format.Format_RGB32)
    with pytest.raises(ZeroDivisionError), painting_on(image):
        raise ZeroDivisionError
    assert not image.paintingActive()


@pytest.mark.parametrize("writing", [svg_generator, pdf_writer])
def test_an_exception_deletes_a_writer_before_its_buffer(writing, qapp: QApplication) -> None:
    with pytest.raises(ZeroDivisionError), writing() as (writer, buffer), painting_on(writer):
        raise ZeroDivisionError
    assert sip.isdeleted(writer)
    assert not sip.isdeleted(buffer)


@pytest.mark.parametrize(
    ("channels", "drawn"),
    [((7,), (7, 7, 7, 255)), ((1, 2, 3), (1, 2, 3, 255)), ((1, 2, 3, 4), (1, 2, 3, 4))],
)
def test_images_of_pixels(channels: tuple[int, ...], drawn: tuple[int, ...]) -> None:
    pixels = np.zeros((2, 3, len(channels)), np.uint8)
    pixels[1, 2] = channels
    image = image_of(pixels)
    assert (image.width(), image.height()) == (3, 2)
    assert image.pixelColor(2, 1).getRgb() == drawn
    assert image.pixelColor(1, 1).getRgb()[:3] == (0, 0, 0)
