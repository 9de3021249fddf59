"""The confusion of classes as a table of which each cell stands for its images."""

import math
from typing import Any

from PyQt6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PyQt6.QtGui import QColor, QFont
from PyQt6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from latviz import collection
from latviz.app.look.theme import LIGHT, Theme, legible_on
from latviz.app.widgets.elided import as_tip
from latviz.core.data.label_names import in_order

RECALL, PRECISION = "Recall", "Precision"


class Confusion(QAbstractTableModel):
    """Rows are true classes, columns those that images are taken for; recall and precision last."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.outcome: collection.classes.Outcome | None = None
        self._names: list[str] = []
        self._order: list[int] = []  # the place of each name among the classifier's classes
        self._table: list[list[int]] = []
        self._recalls: list[float] = []
        self._precisions: list[float] = []

    def show_outcome(self, outcome: "collection.classes.Outcome | None") -> None:
        """Show another confusion, or none."""
        self.beginResetModel()
        found = None if outcome is None else outcome.validation
        self.outcome = None if found is None else outcome
        classes = [] if found is None or outcome is None else outcome.classes
        self._names = in_order(classes)
        self._order = order = [*map(classes.index, self._names)]
        self._table = [] if found is None else found.confusion[order][:, order].tolist()
        self._recalls = [] if found is None else found.recalls[order].tolist()
        self._precisions = [] if found is None else found.precisions[order].tolist()
        self.endResetModel()

    def repaint_all(self) -> None:
        """Let all cells be drawn again, in the colours of a theme."""
        if self._table:
            n = len(self._table)
            self.dataChanged.emit(self.index(0, 0), self.index(n, n))

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of classes and one, for precision."""
        return 0 if not self._table or _inside(parent) else len(self._table) + 1

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of classes and one, for recall."""
        return self.rowCount(parent)

    def images(self, row: int, column: int) -> list[int]:
        """Return the images that a cell stands for, as indices into those of the data set.

        Of recall they are all of the class, of precision all that are taken for it.
        """
        if self.outcome is None or self.outcome.validation is None:
            return []
        found, n = self.outcome.validation, len(self._table)
        told = found.posteriors.argmax(axis=1).tolist()
        places = [*self._order, -1]
        return [
            k
            for k, own, other in zip(self.outcome.tested, found.truth.tolist(), told, strict=True)
            if (row == n or own == places[row]) and (column == n or other == places[column])
        ]

    def title(self, row: int, column: int) -> str:
        """Return which images a cell stands for, in words."""
        assert self.outcome is not None
        names, n = self._names, len(self._table)
        if row == n and column == n:
            return "All that were classified"
        if column == n:
            return f"All of {names[row]}"
        if row == n:
            return f"All taken for {names[column]}"
        if row == column:
            return f"{names[row]}, taken for it"
        return f"{names[row]}, taken for {names[column]}"

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's number and colours: the more of a class, the stronger."""
        if self.outcome is None or not index.isValid():
            return None
        row, column, n = index.row(), index.column(), len(self._table)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            text = f"{self.title(row, column)}: {self._text(row, column)}"
            return as_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text
        if row == n or column == n:
            return self.theme.color("muted") if role == Qt.ItemDataRole.ForegroundRole else None
        return self._look(row, column, role)

    def _look(self, row: int, column: int, role: int) -> Any:
        share = self._table[row][column] / max(1, sum(self._table[row]))
        ground = QColor(*self.theme.heat_table()[round(200 * share)].tolist())
        if role == Qt.ItemDataRole.BackgroundRole:
            return ground
        if role == Qt.ItemDataRole.ForegroundRole:
            is_wrong = row != column and self._table[row][column] > 0 and share < 0.3
            return self.theme.color("bad") if is_wrong else legible_on(ground)
        if role == Qt.ItemDataRole.FontRole and row == column:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def _text(self, row: int, column: int) -> str:
        n = len(self._table)
        if row < n and column < n:
            return f"{self._table[row][column]:,}"
        if row < n:
            return percent(self._recalls[row])
        if column < n:
            return percent(self._precisions[column])
        assert self.outcome is not None
        assert self.outcome.validation is not None
        return percent(self.outcome.validation.accuracy)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the name of a class, or what the last row and column say."""
        if self.outcome is None:
            return None
        names, across = self._names, orientation == Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.DisplayRole:
            last = RECALL if across else PRECISION
            return names[section] if section < len(names) else last
        if role == Qt.ItemDataRole.ToolTipRole:
            if section < len(names):
                return as_tip(f"Taken for {names[section]}" if across else f"Of {names[section]}")
            if across:
                return "The share of a class's images that are taken for it"
            return "The share of the images taken for a class that are of it"
        return None


def _inside(parent: QModelIndex | None) -> bool:
    return parent is not None and parent.isValid()


def percent(share: float) -> str:
    """Return a share as text; of nothing there is none."""
    return "–" if math.isnan(share) else f"{100 * share:.0f} %"


def table_of(model: Confusion) -> QTableView:
    """Return the table of a confusion, whose cells can be chosen."""
    table = QTableView()
    table.setModel(model)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setTabKeyNavigation(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setCornerButtonEnabled(False)
    viewport = table.viewport()
    assert viewport is not None
    viewport.setAutoFillBackground(False)  # beside the cells there is nothing, so no ground either
    table.setAccessibleName("Confusion of classes")
    table.setAccessibleDescription(
        "Rows are true classes, columns those that images are taken for. Arrow keys choose a "
        "cell, whose images are listed beside it."
    )
    for header in (table.horizontalHeader(), table.verticalHeader()):
        assert header is not None
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setMaximumSectionSize(110)
        header.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header.setMinimumSectionSize(46 if header is table.horizontalHeader() else 26)
    names = table.verticalHeader()
    assert names is not None
    names.setMaximumWidth(150)
    return table


def width_of(table: QTableView) -> int:
    """Return the width in which all columns of a table are seen."""
    names, columns, bar = (
        table.verticalHeader(),
        table.horizontalHeader(),
        table.verticalScrollBar(),
    )
    assert names is not None
    assert columns is not None
    assert bar is not None
    return names.sizeHint().width() + columns.length() + bar.sizeHint().width()
