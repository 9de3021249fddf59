"""From the signature space back to the pixels: rectangles, and the pixels of one point."""

from itertools import product
from math import hypot

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot
from scipy.ndimage import distance_transform_edt
from scipy.spatial import KDTree

from latviz.app.program.window import MainWindow
from latviz.app.views.space.lasso import touches
from latviz.app.views.space.layout import Mapping
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import RegionSelection, StateSelection, inside
from latviz.engine.geometry.signature_space import Projection
from tests.app.conftest import begin_anew, settle
from tests.app.frames import tip_at
from tests.app.views.spaces import at
from tests.app.views.test_selection import LEFT, SHIFT, lit_frame
from tests.app.views.test_space import wait_for_projection

CONTROL = Qt.KeyboardModifier.ControlModifier
THREE, EIGHT, VECTORS = ("quantiles", 3), ("quantiles", 8), ("rgb", 3)
SPACES = [
    (THREE, Projection()),
    (EIGHT, Projection()),
    (VECTORS, Projection()),
    (("grey", 3), Projection()),
    (("quantiles", 4), Projection("tetrahedron")),
    (("quantiles", 2), Projection()),  # the last one: its plot is zoomed
]
WITH_ROOM = THREE, EIGHT, VECTORS
"""Encodings whose spaces have a part that no signature is in."""


def encoded(window: MainWindow, qtbot: QtBot, encoding: tuple[str, int]) -> Frame:
    window.document.set("M", encoding=Encoding(*encoding))
    return settle(qtbot, window)


def place_of(window: MainWindow, point: np.ndarray) -> QPoint:
    """Return where a point of the space is drawn."""
    plot = window.views["space"].plot
    pixel = Mapping.of(plot.box).to_pixels(np.asarray(point, float)[None])[0]
    return QPoint(plot.mapFromScene(plot.box.mapToScene(QPointF(*pixel.tolist()))))


def points_of(frame: Frame) -> np.ndarray:
    """Return where each pixel's signature is drawn, (H, W, 2)."""
    return frame.space.locate(frame.model.signature(frame.observations.values))


def test_each_space_is_clicked_and_dragged_in(window: MainWindow, qtbot: QtBot) -> None:
    check_a_click_picks_what_is_there(window, qtbot)
    begin_anew(qtbot, window)
    check_clicks_and_drags_in_each_space(window, qtbot)


def check_clicks_and_drags_in_each_space(window: MainWindow, qtbot: QtBot) -> None:
    for name in ("image", "indices", "likelihood", "emissions", "pixel"):
        window.tabs.stage.close_dock(name)  # no part in it
    QTest.qWait(100)
    for encoding, projection in SPACES:
        window.document.change("Projection", projection=projection)
        encoded(window, qtbot, encoding)
        frame = wait_for_projection(qtbot, window)
        if projection == Projection():
            check_rectangle(window, qtbot)
            check_pixels_of_a_point(window, frame)
            if encoding in WITH_ROOM:
                check_drawing_around_nothing(window, frame)
        if encoding[0] == "quantiles":
            check_clicks(window, qtbot, frame)


def check_rectangle(window: MainWindow, qtbot: QtBot) -> None:
    plot = window.views["space"].plot
    rect = plot.box.sceneBoundingRect()
    middle = plot.mapFromScene(rect.center())
    start = middle - QPoint(round(rect.width() / 4), round(rect.height() / 4))
    stop = middle + QPoint(round(rect.width() / 5), round(rect.height() / 3))
    QTest.mousePress(plot.viewport(), LEFT, CONTROL, start)
    for share in (0.3, 1.2, 1.0):
        QTest.mouseMove(plot.viewport(), start + (stop - start) * share)
    assert not plot.lasso.item.path().isEmpty()
    QTest.mouseRelease(plot.viewport(), LEFT, CONTROL, stop)
    assert plot.lasso.item.path().isEmpty()
    chosen = window.document.state.selection
    assert isinstance(chosen, RegionSelection)
    found = lit_frame(qtbot, window)
    assert 0 < found.lit.n_pixels < found.n_nodes
    (left, _), (right, _) = np.min(chosen.corners, axis=0), np.max(chosen.corners, axis=0)
    ends = [plot.to_plane(QPointF(at)) for at in (start, stop)]
    assert sorted(end.x() for end in ends) == pytest.approx([left, right], rel=1e-12)
    outline = plot.lasso.picked.path().boundingRect()
    assert (outline.left(), outline.right()) == pytest.approx((left, right))
    window.document.select(None)
    assert plot.lasso.picked.path().isEmpty()


