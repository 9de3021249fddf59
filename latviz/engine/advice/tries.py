"""What was computed to advise on a picture: what `choose` found, and what settings lead to."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latviz.core import choice as choices
from latviz.core.choice.code_length import ERRORS
from latviz.core.data.lattice import middle_of
from latviz.core.data.masks import moved_to_known
from latviz.core.types import Spacing
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.asked import Asked
from latviz.engine.settings.parameters import Parameters, in_force

SEEN = 1 << 16
"""Nodes of a large picture that are tried, in its middle: as many as `choose` looks at."""
LEAST_GAIN = 0.005
"""Bits per pixel that an act must save: a hundredth of a bit in two pixels cannot be seen."""
Wanted = Literal["flat", "choice", "sparse", "window", "lives"] | Parameters
"""What is to be computed: whether the picture has one value, the choice, that of every second node,
the best w, the lives of regions, or what settings lead to."""


CLEAR = 0.03
"""Bits per pixel that the last of N states saves if N is certain. In 44 fields of independent
pixels the true last state saves .038 at least; light within states looks like one of .002 to .051.
Neighbours are alike within states if they share more.
"""
FEW = 4
"""The most states of these fields. The last of more saves less in proportion: it has fewer pixels.
"""


class Untried(Exception):
    """Raised where advice depends on something that was not computed yet."""

    def __init__(self, wanted: Wanted) -> None:
        super().__init__(wanted)
        self.wanted = wanted


@dataclass(frozen=True, eq=False)
class Tried:
    """What settings lead to in the part that is tried."""

    error: "choices.code_length.CodeLength"  # the pixel error, see `latviz.core.choice`
    states: NDArray[np.uint8]
    # of the numbers beneath in refined states, see `latviz.core.law_distance`; NaN of others
    law_distance: float = math.nan
    n_rims: int = 0  # of refined states, see `count_rims`


class Holding(NamedTuple):
    """How many large regions by contrast hold around the usual cut, and how many there are."""

    n_held: int
    n_regions: int


@dataclass(frozen=True)
class Gain:
    """The pixel error before and after an act, in bits, and the standard error of the gain."""

    before: float
    after: float
    error: float

    @property
    def is_sure(self) -> bool:
        """True if the act saves more than `LEAST_GAIN`, and more than chance does."""
        return self.is_more_than(LEAST_GAIN)

    def is_more_than(self, least: float) -> bool:
        """Return True if the act saves more than some bits, and more than chance does."""
        return self.before - self.after > max(least, ERRORS * self.error)


@dataclass(frozen=True)
class TriedPart:
    """All that tries follow from but parameters: the pictures."""

    pictures: PictureSet  # as many as are tried; the middle of a large one
    of: PictureSet  # those on screen

    @classmethod
    def is_of(cls, basis: "TriedPart | None", frame: Frame) -> bool:
        """Return True if a basis is that of a frame."""
        return basis is not None and basis.of == frame.request.modelled

    @classmethod
    def of_frame(cls, frame: Frame) -> "TriedPart":
        """Return the basis of a frame."""
        pictures = frame.request.modelled
        return cls(_middles(pictures), pictures)

    @property
    def picture(self) -> Picture:
        """The picture that is shown, or its middle."""
        return self.pictures.picture

    @property
    def whole(self) -> bool:
        """True if all pictures are tried whole."""
        return self.pictures is self.of

    @property
    def spacing(self) -> Spacing:
        """The distance of nodes along each axis of a lattice; None if they are equal or unknown."""
        return Asked(self.of).spacing

    @property
    def encoding(self) -> str:
        """The name of the encoding that shows the values beneath: all that can be seen."""
        facts = self.of.facts
        if facts.are_labels:
            return "labels"
        if facts.n_channels:
            return "channels"
        return "grey" if facts.is_grey else "lab"

    @property
    def is_colour(self) -> bool:
        """True if the values beneath are colours."""
        return self.encoding == "lab"

    def plain(self, parameters: Parameters) -> Parameters:
        """Return parameters with the values beneath as observations."""
        return replace(parameters, encoding=parameters.encoding.named(self.encoding))


@dataclass(frozen=True, eq=False)
class Tries:
    """All that was computed so far for a basis."""

    basis: TriedPart
    is_flat: bool | None = None  # all pictures have one value
    choice: "choices.choosing.Choice | None" = None
    sparse: "choices.choosing.Choice | None" = None  # of every second node along each axis
    # by the settings that an error depends on, see `effective`
    tried: Mapping[Parameters, Tried] = field(default_factory=dict)
    # the w of the least prediction error, by all other settings
    windows: Mapping[Parameters, int] = field(default_factory=dict)
    lives: Holding | None = None

    @property
    def shared(self) -> float:
        """The bits per node that neighbours share beyond grown states, where they depend."""
        if self.choice is None:
            raise Untried("choice")
        if not self.choice.dependent:
            return 0.0
        n_channels = self.choice.model.n_symbols - (self.basis.encoding == "labels")
        r, d = self.choice.residual_correlation, self.basis.picture.dimensions
        return choices.growing.shared_bits(r, d, n_channels)

    def of(self, parameters: Parameters) -> Tried:
        """Return what settings lead to; raise `Untried` if it is not known."""
        found = self.tried.get(self.effective(parameters))
        if found is None:
            raise Untried(parameters)
        return found

    def gain(self, before: Parameters, after: Parameters) -> Gain:
        """Compare the pixel errors of two settings; raise `Untried` if one is not known."""
        one, other = self.of(before).error, self.of(after).error
        return Gain(one.mean, other.mean, one.gain_error(other))

    def changed(self, before: Parameters, after: Parameters) -> float:
        """Return the share of pixels in another state; raise `Untried` if one is not known."""
        return float((self.of(before).states != self.of(after).states).mean())

    def effective(self, parameters: Parameters) -> Parameters:
        """Return the settings that states depend on, the others by default."""
        found = in_force(parameters, self.basis.picture.dimensions)
        usual = Parameters()
        return replace(
            found,
            learning_window=found.effective_learning_window,
            alpha=usual.alpha,
            alpha_mode=usual.alpha_mode,
            normalizer=usual.normalizer,
        )

    def but_window(self, parameters: Parameters) -> Parameters:
        """Return the settings that the best w depends on."""
        return replace(self.effective(parameters), window=0)


def _middles(pictures: PictureSet) -> PictureSet:
    """Return pictures of at most `SEEN` nodes, or middles of the first ones and of that shown."""
    # What is tried does not depend on the picture on screen, but for its own numbers
    n_nodes, shown = pictures.n_nodes, pictures.picture
    if max(n_nodes, shown.n_nodes) <= SEEN:
        return pictures
    some = pictures.members[: max(1, SEEN * len(pictures.members) // n_nodes)]
    most = SEEN if n_nodes <= SEEN else SEEN // len(some)
    middles = tuple(_middle(each, most) for each in some)
    if pictures.other is None and pictures.shown < len(some):
        return PictureSet(middles, pictures.shown)
    return PictureSet(middles, 0, _middle(shown, most))


def _middle(picture: Picture, most: int) -> Picture:
    """Return the middle of a large picture."""
    labels, truth, known = picture.labels, picture.truth, picture.known
    part = moved_to_known(middle_of(picture.shape, most), known)
    return replace(
        picture,
        pixels=picture.pixels[part].copy(),
        x=None,
        labels=None if labels is None else labels[part].copy(),
        truth=None if truth is None else truth[part].copy(),
        known=None if known is None else known[part],
        whole=None,
    )
