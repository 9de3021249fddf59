"""Messages from and to eight nodes at once: the steps of `chains`, as LLVM code.

Arrays are flat. The data of eight nodes are N consecutive vectors of eight lanes, one for each
state. Numbers are float32, except messages in 16 bits: the upper part of the bits of a number from
2^-32 to 1, see `chains`.
"""

import math

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from .lanes import multiply_add
from .vectors import BYTE, DOUBLE, FLOAT, INT, LANES, LONG, llvm, loop, splat, turned, vector

SHORT = ir.IntType(16)
LOG2_E = 1 / math.log(2)
POWERS = 0.999999944, 0.693143135, 0.240178956, 0.0552981197, 0.00920918036, 0.000946877029
"""Of 2 ** x from -1 to 0, by rising powers of x: the polynomial through its Chebyshev points."""
SHIFT = 12
BASE = (127 - 32 << 23) + (1 << SHIFT)
"""Taken from a number's bits before they are shifted, so that those of 1 become the largest."""
TINY = 2.0**-125
"""Sums begin with it: too little to change them, unless all numbers of a node are 0 (unknown)."""


def _each(b, n_states, body, carried=()):
    """Run ``body(offset of the state's vector, *carried)`` for each state."""

    def at(j, *values):
        return body(b.mul(j, LONG(LANES)), *values)

    return loop(b, LONG(0), n_states, 1, carried, at)[1]


def _unpacked(b, short):
    """Return the numbers that 16 bits stand for."""
    bits = b.zext(short, ir.VectorType(INT, LANES))
    return b.bitcast(
        b.add(b.shl(bits, vector(INT, SHIFT)), vector(INT, BASE)), ir.VectorType(FLOAT, LANES)
    )


def _packed(b, value):
    """Return the 16 bits that stand for numbers, the nearest ones."""
    bits = b.bitcast(value, ir.VectorType(INT, LANES))
    rounded = b.add(bits, vector(INT, (1 << SHIFT - 1) - BASE))
    return b.trunc(b.lshr(rounded, vector(INT, SHIFT)), ir.VectorType(SHORT, LANES))


def numbers(messages: NDArray[np.uint16]) -> NDArray[np.float32]:
    """Return the numbers that messages of 16 bits stand for, float32."""
    bits = (messages.astype(np.uint32) << np.uint32(SHIFT)) + np.uint32(BASE)
    return bits.view(np.float32)


@llvm()
def multiply(b, one, at, messages, place, out, to, n_states):
    """Write numbers times messages of 16 bits."""

    def body(offset):
        message = _unpacked(b, messages.load(b.add(place, offset)))
        product = b.fmul(one.load(b.add(at, offset)), message)
        out.store(b.add(to, offset), product)
        return []

    _each(b, n_states, body)


@llvm()
def pack_product(b, one, at, other, place, out, to, n_states):
    """Write the products of messages in 16 bits."""

    def body(offset):
        product = b.fmul(one.load(b.add(at, offset)), other.load(b.add(place, offset)))
        out.store(b.add(to, offset), _packed(b, product))
        return []

    _each(b, n_states, body)


@llvm()
def send_alike(b, product, at, came, place, unlike, went, to, n_states):
    """Write the messages that nodes send on in a Potts field with the potential ``unlike``."""
    # Unknown nodes send 1 to all states. Messages may overwrite the incoming ones
    least, one = splat(b, unlike), vector(FLOAT, 1)

    def weigh(offset, total):
        weight = b.fmul(product.load(b.add(at, offset)), came.load(b.add(place, offset)))
        went.store(b.add(to, offset), weight)
        return [b.fadd(total, weight)]

    (total,) = _each(b, n_states, weigh, [vector(FLOAT, TINY)])
    scale = b.fdiv(b.fsub(one, least), total)
    added = b.select(b.fcmp_ordered(">", total, vector(FLOAT, TINY)), least, one)

    def share(offset):
        here = b.add(to, offset)
        went.store(here, multiply_add(b, went.load(here), scale, added))
        return []

    _each(b, n_states, share)