def check_drawing_around_nothing(window: MainWindow, frame: Frame) -> None:
    space = frame.space
    far = distance_transform_edt(np.pad(space.density == 0, 1))[1:-1, 1:-1]
    middle, reach = np.unravel_index(far.argmax(), far.shape), far.max() / 2
    bins = [np.add(middle, (reach * y, reach * x)) for y, x in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
    (left, bottom, width, height), (rows, columns) = space.extent, space.density.shape
    corners = [(left + width * x / columns, bottom + height * y / rows) for y, x in bins]
    viewport = window.views["space"].plot.viewport()
    around = [place_of(window, np.array(corner)) for corner in corners]
    for keys, places in ((CONTROL, around[::2]), (SHIFT, around)):
        QTest.mousePress(viewport, LEFT, keys, places[0])
        for place in places[1:]:
            QTest.mouseMove(viewport, place)
        QTest.mouseRelease(viewport, LEFT, keys, places[-1])
        assert window.document.state.selection is None, keys


def test_a_bin_that_a_sharp_tip_ends_in_is_touched() -> None:
    counts = np.zeros((5, 8), np.int64)
    counts[4, 7] = 1
    assert touches(((0, 0), (0, 1), (5.25, 3.25)), counts, (-2.0, 1.0, 8.0, 2.5))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.floats(-4, 9), st.floats(-3, 6)), min_size=3, max_size=9), st.data())
def test_only_what_is_far_from_all_signatures_touches_none(corners, data) -> None:
    rows, columns = 5, 8
    counts = np.zeros((rows, columns), np.int64)
    filled = data.draw(st.sets(st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))))
    for row, column in filled:
        counts[row, column] = 3
    extent = (-2.0, 1.0, 8.0, 2.5)
    found = touches(tuple(corners), counts, extent)
    across, up = np.meshgrid(np.linspace(-2, 6, 161)[:-1], np.linspace(1, 3.5, 101)[:-1])
    held = inside(np.stack([across, up], axis=-1).reshape(-1, 2), np.array(corners))
    if (held.reshape(up.shape) & (counts.repeat(20, 0).repeat(20, 1) > 0)).any():
        assert found
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    beside = [
        column - 1.5 > high[0] + 2
        or column + 2.5 < low[0] + 2
        or row - 1.5 > (high[1] - 1) * 2
        or row + 2.5 < (low[1] - 1) * 2
        for row, column in filled
    ]
    assert not (found and all(beside))


def check_pixels_of_a_point(window: MainWindow, frame: Frame) -> None:
    space = frame.space
    plot = window.views["space"].plot
    for row, column in np.argwhere(space.density > 0.5 * space.density.max()).tolist():
        middle = np.array(space.corners_of(row, column)).mean(axis=0)
        if space.on_line:
            middle[1] = 0.3
        place = place_of(window, middle)
        at = plot.to_plane(QPointF(place))
        if space.bin_at(at.x(), at.y()) == (row, column):
            break  # a pixel may be larger than a bin, and its middle in the next one
    for keys in (CONTROL, SHIFT):
        QTest.mouseClick(plot.viewport(), LEFT, keys, place)
        chosen = window.document.state.selection
        assert isinstance(chosen, RegionSelection), keys
        assert chosen == RegionSelection(space.corners_of(row, column)), keys
        QTest.mouseClick(plot.viewport(), LEFT, keys, place)
        assert window.document.state.selection is None, keys


def thinned(window: MainWindow, qtbot: QtBot) -> Frame:
    """Let signatures be few, and far from each other on the screen."""
    window.document.set("w", window=1)
    frame = settle(qtbot, window)
    window.views["space"].plot.zoom(4.0)
    return frame


def distances(places: list[QPoint], drawn: np.ndarray, corner: QPoint, frame: Frame) -> np.ndarray:
    """Return how far the nearest signature is from each place, on a line along it."""
    here = np.array([at(QPointF(place - corner)) for place in places])
    n_axes = 1 if frame.space.on_line else 2
    return KDTree(drawn[:, :n_axes]).query(here[:, :n_axes])[0]


