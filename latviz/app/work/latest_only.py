"""A thread on which the newest request wins, and the reporter of its progress."""

import time
import traceback
import weakref
from collections.abc import Callable
from threading import Condition
from typing import Any

from PyQt6.QtCore import QObject, QThread, pyqtSignal

from latviz.app.work.activity import Activity, Failure
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled

REPORT_S = 0.1
"""Seconds between reports of progress."""


_started: set["NewestThread"] = set()
"""Threads that may still run: Qt ends the program if a thread is freed before it has ended."""


class Reporter:
    """Reports progress at intervals: fractions in between are dropped."""

    def __init__(self, emit: Callable[[float], object]) -> None:
        self._emit = emit
        self._emitted = time.monotonic()

    def __call__(self, fraction: float) -> None:
        """Take note of a fraction."""
        now = time.monotonic()
        if now - self._emitted >= REPORT_S:
            self._emitted = now
            self._emit(fraction)


class NewestThread(QThread):
    """Works on one request; of all others only the newest waits. Subclasses answer in `run`."""

    cancelled = pyqtSignal(object)  # request that `cancel` ended
    failed = pyqtSignal(object, object)  # request, Failure

    def __init__(self) -> None:
        super().__init__()
        self._condition = Condition()
        self._waiting: Any = None
        self._unwanted: Any = None
        self._stopped = False
        self.finished.connect(self._release)

    def start(self, *priority: QThread.Priority) -> None:
        """Begin to answer, unless the thread was stopped before."""
        if not self._stopped:
            _started.add(self)
            super().start(*priority)

    def _release(self) -> None:
        """Allow that the thread, which has ended, is freed."""
        self.wait()  # only a moment's work is left on it
        _started.discard(self)

    def submit(self, request: Any) -> None:
        """Answer this request next, and forget the one that waits."""
        with self._condition:
            self._waiting = request
            self._condition.notify()

    def cancel(self, request: Any) -> None:
        """Cancel a request, if it is being answered."""
        self._unwanted = request

    def leave(self) -> None:
        """Tell the thread to end, without waiting."""
        with self._condition:
            self._stopped = True
            self._condition.notify()

    def stop(self) -> None:
        """End the thread and wait for it."""
        self.leave()
        self._release()

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

    def _is_unwanted(self, request: Any) -> bool:
        """Return True if a request was cancelled."""
        return self._stopped or request is self._unwanted

    def _attempt(self, request: Any, answer: Callable[[], None], what: str) -> None:
        """Answer a request; report if it was cancelled, or why ``what`` could not be computed."""
        try:
            answer()
        except Cancelled:
            if request is self._unwanted:
                self.cancelled.emit(request)
        except ParameterError as error:
            self.failed.emit(request, Failure(str(error)))
        except Exception as error:
            message = f"The {what} could not be computed: {error!r}."
            self.failed.emit(request, Failure(message, traceback.format_exc()))


class Follower(QObject):
    """Sends requests to a thread, and reports its activity; the base of documents."""

    activity_changed = pyqtSignal(object)  # Activity
    failed = pyqtSignal(object)  # Failure: the settings cannot be computed

    def __init__(self, thread: NewestThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.activity = Activity("idle")
        self._thread = thread
        self._asked: Any = None
        weakref.finalize(self, thread.leave)  # then no one receives results
        thread.cancelled.connect(self._take_cancellation)
        thread.failed.connect(self._take_failure)

    def _submit(self, request: Any, activity: Activity) -> None:
        """Ask for the answer to a request."""
        self._asked = request
        self._set_activity(activity)
        self._thread.submit(request)

    def _give_up(self) -> None:
        """Cancel the last request."""
        self._thread.cancel(self._asked)

    def _begin_again(self) -> None:
        """Set the state after the newest request was cancelled."""
        self._set_activity(Activity("declined"))

    def _take_cancellation(self, request: Any) -> None:
        if request is self._asked:
            self._begin_again()

    def _take_failure(self, request: Any, failure: Failure) -> None:
        if request is self._asked:
            self._fail(failure)

    def _fail(self, failure: Failure) -> None:
        self._set_activity(Activity("failed"))
        self.failed.emit(failure)

    def _set_activity(self, activity: Activity) -> None:
        if activity != self.activity:
            self.activity = activity
            self.activity_changed.emit(activity)
