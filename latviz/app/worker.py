"""The one thread that computes: the newest request wins, stale results are never shown."""

import gc
import time
import traceback
from dataclasses import dataclass
from functools import partial
from threading import Condition

from PyQt6.QtCore import QThread, pyqtSignal

from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled
from latviz.live.frame import Request

PATIENCE_S = 0.1
"""While newer requests keep coming, one in hand is still answered if the last answer is older."""


@dataclass(frozen=True)
class Failure:
    """Something that went wrong: what to tell a person, and the traceback to copy."""

    message: str
    details: str = ""


class Worker(QThread):
    """Computes one request at a time; while it does, only the newest of the others waits.

    Signals
    -------
    compiling
        The kernels are in no cache, so this first start takes longer.
    ready
        All kernels are loaded.
    computed(Frame)
        A request was answered.
    failed(Request, Failure)
        A request cannot be answered.
    """

    compiling = pyqtSignal()
    ready = pyqtSignal()
    computed = pyqtSignal(object)
    failed = pyqtSignal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._condition = Condition()
        self._waiting: Request | None = None
        self._stopped = False
        self._answered = 0.0

    def submit(self, request: Request) -> None:
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

    def run(self) -> None:
        """Load the kernels, then answer requests until told to stop."""
        if self._stopped:
            return
        # Imported here: numba takes half a second, which the window must not wait for.
        from latviz.live.pipeline import Pipeline
        from latviz.live.warm import prepare

        try:
            prepare(self.compiling.emit, lambda: self._stopped)
        except Cancelled:
            return
        # The compiler's objects never go away; looking through them would stall the window.
        gc.freeze()
        self.ready.emit()
        pipeline = Pipeline()
        while (request := self._next()) is not None:
            try:
                self.computed.emit(pipeline.run(request, partial(self._is_given_up, request)))
                self._answered = time.monotonic()
            except Cancelled:
                continue
            except ParameterError as error:
                self.failed.emit(request, Failure(str(error)))
            except Exception as error:
                message = f"The picture could not be computed: {error!r}."
                self.failed.emit(request, Failure(message, traceback.format_exc()))

    def _next(self) -> Request | None:
        with self._condition:
            while self._waiting is None and not self._stopped:
                self._condition.wait()
            request, self._waiting = self._waiting, None
            return None if self._stopped else request

    def _is_given_up(self, request: Request) -> bool:
        """Return True if a newer request waits; but a long drag must see pictures on its way."""
        if self._stopped or self._waiting is None:
            return self._stopped
        return request.complete or time.monotonic() - self._answered < PATIENCE_S
