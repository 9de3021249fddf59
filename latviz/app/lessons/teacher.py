"""Takes a person through lessons: sets states, locks what is not asked for, tells what is so."""

from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path

from PyQt6.QtCore import QObject

from latviz.app.activity import Failure
from latviz.app.document import Document, Lock
from latviz.app.lessons.guess import verdict
from latviz.app.lessons.panel import LessonPanel
from latviz.app.opening import Opener
from latviz.app.settings import Settings
from latviz.app.shell import Shell
from latviz.core.errors import ParameterError
from latviz.engine.frame import Frame
from latviz.engine.lessons.lesson import Lesson, Step, check_states, read
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture
from latviz.engine.session import opened
from latviz.engine.state import Node, State
from latviz.engine.state_string import demo_of, from_text
from latviz.resources import resource
from latviz.workspace import make_picture

FIRST = "lessons/01-signatures.md"
"""A lesson of the program's own, beside which the others are."""
LOCKED = "This step is about something else; all can be moved once it has told what is so."
_SET = tuple(f.name for f in fields(State) if f.name not in ("pictures", "compared", "views"))
"""The fields of the state that a step sets."""


class Teacher(QObject):
    """Runs one lesson at a time, in the panel and in the views; `views_wanted` shows some of them.

    It is at work between `enter` and `leave`. Whatever a person opens meanwhile stays theirs: then
    nothing is locked, and steps are said without being set.
    """

    def __init__(
        self,
        document: Document,
        shell: Shell,
        settings: Settings,
        opener: Opener,
        views_wanted: Callable[[Iterable[str]], object],
    ) -> None:
        super().__init__(document)
        self._document, self._shell, self._settings = document, shell, settings
        self._opener, self._show_views = opener, views_wanted
        self.panel = LessonPanel()
        self.lesson: Lesson | None = None
        self.index = 0
        self.has_told = False
        self._lessons: dict[str, Lesson] = {}
        self._picture: Picture | None = None
        self._opened = State()
        self._clicked: tuple[Node, Frame] | None = None
        self._is_on = False
        self._visit = 0
        self.panel.begun.connect(self.begin)
        self.panel.left.connect(self.end)
        self.panel.back.connect(self.go_back)
        self.panel.forward.connect(self.go_on)
        self.panel.guessed.connect(self._take_guess)
        document.changed.connect(self._follow)

    def enter(self) -> None:
        """Show the lessons, or the step that was left."""
        self._is_on = True
        if self.lesson is None:
            self._show_list()
        else:
            self._begin_step()

    def leave(self) -> None:
        """Lock nothing any more."""
        self._is_on = False
        self._document.set_lock(None)

    def lessons(self) -> dict[str, Lesson]:
        """Return the program's lessons and those in a person's own folder, read once."""
        if not self._lessons:
            paths = sorted(resource(FIRST).parent.glob("*.md"))
            own = self._settings.lessons_folder
            paths += sorted(own.glob("*.md")) if own is not None and own.is_dir() else []
            reasons = [reason for path in paths if (reason := self._add(path))]
            if reasons:
                self._shell.fail(Failure(" ".join(reasons), ""))
        return self._lessons

    def _add(self, path: Path) -> str:
        """Add a lesson; return why it is left out, or nothing."""
        try:
            lesson = read(path)
            check_states(lesson)
        except ParameterError as error:
            return f"{path.name} is left out: {error}."
        self._lessons[path.stem] = lesson
        return ""

    def _show_list(self) -> None:
        self.panel.show_list(list(self.lessons().values()), self._settings.lessons_done)

    def begin(self, name: str) -> None:
        """Open a lesson's demo, and its first step."""
        lesson = self.lessons()[name]

        def take(made: tuple[Picture, Parameters]) -> None:
            picture, parameters = made
            self._document.set_lock(None)
            self._opened = opened(picture, parameters).state
            self.lesson, self.index = lesson, 0
            self._document.open(picture, self._state(told=False).parameters, parameters)
            self._picture = self._document.picture
            if self._is_on:  # else another tab was chosen meanwhile
                self._begin_step()

        self._opener.open_with(lambda _: make_picture(demo_of(lesson.state)), take)

    def end(self) -> None:
        """Leave the lesson, and show all of them."""
        self.lesson, self._picture = None, None
        self._document.set_lock(None)
        self._show_list()

    def go_back(self) -> None:
        """Return to the step before."""
        self.index = max(0, self.index - 1)
        self._begin_step()

    def go_on(self) -> None:
        """Tell what the step asks, or go to the next one; after the last the lesson is done."""
        step = self._step
        if step is None or self.lesson is None:
            return
        if step.then and not self.has_told:
            self._tell(None, "")
        elif self.index + 1 < len(self.lesson.steps):
            self.index += 1
            self._begin_step()
        else:
            self._settings.lessons_done = {*self._settings.lessons_done, self.lesson.name}
            self.end()

    @property
    def is_teaching(self) -> bool:
        """Whether a person goes through a lesson now."""
        return self._is_on and self.lesson is not None

    @property
    def awaits_pixel(self) -> bool:
        """Whether a click on a pixel is a guess now."""
        step = self._step
        asked = step is not None and step.guess.kind == "pixel"
        return asked and not self.has_told and self._is_there

    def click(self, node: Node) -> None:
        """Take a pixel that was clicked, if the step asks for one."""
        frame = self._document.frame
        if self.awaits_pixel and frame is not None and not frame.coarse:
            self._clicked = node, frame
            self._tell(None, "")
            self._document.when_whole(self._tell_pixel)

    @property
    def _step(self) -> Step | None:
        return None if self.lesson is None else self.lesson.steps[self.index]

    @property
    def _is_there(self) -> bool:
        """Whether the lesson's own picture is on screen, in Learn."""
        return self._is_on and self._document.picture is self._picture

    def _follow(self, old: State, new: State) -> None:
        if self._is_on and self.lesson is not None and new.picture is not old.picture:
            self._set_lock()

    def _begin_step(self) -> None:
        assert self.lesson is not None
        self.has_told, self._clicked = False, None
        self._visit += 1
        self.panel.show_step(self.lesson, self.index)
        self._set(self._state(told=False))
        step = self.lesson.steps[self.index]
        self._show_views(step.views)
        self._set_lock()

    def _tell(self, guess: int | None, said: str) -> None:
        assert self.lesson is not None
        step = self.lesson.steps[self.index]
        self.has_told = True
        self.panel.tell(step, guess, said, is_last=self.index + 1 == len(self.lesson.steps))
        self._set_lock()
        self._set(self._state(told=True))

    def _take_guess(self, guess: int) -> None:
        step = self._step
        if step is not None and not self.has_told:
            self._tell(guess, verdict(step.guess, guess))

    def _tell_pixel(self, frame: Frame) -> None:
        """Say what became of the pixel that was clicked."""
        if self._clicked is None or not self._is_there:
            return
        node, before = self._clicked
        old, new = (int(found.states[node]) for found in (before, frame))
        text = f"Your pixel stayed in state {new + 1}."
        if before.slots[old] != frame.slots[new]:
            text = f"Your pixel went from state {old + 1} to state {new + 1}."
        self.panel.show_verdict(text)

    def _state(self, *, told: bool) -> State:
        """Return what is set at the step: what all steps up to it set, one after the other."""
        assert self.lesson is not None
        steps = self.lesson.steps[: self.index + 1]
        texts = [self.lesson.state, *(text for step in steps for text in (step.state, step.after))]
        state = self._opened
        for text in texts if told else texts[:-1]:
            state = from_text(text, state)
        return state

    def _set(self, state: State) -> None:
        if self._is_there:
            try:
                changes = {name: getattr(state, name) for name in _SET}
                if self._clicked is not None:
                    changes["pins"] = (self._clicked[0],)
                gesture = self.lesson, self.index, self.has_told, self._visit
                self._document.change("Go through a lesson", gesture, **changes)
            except ParameterError as error:
                self._shell.fail(Failure(str(error), ""))

    def _set_lock(self) -> None:
        step = self._step
        free = step is None or self.has_told or not self._is_there
        self._document.set_lock(None if free else _lock(step))


def _lock(step: Step | None) -> Lock:
    return Lock(frozenset() if step is None else frozenset(step.free), LOCKED)
