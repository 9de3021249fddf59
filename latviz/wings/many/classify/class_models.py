"""Class-conditional models, and scores of a lattice that can be compared between them (1.7)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from latviz.core import threads
from latviz.core.choice.refining import doubtful_emission, model_of, refined_fit
from latviz.core.data.data_set import DataSet
from latviz.core.inference.beliefs import fields_of, strength_of
from latviz.core.inference.emission import Densities, emission_of
from latviz.core.inference.field import Beliefs, Field, field_of
from latviz.core.inference.fitting import coupling, potts
from latviz.core.inference.potentials import potentials_of
from latviz.core.model.indices import count
from latviz.core.model.learning import adjacency
from latviz.core.model.models import KINDS, Model
from latviz.core.model.terms import terms_of_nodes
from latviz.core.progress import Progress, Quiet, report, shares, stop_if_cancelled
from latviz.core.types import Floats, Matrix, States
from latviz.core.values import Value
from latviz.core.windows.decoding import decode_each
from latviz.core.windows.leave_one_out import decode_without

Criterion = Literal["cavity", "windows", "data", "printed"]
"""The terms that are summed over nodes, see `scores`."""
PASSES = 5
"""Passes of messages along every axis of a lattice that is scored."""
ROUNDS = 3
"""Rounds of counting couplings over beliefs and using them."""
WEAK = 0.3
"""The strength of the Potts field that rounds begin with."""
HALF = 0.5
"""Times that each symbol and each pair of states is counted more than it is seen."""
TURNS = 2
"""Times that each class is tried from the best model of all."""
FEW = 1 << 14
"""Nodes of each class for testing whether another class's model suits it better."""
SAMPLE = 1 << 15
"""Nodes of all classes together for learning a common codebook."""


@dataclass(frozen=True, eq=False)
class ClassModel(Value):
    """The model of a class."""

    model: Model  # emissions, A and w
    # for decoding windows: of signatures, where emissions are those of nodes
    codebook: Annotated[Matrix, "(N, M)"]
    potentials: Annotated[Matrix, "(N, N)"]  # the attraction of two states, see `potentials_of`


def learned_each(
    sets: Sequence[DataSet],
    n_states: int,
    window: int,
    criterion: Criterion,
    *,
    shared: bool = False,
    progress: Progress | None = None,
) -> list[ClassModel]:
    """Return the models of all classes."""
    # Emissions and couplings are those of beliefs for "cavity"; emissions are those of windows
    # without their middle for "windows"; else all is that of Algorithms 4 and 8. ``shared``: all
    # classes have the states of one model, for "cavity" with its emission and an A of each class,
    # else with its codebook and an emission of each class
    if shared and criterion == "cavity":
        return _coupled_each(sets, n_states, window, progress)
    common = _plain(united(sets).middle(SAMPLE), n_states, window) if shared else None
    first, second = shares(progress, [3.0, 1.0]) if criterion == "cavity" else (progress, None)
    quiet = None if progress is None else Quiet(progress)
    settings = n_states, window, criterion, common, quiet
    found = _each(sets, lambda k: _learned(sets[k], *settings), first)
    if criterion != "cavity":
        return found
    few, parts = [data.middle(FEW) for data in sets], shares(second, [1.0] * TURNS)
    for part in parts:
        found = _taught(sets, few, found, part)
    return found


def _taught(
    sets: Sequence[DataSet],
    few: Sequence[DataSet],
    found: list[ClassModel],
    progress: Progress | None,
) -> list[ClassModel]:
    """Return models, each tried again from the one that scores its images best."""
    best = np.array([[scores(some, [of], "cavity").sum() for of in found] for some in few])
    places, quiet = best.argmax(axis=1), None if progress is None else Quiet(progress)

    def taught(k: int) -> ClassModel:
        other = found[places[k]]
        return found[k] if other is found[k] else _better(sets[k], found[k], other, quiet)

    return _each(sets, taught, progress)


def _each(
    sets: Sequence[DataSet], learn: Callable[[int], ClassModel], progress: Progress | None
) -> list[ClassModel]:
    """Return the model of each class; each runs on one thread."""
    done: list[int] = []

    def one(k: int) -> ClassModel:
        stop_if_cancelled(progress)
        found = learn(k)
        done.append(k)
        report(progress, len(done) / len(sets))
        return found

    return threads.each(range(len(sets)), one)


