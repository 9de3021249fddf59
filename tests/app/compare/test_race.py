"""Racing other methods against belief: menu, scores, the labels as A, and what goes wrong."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.compare import race, race_bar
from latviz.app.compare.bar import compared_text
from latviz.app.compare.comparison import Comparing
from latviz.app.compare.race import Race
from latviz.app.compare.race_bar import RaceBar, seconds_text, summary
from latviz.app.program.window import MainWindow
from latviz.app.work.activity import Failure
from latviz.core import contingency, emit, matched_accuracy, sample_voronoi
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.kept import frame_of, keep
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.labelled import Labelled, LabellingScore
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.peers import catalogue
from latviz.peers.catalogue import PEERS
from tests.app.compare.test_compare import agreed, assert_shows
from tests.app.conftest import settle

LEFT = Qt.MouseButton.LeftButton
ICM = PEERS["icm"]


def a_mosaic(shape: tuple[int, ...] = (96, 128)) -> Picture:
    """Return a picture of three known states, seen through noise."""
    truth = sample_voronoi(shape, 12, 3, seed=1)
    B = np.full((3, 3), 0.2) + 0.4 * np.eye(3)
    pixels = 100 * emit(truth, B, seed=2).astype(np.uint8)
    return Picture(pixels, "mosaic", truth=truth, dimensions=len(shape))


@pytest.fixture
def known(window: MainWindow, qtbot: QtBot) -> Frame:
    """The frame of a picture whose states are known."""
    parameters = Parameters(Encoding("quantiles", n_symbols=3), n_states=3, window=2)
    window.document.open(a_mosaic(), parameters)
    return settle(qtbot, window)


def raced(qtbot: QtBot, window: MainWindow, name: str = "icm") -> Frame:
    """Choose a method in the menu, and wait for its labels as A."""
    window.menus[PEERS[name].title].trigger()
    assert window.parts[Race].is_on
    qtbot.waitUntil(lambda: not window.parts[Race].is_on)
    kept = frame_of(window.document.state.compared)
    assert kept is not None
    agreed(qtbot, window)
    return kept


def cells(bar: RaceBar) -> list[list[str]]:
    return [[cell.text() for cell in row.cells] for row in (bar.method, bar.belief, bar.shown)]


def test_labels_become_a_in_the_colours_on_screen(
    window: MainWindow, qtbot: QtBot, known: Frame
) -> None:
    kept = raced(qtbot, window)
    document, frame = window.document, window.document.frame
    np.testing.assert_array_equal(frame.states, known.states)
    assert kept.slots == known.slots
    assert kept.labelled.by == "ICM"
    assert not (kept.states == known.states).all()
    table = contingency(kept.states, known.states)
    assert np.trace(table) / table.sum() == pytest.approx(matched_accuracy(table))
    np.testing.assert_array_equal(kept.occupancy, [(kept.states == k).sum() for k in range(3)])
    assert frame.agreement.matched == pytest.approx(kept.labelled.own.agreement)
    assert document.undo_stack.undoText() == "Compare with ICM"
    assert_shows(window, known, (68, 124))
    window.parts[Comparing].set_divider(1.0)
    assert_shows(window, kept, (4, 124))


def test_scores(window: MainWindow, qtbot: QtBot, known: Frame) -> None:
    labelled = raced(qtbot, window).labelled
    own, belief, shown = labelled.own, labelled.belief, labelled.shown
    truth = known.request.picture.truth
    assert shown == LabellingScore(
        shown.energy, 1.0, matched_accuracy(contingency(known.states, truth)), None
    )
    assert belief.energy < shown.energy
    assert belief.accuracy is not None
    assert own.accuracy is not None
    assert belief.accuracy > own.accuracy > 0.5
    assert own.seconds is not None
    assert belief.seconds is not None
    bar = window.parts[Race].bar
    assert bar.isVisible()
    assert not bar.cancel.isVisible()
    assert bar.method.name.text() == "ICM"
    assert [row[1] for row in cells(bar)] == [
        f"{round(score.energy):,}" for score in (own, belief, shown)
    ]
    assert cells(bar)[2][0] == race_bar.UNKNOWN
    assert cells(bar)[2][2] == "100.0 %"
    assert bar.belief.cells[3].font().bold()
    assert not bar.shown.cells[1].font().bold()
    assert summary(labelled) == bar.title.whole_text()


@pytest.mark.parametrize("name", PEERS)
def test_each_method_runs_from_the_menu(
    window: MainWindow, qtbot: QtBot, known: Frame, name: str
) -> None:
    if PEERS[name].missing:
        pytest.skip(f"needs {PEERS[name].missing}")
    kept = raced(qtbot, window, name)
    assert kept.labelled.own.accuracy is not None
    assert kept.labelled.own.accuracy > 0.6


def test_belief_is_shown_done_while_the_method_still_runs(
    window: MainWindow, qtbot: QtBot, known: Frame
) -> None:
    bar, seen = window.parts[Race].bar, []

    def look(_: object, fraction: float) -> None:
        seen.append((bar.belief.place.currentIndex(), bar.method.place.currentIndex()))

    window.parts[Race].background.reported.connect(look)
    window.parts[Race].start(ICM)
    assert bar.isVisible()
    assert bar.cancel.isVisible()
    assert bar.belief.place.currentIndex() == 1
    qtbot.waitUntil(lambda: not window.parts[Race].is_on)
    assert (0, 1) in seen
    assert bar.method.place.currentIndex() == 0


def test_undoing_and_stopping_take_the_scores_away(
    window: MainWindow, qtbot: QtBot, known: Frame
) -> None:
    kept = raced(qtbot, window)
    document, bar = window.document, window.parts[Race].bar
    document.undo_stack.undo()
    assert document.state.compared is None
    assert not bar.isVisible()
    assert not window.parts[Comparing].bar.isVisible()
    document.undo_stack.redo()
    assert frame_of(document.state.compared) is kept
    assert bar.isVisible()
    QTest.mouseClick(window.parts[Comparing].bar.leave, LEFT)
    assert document.state.compared is None
    assert not bar.isVisible()


def test_labels_have_no_parameters_to_swap_or_to_list(
    window: MainWindow, qtbot: QtBot, known: Frame
) -> None:
    window.document.freeze(True)
    assert window.menus["Swap A and B"].isEnabled()
    window.document.freeze(False)
    kept = raced(qtbot, window)
    bar, stack = window.parts[Comparing].bar, window.document.undo_stack
    assert not bar.swap.isEnabled()
    assert not window.menus["Swap A and B"].isEnabled()
    assert window.menus["Next way to compare"].isEnabled()
    count = stack.count()
    window.parts[Comparing].swap()
    agreed(qtbot, window)
    assert stack.count() == count
    window.document.set("w", window=4)
    frame = agreed(qtbot, window)
    assert not bar.table.isVisible()
    assert not bar.same.isVisible()
    assert compared_text(kept, frame).splitlines()[-1] == "A: ICM"
    window.document.freeze(False)
    window.document.freeze(True)
    assert bar.swap.isEnabled()


def test_a_session_keeps_no_labels(window: MainWindow, qtbot: QtBot, known: Frame) -> None:
    before = window.document.session()
    raced(qtbot, window)
    assert window.document.session() == before
    state = replace(window.document.state, compared=keep(window.document.frame))
    assert Session.of(state).compared is not None


def test_cancelling(window: MainWindow, qtbot: QtBot, known: Frame) -> None:
    document = window.document
    count = document.undo_stack.count()
    for cancel in (
        lambda: QTest.mouseClick(window.parts[Race].bar.cancel, LEFT),
        lambda: QTest.keyClick(window, Qt.Key.Key_Escape),
    ):
        window.parts[Race].start(ICM)
        cancel()
        assert not window.parts[Race].is_on
        assert not window.parts[Race].bar.isVisible()
        assert window.status.message.whole_text() == "Comparing with ICM was cancelled"
    window.parts[Race].start(ICM)
    qtbot.waitUntil(lambda: window.parts[Race].bar.method.place.currentIndex() == 1)
    window.parts[Race].cancel()
    qtbot.waitUntil(lambda: window.parts[Race].background.finish(seconds=0.05))
    assert document.undo_stack.count() == count
    assert document.state.compared is None


def test_another_method_takes_the_place_of_the_first(
    window: MainWindow, qtbot: QtBot, known: Frame
) -> None:
    window.parts[Race].start(replace(ICM, title="The first"))
    kept = raced(qtbot, window)
    assert kept.labelled.by == "ICM"


def test_another_picture_ends_the_race(window: MainWindow, qtbot: QtBot, known: Frame) -> None:
    window.parts[Race].start(ICM)
    window.document.open(a_mosaic((60, 70)), Parameters(n_states=2, window=1))
    said = "Comparing with ICM was given up: another picture was opened"
    qtbot.waitUntil(lambda: window.status.message.whole_text() == said)
    settle(qtbot, window)
    assert not window.parts[Race].is_on
    assert window.document.state.compared is None
    assert not window.parts[Race].bar.isVisible()


def test_what_cannot_be_computed_is_not_waited_for(
    window: MainWindow, qtbot: QtBot, known: Frame
) -> None:
    window.document.set("w", window=5)
    window.parts[Race].start(ICM)
    assert window.parts[Race].is_on
    window.document.failed.emit(Failure("This cannot be computed."))
    assert not window.parts[Race].is_on
    assert not window.parts[Race].bar.isVisible()
    settle(qtbot, window)
    assert window.document.state.compared is None


def test_what_is_not_installed_is_said_in_the_menu_and_when_it_is_chosen(
    begun: Callable[..., MainWindow], image: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = replace(ICM, needs={"no_such_module": "No-Such-Package"})
    monkeypatch.setitem(catalogue.PEERS, "icm", lacking)
    window = begun(image)
    item = window.menus["ICM (needs No-Such-Package)"]
    assert "pip install 'latviz[compare]'" in item.toolTip()
    item.trigger()
    qtbot.waitUntil(window.banner.isVisible)
    said = window.banner.label.text()
    assert "ICM needs No-Such-Package" in said
    assert "pip install 'latviz[compare]'" in said
    assert not window.parts[Race].is_on
    assert not window.parts[Race].bar.isVisible()


def test_without_a_picture_nothing_runs(begun: Callable[..., MainWindow]) -> None:
    window = begun()
    window.parts[Race].start(ICM)
    assert not window.parts[Race].is_on
    assert "open an image first" in window.status.message.whole_text()


def test_volumes_that_a_method_cannot_take(window: MainWindow, qtbot: QtBot) -> None:
    flat = replace(ICM, axes=(2,))
    parameters = Parameters(Encoding("quantiles", n_symbols=3), n_states=3, window=1)
    window.document.open(a_mosaic((6, 40, 44)), parameters)
    settle(qtbot, window)
    window.parts[Race].start(flat)
    qtbot.waitUntil(window.banner.isVisible)
    assert "ICM takes lattices of 2 dimensions, got 3" in window.banner.label.text()
    window.banner.hide()
    window.document.set("Take slices apart", slices_apart=True)
    settle(qtbot, window)
    window.parts[Race].start(flat)
    qtbot.waitUntil(lambda: not window.parts[Race].is_on)
    kept = frame_of(window.document.state.compared)
    assert not window.banner.isVisible(), window.banner.label.text()
    assert kept.states.shape == (6, 40, 44)


def test_impossible_symbols(window: MainWindow, qtbot: QtBot, known: Frame) -> None:
    B = np.array(known.model.B)
    B[:, 2] = 0.0
    model = replace(known.model, B=B / B.sum(axis=1, keepdims=True))
    window.parts[Race]._set_up(ICM, begun_task(window), replace(known, model=model))
    qtbot.waitUntil(window.banner.isVisible)
    assert re.search(
        r"[\d,]+ of 12,288 observations are impossible in every state", window.banner.label.text()
    )


def begun_task(window: MainWindow) -> object:
    """Return the task of a race that has begun, and waits."""
    window.parts[Race]._task = task = window.parts[Race].background.task()
    window.parts[Race]._peer = ICM
    return task


def test_texts() -> None:
    assert seconds_text(0.0124) == "12 ms"
    assert seconds_text(2.345) == "2.3 s"
    score = LabellingScore(5.0, 1.0, None, 0.5)
    labelled = Labelled("SLIC", score, replace(score, seconds=0.01), score)
    assert summary(labelled) == "SLIC took 50 times as long as belief"
    labelled = replace(labelled, belief=replace(score, seconds=2.0))
    assert summary(labelled) == "SLIC took 0.25 of belief's time"


def test_the_menu_lists_all_methods(window: MainWindow) -> None:
    menu = window.menus.menus[race.MENU]
    assert [action.text() for action in menu.actions()] == [
        race._text(peer) for peer in PEERS.values()
    ]
