"""The inputs of a decoding, without any results."""

from dataclasses import dataclass, field, fields
from typing import Any

from latviz.core.data.hand_cut import HandCut
from latviz.core.errors import ParameterError
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.pictures.sample_size import LARGE, check_sample
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.scribbles import Scribbles


@dataclass(frozen=True)
class Coloring:
    """The colours of the codewords of one merge tree."""

    slots: tuple[int, ...]  # of each row of its codebook, in the tree's own order; all different
    n_learned: int  # signatures that the tree was learned from

    def __post_init__(self) -> None:
        if len(set(self.slots) & set(range(256))) < len(self.slots):
            raise ParameterError(f"slots must be different, from 0 to 255, got {self.slots}")
        if self.n_learned < 1:
            raise ParameterError(f"n_learned must be 1 at least, got {self.n_learned}")


@dataclass(frozen=True)
class Decoding:
    """All that a decoding follows from, except its picture."""

    parameters: Parameters
    sample: int  # signatures of a sample
    coloring: Coloring | None = field(default=None, compare=False)  # of its states
    looks: Looks = field(default_factory=Looks, compare=False)
    hand_cut: HandCut = field(default_factory=HandCut)
    scribbles: Scribbles = field(default_factory=Scribbles, compare=False)
    given: Given | None = None  # the model that is applied, if none is learned

    def __post_init__(self) -> None:
        check_sample(self.sample)

    @classmethod
    def of(cls, asked: Any, coloring: Coloring | None) -> "Decoding":
        """Return the decoding of a state, a request or another object with these fields."""
        names = (one.name for one in fields(cls) if one.name != "coloring")
        return cls(**{name: getattr(asked, name) for name in names}, coloring=coloring)

    @property
    def complete(self) -> bool:
        """True if its codebook is learned from all signatures, not from a sample."""
        return self.coloring is None or self.coloring.n_learned > self.sample

    @property
    def quick(self) -> bool:
        """True if it can be computed again exactly at once: not if its picture is large."""
        return self.coloring is not None and self.coloring.n_learned <= LARGE


@dataclass(frozen=True, eq=False)
class DecodingA:
    """The identity of the reference; equal if all settings, colours and names are."""

    pictures: PictureSet  # learned from, with the one decoded
    decoding: Decoding
    by: str = ""  # title of another method that labelled the picture

    def _parts(self) -> tuple[object, ...]:
        each = (getattr(self.decoding, one.name) for one in fields(self.decoding))
        return self.pictures, self.by, *each

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DecodingA) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((self.pictures, self.by, self.decoding))
