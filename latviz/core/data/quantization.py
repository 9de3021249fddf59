"""Fast pairwise nearest neighbour vector quantization (paper 2.11; Equitz 1989)."""

from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from itertools import pairwise as pairwise_of
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from latviz.core import kernels, threads
from latviz.core.checks import (
    LARGEST,
    as_bounded,
    as_floats,
    check_integer,
    check_integers,
    check_memory,
    check_number,
    check_progress,
    shown,
)
from latviz.core.data.lattice import frozen
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, stop_if_told
from latviz.core.types import Counts, Floats, Matrix

T = TypeVar("T")

N_EXACT = 1024
"""Number of clusters from which down every merge is the cheapest of all pairs."""

MOST_WEIGHT = 1e15
"""The largest weight of a point; the least is one over it."""
BUCKET = 8
N_PARTS = 8
IN_BLOCK = 1 << 17
"""Points whose cells are sought at a time."""
FEW = 1 << 13
"""Clusters that are merged on one thread: to call others would take longer."""


class Codewords(NamedTuple):
    """The codewords of several codebooks of one tree.

    ``values`` (K, M) float64. ``members[s]``: which of them codebook s holds, by row; each has the
    same row in every codebook that holds it.
    """

    values: Matrix
    members: tuple[Counts, ...]


class Joins(NamedTuple):
    """The last merges of a tree, by the clusters that they join.

    On the way from n + 1 clusters to n, the cluster in row n of ``codebook(n + 1)`` joins the one
    in row ``rows[n]``, which is the heavier of both and stays in its row. Both arrays are indexed
    by n; their first entry stands for no merge.

    Attributes
    ----------
    rows : ndarray, shape (n_most,), int64
        Which row takes row n in; ``rows[0]`` is -1.
    costs : ndarray, shape (n_most,), float64
        By how much that raises the squared error; ``costs[0]`` is NaN.
    """

    rows: Counts
    costs: Floats


class Splits(NamedTuple):
    """The last merges of a tree, taken back from the last on.

    Attributes
    ----------
    clusters : ndarray, shape (n - 1,), int64
        The cluster that each merge made, decreasing; a cluster comes before its parts.
    parts : ndarray, shape (n - 1, 2), int64
        The two clusters that it was made of, the heavier first.
    """

    clusters: Counts
    parts: Counts


