"""Small jobs away from the window's thread."""

import traceback
from collections.abc import Callable
from typing import Any

from PyQt6.QtCore import QObject, QRunnable, QThreadPool, pyqtSignal

from latviz.app.worker import Failure
from latviz.core.errors import ParameterError
from latviz.files.errors import FileError


class _Job(QRunnable):
    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work

    def run(self) -> None:
        self._work()


def told_plainly(error: Exception) -> Failure:
    """Return an error's message as one sentence."""
    return Failure(f"{error}" if str(error).endswith(".") else f"{error}.")


class Background(QObject):
    """Runs small jobs on the thread pool and reports in the window's thread.

    Signals
    -------
    done(object, object)
        The callback that was given, and the job's result.
    failed(Failure)
    """

    done = pyqtSignal(object, object)
    failed = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._finished = False
        self.done.connect(self._deliver)

    def start(
        self,
        work: Callable[[], Any],
        callback: Callable[[Any], None],
        explain: Callable[[Exception], Failure] = told_plainly,
    ) -> None:
        """Call ``work`` on another thread, then ``callback`` with its result on this one.

        ``explain`` makes failures of `FileError` and `ParameterError`.
        """

        def run() -> None:
            try:
                result = work()
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
