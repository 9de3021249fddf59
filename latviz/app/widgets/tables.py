"""Tables of rows, one of which is selected: their content, look and use."""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

from PyQt6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QCoreApplication,
    QEvent,
    QModelIndex,
    Qt,
)
from PyQt6.QtGui import QFont, QIcon
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QTableView,
    QWidget,
)

from latviz.app.look.theme import LIGHT
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import CHIP
from latviz.app.widgets.elided import as_tip
from latviz.app.widgets.shortcuts import Keys, add_shortcut

Item = TypeVar("Item", bound=Hashable)
Role = Qt.ItemDataRole
Order = tuple[int, Qt.SortOrder]
"""The column by which items are sorted, and the direction."""
AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_PLAIN = (
    "QHeaderView, QHeaderView::section {{ background: transparent; "
    "border: none; padding: 2px; }} QHeaderView::section:horizontal "
    "{{ border-bottom: 1px solid {line}; }}"
)
"""Style of headers in figures: as in print, not as buttons."""


@dataclass(frozen=True, eq=False)
class Column(Generic[Item]):
    """A column of a table."""

    title: str  # in its head, with ``tip``
    text: Callable[[Item], str]  # of an item's cell, also its tool tip
    tip: str = ""
    # Returns the number that items are sorted by; items without one (None, NaN) come last. A column
    # without a key leaves items in their own order
    key: Callable[[Item], float | None] | None = None
    is_number: bool = False  # texts end at the right edge
    icon: QIcon | None = None  # in the head
    # by Qt's roles: a decoration, a colour, another tool tip
    cells: Mapping[int, Callable[[Item], Any]] = field(default_factory=dict)

    @cached_property
    def roles(self) -> Mapping[int, Callable[[Item], Any]]:
        """The functions that give a cell's data, by Qt's roles."""
        made: dict[int, Callable[[Item], Any]] = {
            Role.DisplayRole: self.text,
            Role.ToolTipRole: lambda item: as_tip(self.text(item)),
        }
        if self.is_number:
            made[Role.TextAlignmentRole] = lambda _: AT_RIGHT
        return made | dict(self.cells)

    @property
    def head(self) -> Mapping[int, Any]:
        """The data of its head, by Qt's roles."""
        tip, icon = self.tip or None, self.icon
        return {Role.DisplayRole: self.title, Role.ToolTipRole: tip, Role.DecorationRole: icon}


class TableModel(QAbstractTableModel, Generic[Item]):
    """A row for each item; a cell's data is made on request."""

    def __init__(self, order: Order = (0, Qt.SortOrder.AscendingOrder)) -> None:
        super().__init__()
        self.columns: Sequence[Column[Item]] = ()
        self.items: Sequence[Item] = ()
        """The items of the rows, in order."""
        self.order = order
        self._unsorted: Sequence[Item] = ()
        self._rows: dict[Item, int] = {}

    def show_items(self, items: Iterable[Item], columns: Sequence[Column[Item]]) -> None:
        """Show other items and columns, in the order that is chosen."""
        self.beginResetModel()
        self._unsorted, self.columns = tuple(items), columns
        self._sort()
        self.endResetModel()

    def keep_items(self, items: Sequence[Item], columns: Sequence[Column[Item]]) -> None:
        """Show other items, which are not sorted; rows that were there before stay chosen."""
        before, after = len(self.items), len(items)
        if len(columns) != len(self.columns):
            self.show_items(items, columns)
            return
        if after > before:
            self.beginInsertRows(QModelIndex(), before, after - 1)
        elif after < before:
            self.beginRemoveRows(QModelIndex(), after, before - 1)
        self._unsorted, self.columns = items, columns
        self._sort()
        if after > before:
            self.endInsertRows()
        elif after < before:
            self.endRemoveRows()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(columns) - 1)
        self.repaint_all()

    def repaint(self, *items: Item) -> None:
        """Draw these items again, if they are listed."""
        for row in map(self.row_of, items):
            if row >= 0:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(self.columns) - 1))

    def repaint_all(self) -> None:
        """Draw all items again."""
        if self.items:
            last = self.index(len(self.items) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def row_of(self, item: Item) -> int:
        """Return the row of an item; -1 if it is not listed."""
        return self._rows.get(item, -1)

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of items."""
        return 0 if parent is not None and parent.isValid() else len(self.items)

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index: QModelIndex, role: int = Role.DisplayRole) -> Any:
        """Return the data of a cell."""
        if not index.isValid():
            return None
        made = self.columns[index.column()].roles.get(role)
        return None if made is None else made(self.items[index.row()])

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        """Return the data of the head of a column."""
        across = orientation == Qt.Orientation.Horizontal and section < len(self.columns)
        return self.columns[section].head.get(role) if across else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the items by a column."""
        self.order = column, order
        self.beginResetModel()
        self._sort()
        self.endResetModel()

    def _sort(self) -> None:
        at, end = self.order
        key = self.columns[at].key if 0 <= at < len(self.columns) else None
        self.items = self._unsorted
        if key is not None:
            keys = {item: key(item) for item in self._unsorted}
            there = {item: k for item, k in keys.items() if k is not None and not math.isnan(k)}
            down = end == Qt.SortOrder.DescendingOrder
            known = sorted(there, key=there.__getitem__, reverse=down)
            self.items = [*known, *(item for item in self._unsorted if item not in there)]
        self._rows = {item: row for row, item in enumerate(self.items)}


def set_up(table: QTableView, model: QAbstractItemModel) -> QHeaderView:
    """Show rows without a grid, as wide as their content; return the heads of the columns."""
    table.setModel(model)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setShowGrid(False)
    header, rows = headers(table)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.hide()
    return header


def headers(table: QTableView) -> tuple[QHeaderView, QHeaderView]:
    """Return the heads of columns and of rows."""
    header, rows = table.horizontalHeader(), table.verticalHeader()
    assert header is not None
    assert rows is not None
    return header, rows


def set_row_heights(table: QTableView, margins: int) -> None:
    """Set the height of rows: a text or a chip plus ``margins`` pixels in all."""
    height = max(table.fontMetrics().height(), CHIP) + margins
    headers(table)[1].setDefaultSectionSize(height)


def styled(*, bold: bool = False, italic: bool = False) -> QFont:
    """Return the font of a highlighted cell."""
    font = QFont()
    font.setBold(bold)
    font.setItalic(italic)
    return font


def note_over(table: QAbstractItemView, text: str) -> QLabel:
    """Return a text in the middle of a table or list, which is there while it has no rows."""
    note = QLabel(text)
    note.setWordWrap(True)
    note.setProperty("muted", True)
    note.setAlignment(Qt.AlignmentFlag.AlignCenter)
    layouts.column(note, of=table.viewport(), margins=(8, 0, 8, 0))
    return note


def fit_to_print(view: QWidget, table: QTableView, rows: int, above: int = 0) -> None:
    """Resize a view to its table's heads and ``rows`` pixels of rows."""
    header = headers(table)[0]
    header.setStretchLastSection(False)
    table.resizeColumnsToContents()
    view.resize(header.length(), above + header.sizeHint().height() + rows)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


def on_keys(table: QTableView, act: Callable[[QModelIndex], object], keys: Keys) -> None:
    """Call something with the current index when a key is pressed in a table."""
    add_shortcut(table, keys, lambda: act(table.currentIndex()), alone=True)


def as_in_print(table: QTableView) -> None:
    """Show a table without controls, at any width and height."""
    # `fit_to_print` measures the columns, once
    headers(table)[0].setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setStyleSheet(_PLAIN.format(line=LIGHT.line))
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
