"""Turning a signature space and moving the corners of a polygon, by mouse and keys."""

import math

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, QRectF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.views.space.hand import moved, turned
from latviz.app.views.space.layout import Mapping
from latviz.app.views.space.view import SpaceView
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.signature_space import FRONT, Projection, Turn
from latviz.engine.geometry.solids import rotation_of
from tests.app.frames import frame_of, pixels, told_by
from tests.app.views.spaces import (
    MEDIUM,
    SIZES,
    computed,
    drag,
    in_each_size,
    on_port,
    settled,
    shown,
    shown_range,
)

TURNS = [FRONT, (1.0, 0.5, 0.3, 0.2), (0.1, 0.4, -0.9, 0.3), (0.0, 0.0, 1.0, 0.2)]
FOUR, COLOURS = Encoding("quantiles", 4), Encoding("rgb")


def tetrahedron(turn: tuple[float, float, float, float] = FRONT) -> Frame:
    return computed("camera", FOUR, 6, 4, Projection(turn=turn))


def cube(turn: tuple[float, float, float, float] = FRONT) -> Frame:
    return computed("astronaut", COLOURS, 6, 4, Projection("components", turn=turn))


def six(corners: tuple[tuple[float, float], ...] | None = None) -> Frame:
    return computed(
        "astronaut", Encoding("palette", 6), 5, 4, Projection("polygon", corners=corners)
    )


def test_turning_to_the_right_moves_what_is_near_to_the_right() -> None:
    near = np.array([0.0, 0.0, 1.0])
    for turn in TURNS:
        before = rotation_of(turn)
        place = before.T @ near
        right, down = (rotation_of(turned(turn, *by)) @ place for by in ((0.3, 0.0), (0.0, 0.3)))
        sine, cosine = math.sin(0.3), math.cos(0.3)
        np.testing.assert_allclose(right, [sine, 0.0, cosine], rtol=0, atol=1e-6)
        np.testing.assert_allclose(down, [0.0, -sine, cosine], rtol=0, atol=1e-6)


def test_a_drag_turns_as_if_what_is_near_were_held(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, tetrahedron(), MEDIUM)
    told, whole = told_by(view.projection_changed), shown_range(view)
    drag(view, QPoint(60, -30))
    assert len(told) > 3
    radius = tetrahedron().space.focus[2] / 2 * Mapping.of(view.plot.box).x_scale
    near = rotation_of(FRONT).T @ [0.0, 0.0, 1.0]
    x, y, _ = rotation_of(told[-1].turn) @ near
    assert x == pytest.approx(math.sin(60 / radius), abs=0.1)
    assert y == pytest.approx(30 / radius, abs=0.1)
    assert shown_range(view) == whole
    assert all(projection.kind == Projection().kind for projection in told)


