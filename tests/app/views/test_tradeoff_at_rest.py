"""The trade-off in the real window: it fills in at rest, sets N and w, and pauses."""

import time
from typing import Any

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QPointF, Qt
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.program.window import MainWindow
from latviz.app.views.tradeoff.view import TradeOffView
from latviz.core.choice import choosing
from latviz.core.data.encoding import Encoding
from latviz.core.progress import Cancelled
from latviz.engine.advice.trying import Trying
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.choosing.tradeoff import STATES, WINDOWS, TradeOff
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.pictures.picture import Picture
from tests.app.conftest import first_parameters, settle
from tests.engine.choosing.test_sweeping import Counting

pytestmark = pytest.mark.usefixtures("few_views", "half_photograph")

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier


def view_of(window: MainWindow) -> TradeOffView:
    view = window.views["tradeoff"]
    assert isinstance(view, TradeOffView)
    return view


def fill(window: MainWindow, qtbot: QtBot) -> TradeOff:
    """Show the view and wait until all is there."""
    settle(qtbot, window)
    window.tabs.stage.open_dock("tradeoff")
    rest = window.parts[IdleJobs]

    def is_full() -> bool:
        return rest.trade_off is not None and rest.trade_off.fraction == 1.0

    qtbot.waitUntil(is_full, timeout=60_000)
    sheet, found = view_of(window).sheet, rest.trade_off
    qtbot.waitUntil(lambda: sheet.scene is not None and sheet.scene.trade_off is found)
    return found


def click(panel: QWidget, at: QPointF) -> None:
    QTest.mouseClick(panel, LEFT, pos=at.toPoint())


def place_of(window: MainWindow) -> tuple[int, int]:
    parameters = window.document.parameters
    return parameters.n_states, parameters.window


def move(widget: QWidget, to: QPointF, held: Qt.MouseButton = LEFT) -> None:
    at, keys = QPointF(to), Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(QEvent.Type.MouseMove, at, at, held, held, keys)
    QApplication.sendEvent(widget, event)


def middle(view: TradeOffView, value: int) -> QPointF:
    """Return the middle of a column's map."""
    return view.sheet.layout_of(view.sheet.scene).maps[value].center()


def test_it_fills_is_used_and_chooses(window, qtbot, photo) -> None:
    window.tabs.stage.show_only(("image", "states"))
    check_it_fills_while_it_is_shown(window, qtbot)
    check_clicks_drags_and_keys_set_n_and_w(window, qtbot)
    check_it_keeps_what_it_has(window, qtbot)
    check_buttons_apply_the_choice(window, qtbot, photo)


def check_it_fills_while_it_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    rest = window.parts[IdleJobs]
    assert not window.docks["tradeoff"].isVisible()
    qtbot.wait(400)
    assert rest.trade_off is None
    window.tabs.stage.open_dock("tradeoff")
    qtbot.waitUntil(lambda: rest.trade_off is not None, timeout=60_000)
    window.tabs.stage.close_dock("tradeoff")
    shown = [rest.trade_off]
    for _ in range(3):  # a window that was begun may come late on a busy machine
        qtbot.wait(500)
        shown.append(rest.trade_off)
    assert shown[-1].fraction == 1 or shown[-1] is shown[-2]
    found = fill(window, qtbot)
    assert (found.states, found.windows) == (STATES, WINDOWS)


def check_it_keeps_what_it_has(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    document.set("w_l", learning_window=3)
    found = fill(window, qtbot)
    document.set("alpha", alpha=0.4)
    document.set("w", window=7)
    document.set_display(borders=True)
    document.set_projection(Projection("principal"))
    window.views["states"].canvas.zoom(2.0)
    window.tabs.stage.close_dock("tradeoff")
    settle(qtbot, window)
    window.tabs.stage.open_dock("tradeoff")
    settle(qtbot, window)
    qtbot.wait(300)
    assert window.parts[IdleJobs].trade_off is found
    document.set("N", n_states=10)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: window.parts[IdleJobs].trade_off is not found, timeout=20_000)
    more = window.parts[IdleJobs].trade_off
    assert more.settings[4, 3] is found.settings[4, 3]
    document.set("encoding", encoding=Encoding("quantiles", 2))
    settle(qtbot, window)
    qtbot.waitUntil(lambda: window.parts[IdleJobs].trade_off not in (None, more), timeout=20_000)
    other = window.parts[IdleJobs].trade_off
    assert other.scope.encoding == Encoding("quantiles", 2)
    kept = set(map(id, found.settings.values()))
    assert kept.isdisjoint(map(id, other.settings.values()))


