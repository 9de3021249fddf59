"""The density of windows' averages on a plane: the number of nodes in each of its bins.

A table gives each symbol two whole numbers, its position along both axes of the plane. As sums are
linear, these are summed, and one pass finds the bins. Vectors are summed by channel, and then
projected.
"""

import numpy as np
from llvmlite import ir

from latviz.core.kernels import sweeps
from latviz.core.kernels.compiler import callee, njit
from latviz.core.kernels.running import sums_of_row
from latviz.core.kernels.vectors import (
    DOUBLE,
    INT,
    LANES,
    LONG,
    Sweep,
    is_less,
    llvm,
    minus,
    splat,
    vector,
)

AXES = 2


@llvm()
def bins_of_row(
    b,
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
    """Move the column sums to a row, sweep it, and write the bin of each window's average."""
    # sums (2 (W + 2 reach + 9),), moved; added and removed (2 M,): the two numbers of each symbol
    # that enters and leaves; entering and leaving (W,); reach min(w, W); shares (W + 7,): 1 /
    # columns of each window; factors (2,): bins per sum over one column; box (2, 2): along both
    # axes the bin of 0 and the last bin; bins (W + 7,) int32, written. All sums and factors are
    # float64

    def shuffled(one, other, places):
        return b.shuffle_vector(one, other, vector(INT, places))

    def for_two_nodes(array, k):
        pair = array.load(LONG(AXES * k), AXES)
        return shuffled(pair, pair, [0, 1, 0, 1])

    factors, origins, lasts = (
        for_two_nodes(array, k) for array, k in ((factors, 0), (box, 0), (box, 1))
    )
    zero = ir.Constant(factors.type, [ir.Constant(DOUBLE, 0.0)] * 4)
    across = splat(b, b.trunc(n_columns, INT))

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

    sweep = Sweep(b, sums, added, entering, removed, leaving, reach, LONG(0), AXES)
    sweep.run(vector(DOUBLE, [0.0] * AXES), finish)


@llvm()
def exchange_rows(b, sums, added, entering, removed, leaving, reach):
    """Add a row to the column sums and take one out; arguments are those of `bins_of_row`."""
    Sweep(b, sums, added, entering, removed, leaving, reach, LONG(0), AXES).move_all(minus)


@callee()
def before_row(sums, plane, tables, blank, window, y, before, reach):
    """Move the sums to the start of row ``y``; return the row that leaves with it, or -1."""
    # That is the window of y without its last row. ``before`` is the row that was swept last, or
    # -1; if its whole window has left, sums are built from scratch. The rest is as for `of_symbols`
    first, n_left, n_rows = before - window, y - before - 1, y - before - 1
    from_start = before < 0 or n_left > 2 * window
    if from_start:
        sums[:] = 0
        first, n_left, n_rows = y - 3 * window - 1, 0, 2 * window
    for k in range(n_rows):
        last, gone = first + 2 * window + 1 + k, first + k if k < n_left else -1
        added, removed = (
            tables[0 if 0 <= last < plane.shape[0] else 1],
            tables[0 if gone >= 0 else 1],
        )
        entering, leaving = sweeps.row_at(plane, last, blank), sweeps.row_at(plane, gone, blank)
        exchange_rows(sums, added, entering, removed, leaving, reach)
    return -1 if from_start else y - window - 1


@callee()
def first_row(start, step):
    """Return the first row from ``start`` on of those ``step`` apart."""
    return start + (step // 2 - start) % step


@callee()
def shares_of(window, width):
    """Return 1 / columns of the window of each node of a row, (W + 7,)."""
    shares = np.empty(width + 7)
    sweeps.write_widths(window, width, shares)
    for x in range(shares.size):
        shares[x] = 1.0 / shares[x]
    return shares


@callee()
def rows_held(window, y, height):
    """Return the number of rows in the window of a node of row ``y``."""
    return min(height - 1, y + window) - max(0, y - window) + 1


@callee()
def count(bins, inner, counts):
    """Raise the counts (n,) of the bins of nodes ``inner[0]`` to ``inner[1] - 1``."""
    for x in range(np.uint64(inner[0]), np.uint64(inner[1])):
        counts[np.uint64(bins[x])] += 1


@njit(nogil=True)
def of_symbols(
    plane, tables, blank, window, start, stop, step, factors, inner, box, n_columns, counts
):
    """Count nodes of rows start to stop by the bin of their window's average, (n,) int64."""
    # plane (H, W) symbols, blank (W,) of symbol 0; tables (2, 2 M): two whole numbers of each
    # symbol, then zeros. Of the rows those of number step // 2 modulo step are used. factors (2,):
    # bins per average of 1; inner: the columns to count, from first to before last; box as for
    # `bins_of_row`: averages outside count in the nearest bin; n_columns: bins in a row of bins
    height, width = plane.shape
    reach, before = min(window, width), -1
    sums, bins = np.empty(AXES * (width + 2 * reach + 9)), np.empty(width + 7, np.int32)
    shares = shares_of(window, width)
    for y in range(first_row(start, step), stop, step):
        gone = before_row(sums, plane, tables, blank, window, y, before, reach)
        last, before = y + window, y
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


@callee()
def write_bins(totals, shares, projection, box, n_columns, places, bins):
    """Write the bin of each window's average to bins (W + 7,) int32."""
    # totals (C, W + 7) sums of windows; shares (W + 7,); projection (2, C): bins per sum over one
    # column; places (2, W + 7), a room; box and n_columns as for `bins_of_row`
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
    plane, blank, window, start, stop, step, columns, layers, projection, inner, box, n_columns,
    counts,
):  # fmt: skip
    """Do the same as `of_symbols` for vectors."""
    # projection (2, C): bins that an average of 1 is worth; plane, blank, window, start, stop,
    # columns and layers as for `sweeps.nearest_means`
    width, n_channels = plane.shape[1:]
    totals, places = np.zeros((n_channels, width + 7)), np.empty((AXES, width + 7))
    shares, bins = shares_of(window, width), np.empty(width + 7, np.int32)
    reach, first = min(window, width), first_row(start, step)
    for y in range(first, stop):
        rows = sweeps.move_vectors(plane, blank, window, y, first, columns)
        if (y - first) % step == 0:
            sums_of_row(columns, reach, width, totals)
            write_bins(totals, shares, projection / (layers * rows), box, n_columns, places, bins)
            count(bins, inner, counts)
