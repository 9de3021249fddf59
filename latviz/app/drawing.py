"""Drawing views to pictures and files."""

from pathlib import Path

from PyQt6.QtCore import QBuffer, QIODevice, QRect, QSize
from PyQt6.QtGui import QImage, QPainter
from PyQt6.QtSvg import QSvgGenerator
from PyQt6.QtWidgets import QWidget

from latviz.files.atomic import replacing
from latviz.files.errors import ExportError

SCREEN_DPI = 96
"""Pixels on screen that are an inch in files."""
PNG_SCALE = 2.0
_METRES_PER_INCH = 0.0254


def picture_of_view(view: QWidget, scale: float = PNG_SCALE) -> QImage:
    """Draw a view at ``scale`` times its size on screen; the picture knows its physical size."""
    size = QSize(round(view.width() * scale), round(view.height() * scale))
    image = QImage(size, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(view.palette().window().color())
    view.render(image)
    per_metre = round(scale * SCREEN_DPI / _METRES_PER_INCH)
    image.setDotsPerMeterX(per_metre)
    image.setDotsPerMeterY(per_metre)
    return image


def write_png(image: QImage, path: Path) -> None:
    """Write a picture as PNG; an older file stays whole until the new one is.

    Raises
    ------
    ExportError
        If there was no memory for the picture, or the file cannot be written.
    """
    if image.isNull():
        raise ExportError(path, "there is not enough memory; choose a lower resolution")
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    with replacing(path) as stream:
        stream.write(buffer.data().data())


def write_view(view: QWidget, path: str | Path, scale: float = PNG_SCALE) -> None:
    """Write a view as it is drawn, as .png (``scale`` times its size on screen) or .svg.

    Raises
    ------
    ExportError
        If the suffix is neither, or the file cannot be written; an older file stays as it was.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise ExportError(target, "its suffix must be .png or .svg")
    if suffix == ".png":
        write_png(picture_of_view(view, scale), target)
        return
    content = _svg(view)
    with replacing(target) as stream:
        stream.write(content)


def _svg(view: QWidget) -> bytes:
    buffer, generator = QBuffer(), QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(view.logicalDpiX())  # or text is as large as for 72 pixels an inch
    generator.setSize(view.size())
    generator.setViewBox(QRect(0, 0, view.width(), view.height()))
    generator.setTitle(view.accessibleName())
    generator.setDescription("Drawn by latviz")
    painter = QPainter(generator)
    view.render(painter)
    painter.end()
    return buffer.data().data()
