"""The player: processes step by step, by buttons and by keys."""

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QRect, Qt
from PyQt6.QtGui import QColor
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT
from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.views.steps.view import PROCESSES, SPEEDS, UNMERGED, StepsView
from latviz.core.data.encoding import Encoding
from latviz.engine.explain.stepping import MOST_CLUSTERS
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import NEEDED, Request
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import begin_anew, settle
from tests.app.frames import computed, noise, pixels, shown
from tests.new_frames import new_frame

pytestmark = pytest.mark.usefixtures("few_views")

Key = Qt.Key


def begun(window: MainWindow, qtbot: QtBot, process: str = "window") -> StepsView:
    window.menus["Step through the model"].trigger()
    settle(qtbot, window)
    view = window.views["steps"]
    view.choose(process)
    qtbot.waitUntil(lambda: view.film is not None and len(view.film.steps) > 2)
    return view


def count(view: StepsView) -> str:
    return view.bar.count.text()


def test_steps_are_drawn_named_and_played(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.views["states"].keyboard.setFocus()
    for _ in range(2):  # again where it is open already
        QTest.keyClick(QApplication.focusWidget(), Key.Key_F7)
        qtbot.waitUntil(window.views["steps"].keyboard.hasFocus)
        QTest.keyClick(window.views["steps"].keyboard, Key.Key_Tab)
        assert not window.views["steps"].keyboard.hasFocus()
    check_keys_step_play_and_pause(window, qtbot)
    begin_anew(qtbot, window)
    check_steps_are_whole_in_the_drawer_and_every_process_is_drawn_and_named(window, qtbot)


def check_keys_step_play_and_pause(window: MainWindow, qtbot: QtBot) -> None:
    view = begun(window, qtbot)
    stage = view.keyboard
    assert count(view) == "1 of 144"
    QTest.keyClick(stage, Key.Key_Right)
    QTest.keyClick(stage, Key.Key_Right)
    QTest.keyClick(stage, Key.Key_Left)
    assert count(view) == "2 of 144"
    assert view.words.text().startswith("Row ")
    assert view.words.text() in stage.accessibleDescription()
    QTest.keyClick(stage, Key.Key_End)
    assert count(view) == "144 of 144"
    QTest.keyClick(stage, Key.Key_Right)
    assert count(view) == "144 of 144"
    QTest.keyClick(stage, Key.Key_Home)
    view.bar.speed.setValue(len(SPEEDS) - 1)
    QTest.keyClick(stage, Key.Key_Space)
    assert view.is_playing
    assert view.bar.play.accessibleName() == "Pause"
    qtbot.waitUntil(lambda: view.at > 3)
    QTest.keyClick(stage, Key.Key_Space)
    at = view.at
    assert not view.is_playing
    view.bar.on.click()
    assert view.at == at + 1
    view.bar.back.click()
    assert view.at == at
    QTest.keyClick(stage, Key.Key_End)
    view.bar.play.click()
    assert view.at < 143  # from the beginning again
    QTest.keyClick(stage, Key.Key_Left)
    assert not view.is_playing
    # The window slides around the last pin.
    window.document.pin((20, 30))
    qtbot.waitUntil(lambda: view.film is not None and view.film.part[0].start == 14)
    window.document.set("w", window=1)
    frame = settle(qtbot, window)
    qtbot.waitUntil(lambda: view.film is not None and view.film.steps[0].window[0].stop == 16)
    states = [step.state for step in view.film.steps]
    np.testing.assert_array_equal(states, frame.states[view.film.part].reshape(-1))
    # A figure shows the step.
    view = begun(window, qtbot, "merges")
    for _ in range(5):
        view.bar.on.click()
    figure = StepsView()
    qtbot.addWidget(figure)
    figure.show_as_figure(view, 1.0)
    assert figure.words.text() == view.words.text()
    assert figure.stage.shown is not None
    assert not figure.bar.isVisible()
    # It pauses when it is hidden, and says why it waits.
    view = begun(window, qtbot, "passes")
    QTest.keyClick(view.keyboard, Key.Key_Space)
    window.tabs.stage.close_dock("steps")
    qtbot.waitUntil(lambda: not view.is_playing)


def check_steps_are_whole_in_the_drawer_and_every_process_is_drawn_and_named(window, qtbot) -> None:
    check_every_process_is_drawn_and_named(window, qtbot)
    window.resize(960, 540)
    for process in PROCESSES:
        view = begun(window, qtbot, process)
        area, around = view.stage, view.parentWidget()
        while not isinstance(around, QScrollArea):
            around = around.parentWidget()
        port = around.viewport()
        settle(qtbot, window)
        assert port.rect().contains(QRect(area.mapTo(port, QPoint()), area.size())), process


def check_every_process_is_drawn_and_named(window: MainWindow, qtbot: QtBot) -> None:
    window.document.set_mean_colors(True)  # of the map, and of all steps
    for theme, process in zip((LIGHT, DARK) * 2, PROCESSES, strict=False):
        window.parts[Preferences].choose_theme(theme.name)
        view = begun(window, qtbot, process)
        frame = window.document.frame
        said, drawn = view.words.text(), pixels(view.stage)
        inks = [*frame.colors.tolist(), QColor(theme.accent).getRgb()[:3]]
        assert sum((drawn == ink).all(axis=-1).any() for ink in inks) >= 2, process
        view.bar.on.click()
        assert view.words.text() != said
        assert (pixels(view.stage) != drawn).any(), process
        assert PROCESSES[process][0] in view.keyboard.accessibleDescription()
        rows = window.specs["steps"].table(view, frame)
        assert rows[2] == [2, view.words.text()]


def test_steps_are_drawn_with_the_frame_that_they_are_those_of(qtbot: QtBot) -> None:
    """Until the next film is made, the view has the steps of a picture and the frame of another."""
    frame = computed(noise(), Encoding("quantiles", 4))
    line = Picture(noise()[0] % 4, "line", dimensions=1, alphabet=("a", "b", "c", "d"))
    sequence = new_frame(line, Parameters(encoding=Encoding("labels")))
    for process in ("window", "passes"):
        view = shown(qtbot, StepsView, frame, (520, 330))
        view.choose(process)
        qtbot.waitUntil(lambda view=view: view.film is not None)
        qtbot.waitUntil(lambda view=view: pixels(view.stage).std() > 0)
        QApplication.processEvents()  # words of two lines leave the stage less room
        drawn = pixels(view.stage)
        view.show_frame(replace(sequence, side=2))  # a coarse one makes no film
        for late in (view, StepsView()):
            qtbot.addWidget(late)
            if late is not view:
                late.show_as_figure(view, 1.0)
            late.stage.resize(view.stage.size())
            np.testing.assert_array_equal(pixels(late.stage), drawn)


def test_merges_wait_for_a_tree_that_is_being_cut(qtbot: QtBot) -> None:
    """A view that was hidden may have a frame without cuts, which no hidden view needs."""
    picture = Picture(noise(), "noise")
    pipeline = Pipeline()
    view = shown(qtbot, StepsView, pipeline.run(Request(picture, Parameters())), (520, 330))
    view.choose("merges")
    assert view.words.text() == PROCESSES["merges"][1]
    view.show_frame(
        pipeline.run(Request(picture, Parameters(), needs=NEEDED | StepsView.NEEDS, number=2))
    )
    assert count(view) == f"1 of {MOST_CLUSTERS - 1}"  # noise has more clusters than that
    assert view.words.text().startswith(f"{MOST_CLUSTERS} clusters. ")


def test_a_single_cluster_is_said_to_have_no_merge(qtbot: QtBot) -> None:
    picture = Picture(np.zeros((8, 8), np.uint8), "one colour")
    frame = new_frame(picture, Parameters(), needs=NEEDED | StepsView.NEEDS)
    view = shown(qtbot, StepsView, frame, (520, 330))
    view.choose("merges")
    assert view.words.text() == UNMERGED
