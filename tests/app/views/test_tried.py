"""What was tried: a small picture for each rest, to return to and to compare."""

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.views.tried import trials
from latviz.app.window import MainWindow
from latviz.engine.trial import COLUMNS
from tests.app.conftest import settle


@pytest.fixture(autouse=True)
def _short_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "REST_MS", 30)


def names(window: MainWindow) -> list[str]:
    return [trial.name for trial in window.views["tried"].trials]


def rest_at(window: MainWindow, qtbot: QtBot, n: int, w: int) -> None:
    """Set N and w, and wait until that is a trial."""
    window.document.set("Change N and w", n_states=n, window=w)
    window.document.learn_from_all()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: f"N = {n}, w = {w}" in names(window))


def test_rests_are_kept_returned_to_and_undone(window: MainWindow, qtbot: QtBot) -> None:
    window.docks["tried"].show()
    view, document = window.views["tried"], window.document
    first = document.parameters
    qtbot.waitUntil(lambda: len(names(window)) == 1)
    rest_at(window, qtbot, 3, 2)
    rest_at(window, qtbot, 5, 1)
    frame = settle(qtbot, window)
    qtbot.waitUntil(lambda: view.trials[-1].score != "")
    assert view.trials[-1].score == f"{frame.code_lengths.states.bits:.3f} bits"
    assert view.strip.currentRow() == 2
    assert view.strip.item(2).text() == f"N = 5, w = 1\n{view.trials[2].score}"
    place = view.strip.visualItemRect(view.strip.item(0)).center()
    QTest.mouseClick(view.strip.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert document.parameters == first
    settle(qtbot, window)
    document.undo_stack.undo()
    assert (document.parameters.n_states, document.parameters.window) == (5, 1)
    settle(qtbot, window)
    QTest.qWait(100)
    assert len(names(window)) == 3  # what was tried before is not tried anew
    view.strip.setCurrentRow(1)
    QTest.keyClick(view.strip, Qt.Key.Key_Return)
    assert (document.parameters.n_states, document.parameters.window) == (3, 2)


def test_two_are_compared(window: MainWindow, qtbot: QtBot) -> None:
    window.docks["tried"].show()
    view, document = window.views["tried"], window.document
    rest_at(window, qtbot, 3, 2)
    states = settle(qtbot, window).states
    rest_at(window, qtbot, 5, 1)
    a, b = names(window).index("N = 3, w = 2"), names(window).index("N = 5, w = 1")
    rest_at(window, qtbot, 2, 4)
    view.strip.dragged.emit(a, b)
    qtbot.waitUntil(lambda: document.state.compared is not None)
    kept = document.state.compared
    assert kept is not None
    np.testing.assert_array_equal(kept.states, states)
    assert (document.parameters.n_states, document.parameters.window) == (5, 1)
    settle(qtbot, window)
    assert view.strip.item(a).text().startswith("A: ")
    document.undo_stack.undo()
    assert document.state.compared is None


def test_what_belongs_to_a_picture_comes_back_with_it(window: MainWindow, qtbot: QtBot) -> None:
    window.docks["tried"].show()
    qtbot.waitUntil(lambda: len(names(window)) == 1)
    rest_at(window, qtbot, 3, 2)
    before = names(window)
    window.opener.open_demo("figure1")
    qtbot.waitUntil(lambda: window.document.state.knows_truth)
    frame = settle(qtbot, window)
    qtbot.waitUntil(lambda: len(names(window)) == 1)
    qtbot.waitUntil(lambda: "Accuracy" in window.views["tried"].trials[0].score)
    assert window.views["tried"].trials[0].accuracy == frame.truth.accuracy
    window.document.undo_stack.undo()
    assert names(window) == before


def test_trials_are_few_and_a_table(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "MOST", 2)
    window.docks["tried"].show()
    for n in (2, 3, 5):
        rest_at(window, qtbot, n, 1)
    assert names(window) == ["N = 3, w = 1", "N = 5, w = 1"]
    view, spec = window.views["tried"], window.specs["tried"]
    rows = spec.table(view, settle(qtbot, window))
    assert rows[0] == list(COLUMNS)
    assert [row[:2] for row in rows[1:]] == [[3, 1], [5, 1]]
    assert all(len(row) == len(COLUMNS) for row in rows)
    view.strip.setCurrentRow(0)
    menu = window.context_menus._made("tried")
    next(a for a in menu.actions() if a.text() == "Remove from the strip").trigger()
    assert names(window) == ["N = 5, w = 1"]
