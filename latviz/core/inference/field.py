"""Sum-product on one lattice: messages, and the beliefs that follow."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import UNKNOWN, check_memory
from latviz.core.data.masks import Mask, hide, runs
from latviz.core.errors import ParameterError
from latviz.core.inference.emission import Densities, Sizes, Tiles
from latviz.core.inference.potentials import compact
from latviz.core.progress import Progress, report, stop_if_cancelled
from latviz.core.types import Floats, Matrix, NodeMap, Shape, States
from latviz.core.values import Value

Beliefs = NDArray[np.float32]
"""Each node's distribution over states, (*shape, N)."""
LANES = 8
MOST_AXES = 3
_BATCH = 1 << 22
"""Nodes times states between two checks for cancellation."""


@dataclass(frozen=True, eq=False)
class NodeBelief(Value):
    """The evidence for one node's state, from itself and from each side; rows sum to 1."""

    observation: Annotated[Floats, "(N,)"]  # by its own observation
    axes: Annotated[Floats, "(d, N)"]  # by its neighbours along each axis, from both sides
    belief: Annotated[Floats, "(N,)"]  # the product of both


class Field(ABC):
    """A Markov random field over one lattice, and its messages so far; see `blank_field`."""

    # Messages stay from one `send` to the next, also with new observations: a small change needs
    # few passes

    messages: NDArray[Any]

    def __init__(self, shape: Shape, sizes: Sizes) -> None:
        self.shape, self.n_states, self._sizes = shape, sizes[3], sizes
        self._likelihoods: Tiles = np.ones(math.prod(sizes[1:]) * LANES, dtype=np.float32)
        self._top_nats = 0.0
        self._observed: tuple[Densities, NDArray[Any]] | None = None
        self.known: Mask = None
        self._unknown: NDArray[np.bool_] | None = None  # (T, R, 1, 8), as the tiles lie

    def observe(self, emission: Densities, values: NDArray[Any], known: Mask = None) -> None:
        """Take each node's observation (*shape) or (*shape, M) by an emission of as many states."""
        # An unknown node is not there: it has no likelihood, for which the kernels let it send 1 to
        # all states, belief 0, state `UNKNOWN` and no code length
        n_rows, width = math.prod(self.shape[:-1]), self.shape[-1]
        by_row = values.reshape(n_rows, width, *values.shape[len(self.shape) :])
        self._observed = emission, by_row
        self._top_nats = emission.likelihoods(by_row, self._sizes, self._likelihoods)
        if known is not None:
            self.known, self._unknown = known, self._as_tiles(~known)
            self._top_nats = -float(emission.top_nats(values[known][None]).sum())
            self._clear(self._likelihoods, 0)

    def _as_tiles(self, of_nodes: NDArray[np.bool_]) -> NDArray[np.bool_]:
        n_tiles, n_rows = self._sizes[1:3]
        rows = np.zeros((n_rows, n_tiles * LANES), dtype=np.bool_)
        rows[: math.prod(self.shape[:-1]), : self.shape[-1]] = of_nodes.reshape(-1, self.shape[-1])
        return rows.reshape(n_rows, n_tiles, 1, LANES).transpose(1, 0, 2, 3)

    def _clear(self, numbers: NDArray[Any], value: Any) -> None:
        """Set the numbers (k T R N 8,) of unknown nodes."""
        if self._unknown is not None:
            tiles = numbers.reshape(-1, *self._sizes[1:], LANES)
            np.copyto(tiles, numbers.dtype.type(value), where=self._unknown)

    def _of_known(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return numbers of nodes, NaN of unknown ones."""
        if self.known is not None:
            numbers[~self.known] = np.nan
        return numbers

    @abstractmethod
    def send(self, potentials: Matrix, passes: int, progress: Progress | None = None, /) -> None:
        """Send messages, ``passes`` times along the lines of each axis in turn."""
        # potentials (N, N) of `potentials_of`. In one dimension one pass is exact, and made. If
        # cancelled, some messages are newer than others

    @abstractmethod
    def beliefs(self) -> Beliefs:
        """Return the belief of each node in each state, (*shape, N) float32; they sum to 1."""
        # Or to 0, of unknown nodes

    @abstractmethod
    def states(self) -> States:
        """Return the state of most belief, (*shape) uint8, of several the smallest."""

    @abstractmethod
    def entropies(self) -> NodeMap:
        """Return the entropy of each node's belief, (*shape) float32, in bits: 0 to log2 N."""
        # NaN of unknown nodes

    def at(self, node: tuple[int, ...]) -> NodeBelief:
        """Return the belief of a node, given by its position, with its evidence."""
        own, axes = (np.asarray(part, dtype=np.float64) for part in self._evidence_at(node))
        both = own * axes.prod(axis=0)
        sides = axes / axes.sum(axis=1, keepdims=True)
        whole, total = own.sum() or 1.0, both.sum() or 1.0  # an unknown node has neither
        return NodeBelief(own / whole, sides, both / total)

    @abstractmethod
    def _evidence_at(self, node: tuple[int, ...]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the likelihood of a node (N,) and the message of each axis (d, N)."""

    def nats(self) -> float:
        """Return the cavity code length of the lattice, in nats."""
        # The sum over nodes of -log sum_j c_t(j) b(j, o_t), where c_t is the belief in t's state
        # from all other nodes, so that a node does not count its own observation
        return self._cavity_nats() - self._top_nats

    def twin(self) -> Self:
        """Return a field of the same observations, with a copy of the messages."""
        other = copy(self)
        other.messages = self.messages.copy()
        return other

    def node_nats(self) -> Floats:
        """Return the cavity code length of each node, (*shape), in nats; NaN of unknown ones."""
        # ValueError if nothing was observed
        if self._observed is None:
            raise ValueError("nothing was observed")
        emission, by_row = self._observed
        return self._of_known(self._cavities() + emission.top_nats(by_row).reshape(self.shape))

    def state_nats(self) -> NodeMap:
        """Return nats of each state below the likeliest by observation, (*shape, N) float32."""
        # From 0 to -log FLOOR; all 0 of unknown nodes, and if nothing was observed.
        # `ParameterError` if memory cannot hold them
        check_memory("costs of each state", 8 * math.prod(self.shape) * self.n_states)
        n_tiles, n_padded, n_states = self._sizes[1:]
        tiles = self._likelihoods.reshape(n_tiles, n_padded, n_states, LANES)
        rows = tiles.transpose(1, 0, 3, 2).reshape(n_padded, n_tiles * LANES, n_states)
        inside = rows[: math.prod(self.shape[:-1]), : self.shape[-1]]
        nats: NodeMap = -np.log(np.where(inside > 0, inside, np.float32(1)), order="C")
        return nats.reshape(*self.shape, n_states)

    @abstractmethod
    def _cavities(self) -> Floats:
        """Return the code length of each node for likelihoods as shares of the greatest."""

    def _cavity_nats(self) -> float:
        """Return the total code length."""
        return float(self._cavities().sum())


class Sequence(Field):
    """A chain: one pass forward and one back are exact (forward-backward)."""

    def __init__(self, shape: Shape, sizes: Sizes) -> None:
        super().__init__(shape, sizes)
        self.messages = np.full((*shape, self.n_states), 1 / self.n_states, dtype=np.float32)

    @property
    def likelihood(self) -> NDArray[np.float32]:
        """The likelihood of each node's states, (U, N)."""
        tiles = self._likelihoods.reshape(-1, self.n_states, LANES).transpose(0, 2, 1)
        return np.ascontiguousarray(tiles.reshape(-1, self.n_states)[: self.shape[0]])

    def send(self, potentials: Matrix, _passes: int, progress: Progress | None = None, /) -> None:
        """Find the messages of both directions."""
        kernels.sequences.forward_backward(self._likelihoods, compact(potentials), self.messages)
        report(progress, 1.0)

    def beliefs(self) -> Beliefs:
        """Return the posterior distribution of each node's state."""
        out: Beliefs = np.empty_like(self.messages)
        kernels.sequences.beliefs(self._likelihoods, self.messages, out)
        return out

    def states(self) -> States:
        """Return the state of most belief of each node."""
        best: States = np.argmax(self.beliefs(), axis=1).astype(np.uint8)
        return hide(best, self.known)

    def entropies(self) -> NodeMap:
        """Return the entropy of each node's belief."""
        nats = scipy.special.entr(self.beliefs()).sum(axis=1)
        return self._of_known(nats / np.float32(np.log(2)))

    def _evidence_at(self, node: tuple[int, ...]) -> tuple[NDArray[Any], NDArray[Any]]:
        at = node[0]
        own = self._likelihoods.reshape(-1, self.n_states, LANES)[at // LANES, :, at % LANES]
        return own, self.messages[at : at + 1]

    def most_probable(self, potentials: Matrix) -> States:
        """Return the states that are the most probable together (Viterbi), (U,) uint8."""
        states, likelihood = np.full(self.shape, UNKNOWN, dtype=np.uint8), self.likelihood
        room = np.empty(likelihood.shape, dtype=np.uint8)
        for run in runs(self.known, self.shape[0]):
            kernels.sequences.most_probable(likelihood[run], potentials, room[run], states[run])
        return states

    def _cavities(self) -> Floats:
        return np.asarray(-np.log(self._shares()))

    def _cavity_nats(self) -> float:
        # One logarithm for eight nodes, that of their product: no factor is less than 2^-60
        products = np.multiply.reduceat(self._shares(), np.arange(0, self.shape[0], LANES))
        return -float(np.log(products).sum())

    def _shares(self) -> Floats:
        """Return sum_j c(j) b(j, o) of each node, c its cavity, (U,)."""
        shares = np.empty(self.shape)
        kernels.sequences.shares(self._likelihoods, self.messages, shares)
        return shares


class Grid(Field):
    """An image or a volume: each axis in turn has its lines solved, with the others held."""

    def __init__(self, shape: Shape, sizes: Sizes) -> None:
        super().__init__(shape, sizes)
        self._n_rows = math.prod(shape[:-1])
        n_messages = len(shape) * self._likelihoods.size
        self.messages = np.full(n_messages, kernels.chains.NOTHING)

    def send(self, potentials: Matrix, passes: int, progress: Progress | None = None, /) -> None:
        """Solve the lines of the first axis, then of the next, and so on, ``passes`` times."""
        pairs, n_axes = compact(potentials), len(self.shape)
        size = self._likelihoods.size
        if size <= _BATCH and threads.is_alone(2.0 * size):
            field = self._likelihoods, self.messages, self._sizes
            for k in range(passes):
                stop_if_cancelled(progress)
                kernels.chains.send(*field, np.array(self.shape), pairs, 1)
                report(progress, (k + 1) / passes)
        else:
            for step in range(passes * n_axes):
                stop_if_cancelled(progress)
                self._send_along(step % n_axes, pairs, progress)
                report(progress, (step + 1) / (passes * n_axes))
        self._clear(self.messages, kernels.chains.NOTHING)

    def _send_along(self, axis: int, pairs: NDArray[np.float32], progress: Progress | None) -> None:
        n = self.shape[axis]
        fixed = self._likelihoods, self.messages, self._sizes
        if axis == len(self.shape) - 1:
            n_lines = self._sizes[2] // LANES

            def task(start: int, stop: int) -> None:
                kernels.chains.across(*fixed, n, pairs, start, stop)

        else:
            stride, per_tile = math.prod(self.shape[axis + 1 : -1]), self._n_rows // n
            n_lines = self._sizes[1] * per_tile

            def task(start: int, stop: int) -> None:
                kernels.chains.down(*fixed, axis, stride, n, per_tile, pairs, start, stop)

        in_line = n * self.n_states * LANES
        batch = max(1, _BATCH // in_line)
        for first in range(0, n_lines, batch):
            stop_if_cancelled(progress)
            last = min(n_lines, first + batch)
            threads.over_rows(last - first, partial(_shifted, task, first), 2.0 * in_line)

    def beliefs(self) -> Beliefs:
        """Return the belief of each node in each state."""
        check_memory("beliefs of a lattice of this size", 4 * math.prod(self.shape) * self.n_states)
        out = np.empty((self._n_rows, self.shape[-1], self.n_states), dtype=np.float32)
        self._over_tiles(kernels.marginals.beliefs, out)
        return out.reshape((*self.shape, self.n_states))

    def states(self) -> States:
        """Return the state of most belief of each node."""
        out = np.empty((self._n_rows, self.shape[-1]), dtype=np.uint8)
        self._over_tiles(kernels.marginals.states, out)
        return hide(out.reshape(self.shape), self.known)

    def entropies(self) -> NodeMap:
        """Return the entropy of each node's belief."""
        out = np.empty((self._n_rows, self.shape[-1]), dtype=np.float32)
        self._over_tiles(kernels.marginals.entropies, out)
        return self._of_known(out.reshape(self.shape))

    def _evidence_at(self, node: tuple[int, ...]) -> tuple[NDArray[Any], NDArray[Any]]:
        row = int(np.ravel_multi_index(node[:-1], self.shape[:-1]))
        tile, lane = divmod(node[-1], LANES)
        place = tile, row, slice(None), lane
        tiles = *self._sizes[1:], LANES
        messages = self.messages.reshape(len(self.shape), *tiles)[(slice(None), *place)]
        return self._likelihoods.reshape(tiles)[place], kernels.eights.numbers(messages)

    def _cavity_nats(self) -> float:
        nats = np.empty(self._sizes[1])
        self._over_tiles(kernels.marginals.cavity_nats, self._n_rows, self.shape[-1], out=nats)
        return float(nats.sum())

    def _cavities(self) -> Floats:
        out = np.empty((self._n_rows, self.shape[-1]))
        self._over_tiles(kernels.marginals.cavities, out)
        return out.reshape(self.shape)

    def _over_tiles(self, kernel: Any, *arguments: Any, out: NDArray[Any] | None = None) -> None:
        """Call a kernel for ranges of tiles; the last argument is its output."""
        rest = arguments if out is None else (*arguments, out)

        def task(start: int, stop: int) -> None:
            field = self._likelihoods, self.messages, self._sizes
            kernel(*field, *rest[:-1], start, stop, rest[-1])

        in_tile = self._sizes[2] * self.n_states * LANES
        threads.over_rows(self._sizes[1], task, float(in_tile))


def _shifted(task: Callable[[int, int], None], by: int, start: int, stop: int) -> None:
    task(by + start, by + stop)


def blank_field(shape: Shape, n_states: int) -> Field:
    """Return the field of a lattice (d from 1 to 3) without observations and messages."""
    # `ParameterError` for more dimensions, and where memory cannot hold the messages
    return (Sequence if len(shape) == 1 else Grid)(shape, sizes_of(shape, n_states))


def sizes_of(shape: Shape, n_states: int) -> Sizes:
    """Return the sizes of the tiles of a lattice; see `blank_field`, also for errors."""
    if len(shape) > MOST_AXES:
        raise ParameterError(f"the lattice must have 1 to {MOST_AXES} dimensions, got {len(shape)}")
    n_rows, width = math.prod(shape[:-1]), shape[-1]
    padded = n_rows if len(shape) == 1 else -(-n_rows // LANES) * LANES
    sizes = len(shape), -(-width // LANES), padded, n_states
    n_bytes = math.prod(sizes[1:]) * LANES * (4 + 2 * len(shape))
    check_memory("messages of a lattice of this size", n_bytes)
    return sizes


def field_of(emission: Densities, values: NDArray[Any], shape: Shape, known: Mask = None) -> Field:
    """Return the field of a lattice that is observed; see `blank_field` and `Field.observe`."""
    field = blank_field(shape, emission.n_states)
    field.observe(emission, values, known)
    return field
