"""Scribbling: painted with the mouse and by keys, answered by the cut, scored, undone and kept."""

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.scribbling.bar import CUTTING, HINT, Scribbling
from latviz.app.scribbling.scribbler import BRUSH, Scribbler
from latviz.core import digits
from latviz.core.data.hand_cut import HandCut
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.scribbles import Scribbles
from tests.app.conftest import answered, begin_anew, settle
from tests.app.program.test_window import pixels_of, point_of

pytestmark = pytest.mark.usefixtures("few_views")

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
Place = tuple[int, int]
SKY, COAT, GRASS = ((10, 15), (12, 60)), ((80, 110), (100, 120)), ((185, 10), (180, 50))


def paint(window: MainWindow, view: str, *places: Place) -> None:
    """Paint a stroke with the mouse."""
    canvas = window.views[view].canvas.viewport()
    points = [point_of(window, view, place) for place in places]
    QTest.mousePress(canvas, LEFT, pos=points[0])
    for point in points[1:]:
        QTest.mouseMove(canvas, point)
    QTest.mouseRelease(canvas, LEFT, pos=points[-1])


def cut_shown(window: MainWindow, qtbot: QtBot) -> Frame:
    """Wait until the cut that the strokes lead to is on screen."""
    qtbot.waitUntil(lambda: not window.parts[Scribbler].is_cutting)
    return answered(qtbot, window, "scribbles")


def scribble(window: MainWindow, qtbot: QtBot, name: str, view: str, *places: Place) -> Frame:
    """Type a name and paint a stroke."""
    bar = window.parts[Scribbling].bar
    bar.name.clear()
    QTest.keyClicks(bar.name, name)
    paint(window, view, *places)
    return cut_shown(window, qtbot)


def test_strokes_cut_the_tree_and_are_undone(window, qtbot, show_only) -> None:
    show_only("image", "states")
    check_strokes_cut_the_tree_name_states_and_are_scored_and_undone(window, qtbot)
    begin_anew(qtbot, window)
    check_strokes_are_painted_by_mouse_and_keys(window, qtbot)
    begin_anew(qtbot, window)
    check_cuts_come_after_each_other_are_given_up_and_keep_n(window, qtbot)


