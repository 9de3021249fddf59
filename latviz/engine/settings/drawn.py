"""True states that the user draws: stored as text, edited by brushes."""

import base64
import binascii
import zlib

import numpy as np
import scipy

from latviz.core.data.lattice import frozen
from latviz.core.errors import ParameterError
from latviz.core.types import States

Node = tuple[int, int]

BRUSHES = (1, 64)
"""Sizes of brushes, in nodes across."""
MOST_SIDE = 4096
_FAST = 1
"""The level of zlib: low, because a stroke is stored many times per second."""


def packed(states: States) -> str:
    """Return a square map of states as one line of text."""
    squeezed = zlib.compress(np.ascontiguousarray(states, dtype=np.uint8).tobytes(), _FAST)
    return base64.b64encode(squeezed).decode("ascii")


def unpacked(text: str) -> States:
    """Return the map that `packed` made text of, (side, side) uint8, read-only."""
    most = MOST_SIDE**2
    try:
        opener = zlib.decompressobj()
        content = opener.decompress(base64.b64decode(text, validate=True), most)
    except (ValueError, binascii.Error, zlib.error):
        content = b""
    side = round(len(content) ** 0.5)
    if not content or side**2 != len(content):
        raise ParameterError("drawn must be the text of a square map of states")
    return frozen(np.frombuffer(content, np.uint8).reshape(side, side).copy())


def fitted(states: States, side: int, n_states: int) -> States:
    """Return a map on another lattice, with no more states than there are: the last for others."""
    places = (np.arange(side) * len(states)) // side
    return np.minimum(states[np.ix_(places, places)], np.uint8(n_states - 1))


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


def filled(states: States, node: Node, state: int) -> States:
    """Return a map on which the region of a node, connected along the axes, takes a state."""
    regions, _ = scipy.ndimage.label(states == states[node])
    return np.where(regions == regions[node], np.uint8(state), states)
