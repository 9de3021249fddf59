"""The paths of the codewords through the signature space as w_l grows."""

from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.data.data_set import DataSet
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.quantization import fast_pnn
from latviz.core.model import learning
from latviz.core.progress import Cancelled, Progress
from latviz.core.types import Matrix, Nodes, Signature
from latviz.core.windows.parts import signatures_of
from latviz.core.windows.stratified import SAMPLE_EXACT
from latviz.engine.geometry.signature_space import Paths
from latviz.engine.geometry.slots import matched_slots, nearest

SWEEP = tuple(range(21))
"""The half-widths w_l that paths are learned with."""


class PathSweep:
    """Learns from the signatures of a sample at one window after another, and remembers each.

    ``nodes`` are those of the sample, for each lattice of the data set.
    """

    def __init__(self, data: DataSet, nodes: Sequence[Nodes]) -> None:
        self._data, self._nodes = data, nodes
        self._has_all = sum(len(axes[0]) for axes in nodes) == data.n_known
        self._learned: dict[int, tuple[MergeTree, Signature]] = {}

    @property
    def complete(self) -> bool:
        """True if all windows were learned from."""
        return len(self._learned) == len(SWEEP)

    def paths(self, n_states: int, progress: Progress) -> Matrix:
        """Return the codewords at each window, (len(SWEEP), N, M), matched with the next."""
        # Codebooks learned before `Cancelled` are cached
        found: list[Matrix] = []
        before: NDArray[np.int64] | None = None
        for window in SWEEP:
            tree, signatures = self._at(window, progress)
            codebook = learning.codebook_of(tree, n_states)
            states = nearest(signatures, codebook)
            if before is not None:
                slots = np.array(matched_slots(before, tuple(range(n_states)), states, n_states))
                codebook, states = codebook[np.argsort(slots)], slots[states]
            found.append(codebook)
            before = states
        return np.stack(found)

    def _at(self, window: int, progress: Progress) -> tuple[MergeTree, Signature]:
        if window not in self._learned:
            if progress.cancelled():
                raise Cancelled
            signatures = signatures_of(self._data, window, self._nodes)
            self._learned[window] = self._tree(window, signatures, progress), signatures
        return self._learned[window]

    def _tree(self, window: int, signatures: Signature, progress: Progress) -> MergeTree:
        """Learn as the stages do: few nodes all at once, others from the sample."""
        if self._has_all:
            data = self._data
            return learning.learn_tree(data.lattices, data.n_symbols, window, progress)
        return fast_pnn(signatures, n_exact=SAMPLE_EXACT, progress=progress)


def named(codewords: Matrix, codebook: Matrix, window: int) -> Paths:
    """Return paths in the order of the states of a codebook that was learned with ``window``.

    Together, the states are as near as can be to the paths at that window, or at the nearest.
    """
    there = codewords[min(window, SWEEP[-1])]
    distances = ((codebook[:, None] - there) ** 2).sum(axis=2)
    return Paths(SWEEP, codewords[:, scipy.optimize.linear_sum_assignment(distances)[1]])
