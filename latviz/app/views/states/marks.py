"""Numbers and hatching, to distinguish states without colour."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, QSizeF
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PyQt6.QtWidgets import QGraphicsItem

from latviz.app.look.theme import LIGHT, Theme, legible_on, to_colors
from latviz.app.views.states.overlays import sampled
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import scaled
from latviz.app.widgets.raster import RasterItem
from latviz.core.checks import UNKNOWN
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.slots import extended

ROOM = 24
"""Pixels of the screen of the side of the square that must fit into a region."""
LEAST_CELL = 4
MOST = 300
_LONGEST = 12
"""Letters of a name on the map."""
_HALO = 3.0


@dataclass(frozen=True)
class RegionPlace:
    """The middle of a region, in pixels of the picture, and its state."""

    x: float
    y: float
    state: int


class NumbersItem(QGraphicsItem):
    """Draws numbers of a fixed size, light with a dark edge, which show on any colour."""

    def __init__(self) -> None:
        super().__init__()
        self.places: Sequence[RegionPlace] = ()
        self._texts: tuple[str, ...] = ()

    def show_numbers(self, frame: Frame, canvas: Canvas, part: QRectF) -> None:
        """Draw the visible part of a region of the picture."""
        self.prepareGeometryChange()
        self.places, self._texts = places(frame, canvas, part), _texts(frame)
        self.update()

    def boundingRect(self) -> QRectF:
        """Cover all that the parent, which clips, shows."""
        parent = self.parentItem()
        return QRectF() if parent is None else parent.boundingRect()

    def paint(self, painter: QPainter | None, *_: object) -> None:
        """Draw the numbers in pixels of the screen."""
        assert painter is not None
        to_screen = painter.worldTransform()
        font = scaled(painter.font(), bold=True)
        states = {place.state for place in self.places}
        shapes = {k: text_path(self._texts[k], font) for k in states}
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in self.places:
            path = shapes[place.state].translated(to_screen.map(QPointF(place.x, place.y)))
            painter.strokePath(path, QPen(QColor("#101317"), _HALO))
            painter.fillPath(path, QColor("#ffffff"))
        painter.restore()


def _texts(frame: Frame) -> tuple[str, ...]:
    """Return the number of each state, or its name, shortened so that it hides little."""
    labels = map(frame.label, range(len(frame.slots)))
    return tuple(x if len(x) <= _LONGEST else f"{x[: _LONGEST - 1].rstrip()}…" for x in labels)


def text_path(text: str, font: QFont) -> QPainterPath:
    """Return a number or a name as a path around the origin."""
    path, metrics = QPainterPath(), QFontMetricsF(font)
    path.addText(-metrics.horizontalAdvance(text) / 2, metrics.capHeight() / 2, font, text)
    return path


def places(frame: Frame, canvas: Canvas, part: QRectF) -> list[RegionPlace]:
    """Return places where numbers fit into the visible part of a region of the picture."""
    step = 1 << max(0, math.ceil(math.log2(LEAST_CELL / canvas.scale_factor)))
    rows, columns = canvas.region
    left, right = max(columns.start, math.ceil(part.left())), math.floor(part.right())
    region = rows, slice(left, min(columns.stop, right))
    if any(part.stop <= part.start for part in region):
        return []
    cut = sampled(frame, region, step)
    need = ROOM / (cut.step * canvas.scale_factor)
    # The cells of a ribbon are higher than wide: each is as many cells that are square.
    high = max(1, round(canvas.row_scale / canvas.scale_factor / cut.step))
    down = cut.step if high == 1 else 1 / high
    found = middles(np.repeat(cut.states, high, axis=0), need)
    return [
        RegionPlace(cut.column + cut.step * (x + 0.5), cut.row + down * (y + 0.5), int(state))
        for y, x, state in found[found[:, 2] < UNKNOWN][:MOST].tolist()
    ]


def middles(states: NDArray[np.uint8], side: float) -> NDArray[np.int64]:
    """Return row, column and state of the middle of each region that a square fits into, (n, 3)."""
    # Cells are connected along the axes. The middle is the cell farthest from other regions and
    # from the edge, and of these the one nearest to the region's mean. Those with most room come
    # first
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
    inside[1::2, 2:-1:2] = across = states[:, 1:] == states[:, :-1]
    inside[2:-1:2, 2:-1:2] = below[:, 1:] & below[:, :-1] & across[1:]
    return inside


def _means(regions: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the mean row and column of each region, by its number."""
    flat = regions.reshape(-1)
    counts = np.maximum(np.bincount(flat), 1)
    places_ = np.indices(regions.shape).reshape(2, -1)
    return np.stack([np.bincount(flat, at) / counts for at in places_], axis=1)


TILE = 12
"""Pixels of the screen after which patterns repeat."""
_DARK, _LIGHT = 1, 2
_INKS = np.zeros((256, 4), dtype=np.uint8)
_INKS[_DARK], _INKS[_LIGHT] = (16, 19, 23, 170), (255, 255, 255, 190)


