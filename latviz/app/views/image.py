"""The image, with the window of the pixel under the pointer."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QVBoxLayout, QWidget

from latviz.app.views import words
from latviz.app.views.base import View
from latviz.app.views.canvas import Canvas, PhotoItem
from latviz.app.views.overlays import covered
from latviz.app.views.pins import PinMark
from latviz.live.frame import Frame
from latviz.live.inspection import Inspection
from latviz.live.parameters import Picture
from latviz.live.selection import StateSelection

LIGHT_AND_DARK = np.zeros((256, 4), dtype=np.uint8)
LIGHT_AND_DARK[0] = (16, 19, 23, 190)


class PictureView(View):
    """A view on a canvas: the image, and what subclasses put over it.

    While it has the keyboard, its description says what the arrow keys led to.

    Signals
    -------
    pinned(object)
        The (row, column) to pin, or to unpin.
    """

    KEYS = (
        "Arrow keys inspect a pixel, with Shift in larger steps; Enter picks out its state, "
        "Shift and Enter pin it; plus and minus zoom, Home shows all."
    )

    pinned = pyqtSignal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = Canvas(self)
        self.take_keyboard(self.canvas)
        self.photo = PhotoItem()
        self.canvas.add_layer(self.photo, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)
        self.lit = pg.ImageItem()
        self.canvas.add_layer(self.lit, 50)
        self.symbol = pg.ImageItem()
        self.canvas.add_layer(self.symbol, 60)
        self.canvas.hovered.connect(self.hovered)
        self.canvas.clicked.connect(self._pick)
        self.canvas.pinned.connect(self.pinned)
        self._pin_marks: list[PinMark] = []

    def show_picture(self, picture: Picture) -> None:
        """Take another image; it is shown at once, before any frame of it."""
        show_array(self.photo, picture.shown)
        self.canvas.set_shape(picture.shape)
        self.canvas.clear_mark()
        self.lit.setVisible(False)
        self.symbol.setVisible(False)

    def show_pins(self, pins: Sequence[Inspection]) -> None:
        """Mark the pinned pixels."""
        for mark in self._pin_marks:
            self.canvas.box.removeItem(mark)
        self._pin_marks = [PinMark(k, pin.node) for k, pin in enumerate(pins, start=1)]
        for mark in self._pin_marks:
            self.canvas.add_layer(mark, 90)

    def draw_frame(self) -> None:
        """Put what is not lit into the dark."""
        found = self.frame.lit if self.frame is not None else None
        lit = found if self.display.selection is not None else None
        if lit is not None:
            mask = lit.mask.view(np.uint8)
            self.lit.setImage(mask, autoLevels=False, levels=(0, 255), lut=LIGHT_AND_DARK)
        self.lit.setVisible(lit is not None)
        self._draw_symbol()

    def _pick(self, node: tuple[int, int]) -> None:
        """Pick out the state of a pixel."""
        if self.frame is not None:
            row, column = (np.array([at]) for at in node)
            state = int(self.frame.states_at(row, column)[0])
            self.picked.emit(StateSelection(self.frame.slots[state]))

    def draw_theme(self) -> None:
        """Restyle the ground."""
        self.canvas.draw_theme(self.theme)

    def draw_inspection(self) -> None:
        """Outline the inspected pixel's clipped window."""
        found = self.inspection
        if found is None:
            self.canvas.clear_mark()
        else:
            self.canvas.mark(found.rows, found.columns, found.node)
            if self.canvas.hasFocus():
                self.canvas.setAccessibleDescription(words.pixel(found))
        self._draw_symbol()

    def _draw_symbol(self) -> None:
        """Put those pixels of the inspected window into the dark that have not the symbol."""
        frame, found, symbol = self.frame, self.inspection, self.display.symbol
        discrete = frame is not None and frame.observations.discrete
        there = discrete and found is not None and symbol is not None
        self.symbol.setVisible(there)
        if frame is not None and found is not None and there:
            window = frame.observations.values[slice(*found.rows), slice(*found.columns)]
            mask = (window == symbol).view(np.uint8)
            self.symbol.setImage(mask, autoLevels=False, levels=(0, 255), lut=LIGHT_AND_DARK)
            self.symbol.setRect(covered(mask.shape, 1, (found.rows[0], found.columns[0])))


class ImageView(PictureView):
    """The image as it is."""

    NAME = "image"
    TITLE = "Image"

    def in_words(self, frame: Frame) -> str:
        """Return the picture's name and size."""
        return words.image(frame)


def show_array(item: Any, values: Any) -> None:
    """Give an item an image of 8 bits, as it is."""
    item.setImage(values, autoLevels=False, levels=(0, 255))
