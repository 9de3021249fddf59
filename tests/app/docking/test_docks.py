"""Docks in the window: their shares, the pictures' minimum sizes, and which of them fit."""

from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QPoint, QRect, QSize
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from latviz.app.docking import docks
from latviz.app.docking.stage import FLOOR, PICTURES
from latviz.app.docking.uses import USES
from latviz.app.panels.preferences import Preferences
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings
from latviz.engine.choosing.guidance import Guidance
from tests.app.conftest import settle

SIZES = [(1920, 1080), (1280, 800), (1024, 700)]
SMALL = (960, 540)


def sizes(window: MainWindow) -> dict[str, QSize]:
    """Return the sizes of the docks on screen, once all is laid out."""
    return {name: rect.size() for name, rect in places(window).items()}


def places(window: MainWindow) -> dict[str, QRect]:
    """Return where the docks on screen are in the stage, once all is laid out."""
    for _ in range(10):  # an event may cause another, handled later
        QTest.qWait(3)
    stage, found = window.tabs.stage, window.docks.items()
    return {n: QRect(d.mapTo(stage, QPoint()), d.size()) for n, d in found if d.isVisible()}


def test_hiding_and_showing_changes_no_size(window: MainWindow, qtbot: QtBot) -> None:
    settle(qtbot, window)
    before = places(window)
    for name in window.docks:
        was_open = window.tabs.stage.is_open(name)
        for is_open in (not was_open, was_open):
            act = window.tabs.stage.open_dock if is_open else window.tabs.stage.close_dock
            act(name)
            assert (name in places(window)) == is_open, name
        assert places(window) == before, name


def in_all_tabs(window: MainWindow) -> Iterator[str]:
    for use in USES:
        window.tabs.enter(use.name)
        yield use.name


def test_every_tab_stands_as_it_was_after_the_window_had_another_size(window: MainWindow) -> None:
    window.resize(*SIZES[0])
    before = {name: places(window) for name in in_all_tabs(window)}
    window.resize(*SIZES[2])
    assert all(places(window) != before[name] for name in in_all_tabs(window))
    window.resize(*SIZES[0])
    for name in in_all_tabs(window):
        assert places(window) == before[name], name


def test_present_leaves_the_window_as_it_was(window: MainWindow) -> None:
    window.resize(*SMALL)
    for _ in range(2):  # widgets shown for the first time may need another width
        before = {name: places(window) for name in in_all_tabs(window) if name != "present"}
    window.tabs.enter("present")
    assert places(window)["states"].width() > 0
    for name, found in before.items():
        window.tabs.enter(name)
        assert places(window) == found, name
        assert (window.width(), window.height()) == SMALL


def test_a_long_headline_moves_nothing(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.resize(*SMALL)
    guide, long = window.views["guide"], property(lambda _: "A headline that is long " * 6)
    for use in ("explore", "present"):
        window.tabs.enter(use)
        settle(qtbot, window)
        guide.draw_frame()
        before = places(window)
        with monkeypatch.context() as patch:
            patch.setattr(Guidance, "headline", long)
            guide.draw_frame()
            assert places(window) == before, use
        assert (window.width(), window.height()) == (960, 540)


def test_pictures_keep_their_share_whatever_is_opened(window: MainWindow) -> None:
    stage = window.tabs.stage
    for use in in_all_tabs(window):
        for name in window.docks:
            if name not in PICTURES:
                stage.open_dock(name)
        for size in SIZES:
            window.resize(*size)
            found = places(window)
            pictures = [found[name] for name in PICTURES if name in found]
            whole = pictures[0].united(pictures[-1])
            assert whole.width() >= FLOOR[0] * stage.width(), (use, size)
            assert whole.height() >= FLOOR[1] * stage.height() - 1, (use, size)
        window.tabs.restore_default()


def test_nothing_is_cut_in_a_small_window(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.stage.open_dock("map")
    window.document.freeze(True)
    window.document.set("N", n_states=32)
    settle(qtbot, window)
    window.resize(800, 600)
    found = places(window)
    assert window.size() == QSize(800, 600)
    for name, rect in found.items():
        dock = window.docks[name]
        assert window.tabs.stage.rect().contains(rect), name
        assert rect.width() >= dock.minimumSizeHint().width(), name
        assert rect.height() >= dock.minimumSizeHint().height(), name


def test_what_all_titles_ask_for_is_measured_once_a_theme(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[QComboBox] = []

    class Counted(QComboBox):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    monkeypatch.setattr(docks, "QComboBox", Counted)
    docks._highest.cache_clear()
    for where in ("always", "never", "always"):
        window.parts[Preferences].choose_contrast(where)
    fonts = {dock.bar.font().toString() for dock in window.docks.values()}
    assert 0 < len(made) <= 3 * len(fonts)
    box = QComboBox()
    box.setFont(window.docks["states"].bar.font())
    heights = {dock.bar.height() for dock in window.docks.values() if dock.isVisible()}
    assert len(heights) == 1
    assert heights.pop() > box.sizeHint().height()


def test_a_window_that_fills_the_screen_comes_back_as_it_was(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.showFullScreen()
    window.tabs.stage.open_dock("tree")
    before = places(window)
    window.close_now()
    again = MainWindow(Settings(), "light", use="inspect")
    again.show()
    assert again.isFullScreen()
    qtbot.waitUntil(lambda: places(again) == before)
    discard(again)
