"""Known states: their own indices, and the errors of the decoded ones."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import UNKNOWN
from latviz.core.types import Matrix, States

NO_SLOT = 255
"""The slot of nodes whose state is not known."""


@dataclass(frozen=True, eq=False)
class TruthIndices:
    """A and the indices of the known states themselves."""

    A: Annotated[Matrix, "(T, T)"]  # without smoothing
    associativity: float  # of that A; NaN if no node has a neighbour
    inertia: float  # with the window w of the decoding
    residual_correlation: float  # NaN if all residuals are 0
    law_distance: float  # NaN of symbols


@dataclass(frozen=True, eq=False)
class Truth:
    """Known states, compared with decoded ones."""

    states: States  # (*shape), 0 to T - 1; 255, never wrong, where unknown
    slots: tuple[int, ...]  # of the decoded states that they are matched with
    indices: TruthIndices
    accuracy: float  # share of nodes in matched states
    rand: float  # adjusted Rand index
    wrong: NDArray[np.bool_]  # (*shape): not in matched states

    @property
    def drawn(self) -> tuple[States, tuple[int, ...]]:
        """The known states and their colours, with one more for nodes that are not known."""
        if not (self.states == UNKNOWN).any():
            return self.states, self.slots
        filled = np.where(self.states == UNKNOWN, np.uint8(len(self.slots)), self.states)
        return filled, (*self.slots, NO_SLOT)

    def known_of(self, slot: int) -> int | None:
        """Return the known state of a colour; None without one."""
        return self.slots.index(slot) if slot in self.slots else None
