"""The colours of the states' slots."""

import numpy as np
from numpy.typing import NDArray

_HEX = (
    "0072b2 e69f00 009e73 cc79a7 f0e442 56b4e9 d55e00 8400f0 "
    "6c240c 3c3c48 b4e490 9078fc e41848 0cf0fc 3c30a8 781878 "
    "f0b4b4 b4b454 a83078 b42400 606c3c d800b4 90b478 7848e4 "
    "849cfc 90f06c 603030 d8b4cc 600c84 84cc30 f078d8 00606c"
)

SLOT_COLORS: NDArray[np.uint8] = np.array(
    [[int(code[k : k + 2], 16) for k in (0, 2, 4)] for code in _HEX.split()], dtype=np.uint8
)
"""Shape (32, 3). The first seven are those of Okabe and Ito (2008); each further one is the sRGB
colour farthest in CIELAB from all before it, the least over normal vision and three kinds of
colour blindness (Machado, Oliveira and Fernandes 2009)."""

SLOT_COLORS.flags.writeable = False


def state_colors(slots: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return the colour of each state, shape (N, 3), uint8."""
    return np.asarray(SLOT_COLORS[np.array(slots) % len(SLOT_COLORS)])
