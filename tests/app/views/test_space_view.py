"""The view of the signature space, from real frames to pixels and from the pointer to signals."""

import itertools
import math
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PyQt6.QtGui import QMouseEvent, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from skimage import data

from latviz.app.display import Display
from latviz.app.theme import DARK, LIGHT, Theme
from latviz.app.views import space_layout as layout
from latviz.app.views import space_shapes as shapes
from latviz.app.views.painting import text_height
from latviz.app.views.space import SpaceView, describe_state
from latviz.app.views.space_layout import Disc, Mapping
from latviz.core.encoding import Encoding
from latviz.live.frame import Frame, Request, SignatureSpace
from latviz.live.inspection import inspect
from latviz.live.palette import state_colors
from latviz.live.parameters import Parameters, Picture, Projection
from latviz.live.pipeline import Pipeline
from tests.app import frames
from tests.app.frames import frame_of, is_color, leave, pixels, point_at, tip_at

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)

KINDS = ["camera", "two states", "palette", "lab", "density"]
EVERY = [*KINDS, "one state", "32 states", "64 symbols", "texture", "checkerboard"]
FLAT = ["flat", "flat grey", "pixel", "flat palette", "flat colour"]
SIZES = [(180, 140), (240, 420), (380, 320), (900, 260), (900, 700)]
MEDIUM = (420, 360)
PRINCIPAL, SYMBOLS = Projection("principal"), Projection("symbols", (4, 0, 2))


@cache
def picture(name: str) -> Picture:
    return Picture(getattr(data, name)(), name)


@cache
def computed(
    name: str,
    encoding: Encoding,
    n_states: int,
    window: int,
    projection: Projection = PRINCIPAL,
) -> Frame:
    parameters = Parameters(encoding, n_states=n_states, window=window)
    return Pipeline().run(Request(1, picture(name), parameters, projection))


@cache
def flat(name: str) -> Frame:
    if name not in ("flat palette", "flat colour"):
        return frame_of(name)
    encoding = Encoding("palette", 4) if name == "flat palette" else Encoding("rgb")
    photo = Picture(np.full((20, 30, 3), 77, np.uint8), name)
    return Pipeline().run(Request(1, photo, Parameters(encoding, n_states=3)))


def settled(view: SpaceView) -> None:
    """Let the view take the room that its axes and controls leave."""
    for _ in range(3):
        QApplication.processEvents()
        view.grab()


def shown(
    qtbot: QtBot,
    view: type[SpaceView],
    frame: Frame,
    size: tuple[int, int],
    theme: Theme = LIGHT,
) -> SpaceView:
    """Return a visible view of a frame."""
    widget = frames.shown(qtbot, view, frame, size, theme)
    settled(widget)
    return widget


def principal(n_symbols: int = 8) -> Frame:
    return computed("camera", Encoding("quantiles", n_symbols), 6, 4, PRINCIPAL)


def three_symbols() -> Frame:
    return computed("astronaut", Encoding("palette", 6), 8, 4, SYMBOLS)


def space_of(frame: Frame) -> SignatureSpace:
    assert frame.space is not None
    return frame.space


def on_view(view: SpaceView, pixel: QPointF) -> tuple[int, int]:
    """Return where on the view a pixel of the plane is."""
    place = view.plot.mapFromScene(view.plot.box.mapToScene(pixel))
    found = view.plot.viewport().mapTo(view, place)
    return found.x(), found.y()


def on_port(view: SpaceView, pixel: QPointF) -> tuple[float, float]:
    """Return where on the widget that takes the mouse a pixel of the plane is."""
    place = view.plot.mapFromScene(view.plot.box.mapToScene(pixel))
    return place.x(), place.y()


def at_pixel(view: SpaceView, point: NDArray[np.float64]) -> QPointF:
    """Return the pixel of the plane at which a point is drawn."""
    return QPointF(*Mapping.of(view.plot.box).to_pixels(np.asarray(point)[None])[0].tolist())


def color_at(view: SpaceView, pixel: QPointF) -> list[int]:
    x, y = on_view(view, pixel)
    return [int(value) for value in pixels(view)[y, x]]


