"""Parts that the pages of the lesson panel share."""

from collections.abc import Sequence

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLayout, QScrollArea, QWidget

from latviz.app.docking.docks import scrolled
from latviz.app.widgets import layouts
from latviz.app.widgets.elided import WrappedLabel

HEADING, TEXT = 1.4, 1.1
"""The size of headings and of texts, by that of all text."""


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
    """Return a page and what scrolls its parts; buttons, and what is ``between``, stay below."""
    made, said = QWidget(), QWidget()
    layouts.column(*parts, 1, of=said, margins=(10, 8, 10, 8), spacing=10)
    area = scrolled(said)
    row = layouts.row(*buttons, margins=(10, 4, 10, 8))
    layouts.column((area, 1), *between, row, of=made)
    return made, area


def fit(made: WrappedLabel, size: float, scale: float, *, bold: bool = False) -> None:
    """Give a label a size of text, by style sheets: those of the window would replace fonts."""
    made.setStyleSheet(f"font-size: {size * scale:g}pt" + ("; font-weight: bold" * bold))
