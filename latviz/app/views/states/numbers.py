"""The numbers of the states, in the middle of their larger regions in view."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PyQt6.QtWidgets import QGraphicsItem

from latviz.app.views.states.overlays import sampled
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import scaled
from latviz.engine.frame import Frame

ROOM = 24
"""Pixels of the screen of the side of the square that must fit into a region."""
LEAST_CELL = 4
MOST = 300
_HALO = 3.0


@dataclass(frozen=True)
class Place:
    """The middle of a region, in pixels of the picture, and its state."""

    x: float
    y: float
    state: int


class NumbersItem(QGraphicsItem):
    """Draws numbers of a fixed size, light with a dark edge, which show on any colour."""

    def __init__(self) -> None:
        super().__init__()
        self.places: Sequence[Place] = ()

    def show_numbers(self, frame: Frame, canvas: Canvas, part: QRectF) -> None:
        """Draw what of a part of the picture is in view."""
        self.prepareGeometryChange()
        self.places = places(frame, canvas, part)
        self.update()

    def boundingRect(self) -> QRectF:
        """Cover all that the parent, which clips, shows."""
        parent = self.parentItem()
        return QRectF() if parent is None else parent.boundingRect()

    def paint(self, painter: QPainter | None, *_: object) -> None:
        """Draw the numbers in pixels of the screen."""
        assert painter is not None
        to_screen = painter.worldTransform()
        font = scaled(painter.font(), 1.0, bold=True)
        states = {place.state for place in self.places}
        shapes = {state: number_path(state + 1, font) for state in states}
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in self.places:
            path = shapes[place.state].translated(to_screen.map(QPointF(place.x, place.y)))
            painter.strokePath(path, QPen(QColor("#101317"), _HALO))
            painter.fillPath(path, QColor("#ffffff"))
        painter.restore()


def number_path(number: int, font: QFont) -> QPainterPath:
    """Return a number as a path around the origin."""
    path, metrics = QPainterPath(), QFontMetricsF(font)
    text = str(number)
    path.addText(-metrics.horizontalAdvance(text) / 2, metrics.capHeight() / 2, font, text)
    return path


def places(frame: Frame, canvas: Canvas, part: QRectF) -> list[Place]:
    """Return where numbers fit into what of a part of the picture is in view."""
    step = 1 << max(0, math.ceil(math.log2(LEAST_CELL / canvas.scale_factor)))
    rows, columns = canvas.region
    left, right = max(columns.start, math.ceil(part.left())), math.floor(part.right())
    region = rows, slice(left, min(columns.stop, right))
    if region[0].stop <= region[0].start or region[1].stop <= region[1].start:
        return []
    cut = sampled(frame, region, step)
    need = ROOM / (cut.step * canvas.scale_factor)
    # The cells of a ribbon are higher than wide: each is as many cells that are square.
    high = max(1, round(canvas.row_scale / canvas.scale_factor / cut.step))
    down = cut.step if high == 1 else 1 / high
    found = middles(np.repeat(cut.states, high, axis=0), need)
    return [
        Place(cut.column + cut.step * (x + 0.5), cut.row + down * (y + 0.5), int(state))
        for y, x, state in found[:MOST].tolist()
    ]


def middles(states: NDArray[np.uint8], side: float) -> NDArray[np.int64]:
    """Return the middle of each region of one state into which a square of some side fits.

    Cells are connected along the axes. The middle is the cell farthest from other regions and
    from the edge, and of these the one nearest to the region's mean. Shape (n, 3): row, column
    and state; those with most room come first.
    """
    inside = _without_walls(states)
    # A square of 2 k - 1 half cells is around a half cell at a distance of k from all walls.
    room = scipy.ndimage.distance_transform_cdt(inside, "chessboard")[1::2, 1::2].astype(np.int64)
    regions = scipy.ndimage.label(inside)[0][1::2, 1::2]
    wide = np.argwhere(room >= side)
    y, x = wide.T
    region, depth = regions[y, x], room[y, x]
    off = np.hypot(*(wide - _means(regions)[region]).T)
    order = np.lexsort((off, -depth, region))
    first = order[np.unique(region[order], return_index=True)[1]]
    first = first[np.argsort(-depth[first], kind="stable")]
    return np.column_stack([y, x, states[y, x]])[first].astype(np.int64)


def _without_walls(states: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return half cells, of which those between two states and at the edge are walls.

    The middle of cell (i, j) is half cell (2 i + 1, 2 j + 1).
    """
    height, width = states.shape
    inside = np.zeros((2 * height + 1, 2 * width + 1), dtype=bool)
    inside[1::2, 1::2] = True
    inside[2:-1:2, 1::2] = below = states[1:] == states[:-1]
    inside[1::2, 2:-1:2] = beside = states[:, 1:] == states[:, :-1]
    inside[2:-1:2, 2:-1:2] = below[:, 1:] & below[:, :-1] & beside[1:]
    return inside


def _means(regions: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the mean row and column of each region, by its number."""
    flat = regions.reshape(-1)
    counts = np.maximum(np.bincount(flat), 1)
    places_ = np.indices(regions.shape).reshape(2, -1)
    return np.stack([np.bincount(flat, at) / counts for at in places_], axis=1)
