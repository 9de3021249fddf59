"""The signature space in the real window: turning, corners and paths, through the worker."""

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.signature_space import FRONT, Projection
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import begin_anew, settle
from tests.app.views.spaces import drag


def show_symbols(qtbot: QtBot, window: MainWindow, n_symbols: int) -> Frame:
    window.document.set("Change M", encoding=Encoding("quantiles", n_symbols))
    return settle(qtbot, window)


def wait_for_projection(qtbot: QtBot, window: MainWindow) -> Frame:
    document = window.document

    def is_there() -> bool:
        frame = document.frame
        return frame is not None and frame.request.projection == document.state.projection

    qtbot.waitUntil(is_there, timeout=20_000)
    assert document.frame is not None
    return document.frame


@pytest.mark.usefixtures("few_views")
def test_spaces_turn_have_corners_and_paths(window, qtbot, show_only) -> None:
    show_only("states", "space")
    check_three_dimensions_turn(qtbot, window)
    begin_anew(qtbot, window)
    check_a_polygon_s_corners_follow_and_it_stays(qtbot, window)
    begin_anew(qtbot, window)
    check_paths_are_switched(qtbot, window)


def check_three_dimensions_turn(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    before = show_symbols(qtbot, window, 4)
    assert before.space.kind == "solid"
    drag(window.views["space"], QPoint(50, 20))
    after = wait_for_projection(qtbot, window)
    assert after.request.projection.turn != FRONT
    assert after.states is before.states
    document.undo_stack.undo()
    assert document.state.projection == before.request.projection

    # Real vectors have three dimensions, too.
    document.set_projection(Projection())
    pixels = np.random.default_rng(0).integers(0, 256, (60, 70, 3)).astype(np.uint8)
    photo = replace(document.picture, pixels=pixels)
    document.open(photo, Parameters(Encoding("rgb"), n_states=3))
    frame = settle(qtbot, window)
    assert frame.space.kind == "plane"
    window.views["space"].bar.kind.setCurrentText("Three dimensions")
    assert wait_for_projection(qtbot, window).space.solid is not None


def check_a_polygon_s_corners_follow_and_it_stays(qtbot: QtBot, window: MainWindow) -> None:
    bar, plot = window.views["space"].bar, window.views["space"].plot
    window.document.set_projection(Projection("polygon"))
    before = show_symbols(qtbot, window, 6)
    statement = bar.statement.toolTip()
    QTest.keyClick(plot, Qt.Key.Key_PageDown)
    for _ in range(8):
        QTest.keyClick(plot, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    after = wait_for_projection(qtbot, window)
    assert f"{100 * after.space.variance_kept:.1f}\N{NO-BREAK SPACE}%" in bar.statement.toolTip()
    assert after.space.variance_kept != pytest.approx(before.space.variance_kept, rel=1e-6)
    QTest.mouseClick(bar.back, Qt.MouseButton.LeftButton)
    assert window.document.state.projection.corners is None
    wait_for_projection(qtbot, window)
    assert bar.statement.toolTip() == statement

    # A chosen projection stays after any opening and setting.
    kind, document = bar.kind, window.document
    document.set_projection(Projection())
    wait_for_projection(qtbot, window)
    assert kind.currentText() == "Principal components"
    kind.setCurrentText("Polygon")
    wait_for_projection(qtbot, window)
    for n_symbols in (3, 8):
        show_symbols(qtbot, window, n_symbols)
    assert kind.currentText() == "Polygon"
    document.open(document.picture, Parameters(Encoding("quantiles", 7)))
    document.set("Change N", n_states=3)
    document.reset()
    settle(qtbot, window)
    assert (document.parameters.n_states, kind.currentText()) == (4, "Polygon")


def check_paths_are_switched(qtbot: QtBot, window: MainWindow) -> None:
    document, plot = window.document, window.views["space"].plot
    assert document.frame.paths is None
    QTest.mouseClick(window.docks["space"].header, Qt.MouseButton.LeftButton)
    assert window.menus["Paths of the codewords as w_l grows"].isChecked()
    assert document.display.paths
    qtbot.waitUntil(lambda: document.frame.paths is not None, timeout=20_000)
    qtbot.waitUntil(lambda: plot.shown.paths is not None, timeout=5_000)
    QTest.keyClick(window, Qt.Key.Key_P)
    assert not document.display.paths
    assert plot.shown.paths is None
