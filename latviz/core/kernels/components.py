"""Linear components of logarithms of energies, the nearest of some points, and moments.

Logarithms are (blocks, bands, filters, 128) float32: patches of 8 rows and 16 columns, so that all
that belongs to a pixel lies together. Those past the last row or column are 0.
"""

import numpy as np

from latviz.core.kernels.compiler import callee, njit

HIGH, WIDE = 8, 16
"""Rows and columns of a patch of logarithms: few rows, so that those of one pixel lie together."""
PATCH = HIGH * WIDE
"""Pixels of a patch."""
PARTS = 8
"""Parts of each sum of moments."""
FUSED = {"contract"}
"""Rounding once for a product and a sum is as good as twice."""


@callee(fastmath=FUSED)
def add_products(one, other, found):
    """Add the sums of the products of two filters over a patch to found, (PARTS,)."""
    for part in range(PARTS):
        total = np.float32(0.0)
        for x in range(part, PATCH, PARTS):
            total += one[x] * other[x]
        found[part] += total


@njit(nogil=True)
def add_moments(logs, found):
    """Add the sums of logarithms (n, filters, 128) and of their products over n patches."""
    # found (filters + 1, filters, PARTS) float64: of products, for pairs whose first filter is not
    # before the second, then of the logarithms
    n_filters, ones = logs.shape[1], np.ones(PATCH, np.float32)
    for patch in range(len(logs)):
        own = logs[patch]
        for i in range(n_filters):
            for j in range(i + 1):
                add_products(own[i], own[j], found[i, j])
            add_products(own[i], ones, found[n_filters, i])


@callee(fastmath=FUSED)
def project(logs, axes, origin, found):
    """Write ``axes @ logs - origin`` of a patch (filters, 128) to found (c, 128)."""
    for c in range(origin.size):
        value = found[c]
        for x in range(PATCH):
            value[x] = -origin[c]
        for k in range(axes.shape[1]):
            weight, own = axes[c, k], logs[k]
            for x in range(PATCH):
                value[x] += weight * own[x]


@callee()
def seek(values, points, halves, cost, least, nearest):
    """Write which point is nearest to each pixel of a patch to nearest (128,), first of ties."""
    # values (c, 128), points (m, c), halves (m,): half the squares of the points' lengths; cost and
    # least (128,) are room
    for x in range(PATCH):
        least[x] = np.inf
    for m in range(len(points)):
        for x in range(PATCH):
            cost[x] = halves[m]
        for c in range(points.shape[1]):
            number, value = points[m, c], values[c]
            for x in range(PATCH):
                cost[x] -= number * value[x]
        for x in range(PATCH):
            if cost[x] < least[x]:
                least[x], nearest[x] = cost[x], m


@njit(nogil=True)
def write_components(logs, shape, bands, axes, origin, corner, values):
    """Write ``axes @ logs - origin`` of some bands to values (H, W, c) float32."""
    # shape (height, width) of the logs; bands (first, last); axes (c, filters), origin (c,);
    # corner: the row and column of the first pixel
    found = np.empty((origin.size, PATCH), np.float32)
    for block in range(len(logs)):
        for band in range(bands[0], bands[1]):
            project(logs[block, band], axes, origin, found)
            top, left = HIGH * band, WIDE * block
            for y in range(min(HIGH, shape[0] - top)):
                for x in range(min(WIDE, shape[1] - left)):
                    for c in range(origin.size):
                        place = corner[0] + top + y, corner[1] + left + x, c
                        values[place] = found[c, WIDE * y + x]


@njit(nogil=True)
def write_nearest(logs, shape, bands, axes, origin, points, halves, corner, values):
    """Write which of some points is nearest to the components, the first of ties, to values."""
    # As above, but for values (H, W) uint8; points and halves as in `seek`
    found, nearest = np.empty((origin.size, PATCH), np.float32), np.empty(PATCH, np.uint8)
    cost, least = np.empty(PATCH, np.float32), np.empty(PATCH, np.float32)
    for block in range(len(logs)):
        for band in range(bands[0], bands[1]):
            project(logs[block, band], axes, origin, found)
            seek(found, points, halves, cost, least, nearest)
            top, left = HIGH * band, WIDE * block
            for y in range(min(HIGH, shape[0] - top)):
                for x in range(min(WIDE, shape[1] - left)):
                    values[corner[0] + top + y, corner[1] + left + x] = nearest[WIDE * y + x]
