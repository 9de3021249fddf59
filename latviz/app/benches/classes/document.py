"""The document of the window of classes, and the thread that learns."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event

from PyQt6.QtCore import QObject, pyqtSignal

from latviz import collection
from latviz.app.benches.bench import POLL_S, BenchDocument, BenchListener, BenchThread
from latviz.app.work.activity import Activity, Failure
from latviz.app.work.background import Background, Task
from latviz.core import digits, load_classifier, save_classifier
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, stop_if_told

LEFT_S = 2.0
"""Seconds to wait for a read in progress when the window closes."""

Run = Callable[[Progress], "collection.classes.ClassOutcome"]


@dataclass(frozen=True, eq=False)
class ClassOrder:
    """Something to learn or to classify, of a data set."""

    run: Run
    data: "collection.classes.ClassSet"


class ClassThread(BenchThread):
    """Learns and classifies, one order after the other."""

    computed = pyqtSignal(object, object)  # Order, Outcome
    subject = "classes"

    def answer(self, order: ClassOrder, listener: BenchListener) -> None:
        """Emit the result of an order."""
        try:
            found = order.run(listener)
        except FileError as error:
            raise ParameterError(str(error)) from error
        self.computed.emit(order, found)


class ClassDocument(BenchDocument["collection.classes.Plan"]):
    """The data set, the plan, the learned classes, and the inspected image."""

    # Nothing is learned until the user starts it
    data_changed = pyqtSignal()  # another data set is open
    outcome_changed = pyqtSignal()  # a new result of learning or classifying, or its removal
    described = pyqtSignal()  # more is known of the learned models: inertia in open images
    look_changed = pyqtSignal()  # another image is inspected, or none
    look_progressed = pyqtSignal(object)  # fraction done of the image to inspect; None at the end
    said = pyqtSignal(str)  # a short message
    noun = "the plan"
    worker: ClassThread

    def __init__(
        self, prepared: Event, plan: "collection.classes.Plan", parent: QObject | None = None
    ) -> None:
        super().__init__(ClassThread(prepared), plan, parent)
        self.data: collection.classes.ClassSet | None = None
        self.outcome: collection.classes.ClassOutcome | None = None
        self.look: collection.classes.ClassLook | None = None
        self.background = Background(self)
        self.background.failed.connect(self._fail_look)
        self.background.reported.connect(self._report_look)
        self._opening: Task | None = None
        self._describing: Task | None = None
        self._looking: Task | None = None
        self.worker.computed.connect(self._take_outcome)

    # The data set

    def open(self, path: str, split: str = "") -> None:
        """Open a data set; the current one stays until it is listed."""
        name = Path(path).name
        self.said.emit(f"Opening {name}…")
        self._opening = self._renewed(self._opening)
        self.background.start(
            lambda: collection.classes.open_set(path, split), self._take_data, task=self._opening
        )

    def _take_data(self, data: "collection.classes.ClassSet") -> None:
        self.cancel()
        self.data = data
        if self.outcome is not None:  # it belonged to other images
            before = self.outcome
            self.outcome = collection.classes.loaded(before.classifier, counts=before.counts)
        self._forget_look()
        self.data_changed.emit()
        self.outcome_changed.emit()
        self._describe()
        n, n_classes = len(data.images), len(data.classes)
        lost = f"; {len(data.notes)} left out" if data.notes else ""
        self.said.emit(f"{data.place.name}: {n:,} images of {n_classes} classes{lost}")

    # Learning and classifying

    @property
    def is_busy(self) -> bool:
        """True while classes are learned or images classified."""
        return self.activity.work == "computing"

    @property
    def is_looking(self) -> bool:
        """True while an image is read and scored for inspection."""
        return self._looking is not None

    def train(self) -> None:
        """Learn from one part of the data set, and classify the rest."""
        if self.data is not None:
            self._order(partial(collection.classes.train, self.data, self.value))

    def test(self) -> None:
        """Classify all images of the data set with the learned classes."""
        if self.data is not None and self.outcome is not None:
            classifier, counts = self.outcome.classifier, self.outcome.counts
            run = partial(collection.classes.classify, self.data, classifier, counts=counts)
            self._order(run)

    def _order(self, run: Run) -> None:
        assert self.data is not None
        self._submit(ClassOrder(run, self.data), Activity("computing"))

    def cancel(self) -> None:
        """Cancel learning, classifying or inspecting; keep earlier results."""
        if self.is_busy:
            self._give_up()
            self._asked = None  # ignore the result, even if it has arrived
            self._set_activity(Activity("declined"))
        elif self._looking is not None:
            self._end_looking()

    def _take_outcome(self, order: ClassOrder, outcome: "collection.classes.ClassOutcome") -> None:
        if order is not self._asked or order.data is not self.data:
            return
        self.outcome = outcome
        self._forget_look()
        self._set_activity(Activity("idle"))
        self.outcome_changed.emit()
        self.said.emit(message_of(outcome))

    # Classifiers in files

    def load(self, path: str) -> None:
        """Take a classifier from a file."""
        self.background.start(
            lambda: collection.classes.loaded(load_classifier(path)),
            partial(self._take_loaded, Path(path).name),
        )

    def _take_loaded(self, name: str, outcome: "collection.classes.ClassOutcome") -> None:
        self.cancel()
        self.outcome = outcome
        self._forget_look()
        self.outcome_changed.emit()
        self._describe()
        classes = ", ".join(outcome.classes)
        self.said.emit(f"{name} has {len(outcome.classes)} classes: {classes}")

    def _describe(self) -> None:
        """Find the inertia of the learned classes, in open images."""
        data, outcome = self.data, self.outcome
        task = self._describing = self._renewed(self._describing)
        if data is None or outcome is None:
            return
        classifier, counts = outcome.classifier, outcome.counts

        def describe() -> object:
            self._await_kernels(task)
            return collection.classes.loaded(classifier, data, task, counts=counts)

        self.background.start(describe, partial(self._take_described, outcome), task=task)

    def _take_described(
        self, before: "collection.classes.ClassOutcome", found: "collection.classes.ClassOutcome"
    ) -> None:
        if self.outcome is before:
            self.outcome = found
            self.described.emit()

    def save(self, path: str) -> None:
        """Write the classifier to a file."""
        if self.outcome is not None:
            classifier = self.outcome.classifier
            self.background.start(
                lambda: save_classifier(classifier, path),
                lambda _: self.said.emit(f"Wrote {Path(path).name}"),
            )

    # Inspecting an image

    def look_at(self, index: int) -> None:
        """Inspect an image of the data set; the newest call counts."""
        data, outcome = self.data, self.outcome
        if data is None or outcome is None:
            return
        self._end_looking()
        task = self._looking = self.background.task()
        classifier = outcome.classifier_of(index)
        self.look_progressed.emit(0.0)

        def look() -> object:
            self._await_kernels(task)
            return collection.classes.look(data, index, classifier, task)

        self.background.start(look, partial(self._take_look, task), task=task)

    def _renewed(self, before: Task | None) -> Task:
        """Cancel the earlier task; return a new one."""
        if before is not None:
            before.give_up()
        return self.background.task()

    def _await_kernels(self, task: Task) -> None:
        """Wait, on another thread, until the kernels are there."""
        while not self.worker.prepared.wait(POLL_S):
            stop_if_told(task)

    def _take_look(self, task: Task, found: "collection.classes.ClassLook") -> None:
        if task is self._looking and not task.cancelled():
            self.look, self._looking = found, None
            self.look_progressed.emit(None)
            self.look_changed.emit()

    def _report_look(self, task: Task, fraction: float) -> None:
        if task is self._looking:
            self.look_progressed.emit(fraction)

    def _fail_look(self, failure: Failure) -> None:
        self._end_looking()
        self.failed.emit(failure)

    def _end_looking(self) -> None:
        if self._looking is not None:
            self._looking.give_up()
            self._looking = None
            self.look_progressed.emit(None)

    def _forget_look(self) -> None:
        self._end_looking()
        if self.look is not None:
            self.look = None
            self.look_changed.emit()

    def close(self) -> None:
        """Tell the thread to end, which may take a while."""
        super().close()
        self.background.finish(seconds=LEFT_S)


def message_of(outcome: "collection.classes.ClassOutcome") -> str:
    """Return the number of correct predictions."""
    found, lost = outcome.validation, len(outcome.failures)
    left = f"; {lost} left out" if lost else ""
    if found is None:
        return f"No image was classified{left}"
    which = "held-out images" if outcome.is_held_out else "images"
    if found.classifiers:
        which = f"images in {len(found.classifiers)} folds"
    n = len(outcome.tested)
    right = int(found.confusion.trace())
    return (
        f"{right:,} of {n:,} {which} right ({digits.share(found.accuracy)}), "
        f"log loss {digits.bits(found.log_loss)} nats{left}"
    )
