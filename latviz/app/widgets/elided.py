"""Labels that fit their text into the room there is."""

import html
import re

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QLabel, QWidget


def as_tip(text: str) -> str:
    """Return a tool tip that shows a text literally: Qt reads some texts as markup."""
    return f"<qt>{html.escape(text)}</qt>" if "<" in text else text


LINE = 70
"""Characters of a line in a paragraph, at most."""


class ElidedLabel(QLabel):
    """Shows one line of plain text, the first that fits; the first is the tip of any other.

    A text of several sentences loses the last ones first. With `take_lines` it has more lines.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._whole, self._shorter, self._n_lines = "", tuple[str, ...](), 1

    def take_lines(self, n_lines: int) -> None:
        """Use some lines, for which its owner makes room."""
        if n_lines != self._n_lines:
            self._n_lines = n_lines
            self._elide()

    def show_text(self, text: str, *shorter: str) -> None:
        """Show a text, or the longest of shorter ones that fits; the last is cut if none does."""
        self._whole, self._shorter = text, shorter
        self.setAccessibleName(text)
        self._elide()

    def whole_text(self) -> str:
        """Return the text that is shown, uncut."""
        return self._whole

    def minimumSizeHint(self) -> QSize:
        """Return no minimum width."""
        return QSize(0, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Return no width."""
        return QSize(0, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Shorten the text again."""
        super().resizeEvent(event)
        self._elide()

    def _fits(self, text: str) -> bool:
        metrics, width = self.fontMetrics(), self.width()
        if self._n_lines == 1:
            return metrics.horizontalAdvance(text) <= width
        wrap = Qt.TextFlag.TextWordWrap.value
        needed = metrics.boundingRect(0, 0, width, 1 << 20, wrap, text)
        n_lines = round(needed.height() / metrics.lineSpacing())  # both are rounded
        return needed.width() <= width and n_lines <= self._n_lines

    def _elide(self) -> None:
        metrics, texts = self.fontMetrics(), (self._whole, *(self._shorter or _fewer(self._whole)))
        fitting = (text for text in texts if self._fits(text))
        cut = metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, self.width())
        shown = next(fitting, cut)
        self.setWordWrap(metrics.horizontalAdvance(shown) > self.width())
        self.setText(shown)
        self.setToolTip(as_tip(self._whole) if shown != self._whole else "")


def _fewer(text: str) -> list[str]:
    """Return a text of several sentences without the last one, without the last two, ..."""
    ends = [one.start() + 1 for one in re.finditer(r"\. (?=[A-Z\d])", text)]
    return [text[:end] for end in reversed(ends)]


class Paragraph(QLabel):
    """Wrapped text in lines of readable length, for any width of the label."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)

    def line_width(self, width: int) -> int:
        """Return the width of the lines in a label, in pixels."""
        return min(width, LINE * self.fontMetrics().averageCharWidth())

    def sizeHint(self) -> QSize:
        """Return the size of lines as long as they may be."""
        width = self.line_width(self.fontMetrics().horizontalAdvance(self.text()))
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Return the least size of the lines, without the space right of them."""
        return super().minimumSizeHint() - QSize(self.contentsMargins().right(), 0)

    def heightForWidth(self, width: int) -> int:
        """Return the height of the lines that a width of the label gives."""
        return super().heightForWidth(self.line_width(width) + self.contentsMargins().right())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Leave the space beyond the longest line empty."""
        super().resizeEvent(event)
        self.setContentsMargins(0, 0, self.width() - self.line_width(self.width()), 0)


class WrappedLabel(Paragraph):
    """Text on as many lines as it takes; form layouts alone would give it too few."""

    def show_text(self, text: str) -> None:
        """Show a text."""
        self.setText(text)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Make room for the lines that the new width leads to."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        self.setMinimumHeight(0)  # otherwise Qt uses the old height
        self.setMinimumHeight(max(0, self.heightForWidth(self.width())))  # -1: it is empty
