"""Work on rows split over a pool of threads.

The kernels release the interpreter lock, so plain threads use every core. A computation is always
cut so that its result does not depend on the number of threads.
"""

import math
import os
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from itertools import pairwise
from threading import Lock, local
from typing import TypeVar

from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, report, stop_if_cancelled, stop_if_unwanted, together

S = TypeVar("S")
T = TypeVar("T")

_lock = Lock()
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""Number of cores that this process may use."""
MOST = 256
"""The largest number of threads."""
VARIABLE = "LATVIZ_THREADS"
"""The environment variable with the number of threads at the start; by default one a core."""
COST = 1 << 17
"""What one more thread costs, in nodes of a pass over bytes: some 200 microseconds.

It waits for the interpreter's lock when it begins and when it ends, after all others."""
TOGETHER = 1 << 20
"""Nodes of whole problems that are solved side by side: the memory for more would be felt."""


def number_given() -> int | None:
    """Return the number of threads that the environment gives; None without a valid one."""
    given = os.environ.get(VARIABLE, "").strip()
    return int(given) if given.isdecimal() and 1 <= int(given) <= MOST else None


def ignored() -> str:
    """Return why the number that the environment gives is ignored; "" for a valid one, or none."""
    given = os.environ.get(VARIABLE, "").strip()
    if not given or number_given() is not None:
        return ""
    return f"{VARIABLE} must be a number from 1 to {MOST}, got {given!r:.40}: it is ignored"


def _number_at_start() -> int:
    if found := number_given():
        return found
    if reason := ignored():
        warnings.warn(reason, stacklevel=2)
        return CORES
    return _share_of_worker() if _is_worker() else CORES


def _is_worker() -> bool:
    """Return if this process was begun by another one, through multiprocessing."""
    process = sys.modules.get("multiprocessing.process")
    return process is not None and process.parent_process() is not None


def _share_of_worker() -> int:
    """Return the number of threads of one of several processes: one, unless it is given more."""
    # joblib and dask set this variable in each of their processes
    given = os.environ.get("OMP_NUM_THREADS", "")
    return min(MOST, int(given)) if given.isdecimal() and int(given) >= 1 else 1


_threads = 0
"""The number of threads; 0 until it is needed: while it imports, a process knows no parent."""
_busy = 0
"""Threads that compute at present, those of callers included."""


def _new_pool() -> ThreadPoolExecutor:
    """Return a pool that never queues: as many threads as compute, and those that wait for them."""
    return ThreadPoolExecutor(4 * MOST, "latviz-kernel")


_pool = _new_pool()


def get_threads() -> int:
    """Return the number of threads of a computation."""
    global _threads
    if _threads == 0:
        _threads = _number_at_start()
    return _threads


def at_once() -> int:
    """Return how many threads compute at the same time, at most: no more than there are cores."""
    # More of them took up to 45 % more processor time: they evict each other's arrays from the
    # caches, and begin with what the result may not need
    return min(get_threads(), CORES)


def set_threads(n_threads: int) -> None:
    """Use ``n_threads`` threads from the next computation on; `ParameterError` unless 1 to 256."""
    global _threads
    if not 1 <= n_threads <= MOST:
        raise ParameterError(f"n_threads must be from 1 to {MOST}, got {n_threads}")
    _threads = n_threads


