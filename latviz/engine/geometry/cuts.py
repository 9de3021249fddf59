"""The codebooks that a merge tree is cut into, one for every N."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import Floats, Matrix


@dataclass(frozen=True, eq=False)
class Cuts:
    """The codebook of every N up to a largest one, and how their rows are related.

    Attributes
    ----------
    codebooks : tuple of ndarray, shape (N, M), float64
        In the tree's own order, that of N = 1 first; rows beyond the tree's largest codebook repeat
        the first, and no node takes them.
    joins : ndarray, shape (n,), int64
        Which row takes row k in on the way from k + 1 codewords to k; -1 for row 0.
    costs : ndarray, shape (n,), float64
        By how much that raises the squared error; NaN for row 0.
    weights : tuple of ndarray, shape (N,), float64
        How many signatures are behind each row of the n codebooks that differ.
    """

    codebooks: tuple[Matrix, ...]
    joins: NDArray[np.int64]
    costs: Floats
    weights: tuple[Floats, ...]

    def branch(self, row: int, n: int) -> int:
        """Return the row of ``codebooks[n - 1]`` that a row of a larger codebook is part of."""
        while row >= n:
            row = int(self.joins[row]) if row < len(self.joins) else 0
        return row
