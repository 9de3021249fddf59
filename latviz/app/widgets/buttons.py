"""Buttons with a text and a tip."""

from PyQt6.QtWidgets import QPushButton


def button(text: str, tip: str, name: str = "") -> QPushButton:
    """Return a button, called ``name`` in words if its text does not tell it from others."""
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