def check_clicks_drags_and_keys_set_n_and_w(window: MainWindow, qtbot: QtBot) -> None:
    fill(window, qtbot)
    view, undo, before = view_of(window), window.document.undo_stack, place_of(window)
    for check in (check_click, check_drag, check_turned, check_keys):
        check(window, view, qtbot)
        undo.setIndex(0)
        assert place_of(window) == before, check.__name__
        qtbot.waitUntil(lambda: view.sheet.scene.value == view.sheet.scene.w == before[1])
        qtbot.waitUntil(lambda: view.sheet.scene.n == before[0])
    check_a_second_click(window, view, qtbot)


def check_click(window: MainWindow, view: TradeOffView, _qtbot: QtBot) -> None:
    """Click a map: its w is set at once, and the codebook held."""
    click(view.sheet, middle(view, 20))
    assert place_of(window) == (4, 20)
    assert window.document.parameters.learning_window == 3, "the codebook is not held"
    assert window.document.undo_stack.index() == 1


def check_drag(window: MainWindow, view: TradeOffView, _qtbot: QtBot) -> None:
    """Drag the line: it is the slider of w, and nothing is kept."""
    sheet, layout = view.sheet, view.sheet.layout_of(view.sheet.scene)
    y = layout.plots[1][1].rect.center().y()
    ways = [QPointF(layout.axis.x(w), y).toPoint() for w in (3, 6, 9, 12)]
    QTest.mousePress(sheet, LEFT, pos=ways[0])
    for way in ways[1:]:
        move(sheet, QPointF(way))
    QTest.mouseRelease(sheet, LEFT, pos=ways[-1])
    assert place_of(window) == (4, 12)
    assert window.controls["window"].slider.value() == 12
    assert window.document.undo_stack.index() == 1
    assert window.document.state.compared is None


def check_turned(window: MainWindow, view: TradeOffView, qtbot: QtBot) -> None:
    """Turn the sheet with its switch: a click sets N."""
    over_w, over_n = window.docks["tradeoff"].header.buttons
    over_n.click()
    qtbot.waitUntil(lambda: view.sheet.scene.turned)
    click(view.sheet, middle(view, 6))
    assert place_of(window) == (6, 3)
    over_w.click()
    qtbot.waitUntil(lambda: not view.sheet.scene.turned)


def check_keys(window: MainWindow, view: TradeOffView, _qtbot: QtBot) -> None:
    """Press keys: they move both."""
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_PageUp):
        QTest.keyClick(view.sheet, key)
    assert place_of(window) == (5, 10)
    QTest.keyClick(view.sheet, Qt.Key.Key_Home)
    assert place_of(window) == (5, 0)


def check_a_second_click(window: MainWindow, view: TradeOffView, qtbot: QtBot) -> None:
    """Click the current column: it is the reference, and its column stays; again: no longer."""
    document = window.document
    click(view.sheet, middle(view, 3))
    qtbot.waitUntil(lambda: document.state.compared is not None)
    kept = document.state.compared.decoding.parameters
    assert (kept.n_states, kept.window) == (4, 3)
    click(view.sheet, middle(view, 20))
    settle(qtbot, window)
    qtbot.waitUntil(lambda: view.sheet.scene.value == 20)
    assert view.sheet.scene.kept == 3
    assert document.state.compared.decoding.parameters == kept
    click(view.sheet, middle(view, 3))
    settle(qtbot, window)
    qtbot.waitUntil(lambda: view.sheet.scene.value == 3)
    QTest.keyClick(view.sheet, Qt.Key.Key_Space)
    assert document.state.compared is None
    document.undo_stack.setIndex(0)


