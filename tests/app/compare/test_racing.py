"""Racing methods of the table: rows, labels as reference, cancelling, reasons."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from latviz import wings
from latviz.app.compare.comparison import Comparing
from latviz.app.compare.racing import Racing
from latviz.app.program.window import MainWindow
from latviz.app.shell.action_finder import entries, found
from latviz.app.shell.searching import Query
from latviz.app.work.activity import Failure
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.methods import Labelled, OtherMethod
from latviz.engine.frames.requests import frame_of, keep
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.compare.test_compare import agreed, assert_shows
from tests.app.conftest import settle

GO_ON = threading.Event()


def flat(frame: Frame, _: Progress, shared: dict[str, Any]) -> Labelled:
    """Return a map of the first state alone."""
    shared["flat"] = True
    states = np.zeros_like(frame.states)
    return Labelled(replace(frame.to_keep(), states=states, by="Flat"), "1 nat", "one state")


def slow(frame: Frame, progress: Progress, shared: dict[str, Any]) -> Labelled:
    while not GO_ON.wait(0.01):
        progress.report(0.4)
        stop_if_cancelled(progress)
    return replace(flat(frame, progress, shared), score="slow" if shared else "alone")


def refusing(_: Frame, __: Progress, ___: dict[str, Any]) -> Labelled:
    raise ParameterError("Round takes lattices of 7 dimensions")


TOYS = (
    OtherMethod("Flat", flat, "even-handed"),
    OtherMethod("Round", refusing),
    OtherMethod("Slow", slow),
)


def rows_of_toys(table: str, _kind: type) -> tuple[OtherMethod, ...]:
    """Return the toys as the only rows of wings."""
    return TOYS if table == "methods" else ()


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(wings, "rows", rows_of_toys)
    GO_ON.clear()
    yield
    GO_ON.set()


def button_of(window: MainWindow) -> QPushButton:
    found = window.docks["methods"].header.findChild(QPushButton)
    assert found is not None
    return found


@pytest.mark.usefixtures("few_views", "toys")
def test_all_methods_race_and_are_compared(window_of_toys: MainWindow, qtbot: QtBot) -> None:
    window = window_of_toys
    racing, document, view = window.parts[Racing], window.document, window.views["methods"]
    before = settle(qtbot, window)
    count = document.undo_stack.count()
    lines, race = entries(window.menus.actions), window.menus["Race all"]
    for words in ("flat", "even handed", "evenhanded", "slow"):  # lead to the race
        assert found(lines, Query(words))[0].action is race
    race.trigger()
    assert window.docks["methods"].isVisible()
    qtbot.waitUntil(lambda: racing.running == "Slow 40 %")
    assert button_of(window).text() == "Cancel: Slow 40 %"
    assert [one.frame.by for one in racing.found] == ["Flat"]
    GO_ON.set()
    qtbot.waitUntil(lambda: not racing.is_on)
    assert button_of(window).text() == "Race all"
    assert window.status.message.whole_text() == "Round takes lattices of 7 dimensions."
    assert [one.score for one in racing.found] == ["1 nat", "slow"]  # which got what Flat shared
    settle(qtbot, window)
    card = view.list.topLevelItem(0)
    assert [card.text(k) for k in (0, 1)] == ["Flat", "1 nat"]
    assert "one state" in card.toolTip(0)
    assert view.list.itemWidget(card, 2) is None  # its labels come from no settings
    assert "Flat: one state" in view.list.accessibleDescription()
    assert document.undo_stack.count() == count  # nothing is compared yet
    place = view.list.visualItemRect(card).center()
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    frame = agreed(qtbot, window)
    kept = frame_of(document.state.compared)
    assert (kept.by, kept.states.max()) == ("Flat", 0)
    np.testing.assert_array_equal(frame.states, before.states)
    assert document.undo_stack.undoText() == "Compare with Flat"
    window.parts[Comparing].set_divider(1.0)
    assert_shows(window, kept, (4, 124))
    check_labels_have_no_parameters(window, qtbot)
    assert document.session().compared is None  # labels are not stored, but the decoding is
    assert Session.of(replace(document.state, compared=keep(document.frame))).compared is not None
    document.freeze(False)
    assert document.state.compared is None
    check_what_ends_a_race(window, qtbot)


def check_labels_have_no_parameters(window: MainWindow, qtbot: QtBot) -> None:
    bar = window.parts[Comparing].bar
    agreed(qtbot, window)
    assert not bar.swap.isEnabled()
    assert not window.menus["Swap reference and current"].isEnabled()
    assert window.menus["Next way to compare"].isEnabled()
    assert bar.reference.whole_text() == f"Reference: {window.document.state.compared.by}"
    assert not bar.current.whole_text()


def check_what_ends_a_race(window: MainWindow, qtbot: QtBot) -> None:
    racing, document = window.parts[Racing], window.document
    GO_ON.clear()
    for cancel in (button_of(window).click, lambda: QTest.keyClick(window, Qt.Key.Key_Escape)):
        racing.start()
        qtbot.waitUntil(lambda: racing.running.startswith("Slow"))
        cancel()
        assert not racing.is_on
        assert window.status.message.whole_text() == "The race was cancelled"
        assert [one.frame.by for one in racing.found] == ["Flat"]
    document.set("w", window=5)
    racing.start()
    document.failed.emit(Failure("This cannot be computed."))  # so it is not waited for
    assert not racing.is_on
    settle(qtbot, window)
    racing.start()
    qtbot.waitUntil(lambda: racing.running.startswith("Slow"))
    document.open(Picture(np.eye(60, dtype=np.uint8), "eye"), Parameters(n_states=2, window=1))
    said = "The race was cancelled: another picture was opened"
    qtbot.waitUntil(lambda: window.status.message.whole_text() == said)
    assert not racing.is_on
    assert racing.found == ()
    settle(qtbot, window)
    racing.start()
    qtbot.waitUntil(lambda: racing.running.startswith("Slow"))  # until the window closes


@pytest.mark.usefixtures("few_views")
def test_settings_that_were_kept_are_compared_and_used_again(window, qtbot) -> None:
    document, view = window.document, window.views["methods"]
    window.tabs.stage.open_dock("methods")
    before = settle(qtbot, window)
    document.freeze(True)
    document.freeze(False)
    document.set("both", n_states=6, window=5)
    settle(qtbot, window)
    (row,) = view.labelled
    assert row.title == "N 4, w 3, nearest codeword"
    card = view.list.topLevelItem(0)
    place = view.list.visualItemRect(card).center()
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    agreed(qtbot, window)
    np.testing.assert_array_equal(frame_of(document.state.compared).states, before.states)
    assert view.list.topLevelItem(0).text(1) == "Reference"
    use = view.list.itemWidget(view.list.topLevelItem(0), 2).findChild(QPushButton)
    QTest.mouseClick(use, Qt.MouseButton.LeftButton)
    assert document.parameters == before.request.parameters
    np.testing.assert_array_equal(settle(qtbot, window).states, before.states)
    document.undo_stack.undo()
    assert (document.parameters.n_states, document.parameters.window) == (6, 5)
    settle(qtbot, window)
    document.freeze(False)
    document.freeze(True)
    assert [one.title[:8] for one in view.labelled] == ["N 4, w 3", "N 6, w 5"]
    window.parts[Racing].compare(view.labelled[0])
    assert [one.title[:8] for one in view.labelled] == ["N 4, w 3", "N 6, w 5"]


@pytest.fixture
def window_of_toys(toys: None, request: pytest.FixtureRequest) -> MainWindow:
    """`window`, made after the toys."""
    found: MainWindow = request.getfixturevalue("window")
    return found


def test_there_must_be_a_picture_and_a_method(begun, monkeypatch) -> None:
    monkeypatch.setattr(wings, "rows", rows_of_toys)
    window = begun()
    window.parts[Racing].start()
    assert not window.parts[Racing].is_on
    assert "open an image first" in window.status.message.whole_text()
    monkeypatch.setattr(wings, "rows", lambda *_: ())
    window = begun()
    assert "Race all" not in [action.text() for action in window.menus.actions]
    assert window.docks["methods"].header.findChild(QPushButton) is None
