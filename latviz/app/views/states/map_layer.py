"""The states of one frame as layers of a canvas: colours, lines and marks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QPen
from PyQt6.QtWidgets import QGraphicsItem, QGraphicsRectItem

from latviz.app.views.states.hatching import HatchingItem
from latviz.app.views.states.numbers import NumbersItem
from latviz.app.views.states.overlays import BordersItem, LeavesItem
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.layer import Layer
from latviz.engine.frame import Frame
from latviz.engine.palette import state_colors
from latviz.engine.state import Display

FADED = 0.22


class MapLayer(QGraphicsRectItem):
    """Shows a frame inside a rectangle of the picture, which clips all that is in it.

    The frame's states are those of the plane that is on the canvas.
    """

    def __init__(self, canvas: Canvas, z: float) -> None:
        super().__init__()
        self._canvas = canvas
        self._frame: Frame | None = None
        self.setPen(QPen(Qt.PenStyle.NoPen))
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape)
        self.states, self.detail = Layer(canvas), Layer(canvas)
        self.borders, self.leaves = BordersItem(), LeavesItem()
        self.hatching, self.numbers = HatchingItem(), NumbersItem()
        layers: tuple[Any, ...] = (
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
        table = faded_table(state_colors(frame.slots), chosen)
        self.states.show_plane(frame.states, table, side=frame.side)
        if frame.detail is not None:
            level = frame.detail
            corner = (level.region[0].start, level.region[1].start)
            self.detail.show_plane(level.states, table, side=level.side, corner=corner)
        for layer, there in ((self.states, True), (self.detail, frame.detail is not None)):
            layer.setOpacity(display.opacity)
            layer.setVisible(there and display.opacity > 0)
        self.draw_lines(display)

    def let_go(self) -> None:
        """Show nothing, and keep no frame."""
        self.setVisible(False)
        if self._frame is not None:
            self._frame = None
            for layer in (self.states, self.detail):
                layer.clear()

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


def faded_table(colors: NDArray[np.uint8], chosen: int | None = None) -> NDArray[np.uint8]:
    """Return the colours; all but a chosen state's are faded to grey."""
    if chosen is None or chosen >= len(colors):
        return colors
    grey = colors.mean(axis=1, keepdims=True)
    faded = (FADED * colors + (1 - FADED) * (0.35 * grey + 90)).astype(np.uint8)
    faded[chosen] = colors[chosen]
    return np.asarray(faded)
