"""Sum-product along the lines of a lattice: exact from end to end of each, eight lines at once.

Messages come to a node from both its neighbours along an axis; their product, the message of the
axis, is stored. With those of the other axes fixed, the messages along a line are those of a chain:
one pass from its first node to its last and one back finds them exactly.

Numbers of nodes lie in tiles of eight columns, ``(T, R, N, 8)``, flat: T tiles, R rows (all axes
but the last one as one, padded to whole eights), N states, and the columns of the tile as lanes.
Lines along all axes except the last have their eight lanes side by side there; those along the last
axis are transposed, eight rows at a time. ``sizes`` are (D, T, R, N), D the number of axes.

The greatest pair potential is 1 and the least 2^-15, so messages of an axis are from 2^-30 to 1.
They are stored in 16 bits as the upper part of their bits as float32, which has the same relative
error, 2^-12, everywhere. The likelihoods of a node are scaled so that the greatest is 1; they are
at least 2^-60. So no product of them vanishes for all states. Those of an unknown node are all 0,
and it sends 1 to all states, as if its line ended there.
"""

import numpy as np

from . import eights
from .compiler import callee, njit

LANES = 8
NOTHING = np.uint16(0xFFFF)
"""A message that favours no state: 1."""


@callee()
def multiplied(unary, messages, axis, sizes, tile, row, out, to):
    """Write the product of eight nodes' likelihood and the messages of all axes but one."""
    # ``axis`` D leaves none out: the product is then the belief
    n_axes, n_tiles, n_rows, n_states = sizes
    at = (tile * n_rows + row) * n_states * LANES
    whole = n_tiles * n_rows * n_states * LANES
    first = True
    for other in range(n_axes):
        if other != axis:
            if first:
                eights.multiply(unary, at, messages, other * whole + at, out, to, n_states)
            else:
                eights.multiply(out, to, messages, other * whole + at, out, to, n_states)
            first = False


@callee()
def chain(field, potentials, n, n_states, forward, back, room, out, to, step):
    """Write the messages along eight chains of n nodes, in 16 bits, ``step`` numbers apart."""
    # field, forward and back (n N 8,), room (2, N 8), all float32; out uint16, from place ``to``
    # on. potentials float32: (1,) is that of unlike states in a Potts field, else (N N,). Each
    # message waits for the one before it, so both directions are sent side by side
    size = n_states * LANES
    end = (n - 1) * size
    potts = potentials.size == 1
    unlike = potentials[0]
    for k in range(size):
        forward[k] = np.float32(1.0)
        back[end + k] = np.float32(1.0)
    for at in range(0, end, size):
        s = end - at
        if potts:
            eights.send_alike(field, at, forward, at, unlike, forward, at + size, n_states)
            eights.send_alike(field, s, back, s, unlike, back, s - size, n_states)
        else:
            eights.send(field, at, forward, at, potentials, room[0], forward, at + size, n_states)
            eights.send(field, s, back, s, potentials, room[1], back, s - size, n_states)
    for t in range(n):
        eights.pack_product(forward, t * size, back, t * size, out, to + t * step, n_states)


@njit(nogil=True)
def down(unary, messages, sizes, axis, stride, n, n_lines, potentials, start, stop):
    """Renew the messages along an axis that is not the last one, (D, T, R, N, 8) uint16, flat."""
    # Lines have n nodes, ``stride`` rows apart; each tile has ``n_lines``. All lines of a tile come
    # before those of the next, so that a tile stays in cache; start and stop are places in that
    # order
    _, n_tiles, n_rows, n_states = sizes
    size = n_states * LANES
    field, forward, back = np.empty((3, n * size), np.float32)
    room = np.empty((2, size), np.float32)
    for place in range(start, stop):
        tile, line = place // n_lines, place % n_lines
        first = line // stride * stride * n + line % stride
        for t in range(n):
            multiplied(unary, messages, axis, sizes, tile, first + t * stride, field, t * size)
        to = ((axis * n_tiles + tile) * n_rows + first) * size
        chain(field, potentials, n, n_states, forward, back, room, messages, to, stride * size)


@njit(nogil=True)
def across(unary, messages, sizes, n, potentials, start, stop):
    """Renew the messages along the last axis, of n nodes, in the ``start``-th eight rows and on."""
    n_axes, n_tiles, n_rows, n_states = sizes
    size = n_states * LANES
    length = n_tiles * LANES * size
    field, forward, back = np.empty((3, length), np.float32)
    out = np.full(length, NOTHING)  # columns beyond the lattice keep it
    room = np.empty((2, size), np.float32)
    eight = np.empty(LANES * size, np.float32)
    for place in range(start, stop):
        for tile in range(n_tiles):
            for k in range(LANES):
                row = place * LANES + k
                multiplied(unary, messages, n_axes - 1, sizes, tile, row, eight, k * size)
            for j in range(n_states):
                to = tile * LANES * size + j * LANES
                eights.turn(eight, j * LANES, size, field, to, size)
        chain(field, potentials, n, n_states, forward, back, room, out, 0, size)
        for tile in range(n_tiles):
            first = (((n_axes - 1) * n_tiles + tile) * n_rows + place * LANES) * size
            for j in range(n_states):
                at = tile * LANES * size + j * LANES
                eights.turn(out, at, size, messages, first + j * LANES, size)


@njit(nogil=True)
def send(unary, messages, sizes, shape, potentials, passes):
    """Renew the messages along each axis in turn, ``passes`` times; shape (D,) int64."""
    n_axes, n_tiles, n_rows, _ = sizes
    n_lines = 1
    for axis in range(n_axes - 1):
        n_lines *= shape[axis]
    for _ in range(passes):
        stride = n_lines
        for axis in range(n_axes - 1):
            n = shape[axis]
            stride //= n
            in_tile = n_lines // n
            stop = n_tiles * in_tile
            down(unary, messages, sizes, axis, stride, n, in_tile, potentials, 0, stop)
        across(unary, messages, sizes, shape[n_axes - 1], potentials, 0, n_rows // LANES)
