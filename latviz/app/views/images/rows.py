"""The results of images as a table, which is sorted by any column."""

import math
from collections.abc import Sequence
from typing import Any

from PyQt6.QtCore import QAbstractTableModel, QModelIndex, QSize, Qt
from PyQt6.QtGui import QColor, QFont

from latviz import collection
from latviz.app.gallery.survey import Survey
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets.chip import chip
from latviz.app.widgets.elided import as_tip
from latviz.app.widgets.painting import signed
from latviz.engine.pictures.shelf import Shelf

NAME = "Image"
_LEFT_OUT = ("n_states", "window", "seconds")
"""Columns that are the same for all images, and what matters to nobody here."""
_SHARE = "share_"
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Column = "collection.record.Column"
Order = tuple[int, Qt.SortOrder]


class ImageRows(QAbstractTableModel):
    """A row for each file of the shelf, also for those of which nothing is known yet."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.columns: tuple[collection.record.Column, ...] = ()
        self.order: Order = 0, Qt.SortOrder.AscendingOrder
        self._shelf: Shelf | None = None
        self._survey: Survey | None = None
        self.thumbnails: Thumbnails | None = None
        self._colors: list[int] = []
        self._names: Sequence[str] = ()
        self._places: list[int] = []
        self._rows: dict[int, int] = {}
        self._records: dict[str, collection.record.Record] = {}
        self._fresh: frozenset[str] = frozenset()

    def begin(self, survey: Survey, thumbnails: Thumbnails) -> None:
        """Take results, and why files cannot be read, from there."""
        self._survey, self.thumbnails = survey, thumbnails

    def refresh(self, shelf: Shelf | None) -> None:
        """Show what is known now."""
        if self._survey is None:
            return
        self.beginResetModel()
        self._shelf, survey = shelf, self._survey
        self._records, self._fresh = dict(survey.records), frozenset(survey.fresh)
        records = list(self._records.values())
        there = collection.record.columns_of(records) if records else ()
        self.columns = tuple(column for column in there if column.name not in _LEFT_OUT)
        self._colors = survey.colors()
        self._names = survey.names
        self._sort()
        self.endResetModel()

    def move(self, shelf: Shelf) -> None:
        """Show another file of the same shelf as the one on screen."""
        before, self._shelf = self._shelf, shelf
        last = self.columnCount() - 1
        for place in {shelf.shown, *(() if before is None else (before.shown,))}:
            row = self.row_of(place)
            self.dataChanged.emit(self.index(row, 0), self.index(row, last))

    def place(self, row: int) -> int:
        """Return which file of the shelf is in a row."""
        return self._places[row]

    def row_of(self, place: int) -> int:
        """Return the row of a file of the shelf; -1 if there is none."""
        return self._rows.get(place, -1)

    def record(self, place: int) -> "collection.record.Record | None":
        """Return what is known of a file of the shelf."""
        entry = None if self._shelf is None else self._shelf.entries[place]
        return None if entry is None else self._records.get(entry.path)

    def value(self, place: int, column: "collection.record.Column") -> float | None:
        """Return a number of a file of the shelf; None if there is none, or not a number."""
        record = self.record(place)
        value = None if record is None else column.of(record)
        return None if value is None or math.isnan(value) else float(value)

    def reason(self, place: int) -> str:
        """Return why a file of the shelf has no results, or nothing."""
        if self._shelf is None or self.thumbnails is None:
            return ""
        return self.thumbnails.failures.get(self._shelf.entries[place].path, "")

    def title(self, column: "collection.record.Column") -> str:
        """Return the title of a column; that of a state has the state's name."""
        state = _state_of(column)
        named = state is not None and state < len(self._names) and self._names[state]
        return f"{column.title} ({named})" if named else column.title

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of files."""
        return 0 if parent is not None and parent.isValid() else len(self._places)

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of columns."""
        inside = parent is not None and parent.isValid()
        return 0 if inside or self._shelf is None else 1 + max(1, len(self.columns))

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, its place and its look."""
        if not index.isValid() or self._shelf is None:
            return None
        place, column = self._places[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(place, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tip(self.reason(place) or self._shelf.entries[place].path)
        if role == Qt.ItemDataRole.TextAlignmentRole and column and not self.reason(place):
            return _RIGHT
        if role == Qt.ItemDataRole.ForegroundRole and self._is_grey(place):
            return self.theme.color("muted")
        if role == Qt.ItemDataRole.SizeHintRole and column == 1 and self.reason(place):
            return QSize(1, 1)  # it has the room of all numbers
        if role == Qt.ItemDataRole.FontRole and place == self._shelf.shown:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the name of a column, what it means, and the chip of its state."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section - 1] if 0 < section <= len(self.columns) else None
        if role == Qt.ItemDataRole.DisplayRole:
            return (NAME if section == 0 else "") if column is None else self.title(column)
        if role == Qt.ItemDataRole.ToolTipRole and column is not None:
            return column.tip
        if role == Qt.ItemDataRole.DecorationRole and column is not None:
            state = _state_of(column)
            known = state is not None and state < len(self._colors)
            return chip(QColor(self._colors[state or 0])) if known else None
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the files by a column."""
        self.order = column, order
        self.beginResetModel()
        self._sort()
        self.endResetModel()

    def _sort(self) -> None:
        """Sort the files; those without a number come last."""
        self._places = self._sorted()
        self._rows = {place: row for row, place in enumerate(self._places)}

    def _sorted(self) -> list[int]:
        places = list(range(0 if self._shelf is None else len(self._shelf.entries)))
        at, end = self.order
        down = end == Qt.SortOrder.DescendingOrder
        if at == 0 or at > len(self.columns):
            return places[::-1] if down and at == 0 else places
        column = self.columns[at - 1]
        values = {place: self.value(place, column) for place in places}
        known = [place for place in places if values[place] is not None]
        known.sort(key=lambda place: values[place] or 0.0, reverse=down)
        return known + [place for place in places if values[place] is None]

    def _is_grey(self, place: int) -> bool:
        """Tell whether a file cannot be read, or what is known of it is of an older model."""
        assert self._shelf is not None
        return bool(self.reason(place)) or self._shelf.entries[place].path not in self._fresh

    def _text(self, place: int, at: int) -> str:
        assert self._shelf is not None
        if at == 0:
            return self._shelf.entries[place].name
        if reason := self.reason(place):
            return reason if at == 1 else ""
        if self.record(place) is None:
            return "…" if at == 1 else ""
        column = self.columns[at - 1]
        value = self.value(place, column)
        return "–" if value is None else text_of(column, value)


def text_of(column: "collection.record.Column", value: float) -> str:
    """Return a number of a column as text."""
    is_share = column.name.startswith(_SHARE) or column.name == "accuracy"
    return f"{100 * value:.1f} %" if is_share else signed(value, column.decimals)


def _state_of(column: "collection.record.Column") -> int | None:
    """Return the state whose share a column tells, from 0."""
    name = column.name.removeprefix(_SHARE)
    return int(name) - 1 if name != column.name else None
