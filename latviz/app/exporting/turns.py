"""Drawing in steps, with events processed between the steps."""

from collections import deque
from collections.abc import Callable, Iterator

from PyQt6.QtCore import QObject

from latviz.app.exporting.drawing import Writing
from latviz.app.work.timers import once_after

Steps = Iterator[Writing | None]
"""Yields None after each step but the last, and then the function that writes the result."""
Finish = Callable[[Writing], object]


class Turns:
    """Draws step by step; each drawing is passed to a function that finishes it."""

    def __init__(self, parent: QObject) -> None:
        self._left: deque[tuple[Steps, Finish]] = deque()
        self._timer = once_after(0, self._go_on, parent)

    def begin(self, steps: Steps, finish: Finish) -> None:
        """Do the first step now, because the widget may change, and the others soon."""
        if not self._is_done(steps, finish):
            self._left.append((steps, finish))
            self._timer.start()

    def finish(self) -> None:
        """Do all steps that are left."""
        while self._left:
            self._go_on()

    def _go_on(self) -> None:
        steps, finish = self._left.popleft()
        try:
            if not self._is_done(steps, finish):
                self._left.appendleft((steps, finish))
        finally:
            self._timer.stop()
            if self._left:
                self._timer.start()

    @staticmethod
    def _is_done(steps: Steps, finish: Finish) -> bool:
        writing = next(steps)
        if writing is None:
            return False
        next(steps, None)  # frees the drawing
        finish(writing)
        return True
