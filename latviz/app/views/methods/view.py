"""What the states on screen can be compared with: a row each, with a small state map."""

from collections.abc import Sequence
from typing import Self

from PyQt6.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QIcon
from PyQt6.QtWidgets import QFrame, QTreeWidget, QTreeWidgetItem, QWidget

from latviz.app.views.base import View
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.lifetimes import pixmap_of
from latviz.app.widgets.shortcuts import add_shortcut, keyed
from latviz.app.widgets.tables import note_over
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.methods import Labelled
from latviz.engine.frames.requests import decoding_of
from latviz.engine.frames.thumbnail import small_map

INVITATION = (
    "“Keep as reference” gives the present settings a row here, “Race all” each other method. "
    "Click a row to compare it."
)
COMPARE = keyed("Compare it with the states on screen, or no longer (`Space`)")
USE = "Use these settings again"
_ICON = QSize(72, 54)
_TITLE, _SCORE, _USE = range(3)


class MethodsView(View):
    """Settings and other methods; a click makes one the reference, or no longer."""

    TITLE = "Compare"
    COVERED = False
    SIZE = (600, 200)
    KEYS = keyed("Arrow keys move between the rows, `Space` compares one with the states.")

    compared = pyqtSignal(object)  # Labelled, to be the reference or no longer
    used = pyqtSignal(object)  # Labelled, whose settings are to be used

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.labelled: tuple[Labelled, ...] = ()
        self._drawn: tuple[object, ...] = ()
        self.list = QTreeWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setRootIsDecorated(False)
        self.list.setHeaderHidden(True)
        self.list.setColumnCount(_USE + 1)
        self.list.setIconSize(_ICON)
        self.nothing = note_over(self.list, INVITATION)
        layouts.column(self.list, of=self)
        self.take_keyboard(self.list)
        self.list.itemClicked.connect(lambda *_: self.compare())
        add_shortcut(self.list, "Space", self.compare, alone=True)

    def minimumSizeHint(self) -> QSize:
        """Ask for one row."""
        return QSize(150, 120)

    @property
    def chosen_one(self) -> Labelled | None:
        """The row that has the mark of the keyboard, or was clicked."""
        row = self._row
        return self.labelled[row] if 0 <= row < len(self.labelled) else None

    @property
    def _row(self) -> int:
        return self.list.indexOfTopLevelItem(self.list.currentItem())

    def compare(self) -> None:
        """Ask to compare the chosen one, or no longer."""
        if self.chosen_one is not None:
            self.compared.emit(self.chosen_one)

    def is_reference(self, one: Labelled) -> bool:
        """Return True if the states on screen are compared with a row."""
        kept = self.state.compared
        if kept is None or kept.by != one.frame.by:
            return False
        return bool(kept.by) or kept.decoding == decoding_of(one.frame)

    def in_words(self, _frame: Frame) -> str:
        """Return what each row is."""
        each = (f"{one.title}: {one.details}" for one in self.labelled)
        return f"{'. '.join(each)}." if self.labelled else INVITATION

    def show_labelled(self, labelled: Sequence[Labelled]) -> None:
        """Take the rows."""
        self.labelled = tuple(labelled)
        self._refresh()

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the same rows."""
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.labelled = shown.labelled
        super().show_as_figure(shown, scale)

    def draw_frame(self) -> None:
        """Show the rows, unless the same are shown already."""
        marks = [self.is_reference(one) for one in self.labelled]
        if (self.labelled, marks) == self._drawn:
            return
        self._drawn, row = (self.labelled, marks), self._row
        self.nothing.setVisible(not self.labelled)
        with QSignalBlocker(self.list):
            self.list.clear()
            for one, mark in zip(self.labelled, marks, strict=True):
                self._add(one, mark)
            self.list.setCurrentItem(self.list.topLevelItem(row))
        for column in range(_USE):
            self.list.resizeColumnToContents(column)

    def _add(self, one: Labelled, is_reference: bool) -> None:
        """Add a row; settings have a button."""
        small = pixmap_of(small_map(one.frame, self.state.slice))
        icon = QIcon(small)
        icon.addPixmap(small, QIcon.Mode.Selected)  # else its colours would be tinted
        score = "  ".join(part for part in (one.score, "Reference" * is_reference) if part)
        item = QTreeWidgetItem([one.title, score])
        item.setIcon(_TITLE, icon)
        tip = ". ".join(
            part for part in (f"{one.title}: {one.details}", one.about, COMPARE) if part
        )
        item.setToolTip(_TITLE, tip)
        item.setToolTip(_SCORE, tip)
        self.list.addTopLevelItem(item)
        if not (one.frame.by or self.is_figure):
            button = small_button("Use", USE, f"Use {one.title}")
            button.clicked.connect(lambda: self.used.emit(one))
            holder = QWidget()
            layouts.row(button, 1, of=holder)
            self.list.setItemWidget(item, _USE, holder)
