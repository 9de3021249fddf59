"""Tables of rows, one of which is picked: how those of all views look and are used."""

from PyQt6.QtCore import QAbstractItemModel, Qt
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QTableView, QVBoxLayout


def set_up(table: QTableView, model: QAbstractItemModel) -> QHeaderView:
    """Show rows without a grid, as wide as what is in them; return the heads of the columns."""
    table.setModel(model)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setShowGrid(False)
    header, rows = headers(table)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.hide()
    return header


def headers(table: QTableView) -> tuple[QHeaderView, QHeaderView]:
    """Return the heads of columns and of rows."""
    header, rows = table.horizontalHeader(), table.verticalHeader()
    assert header is not None
    assert rows is not None
    return header, rows


def note_over(table: QTableView, text: str) -> QLabel:
    """Return a text in the middle of a table, which is there while it has no rows."""
    note = QLabel(text)
    note.setWordWrap(True)
    note.setProperty("muted", True)
    note.setAlignment(Qt.AlignmentFlag.AlignCenter)
    room = QVBoxLayout(table.viewport())
    room.setContentsMargins(8, 0, 8, 0)
    room.addWidget(note)
    return note
