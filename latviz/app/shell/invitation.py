"""A hint below the menus about the first step."""

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QWidget

from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.elided import ElidedLabel


class Invitation(QWidget):
    """A button, and a text on its effect."""

    def __init__(self, action: str, tip: str, text: str) -> None:
        super().__init__()
        self.setProperty("strip", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.button, self.text = small_button(action, tip), ElidedLabel()
        self.text.show_text(text)
        layouts.row(self.button, (self.text, 1), of=self, margins=(8, 4, 8, 4))
        self.hide()