def united(sets: Sequence[DataSet]) -> DataSet:
    """Return the lattices of several data sets as one."""
    lattices = tuple(one for data in sets for one in data.lattices)
    values = tuple(one for data in sets for one in data.values)
    return DataSet(lattices, values, sets[0].n_symbols, sets[0].scalar)


def _learned(
    data: DataSet,
    n_states: int,
    window: int,
    criterion: Criterion,
    common: Model | None,
    quiet: Progress | None,
) -> ClassModel:
    """Return the model of a class, with the codebook of a common one if there is one."""
    plain = common or _plain(data, n_states, window)
    codebook, blank = plain.codebook, np.ones((n_states, n_states))
    if criterion == "cavity":
        found = refined_fit(data, plain, quiet)
        pairs = coupling(found.attraction, found.strength)
        start = ClassModel(_modelled(found.emission, pairs, plain, data), codebook, pairs)
        return _better(data, start, start, quiet)
    if criterion == "windows":
        states = [decode_without(one, codebook, window) for one in data.lattices]
    elif common is None:
        return ClassModel(plain, codebook, blank)
    else:
        states = decode_each(data, codebook, window)
    emission = emission_of(data, states, n_states)
    return ClassModel(_smooth(emission, plain, states, data), codebook, blank)


def _better(
    data: DataSet, own: ClassModel, other: ClassModel, quiet: Progress | None
) -> ClassModel:
    """Return a class's model, or a shorter one that starts from another class's."""
    # The fit of a class may end at a poorer place than that of another class. Its own images would
    # then be likelier under the other's model
    start, pairs = other.model.emission, other.potentials
    both = (own.model.emission, own.potentials), (start, pairs)
    tried = [(_believed(data, *one)[0], *one) for one in both]
    nats, emission, found = _in_rounds(start, [data], data, quiet, pairs)
    _, emission, pairs = min([*tried, (nats, emission, found[0])], key=lambda one: one[0])
    return replace(own, model=_modelled(emission, pairs, own.model, data), potentials=pairs)


def _modelled(emission: Densities, pairs: Matrix, model: Model, data: DataSet) -> Model:
    """Return the model of an emission, with A counted over the states of most belief."""
    return model_of(emission, model, _believed(data, emission, pairs)[1], data)


def _plain(data: DataSet, n_states: int, window: int) -> Model:
    """Return the model of Algorithms 4 and 8, without zero probabilities."""
    return KINDS[data.kind].fit(data, n_states=n_states, window=window, smoothing=HALF)


def _smooth(emission: Densities, model: Model, states: Sequence[States], data: DataSet) -> Model:
    """Return the model of an emission, with A in which no pair of states is impossible."""
    found = model_of(emission, model, list(states), data)
    pairs, occupancy = count(states, model.n_states)
    return replace(found, A=adjacency(pairs, occupancy, data.n_directions, smoothing=HALF))


def _coupled_each(
    sets: Sequence[DataSet], n_states: int, window: int, progress: Progress | None
) -> list[ClassModel]:
    """Return models whose states emit the same in every class, with an A of each class."""
    # In turn, A is counted over the likeliest states, its strength is optimised, and the emission
    # is estimated from the beliefs of all classes. Two starts are tried: all classes taken as one,
    # and a doubtful state from each node alone (for checkerboards, in which windows are all alike).
    # The one of least cavity code length is kept
    every = united(sets)
    some, parts = every.middle(SAMPLE), shares(progress, [2.0, 1.0, 1.0])
    plain = _plain(some, n_states, window)
    starts = refined_fit(some, plain, next(parts)).emission, doubtful_emission(some, n_states)
    tried = [_in_rounds(start, sets, every, next(parts)) for start in starts]
    _, emission, potentials = min(tried, key=lambda one: one[0])
    return [
        ClassModel(_modelled(emission, pairs, plain, data), plain.codebook, pairs)
        for data, pairs in zip(sets, potentials, strict=True)
    ]


Rounds = tuple[float, Densities, list[Matrix]]
"""The cavity code length of all classes in nats, the emission of states, and each class's
potentials."""


