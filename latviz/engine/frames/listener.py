"""Whom a computation talks to on its way."""

from collections.abc import Callable
from dataclasses import dataclass

from latviz.core.progress import Cancelled, Progress
from latviz.engine.frames.frame import Frame

Stop = Callable[[], bool]
Show = Callable[[Frame], None]


@dataclass(frozen=True)
class Watch:
    """Lets long computations ask whether they are still wanted, and tell how far they are."""

    stop: Stop
    take: Callable[[float], None] = lambda _: None

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
    """The callbacks of who asked for a frame."""

    stop: Stop = lambda: False  # returns True if the frame is not wanted any more
    show: Show | None = None  # takes coarse frames of a large image; None: none are made
    # takes the fraction done of learning from all signatures
    report: Callable[[float], None] = lambda _: None
    replaced: Stop = lambda: False  # True if a newer request waits; paths of codewords stop

    @classmethod
    def of(cls, progress: Progress | None) -> "Listener":
        """Return who passes on what a progress is told and says, if there is one."""
        if progress is None:
            return cls()
        return cls(stop=progress.cancelled, report=progress.report)
