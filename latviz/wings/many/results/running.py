"""Work on many images on all cores, in one process each; results arrive one by one.

Processes, not threads: if the system ends one for lack of memory, only its image is lost; all can
be ended at once; and the window's thread need not wait for the interpreter. Each uses one thread,
and as many run as there are cores, but only as many as fit into memory.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from latviz import files
from latviz.collection.reading import Unreadable
from latviz.core import threads
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.engine.pictures.shelf import Entry
from latviz.wings.many.results.record import Record, RecordTask, computed
from latviz.wings.many.results.store import Store

if TYPE_CHECKING:
    from multiprocessing.connection import _ConnectionBase as Pipe  # each system has its own class

ROOM = 3 << 29
"""Most bytes that the images in work take together; a larger one is alone."""
PIXEL, CHANNEL = 40, 8
"""Bytes per pixel of an image while its results are computed, and per channel of a vector; decoders
add bytes per state of a pixel. For 12 megapixels in CIELAB 36 bytes per pixel were measured; this
gives 64."""
LOOK_S = 0.1
"""Seconds between checks for cancelling."""
MAPPED = 1 << 18
"""Bytes from which an array has its own pages, which the system gets back when it is freed."""

TOGETHER = 1 << 31
"""Bytes for a window and the images computed in the background together, if possible."""
PROCESS = 100 << 20
"""Bytes that a process takes by itself: modules and compiled kernels."""
MOST = 60 if sys.platform == "win32" else threads.MOST
"""Most processes: Windows waits for at most 63 pipes."""

T = TypeVar("T", covariant=True)
R = TypeVar("R")


@dataclass(frozen=True)
class Room:
    """The memory for the images in work."""

    # An image that does not fit waits, unless it would be alone; with 0 or less it waits even then

    # bytes that they may use now, besides those in use; called before each
    left: Callable[[], int] = lambda: ROOM
    process: int = 0  # bytes of each process besides its image


def room_next_to(n_bytes: int, *, is_busy: bool = False) -> int:
    """Return the bytes for images next to a window that takes n_bytes, 1 at least."""
    # A busy window needs the memory, and the cores, itself: nothing is left then
    return 0 if is_busy else max(1, TOGETHER - n_bytes)


class Work(Protocol[T]):
    """The work on each image; it is pickled for other processes."""

    def __call__(self, entry: Entry) -> T:
        """Return the result, or raise `FileError` or `ParameterError`."""


def recorded(entry: Entry, task: RecordTask, truth: str, folder: Path | None) -> Record:
    """Return the record of an image under a task, which is kept in a store if it has a folder."""
    record, _ = computed(entry, task, truth)
    if folder is not None:
        Store(folder).keep(entry, task, record, truth)
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
    # Results from the store come first, in order, without a process. On cancelling, processes end,
    # and finished results are in the store. Defaults of workers: as many as threads; of room: ROOM
    # bytes
    left, total = list[Entry](), max(1, len(entries))
    n_done = 0
    for entry in entries:
        stop_if_cancelled(progress)
        known = None if store is None else store.known(entry, task, truth)
        if known is None:
            left.append(entry)
            continue
        n_done += 1
        yield known
        _report(progress, n_done / total)
    folder = None if store is None else store.folder
    work = partial(recorded, task=task, truth=truth, folder=folder)
    pixel = bytes_a_pixel(task)
    for _, result in each(left, work, progress, workers=workers, pixel=pixel, room=room):
        n_done += 1
        yield result
        _report(progress, n_done / total)
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
    # progress may cancel, and gets no reports; ``pixel``: bytes per pixel of an image
    if not entries:
        return
    tasks = Tasks(work, pixel, room or Room(), progress)
    ended = list[Entry]()
    for entry, answer in tasks.over(entries, min(workers or threads.at_once(), MOST)):
        if isinstance(answer, BrokenProcessPool):
            ended.append(entry)
        else:
            yield entry, _result(entry, answer)
    for one in ended:  # memory may suffice for each alone
        for entry, answer in tasks.over([one], 1):
            yield entry, _result(entry, answer)


def bytes_a_pixel(task: RecordTask) -> int:
    """Return the memory that a pixel takes while a record is computed, about."""
    parameters = task.parameters
    decoded = parameters.decoding.state_bytes * parameters.n_states
    return PIXEL + CHANNEL * parameters.encoding.n_channels + decoded


def _report(progress: Progress | None, fraction: float) -> None:
    if progress is not None:
        progress.report(fraction)


@contextmanager
def _processes(n: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool whose processes end at once on leaving, or with this process."""
    context = multiprocessing.get_context("spawn")  # a fork would copy the window's threads
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(n, context, _prepare, (theirs,))
    try:
        yield pool
    finally:
        ours.close()  # which they wait for
        pool.shutdown(cancel_futures=True)
        theirs.close()


