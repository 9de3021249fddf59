"""A message across the window, in its own space, which can be dismissed."""

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QFrame, QLabel, QPushButton

from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import cross
from latviz.app.widgets.shortcuts import keyed
from latviz.app.work.activity import Failure, Remedy


class Banner(QFrame):
    """Shows one failure at a time, and takes no room else; its details can be copied."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self._failure: Failure | None = None
        self.label = QLabel()
        self.label.setTextFormat(Qt.TextFormat.PlainText)  # a file's name may look like markup
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy_button = QPushButton("Copy details")
        self.copy_button.setToolTip("Copy the message and the traceback")
        self.remedy_button, self.other_button = QPushButton(), QPushButton()
        self.close_button = cross(keyed("Dismiss this message (`Esc`)"), "Dismiss")
        buttons = (self.remedy_button, self.other_button, self.copy_button, self.close_button)
        layouts.row((self.label, 1), *buttons, of=self, margins=(12, 6, 8, 6))
        self.copy_button.clicked.connect(self._copy)
        self.remedy_button.clicked.connect(lambda: self._act(self._remedies[0]))
        self.other_button.clicked.connect(lambda: self._act(self._remedies[1]))
        self.close_button.clicked.connect(self.hide)
        self.hide()

    def show_failure(self, failure: Failure) -> None:
        """Show a message; an older one is replaced."""
        self._failure = failure
        self.label.setText(failure.message)
        self.copy_button.setVisible(bool(failure.details))
        buttons = self.remedy_button, self.other_button
        for button, remedy in zip(buttons, self._remedies, strict=True):
            button.setVisible(remedy is not None)
            button.setText(remedy.text if remedy is not None else "")
        self.show()

    def withdraw(self, failure: Failure) -> None:
        """Hide a message that is no longer true, if it is the one that is shown."""
        if self._failure is failure:
            self.hide()

    @property
    def _remedies(self) -> tuple[Remedy | None, Remedy | None]:
        return (self._failure.remedy, self._failure.other) if self._failure else (None, None)

    def _act(self, remedy: Remedy | None) -> None:
        self.hide()
        if remedy is not None:
            remedy.act()

    def _copy(self) -> None:
        clipboard = QGuiApplication.clipboard()
        assert clipboard is not None
        details = self._failure.details if self._failure is not None else ""
        clipboard.setText(f"{self.label.text()}\n\n{details}")
