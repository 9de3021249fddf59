"""Contrasts of signatures on either side of nodes, and the basins of the relief that they make.

Signatures lie by row, channel and column, so that neighbouring columns are computed together.
"""

import numpy as np

from latviz.core.kernels.compiler import callee, njit

_LEAST = np.float32(1e-6)
"""Added to sums of shares, so that none is 0."""
_NEW, _DRY = -1, -2
"""In place of a basin: of a node that was not visited yet, and of one that is not in a minimum."""


@njit(nogil=True, error_model="numpy")
def add_contrasts(signatures, ends, reaches, steps, start, stop, out):
    """Add the root of the contrast in each direction to out (T, rows, W), for rows of a lattice."""
    # signatures (D + 2 reach, H + 2 reach, M, W + 2 reach) float32, their edges repeated; channel
    # k has the shares from ends[k] to ends[k + 1]. steps (T, 3): from a node to the middle of the
    # window on one side; the other one is opposite. rows are those of all slices. The contrast is
    # half the sum of (p - q)^2 / (p + q)
    height, width = signatures.shape[1] - 2 * reaches[1], out.shape[2]
    total = np.empty(width, np.float32)
    for row in range(start, stop):
        z, y = row // height + reaches[0], row % height + reaches[1]
        for t in range(len(steps)):
            dz, dy, dx = steps[t]
            ahead, behind = signatures[z + dz, y + dy], signatures[z - dz, y - dy]
            found = out[t, row]
            for k in range(len(ends) - 1):
                for x in range(width):
                    total[x] = 0.0
                for m in range(ends[k], ends[k + 1]):
                    one = ahead[m, reaches[2] + dx : reaches[2] + dx + width]
                    other = behind[m, reaches[2] - dx : reaches[2] - dx + width]
                    for x in range(width):
                        apart = one[x] - other[x]
                        total[x] += apart * apart / (one[x] + other[x] + _LEAST)
                for x in range(width):
                    found[x] += np.sqrt(total[x] * np.float32(0.5))


@callee()
def push(t, level, first, last, after):
    """Append a node to the queue of a level."""
    if first[level] < 0:
        first[level] = t
    else:
        after[last[level]] = t
    last[level], after[t] = t, -1


@callee()
def plateau(t, n, levels, ways, found, after):
    """Give the nodes of equal level around t to basin n; return True if none has a lower one."""
    is_minimum, tail = True, t
    found[t], after[t] = n, -1
    while t >= 0:
        for way in ways:
            s = t + way
            if levels[s] < levels[t]:
                is_minimum = False
            elif levels[s] == levels[t] and found[s] == _NEW:
                found[s], after[s] = n, -1
                after[tail] = tail = s
        t = after[t]
    return is_minimum


@callee()
def find_minima(levels, ways, found, after):
    """Give each minimum a basin in the order of first nodes, and all other nodes none."""
    n = 0
    for t in range(levels.size):
        if found[t] != _NEW:
            continue
        if plateau(t, n, levels, ways, found, after):
            n += 1
            continue
        while t >= 0:
            found[t] = _DRY
            t = after[t]


@njit(nogil=True)
def flood(levels, ways, found, n_levels):
    """Write the basin of each node to found (U,) int32, by flooding from all minima at once."""
    # levels (U,) integers, those of nodes below n_levels, and found -1; around the lattice levels
    # are n_levels, and found is another number below 0. ways: from a node to each neighbour. Lower
    # nodes are flooded first, those of one level in the order in which water reaches them. Basins
    # are numbered in the order of the first nodes of their minima
    after = np.full(levels.size, -1, np.int32)
    first, last = np.full(n_levels, -1), np.full(n_levels, -1)  # a queue of nodes at each level
    find_minima(levels, ways, found, after)
    for t in range(levels.size):
        if found[t] >= 0:
            push(t, levels[t], first, last, after)
    level = 0
    while level < n_levels:
        t = first[level]
        if t < 0:
            level += 1
            continue
        first[level] = after[t]
        for way in ways:
            s = t + way
            if found[s] == _DRY:
                found[s] = found[t]
                push(s, max(level, levels[s]), first, last, after)
