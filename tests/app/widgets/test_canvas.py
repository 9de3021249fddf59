"""Canvases when Python frees their window."""

import gc
from itertools import product
from weakref import ref

import pytest
from PyQt6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.lens import Lens
from latviz.app.widgets.paint_canvas import PaintCanvas


def test_a_window_that_nothing_holds_is_freed_without_an_error(qtbot: QtBot) -> None:
    """Python clears the attributes of a window before Qt hides its widgets."""
    gc.collect()
    gc.freeze()  # so that collecting skips older objects
    for lens_first, shape in product((False, True), ((0, 0), (20, 30))):
        check_freeing(qtbot, lens_first, shape)
    gc.unfreeze()


def check_freeing(qtbot: QtBot, lens_first: bool, shape: tuple[int, int]) -> None:
    lens = Lens() if lens_first else None
    window = QWidget()
    canvases = PaintCanvas(), PaintCanvas()
    layout, lens = QVBoxLayout(window), lens or Lens()
    for canvas in canvases:
        layout.addWidget(canvas)
        canvas.share(lens)
        canvas.set_shape(shape)
    window.show()
    lens.cycle = window, canvases  # type: ignore[attr-defined]
    window.lens = lens  # type: ignore[attr-defined]
    freed = ref(window)
    with qtbot.capture_exceptions() as errors:
        del window, canvases, canvas, layout, lens
        gc.collect()
    assert freed() is None
    assert not errors


@pytest.mark.parametrize(("by", "corner"), [(-40.0, (0.0, 0.0)), (40.0, (30.0, 20.0))])
def test_panning_stops_at_the_edge_of_the_picture(
    qtbot: QtBot, by: float, corner: tuple[float, float]
) -> None:
    """The picture's edge stays at the middle, for any number of drags."""
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(300, 300)
    canvas.set_shape((20, 30))
    canvas.show()
    canvas.zoom(3.0)
    scale = canvas.scale_factor
    for _ in range(6):
        pan(canvas, by, by)
    assert (canvas.centre.x(), canvas.centre.y()) == pytest.approx(corner, abs=0.01)
    assert canvas.scale_factor == pytest.approx(scale)
    pan(canvas, -by / 10, 0.0)  # and it comes back at once
    assert canvas.centre.x() == pytest.approx(corner[0] - by / 10, abs=0.01)
    canvas.hide()
    qtbot.wait(1)  # the rest of it is done before it is deleted


def pan(canvas: Canvas, right: float, down: float) -> None:
    """Move the view as a drag does."""
    canvas.box.translateBy(x=right, y=down)
    canvas.box.sigRangeChangedManually.emit([True, True])
