"""Small jobs away from the window's thread."""

import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

from PyQt6.QtCore import QObject, QRunnable, QThreadPool, pyqtSignal

from latviz.app.activity import Failure
from latviz.app.latest_only import Reporter
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled
from latviz.files.errors import FileError


class _Job(QRunnable):
    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work

    def run(self) -> None:
        self._work()


class Task:
    """The `Progress` of a job that can be given up; ``tell`` takes it and the fraction done."""

    def __init__(self, tell: Callable[["Task", float], None]) -> None:
        self.report = Reporter(partial(tell, self))
        self._given_up = False

    def cancelled(self) -> bool:
        """Return True if it was given up."""
        return self._given_up

    def give_up(self) -> None:
        """Want it no longer."""
        self._given_up = True


def told_plainly(error: Exception) -> Failure:
    """Return an error's message as one sentence."""
    return Failure(f"{error}" if str(error).endswith(".") else f"{error}.")


class Background(QObject):
    """Runs small jobs on the thread pool and reports in the window's thread.

    Signals
    -------
    done(object, object)
        The callback that was given, and the job's result.
    reported(Task, float)
        How far a job is that was given a `task`.
    failed(Failure)
    """

    done = pyqtSignal(object, object)
    reported = pyqtSignal(object, float)
    failed = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._finished = False
        self.done.connect(self._deliver)

    def task(self) -> Task:
        """Return a task to give to a job; `reported` tells how far it is."""
        return Task(self.reported.emit)

    def start(
        self,
        work: Callable[[], Any],
        callback: Callable[[Any], None],
        explain: Callable[[Exception], Failure] = told_plainly,
    ) -> None:
        """Call ``work`` on another thread, then ``callback`` with its result on this one.

        ``explain`` makes failures of `FileError` and `ParameterError`. Of work that raises
        `Cancelled` nothing is told.
        """

        def run() -> None:
            try:
                result = work()
            except Cancelled:
                return
            except (FileError, ParameterError) as error:
                self.failed.emit(explain(error))
            except Exception as error:
                self.failed.emit(Failure(f"This failed: {error!r}.", traceback.format_exc()))
            else:
                self.done.emit(callback, result)

        self._pool.start(_Job(run))

    def finish(self, all_of_it: bool = False) -> None:
        """Wait for what runs (and for what waits, or forget it); tell nobody what comes of it."""
        self._finished = True
        if not all_of_it:
            self._pool.clear()
        self._pool.waitForDone()

    def _deliver(self, callback: Callable[[Any], None], result: Any) -> None:
        if not self._finished:
            callback(result)