def state_color(frame: Frame, state: int) -> list[int]:
    return [int(value) for value in state_colors(frame.slots)[state]]


def below_number(disc: Disc) -> QPointF:
    """Return a place on a disc on which no number is written."""
    return disc.centre + QPointF(0, 0.72 * disc.radius)


def uncovered(view: SpaceView) -> Iterator[tuple[Disc, QPointF]]:
    """Return the discs, each with a place that no other disc covers."""
    discs = view.plot.discs()
    for k, disc in enumerate(discs):
        place = below_number(disc)
        later = discs[k + 1 :]
        if not any(math.dist(at(place), at(d.centre)) < d.radius + 4 for d in later):
            yield disc, place


def at(place: QPointF) -> tuple[float, float]:
    return place.x(), place.y()


def shown_range(view: SpaceView) -> list[float]:
    (left, right), (bottom, top) = view.plot.box.viewRange()
    return [left, right, bottom, top]


# What is drawn


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", [*KINDS, "32 states"])
def test_discs_have_their_states_colours(qtbot: QtBot, name: str, theme: Theme) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, MEDIUM, theme)
    image, found = pixels(view), list(uncovered(view))
    assert len(found) >= len(frame.occupancy) * 0.6
    for disc, place in found:
        x, y = on_view(view, place)
        assert image[y, x].tolist() == state_color(frame, disc.state), disc


