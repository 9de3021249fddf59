"""The problem that all methods solve, and the one energy that scores their labels."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.checks import check_memory
from latviz.core.data.data_set import DataSet
from latviz.core.errors import ParameterError
from latviz.core.inference.beliefs import fields_of, settled, strength_of
from latviz.core.inference.emission import Densities
from latviz.core.inference.field import MOST_AXES
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.core.types import Matrix, NodeMap, Shape, Signature, States


@dataclass(frozen=True, eq=False)
class Problem:
    """Lattices whose nodes are to be given N states: arrays alone, to be sent to a process."""

    # (*shape, N) float32 each: the cost of a node's observation under each state, in nats, >= 0
    unary: tuple[NodeMap, ...]
    # the cost of two neighbours in different states, in nats, >= 0: the coupling of a Potts field
    strength: float
    # (*shape, M) each: the signature of a node's window; empty unless requested
    signatures: tuple[Signature, ...] = ()

    @property
    def n_states(self) -> int:
        """N."""
        return int(self.unary[0].shape[-1])

    @property
    def shapes(self) -> list[Shape]:
        """The shapes of the lattices."""
        return [one.shape[:-1] for one in self.unary]

    def energy(self, labels: Sequence[States]) -> float:
        """Return the energy of states, in nats: this one function scores all methods.

        It is the sum over nodes of the cost of their observations under their states, plus the
        strength for each pair of neighbours in different states, at least 0. Up to a constant it is
        minus the logarithm of the joint probability of states and observations. ``labels`` are the
        states of each lattice, (*shape) uint8 from 0 to N - 1; a `ParameterError` refuses others.
        """
        if [one.shape for one in labels] != self.shapes:
            found = [one.shape for one in labels]
            raise ParameterError(f"states must be of shapes {self.shapes}, got {found}")
        own = 0.0
        for costs, states in zip(self.unary, labels, strict=True):
            chosen = np.take_along_axis(costs, states[..., None].astype(np.intp), axis=-1)
            own += float(chosen.sum(dtype=np.float64))
        return own + self.strength * sum(map(n_unlike, labels))

    def named(self, labels: Sequence[States]) -> list[States]:
        """Return labels, numbered in any way, under the numbers of states of the least energy."""
        costs = np.zeros((self.n_states, self.n_states))
        for unary, own in zip(self.unary, labels, strict=True):
            for label in range(self.n_states):
                costs[label] += unary[own == label].sum(axis=0, dtype=np.float64)
        names = np.empty(self.n_states, dtype=np.uint8)
        rows, columns = scipy.optimize.linear_sum_assignment(costs)
        names[rows] = columns
        return [names[own] for own in labels]


def n_unlike(states: NDArray[np.integer]) -> int:
    """Return the number of neighbouring pairs in different states."""
    return sum(int(np.count_nonzero(np.diff(states, axis=k))) for k in range(states.ndim))


def like_attracts_like(n_states: int) -> Matrix:
    """Return A (N, N) of a Potts field: its strength is the cost of a pair of unlike states."""
    return np.asarray(np.exp(np.eye(n_states)))


def suited_strength(emission: Densities, data: DataSet, progress: Progress | None = None) -> float:
    """Return the strength of a Potts field of least cavity code length, which needs no truth."""
    # Errors are those of `latviz.core.inference.beliefs.settled`
    return strength_of(emission, like_attracts_like(emission.n_states), data, progress)


def problem_of(
    data: DataSet,
    emission: Densities,
    strength: float,
    progress: Progress | None = None,
) -> Problem:
    """Return the problem of a data set of 1 to 3 axes, given the emissions of the states.

    ``strength`` is the cost of two neighbours in different states, in nats.

    Raises
    ------
    ParameterError
        If there are more axes, an observation is impossible in every state, or memory cannot hold
        the problem.
    Cancelled
        If ``progress`` is cancelled.
    """
    if data.dimensions > MOST_AXES:
        raise ParameterError(
            f"lattices must have 1 to {MOST_AXES} dimensions, got {data.dimensions}"
        )
    check_memory("the costs of all states", 12 * data.n_nodes * emission.n_states)
    _check_possible(emission, data)
    unary = []
    for field in fields_of(emission, data):
        stop_if_cancelled(progress)
        unary.append(field.state_nats())
    stop_if_cancelled(progress)
    return Problem(tuple(unary), strength)


def _check_possible(emission: Densities, data: DataSet) -> None:
    n_impossible = 0
    for values, shape in zip(data.values, data.shapes, strict=True):
        by_row = values.reshape(math.prod(shape[:-1]), shape[-1], *values.shape[len(shape) :])
        n_impossible += int(np.count_nonzero(np.isinf(emission.top_nats(by_row))))
    if n_impossible:
        raise ParameterError(
            f"no state can emit {n_impossible:,} of {data.n_nodes:,} observations, so their labels "
            "have no energy: raise the smoothing, or learn from all signatures"
        )


@dataclass(frozen=True, eq=False)
class Labelling:
    """States that a method gave to the nodes of a problem."""

    labels: list[States]  # (*shape) uint8, of each lattice
    seconds: float  # its duration, without that of starting it


def believed(
    emission: Densities, data: DataSet, strength: float, progress: Progress | None = None
) -> Labelling:
    """Return the states of most belief in the Potts field of the problem, with their time."""
    A, start = like_attracts_like(emission.n_states), time.perf_counter()
    fields = settled(emission, A, data, strength, progress)
    labels = [field.states() for field in fields]
    return Labelling(labels, time.perf_counter() - start)
