"""State maps side by side: their contents, how users act on them, and that all is undone."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from PyQt6 import sip
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QContextMenuEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.program.window import MainWindow
from latviz.app.views.multiples.cell import CellWidget
from latviz.app.views.multiples.spec import MultiplesHeader
from latviz.app.views.multiples.view import MultiplesView, best_columns
from latviz.core.data.encoding import Encoding
from latviz.engine.choosing import cells
from latviz.engine.choosing.cells import drawn
from latviz.engine.frames.kept import frame_of
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.palette import state_colors
from tests.app.conftest import settle
from tests.app.frames import outlines
from tests.app.program.test_window import inner_nodes, pixels_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def shown(window: MainWindow, qtbot: QtBot) -> MultiplesView:
    """Open the view, and wait until all cells are decoded."""
    window.tabs.stage.open_dock("multiples")
    wait(window, qtbot)
    return window.views["multiples"]


def columns_of(view: MultiplesView) -> int:
    return len({widget.x() for widget in view.widgets})


def wait(window: MainWindow, qtbot: QtBot) -> None:
    view = window.views["multiples"]
    qtbot.waitUntil(lambda: set(view.cells) == set(view.places))  # type: ignore[attr-defined]
    settle(qtbot, window)


@pytest.mark.usefixtures("few_views")
def test_maps_have_a_cross_and_hands_work_on_them(window, qtbot, photo) -> None:
    check_a_map_has_a_cross_where_a_hand_is(window, qtbot)
    check_cells_show_their_own_states_and_hands_work_on_them(window, qtbot, photo)


def check_a_map_has_a_cross_where_a_hand_is(window: MainWindow, qtbot: QtBot) -> None:
    view = shown(window, qtbot)
    window.activateWindow()
    window.views["states"].keyboard.setFocus()
    assert not any(widget.close_button.isVisible() for widget in view.widgets)
    for widget in view.widgets[:2]:
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        crosses = [one.close_button.isVisible() for one in view.widgets]
        assert crosses == [one is widget for one in view.widgets]
    assert len({one.canvas.y() for one in view.widgets}) == 1  # a cross moves no map


def check_cells_show_their_own_states_and_hands_work_on_them(window, qtbot, photo) -> None:
    view, document = shown(window, qtbot), window.document
    window.resize(1920, 1080)  # a pixel of a small cell has several nodes
    settle(qtbot, window)
    assert view.places == ((4, 1), (4, 3), (4, 7), (4, 15))
    before = document.state
    for widget in view.widgets[2:3]:
        decoded = widget.cell.frame.states
        shown_so = cells.drawn(widget.cell, document.frame)
        drawn, colors = pixels_of(widget.canvas), state_colors(shown_so.slots)
        for node in inner_nodes(decoded)[::151]:
            scene = widget.canvas.box.mapViewToScene(QPointF(node[1] + 0.5, node[0] + 0.5))
            at: QPoint = widget.canvas.mapFromScene(scene)
            np.testing.assert_array_equal(drawn[at.y(), at.x()], colors[decoded[tuple(node)]])
    # One zoom, and one cursor with a window of each w.
    one, other = view.widgets[0].canvas, view.widgets[2].canvas
    one.zoom(2.0)
    assert other.scale_factor == pytest.approx(one.scale_factor)
    assert not other.whole
    document.inspector.hover((100, 120))
    assert [round(outlines(x.canvas)[0].rect().width()) for x in view.widgets] == [3, 7, 15, 31]
    # Keys and the menu.
    QTest.keyClick(view.widgets[2], Qt.Key.Key_Return)
    assert document.parameters.window == 7
    assert view.widgets[2].property("current") is True
    view.widgets[0].actions()[1].trigger()
    kept = frame_of(document.state.compared)
    assert kept.states is view.widgets[0].cell.frame.states
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.state == before
    QTest.keyClick(view.widgets[3], Qt.Key.Key_Backspace)  # as laptops by Apple send Delete
    assert view.places == document.state.cells == ((4, 1), (4, 3), (4, 7))
    document.undo_stack.undo()
    assert document.state == before
    settle(qtbot, window)
    check_cells_have_the_colours_of_the_state_map_on_screen(window, qtbot)
    check_cells_are_added_up_to_a_limit_and_decoded(window, qtbot)
    check_decoding_is_stopped_and_taken_up_again(window, qtbot)
    # Cells are arranged again for a picture of another shape.
    document.change("Several w", cells=())
    wait(window, qtbot)
    columns = columns_of(view)
    document.open(Picture(np.tile(np.arange(240, dtype=np.uint8), (24, 1)), "wide"))
    wait(window, qtbot)
    assert columns_of(view) < columns
    assert columns_of(view) == best_columns(4, (view.width(), view.height()), (24, 240))
    check_a_cell_may_go_away_by_its_own_menu(window, qtbot)


def check_cells_are_added_up_to_a_limit_and_decoded(window: MainWindow, qtbot: QtBot) -> None:
    view, document = window.views["multiples"], window.document
    for window_set in (5, 9):
        document.set("w", window=window_set)
    QTest.keyClick(window, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    assert view.places[-1] == (4, 9)
    wait(window, qtbot)
    (header,) = window.findChildren(MultiplesHeader)
    header.menu.aboutToShow.emit()
    texts = [action.text() for action in header.menu.actions() if action.text()]
    assert any("Previous: N = 4, w = 5" in text for text in texts)
    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert view.places == ((2, 9), (3, 9), (4, 9), (6, 9))
    wait(window, qtbot)
    document.change("Many", cells=tuple((2, w) for w in range(12)))
    QTest.keyClick(window, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    assert len(document.state.cells) == 12  # and reports it
    assert "room for 12" in window.status.message.text()
    document.change("One", cells=((4, 9),))
    settle(qtbot, window)


def check_decoding_is_stopped_and_taken_up_again(window: MainWindow, qtbot: QtBot) -> None:
    view = window.views["multiples"]
    wait(window, qtbot)
    (header,) = window.findChildren(MultiplesHeader)
    assert header.stop.isHidden()
    window.document.change("More", cells=((4, 1), (9, 11), (9, 13)))
    assert header.stop.isVisibleTo(header)
    header.stop.click()
    assert header.stop.text() == "Go on"
    assert not window.parts[IdleJobs].is_decoding
    settle(qtbot, window)
    header.stop.click()
    wait(window, qtbot)
    assert header.stop.isHidden()
    # Another setting than N and w changes: all cells are decoded again.
    before = view.cells[9, 11]
    window.document.set("Encoding", encoding=Encoding("quantiles", 4))
    qtbot.waitUntil(lambda: view.cells.get((9, 11)) not in (None, before))
    wait(window, qtbot)
    assert view.cells[9, 11].frame.observations.n_symbols == 4


@pytest.mark.parametrize(
    ("count", "room", "shape", "columns"),
    [
        (4, (1000, 300), (256, 256), 4),
        (4, (600, 600), (256, 256), 2),
        (4, (1000, 300), (100, 512), 2),
        (4, (1000, 600), (512, 100), 4),
        (3, (300, 900), (256, 256), 1),
        (4, (1000, 300), (1, 5000), 1),
    ],
)
def test_maps_are_as_large_as_can_be(count, room, shape, columns) -> None:
    assert best_columns(count, room, shape) == columns


def is_in(widget: CellWidget, color: tuple[int, int, int]) -> bool:
    return bool((pixels_of(widget.canvas) == color).all(axis=2).any())


def check_cells_have_the_colours_of_the_state_map_on_screen(window, qtbot) -> None:
    view, document = window.views["multiples"], window.document
    frame = document.frame
    turns = (frame.slots[2], frame.slots[0], frame.slots[3], 7)
    by_row = dict(zip(frame.slots, turns, strict=True))
    row_slots = tuple(by_row[slot] for slot in frame.row_slots)
    tree_slots = tuple((row, by_row[slot]) for row, slot in frame.tree_slots)
    turned = replace(frame, slots=turns, row_slots=row_slots, tree_slots=tree_slots)
    for cell in view.cells.values():
        states = cell.frame.states
        overlap = [
            [np.sum((frame.states == i) & (states == j)) for j in range(4)] for i in range(4)
        ]
        best = max(
            permutations(range(4)), key=lambda old: sum(overlap[old[j]][j] for j in range(4))
        )
        for seen in (frame, turned):
            assert drawn(cell, seen).slots == tuple(seen.slots[old] for old in best)
    green = Look(frame.slots[0], color="#0ac85a")
    document.change("Colour a state", looks=Looks(own=(green,)))
    for widget in view.widgets:
        qtbot.waitUntil(lambda one=widget: is_in(one, (10, 200, 90)))  # type: ignore[misc]


def check_a_cell_may_go_away_by_its_own_menu(window: MainWindow, qtbot: QtBot) -> None:
    """No loop of events runs in it meanwhile, or it would be deleted before the loop ends."""
    view = window.views["multiples"]
    gone = view.widgets[-1]
    middle = gone.rect().center()
    reason = QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, middle, gone.mapToGlobal(middle))
    QApplication.sendEvent(gone.canvas.viewport(), event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    texts = [action.text() for action in menu.actions()]
    assert texts == ["Set N and w", "Keep as reference", "Remove"]
    QTest.mouseClick(
        menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(menu.actions()[2]).center()
    )
    qtbot.waitUntil(lambda: sip.isdeleted(gone))
    assert len(view.widgets) == 3
    assert QApplication.activePopupWidget() is None
