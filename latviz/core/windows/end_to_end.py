"""Several windows: their signatures end to end, and the codewords nearest to these."""

from collections.abc import Iterator

import numpy as np

from latviz.core.data.fixed_point import (
    FixedPoint,
    Lattice,
    part_of,
    shape_of,
    sides_in,
    without_mask,
)
from latviz.core.data.lattice import reach
from latviz.core.data.merge_tree import Codewords
from latviz.core.types import Floats, Matrix, Region, States
from latviz.core.windows.parts import around, bands
from latviz.core.windows.signature import known_sizes, signatures

Windows = tuple[int, ...]

PART = 1 << 16
"""Nodes whose distances to all codewords are held at a time."""


def decode(lattice: Lattice, codebook: Matrix, windows: Windows) -> States:
    """Return the state of each node, (*shape) uint8: that of the nearest codeword (N, k M)."""
    states = np.empty(shape_of(lattice), dtype=np.uint8)
    for region, whole, _ in _scores(lattice, codebook, windows, apart=False):
        states[region] = whole.argmin(axis=-1)
    return states


def decode_both(lattice: Lattice, codewords: Codewords, windows: Windows) -> tuple[States, States]:
    """Return `leave_one_out.decode_both` for several windows."""
    # A window with only its node is empty without it; the other windows decide
    plain, without = np.empty((2, len(codewords.members), *shape_of(lattice)), dtype=np.uint8)
    for region, *both in _scores(lattice, codewords.values, windows, apart=True):
        for maps, scores in zip((plain, without), both, strict=True):
            for states, members in zip(maps, codewords.members, strict=True):
                states[region] = scores[..., members].argmin(axis=-1)
    return plain, without


def _scores(
    lattice: Lattice, codewords: Matrix, windows: Windows, *, apart: bool
) -> Iterator[tuple[Region, Floats, Floats]]:
    """Yield parts of a lattice, and |b|^2 - 2 z b of each node and each codeword b (K, k M)."""
    # First of whole windows; then, if ``apart``, of windows without their node
    shape, n_symbols = shape_of(lattice), codewords.shape[1] // len(windows)
    blocks = codewords.reshape(len(codewords), len(windows), n_symbols)
    origin = None  # distances are those between vectors that lie about 0
    if isinstance(lattice, FixedPoint):
        origin = blocks.mean(axis=(0, 1))
        blocks = blocks - origin
    for rows in bands(shape, PART, 8 * sides_in(lattice, reach(windows))[0]):
        region = (rows, *(slice(0, length) for length in shape[1:]))
        part, inner = around(lattice, region, reach(windows))
        own = part_of(lattice, region)
        whole, rest = np.zeros((2, *shape_of(own), len(codewords)))
        for window, block in zip(windows, blocks.transpose(1, 0, 2), strict=True):
            z = signatures(part, n_symbols, window, origin)[inner].astype(np.float64)
            size, along = (block**2).sum(axis=1), _products(z, block)
            whole += size - 2 * along
            if apart:
                held = known_sizes(part, window)[inner][..., None]
                left = (held * along - _of_nodes(own, block, origin)) / np.maximum(held - 1, 1)
                rest += np.where(held > 1, size - 2 * left, 0.0)
        yield region, whole, rest


def _products(rows: Floats, block: Matrix) -> Floats:
    """Return the products of rows (..., M) with codewords (K, M), equal at any place."""
    return np.asarray(np.einsum("...m,km->...k", rows, block))


def _of_nodes(lattice: Lattice, block: Matrix, origin: Floats | None) -> Floats:
    """Return the products of each node's observation with codewords (K, M), (*shape, K)."""
    seen = without_mask(lattice)
    if not isinstance(seen, FixedPoint):
        return np.asarray(block.T[seen])
    assert origin is not None
    return _products(seen.offsets - origin + seen.scales * seen.values, block)
