"""Selections that are kept under names: by keys, menus and the table; undone, saved, exported."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt, QTimer
from PyQt6.QtGui import QAction
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QInputDialog
from pytestqt.qtbot import QtBot

from latviz.app.program.context_menus import ContextMenus
from latviz.app.program.window import MainWindow
from latviz.app.selections import keeper
from latviz.app.selections.keeper import Keeper
from latviz.app.session import sessions
from latviz.app.session.sessions import Sessions
from latviz.app.sharing import sharer
from latviz.app.sharing.sharer import Sharer
from latviz.app.views.selections.rows import LIT_NOW
from latviz.app.views.selections.view import SelectionsView
from latviz.core import digits
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import (
    ChangeSelection,
    ConnectedSelection,
    RangeSelection,
    RegionSelection,
    StateSelection,
)
from latviz.engine.keeping.session import text_of
from latviz.engine.keeping.state_string import from_text
from latviz.workspace import read_session
from tests.app.conftest import answered, begin_anew, settle

pytestmark = pytest.mark.usefixtures("few_views")

LEFT = Qt.MouseButton.LeftButton
LASSO = RegionSelection(((0.1, 0.05), (0.8, 0.1), (0.4, 0.9)))


@pytest.fixture
def view(window: MainWindow, qtbot: QtBot, show_only: Callable[..., None]) -> SelectionsView:
    show_only("controls", "image", "states", "selections")
    settle(qtbot, window)
    return window.views["selections"]


def answer(name: str | None) -> None:
    """Type a name into the dialog that opens next, and accept it; None: cancel it."""

    def type_in() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QInputDialog)
        if name is None:
            dialog.reject()
            return
        QTest.keyClicks(dialog.focusWidget(), name)
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)

    QTimer.singleShot(0, type_in)


def shown(window: MainWindow, qtbot: QtBot) -> Frame:
    """Return the frame of the selection and all kept ones."""
    return answered(qtbot, window, "selection", "kept")


def come_to_front(window: MainWindow, qtbot: QtBot) -> None:
    """Let the window have the keyboard again, after a dialog or a menu."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def keep(window: MainWindow, qtbot: QtBot, selection: Any, name: str) -> Frame:
    """Select something, and press K."""
    if window.document.state.selection != selection:
        window.document.select(selection)
    shown(window, qtbot)
    come_to_front(window, qtbot)
    answer(name)
    QTest.keyClick(window, "k")
    return shown(window, qtbot)


def cells(view: SelectionsView) -> list[dict[str, str]]:
    return [
        {column.title: view.rows.index(row, k).data() for k, column in enumerate(view.rows.columns)}
        for row in range(view.rows.rowCount())
    ]


def click(view: SelectionsView, row: int) -> None:
    place = view.table.visualRect(view.rows.index(row, 0)).center()
    QTest.mouseClick(view.table.viewport(), LEFT, pos=place)


def names(window: MainWindow) -> list[str]:
    return [kept.name for kept in window.document.state.kept]


def verb(window: MainWindow, view: SelectionsView, row: int, text: str) -> QAction:
    """Return a line of the menu that opens on a row."""
    place = view.table.visualRect(view.rows.index(row, 0)).center()
    QTest.mouseClick(view.table.viewport(), Qt.MouseButton.RightButton, pos=place)
    view.customContextMenuRequested.emit(view.table.viewport().mapTo(view, QPoint(place)))
    menu = window.parts[ContextMenus].menu
    menu.hide()
    return next(action for action in menu.actions() if action.text().startswith(text))


def test_it_is_kept_lit_again_and_renamed(
    window: MainWindow, qtbot: QtBot, view: SelectionsView
) -> None:
    check_what_is_lit_is_kept_and_lit_again(window, view, qtbot)
    begin_anew(qtbot, window)
    check_a_range_of_another_map_is_lit_with_its_map(window, view, qtbot)
    begin_anew(qtbot, window)
    check_it_is_renamed_removed_and_all_is_undone(window, view, qtbot)


def check_what_is_lit_is_kept_and_lit_again(
    window: MainWindow, view: SelectionsView, qtbot: QtBot
) -> None:
    # Nothing is selected, or the dialog is cancelled.
    assert view.nothing.isVisible()
    QTest.keyClick(window, "k")
    window.document.select(LASSO)
    shown(window, qtbot)
    answer(None)
    window.parts[Keeper].keep()
    assert names(window) == []
    assert window.menus["Save the highlighted pixels"].isEnabled()
    window.document.change("Compare", selection=ChangeSelection(0, 1))
    assert not window.menus["Save the highlighted pixels"].isEnabled()

    # The selection is in the table.
    window.document.select(LASSO)
    frame = shown(window, qtbot)
    assert [row["Name"] for row in cells(view)] == [LIT_NOW]
    assert not view.nothing.isVisible()
    mask, pixels = frame.lit.mask, frame.request.picture.pixels
    nodes = np.argwhere(mask)
    counts = {k + 1: int((frame.states[mask] == k).sum()) for k in range(4)}
    told = {int(part.split(":")[0]): part for part in cells(view)[0]["States"].split(", ")}
    for state, part in told.items():
        assert part == f"{state}: {digits.share(counts[state], len(nodes))}"
    row = cells(view)[0]
    assert row["Pixels"] == f"{len(nodes):,}"
    assert row["Colour"] == ", ".join([str(round(float(pixels[mask].mean())))] * 3)
    assert row["From"] == ", ".join(map(str, nodes.min(axis=0)))
    assert row["To"] == ", ".join(map(str, nodes.max(axis=0)))
    keep(window, qtbot, LASSO, "in the middle")
    assert names(window) == ["in the middle"]
    assert [row["Name"] for row in cells(view)] == ["in the middle"]
    assert cells(view)[0]["Pixels"] == row["Pixels"]
    assert "in the middle" in view.table.accessibleDescription()

    # It is selected again by mouse, keys and menu.
    keep(window, qtbot, StateSelection(frame.slots[1]), "state")
    assert names(window) == ["in the middle", "state"]
    assert view.table.currentIndex().row() == 1
    click(view, 0)
    assert window.document.state.selection == LASSO
    shown(window, qtbot)
    assert view.table.currentIndex().row() == 0
    click(view, 0)  # deselects
    assert window.document.state.selection is None
    shown(window, qtbot)
    come_to_front(window, qtbot)
    view.table.setFocus()
    view.table.setCurrentIndex(view.rows.index(1, 0))
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    assert window.document.state.selection == StateSelection(frame.slots[1])
    menu = window.menus.menus["Saved selections"]
    menu.aboutToShow.emit()
    listed = {action.text(): action for action in menu.actions() if not action.isSeparator()}
    assert [*listed][:2] == ["in the middle", "state"]
    assert listed["state"].isChecked()
    listed["in the middle"].trigger()
    assert window.document.state.selection == LASSO


