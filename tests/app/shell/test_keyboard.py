"""The window without a mouse: Tab, the ring of the focused widget, keys in the views."""

import ctypes
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from PyQt6 import QtGui, sip
from PyQt6.QtCore import QPoint, QRect, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.panels.preferences import Preferences
from latviz.app.program.keyboard import Keyboard
from latviz.app.program.window import MainWindow
from latviz.app.shell.focus import stops
from latviz.app.views.viewer.view import Viewer
from latviz.engine.geometry.selection import (
    PairSelection,
    RangeSelection,
    StateSelection,
    SymbolSelection,
)
from tests.app.conftest import begin_anew, settle
from tests.app.frames import colors, show_all
from tests.app.frames import pixels as pixels_of

Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


def press(key: Qt.Key, times: int = 1, keys: Qt.KeyboardModifier | None = None) -> None:
    for _ in range(times):
        widget = QApplication.focusWidget()
        assert widget is not None
        QTest.keyClick(widget, key, keys or Qt.KeyboardModifier.NoModifier)


def tabbed(window: MainWindow, key: Qt.Key = Key.Key_Tab) -> list[QWidget]:
    """Return the widgets that Tab visits in one round."""
    visited: list[QWidget] = []
    QTest.keyClick(window, key)
    while (widget := QApplication.focusWidget()) not in visited:
        assert widget is not None
        visited.append(widget)
        press(key)
        assert len(visited) < 200
    return visited


@pytest.fixture
def narrow_tab(qapp: QApplication) -> Iterator[None]:
    """Qt's Tab as on macOS without keyboard navigation: it visits texts and lists."""
    name = "_ZN11QStyleHints19setTabFocusBehaviorEN2Qt16TabFocusBehaviorE"
    hints, set_behavior = qapp.styleHints(), ctypes.CDLL(QtGui.__file__)[name]
    place = ctypes.c_void_p(int(sip.unwrapinstance(hints)))
    kinds = Qt.TabFocusBehavior
    set_behavior(place, kinds.TabFocusTextControls.value)
    yield
    set_behavior(place, kinds.TabFocusAllControls.value)


def wanted(window: MainWindow) -> list[QWidget]:
    """Return every stop that can be used now, dock by dock."""
    parts = [
        part
        for dock in window.docks.values()
        if dock.isVisible()
        for part in (dock.bar, dock.content)
    ]
    found = [stop for part in (window.tabs.bar, *parts) if part is not None for stop in stops(part)]
    return [stop for stop in found if stop.isEnabled() and stop.isVisible()]


@pytest.mark.skipif(sys.platform == "win32", reason="its Tab visits all")
@pytest.mark.usefixtures("narrow_tab")
def test_tab_reaches_tabs_and_tool_buttons_where_it_visits_texts_and_lists(begun, qtbot) -> None:
    window = begun()
    window.tabs.enter("explore")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for name in ("tradeoff", "tree"):
        window.tabs.stage.open_dock(name)
    QTest.qWait(1)
    expected, visited = wanted(window), tabbed(window)
    bars = window.tabs.bar, window.tabs.stage.drawer.bar
    assert {*expected, *bars} <= set(visited)
    assert {QTabBar, QToolButton} <= {type(widget) for widget in visited}


