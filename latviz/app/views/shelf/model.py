"""The files of the shelf as a list; thumbnails are read when they become visible."""

from collections.abc import Callable, Sequence
from typing import Any

from PyQt6.QtCore import QModelIndex, Qt, pyqtSignal

from latviz.app.gallery.delegate import REASON, SHARES, SHOWN
from latviz.app.gallery.gallery import Shares
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.widgets.elided import as_tip
from latviz.app.widgets.tables import Column, Role, TableModel
from latviz.engine.pictures.shelf import Entry, Shelf


class ShelfModel(TableModel[int]):
    """A row for each file whose name matches the filter; an item is a file's place."""

    toggled = pyqtSignal(int)  # the file to learn from, or no longer

    def __init__(self) -> None:
        super().__init__()
        self._shelf: Shelf | None = None
        self._ticked: frozenset[int] = frozenset()
        self._places: dict[Entry, int] = {}
        self._filter = self._reason = ""
        self.thumbnails: Thumbnails | None = None
        self._shares: Callable[[Entry], Shares] = lambda _: ()

    def begin(self, thumbnails: Thumbnails) -> None:
        """Take small pictures from there."""
        self.thumbnails = thumbnails
        thumbnails.changed.connect(lambda entry: self.repaint(self._places.get(entry, -1)))

    def set_shares(self, shares: Callable[[Entry], Shares]) -> None:
        """Ask there for the shares of states of a file."""
        self._shares = shares
        self.repaint_all()

    def show_shelf(self, shelf: Shelf | None, reason: str) -> None:
        """Show files, with their ticks and the shown one; ``reason`` is why none can be ticked."""
        before, self._shelf, self._reason = self._entries(), shelf, reason
        self._ticked = frozenset(() if shelf is None else shelf.ticked)
        entries = self._entries()
        if before is not entries:
            self._places = {entry: place for place, entry in enumerate(entries)}
            self._lay_out()
        else:
            self.repaint_all()  # only visible items are drawn

    def show_filter(self, text: str) -> None:
        """Show the files whose names have these letters."""
        if text.casefold() != self._filter:
            self._filter = text.casefold()
            self._lay_out()

    def row_of_shown(self) -> int:
        """Return the row of the file that is shown; -1 if it is not listed."""
        return -1 if self._shelf is None else self.row_of(self._shelf.shown)

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        """Return if a file can be chosen, and ticked: it is readable and a model is learned."""
        can = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.isValid() and not self._reason and not index.data(REASON):
            can |= Qt.ItemFlag.ItemIsUserCheckable
        return can

    def setData(self, index: QModelIndex, _: Any, role: int = Role.EditRole) -> bool:
        """Emit that a file was ticked or unticked."""
        if role != Role.CheckStateRole or not index.isValid():
            return False
        self.toggled.emit(self.items[index.row()])
        return True

    def _lay_out(self) -> None:
        """List the files with the letters of the filter."""
        entries = self._entries()
        there = (k for k, entry in enumerate(entries) if self._filter in entry.name.casefold())
        self.show_items(there, [self._column(entries)])

    def _entries(self) -> tuple[Entry, ...]:
        return () if self._shelf is None else self._shelf.entries

    def _column(self, entries: Sequence[Entry]) -> Column[int]:
        """Return the column of the list of files."""

        def lost(place: int) -> str:
            found = None if self.thumbnails is None else self.thumbnails.failures
            return "" if found is None else found.get(entries[place].path, "")

        def is_ticked(place: int) -> Qt.CheckState:
            return Qt.CheckState.Checked if place in self._ticked else Qt.CheckState.Unchecked

        def is_shown(place: int) -> bool:
            return self._shelf is not None and place == self._shelf.shown

        def tip(place: int) -> str:
            entry = entries[place]
            if reason := lost(place):
                return as_tip(f"{entry.path}\nIt cannot be read: {reason}")
            learned = f"The model {'learns' if place in self._ticked else 'does not learn'} from it"
            return as_tip(f"{entry.path}\n{entry.size:,} bytes. {self._reason or learned}.")

        def in_words(place: int) -> str:
            name = entries[place].name
            if reason := lost(place):
                return f"{name}, cannot be read: {reason}"
            learned = ", learned from" if place in self._ticked else ""
            return f"{name}{learned}{', on screen' if is_shown(place) else ''}"

        def picture(place: int) -> Any:
            return None if self.thumbnails is None else self.thumbnails.of(entries[place])

        cells: dict[int, Callable[[int], Any]] = {
            Role.DecorationRole: picture,
            Role.CheckStateRole: is_ticked,
            Role.ToolTipRole: tip,
            Role.AccessibleTextRole: in_words,
            SHOWN: is_shown,
            REASON: lost,
            SHARES: lambda place: self._shares(entries[place]),
        }
        return Column("", lambda place: entries[place].name, cells=cells)
