"""Base of painted views, and tools for drawing: fonts, fitted text, numbers, swatches."""

import math
import time
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from PyQt6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PyQt6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QTransform,
)
from PyQt6.QtWidgets import QGraphicsPathItem, QToolTip, QWidget

from latviz.app.look.theme import LIGHT, Theme, contrast, legible_on
from latviz.app.widgets.lifetimes import painting_on
from latviz.app.widgets.raster import takes_vectors


class Timed:
    """Times ``paintEvent``: list it before the widget's class whose painting it times."""

    painting = 0.0
    """Seconds."""

    def paintEvent(self, event: Any) -> None:
        """Paint, and measure the time."""
        start = time.perf_counter()
        super().paintEvent(event)  # type: ignore[misc]
        self.painting = time.perf_counter() - start


class Painted(Timed, QWidget):
    """A widget that is painted on the empty panel, and has tool tips."""

    theme: Theme = LIGHT
    area = QRect()
    """The part that is being painted."""

    def paint_all(self, painter: QPainter) -> None:
        """Paint on the empty panel."""
        raise NotImplementedError

    def tip_at(self, _position: QPointF) -> str | None:
        """Return the tool tip at a position; None leaves it to Qt."""
        return None

    def apply_theme(self, theme: Theme) -> None:
        """Paint with other colours."""
        self.theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Paint the panel and the content."""
        start = time.perf_counter()
        with painting_on(self) as painter:
            self.area = self.rect() if event is None else event.rect()
            painter.fillRect(self.area, self.theme.color("panel"))
            self.paint_all(painter)
        self.painting = time.perf_counter() - start

    def event(self, event: QEvent | None) -> bool:
        """Show the tool tip at the pointer."""
        tip = self.tip_at(QPointF(event.pos())) if isinstance(event, QHelpEvent) else None
        if tip is None or not isinstance(event, QHelpEvent):
            return super().event(event)
        QToolTip.showText(event.globalPos(), tip, self)
        return True


Tick = tuple[float, Sequence[str]]
_SwatchKind = tuple[int, str, Theme, bool, QFont]

PAD = 8.0
LEAST = 120
"""Pixels that the parts of a view are wide, at least."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTER = Qt.AlignmentFlag.AlignCenter
WRAP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap

_MEASURED = 1 << 10  # texts whose sizes are kept: measuring takes longer than painting
_HATCH = 8.0  # pixels along an axis from one line of a hatch to the next
_FAINT = 1.9  # contrast under which a filled shape gets an outline


@lru_cache(_MEASURED)
def scaled(font: QFont, factor: float = 1.0, *, bold: bool = False) -> QFont:
    """Return a scaled font, not smaller, with digits of equal width.

    Text that does not fit is shortened or omitted, never made smaller than the text around it.
    """
    result = QFont(font)
    if font.pointSizeF() > 0:
        result.setPointSizeF(font.pointSizeF() * factor)
    else:
        result.setPixelSize(max(1, round(font.pixelSize() * factor)))
    result.setBold(bold)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result


@lru_cache(_MEASURED)
def pixel_size(font: QFont) -> int:
    """Return the size of a font in pixels; Qt knows none on systems without fonts."""
    drawn = QFontInfo(font).pixelSize()
    return drawn if drawn > 0 else max(font.pixelSize(), round(font.pointSizeF() * 96 / 72), 1)


@lru_cache(_MEASURED)
def text_width(font: QFont, text: str) -> float:
    """Return the width of a line of text."""
    return QFontMetricsF(font).horizontalAdvance(text)


@lru_cache(_MEASURED)
def text_height(font: QFont, text: str = "", width: float = 0.0) -> float:
    """Return the height of a line, or of a text wrapped to a width."""
    metrics = QFontMetricsF(font)
    if not text:
        return math.ceil(metrics.height())
    room = QRectF(0.0, 0.0, width, 1e4)
    return math.ceil(metrics.boundingRect(room, int(WRAP), text).height())


def fitting(font: QFont, width: float, *texts: str) -> str:
    """Return the first text that fits the width; if none does, the last one elided."""
    for text in texts:
        if text_width(font, text) <= width:
            return text
    return QFontMetricsF(font).elidedText(texts[-1], Qt.TextElideMode.ElideRight, width)


def fits(font: QFont, texts: Sequence[str], wide: float, high: float) -> bool:
    """Return True if each text, of one or more lines, has room."""
    lines = {line for text in texts for line in text.split("\n")}
    deep = max(text.count("\n") for text in texts) + 1
    widest = max(text_width(font, line) for line in lines)
    return deep * text_height(font) <= high and widest <= wide


