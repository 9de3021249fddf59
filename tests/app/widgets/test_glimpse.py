"""The window is drawn at its true size while w moves, near the user's focus."""

from collections.abc import Iterator

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PyQt6.QtGui import QPaintEvent, QRegion
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.views.picture import PictureView
from latviz.app.widgets import glimpse
from latviz.core.data.encoding import Encoding
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import handle, settle
from tests.app.frames import is_color, pixels, timer_of

pytestmark = pytest.mark.usefixtures("few_views")

KEY, LEFT = Qt.Key, Qt.MouseButton.LeftButton
QUANTILES = Parameters(Encoding("quantiles", 3), window=3)


def views(window: MainWindow) -> Iterator[PictureView]:
    for view in window.views.values():
        if isinstance(view, PictureView) and view.isVisible():
            yield view


def areas(window: MainWindow) -> list[tuple[float, float, float, float]]:
    """Return the areas drawn on every visible picture: left, top, right, bottom; as drawn."""
    found = []
    for view in views(window):
        area = view.glimpse.area
        found.append((area.left(), area.top(), area.right(), area.bottom()))
    return found


def clipped(row: int, column: int, w: int, shape: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the edges of the pixels within w of a pixel, by plain loops."""
    rows = [r for r in range(shape[0]) if abs(r - row) <= w]
    columns = [c for c in range(shape[1]) if abs(c - column) <= w]
    return columns[0], rows[0], columns[-1] + 1, rows[-1] + 1


def open_noise(window: MainWindow, qtbot: QtBot, *shape: int, dimensions: int = 2) -> None:
    values = np.random.default_rng(0).integers(0, 256, shape).astype(np.uint8)
    window.document.open(Picture(values, "noise", dimensions=dimensions), QUANTILES)
    settle(qtbot, window)


def test_it_is_where_a_person_looks_at_its_size_and_goes(window, qtbot, tmp_path) -> None:
    check_every_way_to_move_w_shows_the_window(window, qtbot)
    check_it_is_around_the_inspected_pixel_and_clipped(window, qtbot)
    check_sequences_have_intervals_and_slices_squares(window, qtbot)
    open_noise(window, qtbot, 60, 60)
    window.document.set("apart", learning_window=9)
    assert areas(window) == [clipped(30, 30, 9, (60, 60))] * 2
    assert next(views(window)).glimpse.text == "Learning w = 9: 19 × 19"
    settle(qtbot, window)
    window.document.set("N", n_states=7)
    assert all(view.glimpse.area.isEmpty() for view in views(window))
    for theme, greys in (("light", (0, 255)), ("dark", (128,))):
        window.parts[Preferences].choose_theme(theme)
        for grey in greys:
            check_ground(window, qtbot, grey)
    check_what_it_says_is_within_the_picture(window, qtbot)
    check_only_what_is_around_the_window_is_painted_anew(window, qtbot)
    check_it_vanishes_and_another_picture_takes_it_away(window, qtbot)


def check_every_way_to_move_w_shows_the_window(window: MainWindow, qtbot: QtBot) -> None:
    open_noise(window, qtbot, 100, 120)
    slider, box = window.controls["window"].slider, window.controls["window"].box
    assert len(list(views(window))) == 2
    assert all(view.glimpse.area.isEmpty() for view in views(window))
    QTest.mousePress(slider, LEFT, pos=handle(slider, 3))
    assert all(view.glimpse.area.isEmpty() for view in views(window))
    for w in (5, 12, 30):  # while the button is held
        QTest.mouseMove(slider, handle(slider, w))
        assert areas(window) == [clipped(50, 60, w, (100, 120))] * 2
    QTest.mouseRelease(slider, LEFT, pos=handle(slider, 30))
    for act, w in (
        (lambda: QTest.keyClick(slider, KEY.Key_Left), 29),
        (lambda: QTest.keyClick(window, KEY.Key_Right, Qt.KeyboardModifier.ControlModifier), 30),
        (lambda: box.setValue(2), 2),
        (window.document.reset, 3),
    ):
        settle(qtbot, window)
        assert all(view.glimpse.area.isEmpty() for view in views(window))
        act()
        assert areas(window) == [clipped(50, 60, w, (100, 120))] * 2
        assert {view.glimpse.text for view in views(window)} == {
            f"w = {w}: {2 * w + 1} × {2 * w + 1}"
        }


def check_it_is_around_the_inspected_pixel_and_clipped(window: MainWindow, qtbot: QtBot) -> None:
    open_noise(window, qtbot, 90, 120)
    document, canvas = window.document, window.views["image"].canvas
    document.pin((4, 110))
    document.set("w", window=10)
    assert areas(window) == [clipped(4, 110, 10, (90, 120))] * 2
    assert next(views(window)).glimpse.text == "w = 10: 15 × 20"
    settle(qtbot, window)
    document.inspector.hover((60, 3))
    document.set("w", window=64)
    assert areas(window) == [clipped(60, 3, 64, (90, 120))] * 2
    document.inspector.hover(None)
    canvas.zoom(12)  # the pin is out of view now
    document.set("w", window=0)
    (row, column), inside = (45, 60), canvas.region
    assert inside[0].stop - inside[0].start < 30
    left, top, right, bottom = areas(window)[0]
    assert (right - left, bottom - top) == (1, 1)
    assert abs(top - row) <= 1
    assert abs(left - column) <= 1


def check_sequences_have_intervals_and_slices_squares(window: MainWindow, qtbot: QtBot) -> None:
    symbols = np.random.default_rng(0).integers(0, 3, 300).astype(np.uint8)
    sequence = Picture(symbols, "abc", dimensions=1, alphabet=("a", "b", "c"))
    window.document.open(sequence, Parameters(Encoding("labels")))
    settle(qtbot, window)
    window.document.set("w", window=7)
    assert areas(window) == [(143, 0, 158, 1)] * 2
    assert next(views(window)).glimpse.text == "w = 7: 15"
    open_noise(window, qtbot, 9, 60, 50, dimensions=3)
    for apart, text in ((False, "w = 2: 5 × 5 × 5"), (True, "w = 2: 5 × 5")):
        window.document.take_apart(apart)
        window.document.set("apart", window=3)
        settle(qtbot, window)
        window.document.set("w", window=2)
        assert areas(window) == [clipped(30, 25, 2, (60, 50))] * 2
        assert next(views(window)).glimpse.text == text
    window.document.pin((0, 5, 5))  # in a slice that is not shown
    window.document.set("w", window=1)
    assert areas(window) == [clipped(30, 25, 1, (60, 50))] * 2


def check_it_vanishes_and_another_picture_takes_it_away(window: MainWindow, qtbot: QtBot) -> None:
    assert 1000 <= glimpse.SHOWN_MS <= 2000
    for view in views(window):
        timer_of(view.canvas, glimpse.SHOWN_MS).setInterval(150)
    window.document.set("w", window=9)
    assert not any(view.glimpse.area.isEmpty() for view in views(window))
    qtbot.waitUntil(lambda: all(view.glimpse.area.isEmpty() for view in views(window)))
    window.document.set("w", window=10)
    values = np.eye(40, dtype=np.uint8) * 200
    window.document.open(Picture(values, "next"), Parameters(window=20))
    assert all(view.glimpse.area.isEmpty() for view in views(window))


def check_ground(window: MainWindow, qtbot: QtBot, grey: int) -> None:
    window.document.open(Picture(np.full((80, 80), grey, np.uint8), "flat"), QUANTILES)
    settle(qtbot, window)
    view = window.views["image"]
    QTest.mouseMove(window.menuBar())
    before = pixels(view.canvas)
    window.document.set("w", window=10)
    QApplication.processEvents()
    after = pixels(view.canvas)
    assert is_color(after, "#ffffff").sum() > is_color(before, "#ffffff").sum() or grey == 255
    assert is_color(after, "#101317").sum() > is_color(before, "#101317").sum() + 200
    box = view.canvas.box
    corners = [box.mapFromView(c) for c in (QPointF(30, 30), QPointF(51, 51))]
    (left, top), (right, bottom) = [
        (place.x(), place.y()) for place in (box.mapToScene(corner) for corner in corners)
    ]
    dark = is_color(after, "#101317")
    rows = np.flatnonzero(dark.any(axis=1))
    columns = np.flatnonzero(dark[round(top) : round(bottom)].any(axis=0))  # the text is below
    assert rows[0] == pytest.approx(top - 3, abs=1.5)
    assert columns[0] == pytest.approx(left - 3, abs=1.5)
    assert columns[-1] == pytest.approx(right + 2, abs=1.5)


def check_what_it_says_is_within_the_picture(window: MainWindow, qtbot: QtBot) -> None:
    open_noise(window, qtbot, 60, 40)
    view = window.views["image"]
    for node, w in (((0, 0), 1), ((59, 39), 1), ((59, 0), 30), ((30, 20), 64)):
        window.document.inspector.hover(node)
        window.document.set("w", window=w)
        view.canvas.grab()
        ground, box = view.glimpse.ground, view.canvas.box
        assert QRectF(0, 0, box.width(), box.height()).contains(ground)
        assert w > 20 or not ground.intersects(view.glimpse.drawn)
        settle(qtbot, window)


class Repainted(QObject):
    """Adds up the painted parts of a widget."""

    region = QRegion()

    def eventFilter(self, _watched: QObject | None, event: QEvent | None) -> bool:
        if isinstance(event, QPaintEvent):
            self.region = self.region.united(event.region())
        return False


def check_only_what_is_around_the_window_is_painted_anew(window: MainWindow, qtbot: QtBot) -> None:
    open_noise(window, qtbot, 150, 150)
    window.document.inspector.hover((75, 75))
    view = window.views["image"]
    for w in (9, 10, 12):
        window.document.set("w", window=w)
        settle(qtbot, window)
    viewport = view.canvas.viewport()
    seen = Repainted()
    QApplication.processEvents()
    viewport.installEventFilter(seen)
    window.document.set("w", window=11)
    QApplication.processEvents()
    viewport.removeEventFilter(seen)
    painted = seen.region.boundingRect()
    assert painted.width() * painted.height() < 0.25 * viewport.width() * viewport.height()
    assert QRectF(painted).contains(view.glimpse.ground)
