"""Symbols that stand for numbers and vectors where the law of their noise is unknown.

Normal states would multiply to describe another law. Bins of numbers, and cells of vectors, have no
shape that can be wrong, and are the same for any monotone change of the numbers.
"""

from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.masks import scattered
from latviz.core.data.quantization import fast_pnn
from latviz.core.progress import stop_if_unwanted
from latviz.core.types import Floats

QUANTILES = 24
"""Bins of equal shares, or cells: enough to separate states, few to be counted."""
SAMPLE = 1 << 13
"""Vectors that cells are learned from, and that are looked up at a time."""


def has_bins(data: DataSet) -> bool:
    """Return True if observations are single numbers."""
    return data.kind == "gaussian" and data.n_symbols == 1


def quantile_edges(data: DataSet, channel: int = 0) -> Floats:
    """Return the edges (K + 1,) of at most `QUANTILES` bins with equal shares of a channel."""
    # Fewer if a number is so common that it fills several. If that is the least one, it has a bin
    # of its own, with some width
    together = np.concatenate([rows[:, channel] for rows in data.rows])
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
    return as_data_set(lattices, kind="discrete", n_symbols=len(edges) - 1).under(data.masks)


def in_symbols(data: DataSet) -> DataSet:
    """Return the bins of numbers, the cells of vectors, or symbols unchanged."""
    return data if data.kind == "discrete" else in_bins(data) if has_bins(data) else _in_cells(data)


def _in_cells(data: DataSet) -> DataSet:
    """Return the nearest codeword of each vector, by the ranks of its channels."""
    rows = np.concatenate(data.rows)
    ranks = np.stack([_ranks(channel) for channel in rows.T], axis=1)
    stop_if_unwanted()
    tree = fast_pnn(ranks[:: max(1, len(ranks) // SAMPLE)])
    book = tree.codebook(min(QUANTILES, tree.n_max))
    near, starts = scipy.spatial.KDTree(book), range(0, len(ranks), SAMPLE)
    found = threads.each(starts, lambda k: near.query(ranks[k : k + SAMPLE])[1].astype(np.uint8))
    cells = np.concatenate(found)
    lattices = scattered(cells, data.shapes, data.masks)
    return as_data_set(lattices, kind="discrete", n_symbols=len(book)).under(data.masks)


def _ranks(numbers: NDArray[Any]) -> Floats:
    """Return the ranks of numbers, from 0 to 1; of equal ones their mean."""
    stop_if_unwanted()
    ordered = np.sort(numbers)
    both = (np.searchsorted(ordered, numbers, side) for side in ("left", "right"))
    return np.asarray(sum(both) / (2 * numbers.size))


def width_bits(data: DataSet) -> float:
    """Return the mean of log2 of the widths of the bins that hold the numbers of a data set."""
    edges = quantile_edges(data)
    together = np.concatenate([bins_of(rows, edges) for rows in data.rows])
    return float(np.log2(np.diff(edges))[together].mean())
