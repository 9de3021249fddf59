"""Buttons with a small picture, in as many columns as there is room for."""

import textwrap
from collections.abc import Iterable

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QIcon, QPixmap, QResizeEvent
from PyQt6.QtWidgets import QGridLayout, QSizePolicy, QToolButton, QWidget

PICTURE = 64
"""The side of a small picture, in pixels."""
CAPTION = 18
"""Letters in a line of a caption, approximately: longer ones continue in the next line."""
GAP = 8


def tile(text: str, tip: str) -> QToolButton:
    """Return a button with room for a small picture, and below it all of its caption."""
    button = QToolButton()
    button.setObjectName("tile")
    button.setText(textwrap.fill(text, CAPTION))
    button.setAccessibleName(text)
    button.setToolTip(tip)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
    button.setIconSize(QSize(PICTURE, PICTURE))
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    blank = QPixmap(PICTURE, PICTURE)
    blank.fill(Qt.GlobalColor.transparent)
    button.setIcon(QIcon(blank))
    return button


class Tiles(QWidget):
    """Buttons in a grid, which has as many columns as there is room for."""

    def __init__(self, buttons: Iterable[QWidget]) -> None:
        super().__init__()
        self._buttons, self._columns = list(buttons), 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self._arrange(len(self._buttons))

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of one button."""
        widest = max(button.sizeHint().width() for button in self._buttons)
        return QSize(widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Arrange the buttons again."""
        super().resizeEvent(event)
        widest = max(button.sizeHint().width() for button in self._buttons)
        room = (self.width() + GAP) // (widest + GAP)
        self._arrange(min(max(1, room), len(self._buttons)))

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for k, button in enumerate(self._buttons):
            self._grid.addWidget(button, *divmod(k, columns))
