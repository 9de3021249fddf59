"""A pyramid from file to file: encoded, learned from, decoded and written, as set."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latviz.core.data.observations import Encoder
from latviz.core.decoders import DECODERS
from latviz.core.errors import ParameterError
from latviz.core.model.models import Model
from latviz.core.progress import Progress
from latviz.files.pyramids import Pyramid
from latviz.wings.scale.chunks import Chunked, chunked
from latviz.wings.scale.encoding import encode, fit_encoder
from latviz.wings.scale.learning import fit
from latviz.wings.scale.maps import best_strength, decode
from latviz.wings.scale.schedulers import computing
from latviz.wings.scale.settings import HowDecoded
from latviz.wings.scale.writing import from_level, known_in, open_level, write_states

LEARNED = 0.5
"""The share of the work that is done when the model is learned, about."""


@dataclass(frozen=True, eq=False)
class AppliedModel:
    """A model to apply: it is not learned; without an encoder, channels are plain vectors."""

    model: Model
    encoder: Encoder | None


@dataclass(frozen=True, eq=False)
class PyramidDecoding:
    """The model learned from a pyramid's observations, and the states to compute."""

    settings: HowDecoded
    image: Any  # the level, a dask array (*shape) or (*shape, C), from which ``data`` is observed
    encoder: Encoder | None
    data: Chunked
    model: Model
    strength: float | None  # of the coupling, if states are those of most belief
    known: Any = None  # which pixels are known, a dask array (*shape); None if all are

    @property
    def states(self) -> Any:
        """The states of the level, a dask array (*shape) uint8."""
        return self.decoded(self.data)

    def decoded(self, data: Chunked) -> Any:
        """Return the states of all or some of the observations, a dask array (*shape) uint8."""
        by_belief = {"strength": self.strength}
        given: Any = by_belief if self.strength is not None else {"window": self.settings.window}
        return decode(data, model=self.model, decoder=self.settings.decoder, **given)


def prepare(
    pyramid: Pyramid, settings: HowDecoded, given: AppliedModel | None = None
) -> PyramidDecoding:
    """Fit an encoder and a model to a level of a pyramid, unless they are ``given``."""
    # Nothing is decoded to stay yet. ParameterError if the model is of other pictures
    image, encoder = open_level(pyramid, level=settings.level, time=settings.time), None
    known = known_in(image, pyramid=pyramid)
    if given is not None:
        _check_suits(given, pyramid)
        encoder = given.encoder
    elif settings.encoding is not None:
        d = pyramid.dimensions
        encoder = fit_encoder(image, settings.encoding, dimensions=d, mask=known)
    if encoder is None:
        scalar = image.ndim == pyramid.dimensions
        data = chunked(image, kind="gaussian", scalar=scalar, mask=known)
    else:
        data = encode(image, encoder, mask=known)
    model = fit(data, kind=data.kind, settings=settings.fit) if given is None else given.model
    strength = best_strength(data, model) if DECODERS[settings.decoder].has_beliefs else None
    known = known if data.is_masked else None
    return PyramidDecoding(settings, image, encoder, data, model, strength, known)


def _check_suits(given: AppliedModel, pyramid: Pyramid) -> None:
    """Raise `ParameterError` if a model is of pictures with other axes or channels."""
    # Encoders check the type of the values, and their colours, themselves
    encoder, d, n_channels = given.encoder, pyramid.dimensions, pyramid.n_channels
    if encoder is not None and encoder.dimensions != d:
        raise ParameterError(
            f"the model is of pictures with {encoder.dimensions} dimensions, but this one has {d}: "
            "learn a model of such pictures"
        )
    if encoder is None and given.model.kind == "discrete":
        raise ParameterError(
            "the model has no encoder, so its symbols have no meaning in a picture; save it with "
            "one: save_model(model, path, encoder=observations.encoder)"
        )
    if encoder is None and given.model.n_symbols != n_channels:
        raise ParameterError(
            f"the model is of {given.model.n_symbols} channels, but this picture has {n_channels}: "
            "learn a model of such pictures"
        )


def write(path: Path, pyramid: Pyramid, found: PyramidDecoding, settings: HowDecoded) -> None:
    """Write the states as labels, with facts on the model; the folder must not exist."""
    facts = {
        "kind": found.model.kind,
        "window": settings.window,
        "A": found.model.A.tolist(),
        "codebook": found.model.codebook.tolist(),
    }
    like = from_level(pyramid, level=settings.level)
    write_states(path, found.states, like=like, attributes=facts, n_states=found.model.n_states)


def learn(pyramid: Pyramid, settings: HowDecoded, progress: Progress) -> PyramidDecoding:
    """Do the same as `prepare` on the threads of this process."""
    with computing(progress):
        return prepare(pyramid, settings)


def decode_file(
    path: Path,
    pyramid: Pyramid,
    settings: HowDecoded,
    progress: Progress,
    found: PyramidDecoding | None = None,
    address: str = "",
    given: AppliedModel | None = None,
) -> PyramidDecoding:
    """Prepare a pyramid, unless it was ``found`` before, and write its states into a folder."""
    # The model that is given is applied. The workers at an address compute, or threads of this
    # process. Cancelled, it writes nothing
    with computing(progress, address) as phase:
        learned = 0.0 if found or given else LEARNED
        phase(0.0, learned)
        found = found or prepare(pyramid, settings, given)
        phase(learned, 1.0)
        write(path, pyramid, found, settings)
    return found