def check_strokes_cut_the_tree_name_states_and_are_scored_and_undone(window, qtbot) -> None:
    document, scribbler, bar = (
        window.document,
        window.parts[Scribbler],
        window.parts[Scribbling].bar,
    )
    before, first = settle(qtbot, window), document.state
    assert "scribbled" not in before.results
    assert not bar.isVisible()
    window.menus["Scribble names"].trigger()
    assert bar.isVisible()
    assert bar.total.whole_text() == HINT
    scribble(window, qtbot, "sky", "image", *SKY)
    one = document.state
    frame = scribble(window, qtbot, "coat", "states", *COAT)
    two = document.state
    assert window.parts[Scribbler].names == ("sky", "coat")
    assert {"sky", "coat"} <= set(frame.names)

    stroke = two.scribbles.strokes[0]
    assert (stroke.name, stroke.size, stroke.points) == ("sky", BRUSH, SKY)
    right, sizes = frame.scribbled.n_right, frame.scribbled.n_pixels
    for k, name in enumerate(("sky", "coat")):
        assert bar.chips[k].text() == f"{name}  {digits.share(right[k], sizes[k])}"
        assert f"with its name: {right[k]:,} of {sizes[k]:,} (" in bar.chips[k].toolTip()
    share = digits.share(sum(right), sum(sizes))
    assert bar.total.whole_text() == f"All: {share} of {sum(sizes):,} pixels"

    document.set("Change N", n_states=2)  # scores follow
    fewer = cut_shown(window, qtbot)
    assert bar.total.whole_text() == (
        f"All: {digits.share(fewer.scribbled.score())} of {sum(sizes):,} pixels"
    )
    document.undo_stack.undo()

    assert document.state == two
    document.undo_stack.undo()
    assert document.state == one
    document.undo_stack.undo()
    assert document.state == first
    document.undo_stack.redo()
    document.undo_stack.redo()
    assert document.state == two

    scribbler.erase(True)
    paint(window, "image", SKY[1])
    cut_shown(window, qtbot)
    assert scribbler.names == ("coat",)
    window.menus["Erase all scribbles"].trigger()
    gone = cut_shown(window, qtbot)
    assert document.state == first
    assert "scribbled" not in gone.results

    # Pictures outside the learning set cannot be scribbled on.
    scribbler.erase(False)
    scribble(window, qtbot, "sky", "image", *SKY)
    other = Picture(np.ascontiguousarray(frame.request.picture.pixels[::-1]), "upside down")
    document.change("Show another", pictures=document.state.pictures.with_other(other))
    assert not window.parts[Scribbler].is_on
    window.parts[Scribbler].set_on(True)
    assert not window.parts[Scribbler].is_on
    assert "tick it on the shelf" in window.status.message.whole_text()
    assert settle(qtbot, window).results["scribbled"].n_pixels == (0,)  # its strokes are another's
    window.menus.refresh()
    assert not window.menus["Scribble names"].isEnabled()

    # Another picture has no strokes.
    document.undo_stack.setIndex(0)
    settle(qtbot, window)
    scribbler.set_on(True)
    scribble(window, qtbot, "sky", "image", *SKY)
    pixels = np.random.default_rng(0).integers(0, 9, (3, 20, 30)).astype(np.uint8)
    volume = Picture(pixels, "volume", dimensions=3)
    document.open(volume)
    assert document.state.scribbles == Scribbles()
    assert scribbler.is_on  # the brush stays on
    settle(qtbot, window)
    document.set_slice(2)
    scribble(window, qtbot, "deep", "image", (5, 5), (5, 9))
    assert [stroke.slice for stroke in document.state.scribbles.strokes] == [2]
    document.set_slice(0)
    for name in ("image", "states"):
        items = window.views[name].canvas.sceneObj.items()
        assert {item.strokes for item in items if hasattr(item, "strokes")} == {()}
    document.undo_stack.setIndex(0)
    assert document.state.scribbles == Scribbles()


def check_strokes_are_painted_by_mouse_and_keys(window: MainWindow, qtbot: QtBot) -> None:
    # They are drawn while one scribbles.
    scribbler = window.parts[Scribbler]
    settle(qtbot, window)
    scribbler.set_on(True)
    scribble(window, qtbot, "grass", "states", *GRASS)
    QTest.mouseMove(window.menuBar())
    at = point_of(window, "image", GRASS[0])
    color = np.array([0x84, 0x78, 0xFC])

    def distance() -> int:
        drawn = pixels_of(window.views["image"].canvas)[at.y(), at.x()]
        return int(np.abs(drawn.astype(int) - color).max())

    assert distance() < 64  # the picture shines through
    scribbler.set_on(False)
    assert distance() >= 64
    assert "grass" in settle(qtbot, window).names  # names stay

    # Keys paint, choose, and put the brush down.
    document = window.document
    document.undo_stack.setIndex(0)
    scribbler.set_name("")
    cut_shown(window, qtbot)
    canvas, opacity = window.views["image"].canvas, document.display.opacity
    settle(qtbot, window)
    QTest.keyClick(window, Key.Key_S, Qt.KeyboardModifier.ShiftModifier)
    assert scribbler.is_on
    qtbot.waitUntil(window.parts[Scribbling].bar.name.hasFocus)
    canvas.setFocus()
    QTest.keyClick(canvas, Key.Key_Right)  # to the middle of the picture
    qtbot.waitUntil(lambda: window.views["image"].inspection is not None)
    for _ in range(2):
        QTest.keyClick(canvas, Key.Key_BracketRight)
    assert scribbler.size == BRUSH + 2
    assert document.display.opacity == opacity
    QTest.keyClick(canvas, Key.Key_Space)
    frame = cut_shown(window, qtbot)
    assert scribbler.names == ("name 1",)
    assert "name 1" in frame.names
    scribbler.set_name("sea")
    QTest.keyClick(canvas, Key.Key_1)
    assert scribbler.name == "name 1"
    assert document.state.compared is None
    QTest.keyClick(canvas, Key.Key_E)
    assert scribbler.erasing
    QTest.keyClick(canvas, Key.Key_Return)
    cut_shown(window, qtbot)
    assert not scribbler.has_strokes
    QTest.keyClick(window, Key.Key_Escape)
    assert not scribbler.is_on
    assert not canvas.drawing

    # A stroke replaces a name by hand.
    document.undo_stack.setIndex(0)
    frame = settle(qtbot, window)
    slot = frame.slots[frame.states[SKY[0]]]
    document.change("Name", looks=Looks(own=(Look(slot, "air"),)))
    scribbler.set_on(True)
    after = scribble(window, qtbot, "sky", "image", SKY[0], (10, 16))
    assert after.names[after.states[SKY[0]]] == "sky"
    assert document.state.looks == Looks()
    document.undo_stack.undo()
    assert document.state.looks.of(slot).name == "air"


