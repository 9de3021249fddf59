"""Work on many images on all cores, a process each, one result after another.

Processes, not threads: one that the system ends for want of memory costs its own image alone, all
can be ended at once, and the thread of the window need not wait for the interpreter. Each works on
one thread, so that as many images are worked on as there are cores; but only as many at a time as
memory has room for.
"""

import ctypes
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from latviz import files
from latviz.collection.reading import Unreadable
from latviz.collection.record import Record, RecordTask, computed
from latviz.collection.store import Store
from latviz.core import threads
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled, Progress
from latviz.engine.pictures.shelf import Entry

ROOM = 3 << 29
"""Bytes that the images that are worked on take together, at most; a larger one is alone."""
PIXEL, CHANNEL = 40, 8
"""Bytes that an image takes while its results are computed: a pixel; besides, each channel of a
vector. Decoders have what each state of a pixel takes. Of 12 megapixels in CIELAB 36 bytes a pixel
were measured, where this says 64."""
LOOK_S = 0.1
"""Seconds between checks for cancelling."""
MAPPED = 1 << 18
"""Bytes from which an array has pages of its own, which the system gets back when it is freed."""

TOGETHER = 1 << 31
"""Bytes that a window and the images that are worked on beside it take together, if it can be."""
PROCESS = 100 << 20
"""Bytes that a process takes by itself: modules and compiled kernels."""

T = TypeVar("T", covariant=True)
R = TypeVar("R")


@dataclass(frozen=True)
class Room:
    """The memory for the images in work."""

    # An image that does not fit waits, unless it would be alone; with 0 or less it waits even then

    # bytes that they may take together now, beyond what they take; asked before each
    left: Callable[[], int] = lambda: ROOM
    process: int = 0  # bytes that count for each process beside its image


def room_beside(n_bytes: int, *, is_busy: bool = False) -> int:
    """Return the bytes that images may take beside a window that takes n_bytes, 1 at least."""
    # A busy window needs the memory, and the cores, itself: nothing is left then
    return 0 if is_busy else max(1, TOGETHER - n_bytes)


class Work(Protocol[T]):
    """The work on each image; it goes to other processes, so it can be pickled."""

    def __call__(self, entry: Entry) -> T:
        """Return the result; raise `FileError` or `ParameterError` if there is none."""


@dataclass(frozen=True)
class Results:
    """Computes the record of an image under a task, or finds it in a store."""

    task: RecordTask
    truth: str = ""  # as `Shelf.truth`
    folder: str | None = None  # of the store; None keeps nothing

    def __call__(self, entry: Entry) -> Record:
        """Return the record of an image."""
        store = None if self.folder is None else Store(self.folder)
        known = None if store is None else store.known(entry, self.task, self.truth)
        if known is not None:
            return known
        record, _ = computed(entry, self.task, self.truth)
        if store is not None:
            store.keep(entry, self.task, record, self.truth)
        return record


def run(
    entries: Sequence[Entry],
    task: RecordTask,
    progress: Progress | None = None,
    *,
    workers: int | None = None,
    truth: str = "",
    store: Store | None = None,
    room: Room | None = None,
) -> Iterator[Record | Unreadable]:
    """Yield the record of each image, or why it has none, as they are done."""
    # What a store knows comes first, in order, and no process is started for it. When cancelled,
    # processes end, and what was done is in the store. workers: as many as cores by default; room:
    # ROOM bytes by default
    left, total = list[Entry](), max(1, len(entries))
    n_done = 0
    for entry in entries:
        _stop_if_told(progress)
        known = None if store is None else store.known(entry, task, truth, at_once=True)
        if known is None:
            left.append(entry)
            continue
        n_done += 1
        yield known
        _tell(progress, n_done / total)
    work = Results(task, truth, None if store is None else str(store.folder))
    pixel = bytes_a_pixel(task)
    for _, result in each(left, work, progress, workers=workers, pixel=pixel, room=room):
        n_done += 1
        yield result
        _tell(progress, n_done / total)
    if store is not None:
        store.prune()


def each(
    entries: Sequence[Entry],
    work: Work[R],
    progress: Progress | None = None,
    *,
    workers: int | None = None,
    pixel: int = PIXEL,
    room: Room | None = None,
) -> Iterator[tuple[Entry, R | Unreadable]]:
    """Yield each image's result, or its error, as they are done, on all cores."""
    # progress may cancel, and gets no reports; ``pixel``: bytes that an image takes for each
    if not entries:
        return
    pool = _Pool(work, min(workers or threads.CORES, len(entries)), pixel, room or Room())
    try:
        yield from pool.over(list(entries), progress)
    finally:
        pool.end()


