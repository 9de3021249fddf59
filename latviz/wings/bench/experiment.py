"""The settings of the bench, a row each, and the truth and emissions that follow from them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from latviz.core.checks import check_emissions
from latviz.core.data.lattice import frozen
from latviz.core.errors import ParameterError
from latviz.core.parameter import check, named, parameter
from latviz.core.truth.bounds import accuracy_bound
from latviz.core.truth.emission import NormalEmission
from latviz.core.truth.geometry import checkerboard, sample_blobs, sample_voronoi, stripes
from latviz.core.truth.markov import sample_potts
from latviz.core.types import Floats, Matrix, States
from latviz.wings.bench.drawn import fitted, packed, unpacked

Mode = Literal["fixed", "sampled"]
Field = Literal["blobs", "mosaic", "stripes", "checkerboard", "potts", "drawn"]
NoiseKind = Literal["channel", "normal"]
Method = Literal["gibbs", "clusters"]
Codebook = Literal["true", "learned"]
Rows = tuple[tuple[float, ...], ...]

WINDOWS = tuple(range(21))
"""Half-widths that are tried."""
STATES_RANGE = (2, 8)
LEAST_COPIES = 2
POTENTIALS = (0.01, 100.0)
STRENGTHS = (0.0, 3.0)
PACES = (1, 5, 20, 60, 0)
"""Sweeps per second to choose from; 0 for as many as there can be."""
MOST_SEED = 2**31 - 1
MODES = {"fixed": "Fixed: error over w", "sampled": "Sampled: sweep by sweep"}
FIELDS = {
    "blobs": "smooth blobs",
    "mosaic": "mosaic",
    "stripes": "stripes",
    "checkerboard": "checkerboard",
    "potts": "Potts field",
    "drawn": "drawn by hand",
}
POTTS_SWEEPS = 60
ONSAGER = 0.567
"""A coupling below the critical one by this share over s has correlations s nodes long: of two
states 1 / (4 K), K = log(1 + sqrt 2) / 2 being critical."""
ALIKE = 1e-9
"""Potentials that differ by this share of themselves are the same."""


def potts(n_states: int, like: float, unlike: float) -> Floats:
    """Return one potential on the diagonal and one off it."""
    return np.where(np.eye(n_states, dtype=bool), like, unlike)


def channel(n_states: int, clear: float) -> Floats:
    """Return a B of as many symbols as states: each shows its own with one probability."""
    return potts(n_states, clear, (1.0 - clear) / (n_states - 1))


def rows_of(matrix: Any) -> Rows:
    """Return a matrix as rows of floats."""
    return tuple(tuple(float(value) for value in row) for row in matrix)


USUAL_A, USUAL_B = rows_of(potts(3, 1.0, 0.1)), rows_of(channel(3, 0.8))


def only(mode: Mode, reason: str = "", unless: Callable[[Any], str] = lambda _: "") -> Any:
    """Return the refusal of a row that has an effect in one mode, ``unless`` it gives a reason."""
    reason = reason or f"only {MODES[mode].split(':')[0].lower()} truths use it"
    return lambda e, _: reason if e.mode != mode else unless(e)


class Recipe(NamedTuple):
    """A function of the core with its arguments and options."""

    make: Callable[..., States]
    arguments: tuple[Any, ...]
    options: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Experiment:
    """The settings of the bench: a truth, its observations, and their decoding."""

    # A fixed truth is decoded from noisy copies: states emit N symbols, or grey levels 0..N-1 with
    # normal noise. A sampled one is swept in the potential A and observed through B
    mode: Mode = parameter(
        "fixed",
        name="Kind of truth",
        label="&Truth",
        tip="Decode noisy copies of a fixed truth, or watch a truth that is sampled in sweeps",
        group="Truth",
        choices=named(MODES),
    )
    field: Field = parameter(
        "blobs",
        label="&Field",
        tip="Layout of the true states",
        choices=named(FIELDS),
        refusal=only("fixed"),
    )
    n_states: int = parameter(
        3,
        label="&States N",
        tip="The number of states N",
        undo="Change N",
        bounds=STATES_RANGE,
    )
    region: int = parameter(
        24,
        label="&Region size",
        tip="Approximate width of the regions, in pixels",
        bounds=(2, 64),
        refusal=only(
            "fixed", unless=lambda e: "the regions were drawn" if e.field == "drawn" else ""
        ),
    )
    side: int = parameter(
        128,
        label="Si&ze",
        tip="Width and height",
        choices=named({side: f"{side} × {side} pixels" for side in (64, 128, 256, 512)}),
    )
    seed: int = parameter(
        0,
        label="Se&ed",
        tip="The seed of the random numbers: the same one gives the same truth and observations",
        bounds=(0, MOST_SEED),
        spacing="none",
    )
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
        refusal=only(
            "sampled", unless=lambda e: "" if e.takes_clusters else "this potential needs Gibbs"
        ),
    )
    pace: int = parameter(
        20,
        label="Pa&ce",
        tip="Sweeps per second",
        choices=named({k: f"{k} per second" if k else "at full speed" for k in PACES}),
        refusal=only("sampled"),
    )
    strength: float = parameter(
        1.0,
        label="Stren&gth",
        tip=(
            "The exponent of the potential, 1 / temperature. At 0 the states are independent; the "
            "higher it is, the more neighbours matter"
        ),
        bounds=STRENGTHS,
        decimals=3,
        refusal=only("sampled"),
    )
    noise_kind: NoiseKind = parameter(
        "channel",
        name="Kind of noise",
        label="&Kind",
        tip="How copies differ from the truth",
        group="Noisy copies",
        choices=named({"channel": "wrong symbols", "normal": "normal noise on grey"}),
        refusal=only("fixed"),
    )
    noise: float = parameter(
        0.6,
        label="N&oise",
        tip="Share of pixels that get a random symbol",
        bounds=(0.0, 0.95),
        decimals=2,
        refusal=only(
            "fixed", unless=lambda e: "" if e.noise_kind == "channel" else "noise is normal"
        ),
    )
    deviation: float = parameter(
        0.8,
        label="&Deviation",
        tip="Standard deviation, in steps between grey levels",
        bounds=(0.05, 3.0),
        decimals=2,
        refusal=only(
            "fixed", unless=lambda e: "" if e.noise_kind == "normal" else "only normal noise has it"
        ),
    )
    replicates: int = parameter(
        100,
        label="Co&pies",
        tip="How many noisy copies are decoded",
        undo="Change the number of copies",
        bounds=(LEAST_COPIES, 200),
        refusal=only("fixed"),
    )
    codebook: Codebook = parameter(
        "true",
        label="Code&book",
        tip="Whether the states' distributions are known or learned from each observation",
        group="Decoding",
        choices=named({"true": "known", "learned": "learned"}),
    )
    window: int = parameter(
        3,
        label="&Window w",
        tip="Half-width w of the window",
        undo="Change w",
        bounds=(WINDOWS[0], WINDOWS[-1]),
    )
    # True states that the user drew, as text by `drawn.packed`; kept while another field
    # is shown
    drawn: str = ""
    A: Annotated[Rows, "(N, N)"] = USUAL_A  # pair potentials, 0.01 to 100
    B: Annotated[Rows, "(N, N)"] = USUAL_B  # probabilities of symbols; rows sum to 1

    def __post_init__(self) -> None:
        check(self)
        if not isinstance(self.drawn, str):
            raise ParameterError(f"drawn must be text, got {type(self.drawn).__name__}")
        self._check_matrices()
        if len(self.A) != self.n_states:
            self._fit_matrices()
        if self.field == "drawn":
            self._fit_drawing()

    def _check_matrices(self) -> None:
        A, B, (low, high) = np.array(self.A), np.array(self.B), POTENTIALS
        if A.ndim != 2 or A.shape != B.shape or A.shape[0] != A.shape[1] or len(A) < 2:
            shapes = f"{A.shape} and {B.shape}"
            raise ParameterError(f"the potential and B must be square and as large, got {shapes}")
        if not ((low <= A) & (high >= A)).all():
            raise ParameterError(f"the potential must be from {low} to {high}, got {self.A}")
        check_emissions(B)

    def _fit_matrices(self) -> None:
        """Take N states: new ones are to the others as those are to each other."""
        old, n = np.array(self.A), self.n_states
        kept, off = min(n, len(old)), ~np.eye(len(old), dtype=bool)
        like, unlike = (float(np.exp(np.log(part).mean())) for part in (old.diagonal(), old[off]))
        A = potts(n, like, unlike)
        A[:kept, :kept] = old[:kept, :kept]
        clear = min(float(np.mean(np.diagonal(self.B))), 1.0)
        object.__setattr__(self, "A", rows_of(A))
        object.__setattr__(self, "B", rows_of(channel(n, clear)))

    def _fit_drawing(self) -> None:
        """Fit the drawing to the size and to N; without one it is blank."""
        states = unpacked(self.drawn) if self.drawn else np.zeros((self.side,) * 2, np.uint8)
        if not self.drawn or len(states) != self.side or int(states.max()) >= self.n_states:
            states = fitted(states, self.side, self.n_states)
            object.__setattr__(self, "drawn", packed(states))

    @cached_property
    def copied(self) -> "Experiment":
        """The experiment as far as noisy copies depend on it: they are decoded with every w."""
        return replace(self, window=0)

    @cached_property
    def emission(self) -> Floats | NormalEmission:
        """The emissions of noisy copies: a channel, (N, N), or normal laws of one channel."""
        n = self.n_states
        if self.noise_kind == "normal":
            levels = np.arange(n, dtype=np.float64)[:, None]
            return NormalEmission(levels, np.full((n, 1, 1), self.deviation**2))
        return frozen((1.0 - self.noise) * np.eye(n) + self.noise / n)

    @property
    def recipe(self) -> Recipe:
        """The recipe of a fixed truth."""
        n, size, shape = self.n_states, self.region, (self.side,) * 2
        seed = "random_state", self.seed
        if self.field == "drawn":
            return Recipe(unpacked, (self.drawn,), ())
        if self.field == "blobs":
            return Recipe(sample_blobs, (shape,), (("n_states", n), ("scale", size / 3), seed))
        if self.field == "mosaic":
            n_regions = max(n, self.side**2 // size**2)
            return Recipe(
                sample_voronoi, (shape,), (("n_regions", n_regions), ("n_states", n), seed)
            )
        if self.field == "stripes":
            return Recipe(stripes, (shape,), (("widths", size), ("n_states", n)))
        if self.field == "checkerboard":
            return Recipe(checkerboard, (shape,), (("side", size), ("n_states", n)))
        # Correlations are about a region long.
        like = (1.0 + math.sqrt(n)) ** (1.0 - ONSAGER / size)
        A = rows_of(potts(n, like, 1.0))
        return Recipe(sample_potts, (A,), (("shape", shape), ("sweeps", POTTS_SWEEPS), seed))

    def make_truth(self) -> States:
        """Return the states of a fixed truth, shape (side, side)."""
        return _made(self.recipe)

    def bound(self, window: int) -> float:
        """Return an upper bound of the variance inside regions, if the codebook is known."""
        states = range(1 if self.noise_kind == "channel" else self.n_states)
        n_nodes = (2 * window + 1) ** 2
        return max(
            float(accuracy_bound(self.emission, state=j, n_nodes=n_nodes)[0]) for j in states
        )

    # Of sampled truths

    @cached_property
    def potentials(self) -> Matrix:
        """A to the power of its strength, (N, N)."""
        return frozen(np.array(self.A) ** self.strength)

    @cached_property
    def emissions(self) -> Matrix:
        """B as an array."""
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


@lru_cache(maxsize=1)
def _made(recipe: Recipe) -> States:
    return frozen(recipe.make(*recipe.arguments, **dict(recipe.options)))


def critical_coupling(n_states: int) -> float:
    """Return log(1 + sqrt q): the critical log a/b of a Potts field of q states."""
    return math.log1p(math.sqrt(n_states))


# Editing


def with_potential(A: Rows, row: int, column: int, value: float) -> Rows:
    """Return A with another entry and mirror image, kept within `POTENTIALS`."""
    # The field depends on the geometric mean of both alone, so they are set together
    changed = np.array(A)
    changed[row, column] = changed[column, row] = min(max(value, POTENTIALS[0]), POTENTIALS[1])
    return rows_of(changed)


def with_probability(B: Rows, state: int, symbol: int, value: float) -> Rows:
    """Return B with another probability, from 0 to 1; the rest of its row is scaled."""
    changed = np.array(B)
    row, value = changed[state], min(max(value, 0.0), 1.0)
    rest = np.delete(row, symbol)
    shares = rest / rest.sum() if rest.sum() > 0 else np.full(rest.size, 1.0 / rest.size)
    changed[state] = np.insert((1.0 - value) * shares, symbol, value)
    return rows_of(changed)


# Presets


def cycle(n_states: int, like: float, near: float, far: float) -> Floats:
    """Return potentials of states in a ring: of a state itself, its two neighbours, the others."""
    step = np.abs(np.subtract.outer(np.arange(n_states), np.arange(n_states)))
    step = np.minimum(step, n_states - step)
    return np.asarray(np.array((like, near, far))[np.minimum(step, 2)])


class Preset(NamedTuple):
    """A sampled truth to begin with: its title, its tip, and its parts."""

    title: str
    tip: str
    A: Rows
    strength: float = 1.0
    method: Method = "gibbs"
    window: int = 3
    clear: float = 0.8

    def experiment(self, **kept: Any) -> Experiment:
        """Return the experiment, with ``kept`` fields as given."""
        n = len(self.A)
        own = {"strength": self.strength, "method": self.method, "window": self.window}
        matrices = {"n_states": n, "A": self.A, "B": rows_of(channel(n, self.clear))}
        return Experiment("sampled", **{"side": 256, **own, **matrices, **kept})


PRESETS: dict[str, Preset] = {
    "smooth": Preset(
        "Smooth",
        "Equal states attract each other: regions grow with every sweep (Figure 1)",
        rows_of(potts(3, 1.0, 0.1)),
    ),
    "checkerboard": Preset(
        "Checkerboard",
        "Equal states repel each other: all windows hold similar shares, and decoding fails "
        "(Figure 2)",
        rows_of(potts(2, 1.0, 10.0)),
        window=1,
    ),
    "cycle": Preset(
        "Ordered stripes",
        "Each state attracts the next one in a ring and repels the others: ordered stripes",
        rows_of(cycle(6, 10.0, 4.0, 0.1)),
        1.4,
        window=2,
    ),
    "critical": Preset(
        "Near critical",
        "Regions of every size appear at this strength; whole clusters are redrawn",
        rows_of(potts(2, 1.0, 0.1)),
        round(critical_coupling(2) / math.log(10.0), 3),
        "clusters",
    ),
}
