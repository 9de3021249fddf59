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
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from latviz import files
from latviz.collection.reading import Unreadable
from latviz.collection.record import Record, RecordTask, computed
from latviz.collection.store import Store
from latviz.core import threads
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, stop_if_told
from latviz.engine.pictures.shelf import Entry

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


def room_beside(n_bytes: int, *, is_busy: bool = False) -> int:
    """Return the bytes for images next to a window that takes n_bytes, 1 at least."""
    # A busy window needs the memory, and the cores, itself: nothing is left then
    return 0 if is_busy else max(1, TOGETHER - n_bytes)


class Work(Protocol[T]):
    """The work on each image; it is pickled for other processes."""

    def __call__(self, entry: Entry) -> T:
        """Return the result, or raise `FileError` or `ParameterError`."""


@dataclass(frozen=True)
class Results:
    """Computes the record of an image under a task, or finds it in a store."""

    task: RecordTask
    truth: str = ""  # as `Shelf.truth`
    folder: str | None = None  # of the store; None for no store

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
    # Results from the store come first, in order, without a process. On cancelling, processes end,
    # and finished results are in the store. Defaults of workers: as many as threads; of room: ROOM
    # bytes
    left, total = list[Entry](), max(1, len(entries))
    n_done = 0
    for entry in entries:
        stop_if_told(progress)
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
    # progress may cancel, and gets no reports; ``pixel``: bytes per pixel of an image
    if not entries:
        return
    pool = _Pool(work, min(workers or threads.at_once(), len(entries), MOST), pixel, room or Room())
    try:
        yield from pool.over(entries, progress)
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


class _Pool(Generic[R]):
    """Processes that do the same work on images."""

    # Each has a pipe of its own, so that a killed process is known with its image. An executor of
    # the standard library breaks as a whole, and then refuses other images. The first image is
    # computed alone, because its process compiles missing kernels, and Numba's cache breaks if two
    # processes store the same kernel at once

    def __init__(self, work: Work[R], n_workers: int, pixel: int, room: Room) -> None:
        self._work, self._n_workers, self._pixel, self._room = work, n_workers, pixel, room
        self._processes: dict[Pipe, BaseProcess] = {}
        self._running: dict[Pipe, tuple[Entry, int]] = {}
        self._is_warm = False

    def over(
        self, entries: Sequence[Entry], progress: Progress | None
    ) -> Iterator[tuple[Entry, R | Unreadable]]:
        """Yield the result of each image, as they are done."""
        ended = list[Entry]()
        for entry, answer in self._answers(entries, progress):
            if isinstance(answer, _EndedError):
                ended.append(entry)
            else:
                yield entry, _result(entry, answer)
        self._n_workers = 1  # memory may suffice for each of these alone
        for entry, answer in self._answers(ended, progress):
            yield entry, _result(entry, answer)

    def _answers(
        self, entries: Sequence[Entry], progress: Progress | None
    ) -> Iterator[tuple[Entry, Any]]:
        """Yield the result of each image, or its exception, as they arrive."""
        waiting = list(reversed(entries))
        while waiting or self._running:
            self._fill(waiting)
            if not self._running:  # memory is short: wait
                time.sleep(LOOK_S)
            ready = wait(list(self._running), timeout=LOOK_S) if self._running else []
            stop_if_told(progress)
            for pipe in [pipe for pipe in self._running if pipe in ready or self._has_ended(pipe)]:
                yield self._running.pop(pipe)[0], self._answer(pipe)

    def _fill(self, waiting: list[Entry]) -> None:
        """Begin with as many images as there are processes and memory for."""
        most = self._n_workers if self._is_warm else 1
        while waiting and len(self._running) < most:
            needed = self._room.process + self._pixel * _n_pixels(waiting[-1])
            left, taken = self._room.left(), sum(n for _, n in self._running.values())
            if left <= 0 or (self._running and needed + taken > left):
                return
            entry = waiting.pop()
            self._running[self._begin(entry)] = entry, needed

    def _begin(self, entry: Entry) -> "Pipe":
        """Send an image to a process that has none, or to a new one; return its pipe."""
        idle = (pipe for pipe in self._processes if pipe not in self._running)
        alive = (pipe for pipe in idle if self._processes[pipe].is_alive())
        pipe = next(alive, None) or self._start()
        with suppress(OSError):  # it was ended just now, which `_answer` finds out
            pipe.send(entry)
        return pipe

    def _start(self) -> "Pipe":
        context = multiprocessing.get_context("spawn")  # a fork would copy the window's threads
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, self._work), daemon=True)
        process.start()
        theirs.close()  # so that ours ends when the process does
        self._processes[ours] = process
        return ours

    def _has_ended(self, pipe: "Pipe") -> bool:
        """Return True if a pipe's process has ended, even if another one holds the pipe open."""
        # On Windows this process does, if the other ended before it took over its end
        return not self._processes[pipe].is_alive()

    def _answer(self, pipe: "Pipe") -> Any:
        """Return a process's message; `_EndedError` if it was ended."""
        try:
            if not pipe.poll():
                raise EOFError
            answer = pipe.recv()
        except (EOFError, OSError):
            self._end([pipe])
            return _EndedError()
        self._is_warm |= not isinstance(answer, Exception)
        return answer

    def end(self) -> None:
        """End the processes at once."""
        self._end(list(self._processes))

    def _end(self, pipes: "list[Pipe]") -> None:
        ended = [(pipe, self._processes.pop(pipe)) for pipe in pipes]
        for _, process in ended:
            process.terminate()
        for pipe, process in ended:
            process.join()
            pipe.close()


class _EndedError(Exception):
    """The process of an image was ended."""


ENDED = (
    "the system ended its process, perhaps because memory ran out: close other programs, or open "
    "it reduced"
)


def _result(entry: Entry, answer: Any) -> Any:
    """Return a result, or an image's error; raise other exceptions."""
    if isinstance(answer, _EndedError):
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


def _serve(pipe: "Pipe", work: Work[Any]) -> None:
    """Work on one image after another, until no more arrive."""
    _prepare()
    with suppress(EOFError):
        while True:
            entry = pipe.recv()
            try:
                pipe.send(work(entry))
            except Exception as error:
                error.add_note(traceback.format_exc())
                pipe.send(error)


def _prepare() -> None:
    """Compute on one thread, and end with the process that began this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends it
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    threads.set_threads(1)
    with suppress(AttributeError, OSError, TypeError):  # other C libraries lack this option
        ctypes.CDLL(None).mallopt(-3, MAPPED)  # M_MMAP_THRESHOLD
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
