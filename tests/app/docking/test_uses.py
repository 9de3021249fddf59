"""Tabs for tasks: each has a layout of its own, which users may change."""

import re

import numpy as np
import pytest
from PyQt6 import sip
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QDialog, QScrollArea
from pytestqt.qtbot import QtBot
from skimage import data

from latviz.app.docking.drawer import DrawerTabs
from latviz.app.docking.uses import USES, use_of
from latviz.app.look.theme import LIGHT, of_contrast
from latviz.app.panels.preferences import Preferences
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings, store
from latviz.app.shell.spot import SIDE, Spot
from latviz.app.views.picture import PictureView
from latviz.core.data.encoding import Encoding
from latviz.core.parameter import rows
from latviz.engine.choosing.tradeoff import SMALL, shrunk
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import begin_anew, drag, settle
from tests.app.docking.test_docks import sizes
from tests.app.frames import corner_of_blobs, outlines, pixels
from tests.products import FULL

NEAR = 12
"""Pixels: far less than the spot's side."""
CONTROL = Qt.KeyboardModifier.ControlModifier
SHOWN = {
    "explore": {
        *("controls", "likelihood", "guide", "image", "states"),
        *("space", "adjacency", "indices"),
    },
    "tradeoff": {"controls", "tradeoff", "states"},
    "learn": {"lesson"},  # the list; with a lesson its views
    "present": {"image", "states", "guide"},
}


def shown(window: MainWindow) -> set[str]:
    return {name for name, dock in window.docks.items() if dock.isVisible()}


@pytest.mark.usefixtures("half_photograph")
def test_a_use_shows_its_views_and_the_guide_says_what_windows_do_and_cost(window, qtbot) -> None:
    """Pictures of a use begin and end alike; tabs differ in more than their views, too."""
    check_views(window, qtbot)
    check_parameters(window)
    check_contrast(window)
    begin_anew(qtbot, window)
    window.tabs.enter("explore")
    check_photograph(window, qtbot)
    check_costs(window, qtbot)
    window.views["guide"].choose.click()
    assert window.views["guide"].choose.text() == "0 %"


def check_views(window: MainWindow, qtbot: QtBot) -> None:
    before = sizes(window)
    keys = {use.name: getattr(Qt.Key, f"Key_{k}") for k, use in enumerate(USES, start=1)}
    for name, wanted in SHOWN.items():
        QTest.keyClick(window, keys[name], CONTROL)
        assert window.tabs.use.name == name
        assert shown(window) == wanted
        assert window.tabs.bar.tabText(window.tabs.bar.currentIndex()) == use_of(name).title
        computed = wanted - {"controls", "lesson"}
        qtbot.waitUntil(lambda computed=computed: set(window.document.state.views) == computed)
        settle(qtbot, window)
        sizes(window)
        views = [v for v in window.views.values() if isinstance(v, PictureView) and v.isVisible()]
        assert len({v.canvas.box.viewRect().getRect() for v in views}) == bool(views), name
        if FULL or name in ("explore", "present"):  # which differ most from it
            QTest.keyClick(window, Qt.Key.Key_3, CONTROL)
            qtbot.waitUntil(lambda: sizes(window) == before)


def test_the_first_tab_is_on_where_none_was_left(qtbot: QtBot) -> None:
    settings = Settings(lasting=False)
    assert settings.use == ""
    window = MainWindow(settings, "light", use=settings.use)
    assert window.tabs.use is USES[0]
    assert window.tabs.bar.currentIndex() == 0
    discard(window)


def test_lists_spots_scrolling_and_layouts_of_a_user(window: MainWindow, qtbot: QtBot) -> None:
    check_a_spot_follows_the_pointer_and_takes_nothing(window)
    begin_anew(qtbot, window)
    check_views_need_no_scrolling(window, qtbot)
    begin_anew(qtbot, window)
    check_a_use_is_left_as_a_person_laid_it_out(window, qtbot)


