"""Code length in context: the bits of a node, given its state and nodes at some distance.

Neighbours in photographs and filtered features resemble each other beyond their states. Where they
are told, states save only what neighbours do not tell: not the slow changes of light, which
neighbours share, but how smooth, coarse or bright the texture around is.
"""

from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from latviz.core.choice.code_length import CodeLength, Emitted, normal_bits, spread_of
from latviz.core.data.data_set import DataSet
from latviz.core.data.fixed_point import FixedPoint, Lattice, shape_of
from latviz.core.types import Floats, Shape, States

NOISE = 1e-3
"""Variance that is added to each channel, of its own: finer details count for nothing."""
LEAST = 1e-30
"""The least variance that is taken for that of a channel."""
NODES = 1 << 18
"""Nodes of which code lengths are estimated, about."""


def context_of(data: DataSet, distance: int) -> "Context":
    """Return the `Context` of a data set, which is made once and kept as long as that."""
    make = partial(Context, data.lattices, data.n_symbols, distance)
    return data.once(("context", distance), make)


class Context:
    """Nodes of a data set with those ``distance`` steps away, along axes and diagonals.

    A row holds a node's own channels, then for each pair of opposite ones, the sum of theirs; nodes
    that have them all count. Symbols are one channel: they are taken as numbers, as levels of grey
    are. Of large data sets only every so many rows are there.
    """

    def __init__(self, lattices: Sequence[Lattice], n_symbols: int, distance: int) -> None:
        self._distance = distance
        self._inside = [min(shape_of(lattice)) > 2 * distance for lattice in lattices]
        kept = [lattice for lattice, inside in zip(lattices, self._inside, strict=True) if inside]
        n_nodes = sum(int(np.prod(shape_of(lattice))) for lattice in kept)
        self._every = max(1, round(n_nodes / NODES))
        vectors = [lattice for lattice in kept if isinstance(lattice, FixedPoint)]
        origin = vectors[0].offsets if vectors else np.zeros(1)
        self._rows = [_rows(lattice, distance, self._every, origin) for lattice in kept]
        self._n_own = n_symbols if isinstance(lattices[0], FixedPoint) else 1

    def code_length(self, states: Sequence[States], n_states: int) -> CodeLength:
        """Return the code length of nodes given the others and their states (*shape), uint8.

        That is -log2 of the density of a normal distribution of each state's rows, less that of
        the others alone, and 1/2 log2 U bits for each parameter. 0 if no node counts.
        """
        if not self._rows:
            return CodeLength(0.0, np.zeros(1), np.ones(1, np.int64))
        inner = [
            lattice[_beside((0,) * lattice.ndim, lattice.shape, self._distance, self._every)]
            for lattice, inside in zip(states, self._inside, strict=True)
            if inside
        ]
        n_own, n_rows = self._n_own, self._rows[0].scales.size
        emitted = Emitted.of(self._rows, inner, n_states, n_rows)
        noise = NOISE * np.maximum(spread_of(emitted.values), LEAST)
        told = [0, *range(n_own + 1, n_rows + 1)]
        both = normal_bits(emitted.values, noise)
        rest = normal_bits(emitted.values[..., told, :][..., told], noise[n_own:])
        free = n_own * (n_rows - n_own + 1) + n_own * (n_own + 1) / 2
        return CodeLength.of(both - rest, emitted.sizes, n_states * free)


def _rows(lattice: Lattice, distance: int, every: int, origin: Floats) -> FixedPoint:
    """Return the rows of vectors less ``origin``, (M,): far from zero, squares would lose digits.

    Each lattice has offsets and scales of its own.
    """
    if isinstance(lattice, FixedPoint):
        values, scales, offsets = lattice.values, lattice.scales, lattice.offsets - origin
    else:
        values, scales, offsets = lattice[..., None], np.ones(1), np.zeros(1)

    def beside(step: Shape) -> NDArray[np.int32]:
        where = _beside(step, shape_of(lattice), distance, every)
        return values[where].astype(np.int32)

    here = (0,) * (values.ndim - 1)
    steps = [step for step in product((-1, 0, 1), repeat=len(here)) if step > here]
    pairs = [beside(step) + beside(tuple(-k for k in step)) for step in steps]
    rows = np.concatenate([beside(here), *pairs], axis=-1)
    scales = np.tile(scales, 1 + len(pairs))
    offsets = np.concatenate([offsets, *[2 * offsets for _ in pairs]])  # a pair is a sum of two
    axes = tuple(range(len(here)))
    low, high = (offsets + scales * reduce(rows, axis=axes) for reduce in (np.min, np.max))
    return FixedPoint(rows, offsets, scales, low, high)


def _beside(step: Shape, shape: Shape, distance: int, every: int) -> tuple[slice, ...]:
    """Return where the nodes are that are so many steps from those that count, in every row."""
    first, *others = (
        slice((1 + k) * distance, n - (1 - k) * distance) for k, n in zip(step, shape, strict=True)
    )
    return slice(first.start, first.stop, every), *others
