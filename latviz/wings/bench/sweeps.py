"""A truth that is sampled in sweeps, observed and decoded."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from latviz.core.model.indices import associativity, count, pair_counts
from latviz.core.model.learning import adjacency
from latviz.core.model.models import DiscreteModel
from latviz.core.truth.agreement import matched_to
from latviz.core.truth.emission import emit
from latviz.core.truth.sweeping import sweep_potts
from latviz.core.types import Matrix, States
from latviz.wings.bench.experiment import Experiment


def first_states(experiment: Experiment) -> States:
    """Return the states that a field begins with: every node has any state, (side, side) uint8."""
    rng = np.random.default_rng(experiment.seed)
    states: States = rng.integers(experiment.n_states, size=(experiment.side,) * 2, dtype=np.uint8)
    return states


def swept(experiment: Experiment, states: States, first: int) -> States:
    """Return the field after one more sweep; ``first`` is the number of earlier ones."""
    return sweep_potts(
        states,
        A=experiment.potentials,
        first=first,
        method=experiment.sweeping,
        random_state=experiment.seed,
    )


@dataclass(frozen=True)
class Measure:
    """The statistics of a field after some sweeps."""

    sweeps: int
    like: float  # share of adjacent pairs that are in one state
    energy: float  # mean of -log A^strength over adjacent pairs, nats

    @classmethod
    def of(cls, experiment: Experiment, states: States, sweeps: int) -> "Measure":
        """Measure a field."""
        pairs = pair_counts(states, n_states=experiment.n_states)
        total = float(pairs.sum())
        energy = -float((pairs * np.log(experiment.potentials)).sum()) / total
        return cls(sweeps, float(np.trace(pairs)) / total, energy + 0.0)


@dataclass(frozen=True, eq=False)
class Reading:
    """The model's results for a field's observation."""

    experiment: Experiment
    truth: Annotated[States, "(side, side)"]  # the field
    decoded: Annotated[States, "(side, side)"]  # numbered as the true states that they match best
    observation: Annotated[States, "(side, side)"]  # symbols 0..M-1
    accuracy: float  # share of nodes whose state is decoded correctly
    truth_A: Annotated[Matrix, "(N, N)"]  # the paper's A, counted from the field
    learned_A: Annotated[Matrix, "(N, N)"]  # learned from the observation

    @classmethod
    def of(cls, experiment: Experiment, states: States) -> "Reading":
        """Observe a field, and decode the observations."""
        e, n = experiment, experiment.n_states
        seen = emit(states, emission=e.emissions, random_state=e.seed)
        if e.codebook == "true":
            decoded = DiscreteModel(e.potentials, e.emissions, e.window).decode(seen)
        else:
            model = DiscreteModel.fit(seen, n_states=n, window=e.window, n_symbols=n)
            decoded = matched_to(states, model.decode(seen), n)
        learned, known = (adjacency(*count(q, n), dimensions=2) for q in (decoded, states))
        accuracy = float((decoded == states).mean())
        return cls(experiment, states, decoded, seen, accuracy, known, learned)

    @property
    def associativities(self) -> tuple[float, float, float]:
        """Those of the A that was set, of the field's and of the learned one."""
        one, two, three = (
            associativity(A) for A in (self.experiment.potentials, self.truth_A, self.learned_A)
        )
        return one, two, three


@dataclass(frozen=True)
class Order:
    """What is asked of the bench: an experiment and, if its truth is sampled, the sweeps of it."""

    experiment: Experiment
    running: bool = False  # more sweeps will be ordered without being asked for
    sweeps: int = 0  # after which the field rests
    restarts: int = 0  # that the user has requested so far

    @property
    def begins(self) -> tuple[int, ...]:
        """The initial conditions: a change starts another field."""
        e = self.experiment
        return e.side, e.n_states, e.seed, self.restarts


class SweptField:
    """A field that is swept: its states, the number of sweeps, and the measures."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment  # it is swept in; see `take`
        # (side, side), a new array after each sweep
        self.states, self.sweeps = first_states(experiment), 0
        self.measures = [Measure.of(experiment, self.states, 0)]  # since they were last taken

    def take(self, experiment: Experiment) -> None:
        """Continue in another experiment, with the same numbers of states and nodes."""
        if experiment.potentials is not self.experiment.potentials and self.measures:
            self.measures[-1] = Measure.of(experiment, self.states, self.sweeps)
        self.experiment = experiment

    def sweep(self) -> None:
        """Sweep once, and measure."""
        self.states = swept(self.experiment, self.states, self.sweeps)
        self.sweeps += 1
        self.measures.append(Measure.of(self.experiment, self.states, self.sweeps))

    def taken_measures(self) -> tuple[Measure, ...]:
        """Return the measures since the last call."""
        taken, self.measures = tuple(self.measures), []
        return taken
