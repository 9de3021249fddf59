"""Small jobs away from the window's thread."""

import threading
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.work.activity import Failure
from latviz.app.work.latest_only import Reporter
from latviz.app.work.timers import once_after
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled, heeding

HUNG_MS = 2000
"""Time after which a cancelled job that has not ended is abandoned."""


class Task:
    """The `Progress` of a job that can be cancelled; ``emit`` takes it and the fraction done."""

    def __init__(self, emit: Callable[["Task", float], None]) -> None:
        self.report = Reporter(partial(emit, self))
        self._given_up = False

    def cancelled(self) -> bool:
        """Return True if it was cancelled."""
        return self._given_up

    def give_up(self) -> None:
        """Cancel it."""
        self._given_up = True


def failure_of(error: Exception) -> Failure:
    """Return an error's message as one sentence."""
    return Failure(f"{error}" if str(error).endswith(".") else f"{error}.")


@dataclass(frozen=True, eq=False)
class Job:
    """Queued or running work; ``task`` if it can be cancelled."""

    run: Callable[[], None]
    task: Task | None = None

    @property
    def unwanted(self) -> bool:
        """True if it was cancelled."""
        return self.task is not None and self.task.cancelled()


class Lane:
    """Does one job after the other, on a thread that ends with the last."""

    # The thread never keeps the program from ending: a job may hang for ever, on a disk that does
    # not answer

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._job: Job | None = None
        self._thread: threading.Thread | None = None

    def put(self, job: Job) -> None:
        """Queue a job."""
        with self._lock:
            if self._job is not None:
                self._waiting.append(job)
                return
            self._job = job
            self._thread = threading.Thread(target=self._work, name="background", daemon=True)
            self._thread.start()

    @property
    def is_held_up(self) -> bool:
        """True if jobs wait for a cancelled one."""
        with self._lock:
            return self._job is not None and self._job.unwanted and bool(self._waiting)

    def leave(self) -> list[Job]:
        """Return the waiting jobs, which are not done here."""
        with self._lock:
            left = list(self._waiting)
            self._waiting.clear()
            return left

    def wait(self, seconds: float | None) -> bool:
        """Wait until all is done, but no longer than this; return whether it is."""
        if self._thread is None:
            return True
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(self) -> None:
        job = self._job
        while job is not None:
            if not job.unwanted:
                job.run()
            with self._lock:  # the next start sees no job and begins another thread
                job = self._job = self._waiting.popleft() if self._waiting else None


class _Relay(QObject):
    """Emits from the other thread, which keeps it."""

    # The window's thread may delete a view with its `Background` while a job reports, and Qt
    # reads a sender until all receivers have the signal
    done = pyqtSignal(object, object)  # the callback, and the job's result
    reported = pyqtSignal(object, float)
    stumbled = pyqtSignal(object, object)


class Background(QObject):
    """Does small jobs on another thread, one after the other; reports in the window's thread."""

    # A cancelled job that hangs delays the others for a moment only
    reported = pyqtSignal(object, float)  # Task, fraction done
    failed = pyqtSignal(object)  # Failure

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = Lane()
        self._finished = False
        self._hung = once_after(HUNG_MS, self._leave_hung, self)
        self._relay = _Relay()
        self._relay.done.connect(self._deliver)
        self._relay.reported.connect(self.reported)
        self._relay.stumbled.connect(self._deliver_failure)

    def task(self) -> Task:
        """Return a task to give to a job; `reported` emits its progress."""
        return Task(self.report)

    def start(
        self,
        work: Callable[[], Any],
        callback: Callable[[Any], None],
        explain: Callable[[Exception], Failure] = failure_of,
        task: Task | None = None,
    ) -> None:
        """Call ``work`` on another thread, then ``callback`` with its result on this one."""
        # ``explain`` makes failures of `FileError` and `ParameterError`. If work raises
        # `Cancelled`, or fails after its ``task`` was cancelled, nothing is reported

        def run() -> None:
            try:
                with heeding(task):
                    result = work()
            except Cancelled:
                return
            except (FileError, ParameterError) as error:
                self._emit("stumbled", task, explain(error))
            except Exception as error:
                failure = Failure(f"This failed: {error!r}.", traceback.format_exc())
                self._emit("stumbled", task, failure)
            else:
                self._emit("done", callback, result)

        self._lane.put(Job(run, task))
        self._hung.start()

    def finish(self, all_of_it: bool = False, seconds: float | None = None) -> bool:
        """Wait for the running job (and queued ones, or drop them) without reporting results.

        Stop waiting after ``seconds``. Return True if all jobs have ended.
        """
        self._finished = True
        if not all_of_it:
            self._lane.leave()
        return self._lane.wait(seconds)

    def _leave_hung(self) -> None:
        """Continue without a job that hangs, if others have waited for long."""
        if self._lane.is_held_up:
            hung, self._lane = self._lane, Lane()
            for job in hung.leave():
                self._lane.put(job)

    def report(self, task: Task, fraction: float) -> None:
        """Emit how far a task is, in the window's thread."""
        self._emit("reported", task, fraction)

    def _emit(self, signal: str, *values: object) -> None:
        """Emit a signal from another thread, which may outlive the window."""
        if not self._finished:
            getattr(self._relay, signal).emit(*values)

    def _deliver(self, callback: Callable[[Any], None], result: Any) -> None:
        if not self._finished:
            callback(result)

    def _deliver_failure(self, task: Task | None, failure: Failure) -> None:
        """Report a failure, unless the job was cancelled."""
        if task is None or not task.cancelled():
            self.failed.emit(failure)
