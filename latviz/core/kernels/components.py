"""Linear components of the logarithms of `wavelets`, the nearest of some points, and moments.

Logarithms are (blocks, bands, filters, 8, 16) float32, flat: patches of 8 rows and 16 columns, so
that all that belongs to a pixel lies together. Those past the last row or column are 0.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from latviz.core.kernels.compiler import njit
from latviz.core.kernels.lanes import FLAGS, arrays_of
from latviz.core.kernels.vectors import DOUBLE, LANES, LONG, loop, splat, vector
from latviz.core.kernels.wavelets import FLOAT, HIGH, INT, WIDE

PATCH = HIGH * WIDE
"""Pixels of a patch."""
TALL, BROAD = 4, 2
"""Products that are summed at a time, rows and columns: in registers."""


def fused(b, one, other, added):
    """Return ``one * other + added`` of float32."""
    return b.fadd(b.fmul(one, other, flags=FLAGS), added, flags=FLAGS)


@intrinsic
def project(_typingctx, logs, place, axes, origin, found):
    """Write the components of 16 pixels from a place on to found (16 c,), a row each."""
    signature = types.void(logs, place, axes, origin, found)

    def generate(context, b, signature, arguments):
        logs, axes, origin, found = arrays_of(context, b, signature, arguments)
        place, (n_axes, n_filters) = arguments[1], axes.shape

        def axis(c):
            def one(k, value):
                weight = splat(b, axes.number(b.add(b.mul(c, n_filters), k)), WIDE)
                own = logs.load(b.add(place, b.mul(k, LONG(PATCH))), WIDE)
                return [fused(b, weight, own, value)]

            least = b.fsub(vector(FLOAT, [-0.0] * WIDE), splat(b, origin.number(c), WIDE))
            _, (value,) = loop(b, LONG(0), n_filters, 1, [least], one)
            found.store(b.mul(c, LONG(WIDE)), value)
            return []

        loop(b, LONG(0), n_axes, 1, [], axis)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def seek(_typingctx, values, points, halves, found):
    """Write which point is nearest to each of 16 pixels to found (16,) int32, the first of ties."""
    # values (16 c,), points (m, c), halves (m,): half the squares of the points' lengths
    signature = types.void(values, points, halves, found)

    def generate(context, b, signature, arguments):
        values, points, halves, found = arrays_of(context, b, signature, arguments)
        n_points, n_axes = points.shape

        def point(m, least, best):
            def part(c, cost):
                number = splat(b, points.number(b.add(b.mul(m, n_axes), c)), WIDE)
                return [b.fsub(cost, b.fmul(number, values.load(b.mul(c, LONG(WIDE)), WIDE)))]

            start = splat(b, halves.number(m), WIDE)
            _, (cost,) = loop(b, LONG(0), n_axes, 1, [start], part)
            less, own = b.fcmp_ordered("<", cost, least), splat(b, b.trunc(m, INT), WIDE)
            return [b.select(less, cost, least), b.select(less, own, best)]

        none = vector(FLOAT, [float("inf")] * WIDE), vector(INT, [0] * WIDE)
        _, (_, best) = loop(b, LONG(0), n_points, 1, none, point)
        found.store(LONG(0), best)
        return context.get_dummy_value()

    return signature, generate


class Sums:
    """Sums over the pixels of a patch, in float32, that are added to those of others."""

    def __init__(self, b, logs, found, start):
        self._b, self._logs, self._found, self._start = b, logs, found, start

    def load(self, k, x):
        """Return the logarithms of filter k, of eight pixels."""
        b = self._b
        return self._logs.load(b.add(b.add(self._start, b.mul(k, LONG(PATCH))), x))

    def add(self, places, pairs):
        """Add the sum of each product of ``pairs(x)`` to found, at its place."""
        b, zeros = self._b, [vector(FLOAT, 0.0)] * len(places)

        def pixels(x, *totals):
            return [fused(b, *pair, total) for pair, total in zip(pairs(x), totals, strict=True)]

        _, totals = loop(b, LONG(0), LONG(PATCH), LANES, zeros, pixels)
        for place, total in zip(places, totals, strict=True):
            to, wide = b.mul(place, LONG(LANES)), ir.VectorType(DOUBLE, LANES)
            self._found.store(to, b.fadd(self._found.load(to), b.fpext(total, wide)))


@intrinsic
def moments_of(_typingctx, logs, patch, n, found):
    """Do what `add_moments` does, for one patch."""
    signature = types.void(logs, patch, n, found)

    def generate(context, b, signature, arguments):
        (logs, found), (patch, n) = arrays_of(context, b, signature, arguments), arguments[1:3]
        sums = Sums(b, logs, found, b.mul(patch, b.mul(n, LONG(PATCH))))

        def tall(i):
            rows = [b.add(i, LONG(k)) for k in range(TALL)]

            def broad(j):
                pairs = [(row, b.add(j, LONG(k))) for row in rows for k in range(BROAD)]
                places = [b.add(b.mul(row, n), column) for row, column in pairs]
                sums.add(places, lambda x: [[sums.load(k, x) for k in pair] for pair in pairs])
                return []

            loop(b, LONG(0), b.add(i, LONG(TALL)), BROAD, [], broad)
            one, last = vector(FLOAT, 1.0), b.mul(n, n)
            places = [b.add(last, row) for row in rows]
            sums.add(places, lambda x: [(sums.load(row, x), one) for row in rows])
            return []

        loop(b, LONG(0), n, TALL, [], tall)
        return context.get_dummy_value()

    return signature, generate


@njit(nogil=True)
def add_moments(logs, patches, n_filters, found):
    """Add the sums of logarithms and of their products over some patches, (n,) int64."""
    # found (filters + 1, filters, 8) float64, flat: eight parts of each sum; of products, for pairs
    # whose first filter is not before the second, then of the logarithms. Filters are a multiple of
    # four
    for k in range(patches.size):
        moments_of(logs, patches[k], n_filters, found)


@njit(nogil=True)
def write_components(logs, shape, bands, axes, origin, found, corner, values):
    """Write ``axes @ logs - origin`` of some bands to values (H, W, c) float32, flat."""
    # shape (height, width) of the logs; bands (first, last); axes (c, filters), origin (c,); found
    # (16 c,) is room; corner: the row and column of the first pixel, and W
    height, width = shape
    top, left, across = corner
    n_axes, n_bands, size = origin.size, -(-height // HIGH), axes.size // origin.size * PATCH
    for column in range(0, width, WIDE):
        for band in range(bands[0], bands[1]):
            start = (column // WIDE * n_bands + band) * size
            for y in range(min(HIGH, height - HIGH * band)):
                project(logs, start + WIDE * y, axes, origin, found)
                row = top + HIGH * band + y
                place = (row * across + left + column) * n_axes
                for x in range(min(WIDE, width - column)):
                    for c in range(n_axes):
                        values[place + n_axes * x + c] = found[WIDE * c + x]


@njit(nogil=True)
def write_nearest(logs, shape, bands, axes, origin, found, points, halves, nearest, corner, values):
    """Write which of some points is nearest to the components, the first of ties, to values."""
    # As above, but for values (H, W) uint8; points and halves as in `seek`; nearest (16,) is room
    height, width = shape
    top, left, across = corner
    n_bands, size = -(-height // HIGH), axes.size // origin.size * PATCH
    for column in range(0, width, WIDE):
        for band in range(bands[0], bands[1]):
            start = (column // WIDE * n_bands + band) * size
            for y in range(min(HIGH, height - HIGH * band)):
                project(logs, start + WIDE * y, axes, origin, found)
                seek(found, points, halves, nearest)
                place = (top + HIGH * band + y) * across + left + column
                for x in range(min(WIDE, width - column)):
                    values[place + x] = nearest[x]
