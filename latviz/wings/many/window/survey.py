"""Background results of every image of the shelf, with the model on screen."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from PyQt6.QtCore import QObject, pyqtSignal

from latviz import collection
from latviz.app.document.document import Document
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.work.background import Background, Task
from latviz.app.work.timers import once_after
from latviz.core import memory, threads
from latviz.core.progress import Progress
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.appearance import Appearance
from latviz.engine.settings.given import Given
from latviz.engine.settings.state import State
from latviz.wings.many import results

VIEW = "images"
"""The view that shows it."""
REST_MS = 700
"""Pause after the last change before it starts."""
REPORT_MS = 150
"""Results within this time are shown together; for many images a longer time, as tables are
large."""
LEFT_S = 10.0
"""Seconds to wait for a computation in progress when the window closes."""

Answers = Iterator["results.record.Record | collection.reading.Unreadable"]
Run = Callable[
    [Sequence[Entry], "results.record.RecordTask", Progress, str, Callable[[], int]], Answers
]
"""Computes images: takes entries, a task, progress, the rule of labels, and a request for
memory."""
BUSY = frozenset({"computing", "decoding", "learning"})


def run(
    entries: Sequence[Entry],
    task: "results.record.RecordTask",
    progress: Progress,
    truth: str,
    room: Callable[[], int],
) -> Answers:
    """Yield the results of images; one thread is left to the window, which limits ``room``."""
    store, workers = results.store.Store(), max(1, threads.at_once() - 1)
    yield from results.running.run(
        entries,
        task,
        progress,
        workers=workers,
        truth=truth,
        store=store,
        room=results.running.Room(room, results.running.PROCESS),
    )


class Survey(QObject):
    """The results of each image, one model for all; they exist while their view is shown."""

    changed = pyqtSignal()  # more results, or their removal; or it began or ended
    _found = pyqtSignal()

    def __init__(self, document: Document, thumbnails: Thumbnails, run: Run = run) -> None:
        super().__init__(document)
        self._document, self._thumbnails, self.run = document, thumbnails, run
        self.records: dict[str, results.record.Record] = {}
        """The results by the paths of files; those of an older model until there are new ones."""
        self.fresh: set[str] = set()
        """The files whose results belong to the model on screen."""
        self._looks: tuple[Appearance, tuple[int, ...]] | None = None
        """Colours, names and slots of the model's states; its frame would hold a whole image."""
        self.fraction: float | None = None
        """The fraction done; None when idle."""
        self.is_stopped = False
        self._task: Task | None = None
        self._of: tuple[object, ...] = ()
        self._new: deque[results.record.Record | collection.reading.Unreadable] = deque()
        self.background = Background(self)
        self.background.reported.connect(self._take_progress)
        self.background.failed.connect(lambda _: self._end())
        self.background.failed.connect(document.failed)
        self._found.connect(self._drain)
        self._due = once_after(REST_MS, self._begin, self)
        self._report = once_after(REPORT_MS, self.changed.emit, self)
        document.changed.connect(self._follow)
        document.frame_changed.connect(lambda _: self._due.start())

    def stop(self, stop: bool = True) -> None:
        """Stop computing, or continue."""
        self.is_stopped = stop
        if stop:
            self._end()
        else:
            self._of = ()
            self._begin()
        self.changed.emit()

    def close(self) -> None:
        """Compute nothing more, and wait until it has ended."""
        self._due.stop()
        self._end()
        self.background.finish(seconds=LEFT_S)

    def colors(self) -> list[int]:
        """Return the colour of each state, as 0xrrggbb."""
        if self._looks is None:
            return []
        appearance, slots = self._looks
        looks = replace(appearance, looks=self._document.state.looks)
        rows = looks.colors(slots).tolist()
        return [(red << 16) + (green << 8) + blue for red, green, blue in rows]

    @property
    def names(self) -> tuple[str, ...]:
        """The user's name of each state; "" where it has only its number."""
        return () if self._looks is None else self._looks[0].names(self._looks[1])

    def shares(self, entry: Entry) -> tuple[tuple[int, float], ...]:
        """Return the colour and the share of each state in a file; () if unknown."""
        record = self.records.get(entry.path)
        if record is None or entry.path not in self.fresh:
            return ()
        return tuple(zip(self.colors(), record.shares, strict=False))

    def together(self) -> "results.tables.Together | None":
        """Return accuracy and confusion over all images with labels, or None."""
        known = [record for path, record in self.records.items() if path in self.fresh]
        found: results.tables.Together | None = results.tables.together(known, one_model=True)
        return found

    def in_order(
        self, shelf: Shelf
    ) -> "list[results.record.Record | collection.reading.Unreadable]":
        """Return the results of the model on screen in the order of files, or why not."""
        return [self._result(entry.path) for entry in shelf.entries]

    def _result(self, path: str) -> "results.record.Record | collection.reading.Unreadable":
        record = self.records.get(path) if path in self.fresh else None
        reason = self._thumbnails.failures.get(path, "not computed yet with this model")
        return record or collection.reading.Unreadable(path, reason)

    # When it is computed

    def _follow(self, old: State, new: State) -> None:
        if _entries(old.shelf) is not _entries(new.shelf):
            self._forget()
        if (VIEW in new.views) != (VIEW in old.views) or new.shelf is not old.shelf:
            self._due.start()
        if VIEW not in new.views and self._task is not None:
            self._end()

    def _forget(self) -> None:
        self._end()
        self.records, self.fresh, self._looks, self._of = {}, set(), None, ()
        self.is_stopped = False
        self.changed.emit()

    def _begin(self) -> None:
        """Start if the view is visible, the user pauses and it is not computed yet."""
        state, frame = self._document.state, self._document.frame
        if state.shelf is None or VIEW not in state.views or frame is None or self.is_stopped:
            return
        if not self._is_settled(frame):
            return  # another frame follows
        task = _task_of(frame)
        key = state.shelf.entries, state.shelf.truth, task.fingerprint
        if key == self._of:
            return
        self._end()
        self._of, self._looks, self.fresh = key, (frame.appearance, frame.slots), set()
        self._start(_ordered(state.shelf), task, state.shelf.truth)
        self.changed.emit()

    def _is_settled(self, frame: Frame) -> bool:
        document = self._document
        asked = frame.request
        same = asked.picture is document.picture and asked.parameters == document.parameters
        work = document.activity.work
        learned = work == "declined" or (work == "idle" and not frame.sampled)
        return same and frame.finished and learned

    def _start(
        self, entries: Sequence[Entry], task: "results.record.RecordTask", truth: str
    ) -> None:
        progress = self._task = self.background.task()
        self.fraction = 0.0

        def work() -> None:
            for result in self.run(entries, task, progress, truth, self.free_room):
                self._new.append(result)
                if len(self._new) == 1:
                    self._found.emit()

        self.background.start(work, lambda _: self._finish(progress), task=progress)

    def free_room(self) -> int:
        """Return the bytes that images may take now; thread-safe.

        It is 0 while kernels are compiled, which takes memory in other processes.
        """
        document = self._document
        is_busy = document.is_compiling or document.activity.work in BUSY
        n_bytes: int = results.running.room_next_to(memory.taken(), is_busy=is_busy)
        return n_bytes

    def _drain(self) -> None:
        """Take the new results."""
        while self._new:
            found = self._new.popleft()
            if self._task is None:
                continue
            if isinstance(found, results.record.Record):
                self.records[found.path] = found
            else:
                self.records.pop(found.path, None)
                self._thumbnails.fail(found.path, found.reason)
            self.fresh.add(found.path)
        if not self._report.isActive():
            self._report.start(REPORT_MS + len(self.records) // 2)

    def _take_progress(self, task: Task, fraction: float) -> None:
        if task is self._task:
            self.fraction = fraction

    def _finish(self, task: Task) -> None:
        if task is self._task:
            self._drain()
            self._task, self.fraction = None, None
            self.changed.emit()

    def _end(self) -> None:
        """Cancel the computation; keep the results."""
        if self._task is not None:
            self._task.give_up()
            self._task, self._of = None, ()
        self._new.clear()
        self.fraction = None


def _entries(shelf: Shelf | None) -> tuple[Entry, ...] | None:
    return None if shelf is None else shelf.entries


def _task_of(frame: Frame) -> "results.record.RecordTask":
    """Return the task for a frame's model, without colours and names of states."""
    given = Given(frame.decoding_model, frame.observations.encoder, "model")
    found: results.record.RecordTask = results.record.RecordTask(frame.request.parameters, given)
    return found


def _ordered(shelf: Shelf) -> list[Entry]:
    """Return the files in order of priority: the one on screen, then the ticked ones."""
    first = dict.fromkeys((shelf.shown, *shelf.ticked, *range(len(shelf.entries))))
    return [shelf.entries[place] for place in first]
