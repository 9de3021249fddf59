"""The table of regions, whose texts are made of a row when it is looked at."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PyQt6.QtGui import QColor

from latviz.app.views.pixel.view import shares_text
from latviz.app.widgets.accessible_text import node_text
from latviz.app.widgets.chip import chip
from latviz.core.types import Counts
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.region_table import COLUMNS as KNOWN
from latviz.engine.frames.region_table import Listed

COLUMNS = (*KNOWN, "First {node}", "Mean")
TIPS = (
    "The number of the region, in the order of first {node}s; its chip is their mean colour",
    "How many {node}s it has",
    "The sides of its {node}s at its outline, the edge of the picture included",
    "The state of most of its {node}s",
    "How many regions it has a border with",
    "The neighbour to which there is the least evidence of a border",
    "The bits that one code for both would cost more than one each; below 0 one code is better",
    "Where it begins",
    "The shares of symbols in it, or the means of channels",
)
AREA = COLUMNS.index("Area")
_REGION, _STATE, _NEAREST = (COLUMNS.index(name) for name in ("Region", "State", "Nearest"))
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_TEXTS = 2
"""So many of the last columns are text; the others are numbers."""

Order = tuple[int, Qt.SortOrder]
"""By which column regions are sorted, and from which end."""


class RegionRows(QAbstractTableModel):
    """The regions that are listed, in an order that a person chooses."""

    def __init__(self) -> None:
        super().__init__()
        self._frame: Frame | None = None
        self._listed: Listed | None = None
        self._colors: Sequence[QColor] = ()
        self._places: Counts = np.empty(0, np.int64)
        self.order: Order = AREA, Qt.SortOrder.DescendingOrder

    def show_regions(self, frame: Frame, some: Listed, colors: Sequence[QColor]) -> None:
        """Take the regions of a frame, and the states' colours."""
        self.beginResetModel()
        self._frame, self._listed, self._colors = frame, some, colors
        self._places = _sorted(some, self.order)
        self.endResetModel()

    def node(self, row: int) -> tuple[int, ...]:
        """Return the first pixel of the region in a row."""
        assert self._listed is not None
        return tuple(self._listed.nodes[self._places[row]].tolist())

    def row_of(self, region: int) -> int:
        """Return the row of a region; -1 if it is not listed."""
        if self._listed is None:
            return -1
        rows = np.flatnonzero(self._listed.numbers[self._places] == region)
        return int(rows[0]) if rows.size else -1

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of regions that are listed."""
        return 0 if parent is not None and parent.isValid() else len(self._places)

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, where it stands, and the chips of regions and states."""
        if self._listed is None or self._frame is None:
            return None
        at, column = int(self._places[index.row()]), index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return _text(self._frame, self._listed, at, column)
        if role == Qt.ItemDataRole.TextAlignmentRole and column < len(COLUMNS) - _TEXTS:
            return _RIGHT
        if role == Qt.ItemDataRole.DecorationRole and column == _REGION:
            return chip(QColor(*self._listed.colors[at].tolist()), square=True)
        if role == Qt.ItemDataRole.DecorationRole and column == _STATE:
            return chip(self._colors[int(self._listed.states[at])])
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the name of a column, or what it means."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        node = "pixel" if self._frame is None else self._frame.request.picture.node_name
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].format(node=node)
        return TIPS[section].format(node=node) if role == Qt.ItemDataRole.ToolTipRole else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the regions that are listed by a column."""
        self.order = column, order
        if self._listed is not None:
            self.beginResetModel()
            self._places = _sorted(self._listed, self.order)
            self.endResetModel()


def _sorted(some: Listed, order: Order) -> Counts:
    """Return the places of regions in an order; what they have not comes last."""
    column, end = order
    keys: NDArray[Any] = (
        some.numbers,
        some.areas,
        some.perimeters,
        some.states,
        some.neighbours,
        np.where(some.nearest < 0, np.nan, some.nearest),
        some.evidence,
        some.numbers,  # which are in the order of first pixels
        some.colors.sum(axis=1, dtype=np.int64),
    )[column]
    down = end == Qt.SortOrder.DescendingOrder
    return np.argsort(-keys if down else keys, kind="stable")


def _text(frame: Frame, some: Listed, at: int, column: int) -> str:
    """Return what a cell says."""
    node = tuple(some.nodes[at].tolist())
    if column == len(COLUMNS) - 1:
        return shares_text(frame, some.means[at])
    if column == len(COLUMNS) - _TEXTS:
        return f"{node[0]}, {node[1]}" if len(node) == 2 else node_text(node)
    if column in (_NEAREST, _NEAREST + 1):
        if some.nearest[at] < 0:
            return "–"
        return f"{some.nearest[at] + 1:,}" if column == _NEAREST else f"{some.evidence[at]:,.1f}"
    if column == _STATE and (name := frame.names[int(some.states[at])]):
        return f"{some.states[at] + 1} {name}"
    counted = some.numbers, some.areas, some.perimeters, some.states, some.neighbours
    from_1 = column in (_REGION, _STATE)
    return f"{counted[column][at] + from_1:,}"
