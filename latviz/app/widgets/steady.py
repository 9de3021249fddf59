"""A place for widgets that change often."""

from PyQt6.QtCore import QEvent, QSize
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QWidget


class Steady(QWidget):
    """Holds a widget, and asks for room again only if that needs more than it ever did."""

    # Qt lays out a window and all its docks again whenever a text in it changes, which takes longer
    # than a picture

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content, self._least = content, QSize()
        self.setSizePolicy(content.sizePolicy())
        content.setParent(self)  # and in no layout, which would pass on what it asks for
        self._grow()

    def sizeHint(self) -> QSize:
        """Ask for what the content wants."""
        return self._content.sizeHint().expandedTo(self._least)

    def minimumSizeHint(self) -> QSize:
        """Ask for the most that the content ever needed."""
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
        """Measure anew what is written in another font."""
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
