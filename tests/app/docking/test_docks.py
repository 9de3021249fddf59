"""Docks in the window: their shares, the pictures' minimum sizes, and which of them fit."""

import pytest
from PyQt6.QtCore import QEvent, QObject, QPoint, QRect, QSize
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.docking import docks
from latviz.app.docking.stage import FLOOR, PICTURES
from latviz.app.docking.uses import USES
from latviz.app.panels.preferences import Preferences
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings
from latviz.app.views.indices.view import GaugeBar
from latviz.app.views.painted import PaintedView
from latviz.app.widgets.slider import Slider
from tests.app.conftest import settle
from tests.products import FULL

SIZES = [(1920, 1080), (1280, 800), (1024, 700)]
SMALL = (960, 540)
TELLING = ("controls", "image", "space", "indices", "states", "tree")
"""Docks of all columns, and of the drawer."""


def sizes(window: MainWindow) -> dict[str, QSize]:
    """Return the sizes of the docks on screen, once all is laid out."""
    return {name: rect.size() for name, rect in places(window).items()}


def places(window: MainWindow) -> dict[str, QRect]:
    """Return where the docks on screen are in the stage, once all is laid out."""
    for _ in range(10):  # an event may cause another, handled later
        QTest.qWait(3)
    stage, found = window.tabs.stage, window.docks.items()
    return {n: QRect(d.mapTo(stage, QPoint()), d.size()) for n, d in found if d.isVisible()}


def test_docks_titles_and_tabs_stand_as_they_did(window: MainWindow, qtbot: QtBot) -> None:
    settle(qtbot, window)
    check_hiding(window)
    check_tabs(window)
    window.tabs.enter("inspect")
    # Titles have one height, with room for a combo box.
    window.parts[Preferences].choose_contrast("always")
    box = QComboBox()
    box.setFont(window.docks["states"].bar.font())
    heights = {dock.bar.height() for dock in window.docks.values() if dock.isVisible()}
    assert len(heights) == 1
    assert heights.pop() > box.sizeHint().height()
    check_cut(window, qtbot)


def check_hiding(window: MainWindow) -> None:
    """Hiding and showing a dock changes no size."""
    before = places(window)
    for name in window.docks if FULL else TELLING:
        was_open = window.tabs.stage.is_open(name)
        for is_open in (not was_open, was_open):
            act = window.tabs.stage.open_dock if is_open else window.tabs.stage.close_dock
            act(name)
            now = places(window)
            assert (name in now) == is_open, name
        assert now == before, name


TABS = tuple(use.name for use in USES) if FULL else ("inspect", "tradeoff", "present")
"""Daily: most docks, few of them under a bar, and the largest pictures."""


def check_tabs(window: MainWindow) -> None:
    """A tab stands as it was, after Present and after the window had another size."""
    window.resize(*SIZES[1])
    large = places(window)
    window.resize(*SMALL)
    small = places(window)
    assert small != large
    window.tabs.enter("present")
    assert places(window)["states"].width() > 0
    window.tabs.enter("inspect")
    assert places(window) == small
    assert (window.width(), window.height()) == SMALL
    window.resize(*SIZES[1])
    assert places(window) == large


def test_pictures_and_a_full_screen_keep_their_sizes(window: MainWindow, qtbot: QtBot) -> None:
    check_pictures_keep_their_share_whatever_is_opened(window)
    window.tabs.enter("inspect")
    check_a_window_that_fills_the_screen_comes_back_as_it_was(window, qtbot)


def check_pictures_keep_their_share_whatever_is_opened(window: MainWindow) -> None:
    stage = window.tabs.stage
    for use in TABS:
        if use == "tradeoff":  # whose sheet has most of the room, and lies in the drawer
            continue
        window.tabs.enter(use)
        for name in window.docks:
            if name not in PICTURES:
                stage.open_dock(name)
        for size in SIZES if FULL or use == TABS[0] else SIZES[-1:]:  # the smallest is the tightest
            window.resize(*size)
            found = places(window)
            pictures = [found[name] for name in PICTURES if name in found]
            whole = pictures[0].united(pictures[-1])
            assert whole.width() >= FLOOR[0] * stage.width(), (use, size)
            assert whole.height() >= FLOOR[1] * stage.height() - 1, (use, size)
        window.tabs.restore_default()


def check_cut(window: MainWindow, qtbot: QtBot) -> None:
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


def check_a_window_that_fills_the_screen_comes_back_as_it_was(window, qtbot) -> None:
    window.showFullScreen()
    window.tabs.stage.open_dock("tree")
    before = places(window)
    window.close_now()
    again = MainWindow(Settings(), "light", use="inspect")
    again.show()
    assert again.isFullScreen()
    qtbot.waitUntil(lambda: places(again) == before)
    discard(again)


def test_a_new_dock_shows_no_window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[QEvent.Type] = []

    class Noted(docks.TitleBar):
        def event(self, event: QEvent | None) -> bool:
            if event is not None and event.type() == QEvent.Type.Show:
                shown.append(event.type())
            return super().event(event)

    monkeypatch.setattr(docks, "TitleBar", Noted)
    dock = docks.Dock("one", "One", QWidget(), None)
    qtbot.addWidget(dock)
    assert shown == []
    dock.show()
    assert dock.bar.isVisible()
    assert shown == [QEvent.Type.Show]


class Painted(QObject):
    """Notes which parts of a window are painted."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self.parts: list[QObject] = []
        for part in (window, *window.findChildren(QWidget)):
            part.installEventFilter(self)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Note the part; change nothing."""
        if watched is not None and event is not None and event.type() == QEvent.Type.Paint:
            self.parts.append(watched)
        return False


def test_nothing_behind_what_changes_is_painted(window: MainWindow, qtbot: QtBot) -> None:
    settle(qtbot, window)
    assert len(check_nothing_behind_is_painted(window, qtbot)) > 6
    window.tabs.enter("explore")
    settle(qtbot, window)
    found = check_nothing_behind_is_painted(window, qtbot)
    assert window.views["guide"].window_control.slider in found


def check_nothing_behind_is_painted(window: MainWindow, qtbot: QtBot) -> list[QWidget]:
    """Return the parts of a tab that a step of a slider changes."""
    changing: list[QWidget] = [window.status.mark]
    for kind in (PaintedView, GaugeBar, Slider):
        changing += [p for p in window.findChildren(kind) if not p.visibleRegion().isEmpty()]
    inside = [p for p in changing if not any(bar.isAncestorOf(p) for bar in titles(window))]
    places(window)
    painted = Painted(window)
    for part in inside:
        painted.parts.clear()
        part.update()
        qtbot.waitUntil(lambda part=part: part in painted.parts)
        places(window)
        behind = [one for one in painted.parts if isinstance(one, docks.Dock | MainWindow)]
        assert behind == [], type(part).__name__
    return inside


def titles(window: MainWindow) -> list[docks.TitleBar]:
    return window.findChildren(docks.TitleBar)
