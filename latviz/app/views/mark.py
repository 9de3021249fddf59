"""A place on a view that a person is asked for, and the true one beside it."""

from dataclasses import dataclass
from typing import Literal

MarkKind = Literal["gauge", "signature", "window", "cell"]
Place = tuple[float, ...]
"""On a gauge or a line a share from 0 to 1; of a window its half-width; of a cell its row and
column, from 0."""


@dataclass(frozen=True)
class Mark:
    """A place that somebody asks for: whoever does, sets it on all views.

    A view draws the marks of its own kind, and tells by its signal ``placed`` where a person puts
    one that is free.

    Attributes
    ----------
    kind : {"gauge", "signature", "window", "cell"}
    place : tuple of float or None
        Where the person put it; None before.
    truth : tuple of float or None
        Where it ought to be, once that is told.
    part : str
        The index whose gauge it is on.
    is_free : bool
        Whether a person may put it elsewhere.
    words : str
        What there is to see, for those who cannot.
    """

    kind: MarkKind
    place: Place | None = None
    truth: Place | None = None
    part: str = ""
    is_free: bool = False
    words: str = ""

    @property
    def gap(self) -> tuple[float, float] | None:
        """Both ends of what lies between the place and the truth on a line; None without both."""
        if self.place is None or self.truth is None:
            return None
        return min(self.place[0], self.truth[0]), max(self.place[0], self.truth[0])


YOU = "you"
"""What the place of a person is called."""
