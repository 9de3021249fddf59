"""Marks of 64 nodes in the bits of one number: where two rows of states differ.

Neighbours mostly are in the same state. Where they are is seen for 64 nodes at once, and only those
that differ are looked at one by one.

Marks of the nodes that hold each of a few values count them: 64 are counted at once.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from latviz.core.kernels.compiler import njit
from latviz.core.kernels.lanes import arrays_of
from latviz.core.kernels.vectors import LANES, LONG, loop, splat

NODES = 64
ONE, ALL = np.uint64(1), np.uint64(2**64 - 1)


@intrinsic
def _unlike(_typingctx, one, other, place, shift):  # noqa: ARG001
    """Return the bits of the 64 nodes from a place on where ``other``, shifted, is unlike."""

    def generate(context, b, signature, arguments):
        one, other = arrays_of(context, b, signature, arguments)
        place, shift = arguments[2:]
        pairs = one.load(place, NODES), other.load(b.add(place, shift), NODES)
        return b.bitcast(b.icmp_unsigned("!=", *pairs), LONG)

    return types.uint64(one, other, types.int64, types.int64), generate


@intrinsic
def lowest(_typingctx, bits):  # noqa: ARG001
    """Return the place of the lowest bit that is set; there must be one."""

    def generate(_context, b, _signature, arguments):
        return b.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.uint64), generate


@intrinsic
def count_both(_typingctx, one, other, place, valid, masks, counts):
    """Count the nodes from a place on by their values in two maps; ``valid`` has a bit for each.

    Parameters
    ----------
    one, other : ndarray, uint8 or uint16
        The maps, of values below N1 and N2.
    place : int64
        The first of the 64 nodes, row after row.
    valid : uint64
        Bits of those that are counted.
    masks : ndarray, shape (V,), int64
        Room for the marks of each value of ``other``; 0 from N2 on. V is a multiple of eight.
    counts : ndarray, shape (N1, V), int64
        What is added to.
    """
    signature = types.void(one, other, place, valid, masks, counts)

    def generate(context, b, signature, arguments):
        one, other, masks, counts = arrays_of(context, b, signature, arguments)
        place, valid = arguments[2:4]
        eight = ir.VectorType(LONG, LANES)
        ones = cgutils.get_or_insert_function(
            b.module, ir.FunctionType(eight, [eight]), "llvm.ctpop.v8i64"
        )
        n_one, size = counts.shape

        def holding(values, value):
            """Return the bits of the nodes that hold a value."""
            narrow = b.trunc(value, values.type.element)
            alike = b.icmp_unsigned("==", values, splat(b, narrow, NODES))
            return b.bitcast(alike, LONG)

        own, others = one.load(place, NODES), other.load(place, NODES)

        def mark(j):
            masks.write_number(j, b.and_(holding(others, j), valid))
            return []

        def count(i):
            marks = holding(own, i)
            with b.if_then(b.icmp_unsigned("!=", marks, LONG(0))):
                first, held = b.mul(i, size), splat(b, marks)

                def add(j):
                    at = b.add(first, j)
                    found = b.call(ones, [b.and_(masks.load(j), held)])
                    counts.store(at, b.add(counts.load(at), found))
                    return []

                loop(b, LONG(0), size, LANES, [], add)
            return []

        loop(b, LONG(0), size, 1, [], mark)
        loop(b, LONG(0), n_one, 1, [], count)
        return context.get_dummy_value()

    return signature, generate


@njit(nogil=True)
def unlike(one, other, place, shift, stop):
    """Return bits of the nodes from a place on, up to 64 and before ``stop``, that are unlike.

    Parameters
    ----------
    one, other : ndarray, shape (W,), uint8
        States of two rows.
    place, shift, stop : int
        Bit k tells whether ``one[place + k]`` is not ``other[place + k + shift]``.
    """
    first = min(place, stop - NODES)  # the last 64 are read from further left
    if first >= 0:
        return _unlike(one, other, first, shift) >> np.uint64(place - first)
    bits = np.uint64(0)
    for k in range(stop - place):
        if one[place + k] != other[place + k + shift]:
            bits |= ONE << np.uint64(k)
    return bits
