"""Images in scenes: unchanged on a screen, at a given resolution in vector files."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import pyqtgraph as pg
from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QImage, QPaintEngine, QPainter, QPainterPath

from latviz.app.widgets.lifetimes import painting_on

_VECTORS = (QPaintEngine.Type.Picture, QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)
_scale: ContextVar[float] = ContextVar("scale", default=1.0)
_left: ContextVar[list[QImage] | None] = ContextVar("left", default=None)


@contextmanager
def rastering(scale: float) -> Iterator[list[QImage]]:
    """Draw images in vector files with ``scale`` pixels for each pixel of the screen."""
    # Large images take Qt long to pack. So files get placeholders, and the list holds the images,
    # which another thread puts in their places
    left: list[QImage] = []
    tokens = _scale.set(scale), _left.set(left)
    try:
        yield left
    finally:
        _scale.reset(tokens[0])
        _left.reset(tokens[1])


def stand_in(place: int) -> QImage:
    """Return a translucent pixel that stands for one of the images."""
    pixel = QImage(1, 1, QImage.Format.Format_ARGB32)
    pixel.fill(0x80000000 | place)
    return pixel


def _to_draw(image: QImage) -> QImage:
    """Return an image, or its placeholder."""
    left = _left.get()
    if left is None:
        return image
    left.append(image)
    return stand_in(len(left) - 1)


def takes_vectors(painter: QPainter) -> bool:
    """Return True if drawings become vectors in a file, not pixels."""
    engine = painter.paintEngine()
    return engine is not None and engine.type() in _VECTORS


class RasterItem(pg.ImageItem):  # type: ignore[misc]
    """An image whose cells have sharp edges, and that is clipped, in every file."""

    # Programs that show vectors smooth small images, and some do not clip: so files of vectors get
    # the visible pixels alone

    def paint(self, painter: QPainter, *args: Any) -> None:
        """Draw the image."""
        if takes_vectors(painter):
            bounds, seen = self.boundingRect(), self.clipPath() if self.isClipped() else None
            draw_pixels(painter, bounds, lambda other: self.paint_pixels(other, *args), seen)
        else:
            self.paint_pixels(painter, *args)

    def paint_pixels(self, painter: QPainter, *args: Any) -> None:
        """Draw the image on a device of pixels."""
        super().paint(painter, *args)


def draw_pixels(
    painter: QPainter,
    bounds: QRectF,
    draw: Callable[[QPainter], None],
    seen: QPainterPath | None = None,
) -> None:
    """Draw something in some bounds, as an image in vector files.

    The image includes the painter's opacity, and is cut to ``seen``.
    """
    if not takes_vectors(painter):
        draw(painter)
        return
    to_screen, scale = painter.worldTransform(), _scale.get()
    bounds = bounds if seen is None else bounds & seen.boundingRect()
    place = QRectF(to_screen.mapRect(bounds).toAlignedRect())
    image = QImage((place.size() * scale).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        return
    image.fill(Qt.GlobalColor.transparent)
    with painting_on(image) as inner:
        inner.scale(image.width() / place.width(), image.height() / place.height())
        inner.translate(-place.topLeft())
        inner.setTransform(to_screen, True)
        inner.setOpacity(painter.opacity())
        inner.setRenderHints(painter.renderHints())
        if seen is not None:
            inner.setClipPath(seen)
        draw(inner)
    painter.save()
    painter.resetTransform()
    painter.setOpacity(1.0)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    painter.drawImage(place, _to_draw(image))
    painter.restore()
