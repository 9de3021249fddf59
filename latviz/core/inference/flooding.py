"""Beliefs of limited reach: sum-product with all messages sent at once.

The messages of `Field` run along whole lines of a lattice, so that each node depends on all. Here
each pass sends them one step, from every node to all its neighbours: after p passes a node depends
on the nodes within p steps. So parts of a lattice, with p nodes around them, have the beliefs of
the whole, bit for bit.
"""

import math
from itertools import product

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import check_memory
from latviz.core.data.masks import Mask
from latviz.core.inference.emission import Densities
from latviz.core.inference.field import LANES, Beliefs
from latviz.core.types import Matrix, Region, Shape

HELD = 1 << 27
"""Most bytes of messages at a time: a lattice is computed in tiles."""


def flooded(
    emission: Densities,
    potentials: Matrix,
    values: NDArray[np.generic],
    shape: Shape,
    passes: int,
    known: Mask = None,
) -> Beliefs:
    """Return each node's belief after some passes, (*shape, N) float32; rows sum to 1."""
    # Those of unknown nodes are 0
    # potentials (N, N) of `potentials_of`; values (*shape) or (*shape, M); passes: steps that
    # messages go. `ParameterError` if memory cannot hold the beliefs
    check_memory("beliefs of a lattice of this size", 4 * math.prod(shape) * emission.n_states)
    found: Beliefs = np.empty((*shape, emission.n_states), dtype=np.float32)
    for region in _tiles(shape, emission.n_states, passes):
        outer = tuple(
            slice(max(0, s.start - passes), min(n, s.stop + passes))
            for s, n in zip(region, shape, strict=True)
        )
        inner = tuple(
            slice(s.start - o.start, s.stop - o.start) for s, o in zip(region, outer, strict=True)
        )
        part = values[outer], None if known is None else known[outer]
        found[region] = _of_tile(emission, potentials, *part, len(shape), passes)[inner]
    return found


def _tiles(shape: Shape, n_states: int, passes: int) -> list[Region]:
    """Cut a lattice into tiles whose messages, with their surroundings, fit into memory."""
    n_nodes = HELD / (n_states * (16 * len(shape) + 8))
    side = max(round(n_nodes ** (1 / len(shape))) - 2 * passes, passes, LANES)
    cuts = [[slice(a, min(a + side, n)) for a in range(0, n, side)] for n in shape]
    return list(product(*cuts))


def _of_tile(
    emission: Densities,
    potentials: Matrix,
    values: NDArray[np.generic],
    known: Mask,
    d: int,
    passes: int,
) -> Beliefs:
    shape = values.shape[:d]
    unary = _likelihoods(emission, values, shape)
    n_rows = len(unary)
    if known is not None:  # a node without likelihood sends 1 to all states
        unary *= known.reshape(n_rows, 1, -1)
    lengths = np.array(shape[:-1], dtype=np.int64)
    strides = np.array([math.prod(shape[k + 1 : -1]) for k in range(d - 1)], dtype=np.int64)
    before, after = np.ones((2, 2 * d, *unary.shape), dtype=np.float32)
    for _ in range(passes):
        fixed = unary, before, strides, lengths, potentials

        def task(start: int, stop: int, fixed: tuple[object, ...] = fixed) -> None:
            kernels.flooding.send(*fixed, start, stop, after)  # noqa: B023

        threads.over_rows(n_rows, task)
        before, after = after, before
    out = np.empty((n_rows, shape[-1], emission.n_states), dtype=np.float32)
    threads.over_rows(n_rows, lambda a, b: kernels.flooding.beliefs(unary, before, a, b, out))
    return out.reshape(*shape, -1)


def _likelihoods(
    emission: Densities, values: NDArray[np.generic], shape: Shape
) -> NDArray[np.float32]:
    """Return the likelihood of each observation, relative to the likeliest state's, (R, N, W)."""
    n_rows, width = math.prod(shape[:-1]), shape[-1]
    padded, n_tiles = -(-n_rows // LANES) * LANES, -(-width // LANES)
    sizes = len(shape), n_tiles, padded, emission.n_states
    tiles = np.ones(math.prod(sizes[1:]) * LANES, dtype=np.float32)
    by_row = np.ascontiguousarray(values).reshape(n_rows, width, *values.shape[len(shape) :])
    emission.likelihoods(by_row, sizes, tiles)
    rows = tiles.reshape(n_tiles, padded, -1, LANES).transpose(1, 2, 0, 3)
    return np.ascontiguousarray(rows.reshape(padded, -1, n_tiles * LANES)[:n_rows, :, :width])
