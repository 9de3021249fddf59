"""The states of one frame as layers of a canvas: colours, lines and marks."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QPen
from PyQt6.QtWidgets import QGraphicsItem, QGraphicsRectItem

from latviz.app.display import Display
from latviz.app.views.canvas import Canvas
from latviz.app.views.hatching import HatchingItem
from latviz.app.views.numbers import NumbersItem
from latviz.app.views.overlays import BordersItem, LeavesItem, covered
from latviz.live.frame import Frame
from latviz.live.palette import state_colors

FADED = 0.22


class MapLayer(QGraphicsRectItem):
    """Shows a frame inside a rectangle of the picture, which clips all that is in it."""

    def __init__(self, canvas: Canvas, z: float) -> None:
        super().__init__()
        self._canvas = canvas
        self._frame: Frame | None = None
        self.setPen(QPen(Qt.PenStyle.NoPen))
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape)
        self.states, self.detail = pg.ImageItem(), pg.ImageItem()
        self.borders, self.leaves = BordersItem(), LeavesItem()
        self.hatching, self.numbers = HatchingItem(), NumbersItem()
        layers = (
            self.states,
            self.detail,
            self.hatching,
            self.borders,
            self.leaves,
            self.numbers,
        )
        for k, layer in enumerate(layers):
            layer.setParentItem(self)
            layer.setZValue(k)
        canvas.add_layer(self, z)
        self.setVisible(False)

    def show_frame(self, frame: Frame, display: Display, chosen: int | None, part: QRectF) -> None:
        """Show a frame in a part of the picture; all states but a chosen one are faded."""
        self._frame = frame
        self.setRect(part)
        self.setVisible(not part.isEmpty())
        table = padded_table(state_colors(frame.slots), chosen)
        draw_states(self.states, frame.states, table)
        self.states.setRect(covered(frame.states.shape, frame.side))
        if frame.detail is not None:
            level = frame.detail
            draw_states(self.detail, level.states, table)
            corner = (level.region[0].start, level.region[1].start)
            self.detail.setRect(covered(level.states.shape, level.side, corner))
        for layer, there in ((self.states, True), (self.detail, frame.detail is not None)):
            layer.setOpacity(display.opacity)
            layer.setVisible(there and display.opacity > 0)
        self.draw_lines(display)

    def draw_lines(self, display: Display) -> None:
        """Draw what depends on what is in view: lines and marks."""
        frame, canvas = self._frame, self._canvas
        if frame is None or not self.isVisible():
            return
        bordered = display.borders and not frame.coarse
        if bordered:
            self.borders.show_borders(frame, canvas)
        if display.leaves:
            self.leaves.show_leaves(frame, canvas)
        if display.marks == "numbers":
            self.numbers.show_numbers(frame, canvas, self.rect())
        if display.marks == "hatching":
            self.hatching.show_hatching(frame, canvas, self.rect())
        self.borders.setVisible(bordered)
        self.leaves.setVisible(display.leaves)
        self.numbers.setVisible(display.marks == "numbers")
        self.hatching.setVisible(display.marks == "hatching")


def draw_states(item: pg.ImageItem, states: NDArray[np.uint8], table: NDArray[np.uint8]) -> None:
    """Give an item states in the colours of a table."""
    item.setImage(states, autoLevels=False, levels=(0, 255), lut=table)


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
