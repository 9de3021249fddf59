"""Real observations as integers, so that window sums are exact and independent of their order."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import check_spread, first_bad
from latviz.core.data.lattice import frozen, sides_of
from latviz.core.data.masks import replaced
from latviz.core.errors import ParameterError
from latviz.core.types import Region, Shape, Spacing
from latviz.core.values import Value

_BITS = 25
_LONG = 512
_FAR = 64.0
"""Times its range that a channel of float32 may be away from 0: 18 bits of the range are left."""
_SMALL, _LARGE = 1e-30, 1e38


@dataclass(frozen=True, eq=False)
class FixedPoint(Value):
    """A lattice of vectors, ``offsets + scales * values``."""

    # int32, or uint8 of bytes with offsets 0 and scales 1
    values: Annotated[NDArray[np.int32] | NDArray[np.uint8], "(*shape, M)"]
    offsets: Annotated[NDArray[np.float64], "(M,)"]
    # powers of two, 2^-25 to 2^-24 of half the channel's range
    scales: Annotated[NDArray[np.float64], "(M,)"]
    low: Annotated[NDArray[np.float64], "(M,)"]  # bounds of each channel
    high: Annotated[NDArray[np.float64], "(M,)"]
    # (*shape) True where a node is known, or None if all are. Otherwise values have one more
    # channel, 1 at known nodes, and are all 0 at unknown ones: window sums then hold known vectors
    # alone, and their number
    known: NDArray[np.bool_] | None = None
    spacing: Spacing = None

    def signature_dtype(self, origin: NDArray[np.float64] | None = None) -> type[np.floating[Any]]:
        """Return float32, or float64 if a channel minus its origin (M,) is too far from 0."""
        # Or is too large or too small: averages must stay distinct
        low, high = (
            (self.low, self.high) if origin is None else (self.low - origin, self.high - origin)
        )
        largest, spread = np.maximum(np.abs(low), np.abs(high)), high - low
        resolved = (largest <= _FAR * spread) | (spread == 0)
        held = (largest == 0) | ((largest > _SMALL) & (largest < _LARGE))
        return np.float32 if (resolved & held).all() else np.float64


@dataclass(frozen=True, eq=False)
class SymbolLattice(Value):
    """A lattice of symbols of which some nodes are unknown, or axes have nodes further apart."""

    values: NDArray[Any]  # (*shape), 0..M-1, uint8 or uint16; M where a node is unknown
    known: NDArray[np.bool_] | None = None  # (*shape), as of `FixedPoint`
    spacing: Spacing = None


Lattice = NDArray[Any] | FixedPoint | SymbolLattice
"""Lattice as windows are summed over it: symbols (*shape), or vectors."""


def spacing_of(lattice: Lattice) -> Spacing:
    """Return the distances of a lattice's nodes along each axis, None if all are equal."""
    return None if isinstance(lattice, np.ndarray) else lattice.spacing


def sides_in(lattice: Lattice, window: int) -> Shape:
    """Return the half-widths of a lattice's windows along each axis, see `sides_of`."""
    return sides_of(window, shape_of(lattice), spacing_of(lattice))


def spaced(lattice: Lattice, spacing: Spacing) -> Lattice:
    """Return a lattice whose nodes have other distances along its axes."""
    if isinstance(lattice, np.ndarray):
        return lattice if spacing is None else SymbolLattice(lattice, spacing=spacing)
    return replace(lattice, spacing=spacing)


def known_of(lattice: Lattice) -> NDArray[np.bool_] | None:
    """Return which nodes of a lattice are known, (*shape), or None if all are."""
    return None if isinstance(lattice, np.ndarray) else lattice.known


def numbers_of(lattice: Lattice) -> NDArray[Any]:
    """Return the numbers that window sums read: symbols (*shape), or those of channels."""
    return lattice if isinstance(lattice, np.ndarray) else lattice.values


def without_mask(lattice: Lattice) -> NDArray[Any] | FixedPoint:
    """Return a lattice as if all nodes were known; unknown ones have symbol 0, or the offsets."""
    if isinstance(lattice, SymbolLattice):
        known, values = lattice.known, lattice.values
        return values if known is None else np.where(known, values, 0)
    if isinstance(lattice, FixedPoint) and lattice.known is not None:
        return replace(lattice, values=lattice.values[..., :-1], known=None)
    return lattice


