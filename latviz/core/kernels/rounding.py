"""Rounding of vectors to whole numbers, and sums of these."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from latviz.core.kernels.compiler import njit
from latviz.core.kernels.lanes import ROUNDING, arrays_of
from latviz.core.kernels.vectors import DOUBLE, LANES, LONG, as_bits, loop, vector


@intrinsic
def write_periods(_typingctx, values, offsets, factors, out):
    """Do what `write_whole` does for values (n P,), P the size of offsets and factors."""
    signature = types.void(values, offsets, factors, out)

    def generate(context, b, signature, arguments):
        values, offsets, factors, out = arrays_of(context, b, signature, arguments)
        period, eight = offsets.shape[0], ir.VectorType(DOUBLE, LANES)

        def whole(n):
            first = b.mul(n, period)

            def numbers(k):
                place = b.add(first, k)
                value = values.load(place)
                value = value if values.lane == DOUBLE else b.fpext(value, eight)
                value = b.fmul(b.fsub(value, offsets.load(k)), factors.load(k))
                bits = as_bits(b, b.fadd(value, vector(DOUBLE, ROUNDING)))
                out.store(place, b.trunc(bits, ir.VectorType(out.lane, LANES)))
                return []

            loop(b, LONG(0), period, LANES, [], numbers)
            return []

        loop(b, LONG(0), b.sdiv(values.shape[0], period), 1, [], whole)
        return context.get_dummy_value()

    return signature, generate


@njit(nogil=True)
def write_whole(values, offsets, factors, out):
    """Write ``(values - offset) * factor`` of each channel, rounded, to out (n C,) int32."""
    # values (n C,) float32 or float64; offsets and factors (8 C,) float64 repeat those of a node.
    # Results are below 2^31; halves go to the even number
    n_whole = values.size // offsets.size * offsets.size
    write_periods(values[:n_whole], offsets, factors, out)
    for k in range(n_whole, values.size):
        c = k - n_whole
        out[k] = np.rint((values[k] - offsets[c]) * factors[c])


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
