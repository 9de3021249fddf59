"""Functions of a row of sums, by channel or state, for eight nodes at a time; lanes are nodes.

Rows have room for seven numbers after the last node, as the last eight may go past it; these are
written and ignored. As in `vectors`, LLVM cuts the vectors into those of the machine, and may fuse
a product and a sum.
"""

import numpy as np
from llvmlite import ir

from latviz.core.kernels.vectors import (
    BYTE,
    DOUBLE,
    LANES,
    LONG,
    as_bits,
    is_less,
    llvm,
    loop,
    splat,
    vector,
)

HELD = 1, 3
"""Numbers of channels that pictures have, and that are summed without a loop."""
WIDE = 32
"""Nodes that are compared at a time where a loop over them has little else to do."""
FLAGS = ("contract",)
"""Rounding once for a product and a sum is as good as twice."""
ROUNDING = float(3 << 51)
"""Added to a number of less than 2^51, it leaves the nearest whole one in the last bits."""
LEAST_BITS = -64.0
"""2^-64 is negligible against a mass of 1."""
EXP2 = tuple(
    np.polynomial.chebyshev.cheb2poly(
        np.polynomial.chebyshev.chebinterpolate(lambda x: np.exp2(x / 2), 7)
    )
    * 2.0 ** np.arange(8)
)
"""Coefficients of 2^x for |x| <= 1/2, rising: the relative error is below 2e-10."""
LOG2 = tuple(2 / np.log(2) / k for k in (1, 3, 5, 7, 9, 11))
"""Those of log2((1 + s) / (1 - s)) / s in s^2, for |s| <= 1/5: the error is below 1e-10."""


def multiply_add(b, one, other, added):
    """Return ``one * other + added``."""
    return b.fadd(b.fmul(one, other, flags=FLAGS), added, flags=FLAGS)


def polynomial(b, coefficients, x):
    """Return a polynomial with rising coefficients."""
    *others, value = (vector(DOUBLE, c) for c in coefficients)
    for coefficient in reversed(others):
        value = multiply_add(b, value, x, coefficient)
    return value


def as_doubles(b, bits):
    """Return the numbers that have these bits."""
    return b.bitcast(bits, ir.VectorType(DOUBLE, LANES))


def exp2(b, x):
    """Return 2^x of numbers from -1000 to 1000, within a share of 2e-10."""
    shifted = b.fadd(x, vector(DOUBLE, ROUNDING))
    rest = b.fsub(x, b.fsub(shifted, vector(DOUBLE, ROUNDING)))
    exponent = b.shl(as_bits(b, shifted), vector(LONG, 52))
    return as_doubles(b, b.add(as_bits(b, polynomial(b, EXP2, rest)), exponent))


def log2(b, x):
    """Return log2 x of normal numbers, within 1e-10."""
    bits, half = as_bits(b, x), vector(LONG, 1 << 51)
    exponent = b.ashr(b.add(bits, half), vector(LONG, 52))  # mantissas from 3/4 to 3/2
    unit = b.shl(b.sub(exponent, vector(LONG, 1023)), vector(LONG, 52))
    mantissa, one = as_doubles(b, b.sub(bits, unit)), vector(DOUBLE, 1)
    s = b.fdiv(b.fsub(mantissa, one), b.fadd(mantissa, one))
    whole = as_doubles(b, b.add(exponent, as_bits(b, vector(DOUBLE, ROUNDING))))
    whole = b.fsub(whole, vector(DOUBLE, ROUNDING + 1023))
    return multiply_add(b, s, polynomial(b, LOG2, b.fmul(s, s)), whole)


def any_of(b, marks):
    """Return True if any of eight marks is set."""
    return b.icmp_unsigned("!=", b.bitcast(marks, BYTE), BYTE(0))


def for_known_channels(b, n_channels, sweep):
    """Generate ``sweep(known)`` for each number of channels that is known, and for any other."""
    # Known channels need no loop, and stay in registers from state to state
    is_any = ir.IntType(1)(1)
    for known in HELD:
        is_known = b.icmp_signed("==", n_channels, LONG(known))
        is_any = b.and_(is_any, b.not_(is_known))
        with b.if_then(is_known):
            sweep(known)
    with b.if_then(is_any):
        sweep(None)