def test_a_plane_is_dragged_as_ever(qtbot: QtBot) -> None:
    for frame in (frame_of("camera"), frame_of("lab"), six()):
        view = shown(qtbot, SpaceView, frame, MEDIUM)
        view.plot.zoom(2.0)
        settled(view)
        told, whole = told_by(view.projection_changed), shown_range(view)
        drag(view, QPoint(60, -30))
        QTest.keyClick(view.plot, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
        assert told == []
        assert shown_range(view) != pytest.approx(whole)


@pytest.mark.parametrize("make", [tetrahedron, cube])
def test_what_is_shown_stays_while_it_is_turned(qtbot: QtBot, make) -> None:
    view = shown(qtbot, SpaceView, make(), MEDIUM)
    whole = shown_range(view)
    for turn in TURNS:
        view.show_frame(make(turn))
        assert shown_range(view) == pytest.approx(whole, rel=1e-9)


def box_of(view: SpaceView) -> QRectF:
    return QRectF(0, 0, view.plot.box.width(), view.plot.box.height())


@pytest.mark.parametrize("turn", TURNS, ids=str)
def test_all_of_the_tetrahedron_is_in_view(qtbot: QtBot, turn: Turn) -> None:
    view = shown(qtbot, SpaceView, tetrahedron(turn), SIZES[0])
    for size in in_each_size(view):
        box = box_of(view)
        assert len(view.plot.corners()) == 4
        for label, place in view.plot.corners():
            assert box.contains(place), size
            assert box.contains(label.bounds.translated(place)), size
        assert all(box.adjusted(-1, -1, 1, 1).contains(d.centre) for d in view.plot.discs()), size


def handle(view: SpaceView, symbol: int) -> QPointF:
    """Return the middle of a corner's handle, in the pixels of the plane."""
    label, place = next(found for found in view.plot.corners() if found[0].symbol == symbol)
    return label.swatch.translated(place).center()


def test_dragging_a_corner_moves_it_and_no_other(qtbot: QtBot) -> None:
    frame = six()
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    told, whole = told_by(view.projection_changed), shown_range(view)
    resting = frame.space.resting
    drag(view, QPoint(-40, 60), on_port(view, handle(view, 1)))
    corners = np.array(told[-1].corners)
    scale = Mapping.of(view.plot.box).x_scale
    np.testing.assert_allclose(
        corners[1], resting[1] + np.array([-40, -60]) / scale, rtol=0, atol=12 / scale
    )
    np.testing.assert_array_equal(np.delete(corners, 1, 0), np.delete(resting, 1, 0))
    assert shown_range(view) == whole
    view.show_frame(six(told[-1].corners))
    assert shown_range(view) == pytest.approx(whole)
    drag(view, QPoint(20, 0), on_port(view, handle(view, 3)))
    again = np.array(told[-1].corners)
    np.testing.assert_array_equal(again[1], corners[1])
    assert again[3, 0] > corners[3, 0]


def test_a_corner_stays_within_the_regular_polygons_reach() -> None:
    resting = np.array([[0.0, 1.0], [-0.9, -0.5], [0.9, -0.5]])
    corners = ((0.0, 0.0), (0.1, 0.1), (0.2, 0.2))
    assert moved(corners, 1, QPointF(5.0, 0.3), resting) == ((0.0, 0.0), (0.9, 0.3), (0.2, 0.2))
    assert moved(corners, 0, QPointF(0.2, -3.0), resting)[0] == (0.2, -0.5)


def test_pages_choose_a_corner_and_arrows_move_it(qtbot: QtBot) -> None:
    frame = six()
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    told, plain = told_by(view.projection_changed), pixels(view)
    resting = frame.space.resting
    for key, ring in ((Qt.Key.Key_PageDown, True), (Qt.Key.Key_PageUp, False)):
        for _ in range(2):
            QTest.keyClick(view.plot, key)
        settled(view)
        assert (pixels(view) != plain).any() == ring
        QTest.keyClick(view.plot, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        assert len(told) == 1, "no corner is chosen, and one was moved"
        x, y = told[0].corners[1]
        assert x > resting[1, 0]
        assert y == pytest.approx(resting[1, 1])
        view.bar.show_projection(Projection())
    QTest.keyClick(view.plot, Qt.Key.Key_PageUp)
    QTest.keyClick(view.plot, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert told[-1].corners[5][0] > resting[5, 0]


@pytest.mark.parametrize(
    ("frame", "changed", "back"),
    [
        (six, Projection("polygon", corners=((0.5, 0.0),) * 6), Projection("polygon")),
        (tetrahedron, Projection(turn=TURNS[1]), Projection()),
        (cube, Projection("components", turn=TURNS[1]), Projection("components")),
    ],
)
def test_put_back_is_there_when_there_is_something_to_put_back(qtbot, frame, changed, back) -> None:
    view = shown(qtbot, SpaceView, frame(), MEDIUM)
    view.bar.show_projection(back)
    assert not view.bar.back.isVisible()
    view.bar.show_projection(changed)
    assert view.bar.back.isVisible()
    told = told_by(view.projection_changed)
    QTest.mouseClick(view.bar.back, Qt.MouseButton.LeftButton)
    assert told == [back]
    assert not view.bar.back.isVisible()
