"""Drawing views to pictures and files."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PyQt6.QtCore import QBuffer, QIODevice, QRect, QSize
from PyQt6.QtGui import QImage, QPainter
from PyQt6.QtSvg import QSvgGenerator
from PyQt6.QtWidgets import QWidget

from latviz.app.views.base import View
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
    _end_passing(view)
    view.render(image)
    per_metre = round(scale * SCREEN_DPI / _METRES_PER_INCH)
    image.setDotsPerMeterX(per_metre)
    image.setDotsPerMeterY(per_metre)
    return image


def _end_passing(widget: QWidget) -> None:
    """Take away what is on screen for a moment alone."""
    for part in (widget, *widget.findChildren(View)):
        if isinstance(part, View):
            part.end_passing()


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


def drawn_view(view: QWidget, path: str | Path, scale: float = PNG_SCALE) -> Callable[[], None]:
    """Draw a view as it is now; return what writes it, which any thread may call.

    It is written as .png (``scale`` times its size on screen) or .svg; `ExportError` is raised
    while writing if the suffix is neither, or the file cannot be written; an older file stays.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix == ".png":
        return partial(write_png, picture_of_view(view, scale), target)
    return partial(_write_svg, _svg(view) if suffix == ".svg" else None, target)


def write_view(view: QWidget, path: str | Path, scale: float = PNG_SCALE) -> None:
    """Draw a view and write it at once; see `drawn_view`."""
    drawn_view(view, path, scale)()


def _write_svg(content: bytes | None, target: Path) -> None:
    if content is None:
        raise ExportError(target, "its suffix must be .png or .svg")
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
    _end_passing(view)
    painter = QPainter(generator)
    view.render(painter)
    painter.end()
    return buffer.data().data()
