"""Image, state map and map show the same of the picture, of one size, at the same place."""

from itertools import combinations

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, QRectF, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.widgets.canvas import Canvas
from latviz.engine.pictures.picture import Picture
from tests.app.conftest import settle
from tests.app.frames import alone

VIEWS = ("image", "states")
SHAPES = (300, 30), (5, 7)
SIZES = (800, 600), (1700, 800)


def rect_of(window: MainWindow, name: str, node: tuple[int, int]) -> QRectF:
    """Return where a view draws a pixel of the picture, on its canvas."""
    canvas = window.views[name].canvas
    ends = [QPointF(node[1], node[0]), QPointF(node[1] + 1, node[0] + 1)]
    to_screen = canvas.viewportTransform()
    return QRectF(*(to_screen.map(canvas.box.mapViewToScene(end)) for end in ends))


def assert_registered(window: MainWindow, *, alike: bool = False) -> None:
    """Compare the real transforms of all visible views; ``alike``: their canvases must be too."""
    for _ in range(4):
        QApplication.processEvents()
    picture = window.document.picture
    height, width = picture.shape[-2:]
    shown = [name for name in VIEWS if window.views[name].isVisible()]
    assert len(shown) > 1
    for here, there in combinations(shown, 2):
        one, other = (window.views[name].canvas for name in (here, there))
        same = one.size() == other.size()
        assert same or not alike, (here, one.size(), there, other.size())
        for node in ((0, 0), (height - 1, width - 1), (height // 2, width // 3)):
            first, second = rect_of(window, here, node), rect_of(window, there, node)
            for a, b in ((first.width(), second.width()), (first.height(), second.height())):
                assert a == pytest.approx(b, rel=1e-6)
            if same:
                assert (first.left(), first.top()) == pytest.approx(
                    (second.left(), second.top()), abs=1e-3
                )
            else:  # the same point is in the middle
                middles = [QRectF(c.rect()).center() for c in (one, other)]
                offsets = [r.center() - m for r, m in zip((first, second), middles, strict=True)]
                assert (offsets[0] - offsets[1]).manhattanLength() < 2


def opened(window: MainWindow, qtbot: QtBot, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    pixels = np.kron(rng.integers(0, 256, (3, 3)), np.ones((100, 140)))[: shape[0], : shape[1]]
    window.document.open(Picture(pixels.astype(np.uint8), "a"), window.document.parameters)
    settle(qtbot, window)


def test_pictures_are_alike_whatever_is_open(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.restore_default()
    check_wheel_stops_where_it_is_at_the_ends_of_the_zoom(window)
    window.document.freeze(True)
    window.document.set("N", n_states=32)
    settle(qtbot, window)
    QTest.qWait(30)
    assert_registered(window, alike=True)
    canvas = window.views["image"].canvas
    before = canvas.scale_factor
    dock = alone(window, "states", 120, 140)
    QTest.qWait(10)
    assert canvas.scale_factor < 0.9 * before
    dock.hide()
    QTest.qWait(10)
    assert canvas.scale_factor >= before
    check_pictures_are_of_one_size_whatever_is_open(window, qtbot)


def check_pictures_are_of_one_size_whatever_is_open(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.restore_default()
    window.tabs.stage.show_only(VIEWS)
    for shape, size, n_states in zip(SHAPES, SIZES, (3, 32), strict=True):
        window.document.freeze(False)
        opened(window, qtbot, shape)
        check_zoom_and_views_apart(window)
        window.tabs.restore_default()
        window.tabs.stage.show_only(VIEWS)
        window.resize(*size)
        window.document.freeze(n_states == 3)
        window.document.set("N", n_states=n_states)
        settle(qtbot, window)
        assert_registered(window)


def check_zoom_and_views_apart(window: MainWindow) -> None:
    canvas = window.views["states"].canvas
    canvas.zoom(3.0)
    canvas.box.translateBy(x=2.0, y=-1.0)
    canvas.box.sigRangeChangedManually.emit([True, True])
    assert_registered(window)
    centre, scale = canvas.centre, canvas.scale_factor
    window.resize(1000, 700)
    assert_registered(window)
    assert canvas.scale_factor == pytest.approx(scale)
    assert (canvas.centre - centre).manhattanLength() < 1e-6
    for name, room in (("image", (300, 260)), ("states", (500, 420))):
        alone(window, name, *room)
        assert_registered(window)
    canvas.show_all()
    assert_registered(window)
    for name in VIEWS:  # each contains the whole picture
        inside = QRectF(window.views[name].canvas.rect())
        assert inside.contains(rect_of(window, name, (0, 0)).center())


def check_wheel_stops_where_it_is_at_the_ends_of_the_zoom(window: MainWindow) -> None:
    canvas = window.views["image"].canvas
    place = canvas.viewport().rect().center() + QPoint(20, -10)
    whole = canvas.scale_factor
    for _ in range(60):
        point = canvas.box.mapSceneToView(canvas.mapToScene(place))
        turn_wheel(canvas, 2.0, point)
        after = canvas.box.mapSceneToView(canvas.mapToScene(place))
        assert (after - point).manhattanLength() * canvas.scale_factor < 0.1
    assert_registered(window)
    for _ in range(60):
        turn_wheel(canvas, 0.5, canvas.box.mapSceneToView(canvas.mapToScene(place)))
    assert canvas.whole
    assert canvas.scale_factor == pytest.approx(whole)
    assert_registered(window)
    QTest.mouseDClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)  # for later tests
    assert canvas.whole


def turn_wheel(canvas: Canvas, factor: float, point: QPointF) -> None:
    canvas.box.scaleBy((1 / factor, 1 / factor), center=point)
    canvas.box.sigRangeChangedManually.emit([True, True])
