"""Pixels that were pinned, side by side."""

from collections.abc import Sequence
from typing import Any, Self

from PyQt6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QEvent,
    QModelIndex,
    Qt,
    pyqtSignal,
)
from PyQt6.QtGui import QColor, QIcon, QKeySequence, QShortcut
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from latviz.app.look.theme import LIGHT
from latviz.app.views.base import View
from latviz.app.views.pixel.view import observed_text, signature_text, value_text
from latviz.app.widgets import accessible_text as words
from latviz.app.widgets import tables
from latviz.app.widgets.chip import CHIP, chip
from latviz.app.widgets.pin import pin_name
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection

COLUMNS = (
    *("Pin", "Pixel", "Value", "Observed"),
    *("State", "Distance", "Next", "Distance", "Signature"),
)
_STATE, _NEXT = 4, 6
_BELIEVED = {"Distance": "Belief"}
"""What columns are called where states are by belief."""
_MARGINS = 8
"""Pixels above and below a row's text."""
_LOOKED_AT = 100
"""Rows by whose texts columns are made wide enough."""
_NOTHING = "No pixel is pinned"
_HOW_TO = "Shift and a click, or Shift and Enter, pin one."
_PLAIN = (
    "QHeaderView, QHeaderView::section {{ background: transparent; "
    "border: none; padding: 2px; }} QHeaderView::section:horizontal "
    "{{ border-bottom: 1px solid {line}; }}"
)
"""How headers look in figures: as in print, not as buttons."""


class Rows(QAbstractTableModel):
    """The table's texts, made of a row when it is looked at.

    Items of their own would each lay out the whole table anew: 9 s for 100 pins.
    """

    def __init__(self) -> None:
        super().__init__()
        self._frame: Frame | None = None
        self._pins: Sequence[Inspection] = ()
        self._chips: list[QIcon] = []
        self._texts: dict[int, tuple[str, ...]] = {}

    def show_pins(
        self, frame: Frame | None, pins: Sequence[Inspection], colors: Sequence[QColor]
    ) -> None:
        """Take what pins are in a frame, and the states' colours; rows stay chosen."""
        before, after = self.rowCount(), 0 if frame is None else len(pins)
        if after > before:
            self.beginInsertRows(QModelIndex(), before, after - 1)
        elif after < before:
            self.beginRemoveRows(QModelIndex(), after, before - 1)
        self._frame, self._pins = frame, pins
        self._chips = [chip(color) for color in colors]
        self._texts.clear()
        if after > before:
            self.endInsertRows()
        elif after < before:
            self.endRemoveRows()
        if after:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), self.index(after - 1, len(COLUMNS) - 1))

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of pins."""
        inside = parent is not None and parent.isValid()
        return 0 if inside or self._frame is None else len(self._pins)

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, as its tip too, and the chip of the state in it."""
        row, column = index.row(), index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._row(row)[column]
        if role == Qt.ItemDataRole.DecorationRole and column in (_STATE, _NEXT):
            ranked = self._pins[row].ranked[column == _NEXT :]
            return self._chips[ranked[0][0]] if ranked else None
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the name of a column."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            believed = self._frame is not None and self._frame.believed is not None
            return (
                _BELIEVED.get(COLUMNS[section], COLUMNS[section]) if believed else COLUMNS[section]
            )
        return None

    def _row(self, row: int) -> tuple[str, ...]:
        if row not in self._texts:
            assert self._frame is not None
            self._texts[row] = (pin_name(row), *texts(self._frame, self._pins[row]))
        return self._texts[row]


class PinsView(View):
    """A row for each pinned pixel: what it shows, its state and how near the next one is.

    Signals
    -------
    unpinned(object)
        The (row, column) of a pixel whose row was deleted.
    """

    TITLE = "Pins"
    KEYS = "Arrow keys go over the rows, Delete unpins one."

    unpinned = pyqtSignal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows, self.table = Rows(), QTableView()
        self.table.setModel(self.rows)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.setToolTip("Shift and a click pin a pixel; a double click on a row unpins it")
        self.take_keyboard(self.table)
        header = self.table.horizontalHeader()
        assert header is not None
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(_LOOKED_AT)
        header.setStretchLastSection(True)
        rows = self.table.verticalHeader()
        assert rows is not None
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.hide()  # pins have names of their own
        self.table.setWordWrap(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        self.nothing = tables.note_over(self.table, f"{_NOTHING}: {_HOW_TO}")
        self.table.doubleClicked.connect(lambda index: self._unpin(index.row()))
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(lambda: self._unpin(self.table.currentIndex().row()))

    def in_words(self, _frame: Frame) -> str:
        """Return which pixels are pinned."""
        return words.pins(self.pins) or f"{_NOTHING}."

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the whole table, however wide and high it is."""
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setStyleSheet(_PLAIN.format(line=LIGHT.line))
        self.nothing.setText(f"{_NOTHING}.")
        for choose in (
            self.table.setHorizontalScrollBarPolicy,
            self.table.setVerticalScrollBarPolicy,
        ):
            choose(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        super().show_as_figure(shown, scale)
        header, rows = self.table.horizontalHeader(), self.table.verticalHeader()
        assert header is not None
        assert rows is not None
        header.setStretchLastSection(False)
        if self.pins:
            self.table.resizeColumnsToContents()
            self.table.resizeRowsToContents()
            self.resize(header.length(), header.sizeHint().height() + rows.length())
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def show_frame(self, frame: Frame) -> None:
        """Take the newest frame, whose pins, if there are any, are told next."""
        if self.pins:
            self.frame = frame
        else:
            super().show_frame(frame)

    def show_pins(self, pins: Sequence[Inspection]) -> None:
        """Take the pinned pixels, as the last frame has them."""
        super().show_pins(pins)
        self._refresh()

    def draw_frame(self) -> None:
        """Fill the table, or say how to."""
        heights = self.table.verticalHeader()
        assert heights is not None
        heights.setDefaultSectionSize(max(self.table.fontMetrics().height(), CHIP) + _MARGINS)
        self.rows.show_pins(self.frame, self.pins, self.colors())
        self.nothing.setVisible(not self.pins)
        for column in range(len(COLUMNS)):
            self.table.setColumnHidden(column, not self.pins)  # what is said takes their room

    def _unpin(self, row: int) -> None:
        if 0 <= row < len(self.pins):
            self.unpinned.emit(self.pins[row].node)


def texts(frame: Frame, pin: Inspection) -> tuple[str, ...]:
    """Return what the columns say of a pixel, but for what its pin is called."""
    ranked = [(frame.label(state), f"{number:.4f}") for state, number in pin.ranked]
    (state, number), (other, next_number) = (*ranked, ("–", "–"))[:2]
    return (
        words.node_text(pin.node) if len(pin.node) != 2 else f"{pin.node[0]}, {pin.node[1]}",
        value_text(frame, pin),
        observed_text(frame, pin),
        state,
        number,
        other,
        next_number,
        signature_text(frame, pin),
    )
