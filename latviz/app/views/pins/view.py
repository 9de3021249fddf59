"""Pixels that were pinned, side by side."""

from collections.abc import Sequence
from typing import Self

from PyQt6.QtCore import QCoreApplication, QEvent, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QKeySequence, QPainter, QPixmap, QShortcut
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from latviz.app.theme import LIGHT
from latviz.app.views.base import View
from latviz.app.views.pixel.view import observed_text, signature_text, value_text
from latviz.app.widgets import accessible_text as words
from latviz.app.widgets.pin import pin_name
from latviz.engine.frame import Frame
from latviz.engine.inspection import Inspection

COLUMNS = (
    *("Pin", "Pixel", "Value", "Observed"),
    *("State", "Distance", "Next", "Distance", "Signature"),
)
_STATE, _NEXT = 4, 6
_CHIP = 10
_NOTHING = "No pixel is pinned"
_HOW_TO = "Shift and a click, or Shift and Enter, pin one."
_PLAIN = (
    "QHeaderView, QHeaderView::section {{ background: transparent; "
    "border: none; padding: 2px; }} QHeaderView::section:horizontal "
    "{{ border-bottom: 1px solid {line}; }}"
)
"""How headers look in figures: as in print, not as buttons."""


class PinsView(View):
    """A row for each pinned pixel: what it shows, its state and how near the next one is.

    Signals
    -------
    unpinned(object)
        The (row, column) of a pixel whose row was deleted.
    """

    TITLE = "Pins"
    WRITTEN = True
    KEYS = "Arrow keys go over the rows, Delete unpins one."

    unpinned = pyqtSignal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = QTableWidget(0, len(COLUMNS))
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.setToolTip("Shift and a click pin a pixel; a double click on a row unpins it")
        self.take_keyboard(self.table)
        header = self.table.horizontalHeader()
        assert header is not None
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        rows = self.table.verticalHeader()
        assert rows is not None
        rows.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        rows.hide()  # pins have names of their own
        self.table.setWordWrap(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        self.nothing = QLabel(f"{_NOTHING}: {_HOW_TO}")
        self.nothing.setWordWrap(True)
        self.nothing.setProperty("muted", True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        room = QVBoxLayout(self.table.viewport())
        room.setContentsMargins(8, 0, 8, 0)
        room.addWidget(self.nothing)
        self.table.cellDoubleClicked.connect(self._unpin)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(lambda: self._unpin(self.table.currentRow(), 0))

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
        """Take the newest frame, whose pins are told next."""
        self.pins = ()
        super().show_frame(frame)

    def show_pins(self, pins: Sequence[Inspection]) -> None:
        """Take the pinned pixels, as the last frame has them."""
        super().show_pins(pins)
        if self.isVisible():
            self.draw_frame()
            self.describe()

    def draw_frame(self) -> None:
        """Fill the table, or say how to."""
        self.table.setRowCount(len(self.pins))
        self.nothing.setVisible(not self.pins)
        for column in range(len(COLUMNS)):
            self.table.setColumnHidden(column, not self.pins)  # what is said takes their room
        if self.frame is None:
            return
        colors = self.colors()
        for row, pin in enumerate(self.pins):
            for column, text in enumerate((pin_name(row), *texts(self.frame, pin))):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                k = {_STATE: 0, _NEXT: 1}.get(column, 2)
                if k < len(pin.nearest):
                    item.setData(Qt.ItemDataRole.DecorationRole, _chip(colors[pin.nearest[k][0]]))
                self.table.setItem(row, column, item)

    def _unpin(self, row: int, _column: int) -> None:
        if 0 <= row < len(self.pins):
            self.unpinned.emit(self.pins[row].node)


def texts(frame: Frame, pin: Inspection) -> tuple[str, ...]:
    """Return what the columns say of a pixel, but for what its pin is called."""
    nearest = [(str(state + 1), f"{distance:.4f}") for state, distance in pin.nearest]
    (state, distance), (other, further) = (*nearest, ("–", "–"))[:2]
    return (
        words.node_text(pin.node) if len(pin.node) != 2 else f"{pin.node[0]}, {pin.node[1]}",
        value_text(frame, pin),
        observed_text(frame, pin),
        state,
        distance,
        other,
        further,
        signature_text(frame, pin),
    )


def _chip(color: QColor) -> QPixmap:
    """Return a disc in a state's colour: squares are symbols."""
    chip = QPixmap(2 * _CHIP, 2 * _CHIP)
    chip.setDevicePixelRatio(2.0)
    chip.fill(Qt.GlobalColor.transparent)
    painter = QPainter(chip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(QRectF(0.0, 0.0, _CHIP, _CHIP))
    painter.end()
    return chip
