"""Canvases when Python frees their window."""

import gc
from itertools import product
from weakref import ref

import pyqtgraph as pg
import pytest
from PyQt6.QtCore import QRectF
from PyQt6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.views.space.plot import Plot
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.lens import Lens
from latviz.app.widgets.paint_canvas import PaintCanvas
from latviz.app.widgets.scene import Scene


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
    lens.cycle = window, canvases
    window.lens = lens
    freed = ref(window)
    with qtbot.capture_exceptions() as errors:
        del window, canvases, canvas, layout, lens
        gc.collect()
    assert freed() is None
    assert not errors


@pytest.mark.parametrize(("by", "side"), [(-40.0, -1), (40.0, 1)])
def test_panning_stops_at_the_edge_of_the_picture(qtbot: QtBot, by: float, side: int) -> None:
    """No edge of the picture is inside the view, after any number of drags."""
    canvas = shown_canvas(qtbot)
    canvas.zoom(3.0)
    scale = canvas.scale_factor
    for _ in range(6):
        pan(canvas, by, by)
    seen = canvas.box.viewRect()
    corner = (seen.left(), seen.top()) if side < 0 else (seen.right(), seen.bottom())
    assert corner == pytest.approx((0.0, 0.0) if side < 0 else (30.0, 20.0), abs=0.01)
    assert canvas.scale_factor == pytest.approx(scale)
    pan(canvas, -by / 40, 0.0)  # and it comes back at once
    assert canvas.centre.x() == pytest.approx(seen.center().x() - by / 40, abs=0.01)
    canvas.hide()
    qtbot.wait(1)  # the rest of it is done before it is deleted


def test_a_picture_shown_whole_stays_whole(qtbot: QtBot) -> None:
    """There is nothing to pan, and nothing to zoom out of."""
    canvas = shown_canvas(qtbot)
    whole = canvas.box.viewRect()
    assert whole.contains(QRectF(0.0, 0.0, 30.0, 20.0))
    canvas.zoom(3.0)
    canvas.zoom(0.1)
    pan(canvas, 25.0, -7.0)
    assert canvas.whole
    assert canvas.box.viewRect() == whole
    canvas.zoom(1.2)  # 25 of 30 columns are in view, and all 20 rows
    pan(canvas, 0.0, 9.0)
    assert canvas.centre.y() == pytest.approx(10.0)
    canvas.hide()
    qtbot.wait(1)


def shown_canvas(qtbot: QtBot) -> Canvas:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(300, 300)
    canvas.set_shape((20, 30))
    canvas.show()
    return canvas


def test_every_scene_of_pyqtgraph_follows_which_buttons_are_held(qapp: QApplication) -> None:
    kinds, found = [pg.GraphicsView], set()
    while kinds:
        kinds += (below := kinds.pop().__subclasses__())
        found |= {kind for kind in below if kind.__module__.startswith("latviz.")}
    assert {Canvas, PaintCanvas, Plot} <= found
    assert all(issubclass(kind, Scene) for kind in found)


def pan(canvas: Canvas, right: float, down: float) -> None:
    """Move the view as a drag does."""
    canvas.box.translateBy(x=right, y=down)
    canvas.box.sigRangeChangedManually.emit([True, True])
