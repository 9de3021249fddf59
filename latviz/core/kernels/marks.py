"""Marks of 64 nodes in the bits of one number: where two rows of states differ.

Neighbours mostly are in the same state. Where they are is seen for 64 nodes at once, and only those
that differ are looked at one by one.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from latviz.core.kernels.compiler import callee
from latviz.core.kernels.lanes import arrays_of
from latviz.core.kernels.vectors import LONG

NODES = 64
ONE = np.uint64(1)


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


@callee()
def unlike(one, other, place, shift, stop):
    """Return bits of the nodes from a place on, up to 64 and before ``stop``, that are unlike.

    Parameters
    ----------
    one, other : ndarray, shape (W,), uint8
        States of two rows.
    place, shift, stop : int
        Bit k tells whether ``one[place + k]`` is not ``other[place + k + shift]``.
    """
    if place + NODES <= stop:
        return _unlike(one, other, place, shift)
    bits = np.uint64(0)
    for k in range(stop - place):
        if one[place + k] != other[place + k + shift]:
            bits |= ONE << np.uint64(k)
    return bits