def masked(lattice: NDArray[Any] | FixedPoint, n_symbols: int, known: NDArray[Any]) -> Lattice:
    """Return a lattice of M symbols or channels without its unknown nodes."""
    if isinstance(lattice, FixedPoint):
        vectors: NDArray[Any] = lattice.values
        n_channels = vectors.shape[-1]
        counted = np.empty((*known.shape, n_channels + 1), dtype=vectors.dtype)
        for k in range(n_channels):  # half the time of a product over the last axis
            np.multiply(vectors[..., k], known, out=counted[..., k])
        counted[..., n_channels] = known
        return replace(lattice, values=counted, known=known)
    values = numbers_of(lattice).astype(np.uint8 if n_symbols < 256 else np.uint16)
    return SymbolLattice(replaced(values, known, n_symbols), known, spacing_of(lattice))


def shape_of(lattice: Lattice) -> Shape:
    """Return the shape of a lattice without its channels."""
    if isinstance(lattice, SymbolLattice):
        return lattice.values.shape
    return lattice.values.shape[:-1] if isinstance(lattice, FixedPoint) else lattice.shape


def part_of(lattice: Lattice, region: Region) -> Lattice:
    """Return the nodes of a region, as a view and in the fixed point of the whole lattice."""
    if isinstance(lattice, np.ndarray):
        return lattice[region]
    if lattice.known is None:
        return replace(lattice, values=lattice.values[region])
    return replace(lattice, values=lattice.values[region], known=lattice.known[region])


def to_fixed_point(vectors: NDArray[Any]) -> FixedPoint:
    """Round a lattice of vectors (*shape, M) to 26 bits of each channel's range."""
    # So an outlier costs precision: details below 3e-8 of a channel's range are lost
    return fixed_within(vectors, *ends_of(vectors))


def ends_of(vectors: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the least and greatest value (M,) of each channel of finite vectors (*shape, M)."""
    channels = np.asarray(vectors).reshape(-1, vectors.shape[-1])
    low, high = (_reduced(reduce, channels) for reduce in (np.minimum, np.maximum))
    if not (np.isfinite(low) & np.isfinite(high)).all():
        finite = np.isfinite(channels)
        bad, count = first_bad(finite, channels), np.count_nonzero(~finite)
        raise ParameterError(f"vectors must be finite, got {bad} ({count} values are not finite)")
    return low, high


def fixed_within(
    vectors: NDArray[Any], low: NDArray[np.float64], high: NDArray[np.float64]
) -> FixedPoint:
    """Round vectors (*shape, M) to 26 bits of the ranges of their channels, (M,) each."""
    # So parts of a lattice have the fixed point of the whole
    channels = np.asarray(vectors).reshape(-1, vectors.shape[-1])
    check_spread("vectors", low, high)
    if vectors.dtype == np.uint8:
        return FixedPoint(vectors, np.zeros(low.size), np.ones(low.size), low, high)
    offsets = low / 2 + high / 2
    half = np.maximum(high - offsets, np.finfo(np.float64).tiny)
    scales = np.exp2(np.maximum(np.ceil(np.log2(half)) - _BITS, -1000.0))
    kind = np.float32 if vectors.dtype == np.float32 else np.float64
    numbers = frozen(np.asarray(channels, dtype=kind)).reshape(-1)
    values = np.empty(numbers.size, dtype=np.int32)
    period = frozen(np.tile(offsets, 8)), frozen(np.tile(1.0 / scales, 8))

    def task(first: int, last: int) -> None:
        part = slice(first * low.size, last * low.size)
        kernels.rounding.write_whole(numbers[part], *period, values[part])

    threads.over_rows(len(channels), task, low.size / 4)
    return FixedPoint(values.reshape(vectors.shape), offsets, scales, low, high)


def _reduced(reduce: np.ufunc, channels: NDArray[Any]) -> NDArray[np.float64]:
    """Reduce (n, M) to (M,), in long rows, which numpy is many times faster at than in short."""
    n_long = len(channels) // _LONG * _LONG
    parts = [channels[n_long:]]
    if n_long:
        long = channels[:n_long].reshape(-1, _LONG * channels.shape[1])
        parts.append(reduce.reduce(long, axis=0).reshape(_LONG, -1))
    return np.asarray(reduce.reduce(np.concatenate(parts), axis=0), dtype=np.float64)