def over(b, stop, carried, body, known):
    """Run ``carried = body(channel, *carried)`` for all channels before ``stop``."""
    # Known channels are unrolled
    if not known:
        return loop(b, LONG(0), stop, 1, carried, body)[1]
    for c in range(stop):
        carried = body(LONG(c), *carried)
    return carried


def each_score(b, totals, sizes, norms, slopes, use):
    """Generate a loop over eight nodes at a time: ``use(x, score)``, ``score(j)`` of each state."""
    # The score is sizes * norms[j] + slopes[j, 0] * totals[0] + ..., summed in this order with each
    # step rounded, so that `nodes.nearest_means` gives the same bits
    n_channels, room = totals.shape

    def sweep(known):
        def eight_nodes(x):
            size = sizes.load(x)
            held = [totals.load(b.add(b.mul(LONG(c), room), x)) for c in range(known or 0)]

            def score(j):
                def channel(c, value):
                    slope = slopes.number(b.add(b.mul(j, n_channels), c))
                    total = held[c.constant] if held else totals.load(b.add(b.mul(c, room), x))
                    return [b.fadd(value, b.fmul(splat(b, slope), total))]

                first = b.fmul(size, splat(b, norms.number(j)))
                return over(b, known or n_channels, [first], channel, known)[0]

            use(x, score)
            return []

        loop(b, LONG(0), room, LANES, [], eight_nodes)

    for_known_channels(b, n_channels, sweep)


def least_of(b, n_states, score, kind):
    """Return the state of the least ``score(j)`` as bytes, the first of ties."""
    # Scores are vectors of float64 or int32
    lanes, place = kind.count, LONG if kind.element == DOUBLE else kind.element

    def state(j, least, best):
        found = score(j)
        less = is_less(b, found, least)
        number = splat(b, j if place == LONG else b.trunc(j, place), lanes)
        return [b.select(less, found, least), b.select(less, number, best)]

    most = float("inf") if kind.element == DOUBLE else 2**31 - 1
    first = [vector(kind.element, [most] * lanes), vector(place, [0] * lanes)]
    _, (_, best) = loop(b, LONG(0), n_states, 1, first, state)
    return b.trunc(best, ir.VectorType(BYTE, lanes))


@llvm()
def nearest_of_row(b, totals, sizes, norms, slopes, found):
    """Write each node's state of least score, the first of ties, to found (W + 7,) uint8."""
    # totals (C, W + 7) sums of windows, sizes (W + 7,) their nodes, norms (N,), slopes (N, C),
    # float64: the terms of a node, and of a channel, in each state's score; see `each_score`

    def use(x, score):
        eight = ir.VectorType(DOUBLE, LANES)
        found.store(x, least_of(b, norms.shape[0], score, eight))

    each_score(b, totals, sizes, norms, slopes, use)


@llvm()
def scores_of_row(b, totals, sizes, norms, slopes, scores):
    """Write the scores of which `nearest_of_row` takes the least to scores (N, W + 7) float64."""
    n_states, room = scores.shape

    def use(x, score):
        def state(j):
            scores.store(b.add(b.mul(j, room), x), score(j))
            return []

        loop(b, LONG(0), n_states, 1, [], state)

    each_score(b, totals, sizes, norms, slopes, use)


@llvm()
def least_of_cuts(b, scores, cuts, sizes, found):
    """Write which codeword of each codebook has the least score at each node, the first of ties."""
    # scores (K or more, V) int32 or float64, a row a codeword, V a multiple of WIDE; cuts (S, n)
    # int64: the codewords of each codebook, in its order; sizes (S,) int64, 1 to 256; found (S, V)
    # uint8, written: places in the codebooks
    room, kind = scores.shape[1], ir.VectorType(scores.lane, WIDE)

    # All codebooks of some nodes, then the next ones: their scores stay in the first cache.
    def nodes(x):
        def cut(s):
            first = b.mul(s, cuts.shape[1])

            def score(k):
                row = cuts.number(b.add(first, k))
                return scores.load(b.add(b.mul(row, room), x), WIDE)

            place = b.add(b.mul(s, room), x)
            found.store(place, least_of(b, sizes.number(s), score, kind))
            return []

        loop(b, LONG(0), sizes.shape[0], 1, [], cut)
        return []

    loop(b, LONG(0), room, WIDE, [], nodes)


