"""A lasso on a plot: a line with Shift, a rectangle with Ctrl."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QImage, QMouseEvent, QPainterPath, QPen, QPolygonF

from latviz.app.widgets.lifetimes import painting_on
from latviz.app.widgets.painting import ScreenPathItem
from latviz.engine.geometry.signature_space import Corners

_LINE, _RECTANGLE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class Lasso(QObject):
    """Follows the mouse from a press with Shift or Ctrl to the release, and draws its path."""

    # list of QPointF: three or more corners, in coordinates of the plot
    closed = pyqtSignal(object)
    clicked = pyqtSignal(object)  # QPointF: the path encloses nothing

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.item, self.picked = ScreenPathItem(), ScreenPathItem()
        for item in (self.item, self.picked):
            item.setZValue(200)
            item.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._points: list[QPointF] = []
        self._rectangle = False

    def draw_theme(self, color: QColor, picked: QColor) -> None:
        """Draw the line in one colour, and the highlight in another."""
        for item, pen in (
            (self.item, QPen(color, 1.5, Qt.PenStyle.DashLine)),
            (self.picked, QPen(picked, 2.0)),
        ):
            item.setPen(pen)

    def begins(self, event: QMouseEvent) -> bool:
        """Return True if a press begins a line or a rectangle."""
        self._rectangle = bool(event.modifiers() & _RECTANGLE)
        wanted = self._rectangle or bool(event.modifiers() & _LINE)
        return wanted and event.button() == Qt.MouseButton.LeftButton

    @property
    def drawing(self) -> bool:
        """True while the user draws."""
        return bool(self._points)

    def add(self, point: QPointF) -> None:
        """Draw to a point."""
        self._points.append(point)
        self.item.setPath(_path(self._corners(), closed=self._rectangle))

    def close(self) -> None:
        """Emit the drawn area, and clear the line."""
        start, corners, self._points = self._points[0], self._corners(), []
        self.item.setPath(QPainterPath())
        if len(corners) >= 3:
            self.closed.emit(corners)
        else:
            self.clicked.emit(start)

    def show_picked(self, corners: Iterable[tuple[float, float]]) -> None:
        """Outline the highlighted area; remove the outline if there are no corners."""
        self.picked.setPath(_path([QPointF(x, y) for x, y in corners], closed=True))

    def _corners(self) -> list[QPointF]:
        first, last = self._points[0], self._points[-1]
        if not self._rectangle:
            return self._points
        if first.x() == last.x() or first.y() == last.y():
            return [first, last]
        box = QRectF(first, last).normalized()
        return [box.bottomLeft(), box.bottomRight(), box.topRight(), box.topLeft()]


def touches(
    corners: Corners, counts: NDArray[np.int64], extent: tuple[float, float, float, float]
) -> bool:
    """Return True if a polygon reaches into a bin that is not empty.

    ``counts`` (rows, columns) are those of the bins of ``extent``: left, bottom, width, height.
    """
    rows, columns = counts.shape
    left, bottom, width, height = extent
    covered = QImage(columns, rows, QImage.Format.Format_Grayscale8)
    covered.fill(0)
    with painting_on(covered) as painter:
        painter.scale(columns / width, rows / height)
        painter.translate(-left, -bottom)
        pen = QPen(QColor("white"), 2.0)  # so that bins which the line only enters are covered too
        pen.setCosmetic(True)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)  # else a bin may be left out that a tip ends in
        painter.setPen(pen)
        painter.setBrush(QColor("white"))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    bits = covered.constBits()
    assert bits is not None
    lines = np.frombuffer(bits.asstring(covered.sizeInBytes()), np.uint8).reshape(rows, -1)
    return bool(counts[lines[:, :columns] > 0].any())


def _path(corners: Sequence[QPointF], *, closed: bool) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF(corners))
    if closed and corners:
        path.closeSubpath()
    return path
