"""A window that the user draws on a picture, and the true one over it."""

from typing import Any

from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QBrush, QColor, QFont, QPainter, QPainterPath, QPen
from PyQt6.QtWidgets import QGraphicsItem

from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.glimpse import on_screen
from latviz.app.widgets.painting import CENTER, scaled, text_height, text_width

_ABOVE_GLIMPSES = 211
_DARK, _LIGHT = "#101317", "#ffffff"
_THICK, _THIN = 4.0, 1.6
_PAD, _APART = 4.0, 4.0
_SHADE = 120
"""The opacity of the gap, of 255."""


class GuessedWindow(QGraphicsItem):
    """Two windows on a canvas, each with a text; the area in only one is shaded."""

    # The guessed one is dashed, the true one is not. Both show on any ground

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas.box)
        self._canvas, self._box = canvas, canvas.box
        # in columns and rows of the picture; may be empty
        self.guess, self.truth = QRectF(), QRectF()
        self._texts = "", ""
        self._color = QColor()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(_ABOVE_GLIMPSES)
        self.setVisible(False)
        canvas.viewed.connect(self._refresh)
        canvas.box.sigResized.connect(lambda *_: self._refresh())

    def show_windows(
        self, guess: QRectF, truth: QRectF, texts: tuple[str, str], shade: QColor
    ) -> None:
        """Draw the windows that are not empty; ``texts`` are their labels."""
        self.guess, self.truth, self._texts = guess, truth, texts
        self._color = QColor(shade)
        self._color.setAlpha(_SHADE)
        self.setVisible(not (guess.isEmpty() and truth.isEmpty()))
        self._refresh()

    @property
    def gap(self) -> QPainterPath:
        """The area inside exactly one of the windows, in the picture's coordinates."""
        outlines = QPainterPath(), QPainterPath()
        if not (self.guess.isEmpty() or self.truth.isEmpty()):
            for path, window in zip(outlines, (self.guess, self.truth), strict=True):
                path.addRect(window)
        first, second = outlines
        return first.subtracted(second).united(second.subtracted(first))

    def boundingRect(self) -> QRectF:
        """Cover all that is in view."""
        return QRectF(0, 0, self._box.width(), self._box.height())

    def paint(self, painter: QPainter | None, *_: Any) -> None:
        """Shade the gap, and draw the outlines and texts."""
        assert painter is not None
        painter.setClipRect(self.boundingRect())
        painter.fillPath(self._gap_on_screen(), QBrush(self._color))
        windows = (self.guess, True), (self.truth, False)
        for (window, dashed), text in zip(windows, self._texts, strict=True):
            if not window.isEmpty():
                drawn = on_screen(self._box, window)
                _draw_outline(painter, drawn, dashed=dashed)
                self._draw_text(painter, self._ground(drawn, text, above=dashed), text)

    def _gap_on_screen(self) -> QPainterPath:
        path = QPainterPath()
        for polygon in self.gap.toFillPolygons():
            path.addPolygon(self._box.mapFromView(polygon))
        return path

    def _font(self) -> QFont:
        return scaled(self._canvas.font(), bold=True)

    def _ground(self, drawn: QRectF, text: str, *, above: bool) -> QRectF:
        """Return the rectangle of a text: above its window or below it, as far as it is in view."""
        room = self.boundingRect().adjusted(3, 3, -3, -3)
        width, height = text_width(self._font(), text) + 2 * _PAD, text_height(self._font()) + _PAD
        left = drawn.center().x() - width / 2
        top = drawn.top() - _APART - height if above else drawn.bottom() + _APART
        x = max(room.left(), min(left, room.right() - width))
        y = max(room.top(), min(top, room.bottom() - height))
        return QRectF(x, y, width, height)

    def _draw_text(self, painter: QPainter, ground: QRectF, text: str) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font())
        painter.setPen(QPen(QColor(_LIGHT), 1.0))
        painter.setBrush(QColor(_DARK))
        painter.drawRoundedRect(ground, 3, 3)
        painter.drawText(ground, CENTER, text)
        painter.restore()

    def _refresh(self) -> None:
        if self.isVisible():
            self.prepareGeometryChange()
            self.update()


def _draw_outline(painter: QPainter, drawn: QRectF, *, dashed: bool) -> None:
    """Draw a light line on a dark one."""
    for color, width in ((_DARK, _THICK), (_LIGHT, _THIN)):
        pen = QPen(QColor(color), width, join=Qt.PenJoinStyle.MiterJoin)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if dashed and color == _LIGHT:
            pen.setDashPattern([4.0, 3.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(drawn)
