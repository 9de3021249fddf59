"""Fields whose beliefs exclude a node's own observation, even by messages along loops."""

import math
from copy import copy
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.inference.emission import Sizes
from latviz.core.inference.field import LANES, Field, Grid, blank_field, sizes_of
from latviz.core.progress import Progress
from latviz.core.types import Matrix, Shape

Places = NDArray[np.intp]

N_GROUPS = 8
"""One node in this number is hidden at a time, and each in turn."""
_STEPS = 1, 3, 2
"""Along the last axis, the one before it and the first: no nodes of a group touch, at corners."""


class HeldOutGrid(Grid):
    """An image or a volume, of which one node in eight is hidden at a time."""

    # In two dimensions and more messages run in loops, and return a node's own observation as if it
    # came from others. So the messages from its neighbours are those sent while it is hidden: code
    # length and beliefs count each observation once

    def __init__(self, shape: Shape, sizes: Sizes) -> None:
        super().__init__(shape, sizes)
        self._hidden = hidden_places(shape, sizes)
        self._by_group = [self.messages.copy() for _ in self._hidden]

    def send(self, potentials: Matrix, passes: int, progress: Progress | None = None, /) -> None:
        """Send messages for each group of nodes while it is hidden."""
        by_axis = self.messages.reshape(len(self.shape), -1)

        def send_without(messages: NDArray[Any], hidden: Places, part: Progress | None) -> None:
            others = copy(self)
            others.messages, others._likelihoods = messages, self._likelihoods.copy()
            others._likelihoods[hidden] = others._likelihoods[hidden] > 0  # or it is unknown
            Grid.send(others, potentials, passes, part)
            for to, came in zip(by_axis, messages.reshape(by_axis.shape), strict=True):
                to[hidden] = came[hidden]

        groups = zip(self._by_group, self._hidden, strict=True)
        work = 2.0 * passes * self.messages.size
        threads.all_of([partial(send_without, *group) for group in groups], progress, work)

    def twin(self) -> Self:
        """Return a field of the same observations, with a copy of the messages of every group."""
        other = super().twin()
        other._by_group = [messages.copy() for messages in self._by_group]
        return other


def hidden_places(shape: Shape, sizes: Sizes) -> list[Places]:
    """Return the places of the likelihoods of each group's nodes, `N_GROUPS` of (n_nodes * N,)."""
    n_tiles, n_rows, n_states = sizes[1:]
    places = np.arange(n_tiles * n_rows * n_states * LANES)
    tiles = places.reshape(n_tiles, n_rows, n_states, LANES).transpose(1, 0, 3, 2)
    by_row = tiles.reshape(n_rows, n_tiles * LANES, n_states)
    inside = by_row[: math.prod(shape[:-1]), : shape[-1]].reshape(*shape, n_states)
    positions = np.ogrid[tuple(slice(n) for n in shape)]
    group = sum(k * at for k, at in zip(_STEPS, reversed(positions), strict=False)) % N_GROUPS
    return [inside[group == k].reshape(-1) for k in range(N_GROUPS)]


def held_out_field(shape: Shape, n_states: int) -> Field:
    """Return a field like `blank_field`, whose nodes get messages without their own observation."""
    # In one dimension there are no loops: it is the same
    if len(shape) == 1:
        return blank_field(shape, n_states)
    return HeldOutGrid(shape, sizes_of(shape, n_states))
