"""The drawing of the signature space, from real frames to pixels."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, QRectF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT
from latviz.app.views.space import layout, shapes
from latviz.app.views.space.items import path_places
from latviz.app.views.space.layout import Mapping
from latviz.app.views.space.view import SpaceView
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import NEEDED, Frame
from latviz.engine.frames.inspection import inspect
from latviz.engine.geometry.heat import bar_heights
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import Display, State
from tests.app.frames import frame_of, is_color, pixels
from tests.app.views.spaces import (
    EVERY,
    FLAT,
    KINDS,
    MEDIUM,
    PRINCIPAL,
    SIZES,
    at_pixel,
    below_number,
    color_at,
    computed,
    drag,
    flat,
    in_each_size,
    on_view,
    picture,
    polygon,
    principal,
    scroll,
    settled,
    shown,
    shown_range,
    state_color,
    three_symbols,
    uncovered,
)
from tests.new_frames import new_frame


@pytest.mark.parametrize("name", [*KINDS, "32 states", "64 symbols"])
def test_discs_are_where_the_codewords_are_in_their_states_colours(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    for theme in (LIGHT, DARK):
        view.apply_theme(theme)
        image, found = pixels(view), list(uncovered(view))
        assert len(found) >= len(frame.occupancy) * 0.45
        for disc, place in found:
            x, y = on_view(view, place)
            assert image[y, x].tolist() == state_color(frame, disc.state), disc
    if frame.space.kind not in ("segment", "histogram"):
        for disc in view.plot.discs():
            scene = view.plot.box.mapToScene(disc.centre)
            point = view.plot.box.mapSceneToView(scene)
            wanted = frame.space.codewords[disc.state]
            assert (point.x(), point.y()) == pytest.approx(tuple(wanted), rel=1e-6, abs=1e-6)


def test_nothing_is_left_of_the_frames_before(qtbot: QtBot) -> None:
    fresh = {name: pixels(shown(qtbot, SpaceView, frame_of(name), MEDIUM)) for name in KINDS}
    view = shown(qtbot, SpaceView, frame_of(KINDS[0]), MEDIUM)
    for before, name in itertools.pairwise([*KINDS, *KINDS[::-1][1:]]):
        view.show_frame(frame_of(before))
        view.show_inspection(inspect(frame_of(before), (40, 60)))
        pixels(view)
        view.show_frame(frame_of(name))
        view.show_inspection(None)
        settled(view)
        np.testing.assert_array_equal(pixels(view), fresh[name], err_msg=f"{name} after {before}")


@pytest.mark.parametrize("name", FLAT)
def test_spaces_without_extent_are_drawn(qtbot: QtBot, name: str) -> None:
    frame = flat(name)
    view = shown(qtbot, SpaceView, frame, SIZES[0])
    for size in in_each_size(view):
        assert len(view.plot.discs()) == len(frame.occupancy)
        top = view.plot.discs()[-1]
        assert view.plot.state_at(top.centre) == top.state, size
        assert color_at(view, below_number(top)) == state_color(frame, top.state), size


def test_density_shows_where_pixels_are_and_nowhere_else(qtbot: QtBot) -> None:
    frame = computed("camera", Encoding("quantiles", 8), 4, 4, Projection("polygon"))
    view = shown(qtbot, SpaceView, frame, (900, 700))
    image, found = pixels(view), frame.space
    assert view.plot.shown is not None
    outline = shapes.outline_path(view.plot.shown)
    corners = list(found.corners) if found.corners is not None else []
    seen = {True: 0, False: 0}
    for row, column in itertools.product(range(10, 246, 7), repeat=2):
        around = found.density[row - 4 : row + 5, column - 4 : column + 5] > 0
        steps = (np.array([column, row]) + 0.5) * (found.extent[2] / 256, found.extent[3] / 256)
        point = steps + found.extent[:2]
        spoke = min(abs(c[0] * point[1] - c[1] * point[0]) for c in corners) < 0.02
        on_disc = view.plot.state_at(at_pixel(view, point)) is not None
        if spoke or on_disc or not outline.contains(QPointF(*point)):
            continue
        if around.any() and not around[3:6, 3:6].all():
            continue
        x, y = on_view(view, at_pixel(view, point))
        assert is_color(image[y, x], LIGHT.panel).all() != around.any(), (row, column)
        seen[bool(around.any())] += 1
    assert min(seen.values()) > 20


@pytest.mark.parametrize("name", ["density", "flat grey", "lab", "flat colour"])
def test_axes_are_in_the_units_of_the_values(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, flat(name), MEDIUM)
    left, right, bottom, top = shown_range(view)
    for axis, low, high in (("bottom", left, right), ("left", bottom, top)):
        item = view.plot.getAxis(axis)
        assert item.autoSIPrefixScale == 1.0
        assert "(x" not in item.label.toPlainText()
        if axis == "bottom" or name in ("lab", "flat colour"):
            ticks = item.tickValues(low, high, view.plot.box.width())
            assert len(ticks[0][1]) >= 2


def names_of(view: SpaceView) -> list[QRectF]:
    placed = view.plot.corners()
    flags = layout.shown_names(placed)
    return [label.name.translated(at_) for (label, at_), f in zip(placed, flags, strict=True) if f]


def frame_named(name: str) -> Frame:
    made = {"principal": principal, "polygon": polygon, "three": three_symbols}
    return made[name]() if name in made else frame_of(name)


@pytest.mark.parametrize(
    "kind", ["camera", "palette", "64 symbols", "principal", "polygon", "three"]
)
def test_labels_are_whole_and_apart(qtbot: QtBot, kind: str) -> None:
    frame = frame_named(kind)
    view = shown(qtbot, SpaceView, frame, SIZES[0])
    n_corners = 3 if kind == "three" else frame.observations.n_symbols
    for size in in_each_size(view):
        room = QRectF(0, 0, view.plot.box.width(), view.plot.box.height())
        swatches = [label.swatch.translated(at_) for label, at_ in view.plot.corners()]
        names = names_of(view)
        assert len(swatches) == n_corners
        assert all(room.contains(rect) for rect in swatches + names), size
        assert not any(a.intersects(b) for a, b in itertools.combinations(names, 2)), size
        assert not any(a.intersects(b) for a, b in itertools.product(names, swatches)), size
        if size == (900, 700) and kind in ("camera", "polygon", "three"):
            assert len(names) == n_corners


def test_a_corner_out_of_view_has_its_colour_at_the_edge(qtbot: QtBot) -> None:
    noise = Picture(np.random.default_rng(3).integers(0, 256, (50, 60), np.uint8), "noise")
    parameters = Parameters(Encoding("quantiles", n_symbols=6), n_states=3, window=5)
    view = shown(qtbot, SpaceView, new_frame(noise, parameters, projection=PRINCIPAL), SIZES[0])
    for size in in_each_size(view):
        corners, mapping = view.plot.shown.space.corners, Mapping.of(view.plot.box)
        swatches = {c.symbol: c.swatch.translated(at) for c, at in view.plot.corners()}
        assert sorted(swatches) == list(range(6))
        assert all(mapping.room.contains(rect) for rect in swatches.values()), size
        middle, out = mapping.room.center(), 0
        for symbol, at in enumerate(mapping.to_pixels(corners).tolist()):
            away, to = swatches[symbol].center() - middle, QPointF(*at) - middle
            if not mapping.room.contains(QPointF(*at)):
                out += 1
                ways = [math.atan2(way.y(), way.x()) for way in (away, to)]
                assert ways[0] == pytest.approx(ways[1], abs=1e-9)
        assert out


@pytest.mark.parametrize("name", EVERY)
def test_discs_and_what_axes_mean_are_whole(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), SIZES[0])
    for size in in_each_size(view):
        width, height = view.plot.box.width(), view.plot.box.height()
        for disc in view.plot.discs():
            assert disc.radius <= disc.centre.x() <= width - disc.radius, size
            assert disc.radius <= disc.centre.y() <= height - disc.radius, size
        room = view.plot.viewport().rect().toRectF().adjusted(-3, -3, 3, 3)
        for axis in map(view.plot.getAxis, ("left", "bottom")):
            inner = axis.label.boundingRect().adjusted(4, 4, -4, -4)
            assert not axis.isVisible() or room.contains(axis.label.mapRectToScene(inner)), size


def test_fitted_has_room_for_all_and_no_more() -> None:
    for seed, unit in itertools.product(range(20), (1.0, 1e-40, 1e36)):
        check_fitted(np.random.default_rng(seed), unit)


def check_fitted(rng: np.random.Generator, unit: float) -> None:
    points = rng.normal(size=(rng.integers(2, 9), 2)) * rng.uniform(0.1, 1000, 2) * unit
    pads = rng.uniform(0, 40, (len(points), 4))
    width, height = rng.uniform(150, 900, 2)
    found = layout.fitted(points, pads, (width, height))
    scale = width / found.width()
    assert height / found.height() == pytest.approx(scale)
    x = (points[:, 0] - found.left()) * scale
    y = (points[:, 1] - found.top()) * scale
    spare = [
        (x - pads[:, 0]).min() + width - (x + pads[:, 2]).max(),
        (y - pads[:, 3]).min() + height - (y + pads[:, 1]).max(),
    ]
    assert (x - pads[:, 0]).min() == pytest.approx(spare[0] / 2, abs=1e-6)
    assert (y - pads[:, 3]).min() == pytest.approx(spare[1] / 2, abs=1e-6)
    assert min(spare) == pytest.approx(0.0, abs=1e-6)


def test_lanes_keep_discs_apart_and_are_few() -> None:
    rng, n = np.random.default_rng(1), 32
    x, radii = np.sort(rng.uniform(0, 30 * n, n)), rng.uniform(8, 12, n)
    found = layout.lanes(x, radii)
    for j, k in itertools.combinations(range(n), 2):
        assert found[j] != found[k] or abs(x[j] - x[k]) >= radii[j] + radii[k]
    assert layout.lanes(np.array([0.0, 30.0, 60.0]), np.full(3, 10.0)) == [0, 0, 0]
    assert layout.lanes(np.array([5.0, 0.0, 10.0, 25.0]), np.full(4, 10.0)) == [1, 0, 2, 0]
    assert max(layout.lanes(np.zeros(20), np.full(20, 10.0))) == 3


def test_bars_are_as_high_as_their_counts_and_any_count_shows() -> None:
    heights = bar_heights(np.array([0, 1, 25_000, 50_000, 100_000]))
    assert heights.tolist() == [0.0, pytest.approx(0.025), 0.25, 0.5, 1.0]
    assert bar_heights(np.zeros(3, np.int64)).tolist() == [0.0, 0.0, 0.0]


SIZE = (700, 600)


@cache
def with_paths(name: str, n_symbols: int = 3, w_l: int = 4) -> Frame:
    photo = picture("camera" if name == "quantiles" else "astronaut")
    parameters = Parameters(Encoding(name, n_symbols), learning_window=w_l)
    return new_frame(photo, parameters, needs=NEEDED | {"paths"})


FRAMES = [("quantiles", 3), ("quantiles", 4), ("palette", 6), ("rgb", 3), ("quantiles", 2)]


@pytest.mark.parametrize(("name", "n_symbols"), FRAMES)
def test_paths_are_there_when_they_are_wanted(qtbot: QtBot, name: str, n_symbols: int) -> None:
    view = shown(qtbot, SpaceView, with_paths(name, n_symbols), SIZE)
    for theme in (LIGHT, DARK):
        view.apply_theme(theme)
        plain = pixels(view)
        view.show_state(State(display=Display(paths=True)))
        changed = (pixels(view) != plain).any(axis=2)
        discs, at = view.plot.discs(), path_places(view.plot.shown, Mapping.of(view.plot.box))
        centres = np.array([(disc.centre.x(), disc.centre.y()) for disc in discs])
        rims = [disc.radius + 6 for disc in discs]  # of a disc or the rings around it
        for x, y in at.reshape(-1, 2).tolist():
            covered = (np.hypot(*(centres - (x, y)).T) < rims).any()
            u, v = on_view(view, QPointF(x, y))
            assert covered or changed[v - 1 : v + 2, u - 1 : u + 2].any()
        view.show_state(State())
        np.testing.assert_array_equal(pixels(view), plain)


@pytest.mark.parametrize("name", ["camera", "lab", "density"])
def test_what_a_person_zoomed_to_stays(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    whole = shown_range(view)
    scroll(view, QPointF(200, 150), 4)
    zoomed = shown_range(view)
    assert zoomed[1] - zoomed[0] < 0.95 * (whole[1] - whole[0])
    encoding = frame.request.parameters.encoding
    parameters = Parameters(encoding, n_states=7, window=6)
    view.show_frame(new_frame(frame.request.picture, parameters, number=2))
    pixels(view)
    assert shown_range(view)[:2] == pytest.approx(zoomed[:2])
    view.show_frame(frame)
    port = view.plot.viewport()
    QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=port.rect().center())
    assert shown_range(view) == pytest.approx(whole)


@pytest.mark.parametrize("name", ["camera", "two states", "density"])
def test_no_hand_leaves_the_range_that_shows_all(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), MEDIUM)
    whole = shown_range(view)
    drag(view, QPoint(60, -30))
    assert shown_range(view) == pytest.approx(whole)
    scroll(view, QPointF(100, 50), -4)
    assert shown_range(view) == pytest.approx(whole)
    scroll(view, QPointF(200, 150), 4)
    settled(view)
    for _ in range(8):
        drag(view, QPoint(90, 0))
    left, right, *_ = shown_range(view)
    assert left == pytest.approx(whole[0])
    assert right < whole[1]
    scroll(view, QPointF(200, 150), -8)
    assert shown_range(view) == pytest.approx(whole)


def test_the_space_of_another_encoding_is_shown_whole(qtbot: QtBot) -> None:
    lab, rgb = (computed("astronaut", Encoding(name), 4, 4) for name in ("lab", "rgb"))
    fresh = shown_range(shown(qtbot, SpaceView, rgb, MEDIUM))
    view = shown(qtbot, SpaceView, lab, MEDIUM)
    scroll(view, QPointF(200, 150), 4)
    view.show_frame(rgb)
    settled(view)
    # Not quite as fresh: an axis keeps the width that longer numbers took.
    assert shown_range(view) == pytest.approx(fresh, abs=0.02 * (fresh[1] - fresh[0]))


def test_the_range_grows_with_what_is_worth_showing_and_does_not_shrink(qtbot: QtBot) -> None:
    wide, narrow = (computed("astronaut", Encoding("lab"), 4, w) for w in (1, 20))
    view = shown(qtbot, SpaceView, narrow, MEDIUM)
    first = shown_range(view)
    view.show_frame(wide)
    second = shown_range(view)
    assert second[1] - second[0] > 1.05 * (first[1] - first[0])
    for edges, frame in ((second, wide), (second, narrow)):
        left, bottom, width, height = frame.space.focus
        assert edges[0] < left
        assert left + width < edges[1]
        assert edges[2] < bottom
        assert bottom + height < edges[3]
    view.show_frame(narrow)
    assert shown_range(view) == pytest.approx(second)
