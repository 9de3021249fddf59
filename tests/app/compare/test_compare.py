"""A reference and the current map: divider, flicker, difference, parameters, swapping."""

import numpy as np
import pytest
from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.compare.comparison import FLICKER_MS, STEP, STOPPED, Comparing
from latviz.app.program.window import MainWindow
from latviz.core import contingency, matched_accuracy
from latviz.core.data.encoding import Encoding
from latviz.core.truth.agreement import accuracy_of, rand_of
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.requests import frame_of
from latviz.engine.geometry.selection import ChangeSelection, StateSelection
from latviz.engine.pictures import sample_size as sizes
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import answered, begin_anew, settle
from tests.app.program.test_window import inner_nodes, pixels_of, point_of

pytestmark = pytest.mark.usefixtures("few_views")

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


def begun(window: MainWindow, qtbot: QtBot) -> tuple[Frame, Frame]:
    """Keep N = 4, w = 3 as reference; N = 6, w = 7 is on screen."""
    kept = settle(qtbot, window)
    QTest.keyClick(window, Key.Key_F)
    window.document.set("N", n_states=6)
    window.document.set("w", window=7)
    return kept, agreed(qtbot, window)


def agreed(qtbot: QtBot, window: MainWindow) -> Frame:
    """Wait for the frame of all settings, compared with the reference."""
    document = window.document
    wanted = document.display.comparison == "difference"
    qtbot.waitUntil(lambda: document.frame.request.difference == wanted)
    return answered(qtbot, window, "compared", "selection")


def are_alike(one: Frame, other: Frame) -> bool:
    """Return True if two frames differ at most in the numbers of their states."""
    return matched_accuracy(one.states, other.states) == 1.0


def both(window: MainWindow) -> tuple[str, str]:
    """Return the parameters of the reference and of the current map that differ."""
    bar = window.parts[Comparing].bar
    return bar.reference.whole_text(), bar.current.whole_text()


def assert_shows(window: MainWindow, frame: Frame, columns: tuple[int, int]) -> None:
    """Compare the drawing in some columns with a frame, away from borders and letters."""
    drawn, colors = pixels_of(window.views["states"].canvas), state_colors(frame.slots)
    nodes = [node for node in inner_nodes(frame.states) if columns[0] <= node[1] < columns[1]]
    nodes = [node for node in nodes if node[0] > 40][::97]
    assert len(nodes) > 20
    for row, column in nodes:
        point = point_of(window, "states", (row, column))
        wanted = colors[frame.states[row, column]]
        np.testing.assert_array_equal(drawn[point.y(), point.x()], wanted)


def test_maps_are_compared_and_swapped(window, qtbot, show_only) -> None:
    show_only("image", "states")
    check_split(window, qtbot)
    begin_anew(qtbot, window)
    check_flicker_alternates(window, qtbot)
    begin_anew(qtbot, window)
    check_difference(window, qtbot)
    begin_anew(qtbot, window)
    check_agreement_and_parameters_side_by_side(window, qtbot)
    begin_anew(qtbot, window)
    check_swapping_and_stopping(window, qtbot)


def check_split(window: MainWindow, qtbot: QtBot) -> None:
    kept, frame = begun(window, qtbot)
    document, view = window.document, window.views["states"]
    np.testing.assert_array_equal(frame_of(document.state.compared).states, kept.states)
    assert view.divider.isVisible()
    assert_shows(window, kept, (4, 116))
    assert_shows(window, frame, (124, 236))
    assert letters(window) == ["Reference", "Current"]
    view.divider.setValue(60.0)
    view.divider.sigDragged.emit(view.divider)
    assert document.display.split == 0.25
    assert_shows(window, kept, (4, 56))
    assert_shows(window, frame, (64, 236))
    QTest.keyClick(window, Key.Key_Period)
    assert document.display.split == pytest.approx(0.25 + STEP)
    window.parts[Comparing].set_divider(1.5 * STEP)
    for _ in range(3):
        QTest.keyClick(window, Key.Key_Comma)
    assert document.display.split == 0.0
    assert_shows(window, frame, (4, 236))
    assert letters(window) == ["Current"]
    window.parts[Comparing].set_divider(1 - 1.5 * STEP)
    for _ in range(3):
        QTest.keyClick(window, Key.Key_Period)
    assert document.display.split == 1.0
    QTest.keyClick(window, Key.Key_F)
    assert document.state.compared is None
    qtbot.waitUntil(lambda: document.frame.agreement is None)
    assert not view.divider.isVisible()
    assert not window.parts[Comparing].bar.isVisible()
    assert_shows(window, frame, (4, 236))
    assert STOPPED not in window.status.message.whole_text()  # not if it was removed by hand