@llvm()
def entropy_of_row(b, totals, units, n_states, found):
    """Write the entropy (bits) of each node's distribution over states, found (W + 7,) float32."""
    # Masses are proportional to 2^score; the score of state j is units[0] * totals[j] + units[1] *
    # totals[n_states + j] + .... totals (K N or more, W + 7), units (K,), float64. The error is
    # below 1e-7, besides that of float32
    room = totals.shape[1]

    def score(j, x):
        def part(k, value):
            place = b.add(b.mul(b.add(b.mul(k, n_states), j), room), x)
            return [multiply_add(b, splat(b, units.number(k)), totals.load(place), value)]

        return loop(b, LONG(0), units.shape[0], 1, [vector(DOUBLE, 0)], part)[1][0]

    def eight_nodes(x):
        def greater(j, most):
            other = score(j, x)
            return [b.select(is_less(b, most, other), other, most)]

        _, (most,) = loop(b, LONG(1), n_states, 1, [score(LONG(0), x)], greater)

        def add(j, masses, products):
            """Add the mass and its product with its logarithm, unless the mass is 0."""
            # So no node's entropy depends on the other seven
            bits = b.fsub(score(j, x), most)
            least = vector(DOUBLE, LEAST_BITS)
            is_some = b.fcmp_ordered(">", bits, least)
            before, some, after = b.block, b.append_basic_block(), b.append_basic_block()
            b.cbranch(any_of(b, is_some), some, after)
            b.position_at_end(some)
            bits = b.select(is_some, bits, least)
            mass = b.select(is_some, exp2(b, bits), vector(DOUBLE, 0))
            more = b.fadd(masses, mass), multiply_add(b, mass, bits, products)
            b.branch(after)
            b.position_at_end(after)
            both = []
            for old, new in zip((masses, products), more, strict=True):
                phi = b.phi(old.type)
                phi.add_incoming(old, before), phi.add_incoming(new, some)
                both.append(phi)
            return both

        zeros = [vector(DOUBLE, 0)] * 2
        _, (masses, products) = loop(b, LONG(0), n_states, 1, zeros, add)
        entropy = b.fsub(log2(b, masses), b.fdiv(products, masses))
        zero = vector(DOUBLE, 0)
        entropy = b.select(is_less(b, entropy, zero), zero, entropy)
        found.store(x, b.fptrunc(entropy, ir.VectorType(found.lane, LANES)))
        return []

    loop(b, LONG(0), room, LANES, [], eight_nodes)


@llvm()
def normal_scores_of_row(b, points, sizes, means, whiteners, constants, scores):
    """Write ``constants[j] - sizes * ||whiteners[j] (point - means[j])||^2`` of each node."""
    # scores (N, W + 7), points (C, W + 7), sizes (W + 7,), means (N, C), constants (N,), whiteners
    # (N, C, C), lower triangular; all float64
    n_channels, room = points.shape

    def sweep(known):
        """Write the loop over nodes, for a known number of channels or for any."""

        def eight_nodes(x):
            size = sizes.load(x)
            held = [points.load(b.add(b.mul(LONG(c), room), x)) for c in range(known or 0)]

            def state(j):
                first = b.mul(j, n_channels)

                def row(a, squares):
                    start = b.mul(b.add(first, a), n_channels)

                    def column(c, z):
                        point = held[c.constant] if held else points.load(b.add(b.mul(c, room), x))
                        apart = b.fsub(point, splat(b, means.number(b.add(first, c))))
                        weight = splat(b, whiteners.number(b.add(start, c)))
                        return [multiply_add(b, weight, apart, z)]

                    stop = a.constant + 1 if known else b.add(a, LONG(1))
                    (z,) = over(b, stop, [vector(DOUBLE, 0)], column, known)
                    return [multiply_add(b, z, z, squares)]

                (squares,) = over(b, known or n_channels, [vector(DOUBLE, 0)], row, known)
                score = b.fsub(splat(b, constants.number(j)), b.fmul(size, squares))
                scores.store(b.add(b.mul(j, room), x), score)
                return []

            loop(b, LONG(0), constants.shape[0], 1, [], state)
            return []

        loop(b, LONG(0), room, LANES, [], eight_nodes)

    for_known_channels(b, n_channels, sweep)