def check_a_range_of_another_map_is_lit_with_its_map(
    window: MainWindow, view: SelectionsView, qtbot: QtBot
) -> None:
    chosen = RangeSelection("inertia", 0.0, 0.9)
    window.document.change("Map", map="inertia")
    keep(window, qtbot, chosen, "restless")
    window.document.change("Map", map="likelihood")
    assert window.document.state.selection is None
    shown(window, qtbot)
    click(view, 0)
    assert window.document.state.selection == chosen
    assert window.document.state.map == "inertia"


def check_it_is_renamed_removed_and_all_is_undone(
    window: MainWindow, view: SelectionsView, qtbot: QtBot
) -> None:
    frame = keep(window, qtbot, LASSO, "one")
    keep(window, qtbot, StateSelection(frame.slots[0]), "one")
    assert names(window) == ["one", "one 2"]
    answer("two")
    verb(window, view, 0, "Rename “one”").trigger()
    assert names(window) == ["two", "one 2"]
    shown(window, qtbot)
    assert [row["Name"] for row in cells(view)] == ["two", "one 2"]
    verb(window, view, 1, "Remove “one 2”").trigger()
    assert names(window) == ["two"]
    shown(window, qtbot)
    come_to_front(window, qtbot)
    view.table.setFocus()
    view.table.setCurrentIndex(view.rows.index(1, 0))  # the first one is selected now
    assert cells(view)[0]["Name"] == LIT_NOW
    QTest.keyClick(view.table, Qt.Key.Key_Backspace)  # as laptops by Apple send Delete
    assert names(window) == []
    steps = (["two"], ["two", "one 2"], ["one", "one 2"])
    for wanted in steps:
        window.document.undo_stack.undo()
        assert names(window) == wanted
    window.document.undo_stack.redo()
    assert names(window) == ["two", "one 2"]


def test_it_is_kept_in_sessions_exported_and_means_nothing_with_another_encoding(
    window: MainWindow,
    view: SelectionsView,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # In sessions, and in the text of the state.
    keep(window, qtbot, LASSO, "lasso & more = 1")
    keep(window, qtbot, ConnectedSelection((3, 4)), "region")
    wanted = window.document.state.kept
    assert wanted[1].picture == "camera"
    path = tmp_path / "a.latviz"
    monkeypatch.setattr(sessions, "ask_session", lambda *_: (str(path), True))
    window.parts[Sessions].save()
    qtbot.waitUntil(path.exists)
    assert read_session(path)[1].state.kept == wanted
    state = window.document.state
    text = text_of(state)
    assert from_text(text, replace(state, kept=())).kept == wanted

    # In exports.
    frame = keep(window, qtbot, StateSelection(0), "state")

    def exported(name: str, act: Any) -> Path:
        path = tmp_path / name
        monkeypatch.setattr(sharer, "ask_where", lambda *_: str(path))
        act()
        qtbot.waitUntil(path.exists)
        qtbot.waitUntil(lambda: not window.parts[Sharer].is_on)
        return path

    everything = window.menus["Export saved selections"].trigger
    with exported("a.csv", everything).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["Selection"] for row in rows] == ["lasso & more = 1", "region", "state"]
    assert [f"{int(row['Pixels']):,}" for row in rows] == [row["Pixels"] for row in cells(view)]
    found: Any = np.load(exported("a.npz", everything))
    np.testing.assert_array_equal(found["masks_0"][2], frame.states == frame.slots.index(0))
    alone: Any = np.load(
        exported("b.npz", verb(window, view, 0, "Export “lasso && more = 1” alone").trigger)
    )
    assert alone["selections"].tolist() == ["lasso & more = 1"]
    np.testing.assert_array_equal(alone["masks_0"][0], found["masks_0"][0])

    # With another encoding it is undefined, and says why.
    window.document.set("Encoding", encoding=Encoding("grey"))
    shown(window, qtbot)
    row = cells(view)[0]
    assert (row["Name"], row["Share"]) == ("lasso & more = 1", "–")
    assert "another encoding" in view.rows.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    click(view, 0)
    assert window.document.state.selection is None
    assert "another encoding" in window.status.message.whole_text()


def test_names_that_are_free() -> None:
    kept = [keeper.Kept(name, StateSelection(0)) for name in ("a", "a 2", "b 7", "x" * 60)]
    assert keeper.free_name("c", kept) == "c"
    assert keeper.free_name("a", kept) == "a 3"
    assert keeper.free_name("b 7", kept) == "b 2"
    assert len(keeper.free_name("x" * 60, kept)) <= 60
