"""Canvases when Python frees their window."""

import gc
from itertools import product
from weakref import ref

from PyQt6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.widgets.lens import Lens
from latviz.app.widgets.paint_canvas import PaintCanvas


def test_a_window_that_nothing_holds_is_freed_without_an_error(qtbot: QtBot) -> None:
    """Python empties its objects before Qt hides the widgets in it."""
    gc.collect()
    gc.freeze()  # so that collecting looks at nothing older
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
