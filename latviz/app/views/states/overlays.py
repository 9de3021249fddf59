"""Lines over the state map: borders between states, leaves of the quadtree.

Only the part in view is made, at the resolution of the screen, so that the time does not depend on
the size of the picture.
"""

import math
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QColor, QPen

from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import ScreenPathItem
from latviz.app.widgets.raster import RasterItem
from latviz.core.windows.quadtree import Leaves, quadtree_leaves
from latviz.engine.frames.frame import Frame

LEAST_LEAF = 5
"""Screen pixels of a leaf's side, at least."""
WIDEST = 12
"""Screen pixels of a border's width, at most."""
_DARK = (16, 19, 23)


@dataclass(frozen=True, eq=False)
class Sampled:
    """The states of every ``step``-th pixel of a part of a picture that begins at row, column."""

    states: NDArray[np.uint8]
    row: int
    column: int
    step: int


def sampled(frame: Frame, region: tuple[slice, slice], step: int, multiple: int = 1) -> Sampled:
    """Take states of a region, which is enlarged to begin at multiples of ``multiple`` steps.

    ``step`` is a power of two; a coarse frame has no finer one than its side.
    """
    step = max(step, frame.side)
    stride = step // frame.side
    row, column = (s.start // (multiple * step) * multiple * step for s in region)
    rows, columns = (
        slice(start // frame.side, max(start, s.stop - 1) // frame.side + 1, stride)
        for start, s in zip((row, column), region, strict=True)
    )
    return Sampled(frame.states[rows, columns], row, column, step)


class BordersItem(RasterItem):
    """Dark pixels where the state to the right or below is another one."""

    def show_borders(self, frame: Frame, canvas: Canvas) -> None:
        """Draw the visible part."""
        step = 1 << max(0, math.floor(math.log2(1 / canvas.scale_factor)))
        part = sampled(frame, canvas.region, step)
        if part.states.size == 0:
            self.clear()
            return
        table = np.zeros((256, 4), dtype=np.uint8)
        table[1] = (*_DARK, 255)
        # Of a tiny picture whole pixels would hide the states that they outline.
        parts = max(1, math.ceil(canvas.scale_factor / WIDEST))
        states = part.states.repeat(parts, axis=0).repeat(parts, axis=1)
        self.setImage(border_map(states), autoLevels=False, levels=(0, 255), lut=table)
        self.setRect(covered(part.states.shape, part.step, (part.row, part.column)))


class LeavesItem(ScreenPathItem):
    """The outlines of the quadtree's leaves: the largest blocks of one state each."""

    def __init__(self) -> None:
        super().__init__()
        self.setPen(QPen(QColor(*_DARK, 150)))

    def show_leaves(self, frame: Frame, canvas: Canvas) -> None:
        """Draw the visible part."""
        step = 1 << max(0, math.ceil(math.log2(LEAST_LEAF / canvas.scale_factor)))
        region = canvas.region
        cells = max(1, *(-(-(s.stop - s.start) // step) for s in region))
        part = sampled(frame, region, step, 1 << (cells - 1).bit_length())
        if part.states.size == 0:
            self.setPath(pg.QtGui.QPainterPath())
            return
        self.setPath(outlines(quadtree_leaves(part.states), part, canvas.shape))


def outlines(leaves: Leaves, part: Sampled, shape: tuple[int, int]) -> pg.QtGui.QPainterPath:
    """Return the left and the upper edge of each leaf, in pixels of the picture."""
    top, left = part.row + part.step * leaves.rows, part.column + part.step * leaves.columns
    bottom = np.minimum(top + part.step * leaves.sides, shape[0])
    right = np.minimum(left + part.step * leaves.sides, shape[1])
    x = np.stack([left, right, left, left], axis=1).reshape(-1).astype(np.float64)
    y = np.stack([top, top, top, bottom], axis=1).reshape(-1).astype(np.float64)
    return pg.arrayToQPath(x, y, connect="pairs")


def border_map(states: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return 1 where the pixel to the right or below is in another state, else 0."""
    border = np.zeros(states.shape, dtype=np.uint8)
    border[:, :-1] = states[:, 1:] != states[:, :-1]
    border[:-1] |= states[1:] != states[:-1]
    return border


def covered(shape: tuple[int, ...], side: int, corner: tuple[int, int] = (0, 0)) -> QRectF:
    """Return the pixels of a picture that an array of cells covers."""
    return QRectF(corner[1], corner[0], side * shape[1], side * shape[0])
