"""A state map of a part of the picture; if two are compared, with its name."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen
from PyQt6.QtWidgets import QApplication, QGraphicsItem, QGraphicsRectItem

from latviz.app.views.states.marks import HatchingItem, NumbersItem
from latviz.app.views.states.overlays import BordersItem, LeavesItem
from latviz.app.views.states.regions_layer import RegionItems
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.layer import Layer
from latviz.app.widgets.painting import CENTER, scaled, text_height, text_width
from latviz.engine.frames.detail import Detail
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import index_of
from latviz.engine.settings.state import Layers, Marks

HIGH, GAP = 20.0, 6.0
"""Height of the box of a name, and the gap next to it, in pixels of the screen."""


@dataclass(frozen=True)
class Letter:
    """A map's name left or right of a column of the picture."""

    text: str
    column: float
    left: bool = False


class TextsItem(QGraphicsItem):
    """Light texts of a fixed size on dark grounds, over all of a canvas."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas.box)
        self._box = canvas.box
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(200)
        canvas.box.sigResized.connect(lambda *_: self.prepareGeometryChange())

    def boundingRect(self) -> QRectF:
        """Cover the whole box."""
        return QRectF(0, 0, self._box.width(), self._box.height())


class LettersItem(TextsItem):
    """Names of maps at the top of the visible part."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.letters: tuple[Letter, ...] = ()
        canvas.viewed.connect(self.update)

    def show_letters(self, *letters: Letter) -> None:
        """Draw these."""
        if letters != self.letters:  # otherwise the items below would be painted again
            self.letters = letters
            self.update()

    def grounds(self) -> list[tuple[Letter, QRectF]]:
        """Return the names that fit, and their rectangles in the box."""
        width, placed, font = self._box.width(), [], scaled(QApplication.font(), bold=True)
        for letter in self.letters:
            x = self._box.mapFromView(QPointF(letter.column, 0.0)).x()
            wide = text_width(font, letter.text) + 2 * GAP
            start = min(x, width) - GAP - wide if letter.left else max(x, 0.0) + GAP
            if 0 <= start <= width - wide:
                placed.append((letter, QRectF(start, GAP, wide, HIGH)))
        return placed

    def paint(self, painter: QPainter | None, *_: object) -> None:
        """Draw the names on dark grounds."""
        assert painter is not None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scaled(painter.font(), bold=True))
        for letter, ground in self.grounds():
            painter.setPen(QPen(QColor("#ffffff"), 1.5))
            painter.setBrush(QColor("#101317"))
            painter.drawRoundedRect(ground, 4, 4)
            painter.drawText(ground, CENTER, letter.text)


BANDS = "decoded", "known"
"""The labels of the upper and the lower half of a sequence's ribbon."""