@pytest.mark.parametrize("name", ["camera", "palette", "lab", "64 symbols"])
def test_discs_are_where_the_codewords_are(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    for disc in view.plot.discs():
        scene = view.plot.box.mapToScene(disc.centre)
        point = view.plot.box.mapSceneToView(scene)
        wanted = space_of(frame).codewords[disc.state]
        assert (point.x(), point.y()) == pytest.approx(tuple(wanted), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", ["two states", "density", "32 states"])
def test_discs_of_a_line_are_above_their_values(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    if name == "32 states":
        frame = computed("camera", Encoding("grey"), 32, 4)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    discs = view.plot.discs()
    assert sorted(disc.state for disc in discs) == list(range(len(frame.occupancy)))
    for disc in discs:
        place = at_pixel(view, space_of(frame).codewords[disc.state])
        assert disc.centre.x() == pytest.approx(place.x())
    tops = Mapping.of(view.plot.box).to_pixels(np.array([[0.0, 1.0]]))[0, 1]
    assert all(disc.centre.y() + disc.radius < tops for disc in discs)


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


@pytest.mark.parametrize("name", ["camera", "palette", "density", "lab", "two states"])
def test_nothing_is_left_of_the_frames_before(qtbot: QtBot, name: str) -> None:
    fresh = pixels(shown(qtbot, SpaceView, frame_of(name), MEDIUM))
    for before in KINDS:
        view = shown(qtbot, SpaceView, frame_of(before), MEDIUM)
        view.show_inspection(inspect(frame_of(before), (40, 60)))
        pixels(view)
        view.show_frame(frame_of(name))
        view.show_inspection(None)
        settled(view)
        np.testing.assert_array_equal(pixels(view), fresh, err_msg=f"{name} after {before}")


def test_a_frame_without_a_space_leaves_an_empty_panel(qtbot: QtBot) -> None:
    frame = frame_of("lab")
    request = Request(2, frame.request.picture, frame.request.parameters, views=frozenset())
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    assert not is_color(pixels(view), LIGHT.panel).all()
    view.show_frame(Pipeline().run(request))
    settled(view)
    assert is_color(pixels(view), LIGHT.panel).all()
    assert view.plot.discs() == []


def test_a_hidden_view_draws_nothing_until_it_is_shown(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = SpaceView()
    qtbot.addWidget(view)
    view.resize(*MEDIUM)
    view.show_frame(frame)
    view.show_inspection(inspect(frame, (40, 60)))
    view.show_display(Display(state=1))
    assert view.plot.shown is None
    assert view.plot.discs() == []
    view.show()
    assert view.plot.shown is not None
    assert view.plot.shown.frame is frame
    assert view.plot.shown.state == 1
    view.hide()
    view.show_frame(frame_of("lab"))
    assert view.plot.shown.frame is frame


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", FLAT)
def test_spaces_without_extent_are_drawn(qtbot: QtBot, name: str, size: tuple[int, int]) -> None:
    frame = flat(name)
    view = shown(qtbot, SpaceView, frame, size)
    settled(view)
    assert len(view.plot.discs()) == len(frame.occupancy)
    top = view.plot.discs()[-1]
    assert view.plot.state_at(top.centre) == top.state
    assert color_at(view, below_number(top)) == state_color(frame, top.state)


def test_density_shows_where_pixels_are_and_nowhere_else(qtbot: QtBot) -> None:
    frame = computed("camera", Encoding("quantiles", 8), 4, 4, Projection())
    view = shown(qtbot, SpaceView, frame, (900, 700))
    image, found = pixels(view), space_of(frame)
    outline = shapes.outline_path(found)
    corners = list(found.corners) if found.corners is not None else []
    seen = {True: 0, False: 0}
    for row, column in itertools.product(range(10, 246, 3), repeat=2):
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
    assert min(seen.values()) > 50


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_bars_have_the_colour_of_their_cell(qtbot: QtBot, theme: Theme) -> None:
    frame = computed("coins", Encoding("grey"), 4, 4)
    view = shown(qtbot, SpaceView, frame, (900, 500), theme)
    found, image = space_of(frame), pixels(view)
    heights = shapes.bar_heights(found.density[0], found.kind)
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


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_parts_of_a_line_are_tinted_above_the_bars(qtbot: QtBot, theme: Theme) -> None:
    frame = computed("camera", Encoding("quantiles", 2), 4, 4)
    view = shown(qtbot, SpaceView, frame, (900, 500), theme)
    image, panel = pixels(view), np.array(theme.color("panel").getRgb()[:3])
    for state, low, high in layout.line_cells(space_of(frame)):
        low, high = max(low, 0.02), min(high, 0.98)
        value = low + 0.3 * (high - low)
        x, y = on_view(view, at_pixel(view, np.array([value, 0.95])))
        share = 54 / 255 if theme is LIGHT else 72 / 255
        wanted = panel + share * (np.array(state_color(frame, state)) - panel)
        assert np.abs(image[y, x] - wanted).max() < 2.5


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


def test_ends_of_a_segment_are_its_symbols(qtbot: QtBot) -> None:
    frame = frame_of("two states")
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    assert view.plot.shown is not None
    row = layout.EDGE + text_height(view.plot.shown.font) / 2
    inset = layout.EDGE + layout.SWATCH
    ends = QPointF(inset, row), QPointF(view.plot.box.width() - inset, row)
    for symbol, end in enumerate(ends):
        assert color_at(view, end) == frame.observations.colors[symbol].tolist()
    assert all(disc.centre.y() - disc.radius > 2 * row for disc in view.plot.discs())


def test_cells_are_tinted_in_their_states_colours(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, SpaceView, frame, (900, 700))
    colors = []
    for state, cell in enumerate(space_of(frame).cells):
        middle = 0.5 * (cell.mean(axis=0) + cell[0])
        assert view.plot.state_at(at_pixel(view, middle)) == state
        colors.append(color_at(view, at_pixel(view, middle)))
    for (j, one), (k, two) in itertools.combinations(enumerate(colors), 2):
        assert one != two, (j, k)
    drawn, own = np.array(colors), state_colors(frame.slots).astype(int)
    warmth = [rgb[:, 0] - rgb[:, 2] for rgb in (drawn, own)]
    assert np.corrcoef(*warmth)[0, 1] > 0.8


# Labels and room


def names_of(view: SpaceView) -> list[QRectF]:
    """Return the rectangles of the names that are written."""
    placed = view.plot.corners()
    flags = layout.shown_names(placed)
    return [label.name.translated(at_) for (label, at_), f in zip(placed, flags, strict=True) if f]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", ["camera", "palette", "64 symbols", "principal", "three"])
def test_labels_are_whole_and_apart(qtbot: QtBot, kind: str, size: tuple[int, int]) -> None:
    made = {"principal": principal, "three": three_symbols}
    frame = made[kind]() if kind in made else frame_of(kind)
    view = shown(qtbot, SpaceView, frame, size)
    settled(view)
    room = QRectF(0, 0, view.plot.box.width(), view.plot.box.height())
    placed = view.plot.corners()
    n_corners = 3 if kind == "three" else frame.observations.n_symbols
    assert len(placed) == n_corners
    assert all(room.contains(label.swatch.translated(at_)) for label, at_ in placed)
    names = names_of(view)
    assert all(room.contains(name) for name in names)
    assert not any(a.intersects(b) for a, b in itertools.combinations(names, 2))
    for name, (label, at_) in itertools.product(names, placed):
        assert not name.intersects(label.swatch.translated(at_))
    if size == (900, 700) and kind in ("camera", "palette", "three"):
        assert len(names) == n_corners


@pytest.mark.parametrize("name", ["camera", "palette"])
def test_labels_are_outside_of_the_outline(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), MEDIUM)
    corners = Mapping.of(view.plot.box).to_pixels(space_of(frame_of(name)).corners)
    outline = shapes.closed(corners)
    for label, at_ in view.plot.corners():
        assert not outline.intersects(label.swatch.translated(at_))
    assert not any(outline.intersects(rect) for rect in names_of(view))


@pytest.mark.parametrize("name", ["camera", "palette"])
def test_swatches_have_their_symbols_colours(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    for label, at_ in view.plot.corners():
        centre = label.swatch.translated(at_).center()
        assert color_at(view, centre) == frame.observations.colors[label.symbol].tolist()


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", EVERY)
def test_discs_are_whole(qtbot: QtBot, name: str, size: tuple[int, int]) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), size)
    settled(view)
    width, height = view.plot.box.width(), view.plot.box.height()
    for disc in view.plot.discs():
        assert disc.radius <= disc.centre.x() <= width - disc.radius
        assert disc.radius <= disc.centre.y() <= height - disc.radius


@pytest.mark.parametrize("seed", range(20))
def test_fitted_has_room_for_all_and_no_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(rng.integers(2, 9), 2)) * rng.uniform(0.1, 1000, 2)
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


@pytest.mark.parametrize("n", [1, 2, 10, 32])
def test_lanes_keep_discs_apart(n: int) -> None:
    rng = np.random.default_rng(n)
    x, radii = np.sort(rng.uniform(0, 30 * n, n)), rng.uniform(8, 12, n)
    found = layout.lanes(x, radii)
    for j, k in itertools.combinations(range(n), 2):
        assert found[j] != found[k] or abs(x[j] - x[k]) >= radii[j] + radii[k]


def test_lanes_are_few() -> None:
    assert layout.lanes(np.array([0.0, 30.0, 60.0]), np.full(3, 10.0)) == [0, 0, 0]
    assert layout.lanes(np.array([5.0, 0.0, 10.0, 25.0]), np.full(4, 10.0)) == [1, 0, 2, 0]
    assert max(layout.lanes(np.zeros(20), np.full(20, 10.0))) == 3


def test_hull_of_a_square_with_points_inside() -> None:
    points = np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 0.0], [0.2, 0.7], [1.0, 1.0], [0.0, 1.0]])
    assert layout.hull(points) == [2, 1, 4, 5]
    assert layout.hull(points[:1]) == [0]
    assert layout.hull(points[:2]) == [0, 1]


