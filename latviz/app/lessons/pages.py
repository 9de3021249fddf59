"""Parts that the pages of the lesson panel share."""

from collections.abc import Sequence
from itertools import pairwise

from PyQt6.QtCore import QEvent, QSize, Qt
from PyQt6.QtWidgets import QLayout, QPushButton, QScrollArea, QStackedWidget, QWidget

from latviz.app.docking.docks import scrolled
from latviz.app.widgets import layouts
from latviz.app.widgets.elided import WrappedLabel

HEADING, TEXT = 1.4, 1.1
"""The size of headings and of texts, by that of all text."""


class Pages(QStackedWidget):
    """Pages whose texts follow the size of all text; each has the width that it needs."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        """Ask for the room of the page on screen."""
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()

    def changeEvent(self, event: QEvent | None) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event is not None and event.type() == QEvent.Type.FontChange:
            self.fit_fonts(self.font().pointSizeF())

    def fit_fonts(self, size: float) -> None:
        """Give texts their sizes, by that of all text."""
        raise NotImplementedError


class AwayBar(QWidget):
    """A note that a setting was changed, with a button to restore it; hidden otherwise."""

    def __init__(self, back: str) -> None:
        super().__init__()
        self.text_label, self.button = WrappedLabel(), QPushButton(back)
        self.text_label.setProperty("muted", True)
        self.button.setToolTip("Restore the settings of this step")
        layouts.row((self.text_label, 1), self.button, of=self, margins=(10, 4, 10, 0))
        self.show_text("")

    def show_text(self, text: str) -> None:
        """Show a note about changed settings, or hide it if it is empty."""
        self.text_label.show_text(text)
        self.setVisible(bool(text))


def label(*, muted: bool = False) -> WrappedLabel:
    """Return a label for Markdown."""
    made = WrappedLabel()
    made.setTextFormat(Qt.TextFormat.MarkdownText)
    if muted:
        made.setProperty("muted", True)
    return made


def page(
    parts: Sequence[QWidget | QLayout], buttons: Sequence[layouts.Filling], *between: QWidget
) -> tuple[QWidget, QScrollArea]:
    """Return a page and the scroll area of its parts; ``between`` and buttons stay below."""
    made, inner = QWidget(), QWidget()
    layouts.column(*parts, 1, of=inner, margins=(10, 8, 10, 8), spacing=10)
    area = scrolled(inner)
    row = layouts.row(*buttons, margins=(10, 4, 10, 8))
    layouts.column((area, 1), *between, row, of=made)
    return made, area


def fit(made: WrappedLabel, size: float, scale: float, *, bold: bool = False) -> None:
    """Give a label a size of text, by style sheets: those of the window would replace fonts."""
    made.setStyleSheet(f"font-size: {size * scale:g}pt" + ("; font-weight: bold" * bold))


def follow_by_tab(*parts: QWidget) -> None:
    """Make Tab go from each part to the next; new parts would come after all others."""
    for part, following in pairwise(parts):
        QWidget.setTabOrder(part, following)


def give_keyboard(page: QWidget, part: QWidget) -> None:
    """Give the keyboard to a part of a page that is on screen."""
    if page.isVisible():
        part.setFocus(Qt.FocusReason.OtherFocusReason)


def clear(layout: QLayout) -> None:
    """Take all out of a layout, and delete it."""
    while (item := layout.takeAt(0)) is not None:
        if (old := item.widget()) is not None:
            discard(old)


def discard(part: QWidget) -> None:
    """Delete a part that left its layout."""
    part.hide()  # otherwise a layout would show it as a separate window for a moment
    part.setParent(None)
    part.deleteLater()