def letters(window: MainWindow) -> list[str]:
    return [letter.text for letter, _ in window.views["states"].letters.grounds()]


def check_flicker_alternates(window: MainWindow, qtbot: QtBot) -> None:
    kept, frame = begun(window, qtbot)
    document, comparing = window.document, window.parts[Comparing]
    QTest.keyClick(window, Key.Key_X)
    assert document.display.comparison == "flicker"
    assert document.pointer.flipped
    comparing.choose("split")
    QTest.mouseClick(comparing.bar.ways["flicker"], LEFT)
    assert document.display.comparison == "flicker"
    assert comparing.flickering
    turns: list[bool] = []
    document.pointer_changed.connect(lambda pointer: turns.append(pointer.flipped))
    qtbot.waitUntil(lambda: len(turns) >= 4, timeout=8 * FLICKER_MS)
    assert turns[:4] == [True, False, True, False]
    timer = comparing.findChild(QTimer)
    timer.stop()
    document.point(flipped=False)
    timer.stop()
    assert_shows(window, frame, (4, 236))
    assert not window.views["states"].divider.isVisible()
    QTest.keyClick(window, Key.Key_X)
    timer.stop()
    assert_shows(window, kept, (4, 236))
    assert letters(window) == ["Reference"]
    comparing.choose("flicker")
    document.freeze(False)
    assert not comparing.flickering
    before = document.display
    for key in (Key.Key_X, Key.Key_Comma, Key.Key_Period):  # without A nothing can move
        QTest.keyClick(window, key)
    assert document.display == before


def check_difference(window: MainWindow, qtbot: QtBot) -> None:
    kept, frame = begun(window, qtbot)
    document, comparing, view = window.document, window.parts[Comparing], window.views["states"]
    assert frame.agreement.different is None
    QTest.keyClick(window, Key.Key_F, SHIFT)
    QTest.keyClick(window, Key.Key_F, SHIFT)
    assert document.display.comparison == "difference"
    assert comparing.bar.ways["difference"].isChecked()
    frame = agreed(qtbot, window)
    mask = frame.agreement.different
    drawn, colors = pixels_of(view.canvas), state_colors(frame.slots)
    same = inner_nodes(mask + 2 * frame.states.astype(int))
    for row, column in same[::197]:
        point = point_of(window, "states", (row, column))
        color = colors[frame.states[row, column]].astype(int)
        if not mask[row, column]:
            color = color + (np.array([16, 19, 23]) - color) * 215 / 255
        np.testing.assert_allclose(drawn[point.y(), point.x()], color, rtol=0, atol=2)
    node = tuple(np.argwhere(mask)[500])
    view.canvas.clicked.emit(node)
    a, b = int(kept.states[node]), int(frame.states[node])
    assert document.state.selection == ChangeSelection(kept.slots[a], frame.slots[b])
    lit = agreed(qtbot, window).lit
    share = f"{100 * lit.mask.mean():.1f}\N{NO-BREAK SPACE}%"
    said = f"Highlighted: {lit.n_pixels:,} pixels ({share}), state {a + 1} of the reference"
    said += f" and state {b + 1} now"
    assert said in window.status.message.whole_text()
    QTest.keyClick(window, Key.Key_F, SHIFT)
    assert document.display.comparison == "split"
    assert document.state.selection is None
    assert not view.difference.isVisible()
    view.canvas.clicked.emit(node)
    assert document.state.selection == StateSelection(frame.slots[b])


def check_agreement_and_parameters_side_by_side(window: MainWindow, qtbot: QtBot) -> None:
    document, bar = window.document, window.parts[Comparing].bar
    kept = settle(qtbot, window)
    document.freeze(True)
    qtbot.waitUntil(bar.isVisible)
    assert both(window) == ("Reference and current have the same parameters", "")
    document.set("w", window=7)
    agreed(qtbot, window)
    assert both(window) == ("Reference: w 3", "Current: w 7")
    document.set("N", n_states=6)
    frame = agreed(qtbot, window)
    table = contingency(kept.states, frame.states)
    text, matched = bar.agreement.whole_text(), accuracy_of(table)
    assert f"{100 * matched:.1f}\N{NO-BREAK SPACE}% of pixels agree" in text
    assert f"{rand_of(table):.3f}" in text
    assert f"{round((1 - matched) * frame.n_nodes):,} differ" in text
    assert both(window) == ("Reference: N 4, w 3", "Current: N 6, w 7")
    document.set("N", n_states=4, learning_window=2, encoding=Encoding("rgb"))
    agreed(qtbot, window)
    before = "Encoding Grey, Grey as quantiles, Level the light no, M 3, Channels –, Learning w = w"
    now = "Encoding Red, green, blue, Grey as –, Level the light –, M –, Channels automatic"
    now = f"{now}, Learning w 2"
    assert both(window) == (f"Reference: w 3, {before}", f"Current: w 7, {now}")
    document.set("w", window=3)
    agreed(qtbot, window)
    # The learning window of the reference follows w.
    assert both(window) == (f"Reference: {before}, w 3", f"Current: {now}, w 3")
    document.set("alpha", alpha=0.25)
    agreed(qtbot, window)
    assert ", α 0.25, " in both(window)[1]


