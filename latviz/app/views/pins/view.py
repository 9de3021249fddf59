"""Pixels that were pinned, side by side."""

from collections.abc import Callable, Sequence
from typing import Self

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QColor, QIcon
from PyQt6.QtWidgets import QAbstractItemView, QTableView, QWidget

from latviz.app.views.base import View
from latviz.app.views.pixel.view import observed_text, signature_text
from latviz.app.widgets import accessible_text as words
from latviz.app.widgets import layouts, shortcuts, tables
from latviz.app.widgets.accessible_text import value_text
from latviz.app.widgets.chip import chip
from latviz.app.widgets.pin import pin_name
from latviz.app.widgets.tables import Column, Role
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection

_MARGINS = 8
"""Pixels above and below a row's text."""
_LOOKED_AT = 100
"""Rows by whose texts columns are made wide enough."""
_NOTHING = "No pixel is pinned"
_HOW_TO = shortcuts.keyed("`Shift+click` or `Shift+Enter` pins one.")


def columns_of(
    frame: Frame, pins: Sequence[Inspection], colors: Sequence[QColor]
) -> tuple[Column[int], ...]:
    """Return the columns of the table of pins."""
    chips = [chip(color) for color in colors]
    far, how_far = (
        ("Distance", digits.measure) if frame.believed is None else ("Belief", digits.probability)
    )

    def of(text: Callable[[Frame, Inspection], str]) -> Callable[[int], str]:
        return lambda row: text(frame, pins[row])

    def ranked(title: str, place: int) -> tuple[Column[int], Column[int]]:
        """Return the nearest state, or the next one, and its distance."""

        def found(row: int) -> tuple[int, float] | None:
            return next(iter(pins[row].ranked[place : place + 1]), None)

        def mark(row: int) -> QIcon | None:
            return None if (pair := found(row)) is None else chips[pair[0]]

        return (
            Column(
                title,
                lambda row: "–" if (pair := found(row)) is None else frame.label(pair[0]),
                cells={Role.DecorationRole: mark},
            ),
            Column(far, lambda row: "–" if (pair := found(row)) is None else how_far(pair[1])),
        )

    return (
        Column("Pin", pin_name),
        Column("Pixel", of(place_text)),
        Column("Value", of(value_text)),
        Column("Observed", of(observed_text)),
        *ranked("State", 0),
        *ranked("Next", 1),
        Column("Signature", of(signature_text)),
    )


class PinsView(View):
    """A row for each pinned pixel: its value, its state and the distance of the next one."""

    TITLE = "Pins"
    KEYS = shortcuts.keyed("Arrow keys move between rows, `Del` unpins one.")

    unpinned = pyqtSignal(object)  # (row, column) of a pixel whose row was deleted

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows, self.table = tables.TableModel[int](), QTableView()
        header = tables.set_up(self.table, self.rows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setShowGrid(True)
        how = shortcuts.keyed("`Shift+click` pins a pixel; double-click a row to unpin it")
        self.table.setToolTip(how)
        self.take_keyboard(self.table)
        header.setResizeContentsPrecision(_LOOKED_AT)
        header.setStretchLastSection(True)
        layouts.column(self.table, of=self)
        self.nothing = tables.note_over(self.table, f"{_NOTHING}: {_HOW_TO}")
        self.table.doubleClicked.connect(lambda index: self._unpin(index.row()))
        tables.on_keys(self.table, lambda index: self._unpin(index.row()), shortcuts.DELETE)

    def in_words(self, _frame: Frame) -> str:
        """Return which pixels are pinned."""
        return words.pins(self.pins) or f"{_NOTHING}."

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the whole table, at any width and height."""
        tables.as_in_print(self.table)
        self.nothing.setText(f"{_NOTHING}.")
        super().show_as_figure(shown, scale)
        if self.pins:
            self.table.resizeColumnsToContents()
            self.table.resizeRowsToContents()
            tables.fit_to_print(self, self.table, tables.headers(self.table)[1].length())

    def show_frame(self, frame: Frame) -> None:
        """Take the newest frame; its pins, if any, follow."""
        if self.pins:
            self.frame = frame
        else:
            super().show_frame(frame)

    def show_pins(self, pins: Sequence[Inspection]) -> None:
        """Take the pinned pixels, as the last frame has them."""
        super().show_pins(pins)
        self._refresh()

    def draw_frame(self) -> None:
        """Fill the table, or show a hint."""
        tables.set_row_heights(self.table, _MARGINS)
        if self.frame is None:
            self.rows.show_items((), ())
        else:
            columns = columns_of(self.frame, self.pins, self.colors())
            self.rows.keep_items(range(len(self.pins)), columns)
        tables.show_note(self.nothing, self.table, not self.pins)

    def _unpin(self, row: int) -> None:
        if 0 <= row < len(self.pins):
            self.unpinned.emit(self.pins[row].node)


def place_text(_frame: Frame, pin: Inspection) -> str:
    """Return the place of a pixel in words."""
    return words.node_text(pin.node) if len(pin.node) != 2 else f"{pin.node[0]}, {pin.node[1]}"