class MergeTree:
    """The merges of one run of Fast PNN: a codebook for every size at no further cost.

    Attributes
    ----------
    n_max : int
        The largest codebook held: the number of distinct points, but at most 1,024.
    costs : ndarray, shape (n_distinct - 1,), float64
        By how much each merge raised the squared error, in the order of the merges: the last k
        entries are the merges that took k + 1 codewords to one.
    """

    def __init__(
        self,
        centroids: Matrix,
        weights: Floats,
        merges: Counts,
        costs: Floats,
    ) -> None:
        self.n_max = weights.size
        self.costs = costs
        self._merges = merges
        self._columns: tuple[Counts, int] | None = None
        self._centroids, self._weights = _all_nodes(centroids, weights, merges)
        for array in (self.costs, self._merges, self._centroids, self._weights):
            array.flags.writeable = False

    def moved(self, origin: Floats) -> "MergeTree":
        """Return the tree of the same points, all moved.

        Parameters
        ----------
        origin : array_like, shape (M,)
            What is added to each point.

        Returns
        -------
        MergeTree

        Raises
        ------
        ParameterError
            If there is not a number for each channel.
        """
        step = as_bounded("origin", origin)
        if step.shape != self._centroids.shape[1:]:
            raise ParameterError(
                f"origin must have shape {self._centroids.shape[1:]}, got {step.shape}"
            )
        tree = copy(self)
        tree._centroids = frozen(self._centroids + step)
        return tree

    def widened(self, columns: Counts, n_columns: int) -> "MergeTree":
        """Return the tree of the same points with more columns, in which all points are 0.

        Parameters
        ----------
        columns : array_like of int, shape (M,)
            Which columns those of this tree become: increasing, from 0 to ``n_columns`` - 1.
        n_columns : int
            How many there are.

        Returns
        -------
        MergeTree

        Raises
        ------
        ParameterError
            If an argument is none of these.
        """
        size = check_integer("n_columns", n_columns, 1)
        kept = np.array(check_integers("columns", columns, 0, size - 1))
        if kept.size != self._centroids.shape[1] or (np.diff(kept) <= 0).any():
            raise ParameterError(
                f"columns must be {self._centroids.shape[1]} increasing ones, got {shown(columns)}"
            )
        tree = copy(self)
        tree._columns = kept, size
        return tree

    def _rows(self, nodes: Counts) -> Matrix:
        """Return the codewords of some nodes of the tree."""
        if self._columns is None:
            return self._centroids[nodes]
        columns, n_columns = self._columns
        check_memory(f"{nodes.size} codewords of {n_columns}", 8 * nodes.size * n_columns)
        rows = np.zeros((nodes.size, n_columns))
        rows[:, columns] = self._centroids[nodes]
        return rows

    def codebook(self, n: int) -> Matrix:
        """Return the codebook of ``n`` codewords, shape (n, M), float64, 1 <= n <= `n_max`.

        Row order follows the tree: from n to n + 1 one codeword is split, its heavier child stays
        in its row and the lighter one becomes row n.

        Parameters
        ----------
        n : int
            The number of codewords, from 1 to `n_max`.

        Returns
        -------
        ndarray, shape (n, M), float64

        Raises
        ------
        ParameterError
            If ``n`` is outside 1 to `n_max`.
        """
        return self._rows(self._cut(n))

    def weights_of(self, n: int) -> Floats:
        """Return the weight of the points behind each row of ``codebook(n)``, shape (n,).

        Parameters
        ----------
        n : int
            The number of codewords, from 1 to `n_max`.

        Returns
        -------
        ndarray, shape (n,), float64

        Raises
        ------
        ParameterError
            If ``n`` is outside 1 to `n_max`.
        """
        return self._weights[self._cut(n)]

    def splits(self, n: int) -> "Splits":
        """Return the clusters that the last n - 1 merges made, 1 <= n <= `n_max`.

        Clusters have numbers: 0 to `n_max` - 1 are the finest, of which ``codebook(n_max)`` is
        made, and each merge makes the next number; the last is the cluster of all points.

        Parameters
        ----------
        n : int
            The number of codewords, from 1 to `n_max`.

        Returns
        -------
        Splits
            Clusters (n - 1,) int64, from the last, and their parts (n - 1, 2) int64.

        Raises
        ------
        ParameterError
            If ``n`` is outside 1 to `n_max`.
        """
        check_integer("the size of a codebook", n, 1, self.n_max)
        parts = self._merges[self.n_max - n :][::-1]
        weights = self._weights[parts]
        # The heavier first; of two as heavy the one of the smaller number.
        swapped = np.where(
            weights[:, 0] == weights[:, 1],
            parts[:, 0] > parts[:, 1],
            weights[:, 0] < weights[:, 1],
        )
        parts = np.where(swapped[:, None], parts[:, ::-1], parts)
        return Splits(2 * self.n_max - 2 - np.arange(n - 1), parts)

    def codewords(self, clusters: ArrayLike) -> Matrix:
        """Return the codewords of some clusters of the tree.

        Parameters
        ----------
        clusters : array_like of int, shape (k,)
            Numbers of clusters, as `splits` has them, from 0 to 2 `n_max` - 2.

        Returns
        -------
        ndarray, shape (k, M), float64

        Raises
        ------
        ParameterError
            If there is no such cluster.
        """
        return self._rows(np.array(check_integers("clusters", clusters, 0, 2 * self.n_max - 2)))

    def cluster_weights(self, clusters: ArrayLike) -> Floats:
        """Return the weight of the points in some clusters of the tree.

        Parameters
        ----------
        clusters : array_like of int, shape (k,)
            Numbers of clusters, as `splits` has them, from 0 to 2 `n_max` - 2.

        Returns
        -------
        ndarray, shape (k,), float64

        Raises
        ------
        ParameterError
            If there is no such cluster.
        """
        found = check_integers("clusters", clusters, 0, 2 * self.n_max - 2)
        return np.asarray(self._weights[found])

    def joins(self, n: int) -> Joins:
        """Return which clusters the last n - 1 merges join and at which cost, 1 <= n <= `n_max`.

        Parameters
        ----------
        n : int
            The number of codewords, from 1 to `n_max`.

        Returns
        -------
        Joins
            Rows (n,) int64, and costs (n,) float64.

        Raises
        ------
        ParameterError
            If ``n`` is outside 1 to `n_max`.
        """
        rows, costs = self._split(n)[1], np.full(n, np.nan)
        costs[1:] = self.costs[self.costs.size - n + 1 :][::-1]
        return Joins(rows, costs)

    def codewords_of(self, sizes: Sequence[int]) -> "Codewords":
        """Return the codewords of several codebooks, each once: 2 n - 1 for all sizes up to n.

        A size above `n_max` stands for `n_max`.

        Parameters
        ----------
        sizes : sequence of int
            The sizes of the codebooks, at least 1.

        Returns
        -------
        Codewords

        Raises
        ------
        ParameterError
            If a size is below 1.
        """
        cuts = [self._cut(min(n, self.n_max)) for n in check_integers("sizes", sizes, 1)]
        nodes = np.unique(np.concatenate(cuts))
        members = tuple(np.searchsorted(nodes, cut) for cut in cuts)
        return Codewords(self._rows(nodes), members)

    def _cut(self, n: int) -> Counts:
        """Return which node of the tree each row of ``codebook(n)`` is."""
        return self._split(n)[0]

    def _split(self, n: int) -> tuple[Counts, Counts]:
        """Split the root down to n clusters.

        Returns the node of the tree in each row, and which row was split to make row k: -1 for the
        first, which is the root's.
        """
        check_integer("the size of a codebook", n, 1, self.n_max)
        nodes, split = np.empty(n, dtype=np.int64), np.full(n, -1)
        nodes[0] = self._weights.size - 1
        row_of = {int(nodes[0]): 0}
        for size in range(1, n):
            step = self.n_max - 1 - size  # the merge that leaves ``size`` clusters
            row = row_of.pop(self.n_max + step)
            heavy, light = sorted(self._merges[step], key=lambda k: (-self._weights[k], k))
            nodes[row], nodes[size], split[size] = heavy, light, row
            row_of[int(heavy)], row_of[int(light)] = row, size
        return nodes, split


