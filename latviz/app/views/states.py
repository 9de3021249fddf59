"""The state map over the image."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtWidgets import QWidget

from latviz.app.views.image import PictureView
from latviz.live.frame import Frame
from latviz.live.palette import state_colors
from latviz.live.parameters import Picture

FADED = 0.22


class StatesView(PictureView):
    """Each pixel in the colour of its state, blended with the image; borders if asked for."""

    NAME = "states"
    TITLE = "State map"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.states = pg.ImageItem()
        self.borders = pg.ImageItem()
        self.canvas.add_layer(self.states, 1)
        self.canvas.add_layer(self.borders, 2)
        self._bordered: Frame | None = None

    def show_picture(self, picture: Picture) -> None:
        """Take another image; the states of the last one are taken away."""
        super().show_picture(picture)
        for layer in (self.states, self.borders):
            layer.setVisible(False)

    def draw_frame(self) -> None:
        """Show the states."""
        assert self.frame is not None
        table = padded_table(state_colors(self.frame.slots), self.display.state)
        self.states.setImage(self.frame.states, autoLevels=False, levels=(0, 255), lut=table)
        self.states.setOpacity(self.display.opacity)
        self.states.setVisible(self.display.opacity > 0)
        self._draw_borders()

    def _draw_borders(self) -> None:
        assert self.frame is not None
        if self.display.borders and self._bordered is not self.frame:
            table = np.zeros((256, 4), dtype=np.uint8)
            table[1] = (16, 19, 23, 255)
            self.borders.setImage(
                border_map(self.frame.states), autoLevels=False, levels=(0, 255), lut=table
            )
            self._bordered = self.frame
        self.borders.setVisible(self.display.borders)


def padded_table(colors: NDArray[np.uint8], chosen: int | None = None) -> NDArray[np.uint8]:
    """Return the colours as a table of 256 rows; all but a chosen state's are faded to grey."""
    table = np.zeros((256, 3), dtype=np.uint8)
    table[: len(colors)] = colors
    if chosen is not None and chosen < len(colors):
        others = np.arange(len(colors)) != chosen
        grey = table[: len(colors)].mean(axis=1, keepdims=True)
        faded = FADED * table[: len(colors)] + (1 - FADED) * (0.35 * grey + 90)
        table[: len(colors)][others] = faded[others].astype(np.uint8)
    return table


def border_map(states: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return 1 where the pixel to the right or below is in another state, else 0."""
    border = np.zeros(states.shape, dtype=np.uint8)
    border[:, :-1] = states[:, 1:] != states[:, :-1]
    border[:-1] |= states[1:] != states[:-1]
    return border
