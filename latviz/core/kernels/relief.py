"""Contrasts of signatures on either side of nodes, and the basins of the relief that they make.

Signatures lie by row, channel and column, so that neighbouring columns are computed together.
"""

import numpy as np

from latviz.core.kernels import sweeps
from latviz.core.kernels.compiler import callee, njit

_LEAST = np.float32(1e-6)
"""Added to sums of shares, so that none is 0."""
_NEW, _DRY = -1, -2
"""In place of a basin: of a node that was not visited yet, and of one that is not in a minimum."""


@njit(nogil=True, error_model="numpy")
def write_signatures(plane, blank, window, start, stop, columns, layers, scale, reaches, out):
    """Write scale times the averages of windows to out (H + 2 down, M, W + 2 right) float32."""
    # reaches: down and right, by how far the edges are repeated; the rest is as for
    # `sweeps.vector_averages`
    height, width, n_channels = plane.shape
    down, right = reaches
    totals, widths = np.empty((n_channels, width + 7)), np.empty(width + 7)
    sweeps.write_widths(window, width, widths)
    for y in range(start, stop):
        rows = layers * sweeps.vector_totals_at(plane, blank, window, y, start, columns, totals)
        found = out[y + down]
        for m in range(n_channels):
            row, total = found[m], totals[m]
            for x in range(width):
                row[right + x] = np.float32(total[x] / (rows * widths[x])) * scale
            for x in range(right):
                row[x], row[right + width + x] = row[right], row[right + width - 1]
        first, last = y + down, y + down + 1
        if y == 0:
            first = 0
        if y == height - 1:
            last += down
        for other in range(first, last):
            out[other] = found


@callee()
def sum_shares(signatures, out):
    """Write the sum of the shares of a channel (m, columns) in the first columns to out (W,)."""
    out[:] = 0.0
    for m in range(len(signatures)):
        row = signatures[m]
        for x in range(out.size):
            out[x] += row[x]


@njit(nogil=True, error_model="numpy")
def add_contrasts(signatures, ends, reaches, steps, start, stop, out, weights):
    """Add the root of the contrast in each direction to out (T, rows, W), for rows of a lattice."""
    # and for each channel the larger share of nodes that have it on one side, to weights alike
    # signatures (D + 2 reach, H + 2 reach, M, W + 2 reach) float32, their edges repeated; channel
    # k has the shares from ends[k] to ends[k + 1]. steps (T, 3): from a node to the middle of the
    # window on one side; the other one is opposite. rows are those of all slices. The contrast is
    # half the sum of (p - q)^2 / (p + q). All channels are in the same nodes
    height, width = signatures.shape[1] - 2 * reaches[1], out.shape[2]
    total, share, other_share = np.empty((3, width), np.float32)
    n_channels = np.float32(len(ends) - 1)
    for row in range(start, stop):
        z, y = row // height + reaches[0], row % height + reaches[1]
        for t in range(len(steps)):
            dz, dy, dx = steps[t]
            ahead, behind = signatures[z + dz, y + dy], signatures[z - dz, y - dy]
            found = out[t, row]
            sum_shares(ahead[: ends[1], reaches[2] + dx :], share)
            sum_shares(behind[: ends[1], reaches[2] - dx :], other_share)
            for x in range(width):
                share[x] = max(share[x], other_share[x])
                weights[t, row, x] += n_channels * share[x]
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
                    found[x] += np.sqrt(total[x] * np.float32(0.5) * share[x])


@njit(nogil=True)
def interpolate(values, first, share, start, stop, out):
    """Write what lies by a share between a column and the next one to rows of out (n, W)."""
    # values (n, columns) float32; first (W,) int64 and share (W,) float32
    last = values.shape[1] - 1
    for row in range(start, stop):
        for x in range(first.size):
            one = values[row, first[x]]
            out[row, x] = one + share[x] * (values[row, min(first[x] + 1, last)] - one)


@njit(nogil=True)
def add_signatures(basins, blocks, weights, out):
    """Add the weights (blocks, M) of each node's block to its basin's row of out (R, M)."""
    # basins and blocks (U,) int32, below 0 outside any basin; a run of nodes is added at once
    first = 0
    for t in range(1, basins.size + 1):
        if t < basins.size and basins[t] == basins[first] and blocks[t] == blocks[first]:
            continue
        if basins[first] >= 0:
            row, own = out[basins[first]], weights[blocks[first]]
            for m in range(row.size):
                row[m] += (t - first) * own[m]
        first = t


@callee()
def push(t, level, first, last, nodes):
    """Append a node to the queue of a level."""
    if first[level] < 0:
        first[level] = t
    else:
        nodes[last[level], 1] = t
    last[level], nodes[t, 1] = t, -1


@callee()
def plateau(t, n, levels, ways, found, after):
    """Give new nodes of equal level around t to basin n; return True if none is at a dry one."""
    is_minimum, tail = True, t
    found[t], after[t] = n, -1
    while t >= 0:
        for way in ways:
            s = t + way
            if levels[s] != levels[t]:
                continue
            if found[s] == _NEW:
                found[s], after[s] = n, -1
                after[tail] = tail = s
            elif found[s] == _DRY:
                is_minimum = False
        t = after[t]
    return is_minimum


@callee()
def find_minima(levels, ways, found, after):
    """Give each minimum a basin in the order of first nodes, and all other nodes none."""
    for t in range(levels.size):
        if found[t] == _NEW:
            for way in ways:
                if levels[t + way] < levels[t]:
                    found[t] = _DRY
    n = np.int64(0)  # for a literal, `plateau` would be compiled again
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
    # The basin of a node and the next one in its queue lie side by side, and a dry node has its
    # level in place of a basin, below 0: water jumps across the picture, so each array would fetch
    # another line of memory
    nodes = np.zeros((levels.size, 2), np.int32)
    for t in range(levels.size):
        if found[t] >= 0:
            nodes[t, 0] = found[t]
            push(t, levels[t], first, last, nodes)
        elif found[t] == _DRY:
            nodes[t, 0] = -1 - levels[t]
    level = 0
    while level < n_levels:
        t = first[level]
        if t < 0:
            level += 1
            continue
        basin, first[level] = nodes[t]
        for way in ways:
            s = t + way
            if nodes[s, 0] < 0:
                own, nodes[s, 0] = -1 - nodes[s, 0], basin
                push(s, max(level, own), first, last, nodes)
    for t in range(levels.size):
        if found[t] == _DRY:
            found[t] = nodes[t, 0]
