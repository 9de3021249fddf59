"""Drawing widgets to pictures and files, and views again as figures.

A format is a suffix in `FIGURES`, offered by dialogs and the command line, with its writer here. A
figure is a second view of the same kind that was never on screen. So it has no highlight under the
pointer and no focus, and the view on screen does not change.
"""

import base64
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar
from xml.sax.saxutils import escape

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QCoreApplication, QEvent, QMarginsF, QPoint, QPointF, QRect, QSizeF, Qt
from PyQt6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QImage,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPalette,
    QPicture,
    QRegion,
)
from PyQt6.QtWidgets import QGraphicsView, QWidget

from latviz.app.exporting import pdf
from latviz.app.look.theme import LIGHT, palette, stylesheet
from latviz.app.views.base import View
from latviz.app.views.spec import AnySpec
from latviz.app.widgets.lifetimes import encoded, painting_on, pdf_writer, svg_generator
from latviz.app.widgets.raster import rastering, stand_in
from latviz.core.disk.errors import ExportError
from latviz.core.disk.writing import replacing
from latviz.files.marks import SOFTWARE
from latviz.files.names import safe_name
from latviz.files.suffixes import FIGURES

SCREEN_DPI = 96
"""Pixels on screen that are an inch in files."""
MARGIN = 6
"""Screen pixels around a drawing with tight margins."""
_STEP = 4
"""Sides of files are multiples of this number of screen pixels, which are whole points, too."""
_METRES_PER_INCH = 0.0254
_POINTS_PER_INCH = 72.0
_IN_STRIP = 6_000_000
"""Pixels of a file that are drawn at a time, about."""
_FALL_BACKS = "Helvetica, Arial, sans-serif"
"""Font families for text if its own font is missing."""

Bytes = Callable[[], bytes]
"""Returns the bytes to write, without drawing; thread-safe."""
Writing = Callable[[], None]
"""Writes a finished drawing; thread-safe."""


def image_of(widget: QWidget, part: QRect | None = None, dpi: float = SCREEN_DPI) -> QImage:
    """Draw a widget, or a part of it, at a resolution, which the picture stores.

    The picture is null if memory is short.
    """
    part = widget.rect() if part is None else part
    image = blank_image(widget, part, dpi)
    if not image.isNull():
        _draw(image, widget, part, dpi)
    return image


def blank_image(widget: QWidget, part: QRect, dpi: float) -> QImage:
    """Return the background for a part of a widget; null if memory is short."""
    scale = dpi / SCREEN_DPI
    width, height = round(part.width() * scale), round(part.height() * scale)
    image = QImage(width, height, QImage.Format.Format_RGB32)
    if not image.isNull():
        image.setDevicePixelRatio(scale)
        image.fill(widget.palette().window().color())
        image.setDotsPerMeterX(round(dpi / _METRES_PER_INCH))
        image.setDotsPerMeterY(round(dpi / _METRES_PER_INCH))
        image.setText("Software", SOFTWARE)
    return image


