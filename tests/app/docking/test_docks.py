"""Docks have their sizes back when they are shown again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PyQt6.QtCore import QByteArray, QPoint, QSize, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from latviz.app.docking import docks
from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings
from tests.app.conftest import settle


def sizes(window: MainWindow) -> dict[str, QSize]:
    for _ in range(10):  # what one event brings about comes with a later one
        QTest.qWait(3)
    return {name: dock.size() for name, dock in window.docks.items() if dock.isVisible()}


def widths(window: MainWindow) -> list[int]:
    found = sizes(window)
    return [found[name].width() for name in ("controls", "image", "states", "adjacency")]


def widen(window: MainWindow) -> None:
    """Move some separators, as a person does."""
    docks = [window.docks[name] for name in ("controls", "image", "space")]
    window.resizeDocks(docks, [310, 250, 400], Qt.Orientation.Horizontal)
    window.resizeDocks(docks[1:], [330, 400], Qt.Orientation.Vertical)


def test_hiding_and_showing_changes_no_size(window: MainWindow, qtbot: QtBot) -> None:
    before = sizes(window)
    check_hiding(window, qtbot, set(window.docks))
    widen(window)
    assert sizes(window) != before
    check_hiding(window, qtbot, {"controls", "space", "indices", "tree"})


def check_hiding(window: MainWindow, qtbot: QtBot, names: set[str]) -> None:
    before = sizes(window)
    for dock in (window.docks[name] for name in names):
        visible = dock.isVisible()
        dock.setVisible(not visible)
        assert sizes(window).keys() != before.keys()
        dock.setVisible(visible)
        qtbot.waitUntil(lambda: sizes(window) == before)


Sizes = dict[str, QSize]


def test_room_is_shared_and_the_default_layout_is_the_default(
    window: MainWindow, qtbot: QtBot
) -> None:
    before = sizes(window)
    for check in (check_two_hidden, check_smaller, check_larger, check_given, check_another_size):
        check(window, qtbot, before)
        window.resize(1280, 800)
        window.tabs.layout.restore_default()
        qtbot.waitUntil(lambda: sizes(window) == before)


def check_two_hidden(window: MainWindow, qtbot: QtBot, before: Sizes) -> None:
    """Two that are hidden come back in any order."""
    window.docks["space"].close()
    alone = sizes(window)
    assert alone["adjacency"].width() > before["adjacency"].width()
    window.docks["image"].close()
    sizes(window)
    window.docks["image"].show()
    qtbot.waitUntil(lambda: sizes(window) == alone)
    window.docks["space"].show()
    qtbot.waitUntil(lambda: sizes(window) == before)


def check_smaller(window: MainWindow, _: QtBot, before: Sizes) -> None:
    """A smaller window takes nothing for good."""
    for size in ((800, 600), (1920, 1080), (1000, 640)):
        window.resize(*size)
        assert window.size() == QSize(*size)
        assert sizes(window) != before
        window.resize(1280, 800)
        assert sizes(window) == before


def check_larger(window: MainWindow, _: QtBot, before: Sizes) -> None:
    """A larger window gives to pictures alone."""
    window.resize(1920, 1080)
    after = sizes(window)
    for name in ("controls", "pixel", "indices", "likelihood", "emissions"):
        assert after[name].width() == before[name].width(), name
    assert after["controls"].width() <= 300
    for name in ("image", "states", "space", "adjacency"):
        assert after[name].width() - before[name].width() == 320, name
    for name in ("pixel", "indices", "likelihood"):
        assert after[name].height() == before[name].height(), name


def check_given(window: MainWindow, _: QtBot, default: Sizes) -> None:
    """What a person gave is kept."""
    widen(window)
    before = sizes(window)
    assert before != default
    for size in ((800, 600), (1700, 900)):
        window.resize(*size)
        sizes(window)
    assert sizes(window)["controls"].width() == before["controls"].width()
    window.resize(1280, 800)
    assert sizes(window) == before
    window.docks["space"].hide()
    sizes(window)


def check_another_size(window: MainWindow, _: QtBot, before: Sizes) -> None:
    """Another size of the window is shared anew."""
    window.docks["space"].hide()
    sizes(window)
    window.resize(window.width() + 300, window.height())
    sizes(window)
    window.docks["space"].show()
    after, names = sizes(window), ("space", "adjacency")
    assert sum(after[n].width() for n in names) > sum(before[n].width() for n in names)


def test_what_titles_ask_for_is_measured_once_a_theme_and_not_for_a_layout(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[QComboBox] = []

    class Counted(QComboBox):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    monkeypatch.setattr(docks, "QComboBox", Counted)
    docks._highest.cache_clear()
    for theme in ("dark", "light", "dark"):
        window.parts[Preferences].choose_theme(theme)
    fonts = {dock.bar.font().toString() for dock in window.docks.values()}
    assert 0 < len(made) <= 4 * len(fonts)
    box = QComboBox()
    box.setFont(window.docks["states"].bar.font())
    heights = {dock.bar.height() for dock in window.docks.values() if dock.isVisible()}
    assert len(heights) == 1
    assert heights.pop() > box.sizeHint().height()
    before = docks._highest.cache_info()
    window.tabs.layout.restore_default()
    after = docks._highest.cache_info()
    assert after.hits + after.misses - before.hits - before.misses <= len(window.docks)


def test_nothing_is_cut_in_a_small_window_and_the_trade_off_leaves_room_to_pictures(
    window: MainWindow, qtbot: QtBot
) -> None:
    heights = []
    window.docks["tradeoff"].show()
    for size in ((1280, 800), (1920, 1080)):
        window.resize(*size)
        qtbot.wait(50)
        heights.append([window.docks[name].height() for name in ("states", "tradeoff")])
    (low, strip), (high, broad) = heights
    assert high > low + 100
    assert broad <= strip + 60
    assert strip <= 800 / 3
    window.docks["tradeoff"].close()
    window.document.freeze(True)
    window.document.set("N", n_states=32)
    settle(qtbot, window)
    for shows_map in (False, True):
        window.docks["map"].setVisible(shows_map)
        settle(qtbot, window)
        window.resize(800, 600)
        sizes(window)
        assert (window.width(), window.height()) == (800, 600)
        for name, dock in window.docks.items():
            if dock.isVisible():
                assert window.rect().contains(dock.geometry()), name
                assert dock.width() >= dock.minimumSizeHint().width(), name
                assert dock.height() >= dock.minimumSizeHint().height(), name
        window.resize(1280, 800)


def drag(window: MainWindow, start: QPoint, end: QPoint) -> None:
    """Drag with the left button, both places in the window."""
    handle, button = window.windowHandle(), Qt.MouseButton.LeftButton
    QTest.mousePress(handle, button, pos=start)
    for step in range(1, 7):
        QTest.mouseMove(handle, start + (end - start) * step / 6)
        QTest.qWait(10)
    QTest.mouseRelease(handle, button, pos=end)


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the mouse", extend=True)
def test_a_separator_dragged_as_soon_as_a_dock_is_dropped_loses_no_dock(
    window: MainWindow, qtbot: QtBot
) -> None:
    settle(qtbot, window)
    before = sizes(window)
    dragged, other, steady = (window.docks[name] for name in ("space", "adjacency", "image"))
    drag(window, dragged.geometry().topLeft() + QPoint(30, 12), other.geometry().center())
    edge = QPoint(steady.geometry().right() + 2, steady.geometry().center().y())
    assert window.isSeparator(edge)
    drag(window, edge, edge + QPoint(60, 0))
    QTest.qWait(300)  # longer than Qt takes to move a dock to its place
    docked = {d.name for d in window.docks.values() if window.dockWidgetArea(d).value}
    assert docked == set(window.docks)
    assert sizes(window).keys() == before.keys()


RESTORING = """
from PyQt6.QtWidgets import QApplication
from latviz.app.program.main import application, discard
from latviz.app.shell.settings import Settings
from latviz.app.program.window import MainWindow

