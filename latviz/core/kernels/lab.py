"""CIELAB coordinates of colours, for eight colours at a time; see `core.data.color`."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from latviz.core.kernels.compiler import njit
from latviz.core.kernels.lanes import arrays_of, exp2, log2, multiply_add
from latviz.core.kernels.vectors import (
    DOUBLE,
    LANES,
    LONG,
    every,
    is_less,
    loop,
    shuffled,
    splat,
    vector,
)

EIGHT = ir.VectorType(DOUBLE, LANES)
SRGB_KNEE, F_KNEE = 0.04045, 6.0 / 29.0
"""Below these, sRGB's curve and CIELAB's cube root go on as straight lines."""


def power(b, x, exponent):
    """Return x^exponent of positive numbers, within a share of 1e-9."""
    return exp2(b, b.fmul(log2(b, x), vector(DOUBLE, exponent)))


def greater(b, one, number):
    """Return the greater of each lane and a number."""
    least = vector(DOUBLE, number)
    return b.select(is_less(b, one, least), least, one)


def cube_root(b, x):
    """Return the cube roots of positive numbers, to the last bits."""
    inverse = power(b, x, -1.0 / 3.0)
    square = b.fmul(inverse, inverse)
    rest = b.fsub(vector(DOUBLE, 1.0), b.fmul(x, b.fmul(square, inverse)))
    inverse = multiply_add(b, inverse, b.fmul(rest, vector(DOUBLE, 1.0 / 3.0)), inverse)
    return b.fmul(x, b.fmul(inverse, inverse))


def woven(b, parts):
    """Return three vectors of which each three numbers are a lane of ``parts``, three vectors."""
    found = []
    for k in range(3):
        places = [divmod(LANES * k + lane, 3) for lane in range(LANES)]
        first = [node + LANES * (c == 1) for node, c in places]
        last = [LANES + node if c == 2 else lane for lane, (node, c) in enumerate(places)]
        found.append(shuffled(b, shuffled(b, parts[0], parts[1], first), parts[2], last))
    return found


@intrinsic
def linear_of(_typingctx, units, linear):
    """Do what `write_linear` does for a multiple of eight numbers."""
    signature = types.void(units, linear)

    def generate(context, b, signature, arguments):
        units, linear = arrays_of(context, b, signature, arguments)

        def numbers(x):
            unit = units.load(x)
            raised = b.fadd(unit, vector(DOUBLE, 0.055))
            curved = power(b, b.fmul(greater(b, raised, 0.055), vector(DOUBLE, 1 / 1.055)), 2.4)
            straight = b.fmul(unit, vector(DOUBLE, 1 / 12.92))
            is_dark = is_less(b, unit, vector(DOUBLE, SRGB_KNEE))
            linear.store(x, b.select(is_dark, straight, curved))
            return []

        loop(b, LONG(0), units.shape[0], LANES, [], numbers)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def lab_of(_typingctx, colours, table, matrix, lab):
    """Do what `write_lab` does for a multiple of eight colours."""
    signature = types.void(colours, table, matrix, lab)

    def generate(context, b, signature, arguments):
        colours, table, matrix, lab = arrays_of(context, b, signature, arguments)

        def looked_up(first):
            found = ir.Constant(EIGHT, ir.Undefined)
            for lane in range(LANES):
                byte = colours.number(b.add(first, LONG(lane)))
                found = b.insert_element(found, table.number(b.zext(byte, LONG)), LONG(lane))
            return found

        def root(rgb, row):
            """Return CIELAB's f of a whitened stimulus."""
            value = vector(DOUBLE, 0.0)
            for c, channel in enumerate(rgb):
                value = multiply_add(b, splat(b, matrix.number(LONG(3 * row + c))), channel, value)
            knee = F_KNEE**3
            slope, offset = vector(DOUBLE, 1 / (3 * F_KNEE**2)), vector(DOUBLE, 4 / 29)
            straight = multiply_add(b, value, slope, offset)
            is_dark = is_less(b, value, vector(DOUBLE, knee))
            return b.select(is_dark, straight, cube_root(b, greater(b, value, knee)))

        def eight_colours(n):
            first = b.mul(n, LONG(3 * LANES))
            places = [b.add(first, LONG(LANES * k)) for k in range(3)]
            load = looked_up if colours.lane != DOUBLE else colours.load
            parts = [load(place) for place in places]
            x, y, z = (root([every(b, parts, c) for c in range(3)], row) for row in range(3))
            lightness = multiply_add(b, y, vector(DOUBLE, 116.0), vector(DOUBLE, -16.0))
            red = b.fmul(b.fsub(x, y), vector(DOUBLE, 500.0))
            yellow = b.fmul(b.fsub(y, z), vector(DOUBLE, 200.0))
            for place, value in zip(places, woven(b, (lightness, red, yellow)), strict=True):
                kind = ir.VectorType(lab.lane, LANES)
                lab.store(place, value if lab.lane == DOUBLE else b.fptrunc(value, kind))
            return []

        loop(b, LONG(0), b.sdiv(colours.shape[0], LONG(3 * LANES)), 1, [], eight_colours)
        return context.get_dummy_value()

    return signature, generate


@njit(nogil=True)
def write_linear(units, linear):
    """Write the linear light of gamma-encoded sRGB in [0, 1] to linear (n,); both float64."""
    whole = units.size // LANES * LANES
    linear_of(units[:whole], linear)
    some, found = np.zeros(LANES), np.empty(LANES)
    # Not by slices: Numba compiles the text of their errors for seconds
    for k in range(whole, units.size):
        some[k - whole] = units[k]
    linear_of(some, found)
    for k in range(whole, units.size):
        linear[k] = found[k - whole]


@njit(nogil=True)
def write_lab(colours, table, matrix, lab):
    """Write L*, a*, b* of each colour to lab (3 n,), float32 or float64."""
    # colours (3 n,): linear light, float64, or bytes, which stand for that in table (256,); matrix
    # (9,): the rows of the stimuli as shares of white's
    whole = colours.size // (3 * LANES) * (3 * LANES)
    lab_of(colours[:whole], table, matrix, lab)
    some, found = np.zeros(3 * LANES, colours.dtype), np.empty(3 * LANES, lab.dtype)
    for k in range(whole, colours.size):
        some[k - whole] = colours[k]
    lab_of(some, table, matrix, found)
    for k in range(whole, colours.size):
        lab[k] = found[k - whole]
