"""The drawing of the signature space, from real frames to pixels."""

import itertools
import math

import numpy as np
import pytest
from PyQt6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT
from latviz.app.views.space import shapes
from latviz.app.views.space.view import SpaceView
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.inspection import inspect
from latviz.engine.geometry.heat import bar_heights
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.settings.palette import state_colors
from tests.app.frames import frame_of, is_color, pixels
from tests.app.views.spaces import (
    FLAT,
    KINDS,
    MEDIUM,
    SIZES,
    at_pixel,
    below_number,
    color_at,
    computed,
    flat,
    in_each_size,
    on_view,
    settled,
    shown,
    shown_range,
    state_color,
    uncovered,
)


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


def test_bars_have_the_colour_of_their_cell(qtbot: QtBot) -> None:
    frame = computed("coins", Encoding("grey"), 4, 4)
    view = shown(qtbot, SpaceView, frame, (900, 500))
    found, image = frame.space, pixels(view)
    heights = bar_heights(found.density[0])
    left, _, width, _ = found.extent
    checked = set()
    for k in range(2, 254):
        value = left + width * (k + 0.5) / 256
        gaps = np.abs(np.concatenate([found.boundaries, found.codewords[:, 0]]) - value)
        if heights[k - 2 : k + 3].min() < 0.3 or gaps.min() < 3:
            continue
        state = int(np.abs(found.codewords[:, 0] - value).argmin())
        x, y = on_view(view, at_pixel(view, np.array([value, 0.15])))
        assert image[y, x].tolist() == state_color(frame, state)
        checked.add(state)
    assert checked == {0, 1, 2, 3}


def test_areas_of_discs_follow_the_pixels_within_bounds(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, SpaceView, frame, (900, 700))
    radius = {disc.state: disc.radius for disc in view.plot.discs()}
    order = np.argsort(frame.occupancy)
    assert [radius[j] for j in order] == sorted(radius.values())
    assert radius[int(order[-1])] == pytest.approx(22.0)
    free = [j for j in radius if radius[j] > min(radius.values()) + 0.1]
    assert len(free) > 1
    for j in free:
        share = frame.occupancy[j] / frame.occupancy.max()
        assert radius[j] == pytest.approx(22.0 * math.sqrt(share))


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


def test_cells_are_tinted_in_their_states_colours(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, SpaceView, frame, (900, 700))
    colors = []
    for state, cell in enumerate(frame.space.cells):
        middle = 0.5 * (cell.mean(axis=0) + cell[0])
        assert view.plot.state_at(at_pixel(view, middle)) == state
        colors.append(color_at(view, at_pixel(view, middle)))
    for (j, one), (k, two) in itertools.combinations(enumerate(colors), 2):
        assert one != two, (j, k)
    drawn, own = np.array(colors), state_colors(frame.slots).astype(int)
    warmth = [rgb[:, 0] - rgb[:, 2] for rgb in (drawn, own)]
    assert np.corrcoef(*warmth)[0, 1] > 0.8