app = application()
first = MainWindow(Settings())
first.resize(1720, 1070)
first.show()
QApplication.processEvents()
layout = first.saveState()
first.showFullScreen()  # smaller than the layout: the screen without a display is
first.settings.save_layout("inspect", layout)
first.settings.geometry = first.saveGeometry()
again = MainWindow(Settings())
again.show()
QApplication.processEvents()
again.tabs.layout.restore_default()
QApplication.processEvents()
print(all(dock.isVisible() == (name not in ("map", "pins", "tree", "tradeoff", "regions",
                                           "guide", "lesson", "tried",
                                           "multiples", "steps",
                                           "selections", "images", "shelf"))
          for name, dock in again.docks.items()), flush=True)
discard(first)
discard(again)
"""


def test_the_layout_is_restored_as_soon_as_the_window_fills_the_screen(tmp_path: Path) -> None:
    """Qt still held on to what it had restored, with docks that were removed since, and crashed."""
    ended = subprocess.run(
        [sys.executable, "-c", RESTORING],
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (ended.stdout, ended.returncode) == ("True\n", 0)


def test_a_window_that_fills_the_screen_comes_back_as_it_was(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt goes on restoring docks that were hidden until they fit, with tabs at times for ever."""
    settle(qtbot, window)
    window.tabifyDockWidget(window.docks["indices"], window.docks["likelihood"])
    window.showFullScreen()
    sizes(window)
    docks = [window.docks[name] for name in ("controls", "image", "space")]
    window.resizeDocks(docks, [300, 150, 160], Qt.Orientation.Horizontal)
    window.resizeDocks(docks[1:], [200, 300], Qt.Orientation.Vertical)
    before = widths(window)
    window.close_now()
    told = []
    restore = MainWindow.restoreState
    filling = Qt.WindowState.WindowFullScreen | Qt.WindowState.WindowMaximized

    def restore_state(again: MainWindow, state: QByteArray) -> bool:
        told.append(again.isVisible() or not again.windowState() & filling)
        return restore(again, state)

    monkeypatch.setattr(MainWindow, "restoreState", restore_state, raising=False)
    again = MainWindow(Settings())
    try:
        again.show()
        assert again.isFullScreen()
        qtbot.waitUntil(lambda: widths(again) == before)
        again.resize(again.width() - 40, again.height())  # a screen may be there a little later
        again.resize(again.width() + 40, again.height())
        qtbot.waitUntil(lambda: widths(again) == before)
    finally:
        again.close_now()
    assert told
    assert all(told)