def place_ticks(
    ticks: Sequence[Tick], width: float, measure: Callable[[str], float]
) -> list[tuple[float, str]]:
    """Return the places and labels of ticks; none overlaps another or leaves the width."""
    # Ticks, (place from 0 to 1, labels with the best first), are served in order; each takes
    # its first label with room in one of three places: centred, left or right of the tick
    placed: list[tuple[float, float, str]] = []
    for at, labels in ticks:
        for text in labels:
            long = measure(text)
            starts = (at * width - share * long for share in (0.5, 0.9, 0.1))
            bounded = (min(max(0.0, start), width - long) for start in starts)
            free = (
                x for x in bounded if all(x + long + 6 <= a or b + 6 <= x for a, b, _ in placed)
            )
            start = next(free, None)
            if start is not None:
                placed.append((start, start + long, text))
                break
    return [(start, text) for start, _, text in placed]


def mixed(first: QColor, second: QColor, share: float) -> QColor:
    """Return a colour between two, with this share of the second."""
    pairs = zip(first.getRgb(), second.getRgb(), strict=True)
    return QColor(*(round((a or 0) * (1 - share) + (b or 0) * share) for a, b in pairs))


def draw_on_screen(painter: QPainter, path: QPainterPath) -> None:
    """Draw a path of a plane that can be zoomed, with a pen of constant width."""
    # A cosmetic pen has a width in pixels of the device; this line is as wide, relative to text, on
    # screens and in files of any resolution
    to_screen = painter.worldTransform()
    painter.save()
    painter.resetTransform()
    painter.drawPath(to_screen.map(path))
    painter.restore()


class ScreenPathItem(QGraphicsPathItem):
    """A path on a plane that can be zoomed, with a line that is as wide at any zoom."""

    def paint(self, painter: QPainter | None, *_: object) -> None:
        """Draw the path, if there is one."""
        assert painter is not None
        if not self.path().isEmpty():
            painter.setPen(self.pen())
            painter.setBrush(self.brush())
            draw_on_screen(painter, self.path())

    def boundingRect(self) -> QRectF:
        """Return the bounds with room for the line, which has a constant width on screen."""
        bounds = self.path().controlPointRect()
        margin = 0.1 * max(bounds.width(), bounds.height())
        return bounds.adjusted(-margin, -margin, margin, margin)


def draw_waiting(painter: QPainter, room: QRectF, text: str, theme: Theme) -> None:
    """Draw the waiting text in the middle of a rectangle."""
    painter.setPen(theme.color("muted"))
    painter.drawText(room, CENTER, text)


def draw_hatch(painter: QPainter, rect: QRectF, color: QColor) -> None:
    """Draw lines from the lower left to the upper right of a rectangle.

    They are as far apart in files of any resolution, as Qt's own pattern is not.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 1.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    left, top, right, bottom = rect.left(), rect.top(), rect.right(), rect.bottom()
    first, last = math.ceil((left + top) / _HATCH), math.floor((right + bottom) / _HATCH)
    for k in range(first, last + 1):
        c = k * _HATCH  # x + y on the line
        start = QPointF(max(left, c - bottom), min(bottom, c - left))
        end = QPointF(min(right, c - top), max(top, c - right))
        painter.drawLine(start, end)
    painter.restore()


def outline(color: QColor, theme: Theme) -> QColor:
    """Return the colour to draw around a shape, so that it shows on the panel."""
    return color if _shows(color.rgb(), theme) else mixed(color, theme.color("text"), 0.5)


@lru_cache(_MEASURED)
def _shows(rgb: int, theme: Theme) -> bool:
    return contrast(QColor(rgb), theme.color("panel")) >= _FAINT


def draw_swatch(
    painter: QPainter, rect: QRectF, color: QColor, text: str, theme: Theme, *, hollow: bool = False
) -> None:
    """Draw a state's colour with its number; hollow and dashed for a state that no pixel takes."""
    kind = color.rgba(), text, theme, hollow, painter.font()
    ratio = _pixels_a_unit(painter)
    if not ratio or rect.isEmpty():
        _draw_swatch(painter, rect, *kind)
        return
    corner = QPointF(math.floor(rect.left()), math.floor(rect.top()))
    painter.drawImage(corner, _swatch(rect.translated(-corner).getRect(), ratio, *kind))


def _pixels_a_unit(painter: QPainter) -> int:
    """Return the pixels per unit; 0 if that is not a whole number, or for vectors."""
    device, place = painter.device(), painter.worldTransform()
    moved = place == QTransform.fromTranslate(round(place.dx()), round(place.dy()))
    if device is None or takes_vectors(painter) or not moved:
        return 0
    ratio = device.devicePixelRatioF()
    return 0 if ratio % 1 else int(ratio)


