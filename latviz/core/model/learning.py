"""Learning: a codebook from signatures, and A, B and Sigma from states (Algorithms 4, 8)."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import check_memory
from latviz.core.data.data_set import DataSet
from latviz.core.data.fingerprint import fingerprint
from latviz.core.data.fixed_point import (
    FixedPoint,
    Lattice,
    SymbolLattice,
    known_of,
    numbers_of,
    part_of,
    shape_of,
)
from latviz.core.data.lattice import each_of, frozen
from latviz.core.data.masks import only_known
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.quantization import fast_pnn, merge_in_cells, merge_to
from latviz.core.progress import Progress, report, shares, stop_if_cancelled
from latviz.core.types import Counts, Floats, Matrix, Region, Signature, States, Window
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.parts import frames, signatures_of_region
from latviz.core.windows.signature import signatures
from latviz.core.windows.stratified import SAMPLE, SAMPLE_EXACT, spread_over_known

PART = 1 << 20
"""Nodes whose signatures are merged at a time."""
COMPACT = 256
"""Number of symbols above which absent ones are left out while learning."""
PART_CLUSTERS = 1 << 14
"""Clusters that each part is merged down to."""
IN_CELLS = 1 << 19
"""Of more nodes than this, signatures of vectors are merged in cells first."""
WITHIN = 1e-4
"""The mean squared distance of signatures to their cell's mean, by their variance, at most."""
CELL_CHANNELS = 8
"""In more dimensions than this, most signatures would have a cell to themselves."""
CELL_CLUSTERS = 1 << 17
"""Cells that each part is merged down to."""
RELATIVE_RIDGE = 1e-6
"""The least eigenvalue that a covariance may have, relative to the data's mean variance."""


def codebook_of(tree: MergeTree, n_states: int) -> Matrix:
    """Return the tree's codebook of n_states rows."""
    # If there are fewer distinct signatures, the rows that are left repeat the first: states that
    # no node takes, since ties go to the smallest
    return padded(tree.codebook(min(n_states, tree.n_max)), n_states)


def padded(codebook: Matrix, n_states: int) -> Matrix:
    """Return a codebook of ``n_states`` rows: the missing ones repeat the first."""
    repeats = np.repeat(codebook[:1], n_states - len(codebook), axis=0)
    return np.concatenate([codebook, repeats])


def learn_tree(
    lattices: Sequence[Lattice], n_symbols: int, window: Window, progress: Progress | None = None
) -> MergeTree:
    """Return the merge tree of the signatures of all nodes of a data set."""
    # A large data set is read in parts, so that its signatures need not be in memory at once: those
    # of each part are merged down to PART_CLUSTERS, and these clusters then to one. Parts are the
    # same if lattices are turned, mirrored or in another order. For vectors with up to eight
    # channels, signatures in the same cell of a fine grid are merged first, each with its weight
    # (shares of symbols are often equal anyway). The squared distances to their cells' means are
    # about 1/10,000 of the signatures' variance, or less. On generated photographs the squared
    # error of codebooks was 0.97 to 1.03 times that without cells, at worst 1.08 times (grey, N =
    # 6)
    if any(isinstance(lattice, FixedPoint) for lattice in lattices):
        origin = middle_of_values(lattices)
        tree = _tree(lattices, n_symbols, window, progress, origin)
        return tree.moved(np.tile(origin, len(each_of(window))))
    used = _used_symbols(lattices, n_symbols) if n_symbols > COMPACT else None
    if used is None or used.size == n_symbols:
        return _tree(lattices, n_symbols, window, progress)
    names = np.zeros(n_symbols + 1, dtype=np.uint8 if used.size < 256 else np.uint16)
    names[used], names[-1] = np.arange(used.size), used.size
    renamed = [_renamed(lattice, names) for lattice in lattices]
    tree, k = _tree(renamed, used.size, window, progress), len(each_of(window))
    return tree.widened((n_symbols * np.arange(k)[:, None] + used).reshape(-1), k * n_symbols)


