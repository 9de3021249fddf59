"""A sampled truth: that it follows its settings, and its views."""

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.look import theme as themes
from latviz.app.panels.preferences import Preferences
from latviz.core import sweep_potts
from latviz.engine.settings.palette import SLOT_COLORS
from latviz.wings.bench.document import Moment, keep
from latviz.wings.bench.experiment import PRESETS, Experiment
from latviz.wings.bench.opener import Bench
from latviz.wings.bench.sweeps import first_states
from latviz.wings.bench.window import BenchWindow
from tests.app.conftest import drag
from tests.app.program.test_window import pixels_of
from tests.wings.bench.conftest import rest, settle
from tests.wings.bench.test_document import check_keyboard

pytestmark = pytest.mark.usefixtures("few_views")

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def middle_of(rect: object) -> QPoint:
    return rect.center().toPoint()


def test_steps_are_sweeps_of_the_core(play: BenchWindow, qtbot: QtBot) -> None:
    world = play.document.value
    np.testing.assert_array_equal(play.maps.truth.layer.image, first_states(world))
    for _ in range(3):
        QTest.keyClick(play, Key.Key_P, CTRL | SHIFT)
    moment = rest(qtbot, play)
    wanted = sweep_potts(
        first_states(world), A=world.A, sweeps=3, method="gibbs", random_state=world.seed
    )
    np.testing.assert_array_equal(moment.states, wanted)
    np.testing.assert_array_equal(play.maps.truth.layer.image, wanted)
    assert [measure.sweeps for measure in play.matrices.trace.measures] == [0, 1, 2, 3]
    like = ((wanted[1:] == wanted[:-1]).mean() + (wanted[:, 1:] == wanted[:, :-1]).mean()) / 2
    assert play.matrices.trace.measures[-1].like == pytest.approx(like)
    words = play.matrices.trace.accessibleDescription()
    assert f"After 3 sweeps, {100 * like:.1f}\N{NO-BREAK SPACE}%" in words
    play.restart.click()
    assert rest(qtbot, play).sweeps == 0
    assert len(play.matrices.trace.measures) == 1
    QTest.keyClick(play, Key.Key_N, CTRL)
    assert (rest(qtbot, play).states != first_states(world)).any()


def test_it_goes_on_until_it_is_paused(play: BenchWindow, qtbot: QtBot) -> None:
    """Every sweep is measured, and several of them come with one moment."""
    moments: list[Moment] = []
    play.document.moved.connect(moments.append)
    play.document.set(pace=0)
    play.run.click()
    assert play.run.text() == "Pause"
    qtbot.waitUntil(lambda: bool(moments) and moments[-1].sweeps > 60, timeout=60_000)
    assert "sweeps per second" in play.message.whole_text()
    QTest.keyClick(play, Key.Key_P, CTRL)
    last = rest(qtbot, play)
    qtbot.wait(150)
    assert play.document.moment is last
    assert len(moments) < last.sweeps
    sweeps = [measure.sweeps for measure in play.matrices.trace.measures]
    assert sweeps == list(range(last.sweeps + 1))


def test_controls_set_the_world(play: BenchWindow, qtbot: QtBot) -> None:
    controls = play.controls
    drag(controls["strength"].slider, 500)
    assert play.document.value.strength == pytest.approx(0.5, abs=0.03)
    controls.critical.click()
    ratio = 10**play.document.value.strength
    assert ratio == pytest.approx(1 + 3**0.5, rel=2e-3)
    assert "So the field is critical." in controls.phase.text()
    controls["n_states"].box.setValue(5)
    assert (play.document.value.n_states, len(play.matrices.potentials.values)) == (5, 5)
    controls["method"].setCurrentIndex(1)
    controls["method"].activated.emit(1)
    assert play.document.value.sweeping == "clusters"
    controls["window"].box.setValue(6)
    controls["codebook"].setCurrentIndex(1)
    controls["codebook"].activated.emit(1)
    moment = rest(qtbot, play)
    read = moment.reading
    assert (read.experiment.window, read.experiment.codebook) == (6, "learned")
    share = f"{100 * read.accuracy:.1f}\N{NO-BREAK SPACE}% right"
    assert play.maps.decoded.title.text() == f"Decoded · {share}"
    np.testing.assert_array_equal(play.matrices.learned.values, read.learned_A)
    known, field, learned = read.associativities
    assert play.matrices.heads[0].whole_text().endswith(f"associativity {known:.3f}")
    assert play.matrices.heads[1].whole_text().endswith(f"{learned:.3f} (field {field:.3f})")


