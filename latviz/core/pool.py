"""Threads that wait for tasks.

To hand a task to a thread and await it takes less than half as long as by an executor of
`concurrent.futures`, whose threads and results wait by conditions: here by a lock each.
"""

import atexit
import os
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Started(Generic[T]):
    """A task that another thread runs, with the context variables of the one that made it."""

    def __init__(self, task: Callable[[], T]) -> None:
        self._task, self._context, self._ended = task, copy_context(), threading.Lock()
        self._ended.acquire()
        self._results = list[T]()
        self._error: BaseException | None = None

    def run(self) -> None:
        """Run the task; keep its result, or its error."""
        try:
            self._results.append(self._context.run(self._task))
        except BaseException as error:
            self._error = error

    def end(self) -> None:
        """Let those go on that wait."""
        self._ended.release()

    def wait(self) -> None:
        """Wait until the task has ended."""
        with self._ended:
            pass

    def result(self) -> T:
        """Return the result when it is there, or raise the error."""
        self.wait()
        try:
            if self._error is not None:
                raise self._error
            return self._results[0]
        finally:
            del self  # the error's traceback has this frame: arrays would stay until a collection


class _Worker:
    """A thread that runs one task after another."""

    def __init__(self) -> None:
        self.started: Started[Any] | None = None
        self._called = threading.Lock()
        self._called.acquire()
        # A daemon, as it waits for ever; `_await_all` lets it end its task before Python ends
        threading.Thread(target=self._run, name="latviz-kernel", daemon=True).start()

    def call(self, started: Started[Any]) -> None:
        """Run a task."""
        self.started = started
        self._called.release()

    def _run(self) -> None:
        while True:
            self._called.acquire()
            assert self.started is not None
            started = self.started
            started.run()
            self.started = None
            _idle.append(self)  # before the task ends, after which another may begin at once
            started.end()
            del started  # and the arrays that it holds


_all, _idle = list[_Worker](), list[_Worker]()


def start(task: Callable[[], T]) -> Started[T]:
    """Run a task on a thread that waits, or else on a new one."""
    started = Started(task)
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
        _all.append(worker)
    worker.call(started)
    return started


@atexit.register
def _await_all() -> None:
    for worker in _all:
        if (started := worker.started) is not None:
            started.wait()


def _after_fork() -> None:
    """Forget the threads of the process that was copied: they do not run in this one."""
    _all.clear()
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