@dataclass(frozen=True)
class Tasks(Generic[R]):
    """The same work on images, in processes."""

    work: Work[R]
    pixel: int
    room: Room
    progress: Progress | None

    def over(self, entries: Sequence[Entry], n: int) -> Iterator[tuple[Entry, Any]]:
        """Yield what becomes of each image, or its exception, as they are done."""
        # If the system ends a process, the pool breaks, with all images in work; another goes on
        waiting = list(reversed(entries))
        while waiting:
            with _processes(n) as pool:
                yield from self.within(pool, n, waiting)

    def within(
        self, pool: ProcessPoolExecutor, n: int, waiting: list[Entry]
    ) -> Iterator[tuple[Entry, Any]]:
        """Yield what becomes of the images, taken from those that wait, until the pool breaks."""
        # The first is computed alone, because its process compiles missing kernels, and Numba's
        # cache breaks if two processes store the same kernel at once
        running, most = dict[Future[R], tuple[Entry, int]](), 1
        while waiting or running:
            try:
                while len(running) < most and (needed := self.needed(waiting, running)):
                    future = pool.submit(self.work, waiting[-1])
                    running[future] = waiting.pop(), needed
            except BrokenProcessPool as broken:
                yield from ((entry, broken) for entry, _ in running.values())
                return
            if not running:  # memory is short
                time.sleep(LOOK_S)
            done, _ = wait(running, LOOK_S, FIRST_COMPLETED)
            stop_if_cancelled(self.progress)
            for future in done:
                entry, _ = running.pop(future)
                error = future.exception()
                most = most if error else n
                yield entry, error or future.result()

    def needed(self, waiting: list[Entry], running: Mapping[Any, tuple[Entry, int]]) -> int:
        """Return the bytes that the next image takes; 0 if there is none, or memory is short."""
        if not waiting:
            return 0
        needed = max(1, self.room.process + self.pixel * _n_pixels(waiting[-1]))
        left, taken = self.room.left(), sum(n for _, n in running.values())
        return 0 if left <= 0 or (running and needed + taken > left) else needed


ENDED = (
    "the system ended its process, perhaps because memory ran out: close other programs, or open "
    "it reduced"
)


def _result(entry: Entry, answer: Any) -> Any:
    """Return a result, or an image's error; raise other exceptions."""
    if isinstance(answer, BrokenProcessPool):
        return Unreadable(entry.path, ENDED)
    if isinstance(answer, FileError | ParameterError):
        return Unreadable.of(entry.path, answer)
    if isinstance(answer, Exception):
        raise answer
    return answer


def _n_pixels(entry: Entry) -> int:
    """Return the number of pixels in an image's header; 0 if it cannot be read."""
    try:
        rows, columns = files.sizes.shape_of(Path(entry.path))
    except FileError:  # reading it reports the reason
        return 0
    return rows * columns


# In a separate process


def _prepare(pipe: "Pipe") -> None:
    """Compute on one thread, and end with the process that began this one, or as it says."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends it
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    threads.set_threads(1)
    with suppress(AttributeError, OSError, TypeError):  # other C libraries lack this option
        ctypes.CDLL(None).mallopt(-3, MAPPED)  # M_MMAP_THRESHOLD
    threading.Thread(target=_end_with, args=(pipe,), name="parent", daemon=True).start()


def _end_with(pipe: "Pipe") -> None:
    """End as soon as a pipe is closed at its other end, with which nothing is sent."""
    pipe.poll(None)
    os._exit(1)