class BandsItem(TextsItem):
    """Names of the bands of a ribbon, each at the left of the visible part."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.names: tuple[str, ...] = ()

    def show_names(self, *names: str) -> None:
        """Name bands of equal heights, from the top; without names there are no bands."""
        if names != self.names:  # otherwise the items below would be painted again
            self.names = names
            self.update()

    def paint(self, painter: QPainter | None, *_: object) -> None:
        """Draw the names on dark grounds."""
        assert painter is not None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scaled(painter.font()))
        height = text_height(painter.font()) + 2
        for k, name in enumerate(self.names):
            top = k * self._box.height() / len(self.names)
            width = text_width(painter.font(), name) + 10
            ground = QRectF(GAP, top + GAP, width, height)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor("#101317"))
            painter.drawRoundedRect(ground, 4, 4)
            painter.setPen(QColor("#ffffff"))
            painter.drawText(ground, CENTER, name)


FADED = 0.22


@dataclass(frozen=True, eq=False)
class Heat:
    """A map of one number per node, as it is drawn."""

    plane: Annotated[NDArray[np.uint8], "(rows, columns)"]
    table: Annotated[NDArray[np.uint8], "(256, 3)"]  # the colours of its values
    opacity: float  # 0 to 1


class MapLayer(QGraphicsRectItem):
    """Shows a frame inside a rectangle of the picture, which clips its content.

    The frame's states are those of the plane on the canvas.
    """

    def __init__(self, canvas: Canvas, z: float) -> None:
        super().__init__()
        self._canvas = canvas
        self._frame: Frame | None = None
        self.setPen(QPen(Qt.PenStyle.NoPen))
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape)
        self.states, self.detail, self.heat = Layer(canvas), Layer(canvas), Layer(canvas)
        self.fine = Layer(canvas)
        self.borders, self.leaves = BordersItem(), LeavesItem()
        self.hatching, self.numbers = HatchingItem(), NumbersItem()
        layers: tuple[Any, ...] = (
            *(self.states, self.detail, self.fine, self.hatching),
            *(self.heat, self.borders, self.leaves, self.numbers),
        )
        for k, layer in enumerate(layers):
            layer.setParentItem(self)
            layer.setZValue(k)
        self.regions = RegionItems(canvas, self, len(layers))
        canvas.add_layer(self, z)
        self.setVisible(False)
        self.heat.setVisible(False)
        self.fine.setVisible(False)

    def show_frame(self, frame: Frame, part: QRectF) -> None:
        """Take a frame, to be shown in a part of the picture."""
        self._frame = frame
        self.setRect(part)
        self.setVisible(not part.isEmpty())

    def show_states(self, layers: Layers, chosen: int | None) -> None:
        """Show the states, unless they are hidden; all but a chosen one are faded."""
        frame = self._frame
        if frame is None:
            return
        there = layers.states and layers.opacity > 0
        detail = frame.detail if there else None
        if there:
            table = faded_table(frame.colors, chosen)
            self.states.show_plane(frame.states, table, side=frame.side)
            if detail is not None:
                corner = (detail.region[0].start, detail.region[1].start)
                self.detail.show_plane(detail.states, table, side=detail.side, corner=corner)
        for layer, is_shown in ((self.states, there), (self.detail, detail is not None)):
            layer.setOpacity(layers.opacity)
            layer.setVisible(is_shown)

    def show_fine(self, detail: Detail | None, layers: Layers, chosen: int | None) -> None:
        """Show states of a finer level in place of the others, if they are there."""
        frame, fine, hole = self._frame, None if detail is None else detail.fine, QRectF()
        if frame is not None and detail is not None and fine is not None:
            slots, hole = fine.slots_in(frame), place_of(detail)
            own = None if chosen is None else index_of(slots, frame.slots[chosen])
            table = faded_table(frame.appearance.colors(slots), own)
            self.fine.show_part(fine.states, table, hole)
        self.fine.setOpacity(layers.opacity)
        self.fine.setVisible(layers.states and layers.opacity > 0 and not hole.isEmpty())
        for layer in (self.states, self.detail):
            layer.leave_out(hole)

    def show_heat(self, heat: Heat | None) -> None:
        """Show a map of one number per node, or none."""
        if heat is not None:
            self.heat.show_plane(heat.plane, heat.table)
            self.heat.setOpacity(heat.opacity)
        self.heat.setVisible(heat is not None and heat.opacity > 0)

    def clear(self) -> None:
        """Show nothing, and keep no frame."""
        self.setVisible(False)
        if self._frame is not None:
            self._frame = None
            for layer in (self.states, self.detail, self.fine, self.heat):
                layer.clear()
            self.heat.setVisible(False)
            self.fine.setVisible(False)
            self.regions.clear()

    def draw_lines(self, layers: Layers, marks: Marks) -> None:
        """Draw lines and marks for the visible part."""
        frame, canvas = self._frame, self._canvas
        if frame is None or not self.isVisible():
            return
        bordered = layers.borders and not frame.coarse
        marked = marks if layers.states else "none"
        if bordered:
            self.borders.show_borders(frame, canvas)
        if layers.leaves:
            self.leaves.show_leaves(frame, canvas)
        if marked == "numbers":
            self.numbers.show_numbers(frame, canvas, self.rect())
        if marked == "hatching":
            self.hatching.show_hatching(frame, canvas, self.rect())
        self.regions.draw_lines()
        self.borders.setVisible(bordered)
        self.leaves.setVisible(layers.leaves)
        self.numbers.setVisible(marked == "numbers")
        self.hatching.setVisible(marked == "hatching")


def place_of(detail: Detail) -> QRectF:
    """Return the rectangle of a detail on the canvas."""
    return QRectF(detail.left, detail.top, detail.width, detail.height)


def faded_table(colors: NDArray[np.uint8], chosen: int | None = None) -> NDArray[np.uint8]:
    """Return the colours; all but a chosen state's are faded to grey."""
    if chosen is None or chosen >= len(colors):
        return colors
    grey = colors.mean(axis=1, keepdims=True)
    faded = (FADED * colors + (1 - FADED) * (0.35 * grey + 90)).astype(np.uint8)
    faded[chosen] = colors[chosen]
    return np.asarray(faded)