def test_presets_begin_anew(play: BenchWindow, qtbot: QtBot) -> None:
    box = play.controls.preset
    row = box.findData("checkerboard")
    play.step.click()
    box.setCurrentIndex(row)
    box.activated.emit(row)
    assert play.document.value == PRESETS["checkerboard"].experiment(side=64)
    assert box.currentIndex() == 0
    assert not play.controls["method"].isVisible()
    before = rest(qtbot, play).sweeps
    for _ in range(30):
        play.document.step()
    assert rest(qtbot, play).sweeps == before + 30
    assert play.matrices.trace.measures[-1].like < 0.1


def test_it_looks_right_and_all_is_reached_and_set_by_hand(play: BenchWindow, qtbot: QtBot) -> None:
    play.resize(1280, 800)
    for theme in (themes.DARK, themes.LIGHT):
        play.apply_theme(theme)
        panel = np.array(theme.color("panel").getRgb()[:3])
        assert (pixels_of(play.matrices.trace) == panel).all(axis=2).mean() > 0.7
        field = pixels_of(play.maps.truth.canvas).reshape(-1, 3)
        for color in SLOT_COLORS[:3]:
            assert (field == color).all(axis=1).mean() > 0.2
            assert (pixels_of(play.matrices.emissions).reshape(-1, 3) == color).all(axis=1).any()

    check_keyboard(play, play.controls["mode"])

    # A is set with mouse, wheel and keys.
    A = play.matrices.potentials

    def entry(row: int, column: int) -> float:
        return play.document.value.A[row][column]

    start = middle_of(A.cell(0, 2))
    QTest.mousePress(A, LEFT, pos=start)
    QTest.mouseMove(A, start - QPoint(0, 60))
    assert entry(0, 2) == entry(2, 0) == pytest.approx(0.1 * 10**0.5, rel=0.02)
    QTest.mouseRelease(A, LEFT, pos=start)
    A.setFocus()
    QTest.keyClick(A, Key.Key_Up)  # it was the first row already
    QTest.keyClick(A, Key.Key_Left)
    QTest.keyClick(A, Key.Key_PageUp)
    assert entry(0, 1) == entry(1, 0) == pytest.approx(0.2, rel=0.01)
    before = entry(0, 1)
    QTest.keyClick(A, Key.Key_Minus)
    assert entry(0, 1) == pytest.approx(before / 1.1)
    QTest.keyClick(A, Key.Key_Home)
    assert entry(0, 1) == 1.0
    assert "Chosen: [1, 2] = 1." in A.accessibleDescription()
    at = QPointF(middle_of(A.cell(1, 1)))
    before = entry(1, 1)
    for phase, value in (
        (Qt.ScrollPhase.ScrollUpdate, before),
        (Qt.ScrollPhase.NoScrollPhase, 1.1),
    ):
        turn = QWheelEvent(
            at,
            A.mapToGlobal(at),
            QPoint(0, 60),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            phase,
            False,
        )
        QApplication.sendEvent(A, turn)
        assert entry(1, 1) == pytest.approx(value)
    assert "not a Potts potential" in play.controls.phase.text()

    # B is set with mouse and keys, and the rest of its row adapts.
    B = play.matrices.emissions
    start = middle_of(B.cell(1, 2))
    QTest.mousePress(B, LEFT, pos=start)
    QTest.mouseMove(B, start - QPoint(0, 40))
    QTest.mouseRelease(B, LEFT, pos=start)
    row = play.document.value.B[1]
    assert 0.2 < row[2] < 0.4
    assert row[1] / row[0] == pytest.approx(8.0)
    assert sum(row) == pytest.approx(1.0)
    B.setFocus()
    QTest.keyClick(B, Key.Key_Home)
    assert play.document.value.B[1] == (0.0, 0.0, 1.0)
    read = rest(qtbot, play).reading
    assert (read.observation[read.truth == 1] == 2).all()
    QTest.keyClick(B, Key.Key_Left)
    assert "Chosen: [2, 2] = 0" in B.accessibleDescription()

    # The last seed is followed by the first.
    play.controls["seed"].setValue(2**31 - 1)
    play.controls.new_field.click()
    assert play.document.value.seed == 0


