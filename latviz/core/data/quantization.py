"""Fast pairwise nearest neighbour vector quantization (paper 2.11; Equitz 1989)."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise as pairwise_of
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latviz.core import kernels, threads
from latviz.core.checks import (
    LARGEST,
    as_bounded,
    as_floats,
    check_integer,
    check_number,
    check_progress,
)
from latviz.core.data.merge_tree import MergeTree
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.core.renamed import renamed
from latviz.core.types import Counts, Floats, Matrix

N_EXACT = 1024
"""Number of clusters from which down every merge is the cheapest of all pairs."""

MOST_WEIGHT = 1e15
"""The largest weight of a point; the least is one over it."""
BUCKET = 8
BUCKET_WORK = 128.0
"""Of a bucket, see `threads.over_rows`: some 200 ns."""
N_PARTS = 8
IN_BLOCK = 1 << 17
"""Points whose cells are sought at a time."""
IN_CELL = 1 << 24
"""Distinct places along a side of a cell."""
FEW = 1 << 13
"""Clusters from which down one thread merges: to call others would take longer."""


@renamed("points weights")
def fast_pnn(
    points: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    n_exact: int = N_EXACT,
    progress: Progress | None = None,
) -> MergeTree:
    """Merge points pairwise, cheapest first, down to one cluster: O(n log n).

    The cost of a merge is n_i n_j / (n_i + n_j) ||c_i - c_j||^2. Equal points are merged first.
    Then the buckets of a k-d tree propose their cheapest pairs and the cheaper half is merged; the
    tree is built again when the number of clusters has halved. From 1,024 clusters down the merges
    are exact. The result depends on the multiset alone: the order of the points does not change a
    bit.

    Parameters
    ----------
    points : array_like, shape (n, M)
        Numbers of at most 1e150, so that their squares are finite; n, M >= 1.
    weights : array_like, shape (n,), optional
        Positive weights, 1e-15 to 1e15; all 1 by default.
    n_exact : int, optional
        From this many clusters down the merges are exact, and codebooks of up to this size are
        kept; from 1 to 1,024. Fewer is faster, if only small codebooks are needed.
    progress : Progress, optional
        Receives the fraction done; may cancel.

    Returns
    -------
    MergeTree

    Raises
    ------
    ParameterError
        If the shapes do not fit, or a point, a weight or ``n_exact`` is outside its range.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> tree = fast_pnn([[0.0], [1.0], [10.0]])
    >>> tree.costs.round(2).tolist()  # 1/2, then 2/3 of 9.5 squared
    [0.5, 60.17]
    >>> sorted(tree.codebook(2).ravel().tolist())
    [0.5, 10.0]
    """
    n_exact = check_integer("n_exact", n_exact, 1, N_EXACT)
    check_progress(progress)
    centroids, masses = _distinct(*_checked(points, weights))
    n_distinct = masses.size
    costs = np.empty(n_distinct - 1)
    centroids, masses = _merge_down_to(n_exact, centroids, masses, costs, progress)
    _stop_or_report(progress, 1.0 - masses.size / (n_distinct + 1))
    order = np.lexsort((masses, *centroids.T[::-1]))  # ties are broken by values, not by order
    centroids, masses = centroids[order], masses[order]
    merges = np.empty((masses.size - 1, 2), dtype=np.int64)
    kernels.pairwise.merge_all(centroids, masses, merges, costs[n_distinct - masses.size :])
    return MergeTree(centroids, masses, merges, costs)


def merge_to(
    points: ArrayLike,
    n_clusters: int,
    progress: Progress | None = None,
    weights: ArrayLike | None = None,
) -> tuple[Matrix, Floats]:
    """Merge points as `fast_pnn` does until n_clusters are left; return centroids and weights."""
    # (k, M) and (k,): k is less if there are fewer distinct points. A weight is the number of
    # points where none is given
    n_clusters = check_integer("n_clusters", n_clusters, 1)
    centroids, masses = _distinct(*_checked(points, weights))
    return _merge_down_to(n_clusters, centroids, masses, np.empty(masses.size - 1), progress)


def merge_in_cells(
    points: ArrayLike, side: float, weights: ArrayLike | None = None
) -> tuple[Matrix, Floats]:
    """Merge points in the same cell of a grid, O(n); return their means (k, M) and weights (k,)."""
    # Cells are cubes with a corner at 0. The squared distance of a point to its cell's mean is
    # about M side^2 / 12 on average, and at most M side^2
    side = check_number("side", side, 1.0 / LARGEST, LARGEST)
    array, masses = _checked(points, weights)
    blocks = [slice(k, k + IN_BLOCK) for k in range(0, len(array), IN_BLOCK)]

    def task(first: int, last: int) -> list[_Cells]:
        return [
            _Cells.of(array[block], None if masses is None else masses[block], side)
            for block in blocks[first:last]
        ]

    parts = threads.over_rows(len(blocks), task)
    return _Cells.united([block for part in parts for block in part]).means(side)


class _Cells(NamedTuple):
    """Cells of a grid (k, M), the sums of their points' places in them (k, M), and their weights.

    Places are whole numbers up to IN_CELL, so sums are exact, and independent of the order.
    """

    corners: Matrix
    places: Matrix
    weights: Floats

    @classmethod
    def of(cls, points: Matrix, weights: Floats | None, side: float) -> "_Cells":
        places = points / side
        corners = np.floor(places)
        places -= corners
        places *= IN_CELL
        np.rint(places, out=places)
        corners += 0.0  # no number is -0
        if weights is None:
            return cls.united([cls(corners, places, np.ones(len(points)))])
        return cls.united([cls(corners, places * weights[:, None], weights)])

    @classmethod
    def united(cls, parts: "Sequence[_Cells]") -> "_Cells":
        corners, places, weights = map(np.concatenate, zip(*parts, strict=True))
        number, first, _ = numbered(corners)
        sums = [
            np.bincount(number, weights=channel).astype(np.float64)
            for channel in (*places.T, weights)
        ]
        return cls(corners[first], np.stack(sums[:-1], axis=1), sums[-1])

    def means(self, side: float) -> tuple[Matrix, Floats]:
        return (self.corners + self.places / self.weights[:, None] / IN_CELL) * side, self.weights


def _merge_down_to(
    n_clusters: int, centroids: Matrix, masses: Matrix, costs: Matrix, progress: Progress | None
) -> tuple[Matrix, Matrix]:
    """Merge in buckets; write the costs of the merges to ``costs``."""
    n = masses.size
    while masses.size > n_clusters:
        _stop_or_report(progress, 1.0 - masses.size / n)
        target, written = max(n_clusters, masses.size // 2), costs[n - masses.size :]
        if masses.size > FEW:
            centroids, masses = _merge_in_buckets(centroids, masses, target, written)
        else:
            kernels.pairwise.merge_few(centroids, masses, target, BUCKET, written)
            centroids, masses = centroids[:target], masses[:target]
    return centroids, masses


def _merge_in_buckets(
    centroids: Matrix, masses: Matrix, target: int, merge_costs: Matrix
) -> tuple[Matrix, Matrix]:
    """Build a k-d tree and merge in its buckets until ``target`` clusters are left."""
    # Every bucket proposes its cheapest pair and the cheaper half of the proposals is merged, again
    # and again; merge_costs gets the costs
    starts = _build_buckets(centroids, masses)
    in_buckets = np.diff(starts, append=masses.size)
    sizes, n = in_buckets.copy(), starts.size
    pairs, costs, room = np.empty((n, 2), dtype=np.int64), np.empty(n), np.empty((2, n))
    chosen = np.empty(n, dtype=np.bool_)
    buckets = (centroids, masses, starts, sizes, pairs, costs)
    over_buckets = partial(threads.over_rows, n, work=BUCKET_WORK)
    over_buckets(partial(kernels.pairwise.propose_all, *buckets))
    merge = partial(kernels.pairwise.merge_chosen, *buckets, chosen)
    n_merged = 0
    while masses.size - n_merged > target:
        most = masses.size - n_merged - target
        limit, n_ties = kernels.pairwise.cheaper_half(costs, room, most)
        written = merge_costs[n_merged:]
        n_merged += kernels.pairwise.choose(costs, limit, n_ties, chosen, written)
        over_buckets(merge)
    position = np.arange(masses.size) - np.repeat(starts, in_buckets)
    kept = position < np.repeat(sizes, in_buckets)
    return centroids[kept], masses[kept]


def _build_buckets(centroids: Matrix, masses: Matrix) -> Counts:
    """Move nearby clusters into buckets; return the start of each bucket."""
    # The top of the tree is built first; the parts below it, always as many, on all threads
    n = masses.size
    tops = np.empty(2 * N_PARTS, dtype=np.int64)
    n_tops = kernels.pairwise.split_to(centroids, masses, 0, n, -(-n // N_PARTS), tops)
    bounds = [*tops[:n_tops].tolist(), n]

    def build(first: int, last: int) -> list[Counts]:
        built = []
        for low, high in pairwise_of(bounds[first : last + 1]):
            starts = np.empty((high - low) // 4 + 2, dtype=np.int64)
            n_buckets = kernels.pairwise.split_to(centroids, masses, low, high, BUCKET, starts)
            built.append(starts[:n_buckets])
        return built

    parts = threads.over_rows(n_tops, build)
    return np.concatenate([starts for part in parts for starts in part])


def _stop_or_report(progress: Progress | None, fraction: float) -> None:
    stop_if_cancelled(progress)
    if progress is not None:
        progress.report(fraction)


def _checked(points: ArrayLike, weights: ArrayLike | None) -> tuple[Matrix, Floats | None]:
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
        largest = max(-array.min(), array.max(), 0.0)
        most = np.square(2.0 * largest) * array.shape[1] * masses.sum()
    if not np.isfinite(most):
        raise ParameterError("points are too far apart for costs that are finite: scale them")
    return array, None if weights is None else masses


def _distinct(points: Matrix, weights: Floats | None) -> tuple[Matrix, Floats]:
    """Return the distinct points, in an order that their values alone decide, and their weights."""
    points += 0.0  # makes -0.0 equal to 0.0 bit by bit; they are a copy
    number, first, keys = numbered(points)
    # By their hashes, which takes a tenth of the time that sorting by all coordinates does; numpy
    # sorts numbers of 16 bits many times as fast as others.
    order = np.argsort((keys >> np.uint64(48)).astype(np.uint16), kind="stable")
    keys, first = np.take(keys, order), np.take(first, order)
    kernels.pairwise.sort_nearly(points, keys, first, order)
    if weights is not None:  # a sum of fractions depends on their order
        by_weight = np.argsort(weights)
        number, weights = number[by_weight], weights[by_weight]
    masses = np.bincount(number, weights=weights).astype(np.float64)
    return np.take(points, first, axis=0), np.take(masses, order)


def numbered(rows: Matrix) -> tuple[Counts, Counts, NDArray[np.uint64]]:
    """Return each row's number among the distinct rows, where each appears first, and hashes."""
    # No number may be -0
    n = len(rows)
    table = np.full(1 << (2 * n - 1).bit_length(), -1, dtype=np.int64)
    first, keys = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.uint64)
    number, n_distinct = kernels.pairwise.merge_equal(rows.view(np.uint64), table, first, keys)
    return number, first[:n_distinct], keys[:n_distinct]
