"""True states that the user draws: stored as text, fitted to lattices, filled."""

import base64
import binascii
import zlib

import numpy as np
import scipy

from latviz.core.data.lattice import frozen
from latviz.core.errors import ParameterError
from latviz.core.types import States
from latviz.engine.settings.scribbles import Node

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


def filled(states: States, node: Node, state: int) -> States:
    """Return a map on which the region of a node, connected along the axes, takes a state."""
    regions, _ = scipy.ndimage.label(states == states[node])
    return np.where(regions == regions[node], np.uint8(state), states)
