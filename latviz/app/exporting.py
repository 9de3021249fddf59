"""Drawing views to files."""

from pathlib import Path

from PyQt6.QtCore import QRect, QSize
from PyQt6.QtGui import QImage, QPainter
from PyQt6.QtSvg import QSvgGenerator
from PyQt6.QtWidgets import QWidget

from latviz.files.errors import ExportError

PNG_SCALE = 2.0


def picture_of_view(view: QWidget, scale: float = PNG_SCALE) -> QImage:
    """Draw a view at ``scale`` times its size on screen."""
    size = QSize(round(view.width() * scale), round(view.height() * scale))
    image = QImage(size, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(view.palette().window().color())
    view.render(image)
    return image


def export_view(view: QWidget, path: str | Path) -> None:
    """Write a view as it is drawn, as .png (twice its size on screen) or .svg.

    Raises
    ------
    ExportError
        If the suffix is neither, or the file cannot be written.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise ExportError(target, "its suffix must be .png or .svg")
    if suffix == ".svg":
        written = _write_svg(view, target)
    else:
        written = picture_of_view(view).save(str(target))
    if not written:
        raise ExportError(target, "it could not be written; check the folder and its permissions")


def _write_svg(view: QWidget, path: Path) -> bool:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setSize(view.size())
    generator.setViewBox(QRect(0, 0, view.width(), view.height()))
    generator.setTitle(view.accessibleName())
    generator.setDescription("Drawn by latviz")
    painter = QPainter()
    if not painter.begin(generator):
        return False
    view.render(painter)
    painter.end()
    return path.exists()