def test_labels_lead_to_controls_and_tab_round_the_window_dock_by_dock_and_back(window) -> None:
    for key, field in (("D", "encoding.name"), ("N", "n_states"), ("W", "window"), ("A", "alpha")):
        window.views["states"].keyboard.setFocus()
        QTest.keyClick(window, getattr(Key, f"Key_{key}"), Qt.KeyboardModifier.AltModifier)
        part = window.controls[field]
        assert QApplication.focusWidget() is getattr(part, "slider", part)
    forth, back = tabbed(window), tabbed(window, Key.Key_Backtab)
    start = back.index(forth[0])
    assert back[start:] + back[:start] == [forth[0], *forth[:0:-1]]
    show_all(window)
    QTest.qWait(1)
    expected = wanted(window)
    assert len(expected) > 40
    visited = tabbed(window)
    start = visited.index(expected[0])
    assert visited[start:] + visited[:start] == expected
    focusable = [
        w for w in window.findChildren(QWidget) if w.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert {w for w in focusable if w.isVisible() and w.isEnabled() and not w.focusProxy()} == set(
        expected
    )
    for view in window.views.values():
        assert view.keyboard in visited, view.TITLE


def test_a_ring_is_drawn_around_what_has_the_keyboard(window: MainWindow) -> None:
    ring = window.parts[Keyboard].ring
    window.resize(1280, 1400)  # all parts are visible without scrolling
    for theme in ("light", "dark"):
        window.parts[Preferences].choose_theme(theme)
        accent = window.parts[Preferences].theme.color("accent").getRgb()[:3]
        for widget in tabbed(window):
            QApplication.focusWidget().clearFocus()
            assert not ring.isVisible()
            around = QRect(widget.mapTo(window, QPoint()), widget.size()).adjusted(-2, -2, 2, 2)
            seen = around & window.rect()
            before = colors(window.grab(seen))
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            after = colors(window.grab(seen))
            assert around.contains(ring.geometry())
            edge = edge_of(ring.geometry().translated(-seen.topLeft()), after.shape[:2])
            np.testing.assert_array_equal(after[edge], np.broadcast_to(accent, after[edge].shape))
            assert (before[edge] != after[edge]).any(axis=1).mean() > 0.85, widget.accessibleName()


def edge_of(ring: QRect, shape: tuple[int, ...]) -> np.ndarray:
    """Return where the ring is drawn: two pixels inside its bounds."""
    edge, inside = np.zeros(shape, bool), ring.adjusted(2, 2, -2, -2)
    edge[max(0, ring.top()) : ring.bottom() + 1, max(0, ring.left()) : ring.right() + 1] = True
    edge[inside.top() : inside.bottom() + 1, inside.left() : inside.right() + 1] = False
    return edge


def test_arrows_inspect_pixels_stop_at_the_border_and_enter_picks_out(window: MainWindow) -> None:
    told: list[object] = []
    window.document.inspector.changed.connect(told.append)
    for name in ("image", "states"):
        check_arrows(window, name, told)
        window.document.unpin_all()
        window.document.select(None)
        window.document.inspector.hover(None)
    canvas = window.views["image"].canvas
    canvas.setFocus()
    press(Key.Key_Plus, 8)
    assert not canvas.whole
    press(Key.Key_Up, 60, SHIFT)
    assert told[-1].node[0] == 0
    assert canvas.region[0].start == 0
    assert canvas.scale_factor == pytest.approx(
        window.views["states"].canvas.scale_factor, rel=0.05
    )
    before = canvas.scale_factor
    press(Key.Key_Minus)
    assert canvas.scale_factor == pytest.approx(0.8 * before)
    press(Key.Key_Home)
    assert canvas.whole
    assert window.views["states"].canvas.whole


def check_arrows(window: MainWindow, name: str, told: list[object]) -> None:
    view = window.views[name]
    view.keyboard.setFocus()
    press(Key.Key_Right)
    height, width = window.document.picture.shape
    assert told[-1].node == (height // 2, width // 2)
    press(Key.Key_Right, 3)
    press(Key.Key_Down, 2)
    press(Key.Key_Left, keys=SHIFT)
    node = (height // 2 + 2, width // 2 + 3 - 10)
    assert told[-1].node == node
    frame = window.document.frame
    state = int(frame.states[node])
    assert f"Row {node[0]}, column {node[1]}: state {state + 1}" in (
        view.keyboard.accessibleDescription()
    )
    press(Key.Key_Return)
    assert window.document.state.selection == StateSelection(frame.slots[state])
    press(Key.Key_Return, keys=SHIFT)
    pins = window.views["pixel"].table
    assert pins.rows.index(0, 5).data() == f"{node[0]}, {node[1]}"


def test_arrows_go_over_states_bars_and_rows(window: MainWindow, qtbot: QtBot) -> None:
    check_states(window)
    check_entries(window, qtbot)
    check_bars(window, qtbot)
    begin_anew(qtbot, window)
    check_arrows_brush_the_histogram_and_rows_of_pins_are_deleted(window, qtbot)


def check_states(window: MainWindow) -> None:
    view, document = window.views["space"], window.document
    view.keyboard.setFocus()
    for expected in (0, 1, 2, 3, 0):
        press(Key.Key_Right)
        assert document.pointer.state == expected
    press(Key.Key_Left)
    assert view.keyboard.accessibleDescription().startswith("state 4")
    press(Key.Key_Return)
    assert document.state.selection == StateSelection(document.frame.slots[3])
    before = view.plot.box.viewRect()
    press(Key.Key_Plus)
    assert view.plot.box.viewRect().width() == pytest.approx(0.8 * before.width())
    press(Key.Key_Home)
    assert view.plot.box.viewRect().width() == pytest.approx(before.width())
    press(Key.Key_Tab)
    assert document.pointer.state is None


def check_entries(window: MainWindow, qtbot: QtBot) -> None:
    view, document = window.views["adjacency"], window.document
    view.setFocus()
    press(Key.Key_Right)
    press(Key.Key_Right, 2)
    press(Key.Key_Down)
    frame = document.frame
    assert document.pointer.state == 1
    assert view.accessibleDescription().startswith("A[2, 3] = ")
    press(Key.Key_Return)
    assert document.state.selection == PairSelection(frame.slots[1], frame.slots[2])
    press(Key.Key_Left, 9)
    press(Key.Key_Return)
    assert document.state.selection == StateSelection(frame.slots[1])
    press(Key.Key_Down, 9)
    document.set("N", n_states=2)
    settle(qtbot, window)
    assert document.pointer.state == 1
    press(Key.Key_Tab)
    assert document.pointer.state is None


def check_bars(window: MainWindow, qtbot: QtBot) -> None:
    window.document.set("N", n_states=32)
    frame = settle(qtbot, window)
    view = window.views["emissions"]
    view.setFocus()
    press(Key.Key_Down)
    press(Key.Key_Down, 40)
    before = pixels_of(view)
    press(Key.Key_Right, 2)
    assert (pixels_of(view) != before).any()
    assert f"State 32, symbol {frame.observations.names[1]}: " in view.accessibleDescription()
    press(Key.Key_Enter)
    assert window.document.state.selection == SymbolSelection(frame.slots[31], 1)


def check_arrows_brush_the_histogram_and_rows_of_pins_are_deleted(window, qtbot) -> None:
    view, document = window.views["image"], window.document
    assert isinstance(view, Viewer)
    document.set_layers("image", map=True)
    qtbot.waitUntil(lambda: view.frame is not None and view.frame.node_map is not None)
    shown = view.frame.node_map
    layers = window.docks["image"].header.layers
    layers.open()
    view.histogram.setFocus()
    press(Key.Key_Right)
    picked = document.state.selection
    assert picked == shown.range_of(0, 8)
    assert isinstance(picked, RangeSelection)
    assert picked.low == -np.inf
    press(Key.Key_Left)
    assert document.state.selection == picked
    press(Key.Key_Right, 2)
    press(Key.Key_Right, 3, SHIFT)
    assert document.state.selection == shown.range_of(2, 13)
    press(Key.Key_End)
    assert document.state.selection == shown.range_of(53, 64)
    press(Key.Key_Home)
    assert document.state.selection == shown.range_of(0, 11)
    layers.panel.hide()
    settle(qtbot, window)
    for node in ((1, 2), (3, 4)):
        window.document.pin(node)
    window.tabs.stage.open_dock("pixel")
    pins = window.views["pixel"].table
    pins.setFocus()
    pins.setCurrentIndex(pins.rows.index(0, 0))
    press(Key.Key_Delete)
    assert pins.rows.rowCount() == 1
    assert pins.rows.index(0, 5).data() == "3, 4"
