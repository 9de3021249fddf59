"""Sliders: as wide as the panel, and the window's spaced so that small ones are far apart."""

import math

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QSlider
from pytestqt.qtbot import QtBot

from latviz.app.document.document import GESTURE_MS
from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.widgets.slider import Slider
from tests.app.conftest import drag, handle
from tests.app.frames import is_color, pixels, timer_of

pytestmark = pytest.mark.usefixtures("few_views")

LEFT, KEY = Qt.MouseButton.LeftButton, Qt.Key


def slider_of(window: MainWindow, field: str = "window") -> Slider:
    control = window.controls[field]
    slider = getattr(control, "number", control).slider
    assert isinstance(slider, Slider)
    return slider


def shown(qtbot: QtBot, low: int, high: int, width: int = 260) -> Slider:
    slider = Slider("log")
    qtbot.addWidget(slider)
    slider.setRange(low, high)
    slider.resize(width, slider.sizeHint().height())
    slider.show()
    return slider


def wheel(slider: Slider, turn: int) -> None:
    none = Qt.MouseButton.NoButton
    event = QWheelEvent(
        QPointF(9, 9), slider.mapToGlobal(QPointF(9, 9)), QPoint(), QPoint(0, turn), none,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(slider, event)


def test_the_sliders_of_the_panel(window: MainWindow, qtbot: QtBot) -> None:
    check_marks_say_how_windows_are_spaced(window, qtbot)
    pause = timer_of(window.document, GESTURE_MS)
    pause.setInterval(60_000)  # a busy machine pauses within a pull, too
    for check in (
        check_keys_and_wheel_step_by_one_and_pages_by_more,
        check_the_handle_is_painted_at_the_number,
        check_a_pull_is_one_command,
        check_a_pull_pixel_by_pixel_leads_to_every_small_window,
        check_a_press_on_the_handle_changes_nothing,
        check_a_press_beside_the_handle_brings_it_there,
    ):
        window.document.set("Change w", window=3)
        pause.timeout.emit()
        check(window)


def test_places_are_those_of_the_logarithm(qtbot: QtBot) -> None:
    slider = shown(qtbot, 0, 64)
    ends = slider.x_of(0), slider.x_of(64)
    for number in range(65):
        share = math.log(1 + number) / math.log(65)
        assert slider.x_of(number) == pytest.approx(ends[0] + share * (ends[1] - ends[0]))
        assert handle(slider, number).x() == pytest.approx(slider.x_of(number), abs=1.5)


@pytest.mark.parametrize(("low", "high"), [(0, 64), (0, 1), (3, 3), (1, 32), (-5, 1000)])
@pytest.mark.parametrize("spacing", ["even", "log"])
def test_numbers_and_places_lead_to_each_other(qtbot, spacing, low, high) -> None:
    slider = Slider(spacing)
    qtbot.addWidget(slider)
    slider.setRange(low, high)
    numbers = range(low, high + 1)
    shares = [slider.share_of(number) for number in numbers]
    assert [slider.number_at(share) for share in shares] == list(numbers)
    assert (np.diff(shares) > 0).all()
    found = [slider.number_at(share) for share in np.linspace(-0.5, 1.5, 5001)]
    assert found == sorted(found)
    assert set(found) == set(numbers) or high == 1000
    assert (found[0], found[-1]) == (low, high)


def check_the_handle_is_painted_at_the_number(window: MainWindow) -> None:
    slider = slider_of(window)
    accent = window.parts[Preferences].theme.accent
    for number in (0, 1, 5, 16, 40, 64):
        window.document.set("Change w", window=number)
        image = pixels(slider)
        ring = is_color(image, accent).sum(axis=0)
        columns = np.flatnonzero(ring > 4)  # thicker than the groove
        assert (columns[0] + columns[-1]) / 2 == pytest.approx(slider.x_of(number), abs=2)


def check_a_pull_pixel_by_pixel_leads_to_every_small_window(window: MainWindow) -> None:
    slider, document = slider_of(window), window.document
    document.set("Change w", window=0)
    start, stop = handle(slider, 0), handle(slider, 64)
    QTest.mousePress(slider, LEFT, pos=start)
    assert document.parameters.window == 0
    found = []
    for x in range(start.x(), stop.x() + 1):
        QTest.mouseMove(slider, QPoint(x, start.y()))
        found.append(document.parameters.window)
    QTest.mouseRelease(slider, LEFT, pos=stop)
    assert found == sorted(found)
    assert found[-1] == 64
    for number in range(17):
        assert found.count(number) >= 3, number
    larger = [found.count(number) for number in range(17, 65)]
    assert max(larger) <= 5
    assert sum(larger) == sum(found.count(number) for number in set(found) if number > 16)
    document.undo_stack.undo()  # the pull is one command, with the change before it
    assert document.parameters.window == 3


def check_a_press_on_the_handle_changes_nothing(window: MainWindow) -> None:
    slider, document = slider_of(window), window.document
    for number in (0, 7, 33, 61, 62, 63, 64):
        document.set("Change w", window=number)
        for off in (-4, 0, 4):
            place = handle(slider, number) + QPoint(off, 0)
            QTest.mousePress(slider, LEFT, pos=place)
            QTest.mouseMove(slider, place)
            QTest.mouseRelease(slider, LEFT, pos=place)
            assert document.parameters.window == number


def check_a_press_beside_the_handle_brings_it_there(window: MainWindow) -> None:
    for field, number in (("window", 16), ("window", 1), ("n_states", 20)):
        slider = slider_of(window, field)
        QTest.mouseClick(slider, LEFT, pos=handle(slider, number))
        assert getattr(window.document.parameters, field) == number
        assert not slider.isSliderDown()
    QTest.mouseClick(slider, Qt.MouseButton.RightButton, pos=handle(slider, 2))
    assert window.document.parameters.n_states == 20


def check_keys_and_wheel_step_by_one_and_pages_by_more(window: MainWindow) -> None:
    for number in (0, 9, 50, 64):
        check_steps(window, number)


def check_steps(window: MainWindow, number: int) -> None:
    slider, document = slider_of(window), window.document
    window.activateWindow()
    slider.setFocus()
    for act, by in (
        (lambda: QTest.keyClick(slider, KEY.Key_Right), 1),
        (lambda: QTest.keyClick(slider, KEY.Key_Up), 1),
        (lambda: QTest.keyClick(slider, KEY.Key_Left), -1),
        (lambda: wheel(slider, 120), 1),
        (lambda: wheel(slider, -120), -1),
        (lambda: wheel(slider, 240), 2),
        (lambda: QTest.keyClick(slider, KEY.Key_PageUp), 6),
        (lambda: QTest.keyClick(slider, KEY.Key_PageDown), -6),
    ):
        document.set("Change w", window=number)
        act()
        assert document.parameters.window == min(max(number + by, 0), 64)
    document.set("Change w", window=number)
    for _ in range(4):  # a touchpad's small turns
        wheel(slider, 30)
    assert document.parameters.window == min(number + 1, 64)
    QTest.keyClick(slider, KEY.Key_Home)
    assert document.parameters.window == 0
    QTest.keyClick(slider, KEY.Key_End)
    assert document.parameters.window == 64


def check_a_pull_is_one_command(window: MainWindow) -> None:
    slider, document = slider_of(window), window.document
    count = document.undo_stack.count()
    drag(slider, 30)
    assert document.parameters.window == 30
    assert document.undo_stack.count() == count + 1
    document.undo_stack.undo()
    assert document.parameters.window == slider.value() == 3


def check_marks_say_how_windows_are_spaced(window: MainWindow, qtbot: QtBot) -> None:
    slider = slider_of(window)
    assert slider.marks == (0, 1, 2, 4, 8, 16, 32, 64)
    assert slider_of(window, "n_states").marks == ()
    assert shown(qtbot, 1, 10).marks == (1, 2, 4, 8, 10)
    assert shown(qtbot, 0, 2000).marks == (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
    assert "0 to 64, or an eighth of a sequence; small values are farther apart" in slider.toolTip()
    assert "farther" not in slider_of(window, "n_states").toolTip()
    image = pixels(slider)
    room = slider.sizeHint().height() - QSlider.sizeHint(slider).height()
    low = image[-room : -room + 3]
    marked = np.flatnonzero((low != image[0, 0]).any(axis=2).all(axis=0))
    wanted = [round(slider.x_of(mark)) for mark in slider.marks]
    assert marked.tolist() == wanted
