"""Marks of 64 nodes in the bits of one number: the places where two rows of states differ.

Neighbours mostly are in the same state. This is tested for 64 nodes at once, and only different
nodes are handled one by one.

Marks of the nodes that hold each of a few values count them: 64 are counted at once.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from latviz.core.kernels.lanes import arrays_of
from latviz.core.kernels.vectors import LANES, LONG, loop, splat

NODES = 64
ONE, ALL = np.uint64(1), np.uint64(2**64 - 1)


@intrinsic
def unlike(_typingctx, one, other, place, shift, stop):  # noqa: ARG001
    """Return bits k where one[place + k] differs from other[place + k + shift]."""
    # Up to 64 nodes before stop; one and other (W,) uint8. It is inlined, as a call would take
    # longer than the work
    signature = types.uint64(one, other, types.int64, types.int64, types.int64)

    def generate(context, b, signature, arguments):
        one, other = arrays_of(context, b, signature, arguments)
        place, shift, stop = arguments[2:]
        last = b.sub(stop, LONG(NODES))  # the last 64 are read from further left
        first = b.select(b.icmp_signed("<", place, last), place, last)

        def among_many():
            pairs = one.load(first, NODES), other.load(b.add(first, shift), NODES)
            bits = b.bitcast(b.icmp_unsigned("!=", *pairs), LONG)
            return b.lshr(bits, b.sub(place, first))

        def of_few():
            n = b.sub(stop, place)
            pairs = one.copied(place, n, NODES), other.copied(b.add(place, shift), n, NODES)
            bits = b.bitcast(b.icmp_unsigned("!=", *pairs), LONG)
            return b.and_(bits, b.sub(b.shl(LONG(1), n), LONG(1)))

        with b.if_else(b.icmp_signed(">=", last, LONG(0))) as (many, few):
            with many:
                found = among_many(), b.block
            with few:
                rest = of_few(), b.block
        phi = b.phi(LONG)
        phi.add_incoming(*found), phi.add_incoming(*rest)
        return phi

    return signature, generate


@intrinsic
def lowest(_typingctx, bits):  # noqa: ARG001
    """Return the place of the lowest bit that is set; there must be one."""

    def generate(_context, b, _signature, arguments):
        return b.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.uint64), generate


def _holding(b, values, value):
    """Return the bits of the 64 nodes that hold a value."""
    narrow = b.trunc(value, values.type.element)
    return b.bitcast(b.icmp_unsigned("==", values, splat(b, narrow, NODES)), LONG)


@intrinsic
def mark_values(_typingctx, values, place, valid, masks):
    """Write bits of the 64 nodes from ``place`` on that hold each value to masks (V,) int64."""
    # values uint8 or uint16, flat; valid, uint64: the bits of the nodes to mark
    signature = types.void(values, place, valid, masks)

    def generate(context, b, signature, arguments):
        values, masks = arrays_of(context, b, signature, arguments)
        place, valid = arguments[1:3]
        held = values.load(place, NODES)

        def mark(j):
            masks.write_number(j, b.and_(_holding(b, held, j), valid))
            return []

        loop(b, LONG(0), masks.shape[0], 1, [], mark)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def count_marked(_typingctx, values, place, n_values, masks, counts, first):
    """Count the 64 nodes from ``place`` on with each value and each mark."""
    # values uint8 or uint16, flat, below n_values = N; masks (V,) int64: the nodes of each mark, V
    # a multiple of 8; counts int64: N rows of V numbers from ``first`` on
    signature = types.void(values, place, n_values, masks, counts, first)

    def generate(context, b, signature, arguments):
        values, masks, counts = arrays_of(context, b, signature, arguments)
        _, place, n_values, _, _, begin = arguments
        eight = ir.VectorType(LONG, LANES)
        ones = cgutils.get_or_insert_function(
            b.module, ir.FunctionType(eight, [eight]), "llvm.ctpop.v8i64"
        )
        held, size = values.load(place, NODES), masks.shape[0]

        def count(i):
            bits = _holding(b, held, i)
            with b.if_then(b.icmp_unsigned("!=", bits, LONG(0))):
                row, own = b.add(begin, b.mul(i, size)), splat(b, bits)

                def add(j):
                    at = b.add(row, j)
                    found = b.call(ones, [b.and_(masks.load(j), own)])
                    counts.store(at, b.add(counts.load(at), found))
                    return []

                loop(b, LONG(0), size, LANES, [], add)
            return []

        loop(b, LONG(0), n_values, 1, [], count)
        return context.get_dummy_value()

    return signature, generate