def bytes_a_pixel(task: RecordTask) -> int:
    """Return the memory that a pixel takes while a record is computed, about."""
    parameters = task.parameters
    decoded = parameters.decoding.state_bytes * parameters.n_states
    return PIXEL + CHANNEL * parameters.encoding.n_channels + decoded


def _tell(progress: Progress | None, fraction: float) -> None:
    if progress is not None:
        progress.report(fraction)


def _stop_if_told(progress: Progress | None) -> None:
    if progress is not None and progress.cancelled():
        raise Cancelled


class _Pool(Generic[R]):
    """Processes that do the same work on images."""

    # The first image is worked on alone, because its process compiles what is not compiled yet, and
    # Numba's cache breaks if two store the same kernel at once

    def __init__(self, work: Work[R], n_workers: int, pixel: int, room: Room) -> None:
        self._work, self._n_workers, self._pixel, self._room = work, n_workers, pixel, room
        self._executor: ProcessPoolExecutor | None = None
        self._running: dict[Future[Any], tuple[Entry, int]] = {}
        self._is_warm = False

    def over(
        self, waiting: list[Entry], progress: Progress | None
    ) -> Iterator[tuple[Entry, R | Unreadable]]:
        """Yield what is made of each image, as they are done."""
        waiting.reverse()
        while waiting or self._running:
            self._fill(waiting)
            if self._running:
                done, _ = wait(self._running, timeout=LOOK_S, return_when=FIRST_COMPLETED)
            else:  # there is no room
                done = set()
                time.sleep(LOOK_S)
            _stop_if_told(progress)
            for future in done:
                if future not in self._running:  # gone, with the pool that it broke
                    continue
                entry, _ = self._running.pop(future)
                error = future.exception()
                if isinstance(error, BrokenProcessPool):
                    yield from self._one_by_one([entry])
                elif isinstance(error, FileError | ParameterError):
                    yield entry, Unreadable.of(entry.path, error)
                elif error is not None:
                    raise error
                else:
                    self._is_warm = True
                    yield entry, future.result()

    def _fill(self, waiting: list[Entry]) -> None:
        """Begin with as many images as there are processes and memory for."""
        most = self._n_workers if self._is_warm else 1
        while waiting and len(self._running) < most:
            needed = self._room.process + self._pixel * _n_pixels(waiting[-1])
            left, taken = self._room.left(), sum(n for _, n in self._running.values())
            if left <= 0 or (self._running and needed + taken > left):
                return
            entry = waiting.pop()
            self._running[self._submit(entry)] = entry, needed

    def _submit(self, entry: Entry) -> "Future[Any]":
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._n_workers,
                multiprocessing.get_context("spawn"),  # a fork would copy the window's threads
                _begin,
                (self._work,),
            )
        return self._executor.submit(_do, entry)

    def _one_by_one(self, broken: list[Entry]) -> Iterator[tuple[Entry, R | Unreadable]]:
        """Do again, each alone, what was in hand when a process was ended; tell which ended it."""
        broken += [entry for entry, _ in self._running.values()]
        self._running.clear()
        self.end()
        for entry in broken:
            try:
                yield entry, self._submit(entry).result()
            except (FileError, ParameterError) as error:
                yield entry, Unreadable.of(entry.path, error)
            except BrokenProcessPool:
                self.end()
                yield entry, Unreadable(entry.path, ENDED)

    def end(self) -> None:
        """End the processes, whatever they are at."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        processes = list((getattr(executor, "_processes", None) or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


ENDED = (
    "its process was ended by the system; memory may not have sufficed: close other programs, or "
    "open it reduced"
)


def _n_pixels(entry: Entry) -> int:
    """Return how many pixels an image has by its header; 0 if that cannot be read."""
    try:
        rows, columns = files.sizes.shape_of(Path(entry.path))
    except FileError:  # who reads it tells why
        return 0
    return rows * columns


# In a process of its own

_work: Callable[[Entry], Any] | None = None


def _begin(work: Callable[[Entry], Any]) -> None:
    """Prepare a process: it computes on one thread, and ends with the one that began it."""
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began it says when to stop
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    threads.set_threads(1)
    with suppress(AttributeError, OSError, TypeError):  # other C libraries have no such option
        ctypes.CDLL(None).mallopt(-3, MAPPED)  # M_MMAP_THRESHOLD
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(entry: Entry) -> Any:
    assert _work is not None
    return _work(entry)
