"""The confusion matrix of classes; each cell gives access to its images."""

from collections.abc import Callable
from typing import Any

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from latviz import collection
from latviz.app.benches.classes.images import class_colors
from latviz.app.look.theme import LIGHT, Theme, legible_on
from latviz.app.widgets.chip import chip
from latviz.app.widgets.elided import as_tip
from latviz.app.widgets.tables import Column, Role, TableModel, styled
from latviz.core import digits
from latviz.core.data.label_names import in_order

RECALL, PRECISION = "Recall", "Precision"


class Confusion(TableModel[int]):
    """Rows are true classes, columns predicted ones; recall and precision come last."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.outcome: collection.classes.ClassOutcome | None = None
        self._names: list[str] = []
        self._colors: list[QColor] = []
        self._order: list[int] = []  # the place of each name among the classifier's classes
        self._table: list[list[int]] = []
        self._recalls: list[float] = []
        self._precisions: list[float] = []

    def show_outcome(self, outcome: "collection.classes.ClassOutcome | None") -> None:
        """Show another confusion, or none."""
        found = None if outcome is None else outcome.validation
        self.outcome = None if found is None else outcome
        classes = [] if found is None or outcome is None else outcome.classes
        self._names = in_order(classes)
        self._colors = class_colors(self._names)
        self._order = order = [*map(classes.index, self._names)]
        self._table = [] if found is None else found.confusion[order][:, order].tolist()
        self._recalls = [] if found is None else found.recalls[order].tolist()
        self._precisions = [] if found is None else found.precisions[order].tolist()
        places = range(len(self._table) + 1 if self._table else 0)
        self.show_items(places, [self._column(k) for k in places])

    def _column(self, column: int) -> Column[int]:
        """Return the column of a class: the more of a class, the stronger; or that of recall."""

        def text(row: int) -> str:
            return self._text(row, column)

        def in_words(row: int) -> str:
            return f"{self.title(row, column)}: {text(row)}"

        def ground(row: int) -> QColor | None:
            if max(row, column) == len(self._table):
                return None
            return QColor(*self.theme.heat_table()[round(200 * self._share(row, column))].tolist())

        def color(row: int) -> QColor:
            if (under := ground(row)) is None:
                return self.theme.color("muted")
            is_rare = 0.0 < self._share(row, column) < 0.3
            return self.theme.color("bad") if is_rare and row != column else legible_on(under)

        tip = "Share of the class's images that are classified correctly"
        known = column < len(self._names)
        name = self._names[column] if known else RECALL
        cells: dict[int, Callable[[int], Any]] = {
            Role.TextAlignmentRole: lambda _: Qt.AlignmentFlag.AlignCenter,
            Role.ToolTipRole: lambda row: as_tip(in_words(row)),
            Role.AccessibleTextRole: in_words,
            Role.BackgroundRole: ground,
            Role.ForegroundRole: color,
            Role.FontRole: lambda row: styled(bold=True) if known and row == column else None,
        }
        return Column(name, text, as_tip(f"Classified as {name}") if known else tip, cells=cells)

    def _share(self, row: int, column: int) -> float:
        """Return the share of a class's images that are predicted to be of a class."""
        return self._table[row][column] / max(1, sum(self._table[row]))

    def images(self, row: int, column: int) -> list[int]:
        """Return the images of a cell, as indices into the data set.

        For recall: all images of the class. For precision: all images predicted to be in it.
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
        """Return the images of a cell, in words."""
        assert self.outcome is not None
        names, n = self._names, len(self._table)
        if row == n and column == n:
            return "All classified images"
        if column == n:
            return f"All of {names[row]}"
        if row == n:
            return f"All classified as {names[column]}"
        if row == column:
            return f"{names[row]}, classified correctly"
        return f"{names[row]}, classified as {names[column]}"

    def _text(self, row: int, column: int) -> str:
        n = len(self._table)
        if row < n and column < n:
            return digits.count(self._table[row][column])
        if row < n:
            return digits.share(self._recalls[row])
        if column < n:
            return digits.share(self._precisions[column])
        assert self.outcome is not None
        assert self.outcome.validation is not None
        return digits.share(self.outcome.validation.accuracy)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        """Return the name and colour of a class, or the heading of the last row or column."""
        if role == Role.DecorationRole:
            return chip(self._colors[section]) if section < len(self._colors) else None
        if orientation == Qt.Orientation.Horizontal or self.outcome is None:
            return super().headerData(section, orientation, role)
        known = section < len(self._names)
        if role == Role.DisplayRole:
            return self._names[section] if known else PRECISION
        tip = "Share of the images classified as a class that belong to it"
        found = as_tip(f"Classified as {self._names[section]}") if known else tip
        return found if role == Role.ToolTipRole else None


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
    viewport.setAutoFillBackground(False)  # it is empty outside the cells
    table.setAccessibleName("Confusion of classes")
    table.setAccessibleDescription(
        "Rows are true classes, columns are predicted classes. Arrow keys choose a cell; its "
        "images are listed next to the table."
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
