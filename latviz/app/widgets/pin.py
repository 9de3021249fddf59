"""Pinned pixels: their names, and the flags that mark them on pictures.

States are discs or chips with a number, symbols are squares next to their names, and pins are flags
with a letter and a number. So they cannot be confused.
"""

from collections.abc import Sequence

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPainterPath, QPen
from PyQt6.QtWidgets import QApplication, QGraphicsItem

from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import CENTER, pixel_size, scaled, text_width
from latviz.engine.frames.inspection import Inspection
from latviz.engine.settings.state import Node

DARK, BRIGHT = "#101317", "#ffffff"
"""Colours of the flag, and of its text and edge: one of them shows on any background."""
_CLOTH, _POLE = 1.25, 1.95
"""Heights of a flag and its pole, relative to the text."""
_WIDTH, _EDGE, _PAD = 2.0, 1.5, 3.0
"""The width of poles and edges, and the room around the text, in pixels of the screen."""


def pin_name(place: int) -> str:
    """Return the name of a pin, by its place among the pins, from 0."""
    return f"P{place + 1}"


def pin_at(pins: Sequence[Inspection], node: Node) -> str:
    """Return the name of the pin at a node, or ""."""
    return next((pin_name(k) for k, pin in enumerate(pins) if pin.node == node), "")


class PinMark(QGraphicsItem):
    """A flag in the middle of a pixel, of the same size at any zoom.

    It points up and to the right, or the other way if there is no room.
    """

    def __init__(self, name: str, place: tuple[int, int], canvas: Canvas, tip: str = "") -> None:
        super().__init__()
        self.name, self._canvas = name, canvas
        text = pixel_size(QApplication.font())
        self._font = scaled(QApplication.font(), bold=True)
        width = text_width(self._font, name) + 2 * _PAD
        self._cloth = QRectF(-_WIDTH / 2, -_POLE * text, width, _CLOTH * text)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setPos(QPointF(place[1] + 0.5, place[0] + 0.5))
        self.setToolTip(tip)

    def boundingRect(self) -> QRectF:
        """Return the surroundings of the flag, for any direction."""
        right, up = self._cloth.right() + _EDGE, _EDGE - self._cloth.top()
        return QRectF(-right, -up, 2 * right, 2 * up)

    def shape(self) -> QPainterPath:
        """Return the flag and its pole."""
        pole = QPainterPath()
        x, cloth = self._cloth.left(), self.cloth
        pole.addRect(
            QRectF(QPointF(x, min(0.0, cloth.top())), QPointF(-x, max(0.0, cloth.bottom())))
        )
        flag = QPainterPath()
        flag.addRect(cloth)
        return pole.united(flag)

    @property
    def cloth(self) -> QRectF:
        """The rectangle of the text, in screen pixels from the middle of the pinned pixel."""
        cloth, view = QRectF(self._cloth), self._canvas.box.viewRect()
        right = (view.right() - self.x()) * self._canvas.scale_factor
        above = (self.y() - view.top()) * self._canvas.row_scale
        if right < cloth.right() + _EDGE:
            cloth.moveRight(-cloth.left())
        if above < _EDGE - cloth.top():
            cloth.moveBottom(-cloth.top())
        return cloth

    def paint(self, painter: QPainter | None, *_: object) -> None:
        """Draw the flag and its name."""
        assert painter is not None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = self.shape()
        painter.strokePath(path, QPen(QColor(BRIGHT), 2 * _EDGE, join=Qt.PenJoinStyle.MiterJoin))
        painter.fillPath(path, QColor(DARK))
        painter.setPen(QColor(BRIGHT))
        painter.setFont(self._font)
        painter.drawText(self.cloth, CENTER, self.name)
