"""The table of pinned pixels."""

from collections.abc import Callable, Sequence

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QColor, QIcon
from PyQt6.QtWidgets import QAbstractItemView, QTableView, QWidget

from latviz.app.views.pixel.words import observed_text, signature_text
from latviz.app.widgets import accessible_text as words
from latviz.app.widgets import shortcuts, tables
from latviz.app.widgets.accessible_text import value_text
from latviz.app.widgets.buttons import chip
from latviz.app.widgets.pin import pin_name
from latviz.app.widgets.tables import Column, Role
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection

_MARGINS = 8
"""Pixels above and below a row's text."""
_FITTED = 100
"""Rows by whose texts columns are made wide enough."""
_MOST = 6
"""Rows that are visible at once."""


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
        *ranked("State", 0),
        *ranked("Next", 1),
        Column("Pixel", of(place_text)),
        Column("Value", of(value_text)),
        Column("Observed", of(observed_text)),
        Column("Signature", of(signature_text)),
    )


class PinsTable(QTableView):
    """A row for each pinned pixel: its state, the distance of the next one, its value."""

    unpinned = pyqtSignal(object)  # (row, column) of a pixel whose row was deleted

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = tables.TableModel[int]()
        self._pins: Sequence[Inspection] = ()
        header = tables.set_up(self, self.rows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(True)
        self.setToolTip("Double-click a row to unpin it")
        self.setAccessibleName("Pins")
        header.setResizeContentsPrecision(_FITTED)
        header.setStretchLastSection(True)
        self.doubleClicked.connect(lambda index: self._unpin(index.row()))
        tables.on_keys(self, lambda index: self._unpin(index.row()), shortcuts.DELETE)
        self.hide()

    def show_pins(
        self, frame: Frame | None, pins: Sequence[Inspection], colors: Sequence[QColor]
    ) -> None:
        """Show the pinned pixels as a frame has them; no table if there are none."""
        self._pins = pins
        tables.set_row_heights(self, _MARGINS)
        if frame is None or not pins:
            self.rows.show_items((), ())
        else:
            self.rows.keep_items(range(len(pins)), columns_of(frame, pins, colors))
        self.setVisible(frame is not None and bool(pins))
        bar = self.horizontalScrollBar()
        self._fit(_MOST, 0 if bar is None else bar.sizeHint().height())
        keys = shortcuts.keyed("Arrow keys move between rows, `Del` unpins one.")
        self.setAccessibleDescription(f"{words.pins(pins)} {keys}")

    def show_in_print(self) -> None:
        """Show all rows and columns, without controls."""
        tables.as_in_print(self)
        header = tables.headers(self)[0]
        header.setStretchLastSection(False)
        self.resizeColumnsToContents()
        self.resizeRowsToContents()
        self.setMinimumWidth(header.length())
        self._fit(len(self._pins), 0)

    def _fit(self, most: int, below: int) -> None:
        """Set the height of the heads, of some rows, and of what is below them."""
        header, rows = tables.headers(self)
        height = header.sizeHint().height() + min(most, len(self._pins)) * rows.defaultSectionSize()
        self.setFixedHeight(height + below + 2 * self.frameWidth())

    def _unpin(self, row: int) -> None:
        if 0 <= row < len(self._pins):
            self.unpinned.emit(self._pins[row].node)


def place_text(_frame: Frame, pin: Inspection) -> str:
    """Return the place of a pixel in words."""
    return words.node_text(pin.node) if len(pin.node) != 2 else f"{pin.node[0]}, {pin.node[1]}"
