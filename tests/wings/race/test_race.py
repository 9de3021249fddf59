"""Racing other methods against belief: menu, scores, labels as reference, errors."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.compare.bar import compared_text
from latviz.app.compare.comparison import Comparing
from latviz.app.document.opening import Opener
from latviz.app.help.help_dialog import HelpDialog
from latviz.app.program.window import MainWindow
from latviz.app.shell.action_finder import entries, found
from latviz.app.shell.searching import Query
from latviz.app.work.activity import Failure
from latviz.core import contingency, emit, matched_accuracy, sample_voronoi
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.kept import frame_of, keep
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.wings.race import race, race_bar
from latviz.wings.race.peers import catalogue
from latviz.wings.race.peers.catalogue import PEERS
from latviz.wings.race.race import Race
from latviz.wings.race.race_bar import RaceBar, seconds_text, summary
from latviz.wings.race.scores import Labelled, LabellingScore
from tests.app.compare.test_compare import agreed, assert_shows
from tests.app.conftest import begin_anew, settle
from tests.products import FULL

pytestmark = pytest.mark.usefixtures("few_views")

LEFT = Qt.MouseButton.LeftButton
ICM = PEERS["icm"]
FOUND = {
    "k-means": "KMeans",
    "superpixels": "SLIC",
    "iterated conditional modes": "ICM",
    "graph cuts": "Alpha-expansion",
}
"""The method that is found first for words of users."""


def a_mosaic(shape: tuple[int, ...] = (96, 128)) -> Picture:
    """Return a picture of three known states, seen through noise."""
    truth = sample_voronoi(shape, 12, 3, seed=1)
    B = np.full((3, 3), 0.2) + 0.4 * np.eye(3)
    pixels = 100 * emit(truth, B, seed=2).astype(np.uint8)
    return Picture(pixels, "mosaic", truth=truth, dimensions=len(shape))


def known_in(window: MainWindow, qtbot: QtBot) -> Frame:
    """Return the frame of a picture whose states are known."""
    parameters = Parameters(Encoding("quantiles", n_symbols=3), n_states=3, window=2)
    window.document.open(a_mosaic(), parameters)
    return settle(qtbot, window)


def raced(qtbot: QtBot, window: MainWindow, name: str = "icm") -> Frame:
    """Choose a method in the menu, and wait for its labels as reference."""
    window.menus[PEERS[name].title].trigger()
    assert window.parts[Race].is_on
    qtbot.waitUntil(lambda: not window.parts[Race].is_on)
    kept = frame_of(window.document.state.compared)
    assert kept is not None
    agreed(qtbot, window)
    return kept


def cells(bar: RaceBar) -> list[list[str]]:
    return [[cell.text() for cell in row.cells] for row in (bar.method, bar.belief, bar.shown)]


def test_labels_become_a_and_methods_run_from_the_menu(
    window: MainWindow, qtbot: QtBot, show_only: Callable[..., None]
) -> None:
    show_only("image", "states")
    check_labels_become_a_with_their_scores(window, qtbot)
    begin_anew(qtbot, window)
    check_each_method_runs_from_the_menu(window, qtbot)


def check_labels_become_a_with_their_scores(window: MainWindow, qtbot: QtBot) -> None:
    known = known_in(window, qtbot)
    document, bar, session = window.document, window.parts[Race].bar, window.document.session()
    seen: list[tuple[int, int]] = []

    def look(_: object, fraction: float) -> None:
        seen.append((bar.belief.place.currentIndex(), bar.method.place.currentIndex()))

    window.parts[Race].background.reported.connect(look)
    kept = raced(qtbot, window)
    assert (0, 1) in seen  # belief is shown done while the method still runs
    assert bar.method.place.currentIndex() == 0
    assert document.session() == session  # labels are not stored, but the decoding is
    assert Session.of(replace(document.state, compared=keep(document.frame))).compared is not None
    document.undo_stack.undo()
    assert document.state.compared is None
    assert not bar.isVisible()
    assert not window.parts[Comparing].bar.isVisible()
    document.undo_stack.redo()
    assert frame_of(document.state.compared) is kept
    assert bar.isVisible()
    check_labels(window, known, kept)
    check_scores(bar, known, window.parts[Race].scores)
    check_parameters(window, qtbot, kept)
    QTest.mouseClick(window.parts[Comparing].bar.leave, LEFT)
    assert document.state.compared is None
    assert not bar.isVisible()


def check_labels(window: MainWindow, known: Frame, kept: Frame) -> None:
    """Look for labels in the colours on screen."""
    frame = window.document.frame
    np.testing.assert_array_equal(frame.states, known.states)
    assert kept.slots == known.slots
    assert kept.by == "ICM"
    assert not (kept.states == known.states).all()
    table = contingency(kept.states, known.states)
    assert np.trace(table) / table.sum() == pytest.approx(matched_accuracy(table))
    np.testing.assert_array_equal(kept.occupancy, [(kept.states == k).sum() for k in range(3)])
    assert frame.agreement.matched == pytest.approx(window.parts[Race].scores.own.agreement)
    assert window.document.undo_stack.undoText() == "Compare with ICM"
    assert_shows(window, known, (68, 124))
    window.parts[Comparing].set_divider(1.0)
    assert_shows(window, kept, (4, 124))


def check_scores(bar: RaceBar, known: Frame, labelled: Labelled) -> None:
    own, belief, shown = labelled.own, labelled.belief, labelled.shown
    accuracy = matched_accuracy(contingency(known.states, known.request.picture.truth))
    assert shown == LabellingScore(shown.energy, 1.0, accuracy, None)
    assert belief.energy < shown.energy
    assert belief.accuracy > own.accuracy > 0.6
    assert min(own.seconds, belief.seconds) > 0
    assert bar.isVisible()
    assert not bar.cancel.isVisible()
    assert bar.method.name.text() == "ICM"
    energies = [f"{round(score.energy):,}" for score in (own, belief, shown)]
    assert [row[1] for row in cells(bar)] == energies
    assert cells(bar)[2][0] == race_bar.UNKNOWN
    assert cells(bar)[2][2] == "100\N{NO-BREAK SPACE}%"
    assert bar.belief.cells[3].font().bold()
    assert not bar.shown.cells[1].font().bold()
    assert summary(labelled) == bar.title.whole_text()


def check_parameters(window: MainWindow, qtbot: QtBot, kept: Frame) -> None:
    """Labels have no parameters to swap or to list."""
    document, bar, stack = window.document, window.parts[Comparing].bar, window.document.undo_stack
    agreed(qtbot, window)
    assert not bar.swap.isEnabled()
    assert not window.menus["Swap reference and current"].isEnabled()
    assert window.menus["Next way to compare"].isEnabled()
    count = stack.count()
    window.parts[Comparing].swap()
    agreed(qtbot, window)
    assert stack.count() == count
    document.set("w", window=4)
    frame = agreed(qtbot, window)
    assert not bar.table.isVisible()
    assert not bar.same.isVisible()
    assert compared_text(kept, frame).splitlines()[-1] == "Reference: ICM"
    document.freeze(False)
    document.freeze(True)
    assert bar.swap.isEnabled()
    assert window.menus["Swap reference and current"].isEnabled()


def check_each_method_runs_from_the_menu(window: MainWindow, qtbot: QtBot) -> None:
    known_in(window, qtbot)
    menu = window.menus.menus[race.MENU]
    assert [action.text() for action in menu.actions()] == [race._text(p) for p in PEERS.values()]
    window.parts[Race].start(replace(ICM, title="The first"))  # whose place the next one takes
    # Daily one by emissions and one by signatures; tests/peers runs each of them.
    there = [peer for peer in PEERS.values() if not peer.missing and peer != ICM]
    kinds = {peer.sees_signatures: peer for peer in there}
    for peer in there if FULL else kinds.values():
        assert raced(qtbot, window, peer.name).by == peer.title
        labelled = window.parts[Race].scores
        assert labelled.own.accuracy > 0.6, peer.name


def test_volumes_that_cannot_be_taken_and_what_ends_a_race(
    window: MainWindow, qtbot: QtBot, show_only: Callable[..., None]
) -> None:
    show_only("image", "states")
    check_volumes_that_a_method_cannot_take(window, qtbot)
    begin_anew(qtbot, window)
    check_what_ends_a_race(window, qtbot)


def check_what_ends_a_race(window: MainWindow, qtbot: QtBot) -> None:
    known = known_in(window, qtbot)
    document, found, bar = window.document, window.parts[Race], window.parts[Race].bar
    count = document.undo_stack.count()
    for cancel in (
        lambda: QTest.mouseClick(bar.cancel, LEFT),
        lambda: QTest.keyClick(window, Qt.Key.Key_Escape),
    ):
        found.start(ICM)
        assert bar.isVisible()
        assert bar.cancel.isVisible()
        assert bar.belief.place.currentIndex() == 1
        cancel()
        assert not found.is_on
        assert not bar.isVisible()
        assert window.status.message.whole_text() == "Comparing with ICM was cancelled"
    assert document.undo_stack.count() == count
    check_impossible_symbols(window, qtbot, known)
    document.set("w", window=5)
    found.start(ICM)
    assert found.is_on
    document.failed.emit(Failure("This cannot be computed."))  # so it is not waited for
    assert not found.is_on
    assert not bar.isVisible()
    settle(qtbot, window)
    assert document.state.compared is None
    found.start(ICM)
    document.open(a_mosaic((60, 70)), Parameters(n_states=2, window=1))
    said = "Comparing with ICM was cancelled: another picture was opened"
    qtbot.waitUntil(lambda: window.status.message.whole_text() == said)
    settle(qtbot, window)
    assert not found.is_on
    assert document.state.compared is None
    assert not bar.isVisible()
    count = document.undo_stack.count()
    found.start(ICM)
    qtbot.waitUntil(lambda: bar.method.place.currentIndex() == 1)
    found.cancel()
    qtbot.waitUntil(lambda: found.background.finish(seconds=0.05))
    assert document.undo_stack.count() == count
    assert document.state.compared is None


def check_impossible_symbols(window: MainWindow, qtbot: QtBot, known: Frame) -> None:
    B = np.array(known.model.B)
    B[:, 2] = 0.0
    model, found = replace(known.model, B=B / B.sum(axis=1, keepdims=True)), window.parts[Race]
    found._task, found._peer = found.background.task(), ICM
    found._set_up(ICM, found._task, replace(known, model=model))
    qtbot.waitUntil(window.banner.isVisible)
    said = r"no state can emit [\d,]+ of 12,288 observations"
    assert re.search(said, window.banner.label.text())
    assert not found.is_on
    window.banner.hide()


def test_a_method_that_is_not_installed_and_no_picture(
    begun: Callable[..., MainWindow], image: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = replace(ICM, needs={"no_such_module": "No-Such-Package"})
    monkeypatch.setitem(catalogue.PEERS, "icm", lacking)
    window = begun()
    window.parts[Race].start(ICM)
    assert not window.parts[Race].is_on
    assert "open an image first" in window.status.message.whole_text()
    window.parts[Opener].open_path(str(image))
    qtbot.waitUntil(lambda: window.document.picture is not None)
    item = window.menus["ICM (needs No-Such-Package)"]
    assert 'pip install "latviz[compare]"' in item.toolTip()
    item.trigger()
    qtbot.waitUntil(window.banner.isVisible)
    said = window.banner.label.text()
    assert "ICM needs No-Such-Package" in said
    assert 'pip install "latviz[compare]"' in said
    assert not window.parts[Race].is_on
    assert not window.parts[Race].bar.isVisible()


def check_volumes_that_a_method_cannot_take(window: MainWindow, qtbot: QtBot) -> None:
    flat = replace(ICM, axes=(2,))
    parameters = Parameters(Encoding("quantiles", n_symbols=3), n_states=3, window=1)
    window.document.open(a_mosaic((6, 40, 44)), parameters)
    settle(qtbot, window)
    window.parts[Race].start(flat)
    qtbot.waitUntil(window.banner.isVisible)
    assert "ICM takes lattices of 2 dimensions, got 3" in window.banner.label.text()
    window.banner.hide()
    window.document.set("Change whether slices are apart", slices_apart=True)
    settle(qtbot, window)
    window.parts[Race].start(flat)
    qtbot.waitUntil(lambda: not window.parts[Race].is_on)
    kept = frame_of(window.document.state.compared)
    assert not window.banner.isVisible(), window.banner.label.text()
    assert kept.states.shape == (6, 40, 44)


def test_words_of_the_field_find_methods_and_their_page(
    begun: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    lines = entries(begun().menus.actions)
    for asked, wanted in FOUND.items():
        assert found(lines, Query(asked))[0].name == wanted
    dialog = HelpDialog([])
    qtbot.addWidget(dialog)
    for asked in ("k-means", "superpixels", "ICM", "max flow"):
        assert dialog.found(asked)[0].name == "wings/race.md"


def test_texts() -> None:
    assert seconds_text(0.0124) == "12 ms"
    assert seconds_text(2.345) == "2.3 s"
    score = LabellingScore(5.0, 1.0, None, 0.5)
    labelled = Labelled("SLIC", score, replace(score, seconds=0.01), score)
    assert summary(labelled) == "SLIC took 50 times as long as belief"
    labelled = replace(labelled, belief=replace(score, seconds=2.0))
    assert summary(labelled) == "SLIC took 0.25 of belief's time"
