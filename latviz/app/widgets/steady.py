"""A place for widgets that change often."""

from PyQt6.QtCore import QEvent, QSize
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QWidget


class Steady(QWidget):
    """Holds a widget, and requests more room only if that needs more than ever before."""

    # Qt lays out a window and all its docks again whenever a text in it changes, which takes longer
    # than a picture

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content, self._least = content, QSize()
        self.setSizePolicy(content.sizePolicy())
        content.setParent(self)  # in no layout, which would pass on its requests
        self._grow()

    def sizeHint(self) -> QSize:
        """Return the size of the content."""
        return self._content.sizeHint().expandedTo(self._least)

    def minimumSizeHint(self) -> QSize:
        """Return the largest size that the content ever needed."""
        return self._least

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Give the content all the room."""
        super().resizeEvent(event)
        self._content.setGeometry(self.rect())

    def event(self, event: QEvent | None) -> bool:
        """Pass on that the content asks for room, if there is not enough."""
        if event is not None and event.type() == QEvent.Type.LayoutRequest:
            self._grow()
        return super().event(event)

    def changeEvent(self, event: QEvent | None) -> None:
        """Measure again after a change of font."""
        super().changeEvent(event)
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._least = QSize()
            self._grow()

    def _grow(self) -> None:
        content = self._content
        needed = content.minimumSizeHint().expandedTo(content.minimumSize())
        if needed != needed.boundedTo(self._least):
            self._least = self._least.expandedTo(needed)
            self.updateGeometry()
