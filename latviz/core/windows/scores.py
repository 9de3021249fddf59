"""Scores that order states as the distances of their codewords do, in whole numbers."""

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.fixed_point import FixedPoint
from latviz.core.data.lattice import most_nodes
from latviz.core.types import Floats, Matrix, Shape
from latviz.core.values import Value
from latviz.core.windows.window_sums import Source, nodes_across

BITS = 20
"""Least bits after the point of a score, so that means of two are within 1e-6."""
MOST_BITS = 40
"""Useful bits after the point, because codebooks have 53 bits."""
_SMALL, _NARROW, _COLUMNS, _TOTALS = 28, 31, 30, 48
"""Bits of totals of 32 bits, with a state below them and without, of column sums, and of totals of
float64."""


@dataclass(frozen=True, eq=False)
class Scores(Value):
    """Each symbol's score for each state; window sums are n_t ||B_j||^2 - 2 sum B_j[o_s]."""

    # From each symbol's scores their middle is subtracted: that changes no order, and halves them

    # fixed point, wide enough for sums over all axes of the window but the last
    table: Annotated[NDArray[np.int32] | NDArray[np.int64], "(M, N)"]
    # the fastest type in which sums over all axes but the last are exact
    sums: type[np.number[Any]]
    totals: type[np.number[Any]]  # of sums over all axes, likewise
    # of these with a state below the last bit: np.int32 for totals below 2^28
    keys: type[np.number[Any]]

    def source(self, symbols: NDArray[Any], factor: int = 1) -> Source:
        """Return the source that sums the scores of symbols, or a multiple."""
        dtype = self.table.dtype.type
        table = (factor * self.table).astype(dtype)
        return Source(symbols, symbols.shape, table.shape[1], dtype, table)


def scores(shape: Shape, codebook: Matrix, sides: Shape, *, is_masked: bool = False) -> Scores:
    """Return the scores of symbols on a lattice for a codebook (N, M)."""
    # Unknown nodes of a masked lattice are one more symbol, whose scores are 0: then sums are those
    # of known nodes alone
    # At least 20 bits after the point, so that of two states whose mean squared distances differ by
    # 1e-6 or more the nearer one has the lesser total; for windows of up to 2^27 nodes. For
    # codebooks on the simplex it depends only on the window
    table = ((codebook**2).sum(axis=1)[:, None] - 2 * codebook).T
    if is_masked:
        table = np.concatenate([table, np.zeros((1, len(codebook)))])
    middle = (table.max(axis=1) + table.min(axis=1)) / 2
    # On the simplex scores are from -1 to 1, and rounding may put them beyond by a hair.
    most = max(1.0, float(np.abs(table - middle[:, None]).max()) - 1e-6)
    across, nodes = nodes_across(shape, sides), most_nodes(sides, shape)
    columns, whole = _bits(across * most), _bits(nodes * most)
    if (small := _SMALL - whole) >= BITS:
        return Scores(_rounded(table, small, np.int32), np.int32, np.int32, np.int32)
    if (narrow := min(_COLUMNS - columns, _NARROW - whole)) >= BITS:
        return Scores(_rounded(table, narrow, np.int32), np.int32, np.int32, np.float64)
    if (middling := min(_COLUMNS - columns, _TOTALS - whole)) >= BITS:
        return Scores(_rounded(table, middling, np.int32), np.int32, np.float64, np.float64)
    large = min(MOST_BITS, _TOTALS - whole)
    return Scores(_rounded(table, large, np.int64), np.float64, np.float64, np.float64)


def linear_scores(vectors: FixedPoint, means: Matrix) -> tuple[Floats, Matrix]:
    """Return the terms of a node (N,) and of a unit of each channel (N, C) in the scores."""
    # For any c, n_t (mu_j - c) . (mu_j + c) - 2 (mu_j - c) . (the window's sum) orders states as
    # their distances do. With c in the middle of the means (N, C), channels in which these are
    # equal add nothing, even if they are large. In float64 the error is about 1e-15 of the square
    # of the means' range
    centred = means - vectors.offsets
    middle = (centred.max(axis=0) + centred.min(axis=0)) / 2
    apart = centred - middle
    norms = (apart * (centred + middle)).sum(axis=1)
    return norms, np.ascontiguousarray(-2 * apart * vectors.scales)


def summed_scores(vectors: FixedPoint, means: Matrix) -> tuple[Floats, Matrix]:
    """Return `linear_scores` for the sums of a lattice's own channels."""
    # A masked one has the number of known nodes as its last channel: norms are those of its units
    norms, slopes = linear_scores(vectors, means)
    if vectors.known is None:
        return norms, slopes
    return np.zeros_like(norms), np.concatenate([slopes, norms[:, None]], axis=1)


def _bits(number: float) -> int:
    return math.ceil(number).bit_length()


def _rounded(table: Matrix, bits: int, dtype: type[np.signedinteger[Any]]) -> NDArray[Any]:
    fixed = np.rint(np.ldexp(table, bits)).astype(np.int64)
    middle = (fixed.max(axis=1) + fixed.min(axis=1)) // 2
    return np.asarray(fixed - middle[:, None], dtype=dtype)
