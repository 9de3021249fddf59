"""What is remembered between frames, and whom a computation talks to."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from latviz.core.model.quantization import MergeTree
from latviz.core.progress import Cancelled
from latviz.engine.frame import Frame, Request
from latviz.engine.matching import extended, initial_slots, matched_slots, nearest
from latviz.engine.picture import Picture

T = TypeVar("T")
Matrix = NDArray[np.float64]
Stop = Callable[[], bool]
Show = Callable[[Frame], None]


@dataclass(frozen=True, eq=False)
class Learned:
    """A merge tree, and what it was learned from."""

    tree: MergeTree
    n_signatures: int
    key: Hashable


def _ignore(_: Any) -> None:
    """Take no note."""


@dataclass(frozen=True)
class Watch:
    """Lets long computations ask whether they are still wanted, and tell how far they are."""

    stop: Stop
    take: Callable[[float], None] = _ignore

    def report(self, fraction: float) -> None:
        """Pass the fraction on."""
        self.take(fraction)

    def cancelled(self) -> bool:
        """Return True if the work is not wanted any more."""
        return self.stop()

    def stop_if_told(self) -> None:
        """Raise `Cancelled` if the work is not wanted any more."""
        if self.stop():
            raise Cancelled


@dataclass(frozen=True)
class Listener:
    """Whom a computation talks to on its way; any of them may be left out.

    Attributes
    ----------
    stop : callable
        Returns True if the frame is not wanted any more.
    show : callable, optional
        Takes the coarse frames of a large image; without it none are made.
    report : callable, optional
        Takes the fraction done of learning from all signatures.
    """

    stop: Stop = lambda: False
    show: Show | None = None
    report: Callable[[float], None] = _ignore
    replaced: Stop = lambda: False


class Stages:
    """Remembers the last value of every stage, and the colours of the states."""

    def __init__(self) -> None:
        self._remembered: dict[str, tuple[Hashable, Any]] = {}
        self._timings: dict[str, float] = {}
        self._inner = 0.0
        self._row_slots: list[int] = []
        self._slots_key: Hashable = None
        self._last: Frame | None = None
        self._picture: Picture | None = None

    def begin(self, picture: Picture) -> None:
        """Time the stages of another frame; forget those of another picture."""
        self._timings, self._inner = {}, 0.0
        if picture is not self._picture:
            self._remembered.clear()
            self._picture = picture

    def take(self, frame: Frame) -> None:
        """Take the frame that will be on screen, which the colours of the next one follow."""
        self._last = frame

    @property
    def timings(self) -> dict[str, float]:
        """Seconds that each stage took since `begin`, without those that it called."""
        return dict(self._timings)

    def stage(self, name: str, key: Hashable, stop: Stop, compute: Callable[[], T]) -> T:
        """Return the value remembered under this key, or compute it."""
        known = self._remembered.get(name)
        if known is not None and known[0] == key:
            return known[1]  # type: ignore[no-any-return]
        if stop():
            raise Cancelled
        start, around = time.perf_counter(), self._inner
        self._inner = 0.0
        value = compute()
        taken = time.perf_counter() - start
        self._timings[name] = taken - self._inner
        self._inner = around + taken
        self._remembered[name] = (key, value)
        return value

    def knows(self, name: str, key: Hashable) -> bool:
        """Return True if the value under this key is remembered."""
        known = self._remembered.get(name)
        return known is not None and known[0] == key

    def slots(self, request: Request, learned: Learned, codebook: Matrix, sample: Any) -> list[int]:
        """Return the colour slot of each row of the tree's codebook.

        Along one tree rows keep their slots whatever N is. When the tree changes, its rows take
        the slots of the states of the last frame that they overlap most, if that frame is of the
        same picture; but those of the request's coloring, if it is of this tree.
        """
        if self._slots_key != learned.key:
            known = request.coloring
            if known is not None and known.n_learned == learned.n_signatures:
                self._row_slots = list(known.slots)
            else:
                self._row_slots = self._first_slots(request, codebook, sample)
            self._slots_key = learned.key
        missing = max(0, len(codebook) - len(self._row_slots))
        self._row_slots = extended([*self._row_slots, *[None] * missing])
        return self._row_slots[: len(codebook)]

    def _first_slots(self, request: Request, codebook: Matrix, sample: Any) -> list[int]:
        nodes, signatures = sample
        last = self._last
        if last is None or last.request.picture is not request.picture:
            return initial_slots(codebook, request.parameters.encoding.discrete)
        states = nearest(signatures, codebook)
        return matched_slots(last.states_at(*nodes), last.slots, states, len(codebook))
