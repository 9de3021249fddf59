"""What must be known of a picture to tell which encodings it can have, and why not others.

This module is light, as the table of parameters is.
"""

from dataclasses import dataclass
from typing import Final

MAX_LABELS: Final = 64
"""Distinct values or colours that can be symbols of their own, at most."""


@dataclass(frozen=True)
class PictureFacts:
    """What is known of a picture, or of the pictures of a data set together.

    Attributes
    ----------
    dimensions : int
        d, from 1 to 3; those of one are sequences.
    is_grey : bool
        Whether it has one number a pixel, not a colour.
    n_labels : int
        How many distinct values, colours or palette indices it has: from `MAX_LABELS` + 1 on that
        number stands for more. 0 if nobody counted.
    least_side : int
        Pixels of the shortest side; 0 if nobody counted.
    """

    dimensions: int = 2
    is_grey: bool = False
    n_labels: int = 0
    least_side: int = 0

    @property
    def are_labels(self) -> bool:
        """Whether each value is a symbol: those of sequences and of pictures of few values."""
        return self.dimensions == 1 or 2 <= self.n_labels <= MAX_LABELS

    @property
    def kind(self) -> tuple[int, str]:
        """The dimensions, and "labels", "grey" or "colour": what decides how a picture opens."""
        if self.are_labels:
            return self.dimensions, "labels"
        return self.dimensions, "grey" if self.is_grey else "colour"


def too_many_labels(facts: PictureFacts) -> str:
    """Return why not every value can be a symbol of its own, or nothing."""
    if facts.n_labels <= MAX_LABELS:
        return ""
    return (
        f"The picture has more than {MAX_LABELS} distinct values, too many to be symbols of their "
        "own: use Grey quantiles, Grey levels or Colour palette instead"
    )


def no_colour(facts: PictureFacts) -> str:
    """Return why there is no colour to see, or nothing."""
    return "The picture is grey: use Grey value instead" if facts.is_grey else ""
