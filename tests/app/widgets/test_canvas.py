"""Canvases when Python frees their window."""

import gc

import pytest
from PyQt6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.widgets.lens import Lens
from latviz.app.widgets.paint_canvas import PaintCanvas


@pytest.mark.parametrize("shape", [(0, 0), (20, 30)])
@pytest.mark.parametrize("lens_first", [False, True])
def test_a_window_that_nothing_holds_is_freed_without_an_error(
    qtbot: QtBot, lens_first: bool, shape: tuple[int, int]
) -> None:
    """Python empties its objects before Qt hides the widgets in it."""
    gc.collect()
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
    with qtbot.capture_exceptions() as errors:
        del window, canvases, canvas, layout, lens
        gc.collect()
    assert not errors
