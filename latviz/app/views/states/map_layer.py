"""A map of states inside a part of the picture, and the letter beside it when two are compared."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen
from PyQt6.QtWidgets import QGraphicsItem, QGraphicsRectItem

from latviz.app.views.states.marks import HatchingItem, NumbersItem
from latviz.app.views.states.overlays import BordersItem, LeavesItem
from latviz.app.views.states.regions_layer import RegionItems, Shown
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.layer import Layer
from latviz.app.widgets.painting import CENTER, scaled
from latviz.engine.frame import Frame
from latviz.engine.state import Display

SIDE, GAP = 20.0, 6.0
"""Pixels of the screen of a letter's ground, and from it to what is beside it."""


@dataclass(frozen=True)
class Letter:
    """A letter left or right of a column of the picture."""

    text: str
    column: float
    left: bool = False


class LettersItem(QGraphicsItem):
    """Letters of a fixed size at the top of what is in view."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas.box)
        self._box = canvas.box
        self.letters: tuple[Letter, ...] = ()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(200)
        canvas.viewed.connect(self.update)
        canvas.box.sigResized.connect(lambda *_: self.prepareGeometryChange())

    def show_letters(self, *letters: Letter) -> None:
        """Draw these."""
        self.letters = letters
        self.update()

    def boundingRect(self) -> QRectF:
        """Cover the whole box."""
        return QRectF(0, 0, self._box.width(), self._box.height())

    def grounds(self) -> list[tuple[Letter, QRectF]]:
        """Return the letters for which there is room, and where they are in the box."""
        width, placed = self._box.width(), []
        for letter in self.letters:
            x = self._box.mapFromView(QPointF(letter.column, 0.0)).x()
            start = min(x, width) - GAP - SIDE if letter.left else max(x, 0.0) + GAP
            if 0 <= start <= width - SIDE:
                placed.append((letter, QRectF(start, GAP, SIDE, SIDE)))
        return placed

    def paint(self, painter: QPainter | None, *_: object) -> None:
        """Draw the letters on dark grounds."""
        assert painter is not None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scaled(painter.font(), 1.0, bold=True))
        for letter, ground in self.grounds():
            painter.setPen(QPen(QColor("#ffffff"), 1.5))
            painter.setBrush(QColor("#101317"))
            painter.drawRoundedRect(ground, 4, 4)
            painter.drawText(ground, CENTER, letter.text)


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
        self.regions = RegionItems(canvas, self, len(layers))
        canvas.add_layer(self, z)
        self.setVisible(False)

    def show_frame(
        self,
        frame: Frame,
        display: Display,
        chosen: int | None,
        part: QRectF,
        regions: Shown | None = None,
    ) -> None:
        """Show a frame in a part of the picture; all states but a chosen one are faded."""
        self._frame = frame
        self.setRect(part)
        self.setVisible(not part.isEmpty())
        table = faded_table(frame.colors, chosen)
        self.states.show_plane(frame.states, table, side=frame.side)
        if frame.detail is not None:
            level = frame.detail
            corner = (level.region[0].start, level.region[1].start)
            self.detail.show_plane(level.states, table, side=level.side, corner=corner)
        for layer, there in ((self.states, True), (self.detail, frame.detail is not None)):
            layer.setOpacity(display.opacity)
            layer.setVisible(there and display.opacity > 0)
        self.regions.show(regions, display.opacity)
        self.draw_lines(display)

    def let_go(self) -> None:
        """Show nothing, and keep no frame."""
        self.setVisible(False)
        if self._frame is not None:
            self._frame = None
            for layer in (self.states, self.detail):
                layer.clear()
            self.regions.let_go()

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
        self.regions.draw_lines()
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
