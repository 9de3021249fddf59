"""Sums of vectors over the windows of a row, by channel, for eight nodes at a time.

The sums of eight nodes follow from that of the node before them, and from the running sums of what
enters and leaves. All are whole numbers below 2^53.
"""

from llvmlite import ir

from latviz.core.kernels.lanes import for_known_channels
from latviz.core.kernels.vectors import (
    DOUBLE,
    INT,
    LANES,
    LONG,
    converted,
    every,
    llvm,
    loop,
    shuffled,
    splat,
    vector,
)


def running(b, value):
    """Return the sum of each lane and all before it."""
    for step in (1, 2, 4):
        before = [lane - step if lane >= step else LANES for lane in range(LANES)]
        value = b.add(value, shuffled(b, value, vector(LONG, 0), before))
    return value


class Columns:
    """A row's columns, ``(C (W + 2 reach + 8),)`` int32 or int64, and its totals."""

    # Before the columns there are reach + 1 of zeros, after them reach + 7

    def __init__(self, builder, sums, reach, totals):
        self._b, self._sums, self._totals = builder, sums, totals
        self._n_channels, self._room = totals.shape
        self._across = builder.add(builder.mul(reach, LONG(2)), LONG(1))

    def before(self, c):
        """Return a channel's sum over the window before the first one, in each lane."""
        b = self._b

        def add(x, total):
            return [b.add(total, self._number(x, c))]

        return splat(b, loop(b, LONG(0), self._across, 1, [LONG(0)], add)[1][0])

    def changes_of_all(self, x, known):
        """Return what enters less what leaves at eight nodes, for each of the known channels."""
        b, parts = self._b, []
        leaving, entering = self._place(x), self._place(b.add(x, self._across))
        for k in range(known):
            more = LONG(LANES * k)
            new, old = (self._sums.load(b.add(place, more)) for place in (entering, leaving))
            parts.append(converted(b, b.sub(new, old), LONG))
        return [every(b, parts, c) for c in range(known)]

    def changes(self, x, c):
        """Return what enters less what leaves at eight nodes in a channel."""
        b, found = self._b, vector(LONG, 0)
        for lane in range(LANES):
            node = b.add(x, LONG(lane))
            new, old = self._number(b.add(node, self._across), c), self._number(node, c)
            found = b.insert_element(found, b.sub(new, old), INT(lane))
        return found

    def write(self, x, c, changes, before):
        """Write the sums of eight nodes in a channel; return the last one, in each lane."""
        b = self._b
        total = b.add(before, running(b, changes))
        place = b.add(b.mul(c, self._room), x)
        self._totals.store(place, b.sitofp(total, ir.VectorType(DOUBLE, LANES)))
        return shuffled(b, total, total, [LANES - 1] * LANES)

    def _place(self, x):
        return self._b.mul(x, self._n_channels)

    def _number(self, x, c):
        value = self._sums.number(self._b.add(self._place(x), c))
        return value if value.type == LONG else self._b.sext(value, LONG)


@llvm()
def sums_of_row(b, sums, reach, width, totals):
    """Write the sum over each window of a row to totals (C, W + 7 or more) float64; see above."""
    # sums as for `Columns`, reach and width int64
    columns, stop = Columns(b, sums, reach, totals), b.add(width, LONG(LANES - 1))

    def sweep(known):
        def all_channels(x, *before):
            changes = columns.changes_of_all(x, known)
            return [columns.write(x, LONG(c), changes[c], before[c]) for c in range(known)]

        def one_channel(c):
            def eight_nodes(x, before):
                return [columns.write(x, c, columns.changes(x, c), before)]

            loop(b, LONG(0), stop, LANES, [columns.before(c)], eight_nodes)
            return []

        if known:
            before = [columns.before(LONG(c)) for c in range(known)]
            loop(b, LONG(0), stop, LANES, before, all_channels)
        else:
            loop(b, LONG(0), totals.shape[0], 1, [], one_channel)

    for_known_channels(b, totals.shape[0], sweep)
