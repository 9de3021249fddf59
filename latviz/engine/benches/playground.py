"""The playground: from parameters to pictures, a field that is swept, observed and decoded."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import scipy

from latviz.core.checks import check_emissions
from latviz.core.data.lattice import frozen
from latviz.core.errors import ParameterError
from latviz.core.model.indices import associativity, count, pair_counts
from latviz.core.model.learning import adjacency
from latviz.core.model.models import DiscreteModel
from latviz.core.parameter import Parameter, check, declared, named, parameter
from latviz.core.truth.agreement import contingency
from latviz.core.truth.emission import emit
from latviz.core.truth.sweeping import sweep_potts
from latviz.core.types import Floats, Matrix, States
from latviz.engine.benches.rows import seed_row, sides

Method = Literal["gibbs", "clusters"]
Codebook = Literal["true", "learned"]
Rows = tuple[tuple[float, ...], ...]

STATES_RANGE = (2, 8)
POTENTIALS = (0.01, 100.0)
STRENGTHS = (0.0, 3.0)
ALIKE = 1e-9
"""Potentials that differ by this share of themselves are the same."""


N_STATES = Parameter(
    label="&States N",
    tip="The number of states N",
    group="Field",
    undo="Change N",
    bounds=STATES_RANGE,
    field="n_states",
)
"""N, which is not a field: it is the number of rows of A."""


@dataclass(frozen=True)
class World:
    """The settings of the playground: a field, its states' emissions, and their decoding."""

    # Clusters are swept where A allows them, and else Gibbs
    A: Rows  # (N, N): pair potentials, 0.01 to 100; N from 2 to 8
    B: Rows  # (N, M): probabilities of symbols in each state; rows sum to 1
    side: int = parameter(
        256,
        label="Si&ze",
        tip="Width and height",
        group="Field",
        choices=sides(64, 128, 256, 512),
    )
    seed: int = declared(0, seed_row("Field", "the same seed gives the same field"))
    method: Method = parameter(
        "gibbs",
        label="&Method",
        tip=(
            "Gibbs redraws one pixel at a time and works with every potential. Swendsen-Wang "
            "redraws whole clusters; it needs one value on the diagonal of the potential and a "
            "smaller one elsewhere"
        ),
        group="Sweeps",
        choices=named({"gibbs": "Gibbs", "clusters": "Swendsen–Wang"}),
        refusal=lambda w, _: "" if w.takes_clusters else "only Gibbs works with this potential",
    )
    strength: float = parameter(
        1.0,
        label="S&trength",
        tip=(
            "The exponent of the potential, 1 / temperature. At 0 the states are independent; the "
            "higher it is, the more neighbours matter"
        ),
        group="Sweeps",
        bounds=STRENGTHS,
        decimals=3,
    )
    codebook: Codebook = parameter(
        "true",
        label="Code&book",
        tip="The codewords that signatures are compared with",
        group="Decoding",
        choices=named({"true": "B", "learned": "learned"}),
    )
    window: int = parameter(
        3,
        label="&Window w",
        tip="Half-width w of the window for decoding",
        group="Decoding",
        undo="Change w",
        bounds=(0, 20),
    )

    def __post_init__(self) -> None:
        self._check_matrices()
        check(self)

    def _check_matrices(self) -> None:
        A, (low, high), (fewest, most) = np.array(self.A), POTENTIALS, STATES_RANGE
        if A.ndim != 2 or A.shape[0] != A.shape[1] or not fewest <= len(A) <= most:
            rows = f"square, with {fewest} to {most} rows"
            raise ParameterError(f"the potential must be {rows}, got {A.shape}")
        if not ((low <= A) & (high >= A)).all():
            raise ParameterError(f"the potential must be from {low} to {high}, got {self.A}")
        if len(check_emissions(np.array(self.B))) != len(A):
            raise ParameterError(f"B must have a row for each of {len(A)} states")

    @property
    def n_states(self) -> int:
        """N."""
        return len(self.A)

    @cached_property
    def potentials(self) -> Matrix:
        """A to the power of its strength, (N, N)."""
        return frozen(np.array(self.A) ** self.strength)

    @cached_property
    def emissions(self) -> Matrix:
        """B as an array, (N, M)."""
        return frozen(np.array(self.B))

    @cached_property
    def log_ratio(self) -> float | None:
        """Return log a / b if A has a on its diagonal and b off it, else None."""
        A, off = np.array(self.A), ~np.eye(self.n_states, dtype=bool)
        like, unlike = A.diagonal(), A[off]
        if np.ptp(like) > ALIKE * like[0] or np.ptp(unlike) > ALIKE * unlike[0]:
            return None
        return math.log(like[0] / unlike[0])

    @property
    def takes_clusters(self) -> bool:
        """True if the field can be swept in clusters: like states attract, all equally."""
        return self.log_ratio is not None and self.log_ratio >= 0.0

    @property
    def sweeping(self) -> Method:
        """The method of sweeping."""
        return self.method if self.takes_clusters else "gibbs"

    @cached_property
    def critical_strength(self) -> float | None:
        """Return the strength at which an infinite field begins to order, if known exactly."""
        # The Potts field of q states is critical at log a/b = log(1 + sqrt q) (Beffara and
        # Duminil-Copin 2012). Two states that repel each other are two that attract, every other
        # node renamed
        ratio = self.log_ratio
        if ratio is None or not ratio or (ratio < 0 and self.n_states > 2):
            return None
        return critical_coupling(self.n_states) / abs(ratio)


