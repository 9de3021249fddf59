"""Spreads the drawing of views over several rounds of events if all at once takes long."""

from typing import Protocol

from PyQt6.QtCore import QObject

from latviz.app.work.timers import once_after

ROUND_S = 0.05
"""Views that took longer together are drawn one after the other; shorter times still look fluent,
with all views in step."""


class Drawn(Protocol):
    """A drawable: a view, in this program."""

    @property
    def seconds(self) -> float:
        """The duration of the last drawing."""

    def draw_if_stale(self) -> None:
        """Draw, if that is still to be done."""


class Rounds:
    """Admits views until their last drawings and paintings took ``limit`` seconds together."""

    # The others draw after the events that came meanwhile, which include the painting of those
    # admitted. A view that is admitted again has been drawn, and waits no more

    def __init__(self, parent: QObject, limit: float = ROUND_S) -> None:
        self.limit = limit
        self._spent = 0.0
        self._waiting: dict[Drawn, None] = {}
        self._next = once_after(0, self._begin, parent)

    @property
    def is_over(self) -> bool:
        """True if no view waits."""
        return not self._waiting

    def admit(self, view: Drawn) -> bool:
        """Return True if a view may draw now; if not, it is called later."""
        self._next.start()
        seconds = view.seconds
        if self._spent and self._spent + seconds > self.limit:
            self._waiting[view] = None
            return False
        self._spent += seconds
        self._waiting.pop(view, None)
        return True

    def _begin(self) -> None:
        waiting, self._waiting, self._spent = self._waiting, {}, 0.0
        for view in waiting:
            view.draw_if_stale()
