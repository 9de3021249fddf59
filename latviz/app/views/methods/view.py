"""What other methods found in the picture on screen: small state maps with their scores."""

from collections.abc import Sequence
from typing import Self

from PyQt6.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QIcon, QResizeEvent
from PyQt6.QtWidgets import QFrame, QListView, QListWidget, QListWidgetItem, QWidget

from latviz.app.views.base import View
from latviz.app.widgets import layouts
from latviz.app.widgets.lifetimes import pixmap_of
from latviz.app.widgets.shortcuts import add_shortcut, keyed
from latviz.app.widgets.tables import note_over
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.methods import Labelled
from latviz.engine.frames.thumbnail import MAP_SIDE, small_map

INVITATION = "“Race all” labels the picture with other methods. Click one to compare it."
_AROUND = 8
"""Pixels around a map and its words."""
COMPARE = keyed("Compare it with the states on screen, or no longer (`Space`)")


class MethodsView(View):
    """The labels of other methods; a click makes one the reference, or no longer."""

    TITLE = "Other methods"
    COVERED = False
    SIZE = (600, 200)
    KEYS = keyed("Arrow keys move between the methods, `Space` compares one with the states.")

    compared = pyqtSignal(object)  # Labelled, to be the reference or no longer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.labelled: tuple[Labelled, ...] = ()
        self._drawn: tuple[object, ...] = ()
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setSpacing(4)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.nothing = note_over(self.list, INVITATION)
        layouts.column(self.list, of=self)
        self.take_keyboard(self.list)
        self.list.itemClicked.connect(lambda _: self.compare())
        add_shortcut(self.list, "Space", self.compare, alone=True)

    def minimumSizeHint(self) -> QSize:
        """Ask for one small map with its words."""
        return QSize(150, 120)

    @property
    def chosen_one(self) -> Labelled | None:
        """The method that has the mark of the keyboard, or was clicked."""
        row = self.list.currentRow()
        return self.labelled[row] if 0 <= row < len(self.labelled) else None

    def compare(self) -> None:
        """Ask to compare the chosen one, or no longer."""
        if self.chosen_one is not None:
            self.compared.emit(self.chosen_one)

    def is_reference(self, one: Labelled) -> bool:
        """Return True if the states on screen are compared with a method."""
        return self.state.compared is not None and self.state.compared.by == one.frame.by

    def in_words(self, _frame: Frame) -> str:
        """Return what each method found."""
        each = (f"{one.frame.by}: {one.details}" for one in self.labelled)
        return f"{'. '.join(each)}." if self.labelled else INVITATION

    def show_labelled(self, labelled: Sequence[Labelled]) -> None:
        """Take what methods found."""
        self.labelled = tuple(labelled)
        self._refresh()

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the same methods."""
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.labelled = shown.labelled
        super().show_as_figure(shown, scale)

    def draw_frame(self) -> None:
        """Show the methods, unless the same are shown already."""
        names = [self._name_of(one) for one in self.labelled]
        if (self.labelled, names) == self._drawn:
            return
        self._drawn, row = (self.labelled, names), self.list.currentRow()
        self.nothing.setVisible(not self.labelled)
        with QSignalBlocker(self.list):
            self.list.clear()
            for one, name in zip(self.labelled, names, strict=True):
                small = pixmap_of(small_map(one.frame, self.state.slice))
                icon = QIcon(small)
                icon.addPixmap(small, QIcon.Mode.Selected)  # else its colours would be tinted
                item = QListWidgetItem(icon, name)
                item.setToolTip(f"{one.frame.by}: {one.details}. {one.about}. {COMPARE}")
                self.list.addItem(item)
            self.list.setCurrentRow(row)
        self._fit()

    def _name_of(self, one: Labelled) -> str:
        name = f"{one.frame.by}\n{one.score}"
        return f"{name}\nReference" if self.is_reference(one) else name

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Fit the maps."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Make the maps as large as all have room, with their lines below."""
        names, words = [self._name_of(one) for one in self.labelled] or [""], self.fontMetrics()
        wide = max(words.horizontalAdvance(line) for name in names for line in name.split("\n"))
        least, lines = wide + 2 * _AROUND, 3 * words.height()
        most = max(1, min(len(names), self.width() // least))
        side = max(
            min(self.width() // n - 2 * _AROUND, self.height() // -(-len(names) // n) - lines - 16)
            for n in range(1, most + 1)
        )
        side = min(max(side, 48), MAP_SIDE)
        self.list.setIconSize(QSize(side, side))
        self.list.setGridSize(QSize(max(side, wide) + _AROUND, side + lines + _AROUND))