def check_cuts_come_after_each_other_are_given_up_and_keep_n(window, qtbot) -> None:
    # Fast strokes are commands of their own.
    document, scribbler = window.document, window.parts[Scribbler]
    settle(qtbot, window)
    count = document.undo_stack.count()
    scribbler.set_on(True)
    for name, places in (("sky", SKY), ("coat", COAT), ("grass", GRASS)):
        scribbler.set_name(name)
        paint(window, "image", *places)
    cut_shown(window, qtbot)
    assert scribbler.names == ("sky", "coat", "grass")
    assert len(set(document.state.scribbles.colors.values())) == 3
    assert document.undo_stack.count() == count + 3
    scribbler.erase(True)
    paint(window, "image", SKY[0], GRASS[1])  # two are touched at once
    cut_shown(window, qtbot)
    assert scribbler.names == ("coat",)
    document.undo_stack.undo()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert scribbler.names == ("sky", "coat")

    # A cut can be cancelled.
    document.undo_stack.setIndex(count)
    settle(qtbot, window)
    scribbler.set_name("sky")
    paint(window, "image", *SKY)
    assert window.parts[Scribbling].bar.total.whole_text() == CUTTING
    QTest.keyClick(window, Key.Key_Escape)
    assert scribbler.is_on
    assert scribbler.names == ()
    scribble(window, qtbot, "coat", "image", *COAT)  # abandoned results do not arrive
    assert document.state.scribbles.names == ("coat",)

    # N can be kept, and the tree be cut again.
    document.undo_stack.setIndex(count)
    settle(qtbot, window)
    document.set("Change N", n_states=1)
    settle(qtbot, window)
    scribble(window, qtbot, "sky", "image", *SKY)
    scribble(window, qtbot, "coat", "image", *COAT)
    made = document.parameters.n_states
    assert made > 1
    window.parts[Scribbling].bar.keeps_n.click()
    cut_shown(window, qtbot)
    assert document.parameters.n_states == 1
    window.parts[Scribbling].bar.keeps_n.click()
    cut_shown(window, qtbot)
    assert document.parameters.n_states == made
    window.menus["Reset merges and splits"].trigger()
    assert document.state.hand_cut == HandCut()
    settle(qtbot, window)
    window.menus["Cut to the scribbles again"].trigger()
    frame = cut_shown(window, qtbot)
    assert {"sky", "coat"} <= set(frame.names)


def test_there_is_nothing_to_scribble_on_without_a_picture(begun) -> None:
    window = begun()
    assert not window.menus["Scribble names"].isEnabled()
    window.close_now()
