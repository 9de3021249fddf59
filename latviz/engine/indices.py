"""The indices of fit: one table, and their values in a frame.

All code that shows, writes or compares an index uses `INDICES`. A row added there gets a gauge,
and a place in tables, files, records, trials, reports and lessons.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from latviz.core import choice, digits
from latviz.core.types import Floats
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.script import decoded, kind_of
from latviz.engine.pictures.truth import TruthIndices


@dataclass(frozen=True)
class Index:
    """An index: a row of `INDICES`."""

    name: str  # in lessons, records and the keys of files
    title: str  # on screen; ``short`` where there is little room
    tip: str  # its meaning, and the better direction
    needed: float  # from where the model applies
    # Returns the number for files, from a frame: the index, or the input of `scaled`; NaN if it is
    # not defined, None if it was not computed
    measured: Callable[[Frame], float | None]
    needs: frozenset[str] = frozenset()  # the results of a frame that ``measured`` reads
    scaled: Callable[[float], float] = float  # returns the index, 0 to 1, from that number
    key: str = ""  # of the number that is measured, in files; the name if that is the index
    undefined: str = ""  # why it may be undefined
    own: str = ""  # the result that is measured of one image among many, if that is another one
    short: tuple[str, ...] = ()
    # Each returns a number to compare the index with; None if the index has none
    chance: Callable[[int], float] | None = None  # of N states placed at random
    least: Callable[[int], float] | None = None  # the least possible with N states; 0 if None
    # of the same observations in each of some random orders
    noise: "Callable[[choice.noise.NoiseIndices], Floats] | None" = None
    truth: Callable[[TruthIndices], float] | None = None  # the measured number of the true states
    swept: "Callable[[choice.settings.Setting], float] | None" = None  # of the trade-off
    mixes: bool = False  # needs windows of several nodes: it has no meaning at w = 0
    of_numbers: bool = False  # not defined for symbols
    # returns lines of Python that print it, if those of `script` do not
    script: Callable[[Frame], Sequence[str]] = field(default=lambda _: ())

    @property
    def in_files(self) -> str:
        """The name of the number in files."""
        return self.key or self.name

    def suits(self, frame: Frame) -> bool:
        """Return True unless the index can never be defined for the frame's observations."""
        return not (self.of_numbers and frame.observations.discrete)

    def of(self, frame: Frame) -> float | None:
        """Return the index of a frame; NaN if it is not defined, None if it was not computed."""
        return self._scaled(self.measured(frame))

    def of_image(self, frame: Frame) -> float | None:
        """Return the index of the states of one image among many; None if unknown."""
        return self._scaled(frame.results.get(self.own)) if self.own else self.of(frame)

    def of_truth(self, frame: Frame) -> float | None:
        """Return the index of the known states; None if they are missing, or it is not defined."""
        if frame.truth is None or self.truth is None:
            return None
        found = self._scaled(self.truth(frame.truth.indices))
        return None if found is None or math.isnan(found) else found

    def of_noise(self, frame: Frame) -> float | None:
        """Return what noise reaches in 99 of 100 cases; None if unknown."""
        if frame.noise is None or self.noise is None:
            return None
        return min(1.0, choice.code_length.prediction_bound(self.noise(frame.noise)))

    def _scaled(self, value: float | None) -> float | None:
        return None if value is None else self.scaled(value)


def independence(correlation: float) -> float:
    """Return 1 for uncorrelated residuals of neighbours, 0 for equal ones."""
    return 1 - abs(correlation)


def _independence_script(frame: Frame) -> list[str]:
    if frame.residual_correlation is None:
        return []
    return [
        "",
        "from latviz.core import residual_correlation",
        "",
        f"left = residual_correlation(values, states={decoded(frame)}, {kind_of(frame)})",
        "print('residual correlation', left, 'independence', 1 - abs(left))",
    ]


def law(distance: float) -> float:
    """Return 1 for observations that follow the law of their states."""
    return 1 - distance


def _law_script(frame: Frame) -> list[str]:
    if frame.law_distance is None or math.isnan(frame.law_distance):
        return []
    return [
        "",
        "from latviz.core import law_distance",
        "",
        f"distance = law_distance(values, states={decoded(frame)})",
        "print('law distance', distance, 'law', 1 - distance)",
    ]


