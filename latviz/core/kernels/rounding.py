"""Rounding of vectors to whole numbers, and sums of these."""

import numpy as np

from latviz.core.kernels.compiler import njit


@njit(nogil=True)
def write_whole(values, offsets, factors, out):
    """Write ``(values - offset) * factor`` of each channel, rounded, to out (n C,) int32."""
    # values (n C,) float32 or float64; offsets and factors (8 C,) float64 repeat those of a node.
    # Results are below 2^31; halves go to the even number
    period = offsets.size
    for start in range(0, values.size, period):
        part, found = values[start : start + period], out[start : start + period]
        for k in range(part.size):
            found[k] = np.rint((part[k] - offsets[k]) * factors[k])


@njit(nogil=True)
def add_moments(values, sums):
    """Raise sums (4, P) int64 by values of each place in a period, and by their squares' parts."""
    # values (n,) are q = 8192 h + l, of at most 26 bits; the parts are those of h^2, h l and l^2,
    # whose sums stay below 2^63 for up to 2^36 values
    period = sums.shape[1]
    total, high_squares, products, low_squares = sums[0], sums[1], sums[2], sums[3]
    for start in range(0, values.size, period):
        part = values[start : start + period]
        for k in range(part.size):
            value = np.int32(part[k])
            high, low = value >> np.int32(13), value & np.int32(8191)
            total[k] += value
            high_squares[k] += np.int32(high * high)
            products[k] += np.int32(high * low)
            low_squares[k] += np.int32(low * low)
