"""Bins of single numbers: symbols that stand for them where the law of their noise is unknown.

Normal states would multiply to describe another law. Bins have no shape that can be wrong, and are
the same for any monotone change of the numbers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.types import Floats

QUANTILES = 24
"""Bins of equal shares: enough to separate states, few to be counted."""


def has_bins(data: DataSet) -> bool:
    """Return True if observations are single numbers."""
    return data.kind == "gaussian" and data.n_symbols == 1


def quantile_edges(data: DataSet) -> Floats:
    """Return the edges (K + 1,) of at most `QUANTILES` bins with equal shares of all numbers."""
    # Fewer if a number is so common that it fills several. If that is the least one, it has a bin
    # of its own, with some width
    together = np.concatenate([values.reshape(-1) for values in data.values])
    parts = np.arange(1, QUANTILES) / QUANTILES
    inner = np.unique(np.quantile(together, parts, method="inverted_cdf"))
    low, high = float(together.min()), float(together.max())
    inner = inner[inner < high]
    if inner.size == 0 or inner[0] == low:
        least = float(np.finfo(np.float32).eps) * max(abs(low), 1.0)
        low -= max((high - low) / QUANTILES, least)
    return np.concatenate([[low], inner, [high]])


def bins_of(values: NDArray[Any], edges: Floats) -> NDArray[np.uint8]:
    """Return the bin of each number (..., 1); a number on an edge is in the lower bin."""
    return np.searchsorted(edges[1:-1], values[..., 0]).astype(np.uint8)


def in_bins(data: DataSet) -> DataSet:
    """Return the symbols of a data set of numbers; other data unchanged."""
    if not has_bins(data):
        return data
    edges = quantile_edges(data)
    lattices = [bins_of(values, edges) for values in data.values]
    return as_data_set(lattices, "discrete", len(edges) - 1)


def width_bits(data: DataSet) -> float:
    """Return the mean of log2 of the widths of the bins that hold the numbers of a data set."""
    edges = quantile_edges(data)
    together = np.concatenate([bins_of(values, edges).reshape(-1) for values in data.values])
    return float(np.log2(np.diff(edges))[together].mean())