@pytest.mark.parametrize("blur", [0.8, 3.0])
def test_heat_levels_rise_with_the_counts(blur: float) -> None:
    counts = np.zeros((128, 128), np.int64)
    places = {1: (20, 20), 10: (20, 90), 1000: (90, 20), 100_000: (90, 90)}
    for count, place in places.items():
        counts[place] = count
    levels = shapes.heat_levels(counts, blur)
    assert levels.dtype == np.uint8
    found = [int(levels[place]) for place in places.values()]
    assert found == sorted(set(found))
    assert found[0] >= 50
    assert found[-1] == 255
    assert levels[:5].max() == 0
    assert shapes.heat_levels(np.zeros((4, 4), np.int64), blur).max() == 0


def test_bar_heights_are_between_0_and_1_in_the_order_of_the_counts() -> None:
    counts = np.array([0, 1, 5, 100_000])
    for kind in ("segment", "histogram"):
        heights = shapes.bar_heights(counts, kind)
        assert heights[0] == 0.0
        assert heights[-1] == 1.0
        assert (np.diff(heights) > 0).all()
    assert shapes.bar_heights(np.array([1, 4]), "histogram")[0] == pytest.approx(0.5)


# The pointer


@pytest.mark.parametrize("name", [*KINDS, "32 states"])
def test_pointing_at_a_disc_tells_its_state(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), MEDIUM)
    told: list[int | None] = []
    view.state_hovered.connect(told.append)
    for disc, place in uncovered(view):
        point_at(view.plot.viewport(), *on_port(view, place))
        assert told[-1] == disc.state
    leave(view.plot)
    assert told[-1] is None
    assert all(a != b for a, b in itertools.pairwise(told))


