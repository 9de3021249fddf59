"""Small pictures of a state of work: image and states, or the states alone."""

import numpy as np
from numpy.typing import NDArray

from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import coloured, hatched

SIDE, MAP_SIDE = 64, 256
"""Pixels of a side, and at most of the longer side of a small state map."""
BAND = 8
"""The state map of a sequence is this many times as wide as high."""
SHADES = 70, 230
"""The greys below and above a curve."""


def thumbnail(picture: Picture, slice_: int, frame: Frame | None = None) -> NDArray[np.uint8]:
    """Return a small picture of a slice and its states, (SIDE, SIDE, 4) uint8, RGBA."""
    # The longer side of the image fills it; of a sequence both sides, symbols above states. Without
    # a frame, or with one of another picture, the image stands alone
    plane = picture.shape if picture.dimensions == 2 else picture.shape[1:]
    height, width = (SIDE, SIDE) if picture.is_ribbon else plane
    longest = max(height, width)
    rows, columns = (max(1, round(SIDE * side / longest)) for side in (height, width))
    nodes = _nodes(picture, slice_, rows, columns)
    shown = picture.shown[nodes]
    if picture.curves is not None and picture.is_grey:  # the ground below a curve
        shown = np.where(shown > np.linspace(255, 0, rows)[:, None], *SHADES).astype(np.uint8)
    drawn = picture.in_colour(shown)
    if picture.known is not None:
        drawn = hatched(drawn, picture.known[nodes])
    if frame is not None and frame.request.picture is picture:
        states = coloured(frame.states_at(*nodes), frame.colors)
        if picture.is_ribbon:
            drawn[rows // 2 :] = states[rows // 2 :]
        else:
            drawn[:, columns // 2 :] = states[:, columns // 2 :]
    whole = np.zeros((SIDE, SIDE, 4), np.uint8)
    top, left = (SIDE - rows) // 2, (SIDE - columns) // 2
    place = whole[top : top + rows, left : left + columns]
    place[..., :3], place[..., 3] = drawn, 255
    return whole


def small_map(frame: Frame, slice_: int) -> NDArray[np.uint8]:
    """Return the states of a slice in their colours, (rows, columns, 4) uint8, RGBA."""
    # Of a large picture some pixels in equal steps; a sequence is a band
    picture = frame.request.picture
    height, width = (1, *picture.shape)[-2:]
    scale = min(1, MAP_SIDE / max(height, width))
    rows, columns = (max(1, round(scale * side)) for side in (height, width))
    if picture.is_ribbon:
        rows = max(1, columns // BAND)
    drawn = np.full((rows, columns, 4), 255, np.uint8)
    states = frame.states_at(*_nodes(picture, slice_, rows, columns))
    drawn[..., :3] = coloured(states, frame.colors)
    return drawn


def _nodes(picture: Picture, slice_: int, rows: int, columns: int) -> tuple[NDArray[np.int64], ...]:
    """Return the nodes that are drawn, axis by axis, each of shape (rows, columns)."""
    across = np.arange(columns) * picture.shape[-1] // columns
    if picture.is_ribbon:
        along = np.tile(across, (rows, 1))
        return (along,) if picture.dimensions == 1 else (np.zeros_like(along), along)
    down = np.arange(rows) * picture.shape[-2] // rows
    plane = np.meshgrid(down, across, indexing="ij")
    if picture.dimensions == 2:
        return tuple(plane)
    return np.full((rows, columns), slice_), *plane
