"""What is computed when no request waits: effects of windows, tries of the adviser, choices."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from latviz.core.progress import Cancelled, Progress
from latviz.engine.advice.trying import Trying
from latviz.engine.choosing.scaling import Scaling
from latviz.engine.choosing.sweeping import Sweeping, kernels_of
from latviz.engine.choosing.tradeoff import Errand

Piece = tuple[list[object], Errand | None]
"""What was found, and the errand that is left."""


class Errands:
    """Does errands piece by piece; it is used by one thread at a time."""

    def __init__(self, has: Callable[[Iterable[str]], bool]) -> None:
        # returns True if parts of kernels are in memory; if not, it begins to compile them
        self._has = has
        self._sweeping, self._scaling = Sweeping(), Scaling()
        self._trying = Trying(self._sweeping)

    def piece(self, errand: Errand, progress: Progress) -> Piece:
        """Do the next piece of an errand; raise `Cancelled` if it has to wait for kernels."""
        frame = errand.frame
        believes = errand.choose is not None or frame.request.believes
        more = ("beliefs",) if believes else ()
        if not self._has((*kernels_of(frame.request.picture), *more)):
            raise Cancelled
        if errand.choose is not None:
            choice = self._trying.choose(frame, errand.choose, progress)
            left = replace(errand, choose=None) if errand.fill else None
            return [self._trying.known(frame), choice], left  # the adviser uses the choice, too
        if not errand.fill:
            return [], None
        if (scales := self._scaling.next(frame, progress)) is not None:
            return [scales], errand
        return self._fill(errand, progress)

    def _fill(self, errand: Errand, progress: Progress) -> Piece:
        """Compute one more window, or make one more try."""
        frame, declined = errand.frame, errand.declined
        wanted = None if declined is None else self._trying.wanted(frame, declined)
        ready = wanted is None or self._has(["regions" if wanted == "lives" else "beliefs"])
        # The best w follows from windows that are shown, too, so they are emitted one by one
        sweeps = wanted in (None, "window") or not ready
        if sweeps and (found := self._sweeping.next(frame, progress)) is not None:
            return [found], errand
        if declined is None:
            return [], None
        if wanted is None:
            # The adviser may have dropped what is known, or an interrupted choice may have found it
            return [self._trying.known(frame)], None
        if not ready:
            raise Cancelled  # the errand waits for the kernels of its tries
        tries = self._trying.next(frame, progress, declined)
        return ([], None) if tries is None else ([tries], errand)
