"""A mark that the user places on a view, and the true place next to it."""

from dataclasses import dataclass
from typing import Literal

MarkKind = Literal["gauge", "signature", "window", "cell"]
Place = tuple[float, ...]
"""On a gauge or a line a share from 0 to 1; of a window its half-width; of a cell its row and
column, from 0."""


@dataclass(frozen=True)
class Mark:
    """A place that a lesson asks for, on all views."""

    # A view draws the marks of its own kind, and emits ``placed`` when the user moves a free one
    kind: MarkKind
    place: Place | None = None  # of the user; None before
    truth: Place | None = None  # the right place, once it is shown
    part: str = ""  # the index of a gauge
    is_free: bool = False  # the user may move it
    words: str = ""  # a description for screen readers

    @property
    def gap(self) -> tuple[float, float] | None:
        """Both ends of the gap between the place and the truth on a line; None without both."""
        if self.place is None or self.truth is None:
            return None
        return min(self.place[0], self.truth[0]), max(self.place[0], self.truth[0])


YOU = "you"
"""The label of the user's mark."""
