"""A pattern for each state over the state map, in the pixels of the screen."""

import math

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF

from latviz.app.theme import legible_on, to_colors
from latviz.app.widgets.canvas import Canvas
from latviz.engine.frame import Frame
from latviz.engine.matching import extended
from latviz.engine.palette import state_colors

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
"""Shape (12, TILE, TILE): where each pattern has ink; the first one is plain."""


def patterns_of(slots: tuple[int, ...]) -> list[int]:
    """Return the pattern of each state: its slot's, or a free one; past 12 states they repeat."""
    taken: set[int] = set()
    wanted: list[int | None] = []
    for slot in slots:
        own = slot % len(PATTERNS)
        wanted.append(None if own in taken else own)
        taken.add(own)
    return [pattern % len(PATTERNS) for pattern in extended(wanted)]


class HatchingItem(pg.ImageItem):  # type: ignore[misc]
    """Patterns over the states, dark on light colours and light on dark ones.

    What is in view is looked up once for each pixel of the screen whenever the view changes;
    patterns move with the picture and are of the same size at any zoom.
    """

    def show_hatching(self, frame: Frame, canvas: Canvas, part: QRectF) -> None:
        """Draw what of a part of the picture is in view."""
        view = canvas.box.viewRect()
        density = canvas.devicePixelRatioF()
        scale, row_scale = density * canvas.scale_factor, density * canvas.row_scale
        seen, height, width = view.intersected(part), *frame.states.shape
        rows = screen_pixels(seen.top() - view.top(), seen.height(), row_scale)
        columns = screen_pixels(seen.left() - view.left(), seen.width(), scale)
        if rows.size == 0 or columns.size == 0:
            self.clear()
            return
        side, top, left = frame.side, view.top(), view.left()
        states = frame.states[cells(rows, top, row_scale, side, height)]
        states = states[:, cells(columns, left, scale, side, width)]
        corner = (round(row_scale * top) + int(rows[0]), round(scale * left) + int(columns[0]))
        inks = inked(states, inks_of(frame.slots), corner)
        self.setImage(inks, autoLevels=False, levels=(0, 255), lut=_INKS)
        self.setRect(
            QRectF(
                left + columns[0] / scale,
                top + rows[0] / row_scale,
                columns.size / scale,
                rows.size / row_scale,
            )
        )


def screen_pixels(start: float, extent: float, scale: float) -> NDArray[np.int64]:
    """Return the pixels of the screen whose middles are in a span of pixels of the picture."""
    ends = (math.ceil(scale * at - 0.5) for at in (start, start + extent))
    return np.arange(*ends)


def cells(
    pixels: NDArray[np.int64], start: float, scale: float, side: int, n_cells: int
) -> NDArray[np.intp]:
    """Return in which cell, of ``side`` pixels of the picture, each pixel's middle is."""
    found = np.floor((start + (pixels + 0.5) / scale) / side).astype(np.intp)
    return np.clip(found, 0, n_cells - 1)


def inks_of(slots: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return the ink at each place of each state's tile, shape (N, TILE, TILE)."""
    colors = to_colors(state_colors(slots))
    inks = [_LIGHT if legible_on(color).lightness() > 128 else _DARK for color in colors]
    return PATTERNS[patterns_of(slots)] * np.array(inks, np.uint8)[:, None, None]


def tiles_of(slots: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return each state's pattern as red, green, blue and opacity, shape (N, TILE, TILE, 4)."""
    return np.asarray(_INKS[inks_of(slots)])


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
