"""The confusion of labels and states over all images, as a table."""

from typing import Any

import numpy as np
from PyQt6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PyQt6.QtGui import QColor

from latviz import collection
from latviz.app.look.theme import LIGHT, Theme, legible_on

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_FIXED = ("Label", "Pixels")


class ConfusionRows(QAbstractTableModel):
    """A row for each label: how many of its pixels are in each state."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.found: collection.tables.Together | None = None
        self._order: list[int] = []

    def show_found(self, found: "collection.tables.Together | None") -> None:
        """Show another confusion, or none."""
        self.beginResetModel()
        self.found = found
        self._order = list(range(0 if found is None else len(found.classes)))
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of labels."""
        return 0 if parent is not None and parent.isValid() else len(self._order)

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of columns."""
        if self.found is None or (parent is not None and parent.isValid()):
            return 0
        return len(_FIXED) + len(self.found.columns)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text and colours: the more of a label, the darker."""
        if self.found is None or not index.isValid():
            return None
        label, column = self._order[index.row()], index.column() - len(_FIXED)
        pixels = self.found.table[label]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column():
            return _RIGHT
        if role == Qt.ItemDataRole.DisplayRole and column < 0:
            return (self.found.classes[label], f"{int(pixels.sum()):,}")[index.column()]
        if column < 0:
            return None
        share = int(pixels[column]) / max(1, int(pixels.sum()))
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{100 * share:.1f} %"
        if role == Qt.ItemDataRole.ToolTipRole:
            text = f"{int(pixels[column]):,} pixels of {self.found.classes[label]}"
            return f"{text} are in {self.found.columns[column]}"
        ground = QColor(*self.theme.heat_table()[round(255 * share)].tolist())
        if role == Qt.ItemDataRole.BackgroundRole:
            return ground
        return legible_on(ground) if role == Qt.ItemDataRole.ForegroundRole else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the name of a column."""
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        if section < len(_FIXED):
            return _FIXED[section]
        assert self.found is not None
        name = self.found.columns[section - len(_FIXED)]
        return name[0].upper() + name[1:]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the labels by a column: by name, pixels, or the share in a state."""
        if self.found is None:
            return
        table = self.found.table
        totals = table.sum(axis=1)
        if column == 0:
            keys = np.arange(len(table))
        elif column == 1:
            keys = totals
        else:
            keys = table[:, column - len(_FIXED)] / np.maximum(totals, 1)
        down = order == Qt.SortOrder.DescendingOrder
        self.beginResetModel()
        self._order = np.argsort(-keys if down else keys, kind="stable").tolist()
        self.endResetModel()