def test_moving_the_mouse_tells_the_state(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, frame_of("camera"), MEDIUM)
    qtbot.waitExposed(view)
    port, disc = view.plot.viewport(), view.plot.discs()[-1]
    with qtbot.waitSignal(view.state_hovered) as blocker:
        QTest.mouseMove(port, QPoint(*map(round, on_port(view, disc.centre))))
    assert blocker.args == [disc.state]


def test_pointing_at_a_cell_tells_its_state(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    told: list[int | None] = []
    view.state_hovered.connect(told.append)
    signatures = np.random.default_rng(0).dirichlet([1, 1, 1], 200)
    n_checked = 0
    for x, point in zip(signatures, space_of(frame).locate(signatures), strict=True):
        distances = np.sqrt(((frame.codebook - x) ** 2).sum(axis=1))
        pixel = at_pixel(view, point)
        on_disc = any(math.dist(at(pixel), at(d.centre)) < d.radius + 3 for d in view.plot.discs())
        if on_disc or np.diff(np.sort(distances))[0] < 0.03:
            continue
        told.clear()
        leave(view.plot)
        point_at(view.plot.viewport(), *on_port(view, pixel))
        assert told[-1] == distances.argmin()
        n_checked += 1
    assert n_checked > 50


@pytest.mark.parametrize("name", ["two states", "density"])
def test_pointing_at_a_part_of_a_line_tells_its_state(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    found = space_of(frame)
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


@pytest.mark.parametrize("name", ["camera", "palette", "lab"])
def test_pointing_at_nothing_tells_nothing(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), (600, 360))
    assert view.plot.state_at(QPointF(3, view.plot.box.height() / 2)) is None
    assert view.plot.state_at(QPointF(-20, 20)) is None
    assert tip_at(view.plot.viewport(), *on_port(view, QPointF(3, 150))) == ""


def test_the_state_under_a_resting_pointer_is_told_anew(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, frame_of("camera"), MEDIUM)
    told: list[int | None] = []
    view.state_hovered.connect(told.append)
    centre = at_pixel(view, np.array([0.0, 0.1]))
    point_at(view.plot.viewport(), *on_port(view, centre))
    before = told[-1]
    view.show_frame(frame_of("one state"))
    assert before not in (0, None)
    assert told[-1] == 0


def test_tool_tips_of_states(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    disc = view.plot.discs()[-1]
    row = frame.codebook[disc.state]
    share = 100 * frame.occupancy[disc.state] / frame.n_nodes
    wanted = (
        f"state {disc.state + 1} · {share:.1f} % of pixels · "
        f"B = ({row[0]:.2f}, {row[1]:.2f}, {row[2]:.2f})"
    )
    tip = tip_at(view.plot.viewport(), *on_port(view, disc.centre))
    assert " ".join(tip.split()) == wanted


def test_tool_tips_of_symbols(qtbot: QtBot) -> None:
    frame = frame_of("64 symbols")
    view = shown(qtbot, SpaceView, frame, (900, 700))
    for label, at_ in view.plot.corners()[::9]:
        centre = label.swatch.translated(at_).center()
        tip = tip_at(view.plot.viewport(), *on_port(view, centre))
        assert tip == f"symbol {frame.observations.names[label.symbol]}"


def test_descriptions_of_real_vectors_and_of_many_symbols() -> None:
    frame = frame_of("lab")
    assert describe_state(frame, 0).split(" · ")[2].startswith("mean L* ")
    many = frame_of("64 symbols")
    text, row = describe_state(many, 1), many.codebook[1]
    most = int(row.argmax())
    assert text.split(" · ")[2].startswith(
        f"mostly {many.observations.names[most]} ({row[most]:.2f}), "
    )
    assert text.count("(") == 4


# The inspected pixel and the state that is set off


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", ["camera", "lab", "palette", "two states", "density"])
def test_the_inspected_signature_is_marked(qtbot: QtBot, name: str, theme: Theme) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, (900, 700), theme)
    before = pixels(view)
    rows, columns = frame.states.shape
    nodes = [(rows // 2 + k, columns // 3 + 5 * k) for k in range(0, 60, 6)]
    for found in (inspect(frame, node) for node in nodes):
        view.show_inspection(found)
        after = pixels(view)
        place = at_pixel(view, space_of(frame).locate(found.signature))
        disc = next(d for d in view.plot.discs() if d.state == found.nearest[0][0])
        if space_of(frame).kind in ("segment", "histogram"):
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


def test_the_state_that_is_set_off_keeps_its_colour_and_others_fade(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    before = pixels(view)
    places = {disc.state: on_view(view, place) for disc, place in uncovered(view)}
    view.show_display(Display(state=2))
    after = pixels(view)
    assert len(places) == 5
    for state, (x, y) in places.items():
        color = state_color(frame, state)
        assert before[y, x].tolist() == color
        assert (after[y, x].tolist() == color) == (state == 2)
    view.show_display(Display())
    np.testing.assert_array_equal(pixels(view), before)


@pytest.mark.parametrize("name", KINDS)
def test_a_state_that_is_no_more_is_not_set_off(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), MEDIUM)
    plain = pixels(view)
    view.show_display(Display(state=len(frame_of(name).occupancy)))
    np.testing.assert_array_equal(pixels(view), plain)
    view.show_display(Display(state=0))
    assert (pixels(view) != plain).any()


@pytest.mark.parametrize("name", [*EVERY, "flat"])
def test_a_new_theme_is_as_if_it_had_always_been_there(qtbot: QtBot, name: str) -> None:
    fresh = pixels(shown(qtbot, SpaceView, frame_of(name), MEDIUM, DARK))
    view = shown(qtbot, SpaceView, frame_of(name), MEDIUM, LIGHT)
    assert is_color(pixels(view)[1, 1], LIGHT.panel).all() or name in ("density",)
    view.apply_theme(DARK)
    settled(view)
    np.testing.assert_array_equal(pixels(view), fresh)


def test_the_ground_is_the_themes(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, frame_of("palette"), MEDIUM, LIGHT)
    for theme in (DARK, LIGHT, DARK):
        view.apply_theme(theme)
        image = pixels(view)
        for x, y in ((2, 2), (2, MEDIUM[1] - 3), (MEDIUM[0] - 3, MEDIUM[1] - 3)):
            assert is_color(image[y, x], theme.panel)


# The range


def scroll(view: SpaceView, pixel: QPointF, steps: int) -> None:
    """Turn the wheel over a pixel of the plane."""
    place = QPointF(*on_port(view, pixel))
    event = QWheelEvent(
        place,
        QPointF(view.plot.viewport().mapToGlobal(place.toPoint())),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.plot.viewport(), event)


def drag(view: SpaceView, by: QPoint) -> None:
    """Drag the middle of the plane with the left button."""
    port, button = view.plot.viewport(), Qt.MouseButton.LeftButton
    start = port.rect().center()
    QTest.mousePress(port, button, pos=start)
    for step in range(1, 11):
        place = QPointF(start + by * (step / 10))
        over = QPointF(port.mapToGlobal(place.toPoint()))
        move, keys = QEvent.Type.MouseMove, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(
            port, QMouseEvent(move, place, over, Qt.MouseButton.NoButton, button, keys)
        )
        QTest.qWait(15)
    QTest.mouseRelease(port, button, pos=start + by)


@pytest.mark.parametrize("name", ["camera", "palette", "lab"])
def test_both_axes_of_a_plane_have_one_scale(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), (700, 300))
    for _ in range(2):
        mapping = Mapping.of(view.plot.box)
        assert mapping.x_scale == pytest.approx(mapping.y_scale, rel=1e-6)
        view.resize(320, 500)
        settled(view)


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
    view.show_frame(Pipeline().run(Request(2, frame.request.picture, parameters)))
    pixels(view)
    assert shown_range(view)[:2] == pytest.approx(zoomed[:2])
    view.show_frame(frame)
    port = view.plot.viewport()
    QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=port.rect().center())
    assert shown_range(view) == pytest.approx(whole)


def test_what_a_person_dragged_to_stays(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, frame_of("camera"), MEDIUM)
    whole = shown_range(view)
    drag(view, QPoint(60, -30))
    dragged = shown_range(view)
    scale = Mapping.of(view.plot.box).x_scale
    assert (whole[0] - dragged[0]) * scale == pytest.approx(60, abs=15)
    assert (dragged[3] - whole[3]) * scale == pytest.approx(-30, abs=10)
    view.show_display(Display(state=1))
    assert shown_range(view) == pytest.approx(dragged)


@pytest.mark.parametrize("other", ["palette", "lab", "two states", "32 states"])
def test_another_space_is_shown_whole(qtbot: QtBot, other: str) -> None:
    fresh = shown_range(shown(qtbot, SpaceView, frame_of(other), MEDIUM))
    view = shown(qtbot, SpaceView, frame_of("camera"), MEDIUM)
    scroll(view, QPointF(200, 150), 4)
    view.show_frame(frame_of(other))
    settled(view)
    assert shown_range(view) == pytest.approx(fresh, rel=1e-6)


def test_the_range_grows_with_what_is_worth_showing_and_does_not_shrink(qtbot: QtBot) -> None:
    wide, narrow = (computed("astronaut", Encoding("lab"), 4, w) for w in (1, 20))
    view = shown(qtbot, SpaceView, narrow, MEDIUM)
    first = shown_range(view)
    view.show_frame(wide)
    second = shown_range(view)
    assert second[1] - second[0] > 1.05 * (first[1] - first[0])
    for edges, frame in ((second, wide), (second, narrow)):
        left, bottom, width, height = space_of(frame).focus
        assert edges[0] < left
        assert left + width < edges[1]
        assert edges[2] < bottom
        assert bottom + height < edges[3]
    view.show_frame(narrow)
    assert shown_range(view) == pytest.approx(second)


def test_menus_are_off(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, frame_of("lab"), MEDIUM)
    port = view.plot.viewport()
    for place in (port.rect().center(), QPoint(10, 100), QPoint(200, port.height() - 8)):
        QTest.mouseClick(port, Qt.MouseButton.RightButton, pos=place)
        assert QApplication.activePopupWidget() is None


# The projection


def bar_texts(view: SpaceView) -> list[str]:
    return [box.currentText() for box in view.bar.corners]


def test_choosing_a_projection_emits_it(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, frame_of("palette"), MEDIUM)
    told: list[Projection] = []
    view.projection_changed.connect(told.append)
    assert view.bar.isVisible()
    for text, kind in (
        ("Principal components", "principal"),
        ("Three symbols", "symbols"),
        ("Regular polygon", "polygon"),
    ):
        view.bar.kind.setFocus()
        view.bar.kind.setCurrentText(text)
        assert told.pop() == Projection(kind, (0, 1, 2))
        assert told == []
        assert all(box.isVisible() == (kind == "symbols") for box in view.bar.corners)


def test_choosing_symbols_emits_them(qtbot: QtBot) -> None:
    frame = three_symbols()
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    view.show_projection(SYMBOLS)
    names = frame.observations.names
    assert bar_texts(view) == [names[4], names[0], names[2]]
    with qtbot.waitSignal(view.projection_changed) as blocker:
        QTest.keyClick(view.bar.corners[0], Qt.Key.Key_Down)
    assert blocker.args == [Projection("symbols", (5, 0, 2))]


def test_choosing_a_symbol_that_another_corner_has_swaps_them(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, three_symbols(), MEDIUM)
    view.show_projection(SYMBOLS)
    with qtbot.waitSignal(view.projection_changed) as blocker:
        view.bar.corners[1].setCurrentIndex(2)
    assert blocker.args == [Projection("symbols", (4, 2, 0))]
    assert [box.currentIndex() for box in view.bar.corners] == [4, 2, 0]


@pytest.mark.parametrize("projection", [PRINCIPAL, SYMBOLS, Projection()])
def test_showing_a_projection_emits_nothing(qtbot: QtBot, projection: Projection) -> None:
    view = shown(qtbot, SpaceView, frame_of("palette"), MEDIUM)
    with qtbot.assertNotEmitted(view.projection_changed):
        view.show_projection(projection)
        view.show_frame(three_symbols())
    assert view.bar.projection == projection
    titles = {"polygon": "Regular polygon", "principal": "Principal components"}
    assert view.bar.kind.currentText() == titles.get(projection.kind, "Three symbols")


def test_symbols_that_there_are_not_give_way_to_those_that_are_drawn(qtbot: QtBot) -> None:
    wanted = Projection("symbols", (3, 5, 9))
    frame = computed("camera", Encoding("quantiles", 4), 4, 4, wanted)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    view.show_projection(wanted)
    drawn = [label.symbol for label, _ in view.plot.corners()]
    assert sorted(box.currentIndex() for box in view.bar.corners) == sorted(drawn) == [0, 1, 3]
    with qtbot.waitSignal(view.projection_changed) as blocker:
        view.bar.corners[2].setCurrentIndex(2)
    assert blocker.args == [Projection("symbols", (3, 0, 2))]


@pytest.mark.parametrize(
    ("name", "controls", "statement"),
    [
        ("camera", False, False),
        ("two states", False, False),
        ("density", False, False),
        ("lab", False, True),
        ("palette", True, True),
    ],
)
def test_controls_are_there_where_they_matter(
    qtbot: QtBot, name: str, controls: bool, statement: bool
) -> None:
    view = shown(qtbot, SpaceView, frame_of("palette"), MEDIUM)
    view.show_frame(frame_of(name))
    assert view.bar.kind.isVisible() == controls
    assert view.bar.statement.isVisible() == statement
    assert not any(box.isVisible() for box in view.bar.corners)


@pytest.mark.parametrize("kind", ["palette", "lab", "principal"])
def test_the_statement_tells_the_variance(qtbot: QtBot, kind: str) -> None:
    frame = principal() if kind == "principal" else frame_of(kind)
    view = shown(qtbot, SpaceView, frame, (500, 300))
    settled(view)
    percent = 100 * space_of(frame).variance_kept
    assert percent < 99
    assert view.bar.statement.text() == f"shows {percent:.0f} % of the variance"
    view.resize(200, 300)
    settled(view)
    short = view.bar.statement.text()
    assert short != view.bar.statement.toolTip() or kind == "lab"
    assert f"{percent:.0f} %" in short
    assert "…" not in short


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.834, "83 %"), (0.9937, "99.4 %"), (0.9996, "100 %"), (1.0, "100 %"), (0.004, "0 %")],
)
def test_only_what_is_nearly_all_reads_100(qtbot: QtBot, share: float, text: str) -> None:
    view = SpaceView()
    qtbot.addWidget(view)
    view.bar.show_variance(share)
    assert view.bar.statement.toolTip() == f"shows {text} of the variance"
