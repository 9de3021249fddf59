"""A thread on which the newest request wins."""

from threading import Condition
from typing import Any

from PyQt6.QtCore import QThread


class NewestThread(QThread):
    """Has one request in hand; of all others only the newest waits. Subclasses answer in `run`."""

    def __init__(self) -> None:
        super().__init__()
        self._condition = Condition()
        self._waiting: Any = None
        self._stopped = False

    def submit(self, request: Any) -> None:
        """Answer this request next, and forget the one that waits."""
        with self._condition:
            self._waiting = request
            self._condition.notify()

    def stop(self) -> None:
        """End the thread and wait for it."""
        with self._condition:
            self._stopped = True
            self._condition.notify()
        self.wait()

    def _next(self) -> Any:
        """Wait for a request; return None to stop, or if none came in time."""
        with self._condition:
            while self._waiting is None and not self._stopped:
                patience = self._patience()
                if patience is not None and patience <= 0:
                    return None
                self._condition.wait(patience)
            request, self._waiting = self._waiting, None
            return None if self._stopped else request

    def _patience(self) -> float | None:
        """Return the seconds to wait for requests; None to wait for ever."""
        return None
