"""Whom a computation talks to on its way."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from latviz.core.progress import Cancelled, Progress
from latviz.engine.frames.frame import Frame

Stop = Callable[[], bool]
Show = Callable[[Frame], None]


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
    """Who asked for a frame; any of its parts may be left out.

    Attributes
    ----------
    stop : callable
        Returns True if the frame is not wanted any more.
    show : callable, optional
        Takes the coarse frames of a large image; without it none are made.
    report : callable, optional
        Takes the fraction done of learning from all signatures.
    replaced : callable
        Returns True if a newer request waits, which the paths of codewords give way to.
    """

    stop: Stop = lambda: False
    show: Show | None = None
    report: Callable[[float], None] = _ignore
    replaced: Stop = lambda: False

    @classmethod
    def of(cls, progress: Progress | None) -> "Listener":
        """Return who passes on what a progress is told and says, if there is one."""
        if progress is None:
            return cls()
        return cls(stop=progress.cancelled, report=progress.report)