def fast_pnn(
    points: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    n_exact: int = N_EXACT,
    progress: Progress | None = None,
) -> MergeTree:
    """Merge points pairwise, cheapest first, down to one cluster: O(n log n).

    The cost of a merge is n_i n_j / (n_i + n_j) ||c_i - c_j||^2. Equal points are merged first.
    Then the buckets of a k-d tree propose their cheapest pairs and the cheaper half is merged; the
    tree is built anew when the clusters have halved. From 1,024 clusters down the merges are exact.
    The result is deterministic.

    Parameters
    ----------
    points : array_like, shape (n, M)
        Numbers of at most 1e150, so that their squares are finite; n, M >= 1.
    weights : array_like, shape (n,), optional
        Positive weights, 1e-15 to 1e15; all 1 by default.
    n_exact : int, optional
        From this many clusters down the merges are exact, and codebooks of up to so many codewords
        are kept; from 1 to 1,024. Fewer is faster where small codebooks are all that is wanted.
    progress : Progress, optional
        Told of the fraction done; may cancel.

    Returns
    -------
    MergeTree

    Raises
    ------
    ParameterError
        If the shapes do not fit, or a point, a weight or ``n_exact`` is outside its range.
    Cancelled
        If ``progress`` says so.
    """
    check_integer("n_exact", n_exact, 1, N_EXACT)
    check_progress(progress)
    centroids, masses = _distinct(*_checked(points, weights))
    n_distinct = masses.size
    costs = np.empty(n_distinct - 1)
    centroids, masses = _merge_down_to(n_exact, centroids, masses, costs, progress)
    _stop_or_report(progress, 1.0 - masses.size / (n_distinct + 1))
    merges = np.empty((masses.size - 1, 2), dtype=np.int64)
    kernels.pairwise.merge_all(centroids, masses, merges, costs[n_distinct - masses.size :])
    return MergeTree(centroids, masses, merges, costs)


