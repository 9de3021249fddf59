"""Turning a signature space and moving the corners of a polygon, by mouse and keys."""

import itertools
import math

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, QRectF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT
from latviz.app.views.space.hand import moved
from latviz.app.views.space.layout import Mapping
from latviz.app.views.space.view import SpaceView, describe_state
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import inspect
from latviz.engine.geometry.signature_space import FRONT, Projection, Turn
from latviz.engine.geometry.solids import rotation_of
from tests.app.frames import frame_of, leave, pixels, told_by
from tests.app.views.spaces import (
    KINDS,
    MEDIUM,
    SIZES,
    SYMBOLS,
    at,
    at_pixel,
    computed,
    drag,
    in_each_size,
    on_port,
    on_view,
    point_to,
    principal,
    settled,
    shown,
    shown_range,
    three_symbols,
    tip,
    uncovered,
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


@pytest.mark.parametrize("name", [*KINDS, "32 states"])
def test_pointing_at_a_disc_tells_its_state(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), MEDIUM)
    told = told_by(view.state_hovered)
    for disc, place in uncovered(view):
        point_to(view, place)
        assert told[-1] == disc.state
    leave(view.plot)
    assert told[-1] is None
    assert all(a != b for a, b in itertools.pairwise(told))


def test_pointing_at_a_cell_tells_its_state(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    told = told_by(view.state_hovered)
    signatures = np.random.default_rng(0).dirichlet([1, 1, 1], 200)
    n_checked = 0
    for x, point in zip(signatures, frame.space.locate(signatures), strict=True):
        distances = np.sqrt(((frame.codebook - x) ** 2).sum(axis=1))
        pixel = at_pixel(view, point)
        on_disc = any(math.dist(at(pixel), at(d.centre)) < d.radius + 3 for d in view.plot.discs())
        on_edge = x.min() < 0.01  # the nearest whole pixel may be beyond it
        if on_disc or on_edge or np.diff(np.sort(distances))[0] < 0.03:
            continue
        told.clear()
        leave(view.plot)
        point_to(view, pixel)
        assert told[-1] == distances.argmin()
        n_checked += 1
    assert n_checked > 50


@pytest.mark.parametrize("name", ["two states", "density"])
def test_pointing_at_a_part_of_a_line_tells_its_state(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    found = frame.space
    left, _, width, _ = found.extent
    values = left + width * np.linspace(0.02, 0.98, 23)
    for value in values:
        if np.abs(found.boundaries - value).min() > 0.02 * width:
            wanted = int(np.abs(found.codewords[:, 0] - value).argmin())
            assert view.plot.state_at(at_pixel(view, np.array([value, 0.01]))) == wanted
    outside = at_pixel(view, np.array([left - 0.01 * width, 0.01]))
    assert view.plot.state_at(outside) == (
        None if name == "two states" else found.codewords[:, 0].argmin()
    )


def test_tool_tips_of_states(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    disc = view.plot.discs()[-1]
    row = frame.codebook[disc.state]
    share = 100 * frame.occupancy[disc.state] / frame.n_nodes
    wanted = (
        f"state {disc.state + 1} · {share:.1f} % of pixels · "
        f"B = ({row[0]:.3f}, {row[1]:.3f}, {row[2]:.3f})"
    )
    assert " ".join(tip(view, disc.centre).split()) == wanted


def test_descriptions_of_real_vectors_and_of_many_symbols() -> None:
    frame = frame_of("lab")
    assert describe_state(frame, 0).split(" · ")[2].startswith("mean L* ")
    many = frame_of("64 symbols")
    text, row = describe_state(many, 1), many.codebook[1]
    most = int(row.argmax())
    assert text.split(" · ")[2].startswith(
        f"mostly {many.observations.names[most]} ({row[most]:.3f}), "
    )
    assert text.count("(") == 4


@pytest.mark.parametrize("name", ["camera", "lab", "palette", "two states", "density"])
def test_the_inspected_signature_is_marked(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, (700, 500))
    rows, columns = frame.states.shape
    for theme in (LIGHT, DARK):
        view.show_inspection(None)
        view.apply_theme(theme)
        settled(view)
        before = pixels(view)
        for k in range(0, 60, 18):
            found = inspect(frame, (rows // 2 + k, columns // 3 + 5 * k))
            view.show_inspection(found)
            after = pixels(view)
            place = at_pixel(view, frame.space.locate(found.signature))
            disc = next(d for d in view.plot.discs() if d.state == found.nearest[0][0])
            if frame.space.kind in ("segment", "histogram"):
                place.setY(disc.centre.y())
            changed = np.argwhere((before != after).any(axis=2))
            x, y = on_view(view, place)
            for dx, dy in ((5, 0), (-5, 0), (0, 5), (0, -5)):
                around = after[y + dy - 1 : y + dy + 2, x + dx - 1 : x + dx + 2]
                wanted = np.array(theme.color("text").getRgb()[:3])
                assert np.abs(around - wanted).sum(axis=2).min() < 150
            top, left = changed.min(axis=0)
            assert top <= y - 9
            assert left <= x - 9
    view.show_inspection(None)
    np.testing.assert_array_equal(pixels(view), before)


def test_choosing_a_projection_emits_it(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, frame_of("palette"), MEDIUM)
    told = told_by(view.projection_changed)
    assert view.bar.isVisible()
    for text, kind in (
        ("Polygon", "polygon"),
        ("Three symbols", "symbols"),
        ("Principal components", "principal"),
    ):
        view.bar.kind.setFocus()
        view.bar.kind.setCurrentText(text)
        assert told.pop() == Projection(kind, (0, 1, 2))
        assert told == []
        assert all(box.isVisible() == (kind == "symbols") for box in view.bar.corners)


def test_choosing_a_symbol_that_another_corner_has_swaps_them(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, three_symbols(), MEDIUM)
    view.bar.show_projection(SYMBOLS)
    with qtbot.waitSignal(view.projection_changed) as blocker:
        view.bar.corners[1].setCurrentIndex(2)
    assert blocker.args == [Projection("symbols", (4, 2, 0))]
    assert [box.currentIndex() for box in view.bar.corners] == [4, 2, 0]


def test_symbols_that_there_are_not_give_way_to_those_that_are_drawn(qtbot: QtBot) -> None:
    wanted = Projection("symbols", (3, 5, 9))
    frame = computed("camera", Encoding("quantiles", 4), 4, 4, wanted)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    view.bar.show_projection(wanted)
    drawn = [label.symbol for label, _ in view.plot.corners()]
    assert sorted(box.currentIndex() for box in view.bar.corners) == sorted(drawn) == [0, 1, 3]
    with qtbot.waitSignal(view.projection_changed) as blocker:
        view.bar.corners[2].setCurrentIndex(2)
    assert blocker.args == [Projection("symbols", (3, 0, 2))]


def test_controls_are_there_where_they_matter(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, frame_of("palette"), MEDIUM)
    for name in ("camera", "palette", "two states", "lab", "density"):
        view.show_frame(frame_of(name))
        for part in (view.bar.kind, view.bar.statement):
            assert part.isVisible() == (name in ("palette", "lab")), name
        assert not any(box.isVisible() for box in view.bar.corners), name


@pytest.mark.parametrize("kind", ["palette", "lab", "principal"])
def test_the_statement_tells_the_variance(qtbot: QtBot, kind: str) -> None:
    frame = principal() if kind == "principal" else frame_of(kind)
    view = shown(qtbot, SpaceView, frame, (500, 300))
    settled(view)
    percent = 100 * frame.space.variance_kept
    assert percent < 99
    assert view.bar.statement.text() == f"shows {percent:.1f}\N{NO-BREAK SPACE}% of the variance"
    view.resize(290, 300)
    settled(view)
    short = view.bar.statement.text()
    assert short != view.bar.statement.toolTip() or kind == "lab"
    assert f"{percent:.1f}\N{NO-BREAK SPACE}%" in short
    assert "…" not in short
