"""What the states on screen are compared with: settings that were kept, and other methods."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from latviz import wings
from latviz.app.compare.bar import described
from latviz.app.document.document import Document
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell
from latviz.app.work.activity import Failure, percent_done
from latviz.app.work.background import Background, Task
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.methods import Labelled, OtherMethod
from latviz.engine.frames.requests import decoding_of, frame_of, keep
from latviz.engine.settings.state import State, changed_names

PAGE = "methods"
"""The view that shows what the methods found."""
MOST_KEPT = 12
"""Settings that have a row; the oldest goes."""
LEFT_S = 10.0
"""Seconds to wait for a computation in progress when the window closes."""


class Racing(QObject, Feature):
    """Lets the methods of the table label the picture on screen; `found` is what they found."""

    # `kept` are the settings whose states were the reference
    changed = pyqtSignal()  # `found`, `kept`, or `running`

    def __init__(self, parts: Parts) -> None:
        document, shell = parts[Document], parts[Shell]
        super().__init__(shell.main_window)
        self._document, self._shell = document, shell
        self.methods = list(wings.rows("methods", OtherMethod))
        self.left_out = wings.load("methods", OtherMethod, self.methods.append)
        self.found: tuple[Labelled, ...] = ()
        self.kept: tuple[Labelled, ...] = ()
        self.running = ""  # the method that runs, and its progress; "" if none does
        self._task: Task | None = None
        self._waiting: list[OtherMethod] = []  # the first of them runs
        self._reasons: list[str] = []  # of methods that cannot label the picture
        self.background = Background(self)
        self.background.failed.connect(self._stumble)
        self.background.reported.connect(self._take_progress)
        document.changed.connect(self._follow)
        document.failed.connect(self._lose)

    def menu_items(self) -> Iterable[Item]:
        """Return the command, if there are methods."""
        race = Action("Rac&e all", self.tip, self.start, at=("View", 2.2))
        return (race,) if self.methods else ()

    def dismiss(self) -> bool:
        """Cancel the race."""
        was_on = self.is_on
        if was_on:
            self.cancel()
        return was_on

    @property
    def tip(self) -> str:
        """The effect of a race."""
        titles = ", ".join(method.names for method in self.methods)
        return f"Label the picture with other methods, to compare with: {titles}"

    @property
    def is_on(self) -> bool:
        """True while methods run or are about to."""
        return self._task is not None

    def start(self) -> None:
        """Run all methods once the current settings are computed, and show their page."""
        if self._document.picture is None:
            self._shell.say_nothing_to("compare")
            return
        self._end()
        self._task, self.found = self.background.task(), ()
        self._waiting, self._reasons = list(self.methods), []
        self._shell.show(PAGE)
        self._show_running("Computing the states")
        self._document.when_whole(partial(self._race, self._task))

    def cancel(self) -> None:
        """Cancel the race, and keep what was found."""
        self._end()
        self._shell.say("The race was cancelled")

    def compare(self, labelled: Labelled) -> None:
        """Make the labels of a method the reference, which can be undone."""
        self._document.change(f"Compare with {labelled.title}", compared=keep(labelled.frame))

    def use(self, labelled: Labelled) -> None:
        """Use the settings of a row again, unless a parameter that differs is locked."""
        decoding, before = decoding_of(labelled.frame), self._document.parameters
        names = changed_names(State(parameters=before), State(parameters=decoding.parameters))
        if self._document.may_set(*names):
            found = {"parameters": decoding.parameters, "hand_cut": decoding.hand_cut}
            self._document.change("Use these settings", object(), **found)

    def close(self) -> None:
        """Cancel the race, and wait until the running method has ended."""
        self._end()
        self.background.finish(seconds=LEFT_S)

    def _race(self, task: Task, frame: Frame) -> None:
        if task is not self._task:
            return
        shared: dict[str, Any] = {}
        self._show_running(self._waiting[0].title)
        for method in self._waiting:
            work = partial(method.label, frame, task, shared)
            self.background.start(work, partial(self._take, task), task=task)

    def _take(self, task: Task, labelled: Labelled) -> None:
        if task is self._task:
            self.found = (*self.found, labelled)
            self._go_on()

    def _stumble(self, failure: Failure) -> None:
        if not self.is_on:
            return
        if failure.details:
            self._shell.fail(failure)
        self._reasons.append(failure.message)
        self._go_on()

    def _go_on(self) -> None:
        self._waiting = self._waiting[1:]
        if self._waiting:
            self._show_running(self._waiting[0].title)
            return
        self._end()
        if self._reasons:
            self._shell.say(" ".join(dict.fromkeys(self._reasons)))

    def _take_progress(self, task: Task, fraction: float) -> None:
        if task is self._task and self._waiting:
            self._show_running(f"{self._waiting[0].title} {percent_done(fraction)} %")

    def _show_running(self, running: str) -> None:
        self.running = running
        self.changed.emit()

    def _end(self) -> None:
        if self._task is not None:
            self._task.give_up()
        self._task = None
        self._show_running("")

    def _lose(self, _: object) -> None:
        """Cancel a race whose frame cannot be computed; methods that run continue."""
        if self.is_on and len(self._waiting) == len(self.methods):
            self._end()

    def _follow(self, old: State, new: State) -> None:
        """Give a new reference of settings a row; drop what was found in another picture."""
        if new.picture is old.picture:
            if new.compared != old.compared:
                self._keep(frame_of(new.compared))
            return
        if self.is_on:
            self._shell.say_lost("The race")
        self.found = self.kept = ()
        self._end()

    def _keep(self, frame: Frame | None) -> None:
        """Give settings a row, once."""
        if frame is None or frame.by:
            return
        if decoding_of(frame) not in [decoding_of(one.frame) for one in self.kept]:
            details = "; ".join(f"{name} {value}" for name, value in described(frame))
            self.kept = (*self.kept, Labelled(frame, "", details))[-MOST_KEPT:]
            self.changed.emit()
