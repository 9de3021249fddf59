"""Brushes, which draw on lattices."""

import numpy as np

from latviz.core.types import States

Node = tuple[int, int]

BRUSHES = (1, 64)
"""Sizes, in nodes across."""


def stroked(states: States, start: Node, end: Node, size: int, state: int) -> States:
    """Return a map on which a round brush went from one node to another."""
    # A node takes the state if its centre is within half the size of the line; the end nodes always
    # do
    rows, columns = np.ogrid[: states.shape[0], : states.shape[1]]
    (top, left), (down, right) = start, (end[0] - start[0], end[1] - start[1])
    length = down * down + right * right
    along = ((rows - top) * down + (columns - left) * right) / max(1, length)
    along = np.clip(along, 0.0, 1.0)
    apart = (rows - top - along * down) ** 2 + (columns - left - along * right) ** 2
    return np.where(apart <= max(size / 2, 0.5) ** 2, np.uint8(state), states)
