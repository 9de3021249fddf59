"""A line drawn around a part of a plot, with Shift and the mouse."""

from PyQt6.QtCore import QObject, QPointF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QMouseEvent, QPainterPath, QPen
from PyQt6.QtWidgets import QGraphicsPathItem


class Lasso(QObject):
    """Follows the mouse from a press with Shift to the release; draws the line.

    Signals
    -------
    closed(list of QPointF)
        The corners, in the plot's own coordinates; three or more.
    """

    closed = pyqtSignal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.item = QGraphicsPathItem()
        self.item.setZValue(200)
        self._points: list[QPointF] = []

    def draw_theme(self, color: QColor) -> None:
        """Draw the line in a colour."""
        pen = QPen(color, 1.5, Qt.PenStyle.DashLine)
        pen.setCosmetic(True)
        self.item.setPen(pen)

    def begins(self, event: QMouseEvent) -> bool:
        """Return True if a press begins a line."""
        shift = Qt.KeyboardModifier.ShiftModifier
        return event.button() == Qt.MouseButton.LeftButton and bool(event.modifiers() & shift)

    @property
    def drawing(self) -> bool:
        """Whether a line is being drawn."""
        return bool(self._points)

    def add(self, point: QPointF) -> None:
        """Draw the line to a point."""
        self._points.append(point)
        path = QPainterPath(self._points[0])
        for corner in self._points[1:]:
            path.lineTo(corner)
        self.item.setPath(path)

    def close(self) -> None:
        """Tell of the line, and take it away."""
        points, self._points = self._points, []
        self.item.setPath(QPainterPath())
        if len(points) >= 3:
            self.closed.emit(points)