def critical_coupling(n_states: int) -> float:
    """Return log(1 + sqrt q): the critical log a/b of a Potts field of q states."""
    return math.log1p(math.sqrt(n_states))


def rows_of(matrix: Any) -> Rows:
    """Return a matrix as rows of floats."""
    return tuple(tuple(float(value) for value in row) for row in matrix)


# Editing


def with_potential(A: Rows, row: int, column: int, value: float, symmetric: bool) -> Rows:
    """Return A with another entry, kept within `POTENTIALS`; its mirror image too if asked."""
    changed = np.array(A)
    changed[row, column] = min(max(value, POTENTIALS[0]), POTENTIALS[1])
    if symmetric:
        changed[column, row] = changed[row, column]
    return rows_of(changed)


def with_probability(B: Rows, state: int, symbol: int, value: float) -> Rows:
    """Return B with another probability, from 0 to 1; the rest of its row is scaled."""
    changed = np.array(B)
    row, value = changed[state], min(max(value, 0.0), 1.0)
    rest = np.delete(row, symbol)
    shares = rest / rest.sum() if rest.sum() > 0 else np.full(rest.size, 1.0 / rest.size)
    changed[state] = np.insert((1.0 - value) * shares, symbol, value)
    return rows_of(changed)


def changed(world: World, **changes: Any) -> World:
    """Return a world with other fields, or of another N."""
    n_states = changes.pop("n_states", world.n_states)
    world = replace(world, **changes)
    return world if n_states == world.n_states else with_states(world, n_states)


def with_states(world: World, n_states: int) -> World:
    """Return a world of another N; new states are to the others as those are to each other."""
    old = np.array(world.A)
    kept = min(n_states, world.n_states)
    off = ~np.eye(world.n_states, dtype=bool)
    like, unlike = (float(np.exp(np.log(part).mean())) for part in (old.diagonal(), old[off]))
    A = potts(n_states, like, unlike)
    A[:kept, :kept] = old[:kept, :kept]
    clear = float(np.mean(np.diagonal(world.emissions)))
    return replace(world, A=rows_of(A), B=rows_of(channel(n_states, min(clear, 1.0))))


def potts(n_states: int, like: float, unlike: float) -> Floats:
    """Return one potential on the diagonal and one off it."""
    return np.where(np.eye(n_states, dtype=bool), like, unlike)


def cycle(n_states: int, like: float, near: float, far: float) -> Floats:
    """Return potentials of states in a ring: of a state itself, its two neighbours, the others."""
    step = np.abs(np.subtract.outer(np.arange(n_states), np.arange(n_states)))
    step = np.minimum(step, n_states - step)
    return np.asarray(np.array((like, near, far))[np.minimum(step, 2)])


def channel(n_states: int, clear: float) -> Floats:
    """Return a B of as many symbols as states: each shows its own with one probability."""
    return potts(n_states, clear, (1.0 - clear) / (n_states - 1))


@dataclass(frozen=True)
class Preset:
    """An initial world: its title, its tip, and its parts."""

    title: str
    tip: str
    A: Callable[[], Floats]
    strength: float
    method: Method = "gibbs"
    window: int = 3
    clear: float = 0.8

    def world(self, **kept: Any) -> World:
        """Return the world, with ``kept`` fields as given."""
        A = self.A()
        B = channel(len(A), self.clear)
        usual = {"strength": self.strength, "method": self.method, "window": self.window}
        return World(rows_of(A), rows_of(B), **{**usual, **kept})


PRESETS: dict[str, Preset] = {
    "smooth": Preset(
        "Smooth",
        "Equal states attract each other: regions grow with every sweep (Figure 1)",
        lambda: potts(3, 1.0, 0.1),
        1.0,
    ),
    "checkerboard": Preset(
        "Checkerboard",
        "Equal states repel each other: all windows hold similar shares, and decoding fails "
        "(Figure 2)",
        lambda: potts(2, 1.0, 10.0),
        1.0,
        window=1,
    ),
    "cycle": Preset(
        "Ordered stripes",
        "Each state attracts the next one in a ring and repels the others: ordered stripes",
        lambda: cycle(6, 10.0, 4.0, 0.1),
        1.4,
        window=2,
    ),
    "critical": Preset(
        "Near critical",
        "Regions of every size appear at this strength; whole clusters are redrawn",
        lambda: potts(2, 1.0, 0.1),
        round(critical_coupling(2) / math.log(10.0), 3),
        "clusters",
    ),
}


