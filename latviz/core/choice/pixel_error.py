"""The pixel error: bits of each node's own values, given all other nodes.

Code lengths of an encoding cannot be compared with those of another one, nor those of windows with
those of levelled numbers: each is in its own unit. The pixel error has one set of bins for every
setting. It predicts a node's values from its state as all *other* nodes give it: the state of its
window without its middle, or its belief without its own evidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.choice.code_length import CodeLength, block_sums
from latviz.core.progress import stop_if_unwanted
from latviz.core.types import Floats, Matrix, Shape
from latviz.core.values import Value

N_BINS = 24
"""Bins of a channel. As many as `choose` cuts numbers into; two at each end are open."""
ENDS = 2.0, 98.0
"""Percentiles between which all bins but four lie, so that far outliers do not stretch them."""
_TOGETHER = 1 << 14
"""Nodes that are predicted at a time."""


@dataclass(frozen=True, eq=False)
class Bins(Value):
    """The bins of each channel of some values: of equal width, around the median."""

    widths: Annotated[Floats, "(C,)"]  # > 0

    @classmethod
    def of(cls, values: NDArray[Any]) -> "Bins":
        """Return those of values (*shape, C)."""
        flat = np.asarray(values, dtype=np.float64).reshape(-1, values.shape[-1])
        low, high = np.percentile(flat, ENDS, axis=0)
        return cls(np.maximum((high - low) / (N_BINS - 4), 1e-9))

    def binned(self, values: NDArray[Any]) -> NDArray[np.intp]:
        """Return the bin of each value (*shape, C), from 0 to 23, shape (n, C)."""
        flat = np.asarray(values, dtype=np.float64).reshape(-1, self.widths.size)
        places = np.floor((flat - np.median(flat, axis=0)) / self.widths)
        bins: NDArray[np.intp] = np.clip(places + N_BINS // 2, 0, N_BINS - 1).astype(np.intp)
        return bins


def pixel_error(
    bins: NDArray[np.intp],
    n_bins: int,
    without: Matrix,
    within: Matrix,
    shapes: Sequence[Shape],
    known: NDArray[np.bool_] | None = None,
) -> CodeLength:
    """Return the bits of the bins of each node, given all others, summed over its channels."""
    # bins (n, C): of the nodes of all lattices, from 0 to n_bins - 1; without (n, N): each node's
    # distribution over states, from all other nodes; within (n, N): its share in the counts of each
    # state. It is taken from them where the node itself is predicted, so that further states do not
    # shorten the code by themselves; so parameters have no cost. shapes: in the order of the nodes.
    # Half a count in every bin (Krichevsky and Trofimov, 1981). known (U,): of the shapes' nodes;
    # None if all are
    n_nodes, n_states = without.shape
    bits = np.zeros(n_nodes)
    for own in np.ascontiguousarray(bins.T):
        each = [np.bincount(own, weights, n_bins) for weights in within.T]
        counts = np.stack(each).reshape(n_states, n_bins)
        totals = counts.sum(axis=1)
        for start in range(0, n_nodes, _TOGETHER):
            stop_if_unwanted()
            part = slice(start, start + _TOGETHER)
            shares = within[part]
            found = counts[:, own[part]].T - shares + 0.5
            found /= totals - shares + n_bins / 2
            bits[part] -= np.log2((without[part] * found).sum(axis=1))
    if known is not None:
        every = np.full(known.size, np.nan)
        every[known] = bits
        bits = every
    sizes = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
    parts = [
        block_sums(bits[start:stop].reshape(shape))
        for start, stop, shape in zip(sizes[:-1], sizes[1:], shapes, strict=True)
    ]
    blocks, n_of_blocks = zip(*parts, strict=True)
    return CodeLength.of(np.concatenate(blocks), np.concatenate(n_of_blocks), 0)
