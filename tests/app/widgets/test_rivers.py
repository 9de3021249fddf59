"""The river map of lives: where lines are, and what a hand does there."""

from typing import Any

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QPoint, QPointF, Qt
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.widgets.rivers import River, Rivers
from latviz.core.segmentation.lives import Following
from latviz.engine.geometry.rivers import life_over_windows, mask_over_windows, river_map

WIDE = 400


def squares(n: int = 3) -> Any:
    """Return lives over w = 0 to 10 of squares, of which the k-th ends at w = 4 + 2 k."""
    following = Following((40, 40), np.full((1600, 3), 99))
    for w in range(11):
        states = np.zeros((40, 40), np.uint8)
        for k in range(n):
            if w < 4 + 2 * k:
                states[2 + 12 * k : 10 + 12 * k, 5:20] = k + 1
        following.take(states, 2, w)
    return following.lives()


@pytest.fixture
def rivers(qtbot: QtBot) -> Rivers:
    def x_of(value: float) -> float:
        return value * WIDE / 10

    def value_at(x: np.ndarray) -> np.ndarray:
        return np.where((x >= 0) & (x < WIDE), x * 10 / WIDE, np.nan)

    found = Rivers(x_of, value_at)
    qtbot.addWidget(found)
    found.resize(WIDE, 99)
    lives = squares()
    colors = np.array([[60, 60, 60], [200, 30, 30], [30, 200, 30], [30, 30, 200]], np.uint8)
    found.show_river(River(lives, colors, "w", lambda w: f"w = {w:.0f}"))
    found.show()
    return found


def middle_of(rivers: Rivers, life: int, x: int) -> QPoint:
    line = next(line for line in rivers.shown_map.lines if line.life == life)
    return QPoint(x, round(float(line.y[int(np.abs(line.x - x).argmin())])))


def test_a_line_keeps_its_height_until_it_bends_into_what_takes_it() -> None:
    lives = squares()
    found = river_map(lives, np.arange(WIDE) * 10 / WIDE, (WIDE, 96))
    lines = {line.life: line for line in found.lines}
    assert set(lines) == {0, 1, 2, 3}
    ground = lines[0]
    assert np.ptp(ground.y) == 0
    for life, end in ((1, 4), (2, 6), (3, 8)):
        line, last = lines[life], end * WIDE / 10
        straight = line.x < last - 0.06 * WIDE
        assert np.ptp(line.y[straight]) == 0
        assert line.x[-1] == pytest.approx(last, abs=2)
        assert line.y[-1] == pytest.approx(ground.y[0], abs=1)
        assert line.bends == (False, True)
    thick = {k: lines[k].thick[0] for k in (0, 1)}
    assert thick[0] / thick[1] == pytest.approx((1240 / 120) ** 0.5, rel=0.01)
    first = [k for k in (2, 1) if lines[k].height < ground.height]
    assert [lines[k].height for k in first] == sorted(lines[k].height for k in first)
    kept = river_map(lives, np.arange(WIDE) * 10 / WIDE, (WIDE, 96), {1: 0.3, 0: 0.6})
    assert (kept.heights[1], kept.heights[0]) == (0.3, 0.6)
    assert 0 < kept.heights[2] < 0.3


def test_lines_are_drawn_where_they_are_hit(rivers: Rivers, qtbot: QtBot) -> None:
    image = rivers.grab().toImage()
    for life, name in ((1, "red"), (2, "green"), (3, "blue")):
        at = middle_of(rivers, life, 80)
        color = image.pixelColor(at)
        assert max(("red", "green", "blue"), key=lambda one: getattr(color, one)()) == name
        with qtbot.waitSignal(rivers.pointed) as heard:
            QTest.mouseMove(rivers, at)
        assert heard.args == [life]
        with qtbot.waitSignal(rivers.picked) as heard:
            QTest.mouseClick(rivers, Qt.MouseButton.LeftButton, pos=at)
        assert heard.args == [life]
        assert f"to w = {2 + 2 * life}, where one of " in rivers.tip_at(QPointF(at))
    dimmed = rivers.grab().toImage().pixelColor(middle_of(rivers, 1, 80))
    assert dimmed.lightness() > 200  # the third is lit
    assert rivers.in_words().startswith("4 lines of regions over w. Longest: A region of ")


def test_a_hand_sets_the_value(rivers: Rivers, qtbot: QtBot) -> None:
    values: list[float] = []
    rivers.value_wanted.connect(values.append)
    at = middle_of(rivers, 2, 80)
    QTest.mousePress(rivers, Qt.MouseButton.LeftButton, pos=at)
    held = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(200, 30),
        rivers.mapToGlobal(QPointF(200, 30)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(rivers, held)
    QTest.mouseRelease(rivers, Qt.MouseButton.LeftButton, pos=QPoint(200, 30))
    assert values == [5.0]
    QTest.mouseDClick(rivers, Qt.MouseButton.LeftButton, pos=at)
    assert values[-1] == pytest.approx(3.0, abs=0.1)  # the middle of 0 to 6
    rivers.show_now(3.0)
    for key, wanted in ((Qt.Key.Key_Right, 4.0), (Qt.Key.Key_Left, 4.0)):
        if key == Qt.Key.Key_Left:
            rivers.show_now(5.0)
        QTest.keyClick(rivers, key, Qt.KeyboardModifier.ControlModifier)
        assert values[-1] == wanted
    assert not rivers.step(0)


@pytest.mark.parametrize("is_between", [False, True])
def test_lines_that_stay_keep_height_and_colour(rivers: Rivers, is_between: bool) -> None:
    before = rivers.shown_map.heights
    fewer = squares(2)
    if is_between:  # while others are computed
        rivers.show_river(None)
    rivers.show_river(River(fewer, np.zeros((3, 3), np.uint8), "w", str))
    assert {k: rivers.shown_map.heights[k] for k in (1, 2)} == {k: before[k] for k in (1, 2)}
    assert rivers.river.colors[1].tolist() == [200, 30, 30]
    rivers.drop()
    rivers.show_river(River(fewer, np.zeros((3, 3), np.uint8), "w", str))
    assert not rivers.river.colors.any()


def test_masks_over_windows() -> None:
    lives, states = squares(), np.zeros((40, 40), np.uint8)
    states[2:10, 5:20] = 1
    assert (mask_over_windows(lives, 1, states, 3.0) == (states == 1)).all()
    assert life_over_windows(lives, (4, 8), (40, 40), 3.0) == 1
    assert life_over_windows(lives, (4, 8), (40, 40), 9.0) == 0