def check_a_use_is_left_as_a_person_laid_it_out(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.enter("explore")
    window.tabs.stage.open_dock("tree")
    window.tabs.stage.close_dock("guide")
    laid_out = sizes(window)
    window.tabs.enter("present")
    assert shown(window) == SHOWN["present"]
    window.tabs.stage.open_dock("adjacency")
    window.tabs.stage.close_dock("image")
    chosen = shown(window)
    assert chosen == {"states", "guide", "adjacency"}
    window.tabs.enter("explore")
    qtbot.waitUntil(lambda: sizes(window) == laid_out)
    window.tabs.restore_default()
    assert shown(window) == SHOWN["explore"]
    window.tabs.enter("present")
    assert shown(window) == chosen
    window.tabs.enter("tradeoff")
    window.tabs.stage.close_dock("controls")
    window.tabs.enter("explore")
    assert shown(window) == SHOWN["explore"]
    window.tabs.stage.close_dock("states")
    left = shown(window)
    window.close_now()
    again = MainWindow(Settings(), "light", use=Settings().use)
    again.show()
    assert again.tabs.use.name == "explore"
    qtbot.waitUntil(lambda: shown(again) == left)
    for use, wanted in (("tradeoff", SHOWN["tradeoff"] - {"controls"}), ("present", chosen)):
        again.tabs.enter(use)
        assert shown(again) == wanted
    discard(again)


def test_the_program_opens_in_explore() -> None:
    store().clear()
    assert use_of(Settings().use).name == "explore"
    assert use_of("a use of a later program").name == "explore"


def check_views_need_no_scrolling(window: MainWindow, qtbot: QtBot) -> None:
    drawer = window.findChild(DrawerTabs)

    def scrolls() -> bool:
        settle(qtbot, window)
        pages = [page for page in drawer.findChildren(QScrollArea) if page.isVisible()]
        assert pages
        return any(page.verticalScrollBar().maximum() > 0 for page in pages)

    window.resize(1280, 800)
    window.tabs.enter("explore")
    assert not scrolls()
    part = Picture(np.ascontiguousarray(data.astronaut()[::6, ::6]), "part")
    window.document.open(part, Parameters(Encoding("lab"), n_states=4, window=2))
    for name in ("tradeoff", "inspect", "explore"):
        for size in ((1366, 768), (1280, 800)):
            window.resize(*size)
            window.tabs.enter(name)
            assert not scrolls(), (name, size)
    for law in (True, False):  # whose plot is opened and closed
        window.document.set_display(law=law)
        qtbot.waitUntil(lambda law=law: scrolls() == law)


def check_parameters(window: MainWindow) -> None:
    """Newcomers see few parameters."""

    def visible() -> set[str]:
        fields = (row.field for row in rows(Parameters()))
        return {field for field in fields if window.controls[field].isVisible()}

    every = visible()
    window.tabs.enter("explore")
    few = visible()
    essential = {"encoding.name", "encoding.n_symbols", "n_states", "window", "decoder", "alpha"}
    essential |= {"encoding.how", "encoding.level"}  # of grey
    assert few == essential - {"window"}  # which the guide has
    window.document.set("Change the smoothing", smoothing=0.5)
    assert visible() == few | {"smoothing"}
    window.controls.more.click()
    assert visible() == every - {"window"}
    window.controls.more.click()
    window.document.reset()
    assert visible() == few
    window.tabs.enter("inspect")
    assert visible() == every


def check_contrast(window: MainWindow) -> None:
    """Present has a high contrast."""
    canvas, preferences = window.views["states"].canvas, window.parts[Preferences]
    assert preferences.theme is LIGHT
    window.tabs.enter("present")
    assert preferences.theme is of_contrast(LIGHT, True)
    assert outlines(canvas)[0].stroke > 1.0
    assert "groove" in window.styleSheet()
    window.tabs.enter("explore")
    assert preferences.theme is LIGHT
    assert outlines(canvas)[0].stroke == 1.0
    window.menus["Always"].trigger()
    assert preferences.theme is of_contrast(LIGHT, True)
    window.menus["Never"].trigger()
    window.tabs.enter("present")
    assert preferences.theme is LIGHT


# The guide


def check_photograph(window: MainWindow, qtbot: QtBot) -> None:
    """Numbers are those of the map on screen, and the three pictures lead to their windows."""
    guide, document = window.views["guide"], window.document
    document.set("w_l", learning_window=3)
    guide.axis_wanted.emit("evidence")
    qtbot.waitUntil(lambda: guide.rivers.river is not None and guide.rivers.river.name == "w")
    assert " hold" in guide.in_words(document.frame)
    assert "while w goes from " in guide.in_words(document.frame)
    states = document.frame.states
    shown = [button for button in guide.pictures.buttons if not button.isHidden()]
    for button in shown:
        button.click()
        w = document.parameters.window
        assert button.text().endswith(f"w = {w}")
        frame = settle(qtbot, window)
        assert button.isChecked()
        step = -(-max(states.shape) // SMALL)
        assert np.array_equal(guide.scales.maps[w], shrunk(frame.states, step))
    document.set("Decoder", decoder="belief")
    settle(qtbot, window)
    qtbot.waitUntil(lambda: guide.rivers.river is not None and guide.rivers.river.name == "cut")
    assert "while the cut goes from 0.16 to 0.25" in guide.in_words(document.frame)
    assert not any(button.isVisible() for button in guide.pictures.buttons)


def check_costs(window: MainWindow, qtbot: QtBot) -> None:
    guide = window.views["guide"]
    window.document.open(*corner_of_blobs())
    settle(qtbot, window)
    qtbot.waitUntil(lambda: guide.effects.range is not None)
    low, high = guide.effects.range
    assert 1 <= low <= high <= 8
    for w in (low, high + 1):
        drag(guide.window_control.slider, w)
        assert window.document.parameters.window == w
        settle(qtbot, window)
        said = guide.in_words(window.document.frame)
        assert said.count("prediction error") == 1  # by the offer of a w, if there is one
        named = re.search(r"prediction error is lowest at w = (\d+)|w = (\d+) has the lowest", said)
        assert named is not None
        assert low <= int(named[1] or named[2]) <= high
        assert named[0] in guide.brief.whole_text()
        assert guide.effects.range == (low, high)
        assert window.controls["window"].value == w
        assert guide.headline.whole_text() in guide.keyboard.accessibleDescription()
    window.document.set("N", n_states=1)
    settle(qtbot, window)
    assert guide.effects.range is None


def check_a_spot_follows_the_pointer_and_takes_nothing(window: MainWindow) -> None:
    window.tabs.enter("explore")
    window.resize(780, 580)  # within the screen: a pointer outside is over no widget
    QTest.keyClick(window, Qt.Key.Key_O)
    mark = window.parts[Spot].mark
    for name in ("image", "states", "guide"):
        view = window.views[name]
        part = view.canvas.viewport() if isinstance(view, PictureView) else view
        QTest.mouseMove(part, part.rect().center())
        middle = part.mapTo(window, part.rect().center())
        assert mark.isVisible()
        assert (mark.geometry().center() - middle).manhattanLength() <= NEAR
    found = window.views["image"].canvas.viewport()
    assert window.childAt(found.mapTo(window, found.rect().center())) is found
    drawn = pixels(mark.parentWidget())
    y, x = mark.y() + SIDE // 2, mark.x() + 8  # on the ring
    red, green, _ = drawn[y, x].astype(int)
    assert red > 180
    assert green < 100
    QTest.keyClick(window, Qt.Key.Key_O)
    assert not mark.isVisible()
    QTest.keyClick(window, Qt.Key.Key_O)
    check_dialog(window)


def check_dialog(window: MainWindow) -> None:
    """The spot outlives a dialog that it was over."""
    dialog = QDialog(window)
    dialog.resize(300, 200)
    dialog.show()
    QTest.mouseMove(dialog, dialog.rect().center())
    first = window.parts[Spot].mark
    assert first.parentWidget() is dialog
    dialog.close()
    sip.delete(dialog)
    assert sip.isdeleted(first)
    part = window.views["image"].canvas.viewport()
    QTest.mouseMove(part, part.rect().center())
    assert window.parts[Spot].mark.isVisible()
    assert window.parts[Spot].mark.window() is window
    window.parts[Spot].set_on(False)
    assert not window.parts[Spot].mark.isVisible()
