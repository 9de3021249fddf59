"""Labels that fit their text into the room there is."""

import html

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QLabel, QWidget


def as_tip(text: str) -> str:
    """Return a tool tip that shows a text as it is: Qt takes some of them for markup."""
    return f"<qt>{html.escape(text)}</qt>" if "<" in text else text


class ElidedLabel(QLabel):
    """Shows one line of plain text, the first that fits; the first is the tip of any other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._whole, self._shorter = "", tuple[str, ...]()

    def show_text(self, text: str, *shorter: str) -> None:
        """Show a text, or the longest of shorter ones that fits; the last is cut if none does."""
        self._whole, self._shorter = text, shorter
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
        metrics, texts = self.fontMetrics(), (self._whole, *self._shorter)
        fitting = (text for text in texts if metrics.horizontalAdvance(text) <= self.width())
        cut = metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, self.width())
        shown = next(fitting, cut)
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
