"""The places of numbers in a chart over w."""

import pytest
from PyQt6.QtCore import QPointF, QRectF

from latviz.app.widgets.chart import PaintedAxes
from latviz.engine.geometry.axes import windows, with_room

RECT = QRectF(10.0, 20.0, 210.0, 100.0)


def test_windows_are_spread_over_the_width() -> None:
    cells, edges = (
        PaintedAxes.over(RECT, windows(20, margin), (0.0, 1.0)) for margin in (0.5, 0.0)
    )
    assert [cells.x(w) for w in (0, 1, 20)] == pytest.approx([15.0, 25.0, 215.0])
    assert [edges.x(w) for w in (0, 2, 20)] == pytest.approx([10.0, 31.0, 220.0])


def test_values_grow_upwards() -> None:
    axes = PaintedAxes.over(RECT, windows(20), (-1.0, 3.0))
    assert axes.rect == RECT
    assert [axes.y(value) for value in (-1.0, 0.0, 3.0)] == pytest.approx([120.0, 95.0, 20.0])
    assert axes.point(0, 3.0) == QPointF(15.0, 20.0)


@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_the_nearest_window_is_found(margin: float) -> None:
    axes = PaintedAxes.over(RECT, windows(20, margin), (0.0, 1.0))
    step = axes.x(1) - axes.x(0)
    for w in range(21):
        for part in (-0.49, 0.0, 0.49):
            assert axes.w(axes.x(w) + part * step) == w
    assert axes.w(-1000.0) == 0
    assert axes.w(1000.0) == 20
    assert PaintedAxes.over(QRectF(), windows(20, margin), (0.0, 1.0)).w(0.0) == 0


def test_a_range_has_room_around_its_values() -> None:
    assert with_room([3.0, 1.0, 2.0], share=0.5) == pytest.approx((0.0, 4.0))
    assert with_room([2.0], least=0.25) == (1.75, 2.25)
    assert with_room([], share=0.1) == pytest.approx((-0.1, 1.1))
