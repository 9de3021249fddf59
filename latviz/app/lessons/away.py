"""The line that says that something is not as a step set it, and offers to set it again."""

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QPushButton, QWidget

from latviz.app.widgets import layouts
from latviz.app.widgets.elided import WrappedLabel


class AwayBar(QWidget):
    """Hidden while all is as it was set."""

    returned = pyqtSignal()  # set all again

    def __init__(self, back: str) -> None:
        super().__init__()
        self.said, self.button = WrappedLabel(), QPushButton(back)
        self.said.setProperty("muted", True)
        self.button.setToolTip("Set all as it was set here")
        self.button.clicked.connect(self.returned)
        layouts.row((self.said, 1), self.button, of=self, margins=(10, 4, 10, 0))
        self.say("")

    def say(self, text: str) -> None:
        """Say what is not as it was set; or nothing."""
        self.said.show_text(text)
        self.setVisible(bool(text))
