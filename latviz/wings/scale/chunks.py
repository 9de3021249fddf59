"""Data sets of dask arrays, as `core.data.data_set` has them of arrays in memory."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

import dask
import dask.array as da
import numpy as np
from numpy.typing import DTypeLike, NDArray

from latviz.core.checks import (
    check_flag,
    check_integer,
    check_spread,
    check_symbol_type,
    check_symbols,
    check_word,
    shown,
)
from latviz.core.data.data_set import DataSet, Kind, as_vectors, check_channels
from latviz.core.data.fixed_point import Lattice, ends_of, fixed_within, masked, numbers_of
from latviz.core.data.masks import NONE_KNOWN, check_mask_type
from latviz.core.errors import ParameterError
from latviz.core.renamed import renamed
from latviz.core.types import Floats, Matrix, Shape
from latviz.wings.scale.blocks import map_chunks, map_nodes

Ends = tuple[Floats, Floats]
"""The least and the greatest value of each channel, (M,) each."""
NONE_SEEN = "no pixel of those that were looked at is known: crop to those that are"
"""The message where parts of all chunks are unknown, though others may be known."""
UNEVEN = (
    "spacing cannot be used chunk by chunk: learn a model without it, whose windows have as many "
    "nodes along all axes"
)
"""The message where windows would differ by axis."""


@dataclass(frozen=True, eq=False)
class Chunked:
    """Observations in chunks, each of which is a `DataSet` when it is read; see `chunked`.

    Attributes
    ----------
    arrays : tuple of dask arrays, shape (*shape) or (*shape, M)
        Symbols 0..M-1, or vectors. With a mask, unknown nodes have the symbol M, and vectors one
        more channel, which is 1 at known nodes and 0 at others, as all channels are there.
    kind : {"discrete", "gaussian"}
        Whether they are symbols or vectors.
    n_symbols : int
        M, the number of symbols or channels.
    scalar : bool
        Whether the vectors came without an axis of channels.
    ends : tuple of pairs of ndarray, shape (M,)
        Of vectors, for each lattice: the least and the greatest value of each channel. By them the
        fixed point of a chunk is that of the lattice. Empty for symbols.
    several : bool
        Whether it was made of a list.
    is_masked : bool
        Whether nodes may be unknown.
    """

    arrays: tuple[da.Array, ...]
    kind: Kind
    n_symbols: int
    scalar: bool
    ends: tuple[Ends, ...]
    several: bool
    is_masked: bool = False

    @property
    def dimensions(self) -> int:
        """The number d of axes of each lattice."""
        return int(self.arrays[0].ndim) - (self.kind == "gaussian")

    @property
    def shapes(self) -> list[Shape]:
        """The shapes of the lattices."""
        return [tuple(map(int, one.shape[: self.dimensions])) for one in self.arrays]

    @property
    def n_nodes(self) -> int:
        """U, the number of nodes of all lattices."""
        return sum(map(math.prod, self.shapes))

    @property
    def n_chunks(self) -> int:
        """The number of chunks of all lattices."""
        return sum(math.prod(one.numblocks[: self.dimensions]) for one in self.arrays)

    @property
    def origin(self) -> Floats | None:
        """The middle of the range of each channel over all lattices, (M,); None for symbols."""
        if not self.ends:
            return None
        low, high = zip(*self.ends, strict=True)
        return np.asarray(np.min(low, axis=0) / 2 + np.max(high, axis=0) / 2)

    def reader(self, k: int) -> Callable[[NDArray[Any]], DataSet]:
        """Return a function that reads a block of lattice k, in the lattice's fixed point."""
        ends = self.ends[k] if self.ends else None
        return partial(_read, ends, self.n_symbols, self.scalar, self.is_masked)

    def each(
        self,
        make: Callable[[DataSet], list[NDArray[Any]]],
        depth: int,
        dtype: DTypeLike,
        tail: Sequence[int] = (),
    ) -> list[da.Array]:
        """Return a core function's results for each lattice, dask arrays (*shape, *tail).

        It gets the data set of a chunk with ``depth`` nodes around it, and returns a list of one
        array.
        """
        return [
            map_nodes(
                partial(_made, self.reader(k), make), one, self.dimensions, depth, dtype, tail
            )
            for k, one in enumerate(self.arrays)
        ]

    def given_back(self, found: list[Any]) -> Any:
        """Return the list of results for a list, the only one for one lattice."""
        return found if self.several else found[0]


