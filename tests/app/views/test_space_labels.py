"""Labels, discs and the room that they have in the signature space."""

import itertools
import math

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, QRectF
from pytestqt.qtbot import QtBot

from latviz.app.views.space import layout
from latviz.app.views.space.layout import Mapping
from latviz.app.views.space.view import SpaceView
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.heat import bar_heights
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.frames import frame_of
from tests.app.views.spaces import (
    EVERY,
    PRINCIPAL,
    SIZES,
    in_each_size,
    polygon,
    principal,
    shown,
    three_symbols,
)
from tests.new_frames import new_frame


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
