"""What a session keeps of the document beside its picture, so that it can be taken up again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from latviz.core.errors import ParameterError
from latviz.engine.frame import Coloring, Frame, Request
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture
from latviz.engine.projection import Projection
from latviz.engine.sample_size import LARGE, LIVE, LIVE_RANGE
from latviz.engine.selection import MapKind


@dataclass(frozen=True)
class Decoding:
    """What a decoding follows from, its picture apart.

    Attributes
    ----------
    parameters : Parameters
    sample : int
        How many signatures a sample has.
    coloring : Coloring, optional
        The colours of its states; no part of what makes two decodings equal.

    Raises
    ------
    ParameterError
        If the sample is outside `LIVE_RANGE`.
    """

    parameters: Parameters
    sample: int
    coloring: Coloring | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        low, high = LIVE_RANGE
        if not low <= self.sample <= high:
            raise ParameterError(f"the sample must be from {low} to {high}, got {self.sample}")

    @property
    def complete(self) -> bool:
        """Whether its codebook is learned from all signatures, not from a sample."""
        return self.coloring is None or self.coloring.n_learned > self.sample

    @property
    def quick(self) -> bool:
        """Whether it can be computed again at once as it was: not if its picture is large."""
        return self.coloring is not None and self.coloring.n_learned <= LARGE


@dataclass(frozen=True)
class Session:
    """The state of the document; equal if nothing was set in between.

    Attributes
    ----------
    shown : Decoding
        What is on screen.
    defaults : Parameters
        The picture's own, which a person can return to.
    compared : Decoding, optional
        Decoding A, to compare with.
    projection : Projection
    map : str
        Which map the view of maps shows.
    views : tuple of str
        The views that are visible.
    pins : tuple of tuple of int
        The pinned nodes.
    declined : bool
        Whether a person did not want to learn from all signatures.
    embedded : bool
        Whether the picture is to be kept inside the session's file, wherever it came from.
    display : Mapping
        The display options, made plain; the window knows their type.
    """

    shown: Decoding
    defaults: Parameters
    compared: Decoding | None = None
    projection: Projection = field(default_factory=Projection)
    map: MapKind = "likelihood"
    views: tuple[str, ...] = field(default=(), compare=False)
    pins: tuple[tuple[int, ...], ...] = ()
    declined: bool = field(default=False, compare=False)
    embedded: bool = field(default=False, compare=False)
    display: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, parameters: Parameters) -> "Session":
        """Return the session of a picture that was just opened."""
        return cls(Decoding(parameters, LIVE), parameters)

    def adjusted(self, adjust: Callable[[Parameters], Parameters]) -> "Session":
        """Return it with other parameters; if they are the same, colours stay."""
        parameters = adjust(self.shown.parameters)
        if parameters == self.shown.parameters:
            return self
        return replace(self, shown=Decoding(parameters, self.shown.sample))

    def check(self, picture: Picture) -> None:
        """Raise `ParameterError` if a pin is not in the picture."""
        for pin in self.pins:
            if len(pin) != len(picture.shape) or not all(
                0 <= place < length for place, length in zip(pin, picture.shape, strict=True)
            ):
                raise ParameterError(f"the pin {pin} is outside the image, {picture.shape}")


def decoding_of(frame: Frame) -> Decoding:
    """Return what a frame's decoding follows from."""
    request = frame.request
    return Decoding(request.parameters, request.sample, frame.coloring)


def request_of(decoding: Decoding, picture: Picture) -> Request:
    """Return the request whose frame is a decoding, without what only views need."""
    return Request(
        number=0,
        picture=picture,
        parameters=decoding.parameters,
        complete=decoding.complete,
        sample=decoding.sample,
        views=frozenset(),
        coloring=decoding.coloring,
    )