def _read(
    ends: Ends | None, n_symbols: int, scalar: bool, is_masked: bool, block: NDArray[Any]
) -> DataSet:
    values, known = parted(block, n_symbols, ends is None) if is_masked else (block, None)
    lattice: Lattice
    if ends is None:
        lattice = values = check_symbols(values, n_symbols)
    else:
        values = as_vectors(values)
        lattice = fixed_within(values, *ends)
    if known is not None and not known.all():
        lattice = masked(lattice, n_symbols, known)
    return DataSet((lattice,), (values,), n_symbols, scalar)


def parted(block: NDArray[Any], n_symbols: int, discrete: bool) -> tuple[Any, NDArray[np.bool_]]:
    """Return a block of masked arrays as observations, and which nodes of them are known."""
    known = block != n_symbols if discrete else block[..., -1] != 0
    if discrete:
        return np.where(known, block, 0), known
    return np.ascontiguousarray(block[..., :-1]), known


def joined(array: da.Array, known: da.Array, n_symbols: int, discrete: bool) -> da.Array:
    """Return observations and their mask as one array, see `Chunked`."""
    known = known.rechunk(array.chunks[: known.ndim])
    if discrete:
        dtype = np.uint8 if n_symbols < 256 else np.uint16
        return da.map_blocks(_symbols_of_known, array, known, n_symbols, dtype=dtype)
    there = known[..., None]
    values = da.where(there, array, 0)
    return da.concatenate([values, there.astype(values.dtype)], axis=-1)


def _symbols_of_known(block: NDArray[Any], known: NDArray[Any], n_symbols: int) -> NDArray[Any]:
    symbols = check_symbols(np.where(known, block, 0), n_symbols)
    return numbers_of(masked(symbols, n_symbols, known))


def _made(read: Callable[..., DataSet], make: Callable[..., Any], block: NDArray[Any]) -> Any:
    (found,) = make(read(block))
    return found


@renamed("observations kind n_symbols scalar")
def chunked(
    observations: Any,
    *,
    kind: str,
    n_symbols: int | None = None,
    scalar: bool | None = None,
    mask: Any = None,
) -> Chunked:
    """Return observations as a data set of dask arrays.

    Facts on all values are computed at once: the ranges of vectors that are not bytes, and the
    largest symbol if M is not given. To compute them once, make the data set once.

    Parameters
    ----------
    observations : dask, zarr or NumPy array, or a list or tuple of them, or Chunked
        One lattice or several. Symbols are integers (*shape); vectors are real numbers (*shape, M).
    kind, n_symbols, scalar
        As for `core.as_data_set`.
    mask : dask, zarr or NumPy array, shape (*shape), bool, or a list of them, optional
        True where a node is known; for a list of lattices a list, with None where all are. Other
        nodes have no part in anything. They may hold anything, such as NaN.

    Raises
    ------
    ParameterError
        If they are not such arrays, or a value is not finite.
    """
    check_word("kind", kind, get_args(Kind))
    if isinstance(observations, Chunked):
        if mask is not None:
            raise ParameterError("mask must be given to chunked, got one beside a data set")
        return _checked_again(observations, kind, n_symbols)
    if n_symbols is not None:
        n_symbols = check_integer("n_symbols", n_symbols, 1, 65536)
    arrays, several = as_arrays(observations), isinstance(observations, list | tuple)
    if not arrays:
        raise ParameterError("there must be at least one lattice, got an empty list")
    masks = None if mask is None else masks_of(mask, _shapes(arrays, kind, bool(scalar)))
    if kind == "discrete":
        return _of_symbols(arrays, n_symbols, several, masks)
    if scalar is not None:
        scalar = check_flag("scalar", scalar)
    elif n_symbols is None:
        for one in arrays:
            check_channels(one.shape)
    return _of_vectors(arrays, n_symbols, bool(scalar), several, masks)


def as_arrays(given: Any) -> list[da.Array]:
    """Return dask, zarr or other arrays, or the only one, as dask arrays; refuse all else."""
    return [_as_dask(one) for one in (given if isinstance(given, list | tuple) else [given])]


def _as_dask(array: Any) -> da.Array:
    if not isinstance(array, da.Array):
        if not (hasattr(array, "shape") and hasattr(array, "dtype")):
            raise ParameterError(f"there must be an array, got {shown(array)}")
        array = da.from_array(array, chunks=getattr(array, "chunks", None) or "auto")
    if array.dtype.kind not in "biuf":
        raise ParameterError(f"the array must hold real numbers, got {array.dtype}")
    if any(math.isnan(length) for length in array.shape):
        raise ParameterError(
            "the sizes of all chunks must be known: call compute_chunk_sizes() first"
        )
    if array.ndim == 0 or 0 in array.shape:
        raise ParameterError(f"a lattice must have axes and nodes, got shape {array.shape}")
    return array