# Results


def first_states(world: World) -> States:
    """Return the states that a field begins with: every node has any state, (side, side) uint8."""
    rng = np.random.default_rng(world.seed)
    states: States = rng.integers(world.n_states, size=(world.side,) * 2, dtype=np.uint8)
    return states


def swept(world: World, states: States, first: int) -> States:
    """Return the field after one more sweep; ``first`` is the number of earlier ones."""
    return sweep_potts(
        states, world.potentials, first=first, method=world.sweeping, seed=world.seed
    )


@dataclass(frozen=True)
class Measure:
    """The statistics of a field after some sweeps."""

    sweeps: int
    like: float  # share of adjacent pairs that are in one state
    energy: float  # mean of -log A^strength over adjacent pairs, nats

    @classmethod
    def of(cls, world: World, states: States, sweeps: int) -> "Measure":
        """Measure a field."""
        pairs = pair_counts(states, world.n_states)
        total = float(pairs.sum())
        energy = -float((pairs * np.log(world.potentials)).sum()) / total
        return cls(sweeps, float(np.trace(pairs)) / total, energy + 0.0)


@dataclass(frozen=True, eq=False)
class Reading:
    """The model's results for a field's observation."""

    world: World
    truth: States  # (side, side), the field
    decoded: States  # (side, side), numbered as the true states that they match best
    observation: States  # (side, side): symbols 0..M-1
    accuracy: float  # share of nodes whose state is decoded correctly
    truth_A: Matrix  # (N, N): the paper's A, counted from the field
    learned_A: Matrix  # (N, N): learned from the observation

    @classmethod
    def of(cls, world: World, states: States) -> "Reading":
        """Observe a field, and decode the observations."""
        seen, n, w = emit(states, world.emissions, seed=world.seed), world.n_states, world.window
        if world.codebook == "true":
            model = DiscreteModel(world.potentials, world.emissions, w)
            decoded = model.decode(seen)
        else:
            n_symbols = world.emissions.shape[1]
            model = DiscreteModel.fit(seen, n_states=n, window=w, n_symbols=n_symbols)
            found = model.decode(seen)
            decoded = matching(states, found, n)[found]
        learned, known = (adjacency(*count(q, n), dimensions=2) for q in (decoded, states))
        accuracy = float((decoded == states).mean())
        return cls(world, states, decoded, seen, accuracy, known, learned)

    @property
    def associativities(self) -> tuple[float, float, float]:
        """Those of the A that was set, of the field's and of the learned one."""
        one, two, three = (
            associativity(A) for A in (self.world.potentials, self.truth_A, self.learned_A)
        )
        return one, two, three


def matching(truth: States, found: States, n_states: int) -> States:
    """Return which true state each found one stands for, (N,), so that most nodes agree."""
    table = np.zeros((n_states, n_states), np.int64)
    counts = contingency(found, truth)
    table[: counts.shape[0], : counts.shape[1]] = counts
    stands_for: Sequence[int] = scipy.optimize.linear_sum_assignment(table, maximize=True)[1]
    return np.asarray(stands_for, dtype=np.uint8)


@dataclass(frozen=True)
class Order:
    """The commands to a field; the newest counts, and older ones may stay unseen."""

    world: World
    running: bool = False  # it runs by itself
    pace: int = 0  # sweeps per second; 0: as many as possible
    steps: int = 0  # single sweeps, and ``restarts``, that the user has requested so far
    restarts: int = 0

    @property
    def begins(self) -> tuple[int, ...]:
        """The initial conditions: a change starts another field."""
        return self.world.side, self.world.n_states, self.world.seed, self.restarts


class SweptField:
    """A field that is swept: its states, the number of sweeps, and the measures."""

    def __init__(self, world: World) -> None:
        self.world = world  # it is swept in; see `take`
        # (side, side), a new array after each sweep
        self.states, self.sweeps = first_states(world), 0
        self.measures = [Measure.of(world, self.states, 0)]  # since they were last taken

    def take(self, world: World) -> None:
        """Continue in another world, with the same numbers of states and nodes."""
        if world.potentials is not self.world.potentials and self.measures:
            self.measures[-1] = Measure.of(world, self.states, self.sweeps)
        self.world = world

    def sweep(self) -> None:
        """Sweep once, and measure."""
        self.states = swept(self.world, self.states, self.sweeps)
        self.sweeps += 1
        self.measures.append(Measure.of(self.world, self.states, self.sweeps))

    def taken_measures(self) -> tuple[Measure, ...]:
        """Return the measures since the last call."""
        taken, self.measures = tuple(self.measures), []
        return taken
