"""The truth of a demo: on the state map, in A, in the indices, from menus and keys."""

from functools import partial

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.views.adjacency.view import AdjacencyView, spot_texts
from latviz.app.views.painted import Spot
from latviz.app.views.states.spec import StatesHeader
from latviz.app.window import MainWindow
from latviz.engine.demo_titles import DEMO_TITLES
from latviz.engine.demos import make_demo
from latviz.engine.palette import state_colors
from tests.app.conftest import settle
from tests.app.test_window import inner_nodes, pixels_of, point_of


def opened(window: MainWindow, qtbot: QtBot, demo: str) -> None:
    window.opener.open_demo(demo)
    qtbot.waitUntil(lambda: window.document.picture.origin.get("demo") == demo)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: window.document.frame.finished)


def test_the_switch_goes_through_states_truth_and_errors(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot, "blobs")
    (header,) = window.findChildren(StatesHeader)
    known = header.layers.panel.controls["truth"]
    assert not known.box.isHidden()
    seen = []
    for _ in range(4):
        seen.append(window.document.display.truth)
        QTest.keyClick(window, Qt.Key.Key_T)
    assert seen == ["hidden", "states", "errors", "hidden"]
    window.document.undo_stack.undo()
    assert window.document.display.truth == "hidden"
    known.box.click()
    assert window.document.display.truth == "states"
    known.radios["errors"].click()
    assert window.document.display.truth == "errors"


def test_pictures_without_truth_have_no_switch(window: MainWindow, qtbot: QtBot) -> None:
    settle(qtbot, window)
    assert window.document.picture.truth is None
    (header,) = window.findChildren(StatesHeader)
    assert header.layers.panel.controls["truth"].box.isHidden()
    QTest.keyClick(window, Qt.Key.Key_T)
    assert window.document.display.truth == "hidden"


def test_the_truth_is_drawn_in_the_colours_of_its_states(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot, "figure1")
    known = make_demo("figure1").truth
    assert known is not None
    frame = window.document.frame
    for how, states, slots in (
        ("hidden", frame.states, frame.slots),
        ("states", known, frame.truth.slots),
    ):
        window.document.set_display(truth=how)
        settle(qtbot, window)
        colors = state_colors(slots)
        image = pixels_of(window.views["states"].canvas)
        nodes = inner_nodes(states)[::7]
        assert len(nodes) > 100
        for node in nodes:
            place = point_of(window, "states", tuple(node))
            np.testing.assert_array_equal(image[place.y(), place.x()], colors[states[tuple(node)]])


def test_a_tells_the_truths_own_entries(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot, "figure2")
    frame, known = window.document.frame, make_demo("figure2").truth
    assert known is not None
    same = np.mean(known[:, 1:] == known[:, :-1])
    assert same < 0.1  # neighbours differ
    text = spot_texts(frame, Spot(0, 0))[0]
    assert " · truth 0.03" in text
    view = window.views["adjacency"]
    assert isinstance(view, AdjacencyView)
    assert "ruth" in view.caption()


def test_captions_of_demos_fit_into_the_status_bar(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 800)
    status = window.status

    def shows(summary: str) -> bool:
        return status.message.text() == summary

    for demo in DEMO_TITLES:
        opened(window, qtbot, demo)
        status.end_message()
        # Beside it there is more to read while the states are those of a sample.
        qtbot.waitUntil(partial(shows, make_demo(demo).summary))
