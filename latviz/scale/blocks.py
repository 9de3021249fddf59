"""Functions of chunks and of the nodes around them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import dask.array as da
import numpy as np
from dask.array.overlap import ensure_minimum_chunksize, overlap
from numpy.typing import DTypeLike, NDArray

from latviz.core import threads
from latviz.core.types import Region

Work = Callable[..., NDArray[Any]]
"""Makes an array of one block of each input, and of where in it the chunk is."""


def with_chunks(array: da.Array, d: int, depth: int) -> da.Array:
    """Return an array whose chunks hold ``depth`` nodes or more along each of the first d axes.

    There is one node more in each, so that a chunk at the border and what is around it is as large
    as a whole window: see `core.windows.parts.around`. All channels of a node are in one chunk.
    """
    chunks = []
    for axis, sizes in enumerate(array.chunks):
        length = sum(sizes)
        whole = axis >= d or length <= depth + 1
        chunks.append((length,) if whole else ensure_minimum_chunksize(depth + 1, sizes))
    return array.rechunk(tuple(chunks))


def surrounded(array: da.Array, d: int, depth: int) -> da.Array:
    """Return an array whose chunks, as `with_chunks` makes them, hold what is around them too."""
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
    **options: Any,
) -> da.Array:
    """Return what work makes of each chunk: an array (*chunk, *tail).

    Parameters
    ----------
    work : callable
        Takes the block of a chunk and the nodes around it, the region of the chunk in it, and the
        options. It returns an array (*block, *tail), of which the region is kept.
    array : dask array, shape (*shape) or (*shape, M)
    d : int
        How many axes the lattice has.
    depth : int
        How many nodes around each chunk there are in its block.
    dtype : dtype
    tail : sequence of int, optional
        The lengths of the axes that a node's result has.
    **options
    """
    ready = with_chunks(array, d, depth)
    chunks = (*ready.chunks[:d], *((size,) for size in tail))
    return _mapped(_kept_of, work, [ready], d, [depth], dtype, chunks, options)


def map_chunks(
    work: Work,
    arrays: Sequence[da.Array],
    d: int,
    depths: Sequence[int],
    dtype: DTypeLike,
    tail: Sequence[int],
    **options: Any,
) -> da.Array:
    """Return what work makes of all of each chunk, shape (*numbers of chunks, *tail).

    It takes the blocks of all arrays, the region of the chunk in each, and the options, and returns
    an array (*tail). The other arguments are those of `map_nodes`.
    """
    ready = [with_chunks(arrays[0], d, max(depths))]
    ready += [one.rechunk((*ready[0].chunks[:d], *one.shape[d:])) for one in arrays[1:]]
    chunks = (*((1,) * n for n in ready[0].numblocks[:d]), *((size,) for size in tail))
    return _mapped(_summed_of, work, ready, d, depths, dtype, chunks, options)


def _mapped(
    call: Work,
    work: Work,
    arrays: Sequence[da.Array],
    d: int,
    depths: Sequence[int],
    dtype: DTypeLike,
    chunks: tuple[tuple[int, ...], ...],
    options: dict[str, Any],
) -> da.Array:
    blocks = [surrounded(one, d, depth) for one, depth in zip(arrays, depths, strict=True)]
    most = max(one.ndim for one in blocks)
    blocks = [one if one.ndim == most else one[..., None] for one in blocks]
    bare = partial(call, work=work, ranks=[one.ndim for one in arrays], depths=list(depths))
    return da.map_blocks(
        partial(bare, counts=arrays[0].numblocks[:d], options=options),
        *blocks,
        dtype=dtype,
        chunks=chunks,
        drop_axis=list(range(d, most)),
        new_axis=list(range(d, len(chunks))) or None,
        meta=np.empty((0,) * len(chunks), dtype=dtype),
        token=work.__name__.strip("_"),
    )


def _kept_of(
    *blocks: NDArray[Any],
    work: Work,
    ranks: list[int],
    depths: list[int],
    counts: tuple[int, ...],
    options: dict[str, Any],
    block_id: tuple[int, ...],
) -> NDArray[Any]:
    (block,), (region,) = _prepared(blocks, ranks, depths, counts, block_id)
    with threads.alone():
        found: NDArray[Any] = work(block, region, **options)[region]
    return found


def _summed_of(
    *blocks: NDArray[Any],
    work: Work,
    ranks: list[int],
    depths: list[int],
    counts: tuple[int, ...],
    options: dict[str, Any],
    block_id: tuple[int, ...],
) -> NDArray[Any]:
    given, regions = _prepared(blocks, ranks, depths, counts, block_id)
    with threads.alone():
        found = np.asarray(work(*given, *regions, **options))
    return found[(None,) * len(counts)]


def _prepared(
    blocks: Sequence[NDArray[Any]],
    ranks: list[int],
    depths: list[int],
    counts: tuple[int, ...],
    block_id: tuple[int, ...],
) -> tuple[list[NDArray[Any]], list[Region]]:
    """Return blocks without the axes that were added to them, and where their chunks are."""
    given = [
        np.ascontiguousarray(one if one.ndim == rank else one[..., 0])
        for one, rank in zip(blocks, ranks, strict=True)
    ]
    place = block_id[: len(counts)]
    regions = []
    for block, depth in zip(given, depths, strict=True):
        both = zip(place, counts, block.shape, strict=False)
        regions.append(
            tuple(
                slice(depth if at > 0 else 0, length - (depth if at < n - 1 else 0))
                for at, n, length in both
            )
        )
    return given, regions
