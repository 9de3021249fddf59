"""The belief state of each node's window, row by row: its entropy, or the most probable state.

The log-beliefs of a row are formed by `sweeps`, state by state; only the results of a node are
stored. Of two results, entropies in bits (H, W) float32 and states (H, W) uint8, the one with a
size is written.
"""

import numpy as np

from latviz.core.kernels import lanes, sweeps
from latviz.core.kernels.compiler import callee, njit


@callee()
def write_row(totals, units, n_states, y, results, found):
    """Write the entropies and states of row ``y`` from log-beliefs in parts."""
    # totals (K N or more, W + 7); units (K,) float64: the value of 1 in each part; found (W + 7,)
    # float32 is a room
    entropies, states = results
    if entropies.size:
        lanes.entropy_of_row(totals, units, n_states, found)
        sweeps.copy(found, entropies[y])
        return
    out = states[y]
    best, score = np.empty(out.size), np.empty(out.size)
    for j in range(n_states):
        for x in range(out.size):
            score[x] = totals[j, x] * units[0]
        for part in range(1, units.size):
            for x in range(out.size):
                score[x] += totals[part * n_states + j, x] * units[part]
        for x in range(out.size):
            if j == 0 or score[x] > best[x]:
                best[x] = score[x]
                out[x] = j


@njit(nogil=True)
def of_symbols(plane, tables, blank, window, start, stop, columns, units, n_states, results):
    """Write the entropies and states of beliefs whose logarithms are summed over windows."""
    # Arguments are those of `sweeps.least_scores`, with parts of log-beliefs in the tables; units
    # and n_states those of `lanes.entropy_of_row`
    width = plane.shape[1]
    totals = np.empty((8 * columns.shape[0], width + 7))
    found = np.empty(width + 7, np.float32)
    for y in range(start, stop):
        sweeps.totals_at(plane, tables, blank, window, y, start, columns, totals)
        write_row(totals, units, n_states, y, results, found)


@njit(nogil=True)
def of_logs(plane, blank, window, start, stop, columns, units, results):
    """Write the entropies and states of beliefs whose logarithms (..., N) are a plane of sums."""
    # Arguments are those of `sweeps.nearest_means`; units (1,): the bits that 1 is worth
    width, n_states = plane.shape[1:]
    totals = np.zeros((n_states, width + 7))
    found = np.empty(width + 7, np.float32)
    for y in range(start, stop):
        sweeps.vector_totals_at(plane, blank, window, y, start, columns, totals)
        write_row(totals, units, n_states, y, results, found)


@njit(nogil=True)
def of_vectors(plane, blank, window, start, stop, columns, layers, scales, normals, results):
    """Write the entropies and states of beliefs by the density of each window's mean."""
    # Arguments are those of `sweeps.nearest_means`; scales (C,) float64: the unit of each channel;
    # normals (means, whiteners, constants) as for `lanes.normal_scores_of_row`. If some nodes are
    # unknown, the plane has one more channel, which counts the known ones
    means, whiteners, constants = normals
    width, n_channels = plane.shape[1], means.shape[1]
    points = np.zeros((plane.shape[2], width + 7))
    scores = np.empty((constants.size, width + 7))
    widths, sizes = np.empty(width + 7), np.empty(width + 7)
    shares = np.empty(width + 7)
    found, units = np.empty(width + 7, np.float32), np.ones(1)
    sweeps.write_widths(window, width, widths)
    for x in range(shares.size):
        shares[x] = 1.0 / widths[x]
    for y in range(start, stop):
        rows = layers * sweeps.vector_totals_at(plane, blank, window, y, start, columns, points)
        for x in range(sizes.size):
            sizes[x] = rows * widths[x]
        if points.shape[0] > n_channels:
            rows = 1
            for x in range(sizes.size):
                sizes[x] = max(points[n_channels, x], 1.0)
                shares[x] = 1.0 / sizes[x]
        for c in range(n_channels):
            unit = scales[c] / rows
            for x in range(sizes.size):
                points[c, x] *= unit * shares[x]
        here = points[:n_channels]
        lanes.normal_scores_of_row(here, sizes, means, whiteners, constants, scores)
        write_row(scores, units, constants.size, y, results, found)