def _after_fork() -> None:
    """Forget the threads of the process that was copied: they do not run in this one."""
    global _lock, _threads, _busy, _pool
    _lock, _threads, _busy, _pool = Lock(), 0, 0, _new_pool()
    _here.counted = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def split(n_rows: int, n_parts: int) -> list[tuple[int, int]]:
    """Cut ``range(n_rows)`` into at most ``n_parts`` even, non-empty ranges ``(start, stop)``."""
    n_parts = max(1, min(n_parts, n_rows))
    bounds = [n_rows * part // n_parts for part in range(n_parts + 1)]
    return list(pairwise(bounds))


class _Here(local):
    """State of this thread: if it is counted in `_busy`, and how many others may help it."""

    counted = False
    most = MOST


_here = _Here()


def _most_for(work: float) -> int:
    """Return the number of threads with which work is done soonest, in nodes as `COST`."""
    # With n of them it takes work / n + (n - 1) cost. The n-th saves work / (n (n - 1)), which must
    # be more than it costs. If others compute at present, each of them may hold the lock
    cost = COST * max(1, _busy)
    if work >= MOST**2 * cost:
        return MOST
    return (1 + math.isqrt(1 + 4 * int(work / cost))) // 2


def side_by_side(n_nodes: int) -> int:
    """Return how many problems of some nodes may be in memory at the same time; see `TOGETHER`."""
    return max(1, TOGETHER // n_nodes)


def over_rows(n_rows: int, task: Callable[[int, int], T], work: float = math.inf) -> list[T]:
    """Call ``task(start, stop)`` for ranges that cover ``n_rows``; return the results in order.

    ``work`` is that of a row, in nodes of a pass over bytes: little is done by few threads.
    """
    # Nothing is begun if the progress of `heeding` is cancelled: all computations come through here
    stop_if_unwanted()
    most = 1 if n_rows < 2 else min(n_rows, _most_for(n_rows * work))
    if most == 1:  # most calls of small problems
        return [task(0, n_rows)]
    with _helped(most - 1) as n_helpers:
        first, *others = split(n_rows, n_helpers + 1)
        return _together(partial(task, *first), [partial(task, *rows) for rows in others])


def each(
    items: Sequence[S], task: Callable[[S], T], work: float = math.inf, *, most: int = MOST
) -> list[T]:
    """Return ``task`` of each item, in order; a thread takes the next one when it is free.

    ``work`` is that of an item, as in `over_rows`; so is the progress of `heeding`.
    """
    # At most ``most`` threads take part: each has the arrays of an item in memory. Threads that
    # find none left help with the rows of the others
    n_parts = 1 if len(items) < 2 else min(len(items), most, _most_for(len(items) * work))
    places, found = iter(range(len(items))), dict[int, T]()

    def take() -> None:
        for k in places:  # all threads take the next one from the same iterator
            try:
                stop_if_unwanted()
                found[k] = task(items[k])
            except BaseException:
                deque(places, maxlen=0)  # no more are wanted
                raise

    if n_parts == 1:
        take()
    else:
        with _helped(n_parts - 1) as n_helpers:
            _together(take, [take] * n_helpers)
    return [found[k] for k in range(len(items))]


def all_of(
    tasks: Sequence[Callable[[Progress | None], T]],
    progress: Progress | None,
    work: float = math.inf,
    *,
    most: int = MOST,
) -> list[T]:
    """Return the results of whole problems, each of some work; each is given its progress."""

    def solved(both: tuple[Callable[[Progress | None], T], Progress | None]) -> T:
        task, part = both
        stop_if_cancelled(part)
        found = task(part)
        report(part, 1.0)
        return found

    both = list(zip(tasks, together(progress, len(tasks)), strict=True))
    return each(both, solved, work, most=most)


def in_background(task: Callable[[], T]) -> Callable[[], T]:
    """Start a task on another thread, which computes all rows; return a wait for its result."""
    # If all threads are at work, this one runs the task when the result is requested
    with _helped(1) as n_helpers:
        return _start(partial(_alone, task)).result if n_helpers else task


@contextmanager
def at_most(n_threads: int) -> Iterator[None]:
    """Let at most ``n_threads`` compute the rows of this one, itself included; others stay free."""
    before, _here.most = _here.most, n_threads - 1
    try:
        yield
    finally:
        _here.most = before


def is_alone(work: float) -> bool:
    """Return True if this thread would do some work without help at present."""
    n_free = at_once() - _busy - (not _here.counted)
    return min(_here.most, n_free) <= 0 or _most_for(work) == 1


def _alone(task: Callable[[], T]) -> T:
    with at_most(1):
        return task()


@contextmanager
def _helped(most: int) -> Iterator[int]:
    """Count this thread as busy, and yield how many others are free to help it, up to ``most``."""
    # All callers share the threads: tasks within tasks, and threads of other pools, as dask's, so
    # that they do not compete. As many tasks are to be submitted as the number says
    most = min(most, _here.most)
    if most <= 0:
        yield 0
        return
    is_new, _here.counted = not _here.counted, True
    n_helpers = _claim(most, is_new)
    try:
        yield n_helpers
    finally:
        if is_new:
            _leave()


def _claim(most: int, own: int) -> int:
    global _busy
    with _lock:
        n_helpers = max(0, min(most, at_once() - _busy - own))
        _busy += n_helpers + own
    return n_helpers


def _leave() -> None:
    """Count this thread as free."""
    global _busy
    with _lock:
        _busy -= 1
    _here.counted = False


def _together(own: Callable[[], T], others: Sequence[Callable[[], T]]) -> list[T]:
    """Run a task on this thread and others on helpers; return the results in order."""
    if not others:
        return [own()]
    # All have ended when this returns or raises, so that the arrays are free again
    jobs = [_start(task) for task in others]
    try:
        first = own()
    finally:
        _leave()  # another may be helped while this one waits
        for job in jobs:
            job.exception()
        _claim(0, 1)
        _here.counted = True
    return [first, *(job.result() for job in jobs)]


def _start(task: Callable[[], T]) -> Future[T]:
    """Run a task on a helper, with the context variables of this thread."""
    try:
        return _pool.submit(copy_context().run, _help, task)
    except RuntimeError:  # Python ends, when pools refuse tasks even of threads that still compute
        return _here_instead(task)


def _here_instead(task: Callable[[], T]) -> Future[T]:
    """Run a helper's task on this thread, which stays counted."""
    done = Future[T]()
    try:
        done.set_result(_help(task))
    except BaseException as error:
        done.set_exception(error)
    _here.counted = True
    return done


def _help(task: Callable[[], T]) -> T:
    _here.counted = True
    try:
        return task()
    finally:
        _leave()