def strips(widget: QWidget, path: str | Path, dpi: int, title: str) -> Iterator[Writing | None]:
    """Draw a widget to a PNG file strip by strip: all of a large window at once takes too long.

    Yield None after each strip, and the function that writes the file last (thread-safe).
    """
    image = blank_image(widget, widget.rect(), dpi)
    width, height = widget.width(), widget.height()
    wanted = _IN_STRIP * SCREEN_DPI / (dpi * max(1, image.width()))
    whole = SCREEN_DPI // math.gcd(SCREEN_DPI, dpi)  # this number of screen pixels is whole
    high = max(1, round(wanted / whole)) * whole
    for top in range(0, 0 if image.isNull() else height, high):
        strip = QRect(0, top, width, min(high, height - top))
        with painting_on(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
            widget.render(painter, strip.topLeft(), QRegion(strip))
        yield None
    image.setText("Title", title)
    yield partial(_write, partial(_png_bytes, image), Path(path))


def tight(widget: QWidget) -> QRect:
    """Return the part of a widget with content, with the same margin on all sides."""
    image = image_of(widget)
    pixels = pg.functions.ndarray_from_qimage(image).view(np.uint32)[..., 0]
    ground = np.uint32(QColor(widget.palette().window().color()).rgb())
    rows, columns = (np.flatnonzero((pixels != ground).any(axis=axis)) for axis in (1, 0))
    if rows.size == 0:
        return widget.rect()
    left, right = int(columns[0]) - MARGIN, int(columns[-1]) + 1 + MARGIN
    top, bottom = int(rows[0]) - MARGIN, int(rows[-1]) + 1 + MARGIN
    width, height = (-(-extent // _STEP) * _STEP for extent in (right - left, bottom - top))
    return QRect(left, top, width, height)


def _png(widget: QWidget, part: QRect, dpi: float, title: str) -> Bytes:
    image = image_of(widget, part, dpi)
    if title:
        image.setText("Title", title)
    return partial(_png_bytes, image)


def _png_bytes(image: QImage) -> bytes:
    if image.isNull():
        raise MemoryError
    return encoded(image, "PNG")


def _svg(widget: QWidget, part: QRect, dpi: float, title: str) -> Bytes:
    with svg_generator() as (generator, buffer):
        dots = widget.logicalDpiX()  # or text is as large as for 72 pixels an inch
        generator.setResolution(dots)
        generator.setSize(part.size())
        generator.setViewBox(QRect(0, 0, part.width(), part.height()))
        generator.setTitle(title)
        generator.setDescription("Drawn by latviz")
        # Qt's SVG forgets where in the figure a widget is when the widget sets a clip: played back
        # from a picture, clips have their places in the whole.
        picture = QPicture()
        images = _draw(picture, widget, part, dpi)
        with painting_on(generator) as painter:
            painter.drawPicture(0, 0, picture)
        return partial(_svg_bytes, buffer.data().data().decode(), images)


def _svg_bytes(svg: str, images: Sequence[QImage]) -> bytes:
    content = cleaned(svg)
    for place, image in enumerate(images):
        content = content.replace(_as_text(stand_in(place)), _as_text(image))
    return content


def _as_text(image: QImage) -> bytes:
    """Return an image as Qt writes it into SVG."""
    return b'data:image/png;base64,%b"' % base64.b64encode(_png_bytes(image))


def _pdf(widget: QWidget, part: QRect, dpi: float, title: str) -> Bytes:
    points = QSizeF(part.size()) * (_POINTS_PER_INCH / SCREEN_DPI)
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    with pdf_writer() as (writer, buffer):
        writer.setTitle(title)
        writer.setCreator("latviz")
        writer.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", exact))
        writer.setPageMargins(QMarginsF())
        writer.setResolution(widget.logicalDpiX())
        images = _draw(writer, widget, part, dpi)
        return partial(pdf.put_in, buffer.data().data(), images)


def _draw(device: QPaintDevice, widget: QWidget, part: QRect, dpi: float) -> list[QImage]:
    """Draw a part of a widget, which may extend beyond it.

    In vector files, images have ``dpi`` pixels an inch. Return the images to insert.
    """
    _end_passing(widget)
    with rastering(dpi / SCREEN_DPI) as images, painting_on(device) as painter:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.translate(QPointF(-part.topLeft()))
        painter.fillRect(part, widget.palette().window())
        widget.render(painter, QPoint())
    return images


def _end_passing(widget: QWidget) -> None:
    """Clear temporary highlights."""
    for part in (widget, *widget.findChildren(View)):
        if isinstance(part, View):
            part.end_passing()


FORMATS: dict[str, Callable[[QWidget, QRect, float, str], Bytes]] = dict(
    zip(FIGURES, (_png, _svg, _pdf), strict=True)
)
"""Draws a part of a widget, by the suffix of the file; see `drawn`."""


def drawn(
    widget: QWidget,
    path: str | Path,
    *,
    part: QRect | None = None,
    dpi: float = SCREEN_DPI,
    title: str = "",
) -> Writing:
    """Draw a widget, or a part of it, now; return the function that writes the file."""
    # Any thread may call it.
    # The path's suffix selects the format. Writing raises `ExportError` if the suffix is not in
    # `FORMATS`, memory is short, or the file cannot be written; an older file stays
    target = Path(path)
    draw = FORMATS.get(target.suffix.lower())
    if draw is None:
        return partial(_refuse, target)
    return partial(_write, draw(widget, part or widget.rect(), dpi, title), target)


def _refuse(path: Path) -> None:
    *others, last = FORMATS
    raise ExportError(path, f"its suffix must be {', '.join(others)} or {last}")


def _write(content: Bytes, path: Path) -> None:
    try:
        found = content()
    except MemoryError as error:
        reason = "there is not enough memory; choose a lower resolution"
        raise ExportError(path, reason) from error
    with replacing(path) as stream:
        stream.write(found)


_FAMILY = re.compile(r'font-family="([^"]*)"')
_NO_PATH = re.compile(r'<path [^>]*\bd=""\s*/>')
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def cleaned(svg: str) -> bytes:
    """Return Qt's SVG as a valid file in a font that exists, with others to fall back on."""
    # Qt writes the name of the requested font, which may be an alias unknown to other computers,
    # paths without points, and characters that XML forbids
    svg = _NO_PATH.sub("", _ILLEGAL.sub("", svg))
    return _FAMILY.sub(_with_fall_backs, svg).encode()


def _with_fall_backs(family: re.Match[str]) -> str:
    found = QFontInfo(QFont(family[1].split(",")[0].strip("' "))).family()
    return f'font-family="{_quoted(found)}, {_FALL_BACKS}"'


def _quoted(family: str) -> str:
    """Return a font's name as a string of CSS in XML: names such as .SF NS are not words of CSS."""
    return escape("'{}'".format(family.replace("\\", r"\\").replace("'", r"\'")), {'"': "&quot;"})


W = TypeVar("W", bound=QWidget)


@contextmanager
def on_paper(make: Callable[[], W], fill: Callable[[W], None]) -> Iterator[W]:
    """Make a widget on a white ground, fill it, and show it on no screen while it is drawn."""
    widget, font = make(), QFont()
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    widget.setFont(font)  # texts are as wide as in files of vectors, which screens do not fit
    widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    widget.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    widget.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
    colors = palette(LIGHT)
    colors.setColor(QPalette.ColorRole.Window, QColor(LIGHT.panel))
    widget.setStyleSheet(stylesheet(LIGHT))
    try:
        fill(widget)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        parts: list[QWidget] = [widget, *widget.findChildren(QWidget)]
        for part in parts:
            part.setPalette(colors)  # which style sheets keep from being inherited
        for plane in widget.findChildren(QGraphicsView):
            plane.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        yield widget
    finally:
        widget.hide()
        widget.deleteLater()


@contextmanager
def figure_of(spec: AnySpec, view: View, dpi: float) -> Iterator[View]:
    """Make a figure of a view, to be drawn at a resolution."""
    scale = dpi / SCREEN_DPI
    with on_paper(spec.make, lambda figure: figure.show_as_figure(view, scale)) as figure:
        yield figure


def figure_image(spec: AnySpec, view: View, dpi: float) -> QImage:
    """Draw a figure of a view."""
    with figure_of(spec, view, dpi) as figure:
        return image_of(figure, tight(figure), dpi)


def figure_steps(
    spec: AnySpec, view: View, path: str | Path, dpi: float
) -> Iterator[Writing | None]:
    """Draw a figure of a view in steps; yield the function that writes it last, see `drawn`.

    Changes of the view after the first step have no effect. One step may take 0.15 s.
    """
    name = picture_name(view)
    with figure_of(spec, view, dpi) as figure:
        yield None
        part = tight(figure)
        yield None
        yield drawn(figure, path, part=part, dpi=dpi, title=f"{name}: {figure.accessibleName()}")


def drawn_figure(spec: AnySpec, view: View, path: str | Path, dpi: float) -> Writing:
    """Draw a figure of a view at once; return the function that writes it, see `drawn`."""
    (writing,) = filter(None, figure_steps(spec, view, path, dpi))
    return writing


def picture_name(view: View) -> str:
    """Return the name of a view's picture, without the suffix of its format."""
    picture = view.state.picture
    return "" if picture is None else Path(picture.name).stem


def file_stem(spec: AnySpec, view: View) -> str:
    """Return the name of a figure's file, without a suffix: "astronaut-simplex"."""
    return safe_name(f"{picture_name(view)}-{called(spec, view)}")


def called(spec: AnySpec, view: View) -> str:
    """Return what files of a view are called, after the name of the picture: "simplex"."""
    return spec.name if spec.called is None else spec.called(view)
