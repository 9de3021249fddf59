"""A window that the user draws on a picture, and the true one over it."""

from typing import Any

from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen

from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.glimpse import DARK, LIGHT, Overlay, on_screen

_ABOVE_GLIMPSES = 211
_THICK, _THIN = 4.0, 1.6
_SHADE = 120
"""The opacity of the gap, of 255."""


class GuessedWindow(Overlay):
    """Two windows on a canvas, each with a text; the area in only one is shaded."""

    # The guessed one is dashed, the true one is not. Both show on any ground

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, _ABOVE_GLIMPSES)
        # in columns and rows of the picture; may be empty
        self.guess, self.truth = QRectF(), QRectF()
        self._texts = "", ""
        self._color = QColor()

    def show_windows(
        self, guess: QRectF, truth: QRectF, texts: tuple[str, str], shade: QColor
    ) -> None:
        """Draw the windows that are not empty; ``texts`` are their labels."""
        self.guess, self.truth, self._texts = guess, truth, texts
        self._color = QColor(shade)
        self._color.setAlpha(_SHADE)
        self.setVisible(not (guess.isEmpty() and truth.isEmpty()))
        self._place()

    @property
    def gap(self) -> QPainterPath:
        """The area inside exactly one of the windows, in the picture's coordinates."""
        outlines = QPainterPath(), QPainterPath()
        if not (self.guess.isEmpty() or self.truth.isEmpty()):
            for path, window in zip(outlines, (self.guess, self.truth), strict=True):
                path.addRect(window)
        first, second = outlines
        return first.subtracted(second).united(second.subtracted(first))

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
                ground = self._ground(drawn, text, "above" if dashed else "below")
                self._write(painter, ground, text)

    def _gap_on_screen(self) -> QPainterPath:
        path = QPainterPath()
        for polygon in self.gap.toFillPolygons():
            path.addPolygon(self._box.mapFromView(polygon))
        return path


def _draw_outline(painter: QPainter, drawn: QRectF, *, dashed: bool) -> None:
    """Draw a light line on a dark one."""
    for color, width in ((DARK, _THICK), (LIGHT, _THIN)):
        pen = QPen(QColor(color), width, join=Qt.PenJoinStyle.MiterJoin)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if dashed and color == LIGHT:
            pen.setDashPattern([4.0, 3.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(drawn)
