"""Buttons with a text or a sign, and a tip."""

from PyQt6.QtWidgets import QPushButton, QToolButton


def button(text: str, tip: str, name: str = "") -> QPushButton:
    """Return a button, with the accessible name ``name`` if its text is ambiguous."""
    made = QPushButton(text)
    made.setToolTip(tip)
    if name:
        made.setAccessibleName(name)
    return made


def small_button(text: str, tip: str, name: str = "") -> QPushButton:
    """Return a button for a line of controls."""
    made = button(text, tip, name)
    made.setProperty("small", True)
    return made


def link(text: str, tip: str) -> QPushButton:
    """Return a button that looks like a text to click, for a line of text."""
    made = button(text, tip)
    made.setProperty("link", True)
    return made


def cross(tip: str, name: str) -> QToolButton:
    """Return a button that closes something."""
    made = QToolButton()
    made.setText("✕")
    made.setAutoRaise(True)
    made.setToolTip(tip)
    made.setAccessibleName(name)
    return made
