"""The state map over the image."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QPen
from PyQt6.QtWidgets import QGraphicsItem, QGraphicsRectItem, QWidget

from latviz.app.views.image import PictureView
from latviz.app.views.overlays import BordersItem, LeavesItem, covered
from latviz.live.palette import state_colors
from latviz.live.parameters import Picture

FADED = 0.22


class StatesView(PictureView):
    """Each pixel in the colour of its state, blended with the image; lines if asked for.

    Signals
    -------
    split_moved(float)
        Where the divider between decodings A and B was dragged to, from 0 to 1.
    """

    split_moved = pyqtSignal(float)

    NAME = "states"
    TITLE = "State map"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.states, self.detail = pg.ImageItem(), pg.ImageItem()
        self.borders, self.leaves = BordersItem(), LeavesItem()
        self._clip = QGraphicsRectItem()  # cells of coarse frames reach beyond the picture
        self._clip.setPen(QPen(Qt.PenStyle.NoPen))
        self._clip.setFlag(QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape)
        self.canvas.add_layer(self._clip, 1)
        self.frozen, self._left = pg.ImageItem(), QGraphicsRectItem()
        self._left.setPen(QPen(Qt.PenStyle.NoPen))
        self._left.setFlag(QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape)
        self.frozen.setParentItem(self._left)
        for z, layer in enumerate(
            (self.states, self.detail, self._left, self.borders, self.leaves)
        ):
            layer.setParentItem(self._clip)
            layer.setZValue(z)
        self.canvas.viewed.connect(self._draw_lines)
        self.divider = pg.InfiniteLine(angle=90, movable=True)
        self.divider.setPen(pg.mkPen("#ffffff", width=3))
        self.divider.setHoverPen(pg.mkPen("#6ea8fe", width=5))
        self.canvas.add_layer(self.divider, 95)
        self.divider.setVisible(False)
        self.divider.sigDragged.connect(self._move_divider)

    def show_picture(self, picture: Picture) -> None:
        """Take another image; the states of the last one are taken away."""
        super().show_picture(picture)
        self._clip.setRect(covered(picture.shape, 1))
        self._clip.setVisible(False)

    def draw_frame(self) -> None:
        """Show the states."""
        super().draw_frame()
        frame = self.frame
        assert frame is not None
        table = padded_table(state_colors(frame.slots), self.chosen)
        self._clip.setVisible(True)
        draw_states(self.states, frame.states, table)
        self.states.setRect(covered(frame.states.shape, frame.side))
        if frame.detail is not None:
            level = frame.detail
            draw_states(self.detail, level.states, table)
            corner = (level.region[0].start, level.region[1].start)
            self.detail.setRect(covered(level.states.shape, level.side, corner))
        for layer, there in ((self.states, True), (self.detail, frame.detail is not None)):
            layer.setOpacity(self.display.opacity)
            layer.setVisible(there and self.display.opacity > 0)
        self._draw_frozen()
        self._draw_lines()

    def _draw_frozen(self) -> None:
        """Show decoding A left of the divider."""
        frozen, (height, width) = self.display.frozen, self.canvas.shape
        there = frozen is not None and frozen.states.shape == (height, width)
        self._left.setVisible(there)
        self.divider.setVisible(there)
        if frozen is None or not there:
            return
        draw_states(self.frozen, frozen.states, padded_table(state_colors(frozen.slots)))
        self.frozen.setOpacity(self.display.opacity)
        self._left.setRect(0, 0, self.display.split * width, height)
        self.divider.setValue(self.display.split * width)

    def _move_divider(self) -> None:
        width = self.canvas.shape[1]
        self.split_moved.emit(min(max(self.divider.value() / max(1, width), 0.0), 1.0))

    def _draw_lines(self) -> None:
        frame, display = self.frame, self.display
        if frame is None or not self._clip.isVisible():
            return
        bordered = display.borders and not frame.coarse
        if bordered:
            self.borders.show_borders(frame, self.canvas)
        if display.leaves:
            self.leaves.show_leaves(frame, self.canvas)
        self.borders.setVisible(bordered)
        self.leaves.setVisible(display.leaves)


def draw_states(item: pg.ImageItem, states: NDArray[np.uint8], table: NDArray[np.uint8]) -> None:
    """Give an item a map of states, in the colours of a table."""
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
