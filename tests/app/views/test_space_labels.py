"""Labels, discs and the room that they have in the signature space."""

import itertools
import time

import numpy as np
import pytest
import scipy
from PyQt6.QtCore import QPointF, QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QImage, QPainter, QPainterPath
from pytestqt.qtbot import QtBot

from latviz.app.views.space import layout, shapes
from latviz.app.views.space.items import Shapes
from latviz.app.views.space.layout import Mapping
from latviz.app.views.space.view import SpaceView
from tests.app.frames import frame_of
from tests.app.views.spaces import (
    EVERY,
    MEDIUM,
    SIZES,
    color_at,
    polygon,
    principal,
    settled,
    shown,
    space_of,
    three_symbols,
)

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)


def names_of(view: SpaceView) -> list[QRectF]:
    """Return the rectangles of the names that are written."""
    placed = view.plot.corners()
    flags = layout.shown_names(placed)
    return [label.name.translated(at_) for (label, at_), f in zip(placed, flags, strict=True) if f]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "kind", ["camera", "palette", "64 symbols", "principal", "polygon", "three"]
)
def test_labels_are_whole_and_apart(qtbot: QtBot, kind: str, size: tuple[int, int]) -> None:
    made = {"principal": principal, "polygon": polygon, "three": three_symbols}
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
    if size == (900, 700) and kind in ("camera", "polygon", "three"):
        assert len(names) == n_corners


@pytest.mark.parametrize("name", ["camera", "polygon"])
def test_labels_are_outside_of_the_outline(qtbot: QtBot, name: str) -> None:
    frame = polygon() if name == "polygon" else frame_of(name)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    corners = Mapping.of(view.plot.box).to_pixels(space_of(frame).corners)
    outline = shapes.closed(corners)
    for label, at_ in view.plot.corners():
        assert not outline.intersects(label.swatch.translated(at_))
    assert not any(outline.intersects(rect) for rect in names_of(view))


@pytest.mark.parametrize("name", ["camera", "polygon"])
def test_swatches_have_their_symbols_colours(qtbot: QtBot, name: str) -> None:
    frame = polygon() if name == "polygon" else frame_of(name)
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
@pytest.mark.parametrize("unit", [1.0, 1e-40, 1e36])
def test_fitted_has_room_for_all_and_no_more(seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
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


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", ["two states", "density", "lab"])
def test_what_axes_mean_is_not_cut(qtbot: QtBot, kind: str, size: tuple[int, int]) -> None:
    view = shown(qtbot, SpaceView, frame_of(kind), size)
    settled(view)
    for name in ("left", "bottom"):
        label = view.plot.getAxis(name).label
        room = view.plot.viewport().rect().toRectF().adjusted(-3, -3, 3, 3)
        assert room.contains(label.mapRectToScene(label.boundingRect().adjusted(4, 4, -4, -4)))


def spread_by_loops(counts: np.ndarray, blur: float, finer: int) -> np.ndarray:
    """Return counts spread by a Gaussian, at ``finer`` x ``finer`` places a bin."""
    sigma, reach = finer * blur, int(2.5 * finer * blur + 0.5)
    norm = sum(np.exp(-0.5 * (k / sigma) ** 2) for k in range(-reach, reach + 1))
    spread = np.zeros([finer * side for side in counts.shape])
    for y, x in np.ndindex(spread.shape):
        for row, column in np.argwhere(counts).tolist():
            dy, dx = y - finer * row - finer // 2, x - finer * column - finer // 2
            if max(abs(dy), abs(dx)) <= reach:
                share = np.exp(-0.5 * (dy**2 + dx**2) / sigma**2) / norm**2
                spread[y, x] += counts[row, column] * share * 2 * np.pi * sigma**2
    return spread


@pytest.mark.parametrize("finer", [1, 3, 5])
def test_finer_levels_are_of_the_same_gaussians_and_as_dark(finer: int) -> None:
    counts = np.zeros((9, 8), np.int64)
    counts[4, 3], counts[2, 6] = 40, 3
    many = sorted(value for value in spread_by_loops(counts, 0.8, 1).ravel() if value > 1)
    most = np.log(many[-1 - len(many) // 200])
    spread = spread_by_loops(counts, 0.8, finer)
    logs = np.log(np.maximum(spread, 1.0))
    wanted = np.minimum(logs * 185 / most + 70 * np.minimum(spread, 1.0), 255.0)
    levels = shapes.heat_levels(counts, 0.8, finer)
    assert levels.shape == spread.shape
    assert np.abs(levels - wanted).max() <= 2
    if finer > 1:
        assert np.unique(levels).size > np.unique(shapes.heat_levels(counts, 0.8)).size


@pytest.mark.parametrize("blur", [0.8, 3.0])
def test_the_finest_levels_take_little_time(blur: float) -> None:
    """They took 0.2 to 0.7 s of the window's thread; 0.25 s are what one event may take."""
    at = np.random.default_rng(0).normal(128, 32, (60_000, 2)).astype(int).clip(0, 255)
    counts, finer, width = np.zeros((256, 256), np.int64), 9, 9 * blur
    np.add.at(counts, tuple(at.T), 1)
    took = []
    for _ in range(3):
        begun = time.thread_time()
        levels = shapes.heat_levels(counts, blur, finer)
        took.append(time.thread_time() - begun)
    middles = np.zeros((256 * finer, 256 * finer))
    middles[4::9, 4::9] = counts
    spread = scipy.ndimage.gaussian_filter(middles, width, truncate=2.5, mode="constant")
    spread *= 2 * np.pi * width**2
    logs = np.log(np.maximum(spread, 1.0))
    most = np.quantile(logs[logs > 0], 0.995)
    wanted = np.minimum(logs * 185 / most + 70 * np.minimum(spread, 1.0), 255.0)
    assert np.abs(levels - wanted).max() < 1.5
    assert min(took) < 0.25


def test_lines_on_a_plane_are_as_wide_at_any_resolution() -> None:
    widths = []
    for density in (1.0, 3.0):
        image = QImage(QSize(60, 60) * density, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(density)
        image.fill(Qt.GlobalColor.white)
        item = Shapes()
        path = QPainterPath(QPointF(0.5, 0.0))
        path.lineTo(0.5, 1.0)
        item.show_shapes([shapes.Shape(path, line=QColor("black"), width=4.0)])
        painter = QPainter(image)
        painter.scale(60.0, 60.0)
        item.paint(painter)
        painter.end()
        middle = round(30 * density)
        dark = [image.pixelColor(x, middle).value() < 128 for x in range(image.width())]
        widths.append(sum(dark) / density)
    assert widths == [4.0, 4.0]
