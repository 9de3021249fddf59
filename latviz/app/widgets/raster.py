"""Images in scenes: on a screen as they are, in files of vectors as fine as was asked for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import pyqtgraph as pg
from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QImage, QPaintEngine, QPainter, QPainterPath

_VECTORS = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)
_scale: ContextVar[float] = ContextVar("scale", default=1.0)


@contextmanager
def rastering(scale: float) -> Iterator[None]:
    """Let images in files of vectors have ``scale`` pixels for each pixel of the screen."""
    token = _scale.set(scale)
    try:
        yield
    finally:
        _scale.reset(token)


def takes_vectors(painter: QPainter) -> bool:
    """Return True if what is drawn becomes vectors in a file, not pixels."""
    engine = painter.paintEngine()
    return engine is not None and engine.type() in _VECTORS


class RasterItem(pg.ImageItem):  # type: ignore[misc]
    """An image whose cells have sharp edges and that is cut where it is to be, in every file.

    Programs that show vectors smooth small images as they please, and some of them do not clip: so
    files of vectors get the pixels that are seen, and no others.
    """

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
    """Draw something in some bounds, into a file of vectors as an image.

    The image has the painter's opacity in it, and is cut to what is ``seen``.
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
    inner = QPainter(image)
    inner.scale(image.width() / place.width(), image.height() / place.height())
    inner.translate(-place.topLeft())
    inner.setTransform(to_screen, True)
    inner.setOpacity(painter.opacity())
    inner.setRenderHints(painter.renderHints())
    if seen is not None:
        inner.setClipPath(seen)
    draw(inner)
    inner.end()
    painter.save()
    painter.resetTransform()
    painter.setOpacity(1.0)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    painter.drawImage(place, image)
    painter.restore()
