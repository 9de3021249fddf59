"""Results of one image, and their measures."""

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Literal

import numpy as np

from latviz import __version__, engine
from latviz.collection.reading import read_entry
from latviz.core.digits import ErrorScale
from latviz.core.errors import ParameterError
from latviz.core.truth.agreement import accuracy_of, known_contingency, rand_of
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.indices import INDICES
from latviz.engine.pictures.picture import Picture, as_set
from latviz.engine.pictures.sample_size import LIVE
from latviz.engine.pictures.shelf import Entry
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters, suited
from latviz.files.errors import ImageError

FORMAT = 7
"""Increased when the computation changes, so that older results are not reused."""
Choose = Literal["", "w", "N", "both"]


@dataclass(frozen=True)
class RecordTask:
    """The task of computing a record of each image."""

    # for learning, without a given model; but for an encoding that an image cannot have
    parameters: Parameters = field(default_factory=Parameters)
    given: Given | None = None  # one model for all; None: each image learns by itself
    choose: Choose = ""  # chosen first for each image; nothing, with a given model
    sample: int = 0  # signatures that are learned from, if there are more; 0: all

    def __post_init__(self) -> None:
        if self.given is not None:
            if self.choose:
                raise ParameterError("with a given model there is nothing to choose")
            object.__setattr__(self, "parameters", self.given.admitted(self.parameters))

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of all that numbers follow from, the image apart."""
        model = "" if self.given is None else self.given.fingerprint
        computed = FORMAT, __version__, tuple(INDICES)
        words = *computed, self.parameters, model, self.choose, self.sample
        return hashlib.sha256(repr(words).encode()).hexdigest()


@dataclass(frozen=True)
class Record:
    """The results of one image under a task."""

    path: str  # absolute
    height: int  # pixels; of a volume of all slices together, of a sequence 1
    width: int
    n_states: int
    window: int
    # of fit by their names, of the image's own states; NaN if undefined
    indices: tuple[tuple[str, float], ...]
    bits: float  # code length a pixel of observations that are left out
    bits_of_one: float  # that with one state
    likelihood_bits: float  # log2 P a pixel
    shares: tuple[float, ...]  # of each state
    accuracy: float | None = None  # share of pixels in matched states, if there are labels
    rand: float | None = None  # adjusted Rand index, likewise
    classes: tuple[str, ...] = ()  # labels that occur
    confusion: tuple[tuple[int, ...], ...] = ()  # pixels by class (rows) and state (columns)
    seconds: float = 0.0
    notes: tuple[str, ...] = ()  # of the picture: changes beyond copying values

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return PurePath(self.path).name

    def index(self, name: str) -> float | None:
        """Return an index of fit; None if it has none of this name."""
        return dict(self.indices).get(name)


@dataclass(frozen=True)
class RecordColumn:
    """One number of records, for a table and a plot."""

    name: str  # in files
    title: str  # in the window
    tip: str
    of: Callable[[Record], float | int | None]  # returns it of a record; None if it has none
    decimals: int = 3


_SETTINGS = (
    RecordColumn("height", "Height", "Rows of the image", lambda r: r.height, 0),
    RecordColumn("width", "Width", "Columns of the image", lambda r: r.width, 0),
    RecordColumn("n_states", "N", "The number of states", lambda r: r.n_states, 0),
    RecordColumn("window", "w", "The half-width of the window", lambda r: r.window, 0),
)
_SCORES = (
    RecordColumn(
        "bits",
        "Prediction error, bits",
        "Bits per left-out pixel (lower is better)",
        lambda r: r.bits,
    ),
    RecordColumn(
        "saved",
        "Bits saved",
        "Bits per left-out pixel that are saved over one state (higher is better)",
        lambda r: r.bits_of_one - r.bits,
    ),
    RecordColumn(
        "likelihood_bits",
        "log₂ P per pixel",
        "The log-likelihood; comparable only if one model is used for all",
        lambda r: r.likelihood_bits,
    ),
    RecordColumn(
        "accuracy",
        "Accuracy",
        "The share of pixels in states that match their labels",
        lambda r: r.accuracy,
    ),
    RecordColumn(
        "rand", "Rand index", "The adjusted Rand index against the labels", lambda r: r.rand
    ),
    RecordColumn("seconds", "Seconds", "The time that it took to compute", lambda r: r.seconds, 2),
)


def columns() -> tuple[RecordColumn, ...]:
    """Return the numbers of a record, but for shares."""
    indices = (
        RecordColumn(
            row.name,
            row.title,
            f"{row.tip}; the model applies at {row.needed:g} or more",
            partial(Record.index, name=row.name),
        )
        for row in INDICES.values()
    )
    return *_SETTINGS, *indices, *_SCORES


def share_columns(n_states: int) -> tuple[RecordColumn, ...]:
    """Return a column for the share of each state."""

    def share(state: int) -> Callable[[Record], float | None]:
        return lambda r: r.shares[state] if state < len(r.shares) else None

    return tuple(
        RecordColumn(
            f"share_{k + 1}", f"State {k + 1}", f"The share of pixels in state {k + 1}", share(k)
        )
        for k in range(n_states)
    )


def columns_of(records: Sequence[Record]) -> tuple[RecordColumn, ...]:
    """Return the columns that some of the records have numbers for.

    Where a prediction error cannot be shown as it is, all are bits saved over one state.
    """
    most = max((record.n_states for record in records), default=0)
    ones = (record.bits_of_one for record in records)
    scale = ErrorScale.of((record.bits for record in records), *ones)
    hidden = "saved" if scale.one is None else "bits"
    named = (c for c in columns() if c.name != hidden)
    there = (c for c in named if any(c.of(record) is not None for record in records))
    return (*there, *share_columns(most))


def frame_of(picture: Picture, task: RecordTask, more: frozenset[str] = frozenset()) -> Frame:
    """Return the frame of an image under a task, with the results for a record and ``more``."""
    # ImageError or ParameterError if the image cannot be encoded as asked
    check_suits(picture, task)
    pipeline = engine.flow.pipeline.Pipeline()
    request = request_of(picture, task, needs() | more)
    if not task.choose:
        return pipeline.run(request)
    first = pipeline.run(replace(request, needs=frozenset()))
    trying = engine.advice.trying.Trying(engine.choosing.sweeping.Sweeping())
    chosen = trying.choose(first, task.choose)
    parameters = chosen.applied(request.parameters)
    return pipeline.run(replace(request, parameters=parameters))


def needs() -> frozenset[str]:
    """Return the results of a frame that a record has."""
    indices = ({row.own} if row.own else row.needs for row in INDICES.values())
    return frozenset({"evaluation", "code_lengths"}).union(*indices)


def check_suits(picture: Picture, task: RecordTask) -> None:
    """Raise `ImageError` if a picture cannot be encoded as those of the task's model were."""
    if task.given is not None and (reason := task.given.refusal(picture)):
        raise ImageError(Path(str(picture.origin.get("path", picture.name))), reason)


