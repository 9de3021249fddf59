"""The law of observations in each state: bins, which have any, or normal densities of vectors."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.data_set import DataSet
from latviz.core.inference.binning import has_bins, quantile_edges
from latviz.core.inference.copula import CopulaDensities
from latviz.core.inference.emission import (
    BinnedDensities,
    Densities,
    NormalDensities,
    SymbolDensities,
    certain,
    emission_of,
    of_states,
)
from latviz.core.types import Arrays, Matrix


def free_emission_of(data: DataSet, states: Arrays, n_states: int) -> Densities:
    """Return `emission_of`, but of single numbers the shares of bins, which fit any law."""
    if not has_bins(data):
        return emission_of(data, states, n_states)
    edges = quantile_edges(data)
    n_bins = len(edges) - 1
    table = SymbolDensities(np.full((n_states, n_bins), 1 / n_bins))
    return of_states(BinnedDensities(edges, table), data, states)


def any_law_of(data: DataSet, states: Arrays, n_states: int) -> Densities:
    """Return `free_emission_of`, but of vectors the shares of bins, too."""
    if data.kind == "discrete" or has_bins(data):
        return free_emission_of(data, states, n_states)
    edges = _edges(data)
    n_channels, n_bins = len(edges), edges.shape[1] - 1
    shares = np.full((n_states, n_channels, n_bins), 1 / n_bins)
    alone = np.tile(np.eye(n_channels), (n_states, 1, 1))
    return of_states(CopulaDensities(edges, shares, alone), data, states)


def shortest_law_of(data: DataSet, states: Arrays, n_states: int) -> Densities:
    """Return `any_law_of`, or normal densities if these code vectors shorter."""
    return of_shortest_law(any_law_of(data, states, n_states), certain(states, n_states), data)


def _edges(data: DataSet) -> Matrix:
    """Return the edges (M, K + 1) of the bins of each channel."""
    # A channel with fewer bins than another gets empty ones above its greatest number
    rows = [quantile_edges(data, c) for c in range(data.n_symbols)]
    most = max(map(len, rows))
    steps = [np.arange(1, most + 1 - len(row)) * np.ptp(row) for row in rows]
    return np.stack([np.append(row, row[-1] + more) for row, more in zip(rows, steps, strict=True)])


def of_shortest_law(
    emission: Densities, beliefs: Sequence[NDArray[np.float32]], data: DataSet
) -> Densities:
    """Return an emission; instead of bins normal densities, if these code vectors shorter."""
    # Bins must save more than their shares cost, 1/2 log U nats each, beyond a mean and a variance
    # for each channel
    if not isinstance(emission, CopulaDensities):
        return emission
    free = emission.renewed(beliefs, data)
    n_states, n_channels, n_bins = free.shares.shape
    blank = np.zeros((n_states, n_channels)), np.tile(np.eye(n_channels), (n_states, 1, 1))
    normal = NormalDensities(*blank).renewed(beliefs, data)
    masses = sum(one.reshape(-1, n_states).sum(axis=0, dtype=np.float64) for one in beliefs)
    saved = float(np.dot(masses, free.nats_beyond(normal)))
    cost = n_states * n_channels * (n_bins - 3) / 2 * np.log(data.n_known)
    return free if saved > cost else normal