Masks = list[da.Array] | None


def _shapes(arrays: list[da.Array], kind: str, scalar: bool) -> list[Shape]:
    ends = (-1 if kind == "gaussian" and not scalar and a.ndim > 1 else a.ndim for a in arrays)
    return [one.shape[:end] for one, end in zip(arrays, ends, strict=True)]


def masks_of(mask: Any, shapes: Sequence[Shape]) -> list[da.Array]:
    """Return the masks of lattices as dask arrays, or raise `ParameterError`."""
    given = list(mask) if isinstance(mask, list | tuple) else [mask]
    if len(given) != len(shapes):
        raise ParameterError(f"mask must be a list with one for each of {len(shapes)} lattices")
    pairs = zip(given, shapes, strict=True)
    masks = [da.ones(shape, bool) if one is None else _as_dask(one) for one, shape in pairs]
    for one, shape in zip(masks, shapes, strict=True):
        check_mask_type(one.dtype, one.shape, (shape,))
    return masks


def _of_symbols(
    arrays: list[da.Array], n_symbols: int | None, several: bool, masks: Masks
) -> Chunked:
    for one in arrays:
        check_symbol_type(one.dtype)
    _check_alike([one.ndim for one in arrays], "axes")
    if n_symbols is None:
        pairs = zip(arrays, masks or [None] * len(arrays), strict=True)
        each = (one if known is None else da.where(known, one, 0) for one, known in pairs)
        most = max(map(int, dask.compute(*(one.max() for one in each))))
        n_symbols = check_integer("the number of symbols", 1 + most, 1, 65536)
    if masks is not None:
        n_symbols = check_integer("n_symbols with a mask", n_symbols, 1, 65535)
        pairs = zip(arrays, masks, strict=True)
        arrays = [joined(one, known, n_symbols, discrete=True) for one, known in pairs]
    return Chunked(tuple(arrays), "discrete", n_symbols, False, (), several, masks is not None)


def _of_vectors(
    arrays: list[da.Array], n_channels: int | None, scalar: bool, several: bool, masks: Masks
) -> Chunked:
    scalar = scalar or arrays[0].ndim == 1
    if scalar:
        arrays = [one[..., None] for one in arrays]
    _check_alike([one.ndim for one in arrays], "axes")
    size = int(arrays[0].shape[-1]) if n_channels is None else n_channels
    _check_alike([size, *(int(one.shape[-1]) for one in arrays)], "channels")
    if masks is not None:
        pairs = zip(arrays, masks, strict=True)
        arrays = [joined(one, known, size, discrete=False) for one, known in pairs]
    ends = _ends_of_each(arrays, size)
    for low, high in ends:
        if np.isinf(low).any():
            raise ParameterError(NONE_KNOWN)
        check_spread("vectors", low, high)
    found = size, scalar, tuple(ends), several, masks is not None
    return Chunked(tuple(arrays), "gaussian", *found)


def _ends_of_each(arrays: list[da.Array], size: int) -> list[Ends]:
    """Return the ends of each array; bytes are their own fixed point, for any ends."""
    if all(one.dtype == np.uint8 for one in arrays):
        return [(np.zeros(size), np.full(size, 255.0))] * len(arrays)
    d = arrays[0].ndim - 1
    ends = partial(_ends, size)
    parts = (map_chunks(ends, [one], d, 0, np.float64, (2, size)) for one in arrays)
    flat = [one.reshape(-1, 2, size) for one in dask.compute(*parts)]
    return [(one[:, 0].min(axis=0), one[:, 1].max(axis=0)) for one in flat]


def _ends(n_channels: int, block: NDArray[Any], _region: Any) -> Matrix:
    if block.shape[-1] > n_channels:  # some are unknown
        values, known = parted(block, n_channels, discrete=False)
        if not known.any():
            return np.outer([np.inf, -np.inf], np.ones(n_channels))
        block = values[known]
    return np.stack(ends_of(as_vectors(block)))


def _check_alike(found: Sequence[int], what: str) -> None:
    if len(set(found)) > 1:
        raise ParameterError(f"all lattices must have the same {what}, got {sorted(set(found))}")


def _checked_again(data: Chunked, kind: str, n_symbols: int | None) -> Chunked:
    if data.kind != kind or n_symbols not in (None, data.n_symbols):
        wanted = kind if n_symbols is None else f"{kind} with M = {n_symbols}"
        raise ParameterError(
            f"the data set must be {wanted}, got a {data.kind} one with M = {data.n_symbols}"
        )
    return data
