"""The classes of the shelf's images: their folders, and what models find that did not see them."""

from collections.abc import Mapping
from functools import partial

from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.document.document import Document
from latviz.app.work.activity import Failure
from latviz.app.work.background import Background, Task
from latviz.core.progress import stop_if_cancelled
from latviz.engine.pictures.shelf import Entry, Shelf, classes_of
from latviz.engine.settings.state import State
from latviz.wings.many import results

POLL_S = 0.05
LEFT_S = 2.0
"""Seconds to wait for a computation in progress when the window closes."""


class Classes(QObject):
    """Classifies the images of the shelf, once the user starts it."""

    changed = pyqtSignal()  # its progress, or other files
    found_changed = pyqtSignal()  # classes were found, or dropped

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self.found: results.found_classes.FoundClasses | None = None
        self.fraction: float | None = None
        """The fraction done; None when idle."""
        self._entries: tuple[Entry, ...] = ()
        self._known: Mapping[str, str] = {}
        self._task: Task | None = None
        self.background = Background(self)
        self.background.reported.connect(self._report)
        self.background.failed.connect(self._fail)
        document.changed.connect(self._follow)

    @property
    def known(self) -> Mapping[str, str]:
        """The class of each image by path: its folder; {} if all lie in one folder."""
        shelf = self._document.state.shelf
        entries = () if shelf is None else shelf.entries
        if entries is not self._entries:
            self._entries, self._known = entries, classes_of(entries)
        return self._known

    def start(self) -> None:
        """Learn the classes, and find that of each image."""
        known = self.known
        if not known or self._task is not None:
            return
        task = self._task = self.background.task()
        self.fraction = 0.0
        self.changed.emit()

        def work() -> object:
            # One part of the program compiles kernels
            while not self._document.prepared.wait(POLL_S):
                stop_if_cancelled(task)
            return results.found_classes.classify(known, task)

        self.background.start(work, partial(self._take, task), task=task)

    def stop(self) -> None:
        """Cancel it; keep earlier results."""
        if self._task is not None:
            self._task.give_up()
            self._end()

    def close(self) -> None:
        """Compute nothing more."""
        self.stop()
        self.background.finish(seconds=LEFT_S)

    def _take(self, task: Task, found: "results.found_classes.FoundClasses") -> None:
        if task is self._task:
            self.found = found
            self._end()
            self.found_changed.emit()

    def _report(self, task: Task, fraction: float) -> None:
        if task is self._task:
            self.fraction = fraction
            self.changed.emit()

    def _fail(self, failure: Failure) -> None:
        self._end()
        self._document.failed.emit(failure)

    def _end(self) -> None:
        self._task = self.fraction = None
        self.changed.emit()

    def _follow(self, old: State, new: State) -> None:
        if _entries(old.shelf) is not _entries(new.shelf):
            self.found = None
            self.stop()
            self.found_changed.emit()
            self.changed.emit()


def _entries(shelf: Shelf | None) -> tuple[Entry, ...] | None:
    return None if shelf is None else shelf.entries
