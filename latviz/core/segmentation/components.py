"""Connected components of a map of states, and their borders."""

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import kernels
from latviz.core.checks import check_memory
from latviz.core.data.lattice import frozen
from latviz.core.types import Counts, Floats, States
from latviz.core.values import Value

Labels = NDArray[np.int32]
"""The number of each node's region, (*shape), from 0 to R - 1; -1 where a node is unknown."""


@dataclass(frozen=True, eq=False)
class Borders(Value):
    """The neighbouring regions, and the lengths of their borders."""

    # two regions with a border, the lesser first, in lexicographic order
    pairs: Annotated[Counts, "(E, 2)"]
    lengths: Annotated[Counts, "(E,)"]  # pairs of neighbouring nodes across it
    # those of all borders of a region, and sides of nodes at the lattice's edge
    perimeters: Annotated[Counts, "(R,)"]
    # the sums of heights on both sides, halved, if heights are given
    heights: Annotated[Floats | None, "(E,)"]


def components(states: States, dimensions: int) -> Labels:
    """Return the connected components (*shape) int32 of a map of states, by their first nodes."""
    # Nodes are neighbours along the last ``dimensions`` axes. `ParameterError` if memory is short
    check_memory("finding components", 5 * states.size)
    labels = np.empty(states.shape, np.int32)
    if states.size:
        rows, inner = (-1, states.shape[-1]), states.shape[-dimensions:-1]
        strides = [math.prod(inner[k + 1 :]) for k in range(len(inner))]
        steps = np.array(inner, np.int64), np.array(strides, np.int64)
        kernels.labelling.label(frozen(states.reshape(rows)), *steps, labels.reshape(rows))
    return labels


def borders(
    labels: Labels, n: int, dimensions: int, heights: NDArray[np.float32] | None = None
) -> Borders:
    """Return the borders of regions 0 to n - 1, along the last ``dimensions`` axes."""
    # Sides next to unknown nodes are like those at the lattice's edge
    less, more = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    high = [np.empty(0)]
    edge = np.zeros(n + 1, np.int64)  # the last is of unknown nodes
    for axis in range(labels.ndim - dimensions, labels.ndim):
        before = (slice(None),) * axis
        nearer, further = (*before, slice(-1)), (*before, slice(1, None))
        across = labels[nearer] != labels[further]
        ends = labels[nearer][across], labels[further][across]
        if (is_edge := np.minimum(*ends) < 0).any():
            edge += np.bincount(np.maximum(*ends)[is_edge], minlength=n + 1)
            across[across] = ~is_edge
            ends = labels[nearer][across], labels[further][across]
        less.append(np.minimum(*ends))
        more.append(np.maximum(*ends))
        if heights is not None:
            high.append((heights[nearer][across] + heights[further][across]) / 2.0)
        for at in (0, -1):
            own = labels[(*before, at)].reshape(-1)
            edge += np.bincount(np.where(own < 0, n, own), minlength=n + 1)
    both = np.concatenate(less), np.concatenate(more)
    pairs, lengths = counted(*both, (n, n))
    sums = None if heights is None else counted(*both, (n, n), np.concatenate(high))[1]
    inner = np.bincount(pairs.reshape(-1), np.repeat(lengths, 2), minlength=n)
    return Borders(pairs, lengths, edge[:n] + inner.astype(np.int64), sums)


def counted(
    ones: NDArray[np.integer[Any]],
    others: NDArray[np.integer[Any]],
    shape: tuple[int, int],
    weights: Counts | Floats | None = None,
) -> tuple[Counts, Any]:
    """Return the different pairs (E, 2), in lexicographic order, and their numbers (E,)."""
    # ones and others (k,) are below ``shape``; weights (k,) are their counts, or what is summed
    values = np.ones(len(ones), np.int64) if weights is None else weights
    table = scipy.sparse.coo_array((values, (ones, others)), shape=shape).tocsr()
    table.sum_duplicates()
    rows = np.repeat(np.arange(shape[0]), np.diff(table.indptr))
    return np.column_stack([rows, table.indices]).astype(np.int64), table.data
