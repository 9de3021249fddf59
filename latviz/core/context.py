"""How many bits a node's observation costs, given its state and nodes at some distance.

Neighbours in photographs and filtered features resemble each other beyond their states. Where they
are told, states save only what neighbours do not tell: not the slow changes of light, which
neighbours share, but how smooth, coarse or bright the texture around is.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from latviz.core.code_length import CodeLength, Emitted, States, normal_bits
from latviz.core.fixed_point import FixedPoint, to_fixed_point
from latviz.core.parts import Lattice, shape_of

Floats = NDArray[np.float64]

NOISE = 1e-3
"""Variance that is added to each channel, of its own: finer details count for nothing."""
LEAST = 1e-30
"""The least variance that is taken for that of a channel."""
NODES = 1 << 18
"""Nodes of which code lengths are estimated, about."""


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
        rows = [_rows(lattice, distance, self._every) for lattice in kept]
        self._rows = [to_fixed_point(part) for part in rows]
        self._n_own = n_symbols if isinstance(lattices[0], FixedPoint) else 1
        if rows:
            flat = np.concatenate([part.reshape(-1, part.shape[-1]) for part in rows])
            self._noise = NOISE * np.maximum(flat.var(axis=0), LEAST)

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
        n_own, n_rows = self._n_own, self._noise.size
        emitted = Emitted.of(self._rows, inner, n_states, n_rows)
        told = [0, *range(n_own + 1, n_rows + 1)]
        both = normal_bits(emitted.values, self._noise)
        rest = normal_bits(emitted.values[..., told, :][..., told], self._noise[n_own:])
        free = n_own * (n_rows - n_own + 1) + n_own * (n_own + 1) / 2
        return CodeLength.of(both - rest, emitted.sizes, n_states * free)


def _rows(lattice: Lattice, distance: int, every: int) -> Floats:
    shape = shape_of(lattice)

    def values(step: tuple[int, ...]) -> Floats:
        where = _beside(step, shape, distance, every)
        if isinstance(lattice, FixedPoint):
            return np.asarray(lattice.scales * lattice.values[where])
        return lattice[where][..., None].astype(np.float64)

    here = (0,) * len(shape)
    steps = [step for step in product((-1, 0, 1), repeat=len(shape)) if step > here]
    pairs = [values(step) + values(tuple(-k for k in step)) for step in steps]
    return np.concatenate([values(here), *pairs], axis=-1)


def _beside(
    step: tuple[int, ...], shape: tuple[int, ...], distance: int, every: int
) -> tuple[slice, ...]:
    """Return where the nodes are that are so many steps from those that count, in every row."""
    first, *others = (
        slice((1 + k) * distance, n - (1 - k) * distance) for k, n in zip(step, shape, strict=True)
    )
    return slice(first.start, first.stop, every), *others