_ROWS = (
    Index(
        "associativity",
        "Associativity",
        "How often neighbours are in the same state",
        0.5,
        lambda frame: frame.associativity,
        undefined="no pixel has a neighbour",
        own="own_associativity",
        short=("Assoc.",),
        chance=lambda n_states: 1 / n_states,
        noise=lambda noise: noise.associativity,
        truth=lambda truth: truth.associativity,
        swept=lambda setting: setting.associativity,
    ),
    Index(
        "inertia",
        "Inertia",
        "How far one state fills each window",
        0.9,
        lambda frame: frame.inertia,
        needs=frozenset({"inertia"}),
        chance=lambda n_states: 1 / math.sqrt(n_states),
        least=lambda n_states: 1 / math.sqrt(n_states),
        noise=lambda noise: noise.inertia,
        truth=lambda truth: truth.inertia,
        swept=lambda setting: setting.inertia,
        mixes=True,
    ),
    # At 0.8 neighbours explain 4 % of each other's variance: fields of known states have .94 and
    # more, photographs .5 and less.
    Index(
        "independence",
        "Independence",
        "How independent neighbours are, given their states",
        0.8,
        lambda frame: frame.residual_correlation,
        needs=frozenset({"residual_correlation"}),
        scaled=independence,
        key="residual_correlation",
        truth=lambda truth: truth.residual_correlation,
        script=_independence_script,
    ),
    # At 0.96 as many as one pixel in 25 is beyond the normal law. Fields with normal noise have
    # .98 and more, with uniform noise .91, with Laplace's .957, with exponential noise .80; with
    # Student's (3 degrees of freedom) .97, which differs in its tails alone
    Index(
        "law",
        "Law",
        "How well the numbers in each state follow the normal law",
        0.96,
        lambda frame: frame.law_distance,
        undefined=(
            "it is the law of numbers, in states of some 400 pixels or more; refined belief may "
            "count them in bins of any law"
        ),
        needs=frozenset({"law_distance"}),
        scaled=law,
        key="law_distance",
        truth=lambda truth: truth.law_distance,
        of_numbers=True,
        script=_law_script,
    ),
)
INDICES = {row.name: row for row in _ROWS}
"""All indices by their names, in the order of the gauges."""


def needs() -> frozenset[str]:
    """Return the results that a frame must have for all indices, and for those of noise."""
    return frozenset({"noise"}).union(*(row.needs for row in INDICES.values()))


def swept() -> "Iterator[tuple[Index, Callable[[choice.settings.Setting], float]]]":
    """Yield the indices of the trade-off, each with the function that returns it from a setting."""
    return ((row, row.swept) for row in INDICES.values() if row.swept is not None)


@dataclass(frozen=True)
class Gauge:
    """An index of a frame, with the values to compare it with."""

    index: Index
    value: float | None  # NaN if undefined, None if not computed
    chance: float | None  # of states placed at random; None without a comparison
    least: float  # its least possible value
    # What the same observations in another random order reach in 99 of 100 cases, with these
    # windows and this N; None if not known yet
    noise: float | None
    truth: float | None  # of the known states
    beats_noise: bool | None  # states exceed those of noise; None if not known yet
    depends_on_states: bool

    @property
    def known(self) -> bool:
        """True if there is a meaningful value."""
        return self.depends_on_states and self.value is not None and not math.isnan(self.value)

    @property
    def reached(self) -> bool:
        """True if the value is known and reaches the threshold."""
        return self.known and self.value is not None and self.value >= self.index.needed

    @property
    def enough(self) -> bool | None:
        """True if the value reaches the threshold and exceeds noise; None if not known yet."""
        return self.beats_noise if self.reached else False

    @property
    def color(self) -> str:
        """The theme's colour for the value."""
        if not self.known or self.enough is None:
            return "muted"
        return "good" if self.enough else "warning"


def gauges(frame: Frame) -> tuple[Gauge, ...]:
    """Return all indices of a frame, in their order."""
    return tuple(_gauge(row, frame) for row in INDICES.values())


def _gauge(row: Index, frame: Frame) -> Gauge:
    n_states, several = len(frame.occupancy), int(np.count_nonzero(frame.occupancy)) > 1
    depends_on_states = several and (frame.request.parameters.window > 0 or not row.mixes)
    value, noise = row.of(frame), None if frame.believed is not None else row.of_noise(frame)
    return Gauge(
        row,
        value,
        row.chance(n_states) if row.chance is not None and depends_on_states else None,
        row.least(n_states) if row.least is not None and several else 0.0,
        noise,
        row.of_truth(frame),
        True if row.noise is None else _beats(frame, value, noise),
        depends_on_states,
    )


def _beats(frame: Frame, value: float | None, most: float | None) -> bool | None:
    """Return True if states exceed those of noise; None if not known yet."""
    # Beliefs make one region of noise, with high indices; they exceed noise if neighbours give more
    # bits.
    if frame.believed is None:
        return None if value is None or most is None else value > most
    noise, code = frame.noise, frame.code_lengths
    if noise is None or code is None:
        return None
    return bool(code.one.bits - code.states.bits > choice.code_length.prediction_bound(noise.gain))


def value_text(value: float | None, needed: float) -> str:
    """Return an index to three decimals, or to more if rounding would lift it to the threshold."""
    if value is None or math.isnan(value):
        return "–"
    if (round(value, 3) >= needed) == (value >= needed):
        return digits.probability(value)
    texts = (f"{value:.{digits}f}" for digits in range(4, 9))
    return next(text for text in texts if (float(text) >= needed) == (value >= needed))
