"""Strokes over a picture."""

from collections.abc import Sequence

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPainterPath, QPen
from PyQt6.QtWidgets import QGraphicsItem

from latviz.app.widgets.canvas import Canvas
from latviz.engine.settings.scribbles import Stroke

_DARK, _LIGHT = QColor("#101317"), QColor("#ffffff")
_OPACITY = 0.8
_BAND = 0.3, 0.4
"""Start and height of a stroke on a ribbon, as shares of the ribbon's height."""


class StrokesItem(QGraphicsItem):
    """Strokes in their colours, with lines around them that show on any ground."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self._canvas = canvas
        self.strokes: tuple[Stroke, ...] = ()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setOpacity(_OPACITY)

    def show_strokes(self, strokes: Sequence[Stroke]) -> None:
        """Draw these, the later ones over the earlier."""
        self.prepareGeometryChange()
        self.strokes = tuple(strokes)
        self.setVisible(bool(strokes))
        self.update()

    def boundingRect(self) -> QRectF:
        """Cover the picture."""
        height, width = self._canvas.shape
        return QRectF(0, 0, width, height)

    def paint(self, painter: QPainter | None, *_: object) -> None:
        """Draw the strokes, cut at the edges of the picture."""
        assert painter is not None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(self.boundingRect(), Qt.ClipOperation.IntersectClip)
        for stroke in self.strokes:
            if self._canvas.ribbon:
                _draw_band(painter, stroke)
            else:
                self._draw_line(painter, stroke)

    def _draw_line(self, painter: QPainter, stroke: Stroke) -> None:
        path, pixel = path_of(stroke), 1 / self._canvas.scale_factor
        for color, width in (
            (_LIGHT, stroke.size + 3 * pixel),
            (_DARK, stroke.size + pixel),
            (QColor(stroke.color), stroke.size - pixel),
        ):
            pen = QPen(color, max(width, pixel))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.strokePath(path, pen)


def path_of(stroke: Stroke) -> QPainterPath:
    """Return the line through the middles of a stroke's pixels."""
    middles = [QPointF(column + 0.5, row + 0.5) for row, column in stroke.points]
    path = QPainterPath(middles[0])
    for middle in middles[1:] or middles:
        path.lineTo(middle + QPointF(1e-6, 0) if len(middles) == 1 else middle)
    return path


def _draw_band(painter: QPainter, stroke: Stroke) -> None:
    columns = [column for _, column in stroke.points]
    reach = (stroke.size - 1) // 2
    left, right = min(columns) - reach, max(columns) + reach + 1
    pen = QPen(_DARK, 1.0)
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.setBrush(QColor(stroke.color))
    painter.drawRect(QRectF(left, _BAND[0], right - left, _BAND[1]))