def middle_of_values(lattices: Sequence[Lattice]) -> Floats:
    """Return the middle of the range of each channel of a data set of vectors, (M,)."""
    # Models are learned from vectors less this, so that the place of zero does not matter
    vectors = [lattice for lattice in lattices if isinstance(lattice, FixedPoint)]
    low, high = np.min([v.low for v in vectors], axis=0), np.max([v.high for v in vectors], axis=0)
    return np.asarray(low / 2 + high / 2)


def _used_symbols(lattices: Sequence[Any], n_symbols: int) -> Counts:
    """Return the symbols that occur: all others have a share of 0 in every signature."""
    occurs = np.zeros(n_symbols + 1, dtype=bool)
    for lattice in lattices:
        occurs[numbers_of(lattice).reshape(-1)] = True
    return np.flatnonzero(occurs[:-1])  # the last stands for unknown nodes


def _renamed(lattice: Lattice, names: NDArray[Any]) -> Lattice:
    """Return a lattice of symbols under other names; unknown nodes are the last symbol."""
    if isinstance(lattice, SymbolLattice):
        return replace(lattice, values=names[lattice.values])
    return np.asarray(names[numbers_of(lattice)])


def _tree(
    lattices: Sequence[Lattice],
    n_symbols: int,
    window: Window,
    progress: Progress | None,
    origin: Floats | None = None,
) -> MergeTree:
    """Return the merge tree of the signatures less an origin."""
    size = len(each_of(window)) * n_symbols
    n_nodes = sum(math.prod(shape_of(lattice)) for lattice in lattices)
    side = 0.0
    if origin is not None and n_nodes > IN_CELLS:
        side = _cell_side(lattices, n_symbols, window, origin)
    most = CELL_CLUSTERS if side else PART_CLUSTERS
    held = min(n_nodes, max(PART, most * -(-n_nodes // PART)))
    check_memory(f"learning from {n_nodes} nodes and {n_symbols} symbols", 24 * held * size)
    if n_nodes <= PART and not side:
        parts = [signatures(lattice, n_symbols, window, origin) for lattice in lattices]
        rows = only_known(parts, [known_of(lattice) for lattice in lattices])
        points = np.concatenate([part.reshape(-1, size) for part in rows])
        return fast_pnn(points, progress=progress)
    groups = list(_groups(lattices))
    *group_shares, last = shares(progress, [1.0] * len(groups) + [len(groups) / 4])
    clusters = []
    for group, part in zip(groups, group_shares, strict=True):
        stop_if_cancelled(part)
        report(part, 0.0)
        seen = [signatures_of_region(one, n_symbols, window, at, origin) for one, at in group]
        masks = [known_of(part_of(*one)) for one in group]
        found = [points.reshape(-1, size) for points in only_known(seen, masks)]
        points = found[0] if len(found) == 1 else np.concatenate(found)
        if not len(points):  # all of it is unknown
            continue
        clusters.append(_merged(points, None, side, most, part))
    centroids, weights = (np.concatenate(parts) for parts in zip(*clusters, strict=True))
    n_clusters = weights.size  # clusters from several parts are merged, the others later
    points, weights = _merged(centroids, weights, side, n_clusters, None)
    return fast_pnn(points, weights=weights, progress=last)


def _groups(lattices: Sequence[Lattice]) -> Iterator[list[tuple[Lattice, Region]]]:
    """Yield parts of all lattices, each as some regions, together of about PART nodes at most."""
    # Small lattices share one, or the signatures of thousands of them were hardly merged before all
    # of them are together
    group, held = list[tuple[Lattice, Region]](), 0
    for lattice in lattices if len(lattices) == 1 else sorted(lattices, key=fingerprint):
        for regions in frames(shape_of(lattice), PART):
            n_nodes = sum(math.prod(s.stop - s.start for s in region) for region in regions)
            if group and held + n_nodes > PART:
                yield group
                group, held = [], 0
            group, held = [*group, *((lattice, region) for region in regions)], held + n_nodes
    yield group


def _merged(
    points: NDArray[Any],
    weights: Floats | None,
    side: float,
    most: int,
    progress: Progress | None,
) -> tuple[Matrix, Floats]:
    """Merge signatures down to some clusters; within cells first, if these have a side."""
    if side:
        points, weights = merge_in_cells(points, side, weights)
    return merge_to(points, most, progress, weights)


def _cell_side(
    lattices: Sequence[Lattice], n_symbols: int, window: Window, origin: Floats
) -> float:
    """Return the side of cells in which signatures hardly differ; 0 for no cells."""
    # Few distinct signatures need none. With outliers or few channels, cells are so small that they
    # keep most signatures of a sample apart
    if len(each_of(window)) * n_symbols > CELL_CHANNELS or len(shape_of(lattices[0])) > 3:
        return 0.0
    points = _signatures_of_sample(lattices, n_symbols, window, origin).astype(np.float64)
    points = points[np.lexsort(points.T)]  # so that their variance does not depend on their order
    n_distinct = 1 + np.count_nonzero(np.diff(points, axis=0).any(axis=1))
    if 2 * n_distinct < SAMPLE:
        return 0.0
    side = math.sqrt(12 * WITHIN * float(points.var(axis=0).sum()) / points.shape[1])
    while 2 * merge_in_cells(points, side)[1].size < n_distinct:
        side /= 2
    return side


def _signatures_of_sample(
    lattices: Sequence[Lattice], n_symbols: int, window: Window, origin: Floats | None
) -> Signature:
    nodes = spread_over_known(lattices)
    ends = [
        np.concatenate(
            [
                totals_at(lattice, n_symbols, one, some).signatures(origin)
                for lattice, some in zip(lattices, nodes, strict=True)
            ]
        )
        for one in each_of(window)
    ]
    return np.concatenate(ends, axis=1)


def learn_from_sample(data: DataSet, window: Window) -> MergeTree:
    """Return the merge tree of some 4,096 signatures, or of all where there are no more."""
    if data.n_known <= SAMPLE or data.dimensions > 3:
        return learn_tree(data.lattices, data.n_symbols, window)
    origin = middle_of_values(data.lattices) if data.kind == "gaussian" else None
    found = _signatures_of_sample(data.lattices, data.n_symbols, window, origin)
    tree = fast_pnn(found, n_exact=SAMPLE_EXACT)
    return tree if origin is None else tree.moved(np.tile(origin, len(each_of(window))))


def adjacency(pairs: Counts, occupancy: Counts, dimensions: int, smoothing: float = 0.0) -> Matrix:
    """Return A from A' (N, N) and the number of nodes in each state (N,)."""
    # A(i, :) = (A'(i, :) + s) / (2 d statecount(i) + N s), s the smoothing; a state that no node
    # takes gets a zero row if s = 0
    mass = 2.0 * dimensions * occupancy + len(occupancy) * smoothing
    numerator = pairs + smoothing
    A = np.zeros(numerator.shape)
    np.divide(numerator, mass[:, None], out=A, where=mass[:, None] > 0)
    return A


def smoothed_emissions(
    B: Matrix, occupancy: Counts, smoothing: float, n_symbols: int | None = None
) -> Matrix:
    """Return (n_i B(i, :) + s) / (n_i + M s), n_i the number of nodes in state i."""
    # M is that of B, unless it holds the codewords of several windows, end to end
    if smoothing == 0:
        return B
    mass = occupancy[:, None] + smoothing * (n_symbols or B.shape[1])
    return np.asarray((occupancy[:, None] * B + smoothing) / mass)


def covariances(
    data: DataSet, states: Sequence[States], means: Matrix, occupancy: Counts
) -> tuple[Matrix, float]:
    """Return `covariances_of` a data set; the reference variance is computed once."""
    return covariances_from(data, known_scatters(data, states, means), occupancy)


def covariances_from(
    data: DataSet, sums: Sequence[Matrix], occupancy: Counts
) -> tuple[Matrix, float]:
    """Return `covariances_of` a data set from the `scatters` of its lattices."""
    variance = data.once(
        "mean variance", lambda: mean_variance(only_known(data.values, data.masks))
    )
    return covariances_of(sums, occupancy, variance)


def known_scatters(data: DataSet, states: Sequence[States], means: Matrix) -> list[Matrix]:
    """Return the `scatters` of known nodes."""
    return scatters(only_known(data.values, data.masks), only_known(states, data.masks), means)


def covariances_of(
    sums: Sequence[Matrix], occupancy: Counts, variance: float
) -> tuple[Matrix, float]:
    """Return Sigma (N, M, M) and the largest ridge that any of them needed (0.0 for none)."""
    # Sigma(j) is the mean of (o - mu_j)(o - mu_j)' over the nodes in state j. If its least
    # eigenvalue is under 1e-6 of ``variance``, the data's mean variance, the ridge lifts it to that
    sigma = np.sum(sums, axis=0) / np.maximum(occupancy, 1)[:, None, None]
    return with_ridge(sigma, variance)


def scatters(
    vectors: Sequence[NDArray[Any]], states: Sequence[States], means: Matrix
) -> list[Matrix]:
    """Return for each lattice the sums of (o - mu_j)(o - mu_j)' by state, each (N, M, M)."""
    channels = means.shape[1]
    halves = [
        scatter_of(lattice.reshape(-1, channels), one.reshape(-1), means)
        for lattice, one in zip(vectors, states, strict=True)
    ]
    return [half + np.tril(half, -1).transpose(0, 2, 1) for half in halves]


def scatter_of(vectors: NDArray[Any], states: States, means: Matrix) -> Matrix:
    """Return the lower triangles of (o - mu_j)(o - mu_j)' summed by state, (N, M, M)."""
    # vectors (U, M), states (U,)
    vectors, states, means = frozen(vectors), frozen(states), frozen(means)

    def block(start: int, stop: int) -> Matrix:
        sums = np.zeros((*means.shape, means.shape[1]))
        kernels.counting.scatter(states, vectors, means, start, stop, sums)
        return sums

    return _over_blocks(states.size, block)


def colours_of(colours: NDArray[np.uint8], states: States, n_states: int) -> Counts:
    """Return the sums of red, green and blue of each state's nodes and their number, (N, 4)."""
    # colours (U, 3) and states (U,), uint8
    colours, states = frozen(colours), frozen(states)

    def task(start: int, stop: int) -> Counts:
        sums = np.zeros((n_states, 4), np.int64)
        kernels.counting.add_colours(states, colours, start, stop, sums)
        return sums

    return np.asarray(np.sum(threads.over_rows(states.size, task, 1.0), axis=0))


def _over_blocks(n: int, block: Callable[[int, int], Matrix]) -> Matrix:
    """Sum ``block(start, stop)`` over blocks of a fixed size, which does not depend on threads."""
    size = 1 << 16
    parts = threads.each(range(0, n, size), lambda start: block(start, min(n, start + size)))
    return np.asarray(np.sum(parts, axis=0))


def mean_variance(vectors: Sequence[NDArray[Any]]) -> float:
    """Return the mean of the channels' variances; 1.0 if all are 0."""
    flat = [lattice.reshape(-1, lattice.shape[-1]) for lattice in vectors]
    n = sum(len(lattice) for lattice in flat)
    mean = np.sum([_sum_of(lattice) for lattice in flat], axis=0) / n
    variance = float(np.sum([_squares_of(lattice, mean) for lattice in flat])) / (n * mean.size)
    return variance if variance > 0 else 1.0


def _sum_of(vectors: NDArray[Any]) -> Matrix:
    return _over_blocks(
        len(vectors), lambda start, stop: vectors[start:stop].sum(axis=0, dtype=np.float64)
    )


def _squares_of(vectors: NDArray[Any], mean: Matrix) -> Matrix:
    def block(start: int, stop: int) -> Matrix:
        part = vectors[start:stop] - mean
        return np.asarray(np.einsum("ij,ij->j", part, part))

    return _over_blocks(len(vectors), block)


def with_ridge(sigma: Matrix, variance: float) -> tuple[Matrix, float]:
    """Return covariances (N, M, M) with the ridge that they need, and the largest one."""
    floor = RELATIVE_RIDGE * variance
    ridges = np.maximum(floor - np.linalg.eigvalsh(sigma)[:, 0], 0.0)
    ridges[ridges <= 1e-12 * variance] = 0.0
    return sigma + ridges[:, None, None] * np.eye(sigma.shape[1]), float(ridges.max())