@lru_cache(_MEASURED)
def _swatch(place: tuple[float, float, float, float], ratio: int, *kind: *_SwatchKind) -> QImage:
    """Return a swatch as an image: putting it somewhere takes a thirtieth of drawing it."""
    rect, kinds = QRectF(*place), QImage.Format
    wide, high = math.ceil(rect.right()), math.ceil(rect.bottom())
    image = QImage(ratio * wide, ratio * high, kinds.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    with painting_on(image) as painter:
        painter.setFont(kind[-1])
        _draw_swatch(painter, rect, *kind)
    return image


def _draw_swatch(
    painter: QPainter, rect: QRectF, rgba: int, text: str, theme: Theme, hollow: bool, font: QFont
) -> None:
    color, radius = QColor.fromRgba(rgba), min(4.0, rect.height() / 4)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(theme.color("muted") if hollow else outline(color, theme), 1.0)
    if hollow:
        pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(QColor(0, 0, 0, 0) if hollow else color)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    if text_width(font, text) <= rect.width() - 1 and 0.8 * text_height(font) <= rect.height():
        painter.setPen(theme.color("muted") if hollow else legible_on(color))
        painter.drawText(rect, CENTER, text)
    painter.restore()


def draw_symbol(painter: QPainter, rect: QRectF, color: QColor, theme: Theme) -> None:
    """Draw a symbol's colour as a square: states are discs."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(outline(color, theme), 1.0))
    painter.setBrush(color)
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.restore()


def draw_mark(painter: QPainter, rect: QRectF, good: bool, color: QColor) -> None:
    """Draw a tick, or an exclamation mark in a triangle."""
    path = QPainterPath()
    points = ((0.1, 0.55), (0.4, 0.85), (0.92, 0.18)) if good else ((0.5, 0.08), (0.98, 0.92))
    x, y, w, h = rect.x(), rect.y(), rect.width(), rect.height()
    path.moveTo(x + points[0][0] * w, y + points[0][1] * h)
    for px, py in points[1:]:
        path.lineTo(x + px * w, y + py * h)
    if not good:
        path.lineTo(x + 0.02 * w, y + 0.92 * h)
        path.closeSubpath()
        path.moveTo(x + 0.5 * w, y + 0.4 * h)
        path.lineTo(x + 0.5 * w, y + 0.62 * h)
        path.moveTo(x + 0.5 * w, y + 0.755 * h)
        path.lineTo(x + 0.5 * w, y + 0.765 * h)
    thickness = w / (6 if good else 10)
    cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, thickness, Qt.PenStyle.SolidLine, cap, join))
    painter.drawPath(path)
    painter.restore()


def draw_ticks(painter: QPainter, rect: QRectF, ticks: Sequence[Tick], font: QFont) -> None:
    """Write the labels of ticks along a line, as they fit."""
    painter.setFont(font)
    for start, text in place_ticks(ticks, rect.width(), partial(text_width, font)):
        place = QRectF(rect.left() + start, rect.top(), rect.width() - start, rect.height())
        painter.drawText(place, int(LEFT | Qt.TextFlag.TextDontClip), text)


def draw_ends(
    painter: QPainter, lines: Sequence[QRectF], ends: Sequence[tuple[str, str]], font: QFont
) -> None:
    """Write the texts at both ends of lines, if all fit."""
    both = list(zip(lines, ends, strict=True))
    if all(text_width(font, "".join(pair)) + 12 <= line.width() for line, pair in both):
        for line, (first, last) in both:
            draw_ticks(painter, line, [(0.0, (first,)), (1.0, (last,))], font)


def draw_columns(painter: QPainter, rect: QRectF, names: Sequence[str], font: QFont) -> None:
    """Write a name under each of even columns if all fit, else the first and last."""
    n, step = len(names), rect.width() / len(names)
    if all(len(name) == 1 and text_width(font, name) <= step for name in names):
        painter.setFont(font)
        for k, name in enumerate(names):
            place = QRectF(rect.left() + k * step, rect.top(), step, rect.height())
            painter.drawText(place, CENTER, name)
    elif all(text_width(font, name) + 6.5 <= step for name in names):
        ticks = [((k + 0.5) / n, (name,)) for k, name in enumerate(names)]
        draw_ticks(painter, rect, ticks, font)
    else:
        draw_ends(painter, [rect], [(names[0], names[-1])], font)
