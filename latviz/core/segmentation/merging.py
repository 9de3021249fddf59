"""Orders in which regions are merged: small ones first, or the most similar pairs first.

Pairs are similar by evidence or by contrast.
The difference of two neighbours is measured in bits: one code for the observations of both, minus a
separate code for each. `Codes` defines the code.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import kernels
from latviz.core.checks import check_number
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.core.segmentation.components import Labels
from latviz.core.types import Counts, Floats, Matrix
from latviz.core.values import Value

_STRETCH = 1 << 14
"""Edges, or regions, to handle between checks for cancellation."""
_TABLED = 1 << 16
"""Counts below this have their logarithms of Gamma in a table."""


@dataclass(frozen=True, eq=False)
class Codes(Value):
    """The cost of coding regions' observations in bits, by sufficient statistics."""

    # The symbols of a region are coded one after another, each by the shares of those before it,
    # half a symbol of each kind added (Krichevsky and Trofimov). Vectors are normal around the mean
    # of their region, by channel, and that mean is normal too

    sizes: Annotated[Counts, "(R,)"]  # nodes of each region
    # counts of symbols, or sums of channels in units of the spread within states
    sums: Annotated[Matrix, "(R, C)"]
    # M / 2; or the variance of all observations, in the same units
    prior: Annotated[Floats, "(1,) of symbols, (C,) of vectors"]
    discrete: bool

    def evidence(self, pairs: Counts) -> Floats:
        """Return the evidence between regions, (E,) in bits, for pairs (E, 2)."""
        found: Floats = kernels.regions.evidence(pairs, *self._priced())
        return found

    def merged(self, numbers: Labels, n: int) -> "Codes":
        """Return the codes of n regions; ``numbers`` (R,) is the new region of each one."""
        sizes = _summed(self.sizes, numbers, n).astype(np.int64)
        return Codes(sizes, _summed(self.sums, numbers, n), self.prior, self.discrete)

    def _priced(self) -> tuple[tuple[Counts, Matrix, Floats], Floats, Floats]:
        """Return the values of regions, the prior and the table, as kernels take them."""
        size = min(int(self.sizes.max()) + 1, _TABLED) if self.discrete else 0
        table = kernels.regions.table_of(size)
        costs = kernels.regions.own_costs(self.sums, self.sizes, self.prior, table)
        return (self.sizes.copy(), self.sums.copy(), costs), self.prior, table


@dataclass(frozen=True, eq=False)
class SignatureChannels(Value):
    """What signatures are made of."""

    ends: Annotated[Counts, "(C + 1,)"]  # channel k has the columns from ends[k] to ends[k + 1]
    weights: Annotated[Floats, "(C,)"]  # in the mean over channels
    full: float  # what the columns of one channel add up to at a node
    n_nodes: float  # of the lattice


@dataclass(frozen=True, eq=False)
class Contrast(Value):
    """The contrasts at nodes, summed over regions and over borders, and regions' signatures."""

    inside: Annotated[Floats, "(R,)"]  # the sum over the nodes of each region
    # over the pairs of nodes across each border; a pair has the mean of both
    along: Annotated[Floats, "(E,)"]
    sums: Annotated[Matrix, "(R, M)"]  # of the signatures of its nodes
    channels: SignatureChannels

    def between(self, pairs: Counts, lengths: Counts, sizes: Counts) -> Floats:
        """Return the contrast of each border, (E,)."""
        found: Floats = kernels.regions.contrasts(pairs, *self.priced(lengths, sizes))
        return found

    def merged(self, numbers: Labels, n: int, along: Floats) -> "Contrast":
        """Return the sums of n regions; ``numbers`` (R,) is the new region of each one."""
        inside: Floats = np.bincount(numbers, self.inside, minlength=n).astype(np.float64)
        return Contrast(inside, along, _summed(self.sums, numbers, n), self.channels)

    def priced(self, lengths: Counts, sizes: Counts) -> tuple[Any, ...]:
        """Return the values of regions, of edges and of channels, as kernels take them."""
        values = sizes.astype(np.float64), self.inside.copy(), self.sums.copy()
        edges = self.along.copy(), lengths.astype(np.float64)
        own = self.channels
        return values, edges, (own.ends, own.weights, own.full, own.n_nodes)


