"""The files of the shelf as a list; small pictures come when they are looked at."""

from collections.abc import Callable
from typing import Any

from PyQt6.QtCore import QAbstractListModel, QModelIndex, Qt, pyqtSignal

from latviz.app.gallery.delegate import REASON, SHARES, SHOWN
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.widgets.elided import as_tip
from latviz.engine.pictures.shelf import Entry, Shelf

Shares = tuple[tuple[int, float], ...]
"""The colour of each state, as 0xrrggbb, and its share of a picture."""


class ShelfModel(QAbstractListModel):
    """A row for each file whose name has the letters of the filter.

    Signals
    -------
    toggled(int)
        The file that is to be learned from, or no longer.
    """

    toggled = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self._shelf: Shelf | None = None
        self._ticked: frozenset[int] = frozenset()
        self._places: list[int] = []
        self._rows: dict[Entry, int] = {}
        self._filter = self._reason = ""
        self.thumbnails: Thumbnails | None = None
        self._shares: Callable[[Entry], Shares] = lambda _: ()

    def begin(self, thumbnails: Thumbnails) -> None:
        """Take small pictures from there."""
        self.thumbnails = thumbnails
        thumbnails.changed.connect(self._show_entry)

    def tell_shares(self, shares: Callable[[Entry], Shares]) -> None:
        """Ask there for the shares of states of a file."""
        self._shares = shares
        self._show_all()

    def show_shelf(self, shelf: Shelf | None, reason: str) -> None:
        """Show files, and which are ticked and shown; ``reason`` says why none can be ticked."""
        before, self._shelf, self._reason = self._shelf, shelf, reason
        self._ticked = frozenset(() if shelf is None else shelf.ticked)
        entries = () if shelf is None else shelf.entries
        if before is None or before.entries is not entries:
            self._lay_out()
        else:
            self._show_all()  # only what is in sight is drawn anew

    def show_filter(self, text: str) -> None:
        """Show the files whose names have these letters."""
        if text.casefold() != self._filter:
            self._filter = text.casefold()
            self._lay_out()

    def place(self, row: int) -> int:
        """Return which file of the shelf is in a row."""
        return self._places[row]

    def places(self) -> list[int]:
        """Return which files are listed."""
        return list(self._places)

    def row_of_shown(self) -> int:
        """Return the row of the file that is shown; -1 if it is not listed."""
        return -1 if self._shelf is None else self._rows.get(self._shelf.entry, -1)

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of files that are listed."""
        return 0 if parent is not None and parent.isValid() else len(self._places)

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        """Let files be chosen, and ticked if they can be read and a model is learned."""
        can = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.isValid() and not self._reason and not self._lost(self._entry(index)):
            can |= Qt.ItemFlag.ItemIsUserCheckable
        return can

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name of a file, its small picture, its tick and the rest."""
        if not index.isValid() or self._shelf is None:
            return None
        place, entry = self._places[index.row()], self._entry(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return entry.name
            case Qt.ItemDataRole.DecorationRole:
                return None if self.thumbnails is None else self.thumbnails.of(entry)
            case Qt.ItemDataRole.CheckStateRole:
                is_on = place in self._ticked
                return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.ToolTipRole:
                return as_tip(self._tip(place, entry))
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._in_words(place, entry)
            case _ if role == SHOWN:
                return place == self._shelf.shown
            case _ if role == REASON:
                return self._lost(entry)
            case _ if role == SHARES:
                return self._shares(entry)
        return None

    def setData(self, index: QModelIndex, _: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tell that a file is to be ticked, or no longer."""
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        self.toggled.emit(self._places[index.row()])
        return True

    def _entry(self, index: QModelIndex) -> Entry:
        assert self._shelf is not None
        return self._shelf.entries[self._places[index.row()]]

    def _lost(self, entry: Entry) -> str:
        return "" if self.thumbnails is None else self.thumbnails.failures.get(entry.path, "")

    def _tip(self, place: int, entry: Entry) -> str:
        if reason := self._lost(entry):
            return f"{entry.path}\nIt cannot be read: {reason}"
        learned = self._reason or (
            "It is learned from" if place in self._ticked else "It is not learned from"
        )
        return f"{entry.path}\n{entry.size:,} bytes. {learned}."

    def _in_words(self, place: int, entry: Entry) -> str:
        assert self._shelf is not None
        if reason := self._lost(entry):
            return f"{entry.name}, cannot be read: {reason}"
        learned = ", learned from" if place in self._ticked else ""
        shown = ", on screen" if place == self._shelf.shown else ""
        return f"{entry.name}{learned}{shown}"

    def _lay_out(self) -> None:
        self.beginResetModel()
        entries = () if self._shelf is None else self._shelf.entries
        wanted = self._filter
        self._places = [k for k, e in enumerate(entries) if wanted in e.name.casefold()]
        self._rows = {entries[place]: row for row, place in enumerate(self._places)}
        self.endResetModel()

    def _show_entry(self, entry: Entry) -> None:
        row = self._rows.get(entry, -1)
        if row >= 0:
            self.dataChanged.emit(self.index(row), self.index(row))

    def _show_all(self) -> None:
        if self._places:
            self.dataChanged.emit(self.index(0), self.index(len(self._places) - 1))
