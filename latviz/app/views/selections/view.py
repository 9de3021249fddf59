"""The kept selections and the highlight: a row for each, with its statistics."""

from typing import Self

from PyQt6.QtCore import QModelIndex, pyqtSignal
from PyQt6.QtWidgets import QTableView, QWidget

from latviz.app.views.base import View
from latviz.app.views.selections.rows import SelectionRow, columns_of, rows_of
from latviz.app.widgets import layouts, shortcuts, tables
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.state import State

_MARGINS = 8
"""Pixels above and below a row's text."""
_NOTHING = "Nothing is highlighted or saved"
_HOW_TO = shortcuts.keyed("Highlight something, then press `Save the highlighted pixels`.")


def asked(state: State) -> frozenset[str]:
    """Return the results that are drawn in a state."""
    lit = () if state.selection is None else ("selection_statistics",)
    return frozenset({"kept_statistics", *lit})


class SelectionsView(View):
    """A row for each selection; a click highlights it."""

    TITLE = "Selections"
    SIZE = (360, 180)
    NEEDS = frozenset({"kept_statistics", "selection_statistics"})
    KEYS = shortcuts.keyed(
        "Arrow keys move between rows, `Enter` highlights one, `Del` removes it."
    )

    wanted = pyqtSignal(object)  # Kept: highlight it, or clear it
    removed = pyqtSignal(object)  # Kept: remove it
    naming = pyqtSignal()  # save the highlighted pixels

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows, self.table = tables.TableModel[SelectionRow](), QTableView()
        tables.set_up(self.table, self.rows).setStretchLastSection(True)
        self.take_keyboard(self.table)
        layouts.column(self.table, of=self)
        self.nothing = tables.note_over(self.table, f"{_NOTHING}. {_HOW_TO}")
        self.table.clicked.connect(self._pick)
        tables.on_keys(self.table, self._pick, shortcuts.ENTER)
        tables.on_keys(self.table, self._remove, shortcuts.DELETE)

    def needed(self) -> frozenset[str]:
        """Return the needed results."""
        return asked(self.state)

    @property
    def row(self) -> SelectionRow | None:
        """The row that is chosen, which menus are about."""
        index = self.table.currentIndex()
        there = index.isValid() and index.row() < len(self.rows.items)
        return self.rows.items[index.row()] if there else None

    def in_words(self, frame: Frame) -> str:
        """Return each kept selection's name and share of the picture."""
        parts = [
            f"{row.name}: {digits.share(row.found.share)}"
            for row in rows_of(frame)
            if row.found is not None
        ]
        return f"{'; '.join(parts)}." if parts else f"{_NOTHING}."

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the whole table, at any width and height."""
        tables.as_in_print(self.table)
        self.nothing.setText(f"{_NOTHING}.")
        super().show_as_figure(shown, scale)
        if self.rows.rowCount():
            tables.fit_to_print(self, self.table, tables.headers(self.table)[1].length())

    def draw_frame(self) -> None:
        """Fill the table, or show a hint."""
        if self.frame is None:
            return
        tables.set_row_heights(self.table, _MARGINS)
        self.rows.show_items(rows_of(self.frame), columns_of(self.frame, self.colors()))
        tables.show_note(self.nothing, self.table, not self.rows.items)
        self._mark_lit()

    def _differs(self, before: Frame, frame: Frame) -> bool:
        names = (each.request.kept for each in (before, frame))
        return len({*names}) > 1 or super()._differs(before, frame)

    def _mark_lit(self) -> None:
        """Select the row of the highlight."""
        lit = self.state.selection
        row = next((k for k, row in enumerate(self.rows.items) if row.selection == lit), -1)
        self.table.setCurrentIndex(self.rows.index(-1 if lit is None else row, 0))

    def _pick(self, index: QModelIndex) -> None:
        if index.isValid():
            kept = self.rows.items[index.row()].kept
            self.naming.emit() if kept is None else self.wanted.emit(kept)

    def _remove(self, index: QModelIndex) -> None:
        if index.isValid() and (kept := self.rows.items[index.row()].kept) is not None:
            self.removed.emit(kept)
