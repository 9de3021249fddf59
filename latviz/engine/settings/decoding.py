"""What a decoding follows from, without anything that is computed."""

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
    """The colours of the codewords of one merge tree.

    Attributes
    ----------
    slots : tuple of int
        The slot of each row of the tree's codebook, in the tree's own order; all different.
    n_learned : int
        How many signatures the tree was learned from.

    Raises
    ------
    ParameterError
        If slots are outside 0 to 255 or the same, or nothing was learned from.
    """

    slots: tuple[int, ...]
    n_learned: int

    def __post_init__(self) -> None:
        if len(set(self.slots) & set(range(256))) < len(self.slots):
            raise ParameterError(f"slots must be different, from 0 to 255, got {self.slots}")
        if self.n_learned < 1:
            raise ParameterError(f"n_learned must be 1 at least, got {self.n_learned}")


@dataclass(frozen=True)
class Decoding:
    """What a decoding follows from, its picture apart.

    Attributes
    ----------
    parameters : Parameters
    sample : int
        How many signatures a sample has.
    coloring : Coloring, optional
        The slots of its states; no part of what makes two decodings equal.
    looks : Looks
        What its states are called, and their own colours; no part of that either.
    hand_cut : HandCut
        Where the merge tree is cut by hand.
    scribbles : Scribbles
        Strokes that name its states; no part of what makes two decodings equal.
    given : Given, optional
        The model that is applied, if none is learned.

    Raises
    ------
    ParameterError
        If the sample is outside `LIVE_RANGE`.
    """

    parameters: Parameters
    sample: int
    coloring: Coloring | None = field(default=None, compare=False)
    looks: Looks = field(default_factory=Looks, compare=False)
    hand_cut: HandCut = field(default_factory=HandCut)
    scribbles: Scribbles = field(default_factory=Scribbles, compare=False)
    given: Given | None = None

    def __post_init__(self) -> None:
        check_sample(self.sample)

    @classmethod
    def of(cls, asked: Any, coloring: Coloring | None) -> "Decoding":
        """Return that of a state, a request or whatever else has the other fields."""
        names = (one.name for one in fields(cls) if one.name != "coloring")
        return cls(**{name: getattr(asked, name) for name in names}, coloring=coloring)

    @property
    def complete(self) -> bool:
        """Whether its codebook is learned from all signatures, not from a sample."""
        return self.coloring is None or self.coloring.n_learned > self.sample

    @property
    def quick(self) -> bool:
        """Whether it can be computed again at once as it was: not if its picture is large."""
        return self.coloring is not None and self.coloring.n_learned <= LARGE


@dataclass(frozen=True, eq=False)
class DecodingA:
    """Says which decoding is A; two are equal if nothing differs, colours and names included.

    Attributes
    ----------
    pictures : PictureSet
        What it is learned from, and which of it is decoded.
    decoding : Decoding
    by : str
        The title of another method that labelled the picture; "" if the model decoded it.
    """

    pictures: PictureSet
    decoding: Decoding
    by: str = ""

    def _parts(self) -> tuple[object, ...]:
        each = (getattr(self.decoding, one.name) for one in fields(self.decoding))
        return self.pictures, self.by, *each

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DecodingA) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((self.pictures, self.by, self.decoding))
