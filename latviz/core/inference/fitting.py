"""Emissions and coupling of a Markov random field, estimated from observations alone."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.data.data_set import DataSet
from latviz.core.data.masks import Mask
from latviz.core.inference.emission import Densities
from latviz.core.inference.field import Field, blank_field
from latviz.core.inference.potentials import LEAST
from latviz.core.progress import Progress, Quiet, report, stop_if_cancelled
from latviz.core.types import Floats, Matrix, Shape
from latviz.core.values import Value

Blank = Callable[[Shape, int], Field]

PASSES = 3
"""Passes of messages along every axis in a round: they stay from round to round."""
STILL = 1e-4
"""Bits per node by which a round must be better, to be followed by another."""
LEAST_ROUNDS = 4
"""Rounds to run in any case: failing twice to improve the strength does not mean convergence."""
RATIOS = (1.5, 1.2, 1.1, 1.05)
"""Factors for changing the strength in search of a better one: finer after every second failure."""


@dataclass(frozen=True, eq=False)
class Fit(Value):
    """A field that was fitted."""

    emission: Densities
    # symmetric: likelier pairs have more; the identity for a Potts field; or k parts that add up
    attraction: Annotated[Floats, "(N, N) or (k, N, N)"]
    strength: float  # times the attraction, the log of the odds that two states are neighbours
    bits: float  # cavity code length, bits per node
    fields: list[Field]  # of each lattice, with messages sent

    @property
    def n_couplings(self) -> int:
        """Free numbers of the coupling: strengths, or one for each pair of states but one."""
        n_states = self.emission.n_states
        if self.attraction.ndim == 3:
            return len(self.attraction)
        if np.array_equal(self.attraction, np.eye(n_states)):
            return int(n_states > 1)
        return n_states * (n_states + 1) // 2 - 1


def coupling(attraction: Floats, strength: float | Floats) -> Matrix:
    """Return the potentials of an attraction, (N, N) float64: 1 for the likeliest pairs."""
    # Of an attraction in parts (k, N, N), the strength may be (k, 1, 1)
    logs = strength * (attraction - attraction.max(axis=(-2, -1), keepdims=True))
    return np.asarray(np.maximum(np.exp(logs if logs.ndim == 2 else logs.sum(axis=0)), LEAST))


def potts(n_states: int, strength: float) -> Matrix:
    """Return the potentials of a Potts field, (N, N) float64: 1 for like states, the greatest."""
    return coupling(np.eye(n_states), strength)


class Strength:
    """Looks for the strength of least code length, round by round: up, down, then finer."""

    def __init__(self, start: float) -> None:
        self.best, self._place, self._up, self._failures = start, 0, True, 0

    def tried(self) -> float:
        """Return the one to compare with the best."""
        ratio = RATIOS[self._place]
        return self.best * ratio if self._up else self.best / ratio

    def take(self, better: bool) -> None:
        """Record the outcome of a try."""
        if better:
            self.best = self.tried()
            return
        self._up, self._failures = not self._up, self._failures + 1
        if self._failures == 2:
            self._place, self._failures = min(self._place + 1, len(RATIOS) - 1), 0


class _Coupling:
    """An attraction and its strength, or those of its parts, each of which is sought in turn."""

    def __init__(self, attraction: Floats, start: float) -> None:
        self._attraction, self._turn = attraction, 0
        n_parts = 1 if attraction.ndim == 2 else len(attraction)
        self._each = [Strength(start) for _ in range(n_parts)]

    def strength(self, tried: bool = False) -> float | Floats:
        """Return the best strength, or strengths (k, 1, 1) of parts; or what to compare with."""
        found = [one.best for one in self._each]
        if tried:
            found[self._turn] = self._each[self._turn].tried()
        return found[0] if self._attraction.ndim == 2 else np.reshape(found, (-1, 1, 1))

    def potentials(self, tried: bool = False) -> Matrix:
        """Return the potentials of the best strengths, or of those to compare with."""
        return coupling(self._attraction, self.strength(tried))

    @property
    def least_rounds(self) -> int:
        """The rounds to run in any case."""
        return LEAST_ROUNDS * len(self._each)

    def take(self, better: bool) -> None:
        """Record the outcome of a try."""
        self._each[self._turn].take(better)
        self._turn = (self._turn + 1) % len(self._each)

    def fit(self, emission: Densities, bits: float, fields: list[Field]) -> "Fit":
        """Return what was found; parts of an attraction then have their strengths in them."""
        best = self.strength()
        if isinstance(best, float):
            return Fit(emission, self._attraction, best, bits, fields)
        return Fit(emission, best * self._attraction, 1.0, bits, fields)


def _renewed(emission: Densities, fields: list[Field], data: DataSet, times: int) -> Densities:
    """Return the emission estimated from beliefs, repeated while the code becomes shorter."""
    bits = math.inf
    for k in range(times):
        emission = emission.renewed(
            threads.each(fields, lambda field: field.beliefs(), _work(fields)), data
        )
        if k + 1 == times:
            break
        _observe_each(fields, data, emission)
        before, bits = bits, _length(fields, data)
        if before - bits < STILL:
            break
    return emission


def fields_at_rest(
    emission: Densities,
    potentials: Matrix,
    data: DataSet,
    *,
    most: int,
    blank: Blank = blank_field,
    progress: Progress | None = None,
) -> list[Field]:
    """Return fields whose messages were sent until their code length is stable."""
    # PASSES times along each axis at once, ``most`` such turns at most
    fields = [blank(shape, emission.n_states) for shape in data.shapes]
    _observe_each(fields, data, emission)
    bits = math.inf
    for k in range(most):
        stop_if_cancelled(progress)
        before, bits = bits, _bits(fields, potentials, data, progress)
        report(progress, (k + 1) / most)
        if abs(before - bits) < STILL:
            break
    return fields


def _observe_each(fields: list[Field], data: DataSet, emission: Densities) -> None:
    """Let fields take their observations by an emission."""

    def observe(each: tuple[Field, NDArray[Any], Mask]) -> None:
        each[0].observe(emission, *each[1:])

    threads.each([*zip(fields, data.values, data.masks, strict=True)], observe, _work(fields))


def _work(fields: list[Field]) -> float:
    """Return the work of a pass over one of the fields; see `threads.each`."""
    sizes = [math.prod(field.shape) * field.n_states for field in fields]
    return sum(sizes) / len(sizes)


def _work_of_sending(fields: list[Field], data: DataSet) -> float:
    return 2.0 * PASSES * data.dimensions * _work(fields)


def _sent(
    fields: list[Field],
    search: _Coupling,
    data: DataSet,
    searching: bool,
    progress: Progress | None,
) -> tuple[list[Field], float]:
    """Send messages with the best strength so far; return fields and bits, or another one's."""
    # The other strength starts from the same messages, at the same time; it is kept if the code is
    # shorter
    tried = [(fields, search.potentials())]
    if searching:
        tried.append(([field.twin() for field in fields], search.potentials(tried=True)))

    def bits_of(one: tuple[list[Field], Matrix]) -> float:
        return _bits(*one, data, progress)

    bits = threads.each(tried, bits_of, len(fields) * _work_of_sending(fields, data))
    better = len(bits) > 1 and bits[1] < bits[0]
    if searching:
        search.take(better)
    return tried[better][0], bits[better]


