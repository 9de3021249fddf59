"""Real observations as integers, so that window sums are exact and independent of their order."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.errors import ParameterError
from latviz.core.lattice import first_bad

_BITS = 25


@dataclass(frozen=True, eq=False)
class FixedPoint:
    """A lattice of vectors, ``offsets + scales * values``.

    ``values`` (*shape, M) int32; ``offsets``, ``scales`` (M,) float64. Each channel's scale is a
    power of two, at most 2^-25 of half the channel's range.
    """

    values: NDArray[np.int32]
    offsets: NDArray[np.float64]
    scales: NDArray[np.float64]


def to_fixed_point(vectors: NDArray[Any]) -> FixedPoint:
    """Round a lattice of vectors (*shape, M) to 26 bits of each channel's range.

    An outlier thus costs precision: details below 1e-8 of a channel's range are lost.

    Raises
    ------
    ParameterError
        If a value is not finite.
    """
    channels = np.asarray(vectors, dtype=np.float64).reshape(-1, vectors.shape[-1])
    low, high = channels.min(axis=0), channels.max(axis=0)
    if not (np.isfinite(low) & np.isfinite(high)).all():
        finite = np.isfinite(channels)
        bad, count = first_bad(finite, channels), np.count_nonzero(~finite)
        raise ParameterError(f"vectors must be finite, got {bad} ({count} values are not finite)")
    offsets = low / 2 + high / 2
    half = np.maximum(high - offsets, np.finfo(np.float64).tiny)
    scales = np.exp2(np.maximum(np.ceil(np.log2(half)) - _BITS, -1000.0))
    values = np.rint((channels - offsets) / scales).astype(np.int32)
    return FixedPoint(values.reshape(vectors.shape), offsets, scales)
