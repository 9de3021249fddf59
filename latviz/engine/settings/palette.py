"""The colours of the states' slots."""

import numpy as np
from numpy.typing import NDArray

_HEX = (
    "0072b2 d55e00 f0e442 56b4e9 cc79a7 009e73 e69f00 484848 "
    "cce4c0 783000 00486c 906078 546c48 ccc0cc 8478fc 90c084 "
    "b4d8fc 9ca89c a84800 9cfc9c 3c3cb4 603c30 6c9048 6c90cc "
    "b4cc6c 246084 e46c84 844860 6c786c 84a854 84a8c0 548454"
)

SLOT_COLORS = np.frombuffer(bytes.fromhex(_HEX), np.uint8).reshape(-1, 3)  # read-only
"""Shape (32, 3). The first seven are those of Okabe and Ito (2008), in the order in which the first
few differ most, and a grey. Each further one is the colour farthest from all before it, of those
that are neither glaring nor lost on white or black. Far is by CIEDE2000, the least over normal
vision and three kinds of colour blindness (Machado, Oliveira and Fernandes 2009)."""


UNKNOWN_COLORS = np.array([(196, 196, 196), (120, 120, 120)], np.uint8)
"""Of the ground and the lines of the hatch over unknown nodes."""
_APART = 4
"""Pixels between two lines of a hatch."""


def coloured(values: NDArray[np.uint8], colors: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a plane of states or slots (*shape) in their colours; 255, unknown, is hatched."""
    table = np.zeros((256, 3), np.uint8)
    table[: len(colors)] = colors
    return hatched(table[values], values != 255)


def hatched(drawn: NDArray[np.uint8], known: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return a plane of colours (rows, columns, 3) with a hatch where nodes are unknown."""
    if not known.all():
        diagonal = np.add.outer(*map(np.arange, known.shape)) % _APART == 0
        drawn = np.where(known[..., None], drawn, UNKNOWN_COLORS[diagonal.astype(np.intp)])
    return drawn


def state_colors(slots: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return the colour of each state, shape (N, 3), uint8."""
    return np.asarray(SLOT_COLORS[np.array(slots) % len(SLOT_COLORS)])
