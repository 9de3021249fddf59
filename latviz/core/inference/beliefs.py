"""Beliefs of a data set: the strength of the coupling, and messages until convergence."""

import math
from collections.abc import Iterable

import numpy as np

from latviz.core.checks import check_integer, check_number
from latviz.core.data.data_set import DataSet
from latviz.core.inference.emission import Densities
from latviz.core.inference.field import Field, Sequence, field_of
from latviz.core.inference.potentials import potentials_of
from latviz.core.progress import Progress, Quiet, shares, stop_if_cancelled
from latviz.core.types import Matrix, States

PASSES = 10
"""Passes of messages along every axis before the first check for movement."""
MOST_PASSES = 400
"""The most passes: if couplings are nearly critical, borders keep moving for long."""
_STRETCH = 10
"""Passes between two such questions."""
_STILL = 1, 2
"""Messages are settled if none moves by more units of their 16 bits, each a share of 5e-4, in a
pass, or else in a stretch. Rounding alone moves them by one."""
STRENGTHS = (1 / 16, 4.0)
"""Between which the strength is sought: from hardly any coupling to four times that of A."""
_RATIO = 1.15
"""Ratio of successive strengths; a parabola through three of them gives the best."""
_STEP = 2
"""Passes of each: messages stay from one to the next, which asks for little more."""
_PATIENCE = 3
"""Strengths in a row that are worse than the best, which end the search."""
_SAMPLE = 1 << 16
"""Nodes, from the middle of a data set, for finding the strength, which is a single number."""


def fields_of(emission: Densities, data: DataSet) -> list[Field]:
    """Return the fields of a data set, before any message was sent."""
    each = zip(data.values, data.shapes, data.masks, strict=True)
    return [field_of(emission, *one) for one in each]


def settled(
    emission: Densities,
    A: Matrix,
    data: DataSet,
    strength: float,
    progress: Progress | None = None,
    *,
    passes: int | None = None,
) -> list[Field]:
    """Return the fields of a data set after their messages were sent."""
    # passes: 0 to PASSES along every axis; by default until they are settled, which takes PASSES or
    # more; of sequences one is exact. `ParameterError` also for more than three dimensions, and
    # where memory cannot hold the messages
    if passes is not None:
        passes = check_integer("passes", passes, 0, PASSES)
    potentials = potentials_of(A, check_strength(strength))
    fields = fields_of(emission, data)
    if passes == 0:
        return fields
    parts = shares(progress, [math.prod(field.shape) for field in fields])
    for field, part in zip(fields, parts, strict=False):
        if passes is None:
            _settle(field, potentials, part)
        else:
            field.send(potentials, passes, part)
    return fields


def _settle(field: Field, potentials: Matrix, progress: Progress | None) -> None:
    """Send messages until they hardly move, MOST_PASSES times at most."""
    # A single pass that moves none is enough at first. If some moved, they may creep: a whole
    # stretch must move none then
    field.send(potentials, PASSES - 1, progress)
    if isinstance(field, Sequence):
        return
    quiet, (still, creeping) = None if progress is None else Quiet(progress), _STILL
    if _moved(field, potentials, 1, quiet) <= still:
        return
    for _ in range((MOST_PASSES - PASSES) // _STRETCH):
        if _moved(field, potentials, _STRETCH, quiet) <= creeping:
            return


def _moved(field: Field, potentials: Matrix, passes: int, progress: Progress | None) -> int:
    """Send messages, and return the greatest change, in units."""
    before = field.messages.copy()
    field.send(potentials, passes, progress)
    np.subtract(field.messages, before, out=before)
    steps = before.view(np.int16)
    return max(int(steps.max()), -int(steps.min()))


def check_strength(strength: float) -> float:
    """Return an exponent of A, or raise `ParameterError`."""
    return check_number("strength", strength, 0.0, 100.0)


def strength_of(
    emission: Densities, A: Matrix, data: DataSet, progress: Progress | None = None
) -> float:
    """Return the strength of least cavity code length, which counts no node's own observation."""
    # From weak to strong, because messages along strong couplings change slowly. Only the middle of
    # a large data set is used
    if emission.n_states == 1:
        return 1.0
    fields = fields_of(emission, data.middle(_SAMPLE))
    logs, nats = list[float](), list[float]()
    for log_strength in np.arange(math.log(STRENGTHS[0]), math.log(STRENGTHS[1]), math.log(_RATIO)):
        stop_if_cancelled(progress)
        logs.append(float(log_strength))
        nats.append(_code_length(fields, potentials_of(A, math.exp(log_strength))))
        if len(nats) - 1 - np.argmin(nats) == _PATIENCE:
            break
    return math.exp(_lowest(logs, nats))


def _lowest(x: list[float], y: list[float]) -> float:
    """Return the minimum of a function, by a parabola around the least of its values."""
    k = int(np.argmin(y))
    if not 0 < k < len(y) - 1:
        return x[k]
    before, here, after = y[k - 1 : k + 2]
    bend = before - 2 * here + after
    return x[k] + (x[k + 1] - x[k]) * (before - after) / (2 * bend) if bend > 0 else x[k]


def _code_length(fields: Iterable[Field], potentials: Matrix) -> float:
    """Return the cavity code length of fields after some more messages, in nats."""
    total = 0.0
    for field in fields:
        field.send(potentials, _STEP)
        total += field.nats()
    return total


def most_probable(
    emission: Densities,
    A: Matrix,
    data: DataSet,
    strength: float,
    progress: Progress | None = None,
) -> list[States]:
    """Return the states of each sequence that are the most probable together (Viterbi)."""
    potentials = potentials_of(A, check_strength(strength))
    found = []
    for field in fields_of(emission, data):
        stop_if_cancelled(progress)
        assert isinstance(field, Sequence)
        found.append(field.most_probable(potentials))
    return found
