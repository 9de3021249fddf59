"""Small pictures, as Qt draws them."""

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QImage, QPixmap


def pixmap_of(drawn: NDArray[np.uint8]) -> QPixmap:
    """Return a small picture, shape (height, width, 4), red, green, blue and opacity, for Qt."""
    height, width, _ = drawn.shape
    data = np.ascontiguousarray(drawn).tobytes()
    image = QImage(data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    return QPixmap.fromImage(image)
