"""In which order regions are merged, small ones first or those that are most alike.

How much two neighbours differ is told in bits: what one code for the observations of both costs
more than a code for each. `Codes` says which code that is.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import kernels
from latviz.core.checks import check_number
from latviz.core.progress import Progress, stop_if_told
from latviz.core.segmentation.components import Labels
from latviz.core.types import Counts, Floats, Matrix
from latviz.core.values import Value

_STRETCH = 1 << 14
"""Edges, or regions, that are looked at before it is asked whether to go on."""
_TABLED = 1 << 16
"""Counts below this have their logarithms of Gamma in a table."""


@dataclass(frozen=True, eq=False)
class Codes(Value):
    """The cost of coding regions' observations in bits, by sufficient statistics."""

    # The symbols of a region are coded one after another, each by the shares of those before it,
    # half a symbol of each kind added (Krichevsky and Trofimov). Vectors are normal around the mean
    # of their region, by channel, and that mean is normal too

    sizes: Counts  # (R,): nodes of each region
    # (R, C): counts of symbols, or sums of channels in units of the spread within states
    sums: Matrix
    # (1,): M / 2 of symbols; or (C,): the variance of all observations, in the same units
    prior: Floats
    discrete: bool

    def evidence(self, pairs: Counts) -> Floats:
        """Return the evidence between regions, (E,) in bits, for pairs (E, 2)."""
        found: Floats = kernels.regions.evidence(pairs, *self._priced())
        return found

    def merged(self, numbers: Labels, n: int) -> "Codes":
        """Return the codes of n regions, of which ``numbers`` (R,) says which one each is in."""
        here = np.ones(len(numbers)), numbers, np.arange(len(numbers) + 1)
        inside = scipy.sparse.csc_array(here, shape=(n, len(numbers)))
        sizes = (inside @ self.sizes).astype(np.int64)
        return Codes(sizes, np.ascontiguousarray(inside @ self.sums), self.prior, self.discrete)

    def _priced(self) -> tuple[tuple[Counts, Matrix, Floats], Floats, Floats]:
        """Return the values of regions, the prior and the table, as kernels take them."""
        size = min(int(self.sizes.max()) + 1, _TABLED) if self.discrete else 0
        table = kernels.regions.table_of(size)
        costs = kernels.regions.own_costs(self.sums, self.sizes, self.prior, table)
        return (self.sizes.copy(), self.sums.copy(), costs), self.prior, table


@dataclass(frozen=True, eq=False)
class Hierarchy(Value):
    """Merges of regions one after another, which can be cut anywhere.

    Attributes
    ----------
    n_regions : int
        R, how many regions there are before the first merge.
    merges : ndarray, shape (K, 2), int64
        The two that each merge joins, the lesser first: regions 0 to R - 1, or R + k for what merge
        k made. K is R - 1, unless lattices are apart.
    heights : ndarray, shape (K,), float64
        At what size or evidence; never falling.

    Examples
    --------
    >>> columns = stripes((2, 6), 2, n_states=3)
    >>> found = regions(columns, columns).by_size()
    >>> found.n_regions, len(found.merges), found.heights.tolist()  # nodes of what is merged
    (3, 2, [4.0, 4.0])
    """

    n_regions: int
    merges: Counts
    heights: Floats

    def merges_below(self, height: float) -> int:
        """Return how many merges are lower than a height.

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
            If the height is no such number.
        """
        least = check_number("height", height, 0.0, math.inf)
        return int(np.searchsorted(self.heights, least, side="left"))

    def cut(self, height: float) -> Labels:
        """Return which region each of the R is in, after all merges that are lower than a height.

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
            If the height is no such number.
        """
        n_merges = self.merges_below(height)
        found: Labels = kernels.regions.cut(self.merges, self.n_regions, n_merges)
        return found


def by_evidence(codes: Codes, pairs: Counts, progress: Progress | None = None) -> Hierarchy:
    """Return the hierarchy in which the pair of least evidence is merged next, in bits."""
    # The evidence of a pair is that of all that was merged into the two; negative heights are 0. It
    # is computed again for all pairs of a region that was merged into a larger one, for a pair that
    # is about to be merged (which then waits if it has more now), and for all pairs of a region as
    # soon as that has taken in as many nodes as it has pairs. After every merge would be exact, but
    # takes time with the square of a large region's specks; where regions have more nodes than
    # pairs, as after small ones were merged, it is the same. Of ties the first pair is merged.
    # pairs (E, 2): the lesser first, in lexicographic order
    keys = codes.evidence(pairs)
    return _merged(kernels.regions.by_evidence, codes, pairs, keys, progress)


def by_size(codes: Codes, pairs: Counts, progress: Progress | None = None) -> Hierarchy:
    """Return the hierarchy in which the smallest region is merged next; heights are in nodes."""
    # It goes into the neighbour of least evidence. Of regions as small the first is merged, and of
    # neighbours as much alike the one of the first pair
    keys = codes.sizes.astype(np.float64)
    return _merged(kernels.regions.by_size, codes, pairs, keys, progress)


def _merged(
    kernel: Callable[..., Any],
    codes: Codes,
    pairs: Counts,
    keys: Floats,
    progress: Progress | None,
) -> Hierarchy:
    n = len(codes.sizes)
    graph = _graph(pairs, n)
    queue = np.arange(keys.size), np.arange(keys.size), keys
    kernels.regions.make_heap(queue)
    merges, heights = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    state = np.array([0, keys.size, 0])
    given = pairs, graph, *codes._priced(), queue, merges, heights, state, _STRETCH
    is_over = False
    while not is_over:
        stop_if_told(progress)
        is_over = kernel(*given)
    n_merges = int(state[0])
    return Hierarchy(n, merges[:n_merges], heights[:n_merges])


def _graph(pairs: Counts, n: int) -> tuple[Any, ...]:
    """Return what kernels know of n regions and their edges, before the first merge."""
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
