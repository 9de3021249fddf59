"""Finding an action: some letters, the marked line, and Enter."""

import re
from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.exporting import exporting
from latviz.app.program.window import MainWindow
from latviz.app.shell.action_finder import ActionFinder, entries, found
from latviz.app.shell.actions import plain
from tests.app.conftest import begin_anew, settle

Key = Qt.Key


def opened(window: MainWindow, qtbot: QtBot) -> ActionFinder:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    finder = window.findChild(ActionFinder)
    assert finder is not None
    qtbot.waitUntil(lambda: QApplication.focusWidget() is finder.edit)
    return finder


def names(finder: ActionFinder) -> list[str]:
    items = (finder.list.topLevelItem(k) for k in range(finder.list.topLevelItemCount()))
    return [item.text(0) for item in items if item is not None]


def marked(finder: ActionFinder) -> str:
    item = finder.list.currentItem()
    return "" if item is None else item.text(0)


def test_actions_and_exports_are_found_and_done(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    check_all_actions_are_found_by_letters_and_keys_move_the_mark(window, qtbot)
    begin_anew(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_what_can_be_exported_is_listed_with_its_formats(window, qtbot, tmp_path, patch)
    begin_anew(qtbot, window)
    check_a_click_or_enter_does_it_and_it_comes_first_the_next_time(window, qtbot)


def check_all_actions_are_found_by_letters_and_keys_move_the_mark(
    window: MainWindow, qtbot: QtBot
) -> None:
    finder = opened(window, qtbot)
    assert len(names(finder)) == len(window.menus.actions)
    QTest.keyClicks(finder.edit, "full scr")
    assert marked(finder) == names(finder)[0] == "Full screen"
    assert len(names(finder)) < 5
    QTest.keyClicks(finder.edit, "zzz")
    assert names(finder) == []
    QTest.keyClick(finder.edit, Key.Key_Return)
    assert finder.isVisible()  # it has no item to run
    QTest.keyClick(finder.edit, Key.Key_Escape)
    assert not finder.isVisible()
    finder = opened(window, qtbot)
    first = marked(finder)
    QTest.keyClick(finder.edit, Key.Key_Down)
    second = marked(finder)
    assert second != first
    QTest.keyClick(finder.edit, Key.Key_Up)
    assert marked(finder) == first
    for key in (Key.Key_Up, Key.Key_PageUp, Key.Key_PageDown, Key.Key_PageDown):
        QTest.keyClick(finder.edit, key)
        item = finder.list.currentItem()
        assert item is not None
        assert not item.isDisabled()
    window.activateWindow()  # a user turns to something else
    qtbot.waitUntil(lambda: not finder.isVisible())


def check_what_can_be_exported_is_listed_with_its_formats(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(qtbot, window)
    window.activateWindow()
    window.menus["Export"].trigger()
    finder = window.findChild(ActionFinder)
    assert finder is not None
    assert names(finder) == [plain(action.text()) for action in window.menus.exports]
    assert {"Export arrays", "Export a film", "Whole window", "Signature simplex"} < set(
        names(finder)
    )
    for action in window.menus.exports:
        assert re.search(r"\(\.\w+", action.toolTip()) or "inch" in action.toolTip(), action.text()
    path = tmp_path / "arrays.npz"
    monkeypatch.setattr(exporting, "ask_where", lambda *_: str(path))
    QTest.keyClicks(finder.edit, "arrays")
    assert ".npz" in finder.tip.text()
    QTest.keyClick(finder.edit, Key.Key_Return)
    qtbot.waitUntil(path.exists)
    finder = opened(window, qtbot)
    assert names(finder)[0] == "Export arrays"
    assert len(names(finder)) == len(window.menus.actions)
    finder.reject()
    path.unlink()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Key.Key_E, modifiers)
    qtbot.waitUntil(path.exists)  # keys do it though no menu holds it


def check_a_click_or_enter_does_it_and_it_comes_first_the_next_time(
    window: MainWindow, qtbot: QtBot
) -> None:
    dock = window.docks["tree"]
    window.tabs.stage.close_dock("tree")
    finder = opened(window, qtbot)
    QTest.keyClicks(finder.edit, dock.title)
    items = (finder.list.topLevelItem(k) for k in range(finder.list.topLevelItemCount()))
    item = next(one for one in items if one is not None and one.text(1) == "Views of the model")
    assert item.text(0) == dock.title
    assert item.checkState(0) == Qt.CheckState.Unchecked
    finder.list.setCurrentItem(item)
    assert finder.tip.text() == f"Show or hide “{dock.title}”"
    viewport = finder.list.viewport()
    QTest.mouseClick(
        viewport,
        Qt.MouseButton.LeftButton,
        pos=finder.list.visualItemRect(item).center() + QPoint(30, 0),
    )
    qtbot.waitUntil(dock.isVisible)
    assert not finder.isVisible()
    window.document.set("Change N", n_states=5)
    settle(qtbot, window)
    finder = opened(window, qtbot)
    QTest.keyClicks(finder.edit, "undo")
    assert marked(finder).startswith("Undo")
    QTest.keyClick(finder.edit, Key.Key_Return)
    assert not finder.isVisible()
    qtbot.waitUntil(lambda: window.document.state.parameters.n_states != 5)
    assert opened(window, qtbot) is finder
    assert names(finder)[0].startswith("Undo")
    assert marked(finder) != names(finder)[0]  # no step is left to undo
    finder.reject()


def action(text: str, menu: str, tip: str) -> QAction:
    made = QAction(text)
    made.setProperty("menu", menu)
    made.setToolTip(tip)
    return made


def test_names_that_begin_so_come_first(qapp: QApplication) -> None:
    made = [
        action("Close", "File", "Leave the open picture"),
        action("Reopen", "File", ""),
        action("Copy as &Open", "Edit", ""),
        action("&Open…", "File", ""),
    ]
    lines = entries(made)
    assert [line.name for line in lines] == ["Close", "Reopen", "Copy as Open", "Open"]
    assert [line.name for line in found(lines, "open")] == [
        "Open",
        "Copy as Open",
        "Reopen",
        "Close",
    ]
    assert [line.name for line in found(lines, "FILE op")] == ["Open", "Reopen", "Close"]
    assert [line.name for line in found(lines, "")] == [line.name for line in lines]
    assert found(lines, "nothing") == []
