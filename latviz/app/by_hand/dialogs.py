"""Asking for the name and the colour of a state."""

from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QColorDialog, QInputDialog, QLineEdit, QWidget

from latviz.engine.settings.appearance import LONGEST


def ask_name(parent: QWidget, state: str, name: str) -> str | None:
    """Ask what a state is called; return its name, "" for none, or None if nothing changes."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle("Name a state")
    dialog.setLabelText(f"What {state} is called; empty: it has its number alone.")
    dialog.setTextValue(name)
    field = dialog.findChild(QLineEdit)
    if field is not None:
        field.setMaxLength(LONGEST)
        field.setAccessibleName("Name of the state")
    accepted = dialog.exec()
    text = dialog.textValue()
    dialog.deleteLater()
    return "".join(filter(str.isprintable, text)).strip() if accepted else None


def ask_color(parent: QWidget, state: str, color: QColor) -> str | None:
    """Ask for the colour of a state; return "#rrggbb", or None if nothing changes."""
    chosen = QColorDialog.getColor(color, parent, f"The colour of {state}")
    return chosen.name() if chosen.isValid() else None
