"""Functions of chunks and of the nodes around them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import dask.array as da
import numpy as np
from dask.array.overlap import ensure_minimum_chunksize, overlap
from numpy.typing import DTypeLike, NDArray

from latviz.core.data.lattice import middle_of

Work = Callable[..., Any]


def with_chunks(array: da.Array, d: int, depth: int) -> da.Array:
    """Return an array with ``depth`` nodes or more in a chunk along each of the first d axes.

    All channels of a node are in one chunk.
    """
    # One node more in each, so that a chunk at the border and its surroundings are as large as a
    # whole window: see `core.windows.parts.around`.
    chunks = []
    for axis, sizes in enumerate(array.chunks):
        length = sum(sizes)
        whole = axis >= d or length <= depth + 1
        chunks.append((length,) if whole else ensure_minimum_chunksize(depth + 1, sizes))
    return array.rechunk(tuple(chunks))


def surrounded(array: da.Array, d: int, depth: int) -> da.Array:
    """Return an array whose chunks, as `with_chunks` makes them, also hold their surroundings."""
    around = {axis: depth for axis in range(d) if array.numblocks[axis] > 1}
    if not around or depth == 0:
        return array
    depths = {axis: around.get(axis, 0) for axis in range(array.ndim)}
    return overlap(array, depths, "none", allow_rechunk=False)


def map_nodes(
    work: Work,
    array: da.Array,
    d: int,
    depth: int,
    dtype: DTypeLike,
    tail: Sequence[int] = (),
    more: Sequence[da.Array] = (),
) -> da.Array:
    """Return the results of a function for the nodes of a lattice, a dask array (*shape, *tail)."""
    # Work takes a chunk of the array (*shape) or (*shape, M) with ``depth`` nodes around it, and
    # of others without; it returns an array (*chunk, *tail) of them all, of which the chunk is kept
    ready = _alike([array, *more], d, depth)
    chunks = (*ready[0].chunks[:d], *((size,) for size in tail))
    return _mapped(partial(_kept, work), ready, d, depth, dtype, chunks)


def map_chunks(
    work: Work,
    arrays: Sequence[da.Array],
    d: int,
    depth: int,
    dtype: DTypeLike,
    tail: Sequence[int],
) -> da.Array:
    """Return the results of a function for each chunk, shape (*numbers of chunks, *tail)."""
    # Work takes a chunk of the first array with ``depth`` nodes around it, those of the others, and
    # the region of the chunk in the first, and returns an array (*tail).
    ready = _alike(arrays, d, depth)
    chunks = (*((1,) * n for n in ready[0].numblocks[:d]), *((size,) for size in tail))
    return _mapped(partial(_whole, work), ready, d, depth, dtype, chunks)


def over_chunks(array: da.Array, n_kept: int) -> da.Array:
    """Return the sum over all axes but the last ones."""
    return array.sum(axis=tuple(range(array.ndim - n_kept)))


def spread_parts(arrays: Sequence[da.Array], d: int, n_parts: int, n_nodes: int) -> list[da.Array]:
    """Return the middles of ``n_parts`` chunks of all arrays, of at most ``n_nodes`` nodes each."""
    places = [(one, place) for one in arrays for place in np.ndindex(*one.numblocks[:d])]
    chosen = np.unique(np.linspace(0, len(places) - 1, n_parts).astype(int))
    chunks = [one.blocks[place] for one, place in (places[n] for n in chosen)]
    return [one[middle_of(tuple(one.shape[:d]), n_nodes)] for one in chunks]


def _alike(arrays: Sequence[da.Array], d: int, depth: int) -> list[da.Array]:
    """Return arrays in the chunks that `with_chunks` gives the first."""
    first = with_chunks(arrays[0], d, depth)
    return [first, *(one.rechunk((*first.chunks[:d], *one.shape[d:])) for one in arrays[1:])]


def _mapped(
    call: Work,
    arrays: Sequence[da.Array],
    d: int,
    depth: int,
    dtype: DTypeLike,
    chunks: tuple[tuple[int, ...], ...],
) -> da.Array:
    blocks, most = [surrounded(arrays[0], d, depth), *arrays[1:]], max(one.ndim for one in arrays)
    ranks, counts = [one.ndim for one in arrays], arrays[0].numblocks[:d]
    return da.map_blocks(
        partial(_at_chunk, call, ranks, depth, counts),
        *(one if one.ndim == most else one[..., None] for one in blocks),
        dtype=dtype,
        chunks=chunks,
        drop_axis=list(range(d, most)),
        new_axis=list(range(d, len(chunks))) or None,
        meta=np.empty((0,) * len(chunks), dtype=dtype),
    )


def _at_chunk(
    call: Work,
    ranks: list[int],
    depth: int,
    counts: tuple[int, ...],
    *blocks: NDArray[Any],
    block_id: tuple[int, ...],
) -> NDArray[Any]:
    """Call with the blocks, less the axes that aligned them, and the region of the chunk."""
    region = tuple(
        slice(depth if at > 0 else 0, length - (depth if at < n - 1 else 0))
        for at, n, length in zip(block_id, counts, blocks[0].shape, strict=False)
    )
    given = (one if one.ndim == n else one[..., 0] for one, n in zip(blocks, ranks, strict=True))
    return np.asarray(call(*map(np.ascontiguousarray, given), region))


def _kept(work: Work, *given: Any) -> Any:
    return work(*given[:-1])[given[-1]]


def _whole(work: Work, *given: Any) -> NDArray[Any]:
    return np.asarray(work(*given))[(None,) * len(given[-1])]
