"""Known states: what they would score themselves, and how far the decoded ones are from them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import UNKNOWN
from latviz.core.types import Matrix, States

NO_SLOT = 255
"""The slot of nodes whose state is not known."""


@dataclass(frozen=True, eq=False)
class TruthIndices:
    """A and the indices of the known states themselves.

    Attributes
    ----------
    A : ndarray, shape (T, T), float64
        The adjacency potential of the T known states, without smoothing.
    associativity : float
        Of that A; NaN if no node has a neighbour.
    inertia : float
        With the window w of the decoding.
    residual_correlation : float
        What they leave unexplained; NaN if nothing is left, or a node's state is not known.
    """

    A: Matrix
    associativity: float
    inertia: float
    residual_correlation: float


@dataclass(frozen=True, eq=False)
class Truth:
    """Known states beside decoded ones.

    Attributes
    ----------
    states : ndarray, shape (*shape), uint8
        The known states, 0 to T - 1; 255 where a node's is not known, which is never wrong.
    slots : tuple of int
        The colour of each: that of the decoded state with which it is matched.
    indices : TruthIndices
    accuracy : float
        The share of nodes in matched states, from 0 to 1.
    rand : float
        The adjusted Rand index.
    wrong : ndarray of bool, shape (*shape)
        Where states are not matched.
    """

    states: States
    slots: tuple[int, ...]
    indices: TruthIndices
    accuracy: float
    rand: float
    wrong: NDArray[np.bool_]

    @property
    def drawn(self) -> tuple[States, tuple[int, ...]]:
        """The known states and their colours, with one more for nodes that are not known."""
        if not (self.states == UNKNOWN).any():
            return self.states, self.slots
        filled = np.where(self.states == UNKNOWN, np.uint8(len(self.slots)), self.states)
        return filled, (*self.slots, NO_SLOT)

    def known_of(self, slot: int) -> int | None:
        """Return the known state of a colour; None if there is none."""
        return self.slots.index(slot) if slot in self.slots else None
