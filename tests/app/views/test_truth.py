"""The truth of a demo: on the state map, in A, in the indices, from menus and keys."""

from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.app.views.adjacency.view import spot_texts
from latviz.app.views.painted import PointedPart
from latviz.app.views.states.spec import StatesHeader
from latviz.engine.pictures import demos
from latviz.engine.settings.palette import state_colors
from tests.app.conftest import begin_anew, settle
from tests.app.program.test_window import inner_nodes, pixels_of, point_of


def opened(window: MainWindow, qtbot: QtBot, demo: str) -> None:
    window.parts[Opener].open_demo(demo)
    qtbot.waitUntil(lambda: window.document.picture.origin.get("demo") == demo)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: window.document.frame.finished)


def check_the_switch_goes_through_states_truth_and_errors(window: MainWindow) -> None:
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


@pytest.mark.usefixtures("few_views")
def test_truth_is_drawn_where_it_is_known(window, qtbot, tmp_path, show_only) -> None:
    show_only("controls", "image", "states", "adjacency")
    assert window.document.picture.truth is None
    (header,) = window.findChildren(StatesHeader)
    assert header.layers.panel.controls["truth"].box.isHidden()
    QTest.keyClick(window, Qt.Key.Key_T)
    assert window.document.display.truth == "hidden"
    begin_anew(qtbot, window)
    check_the_truth_of_demos_is_drawn_and_compared(window, qtbot)
    begin_anew(qtbot, window)
    check_a_ribbon_has_known_states_below_the_decoded_ones_and_their_names(window, qtbot, tmp_path)


def check_the_truth_of_demos_is_drawn_and_compared(window: MainWindow, qtbot: QtBot) -> None:
    check_the_truth_is_drawn_in_the_colours_of_its_states(window, qtbot)
    check_the_switch_goes_through_states_truth_and_errors(window)
    # A shows the truth's own entries.
    opened(window, qtbot, "figure2")
    frame, known = window.document.frame, demos.make_demo("figure2").truth
    same = np.mean(known[:, 1:] == known[:, :-1])
    assert same < 0.1  # neighbours differ
    text = spot_texts(frame, PointedPart(0, 0))[0]
    assert " · truth 0.03" in text
    view = window.views["adjacency"]
    assert "ruth" in view.caption()


def check_the_truth_is_drawn_in_the_colours_of_its_states(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot, "figure1")
    known, frame = demos.make_demo("figure1").truth, window.document.frame
    assert demos.make_demo("figure1").summary in window.status.message.whole_text()
    for how, states, slots in (
        ("hidden", frame.states, frame.slots),
        ("states", known, frame.truth.slots),
    ):
        window.document.set_display(truth=how)
        settle(qtbot, window)
        colors = state_colors(slots)
        image = pixels_of(window.views["states"].canvas)
        nodes = inner_nodes(states)[::29]
        assert len(nodes) > 100
        for node in nodes:
            place = point_of(window, "states", tuple(node))
            np.testing.assert_array_equal(image[place.y(), place.x()], colors[states[tuple(node)]])
    window.document.set_display(truth="hidden")


LABELS = "HC" * 2 + "H" * 40 + "C" * 30 + "H" * 25 + "C" * 41


def labelled(folder: Path) -> Path:
    """Write a sequence of two states that emit different letters, but for a few."""
    rng = np.random.default_rng(7)
    letters = {"H": "AAAAL", "C": "GGGGP"}
    text = "".join(letters[label][rng.integers(5)] for label in LABELS)
    path = folder / "chain.fasta"
    path.write_text(f">one\n{text}\n#{LABELS}\n")
    return path


def check_a_ribbon_has_known_states_below_the_decoded_ones_and_their_names(
    window, qtbot, tmp_path
) -> None:
    window.parts[Opener].open_path(str(labelled(tmp_path)))
    qtbot.waitUntil(lambda: window.document.picture.truth_names == ("C", "H"))
    window.document.set("n", n_states=2, window=1)
    settle(qtbot, window)
    view, frame = window.views["states"], window.document.frame
    own = {"H": 0, "C": 0}
    for state, label in zip(frame.states, LABELS, strict=True):
        own[label] += int(state == 0)
    names = ("H", "C") if own["H"] > own["C"] else ("C", "H")
    assert frame.names == names
    assert f"State 1 ({names[0]}): " in view.legend.in_words(frame)
    assert not view.bands.names

    def columns(share: float) -> np.ndarray:
        """Return the colour at each position, at a share of the ribbon's height."""
        canvas, image = view.canvas, pixels_of(view.canvas)
        scene = [canvas.box.mapViewToScene(QPointF(k + 0.5, share)) for k in range(len(LABELS))]
        places = [canvas.mapFromScene(one) for one in scene]
        return np.array([image[place.y(), place.x()] for place in places])

    inner = [k for k in range(5, len(LABELS) - 1) if len({*LABELS[k - 1 : k + 2]}) == 1]
    inner = [k for k in inner if len({*frame.states[k - 1 : k + 2].tolist()}) == 1]
    assert len(inner) > 100
    window.document.set_display(truth="states")
    settle(qtbot, window)
    frame = window.document.frame
    assert view.bands.names == ("decoded", "known")
    decoded = frame.colors[frame.states]
    known = np.array([frame.colors[names.index(label)] for label in LABELS])
    np.testing.assert_array_equal(columns(0.3)[inner], decoded[inner])
    np.testing.assert_array_equal(columns(0.8)[inner], known[inner])
    window.document.set_display(truth="hidden")
    settle(qtbot, window)
    assert not view.bands.names
    np.testing.assert_array_equal(columns(0.8)[inner], decoded[inner])
    # A name that the user gave counts more than a label.
    looks = frame.request.looks.changed(frame.slots[0], name="helix")
    window.document.change("Name it", looks=looks)
    wanted = ("helix", frame.names[1])
    qtbot.waitUntil(lambda: window.document.frame.names == wanted)
