"""Facts of a picture that decide which encodings it can have, with reasons.

This module is light, as the table of parameters is.
"""

from dataclasses import dataclass
from typing import Final

MAX_LABELS: Final = 64
"""Distinct values or colours that can be symbols of their own, at most."""

N_GREYS: Final = 8
"""Bins of grey that a grey picture opens with."""


@dataclass(frozen=True)
class PictureFacts:
    """Facts of a picture, or of the pictures of a data set together."""

    dimensions: int = 2  # d, 1 to 3; those of one are sequences
    is_grey: bool = False  # one number per pixel, not a colour
    # distinct values, colours or indices; MAX_LABELS + 1 is "more", 0 "not counted"
    n_labels: int = 0
    least_side: int = 0  # pixels of the shortest side; 0 if not counted
    n_nodes: int = 0  # of all pictures; 0 if not counted
    n_channels: int = 0  # numbers per pixel that are not colours, such as stains; 0 for others
    has_unknown: bool = False  # some pixels are unknown
    grey_as: str = "quantiles"  # the bins that say most of greys, see `informative_bins`
    longest: int = 0  # positions of the longest sequence, or image of one row; 0 for others

    @property
    def are_labels(self) -> bool:
        """True if each value is a symbol: for sequences and for pictures of few values."""
        # Of a thumbnail, few values are many: A is to have no more entries than there are pixels
        few = 2 <= self.n_labels <= MAX_LABELS and self.n_labels**2 <= self.n_nodes
        return self.dimensions == 1 or few

    @property
    def kind(self) -> tuple[int, str]:
        """The dimensions, and the word for what its pixels are: they decide how it opens."""
        if self.n_channels:
            return self.dimensions, "channels"
        if self.are_labels:
            return self.dimensions, "labels"
        return self.dimensions, "grey" if self.is_grey else "colour"


def too_many_labels(facts: PictureFacts) -> str:
    """Return why not every value can be a symbol of its own, or ""."""
    if facts.n_labels <= MAX_LABELS:
        return ""
    return (
        f"The picture has more than {MAX_LABELS} distinct values, too many for one symbol each: "
        "use Grey or Colour palette instead"
    )


def no_colour(facts: PictureFacts) -> str:
    """Return why there is no colour to see, or ""."""
    return "The picture is grey: use Grey instead" if facts.is_grey else ""


def around_unknown(title: str) -> str:
    """Return why an encoding that looks around pixels cannot have unknown ones."""
    return f"{title} compares pixels around each pixel, and some are unknown: use Grey or CIELAB"


def several_channels(facts: PictureFacts) -> str:
    """Return why an encoding of greys or colours cannot be that of channels, or the reverse."""
    if facts.n_channels:
        return f"The picture has {facts.n_channels} channels, which are not colours: use Channels"
    return "The picture has no channels beside grey and colour"
