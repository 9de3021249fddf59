"""Slopes and contrasts of greys in Gaussian windows, in one pass over the rows of an image.

Sums down the columns of a row come first, to rows in the cache, then those along them.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from latviz.core.kernels.compiler import njit
from latviz.core.kernels.lab import greater, woven
from latviz.core.kernels.lanes import arrays_of, multiply_add
from latviz.core.kernels.vectors import DOUBLE, LANES, LONG, loop, splat, vector

EIGHT = ir.VectorType(DOUBLE, LANES)


def root(b, value):
    """Return the square roots of a vector."""
    kind = ir.FunctionType(EIGHT, [EIGHT])
    return b.call(cgutils.get_or_insert_function(b.module, kind, "llvm.sqrt.v8f64"), [value])


def symmetric(b, weights, load, sums):
    """Return the sums over a window of each function ``sums`` of both values at a distance."""
    # weights (2, r + 1): of the Gaussian, and of its slope; ``load(k)`` returns the value k places
    # on; a function is given its sum so far, the weights, the value before and the one after
    width = weights.shape[1]

    def distance(k, *totals):
        both = [splat(b, weights.number(b.add(k, first))) for first in (LONG(0), width)]
        before, after = load(b.neg(k)), load(k)
        return [use(total, both, before, after) for use, total in zip(sums, totals, strict=True)]

    zeros = [vector(DOUBLE, 0.0)] * len(sums)
    return loop(b, LONG(1), width, 1, zeros, distance)[1]


@intrinsic
def sum_columns(_typingctx, grey, places, weights, room):
    """Write sums down the columns of a row: of greys, of their slope and of their squares."""
    # places (2 r + 1,): where the rows of the window begin in grey, float32; room (3, W + 2 r + 8)
    # float64, from column r on
    signature = types.void(grey, places, weights, room)

    def generate(context, b, signature, arguments):
        grey, places, weights, room = arrays_of(context, b, signature, arguments)
        reach = b.sdiv(places.shape[0], LONG(2))
        n = room.shape[1]

        def columns(x):
            def load(k):
                value = grey.load(b.add(places.number(b.add(reach, k)), x))
                return b.fpext(value, EIGHT)

            def smooth(total, both, before, after):
                return multiply_add(b, both[0], b.fadd(before, after), total)

            def steep(total, both, before, after):
                return multiply_add(b, both[1], b.fsub(after, before), total)

            def square(total, both, before, after):
                squares = multiply_add(b, before, before, b.fmul(after, after))
                return multiply_add(b, both[0], squares, total)

            found = symmetric(b, weights, load, (smooth, steep, square))
            middle, weight = load(LONG(0)), splat(b, weights.number(LONG(0)))
            own = middle, None, b.fmul(middle, middle)
            for c, (total, value) in enumerate(zip(found, own, strict=True)):
                whole = multiply_add(b, weight, value, total) if value else total
                room.store(b.add(b.add(b.mul(LONG(c), n), reach), x), whole)
            return []

        width = b.sub(n, b.mul(reach, LONG(2)))
        loop(b, LONG(0), width, LANES, [], columns)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def sum_row(_typingctx, grey, place, weights, scale, room, row):
    """Write the grey, the slope and the contrast of each pixel to row (3 W + 24,) float32."""
    signature = types.void(grey, place, weights, scale, room, row)

    def generate(context, b, signature, arguments):
        grey, weights, room, row = arrays_of(context, b, signature, arguments)
        place, scale = arguments[1], splat(b, arguments[3])
        n, reach = room.shape[1], b.sub(weights.shape[1], LONG(1))

        def pixels(x):
            def load(k):
                at = b.add(b.add(x, reach), k)
                return [room.load(b.add(b.mul(LONG(c), n), at)) for c in range(3)]

            def plain(c):
                def use(total, both, before, after):
                    return multiply_add(b, both[0], b.fadd(before[c], after[c]), total)

                return use

            def across(total, both, before, after):
                return multiply_add(b, both[1], b.fsub(after[0], before[0]), total)

            *totals, slope = symmetric(b, weights, load, (plain(0), plain(1), plain(2), across))
            own, weight = load(LONG(0)), splat(b, weights.number(LONG(0)))
            mean, steep, square = (
                multiply_add(b, weight, value, total)
                for value, total in zip(own, totals, strict=True)
            )
            gradient = root(b, multiply_add(b, steep, steep, b.fmul(slope, slope)))
            variance = greater(b, b.fsub(square, b.fmul(mean, mean)), 0.0)
            value = b.fpext(grey.load(b.add(place, x)), EIGHT)
            parts = woven(b, (value, b.fmul(scale, gradient), root(b, variance)))
            for k, part in enumerate(parts):
                to = b.add(b.mul(x, LONG(3)), LONG(LANES * k))
                row.store(to, b.fptrunc(part, ir.VectorType(row.lane, LANES)))
            return []

        width = b.sub(n, b.mul(reach, LONG(2)))
        loop(b, LONG(0), width, LANES, [], pixels)
        return context.get_dummy_value()

    return signature, generate


@njit(nogil=True)
def write_texture(grey, shape, rows, weights, scale, places, room, row, values):
    """Write greys, slopes and contrasts of some rows to values (H, W, 3) float32, flat."""
    # grey float32, flat, with room for seven numbers after the last; shape (H, W); rows (first,
    # last); weights (2, r + 1) float64; room for work: places (2 r + 1,) int64, room (3, W + 2 r +
    # 8) float64, row (3 W + 24,) float32. Beyond the image greys are mirrored
    height, width = shape
    reach = weights.shape[1] - 1
    for y in range(rows[0], rows[1]):
        for k in range(-reach, reach + 1):
            place = (y + k) % (2 * height)
            places[reach + k] = min(place, 2 * height - 1 - place) * width
        sum_columns(grey, places, weights, room)
        for k in range(reach):
            before, after = k % (2 * width), (width + k) % (2 * width)
            before = reach + min(before, 2 * width - 1 - before)
            after = reach + min(after, 2 * width - 1 - after)
            for c in range(3):
                room[c, reach - 1 - k] = room[c, before]
                room[c, reach + width + k] = room[c, after]
        sum_row(grey, y * width, weights, scale, room, row)
        for k in range(3 * width):
            values[3 * width * y + k] = row[k]
