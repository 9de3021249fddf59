"""The state map goes below a picture that is much wider than high, and back."""

import numpy as np
import pytest
from PyQt6.QtCore import QSize
from pytestqt.qtbot import QtBot

from latviz.app.docking.stacking import is_better
from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.engine.pictures.picture import Picture
from tests.app.conftest import settle


def picture(rows: int, columns: int) -> Picture:
    values = np.random.default_rng(0).integers(0, 256, (rows, columns), dtype=np.uint8)
    return Picture(values, f"{columns} x {rows}")


def is_below(window: MainWindow) -> bool:
    """Tell whether the state map is below the image; side by side they begin at one height."""
    image, states = (window.docks[name].geometry() for name in ("image", "states"))
    assert (states.top() > image.bottom()) != (states.left() > image.right())
    return states.top() > image.bottom()


def test_docks_follow_the_shape_of_the_picture(window: MainWindow, qtbot: QtBot) -> None:
    def show(rows: int, columns: int, below: bool) -> None:
        window.document.open(picture(rows, columns))
        settle(qtbot, window)
        qtbot.waitUntil(lambda: is_below(window) is below)

    window.tabs.enter("explore")
    for columns, below in ((400, True), (60, False), (500, True)):
        show(60, columns, below)
    window.tabs.enter("inspect")  # where all views have their places
    qtbot.waitUntil(lambda: not is_below(window))
    window.tabs.enter("explore")
    qtbot.waitUntil(lambda: is_below(window))
    window.tabs.enter("compare")
    window.document.open(picture(60, 60))
    settle(qtbot, window)
    window.tabs.enter("explore")  # the layout is remembered side by side
    qtbot.waitUntil(lambda: not is_below(window))
    show(40, 400, below=True)
    window.parts[Opener].open_demo("protein")  # a sequence is as high as its room
    qtbot.waitUntil(lambda: not is_below(window))
    window.docks["states"].setFloating(True)  # what a person put elsewhere stays
    settle(qtbot, window)
    before = window.docks["states"].geometry()
    window.document.open(picture(40, 400))
    settle(qtbot, window)
    assert window.docks["states"].isFloating()
    assert window.docks["states"].geometry() == before


@pytest.mark.parametrize(
    ("shape", "below"),
    [((100, 100), False), ((300, 451), False), ((80, 512), True), ((9, 3), False)],
)
def test_where_a_picture_is_larger(shape: tuple[int, int], below: bool) -> None:
    assert is_better(QSize(1000, 420), shape) is below
