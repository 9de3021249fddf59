"""Trials: settings that the user paused at, each with its scores."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import digits
from latviz.core.data.encoding import Encoding
from latviz.core.data.hand_cut import HandCut
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.core.parameter import row_of
from latviz.core.values import Value
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.thumbnail import MAP_SIDE, small_map
from latviz.engine.indices import INDICES, Index
from latviz.engine.pictures.picture import SPARSE, PictureSet, as_set
from latviz.engine.pictures.sample_size import check_sample
from latviz.engine.settings.decoding import Coloring, Decoding
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State

MOST = 24
"""Trials that are kept of a picture; the oldest are dropped."""
MOST_OF_ALL = 10 * MOST
"""Trials that are kept of pictures that were opened together."""
SCORES = (
    *("accuracy", "rand", "code_length", "code_length_of_one"),
    *("inertia", "residual_correlation"),
)
"""Numbers that a frame has only if a view requested them."""
COLUMNS = ("n_states", "window", "encoding", "decoder", "alpha", "accuracy", "rand")
"""Of the table of `trial_table`; the prediction error and indices follow."""


@dataclass(frozen=True, eq=False)
class Trial(Value):
    """A setting and its results."""

    picture: str  # of the pictures opened together, see `name_of`
    parameters: Parameters
    hand_cut: HandCut
    given: Given | None  # the model that was applied, if none was learned
    sample: int  # signatures of a sample
    coloring: Coloring = field(compare=False)  # the slots of its states
    # see `small_map`; older ones show the image, too
    drawn: Annotated[NDArray[np.uint8], "(rows, columns, 4)"]
    associativity: float
    # against known states, as is ``rand``; None if unknown or not needed
    accuracy: float | None = None
    rand: float | None = None
    code_length: float | None = None  # bits per node, see `CodeLengths`; None if not needed
    inertia: float | None = None
    residual_correlation: float | None = None
    # of indices without a field; session files hold the first ones so
    more: tuple[tuple[str, float | None], ...] = field(default=(), metadata=SPARSE)
    # known with ``code_length``, but for trials of older sessions
    code_length_of_one: float | None = field(default=None, metadata=SPARSE)

    def __post_init__(self) -> None:
        check_sample(self.sample)
        shape = self.drawn.shape
        if len(shape) != 3 or shape[2] != 4 or not 1 <= min(shape) <= max(shape) <= MAP_SIDE:
            raise ParameterError(
                f"a small state map must have 1 to {MAP_SIDE} rows and columns of 4 bytes, "
                f"got shape {shape}"
            )

    @property
    def name(self) -> str:
        """Its N and w."""
        return f"N = {self.parameters.n_states}, w = {self.parameters.window}"

    @property
    def score(self) -> str:
        """Its score: the accuracy if known, else the code length."""
        if self.accuracy is not None:
            return f"Accuracy {digits.share(self.accuracy)}"
        return "" if self.code_length is None else self._error_scale.short(self.code_length)

    @property
    def _error_scale(self) -> digits.ErrorScale:
        error, one = self.code_length, self.code_length_of_one
        if error is None or one is None:
            return digits.ErrorScale()
        return digits.ErrorScale.of([error], one)

    @property
    def score_text(self) -> str:
        """Its score in words, with the better direction."""
        if self.accuracy is not None:
            return f"{self.score} (share of pixels with their true state; higher is better)"
        if self.code_length is None:
            return "no score yet"
        rest = (
            "the rest of its window" if self.parameters.decoding.by_window else "all other pixels"
        )
        scale = self._error_scale
        better = "lower" if scale.one is None else "higher"
        return f"{scale.text(self.code_length, of='pixel')}, given {rest} ({better} is better)"

    @property
    def way(self) -> str:
        """Its encoding, decoder, codebook window, and choices by hand."""
        decoder = row_of(self.parameters, "decoder").text(self.parameters)
        parts = [self.parameters.encoding.kind.title, decoder]
        if self.given is None:
            parts.append(f"w_l = {self.parameters.effective_learning_window}")
            parts += [f"w_2 = {w}" for w in self.parameters.further_windows]
        else:
            parts.append(f"model {self.given.name}")
        return ", ".join(parts + (["cut by hand"] if self.hand_cut else []))

    def in_place_of(self, old: "Trial") -> "Trial":
        """Return it with the scores of an older one of its setting that it lacks."""
        if old.coloring.n_learned != self.coloring.n_learned:
            return self
        lacking = {name: getattr(old, name) for name in SCORES if getattr(self, name) is None}
        known = {name: value for name, value in self.more if value is not None}
        more = dict(self.more) | dict(old.more) | known
        return replace(self, **lacking, more=tuple(more.items()))

    def measured(self, row: Index) -> float | None:
        """Return the measured number of an index; None if it was not requested."""
        return dict(self.more).get(row.in_files, getattr(self, row.in_files, None))

    def stands_for(self, other: "Trial") -> bool:
        """Return True if another one has the same picture and setting."""
        return self.picture == other.picture and setting_of(self) == setting_of(other)


def setting_of(
    asked: State | Request | Trial | Decoding,
) -> tuple[Parameters, HandCut, Given | None]:
    """Return the settings that determine the numbers of a picture learned from as a whole."""
    return asked.parameters, asked.hand_cut, asked.given


def _symbols_of(asked: State | Request | Trial) -> tuple[Encoding, Encoder | None]:
    """Return the encoding of the picture: bits of two encodings cannot be compared."""
    return asked.parameters.encoding, None if asked.given is None else asked.given.encoder


def trial_of(frame: Frame, slice_: int) -> Trial:
    """Return the trial of a frame; of a volume the small picture shows a slice."""
    truth, code, request = frame.truth, frame.code_lengths, frame.request
    measured = {row.in_files: row.measured(frame) for row in INDICES.values()}
    own = {one.name for one in fields(Trial)}
    return Trial(
        name_of(as_set(request.pictures)),
        request.parameters,
        request.hand_cut,
        request.given,
        request.sample,
        frame.coloring,
        small_map(frame, slice_),
        frame.associativity,
        None if truth is None else truth.accuracy,
        None if truth is None else truth.rand,
        None if code is None else code.states.bits,
        frame.inertia,
        frame.residual_correlation,
        tuple((name, value) for name, value in measured.items() if name not in own),
        None if code is None else code.one.bits,
    )


def name_of(pictures: PictureSet) -> str:
    """Return the name of the picture on screen among those opened together."""
    other = pictures.other
    if other is None:
        return str(pictures.shown)
    part = other.origin.get("axes", other.origin.get("page", 0))
    return f"{other.origin.get('sha256', other.name)}, {part}"


def noted(trials: Sequence[Trial], new: Trial) -> tuple[Trial, ...]:
    """Return trials, oldest first, with a new one; it takes the place of one of its setting.

    The oldest beyond `MOST` of its picture, and beyond `MOST_OF_ALL`, are dropped.
    """
    if any(map(new.stands_for, trials)):
        return tuple(new.in_place_of(one) if new.stands_for(one) else one for one in trials)
    own = [one for one in trials if one.picture == new.picture]
    left = own[: max(0, len(own) + 1 - MOST)]
    return (*(one for one in trials if one not in left), new)[-MOST_OF_ALL:]


def check_trials(trials: Sequence[Trial]) -> None:
    """Raise `ParameterError` if there are more trials than `noted` keeps."""
    most = max(Counter(one.picture for one in trials).values(), default=0)
    if most > MOST or len(trials) > MOST_OF_ALL:
        raise ParameterError(
            f"at most {MOST} settings of a picture and {MOST_OF_ALL} in all can be saved, got "
            f"{most} and {len(trials)}"
        )


def by_score(trials: Sequence[Trial], asked: Request) -> list[Trial]:
    """Return the comparable trials of one picture by their score, best first."""
    # By accuracy if any is known, else by code length, within the encoding that is asked for
    right = [one for one in trials if one.accuracy is not None]
    if right:
        return sorted(right, key=lambda one: -(one.accuracy or 0.0))
    wanted = _symbols_of(asked)
    alike = [one for one in trials if one.code_length is not None and _symbols_of(one) == wanted]
    return sorted(alike, key=lambda one: one.code_length or 0.0)


def best_of(ranked: Sequence[Trial]) -> list[Trial]:
    """Return the first trials of `by_score` whose scores read the same; none of a single one."""
    return [one for one in ranked if one.score == ranked[0].score] if len(ranked) > 1 else []


def trial_table(trials: Iterable[Trial]) -> tuple[list[str], list[list[Any]]]:
    """Return the names of columns, and a row for each trial; unknown values are None."""
    each = tuple(trials)
    errors, ones = (
        [value for value in values if value is not None]
        for values in ([t.code_length for t in each], [t.code_length_of_one for t in each])
    )
    scale = digits.ErrorScale.of(errors, *ones)
    names = (row.in_files for row in INDICES.values())
    titles = [*COLUMNS, scale.named("bits per pixel"), *names]
    return titles, [_row(trial, scale) for trial in each]


def _row(trial: Trial, scale: digits.ErrorScale) -> list[Any]:
    parameters, error, one = trial.parameters, trial.code_length, trial.code_length_of_one
    known = error is not None and (scale.one is None or one is not None)
    return [
        parameters.n_states,
        parameters.window,
        parameters.encoding.kind.name,
        parameters.decoder,
        parameters.alpha,
        trial.accuracy,
        trial.rand,
        scale.value(error, one) if known and error is not None else None,
        *map(trial.measured, INDICES.values()),
    ]
