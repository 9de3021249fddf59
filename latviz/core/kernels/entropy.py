"""The entropy of the belief state of each node's window, row by row.

The log-beliefs of a row are formed by `sweeps`, state by state, and made into its entropies by
`lanes`: nothing is kept of a node but those.
"""

import numpy as np

from latviz.core.kernels import lanes, sweeps
from latviz.core.kernels.compiler import njit


@njit(nogil=True)
def of_symbols(plane, tables, blank, window, start, stop, columns, units, n_states, out):
    """Write the entropy of beliefs whose logarithms are summed over windows, in bits.

    Parameters
    ----------
    plane, tables, blank, window, start, stop, columns
        As for `sweeps.least_scores`; the tables have parts of the log-beliefs.
    units, n_states
        As for `lanes.entropy_of_row`.
    out : ndarray, shape (H, W), float32
        What is written.
    """
    width = plane.shape[1]
    totals = np.empty((8 * columns.shape[0], width + 7))
    found = np.empty(width + 7, np.float32)
    for y in range(start, stop):
        sweeps.totals_at(plane, tables, blank, window, y, start, columns, totals)
        lanes.entropy_of_row(totals, units, n_states, found)
        sweeps.copy(found, out[y])


@njit(nogil=True)
def of_vectors(plane, blank, window, start, stop, columns, layers, scales, normals, out):
    """Write the entropy of beliefs by the density of each window's mean, in bits.

    Parameters
    ----------
    plane, blank, window, start, stop, columns, layers
        As for `sweeps.nearest_means`.
    scales : ndarray, shape (C,), float64
        The unit of each channel.
    normals : (means, whiteners, constants)
        As for `lanes.normal_scores_of_row`.
    out : ndarray, shape (H, W), float32
        What is written.
    """
    means, whiteners, constants = normals
    width, n_channels = plane.shape[1:]
    points, scores = np.zeros((n_channels, width + 7)), np.empty((constants.size, width + 7))
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
        for c in range(n_channels):
            unit = scales[c] / rows
            for x in range(sizes.size):
                points[c, x] *= unit * shares[x]
        lanes.normal_scores_of_row(points, sizes, means, whiteners, constants, scores)
        lanes.entropy_of_row(scores, units, constants.size, found)
        sweeps.copy(found, out[y])
