"""Undo covers all settings, opening another picture included; Reset suits the picture."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.compare.comparison import Comparing
from latviz.app.document.document import GESTURE_MS
from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.core.data.encoding import Encoding
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from tests.app.conftest import begin_anew, opens, settle
from tests.app.frames import timer_of

pytestmark = pytest.mark.usefixtures("few_views")

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
MINE: dict[str, Any] = {"n_states": 9, "window": 11, "smoothing": 2.0}
MOVED = tuple((0.1 * k, 0.2) for k in range(5))
OTHER = Picture(np.eye(40, dtype=np.uint8) * 200, "other")

CHANGES: dict[str, Callable[[MainWindow], object]] = {
    "a parameter": lambda w: w.document.set("N", n_states=6),
    "the encoding": lambda w: w.document.set("encoding", encoding=Encoding("grey")),
    "the projection": lambda w: w.document.set_projection(Projection("principal")),
    "dragged corners": lambda w: w.document.set_projection(Projection(corners=MOVED)),
    "a turned space": lambda w: w.document.set_projection(Projection(turn=(1.0, 0.5, 0.0, 0.0))),
    "a pin": lambda w: w.document.pin((5, 6)),
    "the map": lambda w: w.document.change("Change the map", map="doubt"),
    "a selection": lambda w: w.document.select(StateSelection(1)),
    "a comparison": lambda w: w.document.freeze(True),
    "the way to compare": lambda w: w.parts[Comparing].choose("difference"),
    "the divider": lambda w: w.parts[Comparing].set_divider(0.2),
    "marks": lambda w: w.document.set_display(marks="numbers"),
    "paths": lambda w: w.document.set_display(paths=True),
    "borders": lambda w: w.menus["Layer: Borders"].trigger(),
    "the graph of A": lambda w: w.menus["A as a graph"].trigger(),
    "the opacity": lambda w: w.document.set_display(opacity=0.4),
    "the sample": lambda w: w.document.change("Change the sample", sample=512),
    "another picture": lambda w: w.document.open(OTHER, Parameters(n_states=2)),
}


def test_all_is_undone_and_reset(window: MainWindow, qtbot: QtBot) -> None:
    check_all_that_is_set_is_undone_and_done_again(window, qtbot)
    begin_anew(qtbot, window)
    check_steps_signals_and_what_is_no_command(window, qtbot)
    begin_anew(qtbot, window)
    check_reset_returns_to_what_suits_the_picture_not_to_what_the_last_one_had(window, qtbot)


def check_all_that_is_set_is_undone_and_done_again(window: MainWindow, qtbot: QtBot) -> None:
    before = window.document.state
    for name, change in CHANGES.items():
        change(window)
        after = window.document.state
        assert after != before, name
        QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
        assert window.document.state == before, name
        frame = settle(qtbot, window)
        assert frame.request.picture is before.picture, name
        assert frame.request.projection == before.projection, name
        QTest.keyClick(window, Qt.Key.Key_Z, CONTROL | SHIFT)
        assert window.document.state == after, name
        assert settle(qtbot, window).request.picture is after.picture, name
        QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
        assert window.document.state == before, name
    settle(qtbot, window)


def check_steps_signals_and_what_is_no_command(window: MainWindow, qtbot: QtBot) -> None:
    document, states = window.document, []
    for name, change in CHANGES.items():
        if name not in ("a comparison", "the sample"):
            states.append(document.state)
            change(window)
            timer_of(document, GESTURE_MS).timeout.emit()
    for state in reversed(states):
        document.undo_stack.undo()
        assert document.state == state
    document.open(OTHER, Parameters(n_states=2))
    opened = document.state
    document.set("N", n_states=3)  # at once
    document.undo_stack.undo()
    assert document.state == opened
    document.undo_stack.undo()
    assert not document.undo_stack.canUndo()
    assert settle(qtbot, window).states.shape == (200, 240)
    for opacity in (0.5, 0.2, 1.0):  # as before
        document.set_display(opacity=opacity)
    document.set("N", n_states=document.parameters.n_states)
    state = document.state
    document.point(state=1, symbol=2)
    document.inspector.hover((3, 4))
    window.tabs.stage.open_dock("tree")
    assert document.undo_stack.count() == 0
    assert document.state == state
    told: list[tuple[State, State]] = []
    document.changed.connect(lambda old, new: told.append((old, new)))
    for change in CHANGES.values():
        before, n = document.state, len(told)
        change(window)
        assert len(told) == n + 1
        assert told[-1] == (before, document.state)


def check_reset_returns_to_what_suits_the_picture_not_to_what_the_last_one_had(
    window, qtbot
) -> None:
    document = window.document
    for demo in ("stripes", "protein", "volume"):
        document.set("mine", **MINE)
        opens(window, qtbot, lambda demo=demo: window.parts[Opener].open_demo(demo))
        own = document.parameters
        document.set("mine", **MINE)
        document.reset()
        assert document.parameters == own
        assert own.n_states != 9
    document.set("mine", **MINE)
    document.keep_settings(True)
    pixels = np.random.default_rng(0).integers(0, 256, (40, 40), np.uint8)
    document.open(Picture(pixels, "first"))
    document.set("mine", **MINE)
    document.open(Picture(pixels.copy(), "noise"))
    assert vars(document.parameters).items() >= MINE.items()
    document.reset()
    fitting = {"encoding": Encoding("quantiles", 8), "n_states": 4, "window": 3, "smoothing": 0.0}
    assert vars(document.parameters).items() >= fitting.items()