def test_its_observation_becomes_the_picture_of_the_window(window, qtbot) -> None:
    keep(window.settings, PRESETS["checkerboard"].experiment(side=64))
    window.parts[Bench].open()
    play = window.parts[Bench].window
    play.document.run(False)
    moment = rest(qtbot, play)
    play.controls.use.click()
    made = "Made on the bench"
    qtbot.waitUntil(lambda: window.document.picture.name == made, timeout=60_000)
    picture, parameters = window.document.picture, window.document.parameters
    assert picture.truth is not None
    np.testing.assert_array_equal(picture.truth, moment.reading.truth)
    assert picture.labels is not None
    np.testing.assert_array_equal(picture.labels, moment.reading.observation)
    assert (parameters.n_states, parameters.window) == (2, 1)
    window.parts[Preferences].choose_theme("dark")
    assert play.matrices.trace.theme is window.parts[Preferences].theme


def test_what_is_set_can_be_undone(play: BenchWindow, qtbot: QtBot) -> None:
    document, controls = play.document, play.controls
    first = document.value
    assert not controls.undo.isEnabled()
    document.begin_preset("checkerboard")
    controls["seed"].setValue(7)
    np.testing.assert_array_equal(rest(qtbot, play).states, first_states(document.value))
    QTest.keyClick(play, Key.Key_Z, CTRL)
    controls.undo.click()
    assert (document.value, controls["seed"].value()) == (first, first.seed)
    assert (controls.undo.isEnabled(), controls.redo.isEnabled()) == (False, True)
    np.testing.assert_array_equal(rest(qtbot, play).states, first_states(first))
    QTest.keyClick(play, Key.Key_Z, CTRL | SHIFT)
    assert document.value == PRESETS["checkerboard"].experiment(side=64)


def test_the_modes_share_their_frame(play: BenchWindow, qtbot: QtBot) -> None:
    """N, size, seed, w and undo stay; each mode shows what belongs to it."""
    for _ in range(3):
        play.step.click()
    swept = rest(qtbot, play)
    play.document.set(seed=0, window=2)
    play.document.set(mode="fixed")
    outcome = settle(qtbot, play)
    assert play.document.value == Experiment(side=64, window=2)
    np.testing.assert_array_equal(play.maps.truth.layer.image, outcome.truth)
    assert play.curves.isVisible()
    assert play.export.isVisible()
    assert not (play.matrices.isVisible())
    assert not (play.run.isVisible())
    assert not (play.controls.preset.isVisible())
    QTest.keyClick(play, Key.Key_P, CTRL)  # of a button that is not there
    assert not play.document.order.running
    play.controls.draw.click()
    QTest.keyClick(play, Key.Key_Z, CTRL)
    assert play.document.value.mode == "sampled"
    play.document.worker.decoded.emit(replace(outcome, complete=False))  # that comes late
    assert play.document.outcome is outcome
    absent = play.curves, play.draw_bar, play.maps.bias
    assert not any(part.isVisible() for part in absent)
    np.testing.assert_array_equal(rest(qtbot, play).states, swept.states)
    QTest.keyClick(play, Key.Key_R, CTRL)
    assert play.document.value == PRESETS["smooth"].experiment()
