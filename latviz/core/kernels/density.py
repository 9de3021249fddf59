"""The density of windows' averages on a plane: how many nodes fall into each of its bins.

Symbols stand for two whole numbers of a table each, where they lie along both axes of the plane: as
sums are linear, these are summed, and one pass finds the bins. Vectors are summed by channel, and
then projected.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from latviz.core.kernels import sweeps
from latviz.core.kernels.compiler import njit
from latviz.core.kernels.lanes import arrays_of
from latviz.core.kernels.vectors import DOUBLE, LANES, LONG, Sweep, is_less, splat, vector

AXES = 2
INT = ir.IntType(32)


@intrinsic
def bins_of_row(
    _typingctx,
    sums,
    added,
    entering,
    removed,
    leaving,
    reach,
    shares,
    factors,
    box,
    n_columns,
    bins,
):
    """Move to a row and sweep it: write the bin of each window's average.

    Parameters
    ----------
    sums : ndarray, shape (2 (W + 2 reach + 9),), float64
        The column sums of the row before, moved.
    added, removed : ndarray, shape (2 M,), float64
        The two numbers of each symbol that enters, and that leaves.
    entering, leaving : ndarray, shape (W,), integers
        The rows that enter and leave.
    reach : int
        w, or the width of the row if that is less.
    shares : ndarray, shape (W + 7,), float64
        One over the number of columns that each window holds.
    factors : ndarray, shape (2,), float64
        Bins along both axes that a sum over one column is worth.
    box : ndarray, shape (2, 2), float64
        Along both axes: the bin of 0, and the last bin.
    n_columns : int
        How many bins a row of bins has.
    bins : ndarray, shape (W + 7,), int32
        What is written.
    """
    signature = types.void(
        sums, added, entering, removed, leaving, reach, shares, factors, box, n_columns, bins
    )

    def generate(context, b, signature, arguments):
        shares, factors, box, bins = arrays_of(context, b, signature, arguments)[-4:]

        def shuffled(one, other, places):
            return b.shuffle_vector(one, other, vector(INT, places))

        def for_two_nodes(array, k):
            pair = array.load(LONG(AXES * k), AXES)
            return shuffled(pair, pair, [0, 1, 0, 1])

        factors, origins, lasts = (
            for_two_nodes(array, k) for array, k in ((factors, 0), (box, 0), (box, 1))
        )
        zero = ir.Constant(factors.type, [ir.Constant(DOUBLE, 0.0)] * 4)
        across = splat(b, b.trunc(arguments[9], INT))

        def bounded(place):
            flags = ("nnan", "nsz")
            place = b.select(is_less(b, place, zero, flags), zero, place)
            return b.select(is_less(b, lasts, place, flags), lasts, place)

        def finish(x, following):
            share, found = shares.load(x), []
            for k in range(0, LANES, 2):
                one, other = following(), following()
                both = b.fmul(shuffled(one, other, [0, 1, 2, 3]), factors)
                place = b.fadd(b.fmul(both, shuffled(share, share, [k, k, k + 1, k + 1])), origins)
                found.append(b.fptosi(bounded(place), ir.VectorType(INT, 4)))
            halves = [shuffled(found[k], found[k + 1], range(LANES)) for k in (0, 2)]
            u, v = (shuffled(*halves, range(first, 2 * LANES, 2)) for first in range(AXES))
            bins.store(x, b.add(b.mul(v, across), u))

        sweep = Sweep(context, b, signature, [*arguments[:6], LONG(0)], AXES)
        sweep.run(vector(DOUBLE, [0.0] * AXES), finish)
        return context.get_dummy_value()

    return signature, generate


@njit(nogil=True)
def shares_of(window, width):
    """Return one over how many columns the window of each node of a row holds, (W + 7,)."""
    shares = np.empty(width + 7)
    sweeps.write_widths(window, width, shares)
    for x in range(shares.size):
        shares[x] = 1.0 / shares[x]
    return shares


@njit(nogil=True)
def rows_held(window, y, height):
    """Return how many rows the window of a node of row ``y`` holds."""
    return min(height - 1, y + window) - max(0, y - window) + 1


@njit(nogil=True)
def count(bins, inner, counts):
    """Raise the counts (n,) of the bins of nodes ``inner[0]`` to ``inner[1] - 1``."""
    for x in range(np.uint64(inner[0]), np.uint64(inner[1])):
        counts[np.uint64(bins[x])] += 1


@njit(nogil=True)
def of_symbols(plane, tables, blank, window, start, stop, factors, inner, box, n_columns, counts):
    """Count nodes in the bins of their windows' averages.

    Parameters
    ----------
    plane : ndarray, shape (H, W)
        Symbols.
    tables : ndarray, shape (2, 2 M), float64
        The two whole numbers of each symbol; then zeros.
    blank : ndarray, shape (W,)
        A row of symbols 0.
    window : int
        Half-width w >= 0.
    start, stop : int
        The rows to do; the column sums are built anew for the first of them.
    factors : ndarray, shape (2,), float64
        Bins along both axes that an average of 1 is worth.
    inner : (int, int)
        The columns to count: the first, and the one after the last.
    box : ndarray, shape (2, 2), float64
        Along both axes: the bin of 0, and the last bin.
    n_columns : int
        How many bins a row of bins has.
    counts : ndarray, shape (n,), int64
        What is added to; what is outside counts in the nearest bin.
    """
    height, width = plane.shape
    reach = min(window, width)
    sums, bins = np.zeros(AXES * (width + 2 * reach + 9)), np.empty(width + 7, np.int32)
    shares = shares_of(window, width)
    for row in range(max(0, start - window), min(height, start + window)):
        for x in range(width):
            for axis in range(AXES):
                sums[AXES * (reach + 1 + x) + axis] += tables[0, AXES * plane[row, x] + axis]
    for y in range(start, stop):
        last, gone = y + window, -1 if y == start else y - window - 1
        bins_of_row(
            sums,
            tables[0 if last < height else 1],
            sweeps.row_at(plane, last, blank),
            tables[0 if gone >= 0 else 1],
            sweeps.row_at(plane, gone, blank),
            reach,
            shares,
            factors / rows_held(window, y, height),
            box,
            n_columns,
            bins,
        )
        count(bins, inner, counts)


@njit(nogil=True)
def write_bins(totals, shares, projection, box, n_columns, places, bins):
    """Write the bin of each window's average.

    Parameters
    ----------
    totals : ndarray, shape (C, W + 7), float64
        The windows' sums, by channel.
    shares : ndarray, shape (W + 7,), float64
        One over the number of columns that each window holds.
    projection : ndarray, shape (2, C), float64
        Bins along both axes that a sum over one column is worth.
    box, n_columns
        As for `bins_of_row`.
    places : ndarray, shape (2, W + 7), float64
        Room.
    bins : ndarray, shape (W + 7,), int32
        What is written.
    """
    for axis in range(AXES):
        place, origin, last = places[axis], box[0, axis], box[1, axis]
        place[:] = 0.0
        for c in range(totals.shape[0]):
            factor, total = projection[axis, c], totals[c]
            for x in range(place.size):
                place[x] += factor * total[x]
        for x in range(place.size):
            place[x] = min(max(origin + place[x] * shares[x], 0.0), last)
    across = np.int32(n_columns)
    for x in range(bins.size):
        bins[x] = np.int32(places[1, x]) * across + np.int32(places[0, x])


@njit(nogil=True)
def of_vectors(
    plane, blank, window, start, stop, columns, layers, projection, inner, box, n_columns, counts
):
    """Count nodes in the bins of their windows' averages.

    Parameters
    ----------
    plane, blank, window, start, stop, columns, layers
        As for `sweeps.nearest_means`.
    projection : ndarray, shape (2, C), float64
        Bins along both axes that an average of 1 is worth.
    inner, box, n_columns, counts
        As for `of_symbols`.
    """
    width, n_channels = plane.shape[1:]
    totals, places = np.zeros((n_channels, width + 7)), np.empty((AXES, width + 7))
    shares, bins = shares_of(window, width), np.empty(width + 7, np.int32)
    for y in range(start, stop):
        rows = sweeps.vector_totals_at(plane, blank, window, y, start, columns, totals)
        write_bins(totals, shares, projection / (layers * rows), box, n_columns, places, bins)
        count(bins, inner, counts)