def _in_rounds(
    emission: Densities,
    sets: Sequence[DataSet],
    every: DataSet,
    progress: Progress | None,
    start: Matrix | None = None,
) -> Rounds:
    """Return the best of some rounds that estimate couplings and then emissions."""
    # They begin with the potentials of ``start``, by default those of a weak Potts field
    n_states, best = emission.n_states, None
    potentials = [potts(n_states, WEAK) if start is None else start] * len(sets)
    for k in range(ROUNDS):
        stop_if_cancelled(progress)
        nats, beliefs = 0.0, list[Beliefs]()
        for c, data in enumerate(sets):
            states = _believed(data, emission, potentials[c])[1]
            A = adjacency(*count(states, n_states), data.n_directions, smoothing=HALF)
            strength = strength_of(emission, A, data.middle(SAMPLE))
            potentials = [*potentials]
            potentials[c] = potentials_of(A, strength)
            own, _, found = _believed(data, emission, potentials[c])
            nats, beliefs = nats + own, beliefs + found
        if best is None or nats < best[0]:
            best = nats, emission, potentials
        emission = emission.renewed(beliefs, every)
        report(progress, (k + 1) / ROUNDS)
    assert best is not None
    return best


def _believed(
    data: DataSet, emission: Densities, potentials: Matrix
) -> tuple[float, list[States], list[Beliefs]]:
    """Return the cavity code length of a data set in nats, and states and beliefs of lattices."""

    def one(k: int) -> tuple[float, States, Beliefs]:
        field = field_of(emission, data.values[k], data.shapes[k], data.masks[k])
        field.send(potentials, PASSES)
        return field.nats(), field.states(), field.beliefs()

    nats, states, beliefs = zip(*threads.each(range(len(data)), one), strict=True)
    return sum(nats), list(states), list(beliefs)


def scores(data: DataSet, models: Sequence[ClassModel], criterion: Criterion) -> Floats:
    """Return each lattice's score by each class's model, (n, K), in nats: more is likelier."""
    # "cavity": sum_t log sum_j c_t(j) b(j, o_t), where c_t is the messages of all other nodes about
    # t's state: minus the cavity code length. "windows": sum_t log b(q_t, o_t), q_t decoded from
    # t's window without t. "data": the same with q_t from the whole window. "printed": log P of
    # Algorithms 1 and 5. The first two are pseudo-likelihoods: each node's term is a distribution
    # of its observation given all others, and sums to 1 over its values for every model; with
    # "cavity" only nearly if the lattice has loops, along which the observation returns. The others
    # are not

    def row(k: int) -> list[float]:
        one = DataSet((data.lattices[k],), (data.values[k],), data.n_symbols, data.scalar)
        return [_score(one, model, criterion) for model in models]

    return np.array(threads.each(range(len(data)), row), dtype=np.float64)


def _score(one: DataSet, of: ClassModel, criterion: Criterion) -> float:
    """Return the score of the one lattice of a data set."""
    if criterion == "cavity":
        return -_sent(one, of).nats()
    found = of.model.evaluate_states(one, states=[_decoded(one, of, criterion)])
    return found.log_likelihood if criterion == "printed" else found.data_term


def score_map(
    one: DataSet, of: ClassModel, criterion: Criterion, progress: Progress | None = None
) -> Floats:
    """Return the term of each node of the one lattice's score, (*shape) float64, in nats."""
    # They sum to `scores`, up to rounding; NaN of unknown ones
    stop_if_cancelled(progress)
    if criterion == "cavity":
        return -_sent(one, of, progress).node_nats()
    states = _decoded(one, of, criterion)
    return terms_of_nodes(of.model, one.values[0], states, criterion == "printed")


def _sent(one: DataSet, of: ClassModel, progress: Progress | None = None) -> Field:
    """Return the field of the one lattice, after its messages were sent."""
    (field,) = fields_of(of.model.emission, one)
    field.send(of.potentials, PASSES, progress)
    return field


def _decoded(one: DataSet, of: ClassModel, criterion: Criterion) -> States:
    """Return the states of the one lattice that a criterion scores."""
    if criterion == "windows":
        return decode_without(one.lattices[0], of.codebook, of.model.window)
    return decode_each(one, of.codebook, of.model.window)[0]