def check_clicks(window: MainWindow, qtbot: QtBot, frame: Frame) -> None:
    plot = window.views["space"].plot
    if frame.space.on_line:  # on which signatures are dense
        frame = thinned(window, qtbot)
    port, mapping = plot.viewport(), Mapping.of(plot.box)
    drawn = mapping.to_pixels(points_of(frame).reshape(-1, 2))
    corner = plot.mapFromScene(plot.box.mapToScene(QPointF()))
    (width, height), (rows, columns) = frame.space.extent[2:], frame.space.density.shape
    # A signature is somewhere in its bin.
    spread = mapping.x_scale * width / columns, mapping.y_scale * height / rows
    if frame.space.on_line:
        spread = spread[0], 0.0
    discs = [(disc.centre, disc.radius) for disc in plot.discs()]
    empty, n_near = list[QPoint](), 0
    room = mapping.room.adjusted(4, 4, -4, -4)
    some = [QPoint(round(x), round(y)) + corner for x, y in drawn[::1777].tolist()]
    some = [place for place in some if room.contains(QPointF(place - corner))]
    grid = product(range(8, port.width(), 23), range(8, port.height(), 23))
    places = [*some, *(QPoint(*each) for each in grid)]
    for place, nearest in zip(places, distances(places, drawn, corner, frame), strict=True):
        here = place - corner
        to_disc = min(hypot(here.x() - c.x(), here.y() - c.y()) - r for c, r in discs)
        if nearest > 8 + hypot(*spread) and to_disc > 8:
            empty.append(place)
        elif nearest < 5 and to_disc > 8 and n_near < 2:
            QTest.mouseClick(port, LEFT, pos=place)
            assert window.document.state.selection is not None, place
            lit = lit_frame(qtbot, window).lit
            assert lit.n_pixels > 0
            window.document.select(None)
            n_near += 1
    assert n_near > 0
    assert len(empty) > 10
    for place in empty[:: len(empty) // 5]:
        for keys in (Qt.KeyboardModifier.NoModifier, CONTROL):
            QTest.mouseClick(port, LEFT, keys, place)
            assert window.document.state.selection is None, place


def check_a_click_picks_what_is_there(window: MainWindow, qtbot: QtBot) -> None:
    frame, plot = settle(qtbot, window), window.views["space"].plot
    cell = frame.space.cells[2]
    place = place_of(window, 0.8 * cell.mean(axis=0) + 0.2 * cell[0])
    QTest.mouseClick(plot.viewport(), LEFT, pos=place)
    assert window.document.state.selection == StateSelection(frame.slots[2])

    # A rectangle without extent is a point.
    start = plot.mapFromScene(plot.box.sceneBoundingRect().center())
    QTest.mousePress(plot.viewport(), LEFT, CONTROL, start)
    QTest.mouseMove(plot.viewport(), start + QPoint(30, 0))
    QTest.mouseRelease(plot.viewport(), LEFT, CONTROL, start + QPoint(30, 0))
    assert isinstance(window.document.state.selection, RegionSelection)
    window.document.select(None)

    window.document.set("N", n_states=32)
    window.document.select(None)
    window.document.set("N", n_states=4)
    check_beside_all_states(window, qtbot, encoded(window, qtbot, EIGHT))


def check_beside_all_states(window: MainWindow, qtbot: QtBot, frame: Frame) -> None:
    """Click outside all states: the pixels of the point are selected."""
    plot, density = window.views["space"].plot, frame.space.density
    for row, column in np.argwhere(density > 0)[::7].tolist():
        place = place_of(window, np.mean(frame.space.corners_of(row, column), axis=0))
        at = plot.to_plane(QPointF(place))
        hit = frame.space.bin_at(at.x(), at.y())
        if plot.state_at(plot.to_box(QPointF(place))) is None and hit and density[hit]:
            break
    tip = tip_at(plot.viewport(), place.x(), place.y())
    assert tip.startswith(f"{density[hit]:,} pixel")
    QTest.mouseClick(plot.viewport(), LEFT, pos=place)
    assert window.document.state.selection == RegionSelection(frame.space.corners_of(*hit))
    assert lit_frame(qtbot, window).lit.n_pixels == density[hit]
