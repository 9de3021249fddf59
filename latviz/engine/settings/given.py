"""A given model, not learned: it encodes and decodes all pictures in the same way."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import scipy

from latviz.core.data.encoding import Encoding
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.core.facts import around_unknown
from latviz.core.model.archive import numbers_and_arrays
from latviz.core.model.models import GaussianModel, Model
from latviz.core.parameter import rows
from latviz.core.types import Matrix
from latviz.core.values import Value
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.parameters import LOCKED, MOST_WINDOW, STATES_RANGE, Parameters


@dataclass(frozen=True)
class Lock:
    """The fields of the parameters that can be set now, and why the others cannot."""

    free: frozenset[str]
    reason: str

    def admits(self, old: Parameters, new: Parameters) -> bool:
        """Return True if only free parameters differ."""
        return all(row.of(old) == row.of(new) or row.field in self.free for row in rows(new))


@dataclass(frozen=True, eq=False)
class Given(Value):
    """A model, the encoder of its observations, and the colours of its states."""

    model: Model  # its vectors are not scalar, as those of pictures are not
    encoder: Encoder
    name: str  # of its file, in the window
    slots: tuple[int, ...] = ()  # index of each state into the palette; increasing
    looks: Looks = field(default_factory=Looks)

    def __post_init__(self) -> None:
        model, encoder, n = self.model, self.encoder, self.model.n_states
        if not self.slots:
            object.__setattr__(self, "slots", tuple(range(n)))
        if encoder.encoding.discrete != (model.kind == "discrete"):
            raise ParameterError(
                "the model and its encoder do not match: one uses symbols, the other vectors"
            )
        if len(encoder.fitted.names) != model.n_symbols:
            raise ParameterError(
                f"the encoder of the model has {len(encoder.fitted.names)} symbols or channels, "
                f"and the model {model.n_symbols}"
            )
        least, most = STATES_RANGE
        if not (least <= n <= most and model.window <= MOST_WINDOW):
            raise ParameterError(
                f"only a model of {least} to {most} states and a window of 0 to {MOST_WINDOW} can "
                f"be applied, got {n} states and window {model.window}"
            )
        if len(model.further_windows) > 1:
            raise ParameterError(
                "only a model of one or two windows can be applied, got one of "
                f"{1 + len(model.further_windows)}"
            )
        is_rising = all(one < other for one, other in pairwise(self.slots))
        if len(self.slots) != n or not is_rising or not 0 <= self.slots[0] <= self.slots[-1] < 256:
            raise ParameterError(f"the slots of {n} states must increase from 0 to 255 at most")
        if isinstance(model, GaussianModel) and model.scalar:
            object.__setattr__(self, "model", replace(model, scalar=False))

    @property
    def encoding(self) -> Encoding:
        """The encoder's."""
        return self.encoder.encoding

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of all that numbers follow from, as hexadecimal digits; no name or colour."""
        numbers, arrays = numbers_and_arrays(self.model)
        words = self.model.kind, numbers, json.dumps(self.encoder.to_dict())
        digest = hashlib.sha256(repr(words).encode())
        for name, array in arrays.items():
            digest.update(repr((name, array.shape)).encode() + array.tobytes())
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
        """Return parameters with those of learning set as in the model, or by default.

        Refining would learn a new model, so a refining decoder becomes belief with the given one.
        """
        usual = type(parameters)()
        own = {
            "encoding": self.encoding,
            "n_states": self.model.n_states,
            "learning_window": self.model.window,
            "second_window": next(iter(self.model.further_windows), None),
            "decoder": parameters.decoding.plain,
        }
        unread = {row.field: row.of(usual) for row in rows(usual) if row.learned}
        return replace(parameters, **{**unread, **own})

    def refusal(self, picture: Picture) -> str:
        """Return why a picture cannot be encoded as the model's were, or nothing."""
        encoder = self.encoder
        if (picture.dimensions == 1) != (encoder.dimensions == 1):
            kinds = "sequences" if encoder.dimensions == 1 else "images and volumes"
            return f"the model {self.name} is for {kinds}"
        if picture.dimensions == 1:
            own, others = encoder.fitted.names, picture.alphabet
            return "" if own == others else _of_other_symbols(self.name, own, others)
        if picture.known is not None and encoder.encoding.kind.looks_around:
            return around_unknown(encoder.encoding.kind.title)
        if picture.pixels.dtype.name != encoder.dtype:
            return (
                f"its pixels are {picture.pixels.dtype.name}, but the model {self.name} was "
                f"learned from {encoder.dtype}: convert it, or stop using the model"
            )
        return self._refusal_of_channels(picture.channels)

    def _refusal_of_channels(self, channels: tuple[str, ...]) -> str:
        """Return why the channels of a picture are not those of the model's, or nothing."""
        fitted = self.encoder.fitted
        if not self.encoder.encoding.kind.channels:
            return f"the model {self.name} is for greys or colours" if channels else ""
        axes = fitted.arrays.get("axes")
        same = channels == fitted.names if axes is None else len(channels) == axes.shape[1]
        return "" if same else f"the model {self.name} is for other channels"


def _of_other_symbols(name: str, own: Sequence[str], others: Sequence[str]) -> str:
    """Return why a sequence of other symbols than a model's is refused."""
    known, found = (", ".join(symbols) or "no names" for symbols in (own, others))
    return (
        f"the model {name} has other symbols ({known}) than the sequence ({found}): "
        "learn a model of such sequences"
    )