def merge_to(
    points: ArrayLike,
    n_clusters: int,
    progress: Progress | None = None,
    weights: ArrayLike | None = None,
) -> tuple[Matrix, Floats]:
    """Merge points as `fast_pnn` does, but only until ``n_clusters`` are left.

    Returns
    -------
    centroids : ndarray, shape (k, M), float64
        k is ``n_clusters``, or the number of distinct points if there are fewer.
    weights : ndarray, shape (k,), float64
        How much each stands for: how many points, where none has a weight.
    """
    check_integer("n_clusters", n_clusters, 1)
    centroids, masses = _distinct(*_checked(points, weights))
    return _merge_down_to(n_clusters, centroids, masses, np.empty(masses.size - 1), progress)


def merge_in_cells(
    points: ArrayLike, side: float, weights: ArrayLike | None = None
) -> tuple[Matrix, Floats]:
    """Merge points that lie in the same cell of a grid: O(n).

    Parameters
    ----------
    points, weights : array_like
        As those of `fast_pnn`.
    side : float
        Of the cells, which are cubes with a corner at 0; positive. The squared distance of a point
        to its cell's mean is about M side^2 / 12 on average, and never above M side^2.

    Returns
    -------
    centroids : ndarray, shape (k, M), float64
        The mean of each cell that is not empty.
    weights : ndarray, shape (k,), float64
        How much each stands for.
    """
    side = check_number("side", side, 1.0 / LARGEST, LARGEST)
    array, masses = _checked(points, weights)

    def task(first: int, last: int) -> list[tuple[Matrix, Floats]]:
        blocks = (slice(k * IN_BLOCK, (k + 1) * IN_BLOCK) for k in range(first, last))
        return [_in_cells(array[block], masses[block], side) for block in blocks]

    parts = threads.over_rows(-(-len(array) // IN_BLOCK), task)
    merged = [block for part in parts for block in part]
    if len(merged) == 1:
        return merged[0]
    centroids, weights = (np.concatenate(block) for block in zip(*merged, strict=True))
    return _in_cells(centroids, weights, side)


def _in_cells(points: Matrix, weights: Floats, side: float) -> tuple[Matrix, Floats]:
    number, _ = _numbered(np.floor(points / side) + 0.0)
    total = np.bincount(number, weights=weights).astype(np.float64)
    sums = [np.bincount(number, weights=weights * channel) for channel in points.T]
    return np.stack(sums, axis=1) / total[:, None], total


def _merge_down_to(
    n_clusters: int, centroids: Matrix, masses: Matrix, costs: Matrix, progress: Progress | None
) -> tuple[Matrix, Matrix]:
    """Merge in buckets; ``costs`` takes the costs of the merges."""
    n = masses.size
    while masses.size > n_clusters:
        _stop_or_report(progress, 1.0 - masses.size / n)
        target = max(n_clusters, masses.size // 2)
        centroids, masses = _merge_in_buckets(centroids, masses, target, costs[n - masses.size :])
    return centroids, masses


def _merge_in_buckets(
    centroids: Matrix, masses: Matrix, target: int, merge_costs: Matrix
) -> tuple[Matrix, Matrix]:
    """Build a k-d tree and merge in its buckets until ``target`` clusters are left.

    Every bucket proposes its cheapest pair and the cheaper half of the proposals is merged, again
    and again. ``merge_costs`` takes the costs of the merges.
    """
    starts = _build_buckets(centroids, masses)
    in_buckets = np.diff(starts, append=masses.size)
    sizes, n = in_buckets.copy(), starts.size
    pairs, costs = np.empty((n, 2), dtype=np.int64), np.empty(n)
    chosen = np.empty(n, dtype=np.bool_)
    buckets = (centroids, masses, starts, sizes, pairs, costs)
    over_buckets = partial(_over, masses.size, n)
    over_buckets(partial(kernels.pairwise.propose_all, *buckets))
    merge = partial(kernels.pairwise.merge_chosen, *buckets, chosen)
    n_merged = 0
    while masses.size - n_merged > target:
        most = masses.size - n_merged - target
        limit, n_ties = _cheaper_half(costs, most)
        written = merge_costs[n_merged:]
        n_merged += kernels.pairwise.choose(costs, limit, n_ties, chosen, written)
        over_buckets(merge)
    position = np.arange(masses.size) - np.repeat(starts, in_buckets)
    kept = position < np.repeat(sizes, in_buckets)
    return centroids[kept], masses[kept]


def _over(n_clusters: int, n_tasks: int, task: Callable[[int, int], T]) -> list[T]:
    """Do some tasks on all threads, or on this one if there are few clusters."""
    return [task(0, n_tasks)] if n_clusters <= FEW else threads.over_rows(n_tasks, task)


def _build_buckets(centroids: Matrix, masses: Matrix) -> Counts:
    """Move clusters that are near each other into buckets; return where each bucket begins.

    The top of the tree is built first; the parts below it, always as many, on all threads.
    """
    n = masses.size
    most = n if n <= FEW else -(-n // N_PARTS)
    tops = np.empty(2 * N_PARTS, dtype=np.int64)
    n_tops = kernels.pairwise.split_to(centroids, masses, 0, n, most, tops)
    bounds = [*tops[:n_tops].tolist(), n]

    def build(first: int, last: int) -> list[Counts]:
        built = []
        for low, high in pairwise_of(bounds[first : last + 1]):
            starts = np.empty((high - low) // 4 + 2, dtype=np.int64)
            n_buckets = kernels.pairwise.split_to(centroids, masses, low, high, BUCKET, starts)
            built.append(starts[:n_buckets])
        return built

    parts = _over(n, n_tops, build)
    return np.concatenate([starts for part in parts for starts in part])


def _cheaper_half(costs: Floats, most: int) -> tuple[float, int]:
    """Return below which cost proposals are merged, and how many of just that cost.

    They are the cheaper half, but at most ``most``.
    """
    proposed = costs[costs < np.inf]
    quota = min((proposed.size + 1) // 2, most)
    proposed.partition(quota - 1)
    limit = proposed[quota - 1]
    return limit, int(np.count_nonzero(proposed[:quota] == limit))


def _stop_or_report(progress: Progress | None, fraction: float) -> None:
    stop_if_told(progress)
    if progress is not None:
        progress.report(fraction)


def _checked(points: ArrayLike, weights: ArrayLike | None) -> tuple[Matrix, Floats]:
    array = np.ascontiguousarray(as_bounded("points", points))
    if array.ndim != 2 or array.size == 0:
        raise ParameterError(f"points must have shape (n, M) with n, M >= 1, got {array.shape}")
    masses = np.ones(len(array)) if weights is None else as_floats("weights", weights)
    if masses.shape != (len(array),):
        raise ParameterError(f"weights must have shape ({len(array)},), got {masses.shape}")
    good = (masses >= 1.0 / MOST_WEIGHT) & (masses <= MOST_WEIGHT)
    if not good.all():
        first = int(np.argmin(good))
        raise ParameterError(
            f"weights must be finite and positive, from {1 / MOST_WEIGHT:g} to {MOST_WEIGHT:g}, "
            f"got {masses[first]} at index {first}"
        )
    with np.errstate(over="ignore"):
        most = np.square(2.0 * np.abs(array).max()) * array.shape[1] * masses.sum()
    if not np.isfinite(most):
        raise ParameterError("points are too far apart for costs that are finite: scale them")
    return array, masses


def _distinct(points: Matrix, weights: Floats) -> tuple[Matrix, Floats]:
    points = points + 0.0  # makes -0.0 equal to 0.0 bit by bit
    number, first = _numbered(points)
    return points[first], np.bincount(number, weights=weights).astype(np.float64)


def _numbered(rows: Matrix) -> tuple[Counts, Counts]:
    """Return the number of each row among the distinct rows, and where each appears first.

    No number is -0.
    """
    table = np.full(1 << (2 * len(rows) - 1).bit_length(), -1, dtype=np.int64)
    first = np.empty(len(rows), dtype=np.int64)
    number, n_distinct = kernels.pairwise.merge_equal(rows.view(np.uint64), table, first)
    return number, first[:n_distinct]


def _all_nodes(centroids: Matrix, weights: Floats, merges: Counts) -> tuple[Matrix, Floats]:
    n = weights.size
    all_centroids = np.concatenate([centroids, np.empty((n - 1, centroids.shape[1]))])
    all_weights = np.concatenate([weights, np.empty(n - 1)])
    kernels.pairwise.fill_nodes(all_centroids, all_weights, merges, n)
    return all_centroids, all_weights
