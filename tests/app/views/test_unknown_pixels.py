"""Unknown pixels in the window: a hatch, a gap in curves, and a pixel without numbers."""

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot
from skimage import data

from latviz.app.document.leaving import LEAVE_OUT, USE_ALL
from latviz.app.program.window import MainWindow
from latviz.app.shell.shell import Shell
from latviz.app.views.registry import Views
from latviz.core.checks import UNKNOWN
from latviz.core.data.encoding import Encoding
from latviz.core.data.masks import filled
from latviz.engine.frames.highlight import of_mask
from latviz.engine.geometry.selection import RangeSelection, StateSelection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import answered, settle
from tests.app.frames import pixels
from tests.app.views.test_lattices import point_of, volume

pytestmark = pytest.mark.usefixtures("few_views")

LEFT = Qt.MouseButton.LeftButton


def under(whole: Picture, known: np.ndarray) -> Picture:
    return replace(whole, pixels=filled(whole.pixels, known), known=known)


def holed() -> Picture:
    rng = np.random.default_rng(0)
    rows, columns = np.indices((60, 80))
    values = rows // 20 % 2 * 90 + rng.integers(0, 60, (60, 80))
    known = (rows - 30) ** 2 + (columns - 40) ** 2 > 15**2
    return under(Picture(values.astype(np.uint8), "hole"), known)


def curve() -> Picture:
    values = (np.arange(300) // 50 % 2 + np.random.default_rng(1).normal(0, 0.1, 300))[None]
    known = np.ones((1, 300), bool)
    known[:, 100:160] = False
    return under(Picture(values.astype(np.float32), "curve"), known)


def stack() -> Picture:
    whole = volume()
    known = np.ones(whole.shape, bool)
    known[4:9, 10:20, 10:30] = False
    return under(whole, known)


PICTURES = {"an image": holed, "a curve": curve, "a volume": stack}


@pytest.mark.parametrize("kind", PICTURES)
def test_views_draw_unknown_pixels(window: MainWindow, qtbot: QtBot, kind: str) -> None:
    hole, views = PICTURES[kind](), window.parts[Views]
    window.document.open(hole, Parameters(Encoding("grey"), n_states=2, window=2))
    for view in views.specs:
        window.parts[Shell].show(view)
    frame = settle(qtbot, window)
    assert (frame.states[~hole.known] == UNKNOWN).all()
    map_, unknown = views.views["states"], np.argwhere(~hole.known)
    node = tuple(unknown[len(unknown) // 2].tolist())
    window.document.set_slice(node[0] if len(node) == 3 else 0)
    window.document.inspector.hover(node)
    shown = views.views["pixel"].fields
    assert (shown["Value"].text(), shown["Next"].text()) == ("unknown", "–")
    assert "unknown" in views.views["pixel"].accessibleDescription()
    place = map_.section.place(node)
    map_.canvas.setFocus()
    QTest.keyClick(map_.canvas, Qt.Key.Key_Right)
    assert window.document.inspector.node == map_.section.node((place[0], place[1] + 1))
    before = window.document.state.selection
    QTest.mouseClick(map_.canvas.viewport(), LEFT, pos=point_of(map_.canvas, *place))
    assert window.document.state.selection == before
    window.document.inspector.hover(tuple(np.argwhere(hole.known)[0].tolist()))
    assert shown["Value"].text() != "unknown"
    window.document.point(lit=of_mask(np.ones(hole.shape, bool)))  # as a line of the guide does
    assert window.document.state.selection == before


def test_a_hole_is_hatched_in_image_and_map(window: MainWindow, qtbot: QtBot) -> None:
    hole = holed()
    window.document.open(hole, Parameters(Encoding("grey"), n_states=2, window=2))
    settle(qtbot, window)
    theme = window.parts[Views].views["image"].theme
    inks = {theme.color(name).getRgb()[:3] for name in ("panel", "muted")}
    for name in ("image", "states"):
        canvas = window.parts[Views].views[name].canvas
        corner, other = point_of(canvas, 24, 34), point_of(canvas, 36, 46)
        drawn = pixels(canvas)[corner.y() : other.y(), corner.x() : other.x(), :3]
        assert {tuple(ink) for ink in drawn.reshape(-1, 3).tolist()} == inks


def test_highlighted_pixels_are_left_out_and_used_again(window: MainWindow, qtbot: QtBot) -> None:
    hole, document = holed(), window.document
    document.open(hole, Parameters(Encoding("grey"), n_states=3, window=2))
    frame = settle(qtbot, window)
    offered = [LEAVE_OUT, USE_ALL]
    assert [window.menus[name].isEnabled() for name in offered] == [False, False]
    document.pin((2, 3))
    document.select(StateSelection(frame.slots[1]))
    lit = answered(qtbot, window, "selection").lit
    assert 0 < lit.n_pixels < hole.n_known
    assert LEAVE_OUT in window.parts[Views].verbs("states")
    window.menus[LEAVE_OUT].trigger()
    smaller = settle(qtbot, window)
    assert np.array_equal(smaller.request.picture.known, hole.known & ~lit.mask)
    assert smaller.occupancy.sum() == smaller.n_nodes == hole.n_known - lit.n_pixels
    assert (document.state.selection, document.state.pins) == (None, ((2, 3),))
    assert [window.menus[name].isEnabled() for name in offered] == [False, True]
    assert USE_ALL in window.parts[Views].verbs("states")
    document.undo_stack.undo()
    assert document.picture is hole
    document.undo_stack.redo()
    window.menus[USE_ALL].trigger()
    assert document.picture is hole
    assert np.array_equal(settle(qtbot, window).states, frame.states)
    document.select(RangeSelection("likelihood", -np.inf, np.inf))
    answered(qtbot, window, "selection")
    window.menus[LEAVE_OUT].trigger()
    qtbot.waitUntil(lambda: "leave fewer out" in window.status.message.whole_text())
    assert document.picture is hole


def test_what_compares_pixels_around_each_needs_all(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    document.open(Picture(data.astronaut()[:60, :80], "photograph"))
    frame = settle(qtbot, window)
    assert document.state.region_cut.measure == "contrast"
    document.select(StateSelection(frame.slots[0]))
    answered(qtbot, window, "selection")
    window.menus[LEAVE_OUT].trigger()
    settle(qtbot, window)
    assert document.state.region_cut.measure == "evidence"
    document.undo_stack.undo()
    assert document.state.region_cut.measure == "contrast"
    document.set("Encoding", encoding=Encoding("texture"))
    frame = settle(qtbot, window)
    document.select(StateSelection(frame.slots[0]))
    answered(qtbot, window, "selection")
    window.menus[LEAVE_OUT].trigger()
    qtbot.waitUntil(lambda: "some are unknown" in window.status.message.whole_text())
    assert document.picture.known is None
