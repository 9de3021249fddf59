"""Rounding of vectors to whole numbers."""

import numpy as np

from latviz.core.kernels import lanes
from latviz.core.kernels.compiler import njit


@njit(nogil=True)
def write_whole(values, offsets, factors, out):
    """Write ``(values - offset) * factor`` of each channel, rounded, to out (n C,) int32."""
    # values (n C,) float32 or float64; offsets and factors (8 C,) float64 repeat those of a node.
    # Results are below 2^31; halves go to the even number
    n_whole = values.size // offsets.size * offsets.size
    lanes.round_to_whole(values[:n_whole], offsets, factors, out)
    for k in range(n_whole, values.size):
        c = k - n_whole
        out[k] = np.rint((values[k] - offsets[c]) * factors[c])
