"""Marks of 64 nodes in the bits of one number: the places where two rows of states differ.

Neighbours mostly are in the same state. This is tested for 64 nodes at once, and only different
nodes are handled one by one.

Marks of the nodes that hold each of a few values count them: 64 are counted at once.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from latviz.core.kernels.vectors import LANES, LONG, llvm, loop, splat

NODES = 64
ONE, ALL = np.uint64(1), np.uint64(2**64 - 1)


@llvm(types.uint64)
def unlike(b, one, other, place, shift, stop):
    """Return bits k where one[place + k] differs from other[place + k + shift]."""
    # Up to 64 nodes before stop; one and other (W,) uint8. It is inlined, as a call would take
    # longer than the work
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


@llvm(types.int64)
def lowest(b, bits):
    """Return the place of the lowest bit that is set; there must be one."""
    return b.cttz(bits, ir.IntType(1)(1))


def _holding(b, values, value):
    """Return the bits of the 64 nodes that hold a value."""
    narrow = b.trunc(value, values.type.element)
    return b.bitcast(b.icmp_unsigned("==", values, splat(b, narrow, NODES)), LONG)


@llvm()
def mark_values(b, values, place, valid, masks):
    """Write bits of the 64 nodes from ``place`` on that hold each value to masks (V,) int64."""
    # values uint8 or uint16, flat; valid, uint64: the bits of the nodes to mark
    held = values.load(place, NODES)

    def mark(j):
        masks.write_number(j, b.and_(_holding(b, held, j), valid))
        return []

    loop(b, LONG(0), masks.shape[0], 1, [], mark)


@llvm()
def count_marked(b, values, place, n_values, masks, counts, first):
    """Count the 64 nodes from ``place`` on with each value and each mark."""
    # values uint8 or uint16, flat, below n_values = N; masks (V,) int64: the nodes of each mark, V
    # a multiple of 8; counts int64: N rows of V numbers from ``first`` on
    eight = ir.VectorType(LONG, LANES)
    ones = cgutils.get_or_insert_function(
        b.module, ir.FunctionType(eight, [eight]), "llvm.ctpop.v8i64"
    )
    held, size = values.load(place, NODES), masks.shape[0]

    def count(i):
        bits = _holding(b, held, i)
        with b.if_then(b.icmp_unsigned("!=", bits, LONG(0))):
            row, own = b.add(first, b.mul(i, size)), splat(b, bits)

            def add(j):
                at = b.add(row, j)
                found = b.call(ones, [b.and_(masks.load(j), own)])
                counts.store(at, b.add(counts.load(at), found))
                return []

            loop(b, LONG(0), size, LANES, [], add)
        return []

    loop(b, LONG(0), n_values, 1, [], count)
