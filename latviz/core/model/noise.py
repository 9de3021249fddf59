"""Indices that noise alone would reach, which tell what of them is the window's doing.

Windows of neighbouring nodes share most of their nodes, so neighbours agree in state whatever the
observations are: the associativity of a decoding of noise rises with w. Both indices are compared
with those of the same observations in another order, which has no structure.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import check_integer, check_progress, check_states, check_window
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.quantization import MergeTree
from latviz.core.model.indices import associativity, count, inertia
from latviz.core.model.learning import (
    adjacency,
    check_smoothing,
    codebook_of,
    learn_from_sample,
    smoothed_emissions,
)
from latviz.core.progress import Progress, stop_if_told
from latviz.core.types import Floats
from latviz.core.windows.decoding import decode_each

N_ORDERS = 4
"""Random orders that are tried: an index of noise exceeds all of them once in five times."""
MOST_NODES = 1 << 16
"""Nodes in the middle of a data set that are put into another order; more of them would change the
indices of noise by less than these differ between two orders."""


@dataclass(frozen=True, eq=False)
class NoiseIndices:
    """Both indices of fit in each of some random orders of the observations.

    Attributes
    ----------
    associativity, inertia : ndarray, shape (n_orders,), float64
        From 0 to 1; the associativity is NaN if no node has a neighbour.
    """

    associativity: Floats
    inertia: Floats


def noise_indices(
    observations: Any,
    *,
    n_states: int,
    window: int,
    kind: str = "discrete",
    n_symbols: int | None = None,
    scalar: bool = False,
    learning_window: int | None = None,
    smoothing: float = 0.0,
    n_orders: int = N_ORDERS,
    progress: Progress | None = None,
) -> NoiseIndices:
    """Return the indices of fit that observations reach when they are put into random orders.

    Each order is learned from, decoded and counted as the observations themselves would be, its
    codebook from a sample of 4,096 signatures. An index of the observations that is no higher says
    nothing of their structure. Of large data sets the middle 65,536 nodes are taken. The orders are
    always the same ones.

    Parameters
    ----------
    observations : ndarray, or a list or tuple of them, or DataSet
        One lattice or a data set, as `DiscreteModel.fit` or `GaussianModel.fit` takes it.
    n_states : int
        N, from 1 to 255.
    window : int
        Half-width w >= 0.
    kind : {"discrete", "gaussian"}, optional
        Which variant of the model.
    n_symbols : int, optional
        M; by default one more than the largest symbol.
    scalar : bool, optional
        Vectors are arrays (*shape) of M = 1.
    learning_window : int, optional
        Half-width w_l >= 0; by default w.
    smoothing : float, optional
        Pseudo-counts, >= 0.
    n_orders : int, optional
        How many orders, 1 to 1,000.
    progress : Progress, optional
        May cancel.

    Returns
    -------
    NoiseIndices

    Raises
    ------
    ParameterError
        If an argument is outside its range or a lattice is not of the kind.
    Cancelled
        If ``progress`` says so.
    """
    data = as_data_set(observations, kind, n_symbols, scalar)
    w = check_window(window)
    w_l = w if learning_window is None else check_window(learning_window, "learning_window")
    n, s, watch = check_states(n_states), check_smoothing(smoothing), check_progress(progress)
    orders = shuffled(data, check_integer("n_orders", n_orders, 1, 1000))
    return indices_of(orders, trees_of(orders, w_l, watch), n, (w, w_l), s, watch)


def shuffled(data: DataSet, n_orders: int = N_ORDERS) -> tuple[DataSet, ...]:
    """Return the middle of a data set, its observations in random orders over all lattices."""
    some = data.middle(MOST_NODES)
    rng = np.random.default_rng(0)
    return tuple(_reordered(some, rng.permutation(some.n_nodes)) for _ in range(n_orders))


def trees_of(
    orders: Sequence[DataSet], learning_window: int, progress: Progress | None = None
) -> tuple[MergeTree, ...]:
    """Return the merge tree of a sample of each order's signatures, with w_l."""
    found = []
    for data in orders:
        stop_if_told(progress)
        found.append(learn_from_sample(data, learning_window))
    return tuple(found)


def indices_of(
    orders: Sequence[DataSet],
    trees: Sequence[MergeTree],
    n_states: int,
    windows: tuple[int, int],
    smoothing: float = 0.0,
    progress: Progress | None = None,
) -> NoiseIndices:
    """Return the indices of orders, with the codebooks of their trees; ``windows`` are w, w_l."""
    found = [
        _indices(data, codebook_of(tree, n_states), windows, smoothing, progress)
        for data, tree in zip(orders, trees, strict=True)
    ]
    return NoiseIndices(*np.array(found).T)


def _indices(
    data: DataSet,
    codebook: Floats,
    windows: tuple[int, int],
    smoothing: float,
    progress: Progress | None,
) -> tuple[float, float]:
    (window, learning_window), n_states = windows, len(codebook)
    states = decode_each(data, codebook, learning_window, progress)
    pairs, occupancy = count(states, n_states)
    if data.kind == "discrete" and smoothing > 0:
        codebook = smoothed_emissions(codebook, occupancy, smoothing)
        learning_window = -1  # what was decoded for learning is not what is shown
    if window != learning_window:
        states = decode_each(data, codebook, window, progress)
    A = adjacency(pairs, occupancy, data.dimensions, smoothing)
    return associativity(A), inertia(states, n_states, window)


def _reordered(data: DataSet, order: NDArray[np.int64]) -> DataSet:
    """Return a data set whose k-th node has the observation of node ``order[k]``."""
    channels = data.values[0].shape[data.dimensions :]
    rows = np.concatenate([values.reshape(-1, *channels) for values in data.values])[order]
    ends = np.cumsum([math.prod(shape) for shape in data.shapes])
    parts = zip(np.split(rows, ends[:-1]), data.shapes, strict=True)
    lattices = [part.reshape(*shape, *channels) for part, shape in parts]
    return as_data_set(lattices, data.kind, data.n_symbols)
