"""States edited by hand: named, coloured, merged and split, from menus and by keys."""

from typing import Any

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QInputDialog, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.by_hand import hand
from latviz.app.by_hand.hand import ByHand
from latviz.app.exporting.drawing import figure_of
from latviz.app.program.window import MainWindow
from latviz.core.data.hand_cut import HandCut
from latviz.engine.frames.script import python_of
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.settings.appearance import Look
from tests.app.conftest import answered, begin_anew, settle
from tests.app.program.test_window import pixels_of, point_of

pytestmark = pytest.mark.usefixtures("few_views")


def answer(window: MainWindow, monkeypatch: pytest.MonkeyPatch, found: Any) -> list[Any]:
    """Answer every dialog with one answer; return the arguments of its calls."""
    asked: list[Any] = []

    def ask(_dialog: object, *args: object) -> object:
        asked.append(args)
        return found

    monkeypatch.setattr(window.shell, "ask", ask)
    return asked


def test_states_are_named_split_and_merged(window: MainWindow, qtbot: QtBot) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_a_state_is_named_and_coloured_everywhere(window, qtbot, patch)
    begin_anew(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_states_are_split_merged_and_cut_straight_again(window, qtbot, patch)


def check_a_state_is_named_and_coloured_everywhere(window, qtbot, monkeypatch) -> None:
    document, legend = window.document, window.views["states"].legend
    before = settle(qtbot, window)
    assert not window.menus["Name the state"].isEnabled()
    document.select(StateSelection(before.slots[1]))
    asked = answer(window, monkeypatch, "the <b>sky")
    window.menus["Name the state"].trigger()
    assert asked == [("state 2", "")]
    answer(window, monkeypatch, "#c020c0")
    window.menus["Colour the state"].trigger()
    assert document.state.looks.own == (Look(before.slots[1], "the <b>sky", "#c020c0"),)
    document.select(None)
    frame = answered(qtbot, window, "looks")
    assert frame.titled(1) == "State 2 (the <b>sky)"

    at = point_of(window, "states", tuple(np.argwhere(frame.states == 1)[40].tolist()))
    drawn = pixels_of(window.views["states"].canvas)
    assert drawn[at.y(), at.x()].tolist() == [0xC0, 0x20, 0xC0]
    assert "State 2 (the <b>sky): " in legend.accessibleDescription()
    assert window.specs["states"].table(window.views["states"], frame)[2][-1] == "the <b>sky"
    assert window.specs["adjacency"].table(window.views["adjacency"], frame)[0][2] == "the <b>sky"
    assert "state_names = ['', 'the <b>sky', '', '']" in python_of(frame)

    document.undo_stack.undo()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.state.looks.of(frame.slots[1]).color == ""

    # The menu of a view is about the state under the pointer.
    frame = settle(qtbot, window)
    view = window.views["states"]
    document.undo_stack.setIndex(0)
    at = np.argwhere(frame.states == 2)[30].tolist()
    canvas = view.canvas.viewport()
    QTest.mouseMove(canvas, point_of(window, "states", tuple(at)))
    qtbot.waitUntil(lambda: view.inspection is not None)
    asked = answer(window, monkeypatch, "sea")
    verbs = window.parts[ByHand].verbs(view)
    assert verbs[0].text == "&Name state 3…"
    verbs[0].run()
    assert asked == [("state 3", "")]
    assert window.document.state.looks.own == (Look(frame.slots[2], "sea"),)

    # Mean colours are switched on.
    settle(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    red, green, blue = answered(qtbot, window, "looks").colors.T.tolist()
    assert red == green == blue  # of a grey picture
    assert window.menus["Layer: Mean colours"].isChecked()


def check_states_are_split_merged_and_cut_straight_again(window, qtbot, monkeypatch) -> None:
    document, menus = window.document, window.menus
    window.shell.show("tree")
    straight = settle(qtbot, window)
    document.select(StateSelection(straight.slots[2]))
    menus["Split it in two"].trigger()
    assert document.parameters.n_states == 5
    split = answered(qtbot, window, "hand_cut")
    kept = set(straight.row_slots)
    assert kept < set(split.row_slots)  # the heavier part keeps the slot: the name and the colour
    for slot in kept - {straight.slots[2]}:
        one = straight.codebook[straight.slots.index(slot)]
        np.testing.assert_array_equal(split.codebook[split.slots.index(slot)], one)
    tree = window.views["tree"]
    drawn = tree.tree.rows(tree.cut_of(split))
    assert np.bincount(drawn).size == 5
    weights = np.bincount(drawn, tree.tree.weights)
    np.testing.assert_array_equal(weights, split.cut.weights)
    assert "Cut by hand" in tree.in_words(split)
    with figure_of(window.specs["tree"], tree, 96) as figure:
        assert figure.width() > 0

    menus["Merge it with its neighbour in the tree"].trigger()
    merged = answered(qtbot, window, "hand_cut")
    assert document.parameters.n_states == 4
    np.testing.assert_array_equal(merged.codebook, straight.codebook)
    assert merged.slots == straight.slots

    other = next(slot for slot in merged.slots if slot != straight.slots[2])
    document.point(state=merged.slots.index(other))
    places = merged.row_slots.index(other), merged.row_slots.index(straight.slots[2])
    n_joined = len(merged.cut.between(*places))
    menus["Merge it with the highlighted state"].trigger()
    document.point(state=None)
    assert document.parameters.n_states == 5 - n_joined
    answered(qtbot, window, "hand_cut")

    menus["Reset merges and splits"].trigger()
    assert document.state.hand_cut == HandCut()
    for _ in range(4):
        document.undo_stack.undo()
    assert document.state.hand_cut == HandCut()
    assert document.parameters.n_states == 4
    np.testing.assert_array_equal(answered(qtbot, window, "hand_cut").codebook, straight.codebook)


def test_a_name_is_one_line_without_ends(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    monkeypatch.setattr(QInputDialog, "exec", lambda self: 1)
    monkeypatch.setattr(QInputDialog, "textValue", lambda self: "  a\tb ")
    assert hand.ask_name(parent, "state 1", "old") == "ab"
    monkeypatch.setattr(QInputDialog, "exec", lambda self: 0)
    assert hand.ask_name(parent, "state 1", "old") is None
