"""How many bits a node's observation costs, given its state and the neighbours before it.

Neighbours of photographs tell most of what slow changes of light would seem to tell: states that
follow the light alone save little here, states of textures that differ in kind save much.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from latviz.core.code_length import States
from latviz.core.dataset import DataSet
from latviz.core.fixed_point import FixedPoint
from latviz.core.learning import RELATIVE_RIDGE
from latviz.core.parts import Lattice

Floats = NDArray[np.float64]


def bits_in_context(data: DataSet, states: list[list[States]], sizes: list[int]) -> Floats:
    """Return the bits a node for each number of states, shape (n_sizes,), float64.

    A node's context is the one before it along each axis; nodes at the front have none and do not
    count. Symbols are coded by what has followed their context in their state so far, with 1/2
    added; vectors by a linear regression of each state, with its parameters' cost.

    Parameters
    ----------
    data : DataSet
    states : list of lists of ndarray, shape (*shape), uint8
        For each number of states, those of each lattice.
    sizes : list of int
        The numbers of states.
    """
    dimensions = len(data.shapes[0])
    inner = (slice(1, None),) * dimensions
    of = [np.concatenate([lattice[inner].reshape(-1) for lattice in maps]) for maps in states]
    if of[0].size == 0:
        return np.zeros(len(sizes))
    rows = np.concatenate([_rows(lattice, dimensions) for lattice in data.lattices])
    bits = _symbol_bits if data.kind == "discrete" else _vector_bits
    return bits(rows, data.n_symbols, of, sizes)


def _rows(lattice: Lattice, dimensions: int) -> NDArray[Any]:
    """Return a row for each node: its own channels, then those before it along each axis."""
    if isinstance(lattice, FixedPoint):
        values = lattice.values * lattice.scales
    else:
        values = lattice[..., None]
    parts = []
    for axis in range(-1, dimensions):
        where = tuple(slice(0, -1) if k == axis else slice(1, None) for k in range(dimensions))
        parts.append(values[where].reshape(-1, values.shape[-1]))
    return np.concatenate(parts, axis=1)


def _symbol_bits(
    rows: NDArray[Any], n_symbols: int, of: list[NDArray[np.uint8]], sizes: list[int]
) -> Floats:
    keys = np.zeros(len(rows), np.int64)
    for column in rows.T[::-1]:
        keys = keys * n_symbols + column
    cells, cell = np.unique(keys, return_inverse=True)
    starts = np.unique(cells // n_symbols, return_index=True)[1]
    bits = []
    for states, n in zip(of, sizes, strict=True):
        counts = np.bincount(states * np.int64(cells.size) + cell, minlength=n * cells.size)
        counts = counts.reshape(n, cells.size)
        totals = np.add.reduceat(counts, starts, axis=1)
        half = n_symbols / 2
        nats = (gammaln(totals + half) - gammaln(half)).sum()
        bits.append((nats - (gammaln(counts + 0.5) - gammaln(0.5)).sum()) / np.log(2))
    return np.array(bits) / len(rows)


def _vector_bits(
    rows: Floats, n_channels: int, of: list[NDArray[np.uint8]], sizes: list[int]
) -> Floats:
    spread = rows[:, :n_channels].std(axis=0)
    rows = (rows - rows.mean(axis=0)) / np.tile(
        np.where(spread > 0, spread, 1.0), rows.shape[1] // n_channels
    )
    rows = np.concatenate([rows, np.ones((len(rows), 1))], axis=1)
    free = n_channels * (rows.shape[1] - n_channels + (n_channels + 1) / 2)
    bits = []
    for states, n in zip(of, sizes, strict=True):
        parts = [rows[states == j] for j in range(n)]
        total = sum(len(part) * _spread_bits(part.T @ part, n_channels) for part in parts)
        bits.append(total + 0.5 * n * free * np.log2(len(rows)))
    return np.array(bits) / len(rows)


def _spread_bits(moments: Floats, n_channels: int) -> float:
    """Return a node's bits in a state, from the sum of its rows' outer products."""
    if not moments[-1, -1]:
        return 0.0
    sigma = moments / moments[-1, -1] + RELATIVE_RIDGE * np.eye(len(moments))
    own, rest = slice(0, n_channels), slice(n_channels, None)
    told = sigma[own, rest] @ np.linalg.solve(sigma[rest, rest], sigma[rest, own])
    left = sigma[own, own] - told
    return float(np.linalg.slogdet(2 * np.pi * np.e * left)[1] / np.log(4))
