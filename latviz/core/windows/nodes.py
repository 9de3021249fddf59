"""Window sums of a few chosen nodes, and the states of these nodes."""

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.data.fixed_point import (
    FixedPoint,
    Lattice,
    known_of,
    numbers_of,
    shape_of,
    sides_in,
)
from latviz.core.data.lattice import frozen, most_nodes
from latviz.core.data.masks import hide
from latviz.core.errors import ParameterError
from latviz.core.types import Counts, Floats, Matrix, Nodes, Shape, Signature, States
from latviz.core.values import Value
from latviz.core.windows.scores import linear_scores, scores

LITTLE = 1 << 17
"""Nodes of windows that are summed in less than a millisecond: a sweep is not worth its call, nor,
at a first start, the wait for its compiler."""


@dataclass(frozen=True, eq=False)
class Totals(Value):
    """The windows of some nodes, summed exactly."""

    lattice: Lattice
    values: Annotated[Counts, "(n, M)"]  # counts of symbols, or sums in fixed point
    sizes: Annotated[Counts, "(n,)"]  # known nodes in the clipped window, at least 1
    window: int  # half-width w
    known: Annotated[NDArray[np.bool_] | None, "(n,)"] = None  # None: all nodes are

    def signatures(self, origin: Floats | None = None) -> Signature:
        """Return the nodes' signatures, less an origin (M,), shape (n, M); see `Signature`."""
        averages = self.values / self.sizes[:, None]
        if not isinstance(self.lattice, FixedPoint):
            return averages.astype(np.float32)
        offsets = self.lattice.offsets if origin is None else self.lattice.offsets - origin
        found: Signature = (offsets + self.lattice.scales * averages).astype(
            self.lattice.signature_dtype(origin)
        )
        return found

    def decode(self, codebook: Matrix) -> States:
        """Return the nodes' states, shape (n,), uint8, equal to those of `decode`."""
        states = np.empty(len(self.values), dtype=np.uint8)
        if isinstance(self.lattice, FixedPoint):
            norms, slopes = linear_scores(self.lattice, codebook)
            _over_nodes(kernels.nodes.nearest_means, states, self.values, self.sizes, norms, slopes)
        else:
            sides = sides_in(self.lattice, self.window)
            fixed = scores(shape_of(self.lattice), codebook, sides).table
            _over_nodes(kernels.nodes.least_scores, states, self.values, fixed)
        return hide(states, self.known)


def are_few(lattice: Lattice, n_symbols: int, sides: Shape, n_nodes: int) -> bool:
    """Return if `totals_at` of some nodes takes less time than a sweep over the lattice."""
    # A sweep takes as long per node of the lattice as summing about 8 nodes of a window of vectors,
    # whose channels are contiguous, as counting 8 of up to 8 symbols, many at a time, or else about
    # M / 4. Over an image of vectors it only moves the sums of columns, and takes as long as a
    # quarter node
    shape = shape_of(lattice)
    held = most_nodes(sides, shape)
    swept = 8.0 if n_symbols <= kernels.nodes.PACKED else n_symbols // 4
    if isinstance(lattice, FixedPoint):
        swept = 0.25 if len(shape) == 2 else 8.0
    return n_nodes * held <= max(LITTLE, swept * math.prod(shape))


def totals_at(lattice: Lattice, n_symbols: int, window: int, nodes: Nodes) -> Totals:
    """Sum the windows of some nodes, d arrays (n,) of int64, at a cost of n_t for each."""
    # Symbols are trusted to be below M; `ParameterError` for more than three dimensions
    values = numbers_of(lattice)
    shape = shape_of(lattice)
    if len(shape) > 3:
        raise ParameterError(f"the lattice must have 1 to 3 dimensions, got {len(shape)}")
    missing = 3 - len(shape)
    places = np.zeros((3, nodes[0].size), dtype=np.int64)
    places[missing:] = nodes
    volume = frozen(values.reshape((1,) * missing + values.shape))
    known = known_of(lattice)
    n_counted = n_symbols if known is None else n_symbols + 1
    totals = np.empty((nodes[0].size, n_counted), dtype=np.int64)
    sizes = np.empty(nodes[0].size, dtype=np.int64)
    sides = sides_in(lattice, window)
    three = np.array((0,) * missing + sides)
    threads.over_rows(
        sizes.size,
        lambda start, stop: kernels.nodes.totals_at(
            volume, three, places, start, stop, totals, sizes
        ),
        most_nodes(sides, shape) / 4,
    )
    if known is None:
        return Totals(lattice, totals, sizes, window)
    last = totals[:, -1]
    held = last if isinstance(lattice, FixedPoint) else sizes - last
    totals = np.ascontiguousarray(totals[:, :-1])
    return Totals(lattice, totals, np.maximum(held, 1), window, known[nodes])


def _over_nodes(kernel: Any, states: States, *arguments: Any) -> None:
    threads.over_rows(
        states.size,
        lambda start, stop: kernel(*arguments, start, stop, states),
        32.0,
    )
