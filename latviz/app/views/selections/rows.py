"""The table of selections: what is lit, and what is kept under a name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PyQt6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PyQt6.QtGui import QColor, QFont

from latviz.app.selections.keeper import why_not
from latviz.app.widgets.chip import chip
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.selection_table import Statistics, described
from latviz.engine.geometry.selection import Kept, Selection

COLUMNS = ("Name", "{node}s", "Share", "Mean", "Bits", "States", "From", "To")
TIPS = (
    "Under which name it is kept; a click lights its {node}s",
    "How many {node}s it has",
    "Their share of all {node}s of the picture",
    "The mean colour of its {node}s: red, green and blue",
    "The mean log-likelihood of its {node}s, in bits: the less, the worse the model explains them",
    "The share of its {node}s in each state that is there, the largest first",
    "Where the box around them begins",
    "Where the box around them ends",
)
LIT_NOW = "Lit now"
_NAME, _MEAN, _STATES = (COLUMNS.index(name) for name in ("Name", "Mean", "States"))
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MOST_STATES = 4
"""States whose shares a cell tells."""


@dataclass(frozen=True, eq=False)
class Row:
    """A selection; ``kept`` if it has a name, ``found`` if it means something in the picture."""

    selection: Selection
    kept: Kept | None
    found: Statistics | None


def rows_of(frame: Frame) -> list[Row]:
    """Return what is lit, unless it is kept, and all that is kept."""
    request, known = frame.request, {kept.name: found for kept, found in described(frame)}
    rows = [Row(kept.selection, kept, known.get(kept.name)) for kept in request.kept]
    lit, found = request.selection, frame.results.get("selection_statistics")
    if lit is not None and all(kept.selection != lit for kept in request.kept):
        return [Row(lit, None, found), *rows]
    return rows


class SelectionRows(QAbstractTableModel):
    """The rows, whose texts are made when they are looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: Sequence[Row] = ()
        self._frame: Frame | None = None
        self._colors: Sequence[QColor] = ()

    def show_rows(self, frame: Frame, colors: Sequence[QColor]) -> None:
        """Take a frame, and the states' colours."""
        self.beginResetModel()
        self._frame, self._colors, self.shown = frame, colors, rows_of(frame)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of selections."""
        return 0 if parent is not None and parent.isValid() else len(self.shown)

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, its place and its chip."""
        row, column = self.shown[index.row()], index.column()
        if self._frame is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _text(self._frame, row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole and column not in (_NAME, _MEAN, _STATES):
            return _RIGHT
        if role == Qt.ItemDataRole.DecorationRole:
            return self._chip(row, column)
        if role == Qt.ItemDataRole.FontRole and row.kept is None and column == _NAME:
            font = QFont()
            font.setItalic(True)
            return font
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the name of a column, or what it means."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        node = "pixel" if self._frame is None else self._frame.request.picture.node_name
        if role == Qt.ItemDataRole.DisplayRole:
            text = COLUMNS[section].format(node=node)
            return text[0].upper() + text[1:]
        return TIPS[section].format(node=node) if role == Qt.ItemDataRole.ToolTipRole else None

    def _tip(self, row: Row, column: int) -> str:
        assert self._frame is not None
        if row.found is None and row.kept is not None:
            return f"It {why_not(row.kept, self._frame.request.picture.name)}"
        return _text(self._frame, row, column)

    def _chip(self, row: Row, column: int) -> Any:
        if row.found is None or not row.found.n_nodes or row.found.color is None:
            return None
        if column == _MEAN:
            return chip(QColor(*row.found.color), square=True)
        if column == _STATES:
            return chip(self._colors[int(row.found.states.argmax())])
        return None


def _text(frame: Frame, row: Row, column: int) -> str:
    """Return what a cell says; of what it has not a dash."""
    found = row.found
    if column == _NAME:
        return LIT_NOW if row.kept is None else row.kept.name
    if found is None or not found.n_nodes or found.color is None or found.box is None:
        return "0" if found is not None and column == 1 else "–"
    d = len(found.box)
    place = [end + (axis == 0 and d != 2) for axis, (end, _) in enumerate(found.box)]
    last = [end + (axis == 0 and d != 2) for axis, (_, end) in enumerate(found.box)]
    return (
        "",
        f"{found.n_nodes:,}",
        percent(found.share),
        ", ".join(map(str, found.color)),
        f"{found.bits:.2f}".replace("-", "−"),
        states_text(frame, found),
        ", ".join(f"{at:,}" for at in place),
        ", ".join(f"{at:,}" for at in last),
    )[column]


def percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.1f} %"


def states_text(frame: Frame, found: Statistics) -> str:
    """Return the shares of the states that most nodes of a selection are in."""
    order = [int(k) for k in (-found.states).argsort(kind="stable") if found.states[k]]
    parts = [f"{frame.label(k)}: {100 * found.states[k] / found.n_nodes:.0f} %" for k in order]
    return ", ".join(parts if len(parts) <= _MOST_STATES else [*parts[: _MOST_STATES - 1], "…"])
