"""Links by keys: the legend, the graph of states, the histogram of a window."""

from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import PairSelection, StateSelection
from tests.app.conftest import settle

Key = Qt.Key


def press(widget: object, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(widget, key)


def test_keys_in_the_legend_the_graph_and_the_histogram(window: MainWindow, qtbot: QtBot) -> None:
    frame = settle(qtbot, window)
    for check in (
        check_the_legend_picks_out_a_state,
        check_the_graph_picks_out_pairs_and_states,
        check_the_histogram_of_a_window_sets_off_a_symbol,
    ):
        check(window, frame)
        window.document.select(None)


def check_the_legend_picks_out_a_state(window: MainWindow, frame: Frame) -> None:
    legend = window.views["states"].legend
    legend.setFocus()
    press(legend, Key.Key_Right, Key.Key_Right)
    assert window.document.pointer.state == 2
    press(legend, Key.Key_Return)
    assert window.document.state.selection == StateSelection(frame.slots[2])


def check_the_graph_picks_out_pairs_and_states(window: MainWindow, frame: Frame) -> None:
    view = window.views["adjacency"]
    window.document.set_display(graph=True)
    view.setFocus()
    press(view, Key.Key_Right, Key.Key_Right, Key.Key_Down)
    assert view.spot == (1, 1)
    press(view, Key.Key_Return)
    slot = frame.slots[1]
    assert window.document.state.selection == PairSelection(slot, slot)
    press(view, Key.Key_Left, Key.Key_Left)
    assert view.spot == (1, None)
    press(view, Key.Key_Return)
    assert window.document.state.selection == StateSelection(slot)


def check_the_histogram_of_a_window_sets_off_a_symbol(window: MainWindow, _frame: Frame) -> None:
    bars = window.views["pixel"].bars
    window.document.pin((100, 100))
    bars.setFocus()
    press(bars, Key.Key_Right)
    assert window.document.pointer.symbol == 1
