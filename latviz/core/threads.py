"""Work on rows split over a pool of threads.

The kernels release the interpreter lock, so plain threads use every core. A computation is always
cut so that its result does not depend on the number of threads.
"""

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from itertools import pairwise
from threading import Lock, local
from typing import TypeVar

from latviz.core.errors import ParameterError

S = TypeVar("S")
T = TypeVar("T")

_lock = Lock()
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""Number of cores that this process may use."""
MOST = 256
"""The largest number of threads."""
VARIABLE = "LATVIZ_THREADS"
"""The environment variable with the number of threads at the start; by default one a core."""
SHARE = 1 << 18
"""Work that a thread takes at least, in nodes of a pass over bytes: some 400 microseconds.

To begin takes a thread some 50."""


def _number_at_start() -> int:
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return CORES
    if given.isdecimal() and 1 <= int(given) <= MOST:
        return int(given)
    wanted = f"{VARIABLE} must be a number from 1 to {MOST}, got {given!r:.40}"
    warnings.warn(f"{wanted}: it is ignored", stacklevel=2)
    return CORES


_threads = _number_at_start()
_pool: ThreadPoolExecutor | None = None


def get_threads() -> int:
    """Return the number of threads of a computation."""
    return _threads


def set_threads(n_threads: int) -> None:
    """Use ``n_threads`` threads from the next computation on; `ParameterError` unless 1 to 256."""
    global _threads, _pool
    if not 1 <= n_threads <= MOST:
        raise ParameterError(f"n_threads must be from 1 to {MOST}, got {n_threads}")
    with _lock:
        last, _pool, _threads = _pool, None, n_threads
    if last is not None:
        last.shutdown(wait=False)  # its threads end after their current work


def split(n_rows: int, n_parts: int) -> list[tuple[int, int]]:
    """Cut ``range(n_rows)`` into at most ``n_parts`` even, non-empty ranges ``(start, stop)``."""
    n_parts = max(1, min(n_parts, n_rows))
    bounds = [n_rows * part // n_parts for part in range(n_parts + 1)]
    return list(pairwise(bounds))


class _Here(local):
    """State of this thread: if others do their share of the same work."""

    shares = False


_here = _Here()


def rows_of(work: float) -> int:
    """Return the rows that a thread takes at least, from the work of one; see `SHARE`."""
    return max(1, int(SHARE / work))


def over_rows(n_rows: int, task: Callable[[int, int], T], least: int = 1) -> list[T]:
    """Call ``task(start, stop)`` for ranges that cover ``n_rows``; return the results in order.

    Ranges have ``least`` rows or more: with fewer a thread takes longer to begin than to end.
    """
    # Within a task, its thread computes all rows: the others have tasks of their own. All have
    # ended when this returns or raises, so that the arrays are free again
    n_parts = 1 if _here.shares else min(_threads, n_rows // least)
    if n_parts <= 1:
        return [task(0, n_rows)]
    ranges = split(n_rows, n_parts)
    futures = _submit([partial(task, *rows) for rows in ranges[1:]])
    try:
        first = _share(partial(task, *ranges[0]))
    finally:
        wait(futures)
    return [first, *(future.result() for future in futures)]


def each(items: Sequence[S], work: Callable[[S], T]) -> list[T]:
    """Return ``work`` of each item, in order; every item is one thread's."""

    def task(start: int, stop: int) -> list[T]:
        return [work(item) for item in items[start:stop]]

    return [one for some in over_rows(len(items), task) for one in some]


def beside(task: Callable[[], T]) -> Callable[[], T]:
    """Start a task on another thread, which computes all rows; return a wait for its result."""
    # If this thread is to work alone, it runs the task when the result is requested
    if _here.shares or _threads == 1:
        return task
    return _submit([task])[0].result


@contextmanager
def alone() -> Iterator[None]:
    """Make this thread compute all rows: others have their own lattices."""
    before, _here.shares = _here.shares, True
    try:
        yield
    finally:
        _here.shares = before


def _share(task: Callable[[], T]) -> T:
    with alone():
        return task()


def _submit(tasks: Sequence[Callable[[], T]]) -> list[Future[T]]:
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max(1, _threads - 1), thread_name_prefix="latviz-kernel")
        # Context variables of this thread also apply to its helpers.
        return [_pool.submit(copy_context().run, _share, task) for task in tasks]
