"""A given model, not learned: it encodes and decodes all pictures in the same way."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.data.encoding import Encoding
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.core.json_text import from_json
from latviz.core.model.models import DiscreteModel, GaussianModel, Model
from latviz.core.parameter import rows
from latviz.core.types import Matrix
from latviz.core.values import Value
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.parameters import LOCKED, STATES_RANGE, WINDOW_RANGE, Parameters


@dataclass(frozen=True, eq=False)
class Given(Value):
    """A model, the encoder of its observations, and the colours of its states."""

    kind: Literal["discrete", "gaussian"]
    A: NDArray[np.float64]  # (N, N)
    book: NDArray[np.float64]  # (N, M): B, or the means
    covariances: NDArray[np.float64] | None  # (N, M, M), of vectors
    window: int  # it was learned with
    encoder_text: str  # JSON object for `Encoder.from_dict`
    name: str  # of its file, in the window
    slots: tuple[int, ...] = ()  # index of each state into the palette; increasing
    looks: Looks = field(default_factory=Looks)
    second_window: int | None = None  # if it decodes with two
    second_book: NDArray[np.float64] | None = None  # (N, M): codewords of the second window
    A_decoded: bool = True  # as of `DiscreteModel`
    # As of `GaussianModel`: (K + 1,) or (M, K + 1), (N, K) or (N, M, K), (N, M, M)
    bin_edges: NDArray[np.float64] | None = None
    bin_shares: NDArray[np.float64] | None = None
    score_correlations: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        model, encoder, n = self.model, self.encoder, len(self.book)
        if not self.slots:
            object.__setattr__(self, "slots", tuple(range(n)))
        if encoder.encoding.discrete != (self.kind == "discrete"):
            raise ParameterError(
                "the model and its encoder do not match: one uses symbols, the other vectors"
            )
        if len(encoder.fitted.names) != model.n_symbols:
            raise ParameterError(
                f"the encoder of the model has {len(encoder.fitted.names)} symbols or channels, "
                f"and the model {model.n_symbols}"
            )
        (least, most), (narrow, wide) = STATES_RANGE, WINDOW_RANGE
        if not (least <= n <= most and narrow <= self.window <= wide):
            raise ParameterError(
                f"only a model of {least} to {most} states and a window of {narrow} to {wide} can "
                f"be applied, got {n} states and window {self.window}"
            )
        is_rising = all(one < other for one, other in pairwise(self.slots))
        if len(self.slots) != n or not is_rising or not 0 <= self.slots[0] <= self.slots[-1] < 256:
            raise ParameterError(f"the slots of {n} states must increase from 0 to 255 at most")

    @classmethod
    def of(
        cls,
        model: Model,
        encoder: Encoder,
        name: str,
        slots: Sequence[int] = (),
        looks: Looks | None = None,
    ) -> "Given":
        """Return a model with its encoder, name and looks as a given one."""
        is_discrete, further = isinstance(model, DiscreteModel), model.further_windows
        if len(further) > 1:
            raise ParameterError(
                f"only a model of one or two windows can be applied, got one of {1 + len(further)}"
            )
        return cls(
            "discrete" if is_discrete else "gaussian",
            np.asarray(model.A),
            np.asarray(model.codebook),
            None if isinstance(model, DiscreteModel) else np.asarray(model.covariances),
            model.window,
            json.dumps(encoder.to_dict()),
            name,
            tuple(slots),
            looks or Looks(),
            further[0] if further else None,
            model.further_codewords,
            model.A_decoded,
            None if isinstance(model, DiscreteModel) else model.bin_edges,
            None if isinstance(model, DiscreteModel) else model.bin_shares,
            None if isinstance(model, DiscreteModel) else model.score_correlations,
        )

    @cached_property
    def model(self) -> Model:
        """The model."""
        further = () if self.second_window is None else (self.second_window,)
        ends = self.second_book
        if self.kind == "discrete":
            return DiscreteModel(self.A, self.book, self.window, further, ends, self.A_decoded)
        if self.covariances is None:
            raise ParameterError("a model of vectors needs their covariances")
        windows = self.window, False, 0.0, further, ends
        bins = self.A_decoded, self.bin_edges, self.bin_shares, self.score_correlations
        return GaussianModel(self.A, self.book, self.covariances, *windows, *bins)

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder."""
        try:
            return Encoder.from_dict(from_json(self.encoder_text))
        except ValueError as error:
            if isinstance(error, ParameterError):
                raise
            raise ParameterError(
                "the encoder of the model is damaged; get a fresh copy of the model"
            ) from error

    @property
    def encoding(self) -> Encoding:
        """The encoder's."""
        return self.encoder.encoding

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of all that numbers follow from, as hexadecimal digits; no name or colour."""
        digest = hashlib.sha256()
        words: tuple[object, ...] = (self.kind, self.window, self.encoder_text)
        words = words if self.second_window is None else (*words, self.second_window)
        words = words if self.A_decoded else (*words, "A as given")
        digest.update(repr(words).encode())
        bins = self.bin_edges, self.bin_shares, self.score_correlations
        for array in (self.A, self.book, self.covariances, self.second_book, *bins):
            if array is not None:
                digest.update(repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    def slots_of(self, codewords: Matrix) -> tuple[int, ...]:
        """Return the slot of each of the model's codewords, which are given in another order."""
        apart = ((codewords[:, None] - self.model.codewords[None]) ** 2).sum(axis=2)
        _, states = scipy.optimize.linear_sum_assignment(apart)
        return tuple(self.slots[state] for state in states.tolist())

    # Free parameters

    @property
    def free(self) -> frozenset[str]:
        """The fields of the parameters that can be set: all that learning does not read."""
        return frozenset(row.field for row in rows(Parameters)) - LOCKED

    @property
    def reason(self) -> str:
        """Why others cannot: a sentence without its full stop."""
        return f"The model {self.name} is applied, so nothing is learned: stop using it first"

    def admitted(self, parameters: Parameters) -> Parameters:
        """Return parameters with the locked ones set as in the model.

        Refining would learn a new model, so a refining decoder becomes belief with the given one.
        """
        return replace(
            parameters,
            encoding=self.encoding,
            n_states=len(self.book),
            learning_window=self.window,
            second_window=self.second_window,
            smoothing=0.0,
            decoder=parameters.decoding.plain,
        )

    def refusal(self, picture: Picture) -> str:
        """Return why a picture cannot be encoded as the model's were, or nothing."""
        encoder = self.encoder
        if (picture.dimensions == 1) != (encoder.dimensions == 1):
            kinds = "sequences" if encoder.dimensions == 1 else "images and volumes"
            return f"the model {self.name} is for {kinds}"
        if picture.dimensions == 1:
            own, others = encoder.fitted.names, picture.alphabet
            return "" if own == others else _of_other_symbols(self.name, own, others)
        if picture.pixels.dtype.name != encoder.dtype:
            return (
                f"its pixels are {picture.pixels.dtype.name}, but the model {self.name} was "
                f"learned from {encoder.dtype}: convert it, or stop using the model"
            )
        return ""


def _of_other_symbols(name: str, own: Sequence[str], others: Sequence[str]) -> str:
    """Return why a sequence of other symbols than a model's is refused."""
    known, found = (", ".join(symbols) or "no names" for symbols in (own, others))
    return (
        f"the model {name} has other symbols ({known}) than the sequence ({found}): "
        "learn a model of such sequences"
    )
