"""The codebooks of a merge tree, one for every N."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import Floats, Matrix


@dataclass(frozen=True, eq=False)
class Cuts:
    """The codebook of every N up to a largest one, and the relation of their rows."""

    # (N, M) each, N = 1 first, in the tree's own order. Rows beyond the tree's largest codebook
    # repeat the first, and get no nodes
    codebooks: tuple[Matrix, ...]
    # the row that takes row k in from k + 1 to k codewords; -1 for row 0
    joins: Annotated[NDArray[np.int64], "(n,)"]
    costs: Annotated[Floats, "(n,)"]  # the rise in squared error by that; NaN for row 0
    # (N,) each: signatures behind each row of the n codebooks that differ
    weights: tuple[Floats, ...]

    def branch(self, row: int, n: int) -> int:
        """Return the row of ``codebooks[n - 1]`` that a row of a larger codebook is part of."""
        while row >= n:
            row = int(self.joins[row]) if row < len(self.joins) else 0
        return row
