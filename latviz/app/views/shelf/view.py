"""The shelf: small pictures of many files, which are shown and ticked here."""

from collections.abc import Callable
from typing import Self

from PyQt6.QtCore import QModelIndex, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QLabel, QWidget

from latviz.app.gallery.delegate import ShelfDelegate
from latviz.app.gallery.strip import ShelfStrip
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.views.base import View
from latviz.app.views.shelf.model import ShelfModel
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.shortcuts import keyed
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.shelf import Shelf
from latviz.engine.settings.state import State

_NOTHING = "No folder is open. Use File ▸ Open a folder, or drop several images."


def alone(frame: Frame | None) -> str:
    """Return a text for when no folder is open."""
    return "No folder is open." if frame is None else f"{frame.request.picture.name} is open alone."


class ShelfView(View):
    """The files of the shelf; a click shows one."""

    TITLE = "Shelf"
    COVERED = False
    KEYS = keyed(
        "Arrow keys move between images, `Enter` shows one, `Space` ticks it for learning."
    )

    wanted = pyqtSignal(int)  # the file to show
    toggled = pyqtSignal(int)  # the file to learn from, or no longer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model, self.delegate = ShelfModel(), ShelfDelegate()
        self.strip = ShelfStrip(self.delegate)
        self.model.setParent(self.strip)  # else it may go first, and the strip selects in nothing
        self.strip.setModel(self.model)
        self.nothing = QLabel(_NOTHING)
        self.nothing.setWordWrap(True)
        self.nothing.setProperty("muted", True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layouts.column(self.strip, of=self)
        layouts.column(self.nothing, of=self.strip.viewport(), margins=None)
        self._shelf: Callable[[], Shelf | None] = lambda: self.state.shelf
        self._reason: Callable[[], str] = lambda: ""
        self.model.toggled.connect(self.toggled)
        self.model.modelReset.connect(self._mark_shown)
        self.strip.clicked.connect(self._click)
        self.take_keyboard(self.strip)

    def begin(
        self, thumbnails: Thumbnails, shelf: Callable[[], Shelf | None], reason: Callable[[], str]
    ) -> None:
        """Take thumbnails, and functions that return the shelf and the reason against ticking."""
        self._shelf, self._reason = shelf, reason
        self.model.begin(thumbnails)

    @property
    def chosen(self) -> list[int]:  # type: ignore[override]
        """The files that are chosen, as places on the shelf."""
        return sorted(self.model.items[index.row()] for index in self.strip.selectedIndexes())

    def in_words(self, _frame: Frame | None = None) -> str:
        """Return the numbers of files and of learned ones, and the shown one."""
        shelf = self._shelf()
        if shelf is None:
            return alone(self.frame)
        n = len(shelf.entries)
        text = f"{n:,} image{'s' * (n != 1)}; the model learns from {len(shelf.ticked):,}"
        return f"{text}; {shelf.entry.name} is on screen."

    def describe(self) -> None:
        """Describe the files, before there is a frame, too."""
        self.keyboard.setAccessibleDescription(f"{self.in_words()} {self.KEYS}")

    def show_state(self, state: State) -> None:
        """Take the state."""
        super().show_state(state)
        self.refresh()

    def refresh(self) -> None:
        """Show the current ticks and the shown file."""
        shelf, before = self._shelf(), self.model.row_of_shown()
        self.model.show_shelf(shelf, self._reason())
        self.nothing.setVisible(shelf is None)
        if self.model.row_of_shown() != before:
            self._mark_shown()
        self.describe()

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the visible part."""
        if shown.model.thumbnails is not None:
            self.begin(shown.model.thumbnails, shown._shelf, shown._reason)
        super().show_as_figure(shown, scale)

    def sizeHint(self) -> QSize:
        """Return the size it has in the window by default."""
        return QSize(600, self.strip.room.height() + 20)

    def draw_theme(self) -> None:
        """Draw the files with other colours."""
        self.delegate.theme = self.theme
        viewport = self.strip.viewport()
        assert viewport is not None
        viewport.update()

    def _mark_shown(self) -> None:
        """Choose the file that is shown, and bring it into sight."""
        row = self.model.row_of_shown()
        if row >= 0:
            index = self.model.index(row, 0)
            self.strip.setCurrentIndex(index)
            self.strip.scrollTo(index)

    def _click(self, index: QModelIndex) -> None:
        if self.delegate.has_toggled:
            self.delegate.has_toggled = False
        elif index.isValid():
            self.wanted.emit(self.model.items[index.row()])

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Show a file with Enter."""
        index = self.strip.currentIndex()
        if keys.is_enter(event) and index.isValid():
            self.wanted.emit(self.model.items[index.row()])
        else:
            super().keyPressEvent(event)