@dataclass(frozen=True, eq=False)
class Hierarchy(Value):
    """Merges of regions one after another, which can be cut anywhere.

    Attributes
    ----------
    n_regions : int
        R, the number of regions before the first merge.
    merges : ndarray, shape (K, 2), int64
        The two that each merge joins, the lesser first: regions 0 to R - 1, or R + k for the result
        of merge k. K is R - 1, unless lattices are separate.
    heights : ndarray, shape (K,), float64
        The size, evidence or contrast of each merge; non-decreasing.

    Examples
    --------
    >>> columns = stripes((2, 6), widths=2, n_states=3)
    >>> found = regions(columns, states=columns).by_size()
    >>> found.n_regions, len(found.merges), found.heights.tolist()  # nodes of what is merged
    (3, 2, [4.0, 4.0])
    """

    n_regions: int
    merges: Counts
    heights: Floats

    def merges_below(self, height: float) -> int:
        """Return the number of merges lower than a height.

        Parameters
        ----------
        height : float
            0 or more, in the unit of the heights.

        Returns
        -------
        int
            From 0 to K.

        Raises
        ------
        ParameterError
            If the height is not such a number.
        """
        least = check_number("height", height, 0.0, math.inf)
        return int(np.searchsorted(self.heights, least, side="left"))

    def cut(self, height: float) -> Labels:
        """Return the region that each of the R belongs to, after all merges lower than a height.

        Parameters
        ----------
        height : float
            0 or more, in the unit of the heights.

        Returns
        -------
        ndarray, shape (R,), int32
            Numbered in the order of their first regions.

        Raises
        ------
        ParameterError
            If the height is not such a number.
        """
        n_merges = self.merges_below(height)
        found: Labels = kernels.regions.cut(self.merges, self.n_regions, n_merges)
        return found


def by_evidence(codes: Codes, pairs: Counts, progress: Progress | None = None) -> Hierarchy:
    """Return the hierarchy in which the pair of least evidence is merged next, in bits."""
    # The evidence of a pair is that of all regions merged into the two; negative heights are 0. It
    # is computed again for all pairs of a region that was merged into a larger one, for a pair that
    # is about to be merged (which then waits if it has more now), and for all pairs of a region
    # once it has gained as many nodes as it has pairs. Computing it after every merge would be
    # exact, but takes time with the square of a large region's specks; if regions have more nodes
    # than pairs, as after merging small ones, it is the same. Ties go to the first pair. pairs (E,
    # 2): the lesser first, in lexicographic order
    keys = codes.evidence(pairs)
    return _merged(kernels.regions.by_evidence, codes, pairs, keys, progress)


def by_size(codes: Codes, pairs: Counts, progress: Progress | None = None) -> Hierarchy:
    """Return the hierarchy in which the smallest region is merged next; heights are in nodes."""
    # It is merged with the neighbour of least evidence. Ties in size go to the first region, and
    # ties in evidence to the first pair
    keys = codes.sizes.astype(np.float64)
    return _merged(kernels.regions.by_size, codes, pairs, keys, progress)


def by_contrast(
    contrast: Contrast,
    pairs: Counts,
    lengths: Counts,
    sizes: Counts,
    progress: Progress | None = None,
) -> Hierarchy:
    """Return the hierarchy in which the pair of least contrast is merged next."""
    # Ties go to the first pair; negative heights are 0
    given = contrast.priced(lengths, sizes)
    keys = kernels.regions.contrasts(pairs, *given)
    return _run(kernels.regions.by_contrast, pairs, len(sizes), given, keys, progress)


def _summed(values: NDArray[Any], numbers: Labels, n: int) -> NDArray[np.float64]:
    """Return the sums of values (R, ...) over n regions, into which these were merged."""
    here = np.ones(len(numbers)), numbers, np.arange(len(numbers) + 1)
    inside = scipy.sparse.csc_array(here, shape=(n, len(numbers)))
    return np.ascontiguousarray(inside @ values)


def _merged(
    kernel: Callable[..., Any],
    codes: Codes,
    pairs: Counts,
    keys: Floats,
    progress: Progress | None,
) -> Hierarchy:
    return _run(kernel, pairs, len(codes.sizes), codes._priced(), keys, progress)


def _run(
    kernel: Callable[..., Any],
    pairs: Counts,
    n: int,
    values: tuple[Any, ...],
    keys: Floats,
    progress: Progress | None,
) -> Hierarchy:
    graph = _graph(pairs, n)
    queue = np.arange(keys.size), np.arange(keys.size), keys
    kernels.regions.make_heap(queue)
    merges, heights = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    state = np.array([0, keys.size, 0])
    given = pairs, graph, *values, queue, merges, heights, state, _STRETCH
    is_over = False
    while not is_over:
        stop_if_cancelled(progress)
        is_over = kernel(*given)
    n_merges = int(state[0])
    return Hierarchy(n, merges[:n_merges], heights[:n_merges])


def _graph(pairs: Counts, n: int) -> tuple[Any, ...]:
    """Return the kernels' data on n regions and their edges, before the first merge."""
    lists = (
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(2 * len(pairs), np.int64),
        np.zeros(n, np.int64),
    )
    kernels.regions.link(pairs, lists)
    gone, marks = np.zeros(len(pairs), np.bool_), np.full(n, -1)
    numbers: NDArray[np.int64] = np.arange(n)
    return lists, numbers, gone, marks, numbers.copy(), np.zeros(n, np.int64)
