"""Painters, images and writers that point into memory of Python's.

Qt keeps a bare pointer to the device of a painter or a writer, and to the pixels of an image made
from bytes. Python frees them in any order, and Qt then reads freed memory. So they are
made here alone, each in an order in which what is pointed to is freed last.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PyQt6 import sip
from PyQt6.QtCore import QBuffer, QIODevice
from PyQt6.QtGui import QImage, QPaintDevice, QPainter, QPdfWriter, QPixmap
from PyQt6.QtSvg import QSvgGenerator

Writer = TypeVar("Writer", QSvgGenerator, QPdfWriter)
_KINDS = {
    1: QImage.Format.Format_Grayscale8,
    3: QImage.Format.Format_RGB888,
    4: QImage.Format.Format_RGBA8888,
}


@contextmanager
def painting_on(device: QPaintDevice) -> Iterator[QPainter]:
    """Paint on a device, which the painter leaves at the end, and after an exception, too."""
    painter = QPainter(device)
    try:
        yield painter
    finally:
        painter.end()


def image_of(pixels: NDArray[np.uint8]) -> QImage:
    """Return an image that owns its pixels, shape (rows, columns, 1, 3 or 4).

    The channels are grey, red, green and blue, or these and opacity.
    """
    rows, columns, depth = pixels.shape
    data = pixels.tobytes()
    return QImage(data, columns, rows, depth * columns, _KINDS[depth]).copy()


def pixmap_of(pixels: NDArray[np.uint8]) -> QPixmap:
    """Return pixels as `image_of` takes them as Qt draws them fastest."""
    return QPixmap.fromImage(image_of(pixels))


def encoded(image: QImage, kind: str) -> bytes:
    """Return an image as the content of a file, in a format that Qt knows by name."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, kind)
    return buffer.data().data()


@contextmanager
def svg_generator() -> Iterator[tuple[QSvgGenerator, QBuffer]]:
    """Write SVG into a buffer."""
    # Of version 1.1, since the older one, Qt's own choice, has no clips.
    generator, buffer = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11), QBuffer()
    generator.setOutputDevice(buffer)
    with _deleted_before(generator, buffer) as both:
        yield both


@contextmanager
def pdf_writer() -> Iterator[tuple[QPdfWriter, QBuffer]]:
    """Write PDF into a buffer."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    with _deleted_before(QPdfWriter(buffer), buffer) as both:
        yield both


@contextmanager
def _deleted_before(writer: Writer, buffer: QBuffer) -> Iterator[tuple[Writer, QBuffer]]:
    """Delete a writer at the end, while its buffer is there."""
    try:
        yield writer, buffer
    finally:
        sip.delete(writer)
