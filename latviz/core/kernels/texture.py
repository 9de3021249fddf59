"""Slopes and contrasts of greys in Gaussian windows, in one pass over the rows of an image.

Sums down the columns of a row come first, to rows in the cache, then those along them.
"""

import numpy as np

from latviz.core.kernels.compiler import callee, njit
from latviz.core.kernels.fused import multiply_add


@callee()
def mirrored(place, length):
    """Return the place in a row, or a column, that is mirrored at both ends."""
    place %= 2 * length
    return min(place, 2 * length - 1 - place)


@callee()
def sum_columns(grey, y, weights, columns):
    """Write sums down the columns of a row: of greys, of their slope and of their squares."""
    # columns (3, W + 2 r), from column r on. Values at a distance are summed in pairs, so that a
    # turned image has the same sums
    (height, width), reach = grey.shape, weights.shape[1] - 1
    columns[:] = 0.0
    smooth, steep, square = columns[0, reach:], columns[1, reach:], columns[2, reach:]
    for k in range(1, reach + 1):
        above, below = grey[mirrored(y - k, height)], grey[mirrored(y + k, height)]
        even, odd = weights[0, k], weights[1, k]
        for x in range(width):
            one, other = np.float64(above[x]), np.float64(below[x])
            smooth[x] = multiply_add(even, one + other, smooth[x])
            steep[x] = multiply_add(odd, other - one, steep[x])
            square[x] = multiply_add(even, multiply_add(one, one, other * other), square[x])
    for x in range(width):
        value = np.float64(grey[y, x])
        smooth[x] = multiply_add(weights[0, 0], value, smooth[x])
        square[x] = multiply_add(weights[0, 0], value * value, square[x])


@callee()
def sum_row(columns, weights, sums):
    """Write sums along a row to sums (4, W): of the three columns, and of the slope of greys."""
    width, reach = sums.shape[1], weights.shape[1] - 1
    sums[:] = 0.0
    slope = sums[3]
    for c in range(3):
        row, total = columns[c], sums[c]
        for k in range(1, reach + 1):
            before, after = row[reach - k :], row[reach + k :]
            even, odd = weights[0, k], weights[1, k]
            for x in range(width):
                total[x] = multiply_add(even, before[x] + after[x], total[x])
            if c == 0:
                for x in range(width):
                    slope[x] = multiply_add(odd, after[x] - before[x], slope[x])
        for x in range(width):
            total[x] = multiply_add(weights[0, 0], row[reach + x], total[x])


@njit(nogil=True)
def write_texture(grey, rows, weights, scale, columns, sums, values):
    """Write greys, slopes and contrasts of some rows to values (H, W, 3) float32."""
    # grey (H, W) float32, mirrored beyond its borders; rows (first, last); weights (2, r + 1)
    # float64; room for work: columns (3, W + 2 r) and sums (4, W) float64
    width, reach = grey.shape[1], weights.shape[1] - 1
    for y in range(rows[0], rows[1]):
        sum_columns(grey, y, weights, columns)
        for c in range(3):
            for k in range(reach):
                columns[c, reach - 1 - k] = columns[c, reach + mirrored(k, width)]
                columns[c, reach + width + k] = columns[c, reach + mirrored(width + k, width)]
        sum_row(columns, weights, sums)
        for x in range(width):
            mean, steep, square, slope = sums[0, x], sums[1, x], sums[2, x], sums[3, x]
            values[y, x, 0] = grey[y, x]
            values[y, x, 1] = scale * np.sqrt(multiply_add(steep, steep, slope * slope))
            values[y, x, 2] = np.sqrt(max(square - mean * mean, 0.0))
