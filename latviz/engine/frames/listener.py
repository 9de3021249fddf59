"""Callbacks for progress, cancellation and early frames."""

from collections.abc import Callable
from dataclasses import dataclass

from latviz.core.progress import Cancelled, Progress
from latviz.engine.frames.frame import Frame

Stop = Callable[[], bool]
Show = Callable[[Frame], None]


@dataclass(frozen=True)
class Watch:
    """Connects long computations to cancellation, and reports their progress."""

    stop: Stop
    take: Callable[[float], None] = lambda _: None

    def report(self, fraction: float) -> None:
        """Pass the fraction on."""
        self.take(fraction)

    def cancelled(self) -> bool:
        """Return True if the work was cancelled."""
        return self.stop()

    def stop_if_cancelled(self) -> None:
        """Raise `Cancelled` if the work was cancelled."""
        if self.stop():
            raise Cancelled


@dataclass(frozen=True)
class Listener:
    """The callbacks of a request."""

    stop: Stop = lambda: False  # returns True if the frame is obsolete
    show: Show | None = None  # takes coarse frames of a large image; None: none are made
    # takes the fraction done of learning from all signatures
    report: Callable[[float], None] = lambda _: None
    replaced: Stop = lambda: False  # True if a newer request waits; paths of codewords stop

    @classmethod
    def of(cls, progress: Progress | None) -> "Listener":
        """Return a listener that passes on progress and cancellation, if there is a progress."""
        if progress is None:
            return cls()
        return cls(stop=progress.cancelled, report=progress.report)
