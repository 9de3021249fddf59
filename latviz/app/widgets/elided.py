"""Labels that fit their text into the room there is."""

import html

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QLabel, QWidget


def as_tip(text: str) -> str:
    """Return a tool tip that shows a text as it is: Qt takes some of them for markup."""
    return f"<qt>{html.escape(text)}</qt>" if "<" in text else text


class ElidedLabel(QLabel):
    """Shows one line of plain text; all of it is in the tool tip when it is cut."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._whole = ""

    def show_text(self, text: str) -> None:
        """Show a text."""
        self._whole = text
        self.setAccessibleName(text)
        self._elide()

    def whole_text(self) -> str:
        """Return the text that is shown, uncut."""
        return self._whole

    def minimumSizeHint(self) -> QSize:
        """Ask for no width of its own."""
        return QSize(0, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask for no width of its own."""
        return QSize(0, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Cut the text anew."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        mode = Qt.TextElideMode.ElideRight
        shown = self.fontMetrics().elidedText(self._whole, mode, self.width())
        self.setText(shown)
        self.setToolTip(as_tip(self._whole) if shown != self._whole else "")


class WrappedLabel(QLabel):
    """Text on as many lines as it takes; form layouts alone would give it too few."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)

    def show_text(self, text: str) -> None:
        """Show a text."""
        self.setText(text)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Make room for the lines that the new width leads to."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        self.setMinimumHeight(0)  # else Qt counts what it was before
        self.setMinimumHeight(max(0, self.heightForWidth(self.width())))  # -1: it is empty