def _bits(
    fields: list[Field], potentials: Matrix, data: DataSet, progress: Progress | None
) -> float:
    """Send messages, and return the code length then, in bits per node."""
    work, quiet = _work_of_sending(fields, data), None if progress is None else Quiet(progress)
    threads.each(fields, lambda field: field.send(potentials, PASSES, quiet), work)
    return _length(fields, data)


def _length(fields: list[Field], data: DataSet) -> float:
    nats = threads.each(fields, lambda field: field.nats(), _work(fields))
    return sum(nats) / (data.n_known * math.log(2))


def fit(
    emission: Densities,
    data: DataSet,
    strength: float = 1.0,
    *,
    most: int,
    attraction: Floats | None = None,
    searching: bool = True,
    fields: list[Field] | None = None,
    renewals: int = 1,
    progress: Progress | None = None,
) -> Fit:
    """Return the fit of the first round with stable bits, or of the last of ``most``."""
    # A round sends the messages with the strength so far and, if ``searching``, with another one,
    # which replaces it if the code is shorter; then it estimates emissions from beliefs, up to
    # ``renewals`` times while messages stay. Messages go on from those of ``fields``. Without an
    # ``attraction`` it is a Potts field's
    fields = fields or [blank_field(shape, emission.n_states) for shape in data.shapes]
    search = _Coupling(np.eye(emission.n_states) if attraction is None else attraction, strength)
    before, k = math.inf, 0
    while True:
        stop_if_cancelled(progress)
        _observe_each(fields, data, emission)
        fields, bits = _sent(fields, search, data, searching, progress)
        k += 1
        report(progress, k / most)
        if k == most or (k >= search.least_rounds and before - bits < STILL):
            return search.fit(emission, bits, fields)
        before, emission = bits, _renewed(emission, fields, data, renewals)
