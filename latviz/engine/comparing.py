"""Decoding B beside decoding A, which is kept."""

import numpy as np
from numpy.typing import NDArray

from latviz.core.truth.agreement import adjusted_rand, contingency, disagreement, matched_accuracy
from latviz.engine.frame import Agreement, Frame


def agreement_of(
    kept: Frame | None, states: NDArray[np.uint8], difference: bool
) -> Agreement | None:
    """Return how far states agree with a frame's, and where if that is asked for.

    None without a frame, or if shapes differ.
    """
    if kept is None or kept.states.shape != states.shape:
        return None
    table = contingency(kept.states, states)
    mask = disagreement(kept.states, states, table) if difference else None
    return Agreement(table, matched_accuracy(table), adjusted_rand(table), mask)