@llvm()
def send(b, product, at, came, place, potentials, room, went, to, n_states):
    """Write the messages that nodes send on, for any potentials (N, N), flat; room is (N, 8)."""
    # Unknown nodes send 1 to all states. Messages may overwrite the incoming ones

    def weigh(offset, total):
        weight = b.fmul(product.load(b.add(at, offset)), came.load(b.add(place, offset)))
        room.store(offset, weight)
        return [b.fadd(total, weight)]

    (total,) = _each(b, n_states, weigh, [vector(FLOAT, TINY)])
    scale = b.fdiv(vector(FLOAT, 1), total)

    def reach(i):
        first = b.mul(i, n_states)

        def add(j, reached):
            potential = splat(b, potentials.number(b.add(first, j)))
            return [multiply_add(b, potential, room.load(b.mul(j, LONG(LANES))), reached)]

        reached = loop(b, LONG(0), n_states, 1, [vector(FLOAT, TINY)], add)[1][0]
        went.store(b.add(to, b.mul(i, LONG(LANES))), b.fmul(reached, scale))
        return []

    loop(b, LONG(0), n_states, 1, [], reach)


@llvm()
def likeliest(b, weights, n_states, found):
    """Write the state of the greatest weight of each node, (8,) uint8; of several the smallest."""

    def compare(j, best, state):
        weight = weights.load(b.mul(j, LONG(LANES)))
        more = b.fcmp_ordered(">", weight, best)
        number = splat(b, b.trunc(j, BYTE))
        return [b.select(more, weight, best), b.select(more, number, state)]

    none = [weights.load(LONG(0)), vector(BYTE, 0)]
    _, (_, state) = loop(b, LONG(1), n_states, 1, none, compare)
    found.store(LONG(0), state)


@llvm()
def normalise(b, weights, n_states):
    """Divide the weights of each node by their sum."""
    tiny = [vector(FLOAT, TINY)]
    (total,) = _each(b, n_states, lambda j, t: [b.fadd(t, weights.load(j))], tiny)
    scale = b.fdiv(vector(FLOAT, 1), total)

    def share(offset):
        weights.store(offset, b.fmul(weights.load(offset), scale))
        return []

    _each(b, n_states, share)


@llvm()
def mean_likelihood(b, weights, likelihood, at, n_states, found):
    """Write the mean of the likelihoods by the cavity, found (8,) float32; 1 of unknown nodes."""
    # The weights are the product of both
    tiny = vector(FLOAT, TINY)

    def add(offset, part, whole):
        weight = weights.load(offset)
        other = b.fdiv(weight, b.fadd(likelihood.load(b.add(at, offset)), tiny))
        return [b.fadd(part, weight), b.fadd(whole, other)]

    part, whole = _each(b, n_states, add, [tiny, tiny])
    found.store(LONG(0), b.fdiv(part, whole))


def _power_of_two(b, value):
    """Return 2 ** value for numbers from -126 to 0, with an error below 3e-7."""
    ints, floats = ir.VectorType(INT, LANES), ir.VectorType(FLOAT, LANES)
    whole = b.fptosi(value, ints)  # towards 0, so that the rest is from -1 to 0
    rest = b.fsub(value, b.sitofp(whole, floats))
    result = vector(FLOAT, POWERS[-1])
    for coefficient in reversed(POWERS[:-1]):
        result = multiply_add(b, result, rest, vector(FLOAT, coefficient))
    exponent = b.shl(b.add(whole, vector(INT, 127)), vector(INT, 23))
    return b.fmul(result, b.bitcast(exponent, floats))


@llvm()
def shares_of_likeliest(b, logs, at, step, n_states, out, to, top):
    """Write exp(log - greatest log) of eight nodes, at least 2^-60, and the greatest logs (8,)."""
    # logs and top are float64; those of a state are side by side, of the next one ``step`` further
    lowest = vector(FLOAT, -60)

    def of_state(j):
        return logs.load(b.add(at, b.mul(j, step)))

    def greater(j, most):
        log = of_state(j)
        return [b.select(b.fcmp_ordered(">", log, most), log, most)]

    most = loop(b, LONG(1), n_states, 1, [of_state(LONG(0))], greater)[1][0]
    top.store(LONG(0), most)

    def share(j):
        apart = b.fmul(b.fsub(of_state(j), most), vector(DOUBLE, LOG2_E))
        bits = b.fptrunc(apart, ir.VectorType(FLOAT, LANES))
        bounded = b.select(b.fcmp_ordered(">", bits, lowest), bits, lowest)
        power = _power_of_two(b, bounded)
        out.store(b.add(to, b.mul(j, LONG(LANES))), power)
        return []

    loop(b, LONG(0), n_states, 1, [], share)


@llvm()
def turn(b, source, at, step, out, to, stride):
    """Write eight vectors, ``step`` and then ``stride`` apart, with lanes and vectors exchanged."""
    read = [source.load(b.add(at, b.mul(step, LONG(k)))) for k in range(LANES)]
    for k, row in enumerate(turned(b, read)):
        out.store(b.add(to, b.mul(stride, LONG(k))), row)