def request_of(picture: Picture, task: RecordTask, needs: frozenset[str]) -> Request:
    """Return the request for results of a picture under a task."""
    parameters = task.parameters
    if task.given is None:
        parameters = suited(parameters, as_set(picture).facts)
    return Request(
        pictures=picture,
        parameters=parameters,
        complete=not task.sample,
        sample=task.sample or LIVE,
        needs=needs,
        given=task.given,
    )


def record_of(frame: Frame, seconds: float = 0.0) -> Record:
    """Return the measures of a frame's image; the frame has the results for a record."""
    picture, lengths, evaluation = frame.request.picture, frame.code_lengths, frame.evaluation
    assert lengths is not None
    assert evaluation is not None
    parameters = frame.request.parameters
    rows = [row for row in INDICES.values() if row.suits(frame)]
    indices = {row.name: row.of_image(frame) for row in rows}
    *others, width = picture.shape
    return Record(
        str(picture.origin.get("path", picture.name)),
        int(np.prod(others)),
        width,
        parameters.n_states,
        parameters.window,
        tuple((name, math.nan if of is None else float(of)) for name, of in indices.items()),
        lengths.states.bits,
        lengths.one.bits,
        evaluation.bits_per_node,
        tuple((frame.occupancy / picture.n_known).tolist()),
        *_against_labels(frame),
        seconds,
        picture.notes,
    )


def _against_labels(
    frame: Frame,
) -> tuple[float | None, float | None, tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """Return accuracy, Rand index, classes and confusion; nothing without labels."""
    picture = frame.request.picture
    if picture.truth is None:
        return None, None, (), ()
    table = known_contingency(frame.states, picture.truth).T
    padded = np.pad(table, ((0, 0), (0, len(frame.slots) - table.shape[1])))
    classes = picture.origin.get("classes") or range(len(table))
    return (
        accuracy_of(table),
        rand_of(table),
        tuple(map(str, classes)),
        tuple(tuple(row) for row in padded.tolist()),
    )


def computed(
    entry: Entry,
    task: RecordTask,
    truth: str = "",
    more: frozenset[str] = frozenset(),
) -> tuple[Record, Frame]:
    """Read an image and compute its record and frame; errors as of `read_entry` and `frame_of`."""
    start = time.perf_counter()
    frame = frame_of(read_entry(entry, truth), task, more)
    return record_of(frame, time.perf_counter() - start), frame


def measured(records: Sequence[Record], column: RecordColumn) -> Iterator[tuple[Record, float]]:
    """Yield the records that have a number in a column, with it."""
    for record in records:
        value = column.of(record)
        if value is not None and np.isfinite(value):
            yield record, float(value)