def check_swapping_and_stopping(window: MainWindow, qtbot: QtBot) -> None:
    kept, frame = begun(window, qtbot)
    document, stack, bar = window.document, window.document.undo_stack, window.parts[Comparing].bar
    ours, theirs, count = frame.request.parameters, kept.request.parameters, stack.count()
    first = document.state.compared
    QTest.mouseClick(bar.swap, LEFT)
    assert document.parameters == theirs
    np.testing.assert_array_equal(frame_of(document.state.compared).states, frame.states)
    swapped = agreed(qtbot, window)
    assert are_alike(swapped, kept)
    assert both(window)[0].startswith("Reference: N 6, w 7")
    stack.undo()
    assert document.parameters == ours
    np.testing.assert_array_equal(frame_of(document.state.compared).states, kept.states)
    assert are_alike(agreed(qtbot, window), frame)
    stack.redo()
    assert document.parameters == theirs
    agreed(qtbot, window)
    QTest.keyClick(window, Key.Key_X, SHIFT)
    assert document.parameters == ours
    assert document.state.compared is first
    assert stack.count() == count  # two swaps change nothing
    agreed(qtbot, window)
    window.parts[Comparing].swap()
    QTest.mouseClick(bar.leave, LEFT)
    assert document.state.compared is None
    stack.undo()
    assert document.state.compared is not None
    stack.undo()
    assert document.parameters == ours
    assert document.state.compared is first
    window.parts[Comparing].choose("flicker")
    document.open(Picture(np.eye(40, dtype=np.uint8) * 90, "next"), Parameters())
    qtbot.waitUntil(lambda: window.status.message.whole_text() == STOPPED)
    settle(qtbot, window)
    assert document.state.compared is None
    assert not window.menus["Keep as reference"].isChecked()
    assert not bar.isVisible()
    assert not window.parts[Comparing].flickering


def test_odd_large_and_small_pictures(window, qtbot, monkeypatch) -> None:
    window.tabs.stage.show_only(("image", "states"))
    for shape in ((1, 1), (300, 1)):
        pixels = np.random.default_rng(1).integers(0, 255, shape).astype(np.uint8)
        window.document.open(Picture(pixels, "odd"), Parameters(n_states=3, window=1))
        settle(qtbot, window)
        window.document.freeze(True)
        window.document.set("w", window=2, n_states=2)
        for way, marks in (("split", "numbers"), ("flicker", "hatching"), ("difference", "none")):
            window.parts[Comparing].choose(way)
            window.document.set_display(marks=marks)
            assert agreed(qtbot, window).agreement is not None
            pixels_of(window.views["states"].canvas)
        assert not window.banner.isVisible()

    # A coarse frame is not yet compared.
    monkeypatch.setattr(sizes, "LARGE", 1 << 16)
    pixels = np.random.default_rng(2).integers(0, 256, (420, 400)).astype(np.uint8)
    window.document.open(Picture(pixels, "large"), Parameters(n_states=2, window=1))
    settle(qtbot, window)
    window.document.freeze(True)
    window.parts[Comparing].choose("difference")
    agreed(qtbot, window)
    said: list[tuple[bool, str, bool]] = []
    window.document.frame_changed.connect(
        lambda frame: said.append(
            (
                frame.coarse,
                window.parts[Comparing].bar.agreement.whole_text(),
                window.views["states"].difference.isVisible(),
            )
        )
    )
    window.document.set("w", window=2)
    qtbot.waitUntil(lambda: bool(said) and not said[-1][0], timeout=60_000)
    assert said[0][0]
    for coarse, text, lit in said:
        assert ("agree," in text) != coarse
        assert lit != coarse
    settle(qtbot, window)
