"""The laboratory of bias and variance: a field of known truth, and the errors of decoding."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache, partial
from typing import Any, Literal, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.data.lattice import frozen
from latviz.core.errors import ParameterError
from latviz.core.parameter import Parameter, check, declared, named, parameter
from latviz.core.progress import Cancelled, Progress
from latviz.core.truth.bounds import accuracy_bound
from latviz.core.truth.decomposition import BiasVariance, bias_variance_levels
from latviz.core.truth.emission import NormalEmission, emit
from latviz.core.truth.geometry import checkerboard, sample_blobs, sample_voronoi, stripes
from latviz.core.truth.markov import sample_potts
from latviz.core.types import Floats, States
from latviz.engine.benches.rows import seed_row, sides
from latviz.engine.settings.drawn import fitted, packed, unpacked

Field = Literal["blobs", "mosaic", "stripes", "checkerboard", "potts", "drawn"]
NoiseKind = Literal["channel", "normal"]
Codebook = Literal["true", "learned"]

WINDOWS = tuple(range(21))
"""Half-widths that are tried."""
STATES_RANGE = (2, 6)
LEAST_COPIES = 2
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


WINDOW = Parameter(
    label="&Window w",
    tip="Half-width w of the window that is shown",
    group="Decoding",
    bounds=(WINDOWS[0], WINDOWS[-1]),
    field="window",
)
"""The inspected window, which is not part of the experiment."""


class Recipe(NamedTuple):
    """A function of the core with its arguments and options."""

    make: Callable[..., States]
    arguments: tuple[Any, ...]
    options: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Experiment:
    """The settings of an experiment: a field, noise, and the decoding of noisy copies of it."""

    # States emit N symbols, or grey levels 0..N-1 with normal noise
    field: Field = parameter(
        "blobs",
        label="&Field",
        tip="Layout of the true states",
        group="Truth",
        choices=named(FIELDS),
    )
    n_states: int = parameter(
        3,
        label="&States N",
        tip="The number of states N",
        group="Truth",
        undo="Change N",
        bounds=STATES_RANGE,
    )
    region: int = parameter(
        24,
        label="&Region size",
        tip="Approximate width of the regions, in pixels",
        group="Truth",
        bounds=(2, 64),
        refusal=lambda e, _: "the regions were drawn by hand" if e.field == "drawn" else "",
    )
    side: int = parameter(
        128,
        label="Si&ze",
        tip="Width and height",
        group="Truth",
        choices=sides(64, 128, 256),
    )
    seed: int = declared(0, seed_row("Truth", "the same seed gives the same field and copies"))
    noise_kind: NoiseKind = parameter(
        "channel",
        name="Kind of noise",
        label="&Kind",
        tip="How copies differ from the truth",
        group="Noisy copies",
        choices=named({"channel": "wrong symbols", "normal": "normal noise on grey"}),
    )
    noise: float = parameter(
        0.6,
        label="N&oise",
        tip="Share of pixels that get a random symbol",
        group="Noisy copies",
        bounds=(0.0, 0.95),
        decimals=2,
        refusal=lambda e, _: "" if e.noise_kind == "channel" else "only wrong symbols use it",
    )
    deviation: float = parameter(
        0.8,
        label="&Deviation",
        tip="Standard deviation, in steps between grey levels",
        group="Noisy copies",
        bounds=(0.05, 3.0),
        decimals=2,
        refusal=lambda e, _: "" if e.noise_kind == "normal" else "only normal noise uses it",
    )
    replicates: int = parameter(
        100,
        label="&Copies",
        tip="How many noisy copies are decoded",
        group="Noisy copies",
        undo="Change the number of copies",
        bounds=(LEAST_COPIES, 200),
    )
    codebook: Codebook = parameter(
        "true",
        label="Code&book",
        tip="Whether the states' distributions are known or learned",
        group="Decoding",
        choices=named({"true": "known", "learned": "learned from each copy"}),
    )
    # True states that the user drew, as text by `settings.drawn.packed`; kept while another field
    # is shown
    drawn: str = ""

    def __post_init__(self) -> None:
        check(self)
        if not isinstance(self.drawn, str):
            raise ParameterError(f"drawn must be text, got {type(self.drawn).__name__}")
        if self.field == "drawn":
            self._check_drawn()

    def _check_drawn(self) -> None:
        states = unpacked(self.drawn)
        if len(states) != self.side or int(states.max()) >= self.n_states:
            raise ParameterError(
                f"drawn must be {self.side} x {self.side} of {self.n_states} states, got "
                f"{len(states)} x {len(states)} of {int(states.max()) + 1}"
            )

    @cached_property
    def emission(self) -> Floats | NormalEmission:
        """The emissions of the states: B, (N, N), or normal laws of one channel."""
        n = self.n_states
        if self.noise_kind == "normal":
            levels = np.arange(n, dtype=np.float64)[:, None]
            return NormalEmission(levels, np.full((n, 1, 1), self.deviation**2))
        return frozen((1.0 - self.noise) * np.eye(n) + self.noise / n)

    @property
    def recipe(self) -> Recipe:
        """The recipe of the true states."""
        n, size, shape, seed = self.n_states, self.region, (self.side,) * 2, ("seed", self.seed)
        if self.field == "drawn":
            return Recipe(unpacked, (self.drawn,), ())
        if self.field == "blobs":
            return Recipe(sample_blobs, (shape, n), (("scale", size / 3), seed))
        if self.field == "mosaic":
            n_regions = max(n, self.side**2 // size**2)
            return Recipe(sample_voronoi, (shape, n_regions, n), (seed,))
        if self.field == "stripes":
            return Recipe(stripes, (shape, size), (("n_states", n),))
        if self.field == "checkerboard":
            return Recipe(checkerboard, (shape,), (("side", size), ("n_states", n)))
        # Correlations are about a region long.
        like = (1.0 + math.sqrt(n)) ** (1.0 - ONSAGER / size)
        A = tuple(tuple(like if i == j else 1.0 for j in range(n)) for i in range(n))
        return Recipe(sample_potts, (A, shape), (("sweeps", POTTS_SWEEPS), seed))

    def make_truth(self) -> States:
        """Return the true states, shape (side, side)."""
        return _made(self.recipe)

    def changed(self, truth: States | None, **changes: Any) -> "Experiment":
        """Return an experiment with other fields, and a drawing that fits them.

        It starts from the last drawing, or else from the ``truth`` on screen.
        """
        new = {f.name: getattr(self, f.name) for f in fields(self)} | changes
        if new["field"] == "drawn":
            blank = np.zeros((new["side"],) * 2, np.uint8)
            states = unpacked(new["drawn"]) if new["drawn"] else blank if truth is None else truth
            if len(states) != new["side"] or int(states.max()) >= new["n_states"]:
                states = fitted(states, new["side"], new["n_states"])
                new["drawn"] = packed(states)
            new["drawn"] = new["drawn"] or packed(states)
        return Experiment(**new)

    def bound(self, window: int) -> float:
        """Return an upper bound of the variance inside regions, if the codebook is known."""
        states = range(1 if self.noise_kind == "channel" else self.n_states)
        n_nodes = (2 * window + 1) ** 2
        return max(float(accuracy_bound(self.emission, j, n_nodes)[0]) for j in states)


@lru_cache(maxsize=1)
def _made(recipe: Recipe) -> States:
    return frozen(recipe.make(*recipe.arguments, **dict(recipe.options)))


@dataclass(frozen=True, eq=False)
class Outcome:
    """The results of an experiment so far."""

    experiment: Experiment
    truth: States  # (side, side), 0..N-1
    observation: NDArray[Any]  # first noisy copy, (side, side) uint8 or (side, side, 1) float64
    result: BiasVariance  # of the copies so far; its bands are NaN before the last
    # (W,): mean variance inside regions: at nodes whose whole window is inside the lattice and
    # holds one state. NaN without such nodes, and in the first outcomes
    inside: Floats
    # (W,): maximum of that; NaN in the first outcomes, and if the codebook is learned
    bound: Floats
    complete: bool  # no more will follow

    def index_of(self, window: int) -> int | None:
        """Return the place of a window in the result, if it is there yet."""
        found = np.flatnonzero(self.result.windows == window)
        return int(found[0]) if found.size else None

    @property
    def has_curves(self) -> bool:
        """True if it has every window."""
        return len(self.result.windows) == len(WINDOWS)

    @cached_property
    def best(self) -> int:
        """The window of the least error, the smallest of those if there are several."""
        return int(self.result.windows[self.result.error.argmin()])


def run(experiment: Experiment, window: int, progress: Progress) -> Iterator[Outcome]:
    """Yield outcomes: of one window and two copies, then of all windows and ever more copies."""
    # The last outcome holds `bias_variance` for `WINDOWS`
    truth = experiment.make_truth()
    first = np.random.SeedSequence(experiment.seed).spawn(1)[0]
    seen = frozen(emit(truth, experiment.emission, seed=first))

    levels = partial(
        bias_variance_levels,
        truth,
        experiment.emission,
        model=experiment.codebook,
        seed=experiment.seed,
    )

    def outcome(result: BiasVariance, complete: bool = False) -> Outcome:
        n = len(result.windows)
        inside = np.full(n, np.nan) if masks is None else _means_inside(result, masks)
        return Outcome(experiment, truth, seen, result, inside, bound[:n], complete)

    masks: list[NDArray[np.bool_]] | None = None
    bound = np.full(len(WINDOWS), np.nan)
    yield outcome(next(levels((window,), LEAST_COPIES)))
    for result in levels(WINDOWS, experiment.replicates, progress=progress):
        yield outcome(result)
        if masks is None:
            masks = [inside_regions(truth, w) for w in WINDOWS]
            bound = _bounds(experiment, progress)
    yield outcome(result, complete=True)


def inside_regions(truth: States, window: int) -> NDArray[np.bool_]:
    """Return a mask of windows that are not clipped and hold one state, of the truth's shape."""
    width = 2 * window + 1
    pure = scipy.ndimage.maximum_filter(truth, width) == scipy.ndimage.minimum_filter(truth, width)
    whole = np.zeros(truth.shape, dtype=bool)
    middle = slice(window, -window or None)
    whole[middle, middle] = True
    return np.asarray(pure & whole)


def _means_inside(result: BiasVariance, masks: Sequence[NDArray[np.bool_]]) -> Floats:
    pairs = zip(result.variance_maps, masks, strict=True)
    means = [float(v[m].mean(dtype=np.float64)) if m.any() else np.nan for v, m in pairs]
    return np.array(means)


def _bounds(experiment: Experiment, progress: Progress) -> Floats:
    found = np.full(len(WINDOWS), np.nan)
    if experiment.codebook == "true":
        for k, window in enumerate(WINDOWS):
            if progress.cancelled():
                raise Cancelled
            found[k] = experiment.bound(window)
    return found
