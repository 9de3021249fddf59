"""Racing other methods: all of them label the picture, one after the other."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from latviz import wings
from latviz.app.document.document import Document
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell
from latviz.app.work.activity import Failure, percent_done
from latviz.app.work.background import Background, Task
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.methods import Labelled, OtherMethod
from latviz.engine.frames.requests import keep
from latviz.engine.settings.state import State

PAGE = "methods"
"""The view that shows what the methods found."""
LEFT_S = 10.0
"""Seconds to wait for a computation in progress when the window closes."""


class Racing(QObject, Feature):
    """Lets the methods of the table label the picture on screen; `found` is what they found."""

    changed = pyqtSignal()  # `found`, or `running`

    def __init__(self, parts: Parts) -> None:
        document, shell = parts[Document], parts[Shell]
        super().__init__(shell.main_window)
        self._document, self._shell = document, shell
        self.methods = list(wings.rows("methods", OtherMethod))
        self.left_out = wings.load("methods", OtherMethod, self.methods.append)
        self.found: tuple[Labelled, ...] = ()
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
        title = f"Compare with {labelled.frame.by}"
        self._document.change(title, compared=keep(labelled.frame))

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
        """Drop what was found in another picture."""
        if new.picture is old.picture:
            return
        if self.is_on:
            self._shell.say_lost("The race")
        self.found = ()
        self._end()
