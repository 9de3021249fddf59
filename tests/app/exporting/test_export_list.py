"""The list of what can be exported: its rows, their pictures, copying and saving."""

import re
from pathlib import Path

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QPixmap
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from latviz.app.exporting.export_list import ONLY_A_FILE, ExportList
from latviz.app.program.window import MainWindow
from latviz.app.shell.actions import plain
from latviz.app.views.spec import as_text
from tests.app.conftest import settle
from tests.app.frames import timer_of
from tests.app.shown_numbers import table

Key, PICTURE = Qt.Key, 3
MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def opened(window: MainWindow) -> ExportList:
    window.activateWindow()
    window.menus["Export"].trigger()
    shown = window.findChild(ExportList)
    assert shown is not None
    return shown


def rows(shown: ExportList) -> dict[tuple[str, str], QTreeWidgetItem]:
    """Return the items by their name and kind, in the order of the list."""
    items = shown.list.findItems("", Qt.MatchFlag.MatchContains)
    return {(item.text(0), item.text(1)): item for item in items}


def mean_color(picture: QPixmap) -> np.ndarray:
    image = picture.toImage()
    return pg.functions.ndarray_from_qimage(image)[..., :3].mean(axis=(0, 1))


def pictured(shown: ExportList) -> dict[str, QPixmap]:
    """Return the pictures of views by their titles."""
    role = Qt.ItemDataRole.DecorationRole
    found = ((name, item.data(PICTURE, role)) for (name, _), item in rows(shown).items())
    return {name: picture for name, picture in found if picture is not None}


def test_all_that_can_be_exported_is_listed_copied_and_saved(
    window, qtbot, tmp_path, clipboard, monkeypatch
) -> None:
    settle(qtbot, window)
    check_every_result_and_view_has_its_rows_and_formats(window)
    check_pictures_are_of_views_on_screen_and_drawn_when_they_are_seen(window, qtbot)
    check_what_cannot_be_copied_says_why_and_values_are_copied(window, qtbot, clipboard)
    path = tmp_path / "arrays.npz"
    monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(path))
    check_enter_saves_and_so_do_keys(window, qtbot, path)
    window.tabs.stage.close_dock("tree")
    shown = opened(window)
    shown.list.setCurrentItem(rows(shown)["Merge tree", "Figure"])
    clipboard.clear()
    shown.copy.click()
    qtbot.waitUntil(lambda: not clipboard.image().isNull())
    assert window.views["tree"].isVisible()
    assert "Copied the picture of “Merge tree”" in window.status.message.whole_text()


def check_every_result_and_view_has_its_rows_and_formats(window: MainWindow) -> None:
    shown = opened(window)
    found = [*rows(shown)]
    results = [(plain(action.text()), "Export") for action in window.menus.exports]
    specs = sorted(window.specs.values(), key=lambda each: not window.views[each.name].isVisible())
    views = [(s.title, k) for s in specs for k in ("Figure", "Values") if k == "Figure" or s.table]
    assert found == results + views
    assert {"Export arrays", "Export a report", "Whole window"} < {name for name, _ in results}
    for item in rows(shown).values():
        shown.list.setCurrentItem(item)
        assert re.search(r"\(\.\w+", shown.tip.text()), item.text(0)


def check_pictures_are_of_views_on_screen_and_drawn_when_they_are_seen(window, qtbot) -> None:
    shown = opened(window)
    assert pictured(shown) == {}  # none before the list is on screen
    qtbot.waitUntil(lambda: {"Image", "State map"} <= pictured(shown).keys())
    qtbot.waitUntil(lambda: not timer_of(shown, 0).isActive())
    titles = {window.specs[name].title for name, view in window.views.items() if view.isVisible()}
    assert pictured(shown).keys() < titles
    for name, title in (("image", "Image"), ("states", "State map")):
        expected = mean_color(window.views[name].grab())
        np.testing.assert_allclose(mean_color(pictured(shown)[title]), expected, atol=4)
    for item in rows(shown).values():
        shown.list.scrollToItem(item)
        qtbot.waitUntil(lambda: not timer_of(shown, 0).isActive())
    assert pictured(shown).keys() == titles


def check_what_cannot_be_copied_says_why_and_values_are_copied(window, qtbot, clipboard) -> None:
    shown = opened(window)
    shown.list.setCurrentItem(rows(shown)["Export arrays", "Export"])
    assert not shown.copy.isEnabled()
    assert shown.copy.toolTip() == ONLY_A_FILE
    shown.list.setCurrentItem(rows(shown)["State adjacency A", "Values"])
    shown.copy.click()
    assert not shown.isVisible()
    values = as_text(table("adjacency", window.document.frame, []))
    qtbot.waitUntil(lambda: clipboard.text() == values)


def check_enter_saves_and_so_do_keys(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    shown = opened(window)
    QTest.keyClicks(shown.edit, "arrays")
    assert ".npz" in shown.tip.text()
    QTest.keyClick(shown.edit, Key.Key_Return)
    qtbot.waitUntil(path.exists)
    path.unlink()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Key.Key_E, MODIFIERS)
    qtbot.waitUntil(path.exists)  # keys do it though no menu holds it