def check_buttons_apply_the_choice(window: MainWindow, qtbot: QtBot, photo: Picture) -> None:
    part = Picture(np.ascontiguousarray(photo.pixels[:20, :20]), "part")
    window.document.open(part, first_parameters())
    frame, view, before = settle(qtbot, window), view_of(window), place_of(window)
    for what in ("w", "N", "both"):
        window.docks["tradeoff"].setVisible(what == "both")
        with qtbot.waitSignal(window.parts[IdleJobs].chosen, timeout=60_000) as told:
            view.bar.buttons[what].click()
        wanted = told.args[0]
        assert wanted.what == what
        if what == "w":  # which takes least
            assert wanted.sentence == Trying(Sweeping()).choose(frame, what, Counting()).sentence
        kept = {"w": (before[0], wanted.window), "N": (wanted.n_states, before[1])}
        assert place_of(window) == kept.get(what, (wanted.n_states, wanted.window))
        assert view.bar.text.whole_text() == wanted.sentence
        assert view.bar.rule.whole_text() == wanted.rule
        # the status line has it only where no view does
        assert window.status.message.whole_text() == ("" if what == "both" else wanted.sentence)
        if what == "both":  # with the codebook that was chosen all is computed again
            settle(qtbot, window)
            qtbot.waitUntil(lambda: window.parts[IdleJobs].trade_off is not None, timeout=60_000)
            assert view.bar.text.whole_text() == wanted.sentence
            assert view.bar.rule.whole_text() == wanted.rule
        assert window.document.parameters == wanted.applied(window.document.parameters)
        if place_of(window) != before:
            window.document.undo_stack.undo()
        assert place_of(window) == before


def test_computing_gives_way(window, qtbot, monkeypatch) -> None:
    for check in (check_a_request_comes_first, check_choosing_is_cancelled, check_a_failure):
        window.tabs.stage.close_dock("tradeoff")
        settle(qtbot, window)
        with monkeypatch.context() as patch:
            check(window, qtbot, patch)


def check_a_request_comes_first(window, qtbot, patch) -> None:
    asked: list[int] = []

    def endless(self: Sweeping, frame: Any, progress: Any) -> None:
        asked.append(0)
        while not progress.cancelled():
            asked[-1] += 1
            time.sleep(0.001)
        raise Cancelled

    patch.setattr(Sweeping, "next", endless)
    window.tabs.stage.open_dock("tradeoff")
    qtbot.waitUntil(lambda: bool(asked) and asked[-1] > 3, timeout=60_000)
    window.document.set("w", window=8)
    n, looked = len(asked), asked[-1]
    settle(qtbot, window)
    assert asked[n - 1] <= looked + 1  # it was cancelled at its next check
    qtbot.waitUntil(lambda: len(asked) > n, timeout=5_000)  # and begins again


def check_choosing_is_cancelled(window, qtbot, patch) -> None:
    def slow(*given: Any) -> None:
        progress = given[-1]
        while not progress.cancelled():
            progress.report(0.7)  # of a choice that takes 3/7 of three quarters
            time.sleep(0.02)
        raise Cancelled

    patch.setattr(choosing, "chosen", slow)
    window.tabs.stage.open_dock("tradeoff")
    view, before = view_of(window), place_of(window)
    QTest.keyClick(window, Qt.Key.Key_B, SHIFT)
    assert view.bar.cancel.isHidden()
    qtbot.waitUntil(view.bar.cancel.isVisible, timeout=60_000)
    qtbot.waitUntil(lambda: view.bar.progress.value() == 22)
    assert window.status.message.whole_text().startswith("Choosing: 22 %")
    view.bar.cancel.click()
    assert not window.parts[IdleJobs].is_choosing
    assert view.bar.cancel.isHidden()
    window.parts[IdleJobs].choose("w")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.parts[IdleJobs].is_choosing
    assert place_of(window) == before


def check_a_failure(window: MainWindow, qtbot: QtBot, patch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("no")

    patch.setattr(Sweeping, "next", fail)
    with qtbot.waitSignal(window.document.failed, timeout=60_000) as told:
        window.tabs.stage.open_dock("tradeoff")
    assert "trade-off could not be computed" in told.args[0].message
    assert window.banner.isVisible()
