"""Predicts the next requests of a slider drag, and keeps their frames."""

import math
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from latviz.engine.frames.frame import Frame, Request
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.sample_size import LARGE
from latviz.engine.settings.parameters import STATES_RANGE, Parameters, window_range

MOVED = "window", "n_states"
"""The parameters with predicted values."""
HAND_S = 0.5
"""A moving slider sends requests at most this far apart."""


class Hand:
    """Follows the requests of a slider, and guesses the next one after two equal moves."""

    def __init__(self) -> None:
        self._set: deque[Parameters] = deque(maxlen=3)
        self._of: Callable[[], Picture | None] = lambda: None  # weak: it holds no picture
        self._last = -math.inf

    def follow(self, request: Request, now: float) -> Request | None:
        """Take the next request, at a time in seconds; return the one to expect after it."""
        # None if the next request would be invalid or take long, and for large pictures, of which
        # too little is cached
        if now - self._last > HAND_S or self._of() is not request.picture:
            self._set.clear()
        self._last, self._of = now, weakref.ref(request.picture)
        self._set.append(request.parameters)
        if len(self._set) < 3 or not _is_quick(request):
            return None
        first, before, last = self._set
        earlier, later = _step(first, before), _step(before, last)
        if earlier is None or later is None:
            return None
        (name, by), same = later, earlier[0] == later[0] and earlier[1] * later[1] > 0
        ranges = {"window": window_range(request.picture.longest), "n_states": STATES_RANGE}
        value, (low, high) = getattr(last, name) + by, ranges[name]
        if not same or not low <= value <= high:
            return None
        return replace(request, parameters=replace(last, **{name: value}))


@dataclass(frozen=True, eq=False)
class Foreseen:
    """An expected request, and its frame."""

    request: Request
    frame: Frame

    def answers(self, request: Request) -> bool:
        """Return True if a request is the expected one but for its number, and its frame fits."""
        names = {one.name for one in fields(Request)} - {"number", "follows"}
        pairs = ((getattr(self.request, name), getattr(request, name)) for name in names)
        return self._follows_as(request) and all(
            one is other or one == other for one, other in pairs
        )

    def _follows_as(self, request: Request) -> bool:
        """Return True if the slots are those that a request would get, as those of a tree are."""
        one, other = self.request.follows, request.follows
        is_same = one is not None and other is not None and one.states is other.states
        return self.frame.settled or is_same


def _step(before: Parameters, after: Parameters) -> tuple[str, int] | None:
    """Return the only one of `MOVED` that differs, and the difference; None for other changes."""
    for name in MOVED:
        value, by = getattr(after, name), getattr(after, name) - getattr(before, name)
        if by and replace(before, **{name: value}) == after:
            return name, by
    return None


def _is_quick(request: Request) -> bool:
    is_large = sum(picture.n_nodes for picture in request.modelled.members) > LARGE
    return not (is_large or request.believes or request.takes_long)
