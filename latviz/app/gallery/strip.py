"""A row of small pictures, or several rows where there is room."""

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QResizeEvent, QWheelEvent
from PyQt6.QtWidgets import QAbstractItemView, QFrame, QListView

from latviz.app.gallery.delegate import ShelfDelegate


class ShelfStrip(QListView):
    """The small pictures: one row, which the wheel moves along, or several where there is room."""

    def __init__(self, delegate: ShelfDelegate) -> None:
        super().__init__()
        self._drawn = delegate
        self.setItemDelegate(delegate)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._wrap(False)

    @property
    def room(self) -> QSize:
        """The size of one of them."""
        return self._drawn.room(self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Arrange them in one row, or in several if there is room for two."""
        wraps = self.height() >= 2 * self.room.height()
        if wraps != self.isWrapping():
            self._wrap(wraps)
        super().resizeEvent(event)

    def _wrap(self, wraps: bool) -> None:
        never, usual = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setWrapping(wraps)
        self.setVerticalScrollBarPolicy(usual if wraps else never)
        self.setHorizontalScrollBarPolicy(never if wraps else usual)

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Move along a single row."""
        bar = self.horizontalScrollBar()
        if event is None or self.isWrapping() or bar is None or event.angleDelta().y() == 0:
            super().wheelEvent(event)
            return
        bar.setValue(bar.value() - event.angleDelta().y())
        event.accept()
