"""Curves against plain loops over their numbers."""

from itertools import pairwise

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, QRectF
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import LIGHT
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.curves import PAD, CurvesItem
from latviz.app.widgets.painting import scaled, text_height
from latviz.app.widgets.ribbon import PositionAxis
from tests.app.frames import pixels


def drawn(qtbot: QtBot, values: np.ndarray, first: int, last: int) -> tuple[Canvas, np.ndarray]:
    """Return a canvas of curves, and where it has ink, from one number to another."""
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(500, 230)
    canvas.draw_theme(LIGHT)
    curves = CurvesItem(canvas)
    canvas.add_layer(curves, 0)
    curves.show_values(values)
    canvas.set_shape((1, len(values)), ribbon=True)
    canvas.show()
    canvas.show_part(QRectF(first, 0, last - first, 1))
    ink = (pixels(canvas) != 255).any(axis=2)
    canvas.hide()
    qtbot.wait(1)
    return canvas, ink[: int(canvas.box.height())]


def height(canvas: Canvas, share: float) -> float:
    """Return the pixel row of a share of the ribbon's height."""
    return canvas.box.mapViewToScene(QPointF(0, share)).y()


def row_in_band(canvas: Canvas, k: int, n: int, share: float) -> float:
    """Return the pixel row of a share of the k-th curve of n, which is below a line of text."""
    top, bottom = height(canvas, k / n), height(canvas, (k + 1) / n)
    pad, line = PAD * (bottom - top), text_height(scaled(canvas.font()))
    return top + line + pad + share * (bottom - top - line - 2 * pad)


@pytest.mark.parametrize(("first", "last"), [(0, 200_000), (31_000, 90_000)])
def test_a_column_reaches_from_its_least_to_its_largest_number(qtbot, first, last) -> None:
    values = np.random.default_rng(0).normal(size=(200_000, 2)).astype(np.float32)
    values[::1709] *= 3
    canvas, ink = drawn(qtbot, values, first, last)
    for curve, own in enumerate(values.T):
        low, high = own.min(), own.max()

        def row(value: float, k: int = curve, low: float = low, high: float = high) -> float:
            return row_in_band(canvas, k, 2, (high - value) / (high - low))

        top, bottom = (int(height(canvas, (curve + k) / 2)) for k in (0, 1))
        # Without the text, and the line between both
        band = slice(top + int(text_height(scaled(canvas.font()))) + 1, bottom - 1)
        assert ink[top + 3 : band.start - 1, :80].any()
        for x in range(5, int(canvas.box.width()) - 10, 7):
            ends = [int(canvas.box.mapSceneToView(QPointF(x + k, 0)).x()) for k in range(-3, 5)]
            here, near = own[ends[3] : ends[4] + 1], own[ends[0] : ends[7] + 1]
            rows = band.start + np.flatnonzero(ink[band, x - 2 : x + 3].any(axis=1))
            assert row(max(near)) - 2 <= rows.min() <= row(max(here)) + 2
            assert row(min(here)) - 2 <= rows.max() <= row(min(near)) + 2


def test_few_numbers_are_joined_and_equal_ones_are_a_line(qtbot: QtBot) -> None:
    canvas, ink = drawn(qtbot, np.array([[0.0], [1.0], [0.5], [0.5]]), 0, 4)
    for k, share in enumerate((1.0, 0.0, 0.5, 0.5)):
        x, y = (
            int(canvas.box.mapViewToScene(QPointF(k + 0.5, 0)).x()),
            int(row_in_band(canvas, 0, 1, share)),
        )
        assert ink[y - 2 : y + 3, x].any()
    canvas, ink = drawn(qtbot, np.full((50, 1), 7.0), 0, 50)
    rows = np.flatnonzero(ink[:, 100:400].all(axis=1))
    assert rows.mean() == pytest.approx(row_in_band(canvas, 0, 1, 0.5), abs=1.5)


def test_uneven_places_are_marked_where_they_are(qapp: object) -> None:
    axis, n = PositionAxis(), 900
    steps = np.random.default_rng(3).integers(1, 5000, n)
    numbers = np.cumsum(steps)
    for x in (numbers / 7, np.datetime64("2024-02-28T20:00", "ms") + numbers):
        axis.show_x(x)
        for low, high, size in ((0, n, 700), (300.2, 340.9, 500), (898.1, 899, 300)):
            ((_, columns),) = axis.tickValues(low, high, size)
            texts = axis.tickStrings(columns, 1.0, 1.0)
            assert len(texts) == len(columns) <= size / 60
            assert len(columns) > 1 or high - low < 50
            assert all(b - a > 60 * (high - low) / size for a, b in pairwise(columns))
            for column, text in zip(columns, texts, strict=True):
                at = np.interp(column, np.arange(n) + 0.5, numbers)
                if x.dtype.kind == "f":
                    assert float(text.replace(",", "")) == pytest.approx(at / 7, rel=1e-9)
                elif "-" in text:
                    read = np.datetime64(text.replace(" ", "T")) - x[0] + numbers[0]
                    assert read.astype(float) == pytest.approx(at, abs=1)
