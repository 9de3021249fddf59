"""Context menus: the verbs of the place under the pointer, by mouse and by keyboard."""

import csv
from functools import partial

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QContextMenuEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.exporting.export_list import ExportList
from latviz.app.program.context_menus import ContextMenus
from latviz.app.program.window import MainWindow
from latviz.engine.geometry.selection import StateSelection
from tests.app.conftest import begin_anew, settle
from tests.app.frames import drag_to, menu_of, point_at, press_at

LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard", extend=True)


def opened(window: MainWindow, part: QWidget, place: QPoint) -> QMenu:
    """Press the right button at a place in a part of the window, with Qt's events."""
    QTest.mouseMove(part, place)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(part, QContextMenuEvent(reason, place, part.mapToGlobal(place)))
    return current(window)


def current(window: MainWindow) -> QMenu:
    menu = window.parts[ContextMenus].menu
    assert menu.isVisible()
    return menu


def choose(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text() == text).trigger()
    menu.close()


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions()]


def test_pixels_and_views_have_verbs(window, qtbot, tmp_path, monkeypatch) -> None:
    check_a_pixel_is_pinned_picked_out_and_looked_at(window, qtbot)
    begin_anew(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    check_verbs_of_painted_views_and_those_that_all_have(window, qtbot, tmp_path, monkeypatch)
    begin_anew(qtbot, window)
    check_a_drag_after_a_menu_pans_and_never_zooms(window)
    check_a_double_click_shows_all_and_highlights_nothing(window, qtbot)
    check_a_stroke_ends_if_a_menu_took_its_release(window)


def check_a_pixel_is_pinned_picked_out_and_looked_at(window: MainWindow, qtbot: QtBot) -> None:
    frame, view = settle(qtbot, window), window.views["states"]
    canvas, document = view.canvas, window.document
    middle = canvas.viewport().rect().center()
    menu = opened(window, canvas.viewport(), middle)
    assert "Copy the picture" in texts(menu)
    choose(menu, "Pin this pixel")
    (node,) = document.state.pins
    assert max(abs(a - b / 2) for a, b in zip(node, frame.states.shape, strict=True)) <= 3
    state = int(frame.states[node])
    assert texts(menu)[1] == f"Highlight state {state + 1}"
    choose(opened(window, canvas.viewport(), middle), f"Highlight state {state + 1}")
    assert document.state.selection == StateSelection(frame.slots[state])
    menu = opened(window, canvas.viewport(), middle)
    assert "Unpin this pixel" in texts(menu)
    choose(menu, "Clear the highlight")
    assert document.state.selection is None
    before = canvas.scale_factor
    choose(opened(window, canvas.viewport(), middle), "Zoom in here")
    assert canvas.scale_factor == pytest.approx(2 * before, rel=0.01)
    choose(opened(window, canvas.viewport(), middle), "&Whole image")
    assert canvas.whole
    choose(opened(window, canvas.viewport(), middle), "&Keep as reference")
    assert document.state.compared is not None


def check_verbs_of_painted_views_and_those_that_all_have(
    window, qtbot, tmp_path, monkeypatch
) -> None:
    frame, path, made = window.document.frame, tmp_path / "a.csv", partial(menu_of, window)
    monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(path))
    choose(made("states"), "Export…")
    exports = window.findChild(ExportList)
    QTest.keyClick(exports.edit, Qt.Key.Key_Down)  # from the figure to the values
    QTest.keyClick(exports.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(path.exists)
    rows = list(csv.reader(path.read_text().splitlines()))
    assert rows[0] == ["State", "Pixels", "Share"]
    assert [int(row[1]) for row in rows[1:]] == frame.occupancy.tolist()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    view = window.views["adjacency"]
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    menu = current(window)
    assert texts(menu)[0].startswith("Highlight ")
    choose(menu, texts(menu)[0])
    assert window.document.state.selection is not None
    for name, shown in window.views.items():  # verbs name actions of the menus that are there
        shown.setVisible(True)
        assert len(made(name).actions()) > 2, name
        assert all(action.isSeparator() or action.text() for action in made(name).actions())


def check_a_drag_after_a_menu_pans_and_never_zooms(window: MainWindow) -> None:
    """The menu takes the release of the right button, so the view gets its press alone."""
    for plane in (window.views["image"].canvas, window.views["space"].plot):
        port, start, by = plane.viewport(), plane.viewport().rect().center(), QPoint(40, -30)
        plane.zoom(4.0)
        plane.grab()
        press_at(port, start, Qt.MouseButton.RightButton)
        opened(window, port, start).close()
        box, before = plane.box, plane.box.viewRect()
        under = box.mapSceneToView(plane.mapToScene(start))
        QTest.mousePress(port, LEFT, pos=start)
        for step in (1, 2, 3, 4):
            drag_to(port, start + by * step / 4)
        QTest.mouseRelease(port, LEFT, pos=start + by)
        assert box.viewRect().size() == before.size()
        moved = box.mapSceneToView(plane.mapToScene(start + by)) - under
        assert moved.manhattanLength() < 1e-6 * before.width()  # it is under the pointer still


def check_a_stroke_ends_if_a_menu_took_its_release(window: MainWindow) -> None:
    """The pointer comes back without the button."""
    canvas, ended = window.views["states"].canvas, []
    port, start = canvas.viewport(), canvas.viewport().rect().center()
    canvas.released.connect(lambda: ended.append(True))
    canvas.set_drawing(True)
    press_at(port, start, LEFT)
    drag_to(port, start + QPoint(9, 0))
    assert ended == []
    point_at(port, start.x() + 30, start.y())
    assert ended == [True]
    canvas.set_drawing(False)


def check_a_double_click_shows_all_and_highlights_nothing(window: MainWindow, qtbot: QtBot) -> None:
    frame, document, handle = settle(qtbot, window), window.document, window.windowHandle()
    canvas, plot = window.views["image"].canvas, window.views["space"].plot
    plot.show_all()
    plot.grab()
    disc = plot.mapFromScene(plot.box.mapToScene(plot.discs()[0].centre))
    for plane, place in ((canvas, canvas.viewport().rect().center()), (plot, disc)):
        at = QPoint(plane.viewport().mapTo(window, place))
        for slot in (None, *frame.slots[:2]):
            selection = None if slot is None else StateSelection(slot)
            document.change("Highlight", object(), selection=selection)
            before, n_commands = document.state, document.undo_stack.count()
            QTest.mouseClick(handle, LEFT, pos=at)
            assert document.state.selection != selection
            document.undo_stack.undo()
            plane.zoom(1.5)
            QTest.mouseDClick(handle, LEFT, pos=at)
            assert document.state == before
            assert document.undo_stack.count() == n_commands
        QTest.mouseDClick(handle, LEFT, Qt.KeyboardModifier.ShiftModifier, at)
        assert document.state.pins == ()
    assert canvas.whole
