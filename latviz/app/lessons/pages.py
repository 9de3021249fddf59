"""Parts that the pages of the lesson panel share."""

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QPushButton

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


def button(text: str, tip: str) -> QPushButton:
    """Return a button."""
    made = QPushButton(text)
    made.setToolTip(tip)
    return made


def fit(made: WrappedLabel, size: float, scale: float, *, bold: bool = False) -> None:
    """Give a label a size of text, by style sheets: those of the window would replace fonts."""
    made.setStyleSheet(f"font-size: {size * scale:g}pt" + ("; font-weight: bold" * bold))
