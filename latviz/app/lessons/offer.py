"""The way from the first screen to the first lesson: one quiet line, until it is not needed."""

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QFrame

from latviz.app.shell.settings import Settings
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button, cross


class LessonOffer(QFrame):
    """Offers the first lesson until one was completed or the offer was dismissed."""

    taken = pyqtSignal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.button = button("New here? A first lesson", "Begin the first lesson")
        self.close_button = cross("Do not show this again", "Do not offer the first lesson again")
        layouts.row((self.button, 1), self.close_button, of=self, margins=(10, 4, 6, 8))
        self.button.clicked.connect(self.taken)
        self.close_button.clicked.connect(self._dismiss)

    def show_in(self, is_first: bool) -> None:
        """Show it in the first tab, if it is still needed."""
        self.setVisible(is_first and self._settings.offers_lesson)

    def _dismiss(self) -> None:
        self._settings.offers_lesson = False
        self.hide()
