"""Asking for the name and the colour of a state."""

from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QColorDialog, QWidget

from latviz.app.shell.dialogs import ask_line
from latviz.engine.settings.appearance import LONGEST


def ask_name(parent: QWidget, state: str, name: str) -> str | None:
    """Ask for a state's name; return it, "" for none, or None on Cancel."""
    prompt = f"The name of {state}. Leave it empty to show only its number."
    return ask_line(parent, "Name a state", prompt, name, "Name of the state", LONGEST)


def ask_color(parent: QWidget, state: str, color: QColor) -> str | None:
    """Ask for the colour of a state; return "#rrggbb", or None on Cancel."""
    chosen = QColorDialog.getColor(color, parent, f"The colour of {state}")
    return chosen.name() if chosen.isValid() else None
