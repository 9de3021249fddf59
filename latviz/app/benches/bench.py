"""Shared by all benches: an undoable value, and a thread that computes it."""

from dataclasses import fields, replace
from functools import partial
from threading import Event
from typing import Any, Generic, TypeVar

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QUndoCommand, QUndoStack

from latviz.app.document.document import GESTURE_MS
from latviz.app.work.activity import Activity, Failure
from latviz.app.work.latest_only import Follower, NewestThread, Reporter
from latviz.app.work.timers import once_after
from latviz.core.errors import ParameterError
from latviz.core.parameter import rows

V = TypeVar("V")

POLL_S = 0.05
MOST_STEPS = 200
"""Changes that can be undone."""


class BenchThread(NewestThread):
    """Answers the newest request, once the kernels are there, with `answer`."""

    # ``prepared`` is set when they are: only one part of the program may compile them
    progressed = pyqtSignal(float)  # fraction done of the current request
    subject = "value"
    """The noun in messages of failures."""

    def __init__(self, prepared: Event) -> None:
        super().__init__()
        self.prepared = prepared

    def run(self) -> None:
        """Wait for the kernels, then work until stopped."""
        while not self.prepared.wait(POLL_S):
            if self._stopped:
                return
        self._work()

    def _work(self) -> None:
        while (request := self._next()) is not None:
            answer = partial(self.answer, request, BenchListener(self, request))
            self._attempt(request, answer, self.subject)

    def answer(self, request: Any, listener: "BenchListener") -> None:
        """Compute the answer to a request, and emit it."""
        raise NotImplementedError

    def is_given_up(self, request: Any, _shown: Any) -> bool:
        """Return True if a request is obsolete; ``shown`` is its result so far."""
        return self._is_unwanted(request)


class BenchListener:
    """Reports the progress of one request; ``shown`` is its last answer on screen."""

    def __init__(self, thread: BenchThread, request: Any) -> None:
        self._thread, self._request = thread, request
        self.report = Reporter(thread.progressed.emit)
        self.shown: Any = None

    def cancelled(self) -> bool:
        """Return True if the request is cancelled."""
        return self._thread.is_given_up(self._request, self.shown)


class SetValue(QUndoCommand):
    """A change of the value; later changes of its fields in one gesture are merged into it."""

    def __init__(
        self, document: "BenchDocument[Any]", text: str, new: Any, gesture: object
    ) -> None:
        super().__init__(text)
        self._document, self._old, self._new = document, document.value, new
        self._gesture = gesture
        names = (field.name for field in fields(new))
        self._names = {n for n in names if getattr(new, n) != getattr(self._old, n)}

    def id(self) -> int:
        """Return the same for all changes: they may be merged."""
        return 1

    def mergeWith(self, other: QUndoCommand | None) -> bool:
        """Merge a later change of the same fields; drop both if they cancel out."""
        if not isinstance(other, SetValue):
            return False
        if other._gesture != self._gesture or not other._names <= self._names:
            return False
        self._new = other._new
        self.setObsolete(self._new == self._old)
        return True

    def undo(self) -> None:
        """Set the value as it was."""
        self._document.show_value(self._old)

    def redo(self) -> None:
        """Set the value."""
        self._document.show_value(self._new)


class BenchDocument(Follower, Generic[V]):
    """The value that is set, a dataclass with rows; its ``undo_stack`` undoes changes."""

    value_changed = pyqtSignal(object)  # V
    noun = "what is set"
    """The name of the value in undo texts when several of its fields change together."""

    def __init__(self, worker: BenchThread, value: V, parent: QObject | None = None) -> None:
        super().__init__(worker, parent)
        self.worker, self.value = worker, value
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MOST_STEPS)
        self._gesture = 0
        self._pause = once_after(GESTURE_MS, self._end_gesture, self)
        worker.progressed.connect(self._take_progress)

    def start(self) -> None:
        """Begin to compute."""
        self.worker.start()
        self._follow()

    def set(self, text: str = "", gesture: object = None, **changes: Any) -> None:
        """Change fields of the value; see `set_value`."""
        try:
            value = self._changed(**changes)
        except ParameterError as error:
            self.failed.emit(Failure(str(error)))
            self.value_changed.emit(self.value)  # resets the widget that asked
        else:
            self.set_value(value, text, gesture)

    def set_value(self, value: V, text: str = "", gesture: object = None) -> None:
        """Set another value, with a command called ``text`` that can be undone."""
        # Without a text, the changed row names it. Fast successive changes of the same fields
        # become one command, as those of one ``gesture`` do
        if value != self.value:
            text = text or self._text_of(value)
            self.undo_stack.push(SetValue(self, text, value, gesture or self._gesture))
            self._pause.start()

    def show_value(self, value: V) -> None:
        """Take a value that a command sets."""
        self.value = value
        self.value_changed.emit(value)
        self._follow()

    def close(self) -> None:
        """Tell the thread to end, which may take a while."""
        self.worker.leave()

    def _changed(self, **changes: Any) -> V:
        """Return the value with other fields."""
        changed: V = replace(self.value, **changes)  # type: ignore[type-var]
        return changed

    def _follow(self) -> None:
        """Request the results of the value, if they should be computed at once."""

    def _text_of(self, new: V) -> str:
        texts = {row.undo for row in rows(new) if row.of(new) != row.of(self.value)}
        return texts.pop() if len(texts) == 1 else f"Change {self.noun}"

    def _end_gesture(self) -> None:
        self._gesture += 1

    def _take_progress(self, fraction: float) -> None:
        if self.activity.work == "computing":
            self._set_activity(Activity("computing", fraction))