def _tiles() -> NDArray[np.bool_]:
    y, x = np.indices((TILE, TILE))
    up, down = (x + y) % TILE, (x - y) % TILE
    dots = (x % 6 // 2 == 1) & (y % 6 // 2 == 1)
    rules = (
        np.zeros_like(x, dtype=bool),
        up % 6 == 0,
        down % 6 == 0,
        y % 6 == 3,
        x % 6 == 3,
        dots,
        (up == 0) | (down == 0),
        (y == 6) | (x == 6),
        up % 3 == 0,
        down % 3 == 0,
        y % 3 == 0,
        (x // 3 + y // 3) % 2 == 0,
    )
    return np.stack(rules)


PATTERNS = _tiles()
"""Shape (12, TILE, TILE): the ink of each pattern; the first one is plain."""


def patterns_of(slots: tuple[int, ...]) -> list[int]:
    """Return the pattern of each state: its slot's, or a free one; past 12 states they repeat."""
    taken: set[int] = set()
    wanted: list[int | None] = []
    for slot in slots:
        own = slot % len(PATTERNS)
        wanted.append(None if own in taken else own)
        taken.add(own)
    return [pattern % len(PATTERNS) for pattern in extended(wanted)]


class _TilesItem(RasterItem):
    """Patterns over the values of nodes."""

    # The visible part is sampled once for each pixel of the screen whenever the view changes;
    # patterns move with the picture and have the same size at any zoom

    def show_tiles(
        self,
        values: NDArray[np.uint8],
        inks: NDArray[np.uint8],
        colors: NDArray[np.uint8],
        canvas: Canvas,
        part: QRectF,
        side: int = 1,
    ) -> None:
        """Draw the visible part of a plane, each value in a tile of inks (k, TILE, TILE)."""
        view = canvas.box.viewRect()
        density = canvas.devicePixelRatioF()
        scale, row_scale = density * canvas.scale_factor, density * canvas.row_scale
        seen, height, width = view.intersected(part), *values.shape
        rows = screen_pixels(seen.top() - view.top(), seen.height(), row_scale)
        columns = screen_pixels(seen.left() - view.left(), seen.width(), scale)
        if rows.size == 0 or columns.size == 0:
            self.clear()
            return
        top, left = view.top(), view.left()
        # Not rows first: a ribbon's one row is millions of cells long, and seen hundreds of times.
        places = cells(rows, top, row_scale, side, height), cells(columns, left, scale, side, width)
        there = values[np.ix_(*places)]
        corner = (round(row_scale * top) + int(rows[0]), round(scale * left) + int(columns[0]))
        drawn = inked(there, inks, corner)
        self.setImage(drawn, autoLevels=False, levels=(0, 255), lut=colors)
        start = QPointF(left + columns[0] / scale, top + rows[0] / row_scale)
        self.setRect(QRectF(start, QSizeF(columns.size / scale, rows.size / row_scale)))


class HatchingItem(_TilesItem):
    """Patterns over the states, dark on light colours and light on dark ones."""

    def show_hatching(self, frame: Frame, canvas: Canvas, part: QRectF) -> None:
        """Draw the visible part of a region of the picture."""
        inks = inks_of(frame.slots, frame.colors)
        self.show_tiles(frame.states, inks, _INKS, canvas, part, frame.side)


class UnknownItem(_TilesItem):
    """A hatch over unknown nodes, on whatever is drawn below."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self._canvas, self._theme = canvas, LIGHT
        self._plane: NDArray[np.uint8] | None = None  # 1 where a node is unknown
        canvas.viewed.connect(self._draw)
        canvas.box.sigResized.connect(self._draw)

    def show_known(self, known: NDArray[np.bool_] | None) -> None:
        """Take which nodes of the plane (rows, columns) are known; None if all are."""
        self._plane = None if known is None else (~known).view(np.uint8)
        self.setVisible(known is not None)
        self._draw()

    def draw_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self._draw()

    def _draw(self, *_: object) -> None:
        if (plane := self._plane) is None:
            return
        colors = np.zeros((256, 4), np.uint8)
        for ink, name in ((_DARK, "panel"), (_LIGHT, "muted")):
            colors[ink] = self._theme.color(name).getRgb()
        inks = np.zeros((2, TILE, TILE), np.uint8)
        inks[1] = np.where(PATTERNS[1], _LIGHT, _DARK)
        height, width = plane.shape
        self.show_tiles(plane, inks, colors, self._canvas, QRectF(0, 0, width, height))


def screen_pixels(start: float, extent: float, scale: float) -> NDArray[np.int64]:
    """Return the pixels of the screen whose middles are in a span of pixels of the picture."""
    ends = (math.ceil(scale * at - 0.5) for at in (start, start + extent))
    return np.arange(*ends)


def cells(
    pixels: NDArray[np.int64], start: float, scale: float, side: int, n_cells: int
) -> NDArray[np.intp]:
    """Return the cell, of ``side`` pixels of the picture, that holds each pixel's middle."""
    found = np.floor((start + (pixels + 0.5) / scale) / side).astype(np.intp)
    return np.clip(found, 0, n_cells - 1)


def inks_of(slots: tuple[int, ...], colors: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the ink at each place of each state's tile, shape (N, TILE, TILE)."""
    legible = (legible_on(color).lightness() > 128 for color in to_colors(colors))
    inks = [_LIGHT if light else _DARK for light in legible]
    return PATTERNS[patterns_of(slots)] * np.array(inks, np.uint8)[:, None, None]


def tiles_of(slots: tuple[int, ...], colors: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return each state's pattern as red, green, blue and opacity, shape (N, TILE, TILE, 4)."""
    return np.asarray(_INKS[inks_of(slots, colors)])


def inked(
    states: NDArray[np.uint8], inks: NDArray[np.uint8], corner: tuple[int, int]
) -> NDArray[np.uint8]:
    """Return the ink at each pixel of the screen, which is in one of the states.

    ``corner`` is the row and the column of the first pixel in the endless plane of tiles.
    """
    found = np.empty(states.shape, dtype=np.uint8)
    across = ((np.arange(states.shape[1]) + corner[1]) % TILE).astype(np.uint16)
    for row in range(TILE):
        table, every = inks[:, row].reshape(-1), slice((row - corner[0]) % TILE, None, TILE)
        np.take(table, states[every] * np.uint16(TILE) + across, out=found[every], mode="clip")
    return found
