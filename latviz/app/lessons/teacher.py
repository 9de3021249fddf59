"""Runs lessons: sets states, locks controls that a step does not use, shows the answers."""

from collections.abc import Callable, Iterator
from functools import partial

from PyQt6.QtCore import QObject, QRectF, pyqtSignal

from latviz.app.docking.uses import LEARN
from latviz.app.document.document import Document
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.document.opening import Opener
from latviz.app.lessons.examiner import Examiner
from latviz.app.lessons.guess import Given, verdict
from latviz.app.lessons.handout import write_handout
from latviz.app.lessons.highlights import Highlights
from latviz.app.lessons.library import PATH, Library
from latviz.app.lessons.offer import LessonOffer
from latviz.app.lessons.pages import give_keyboard
from latviz.app.lessons.panel import LessonPanel
from latviz.app.lessons.scene import LessonScene
from latviz.app.look.theme import Theme
from latviz.app.panels.controls import Controls
from latviz.app.sharing.writer import Writer
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.views.mark import Place
from latviz.app.views.registry import Views
from latviz.app.work.timers import once_after
from latviz.core.errors import ParameterError
from latviz.engine.frames.frame import Frame
from latviz.engine.keeping.session import from_text
from latviz.engine.lessons.checking import is_better
from latviz.engine.lessons.facts import (
    LessonScreen,
    is_right_answer,
    results_for,
    value,
    written,
)
from latviz.engine.lessons.lesson import Lesson, LessonStep, Number, numbers, shown
from latviz.engine.settings.given import Lock
from latviz.engine.settings.state import Node, State
from latviz.files.suffixes import HANDOUT
from latviz.resources import FIRST_LESSON

LOCKED = "This step is about something else. You can move everything once you see the answer."
MOVED = "You changed something."
OTHER_PICTURE = "This step uses another picture."
RIGHT, WRONG = "Correct.", "Not there."
"""The sentence about a clicked pixel."""
AS_GOOD = "Correct: {} is as good as {}, within their error."
BEATEN = "You beat it."
PATH_DONE = "The first lessons are done"
UNKNOWN = "…"
"""A number that is not known yet."""


class Teacher(QObject, Feature):
    """Runs one lesson at a time, in the panel and in the views."""

    # Its `examiner` runs the test of understanding, in the same panel. The teacher works between
    # `enter` and `leave`. Pictures that the user opens meanwhile stay unchanged: then nothing is
    # locked, and steps show their text without setting a state
    mark_changed = pyqtSignal(object)  # another place in a view that a step asks for, or None
    chart_changed = pyqtSignal(object)  # tuple of str: the only parts of the trade-off to show
    asked = pyqtSignal(bool)  # a question is open, or not: views give no advice meanwhile

    def __init__(self, parts: Parts) -> None:
        document, shell, settings = parts[Document], parts[Shell], parts[Settings]
        opener, idle_jobs = parts[Opener], parts[IdleJobs]
        super().__init__(document)
        self._document, self._shell, self._settings = document, shell, settings
        self._idle_jobs, self._show_views = idle_jobs, shell.alone_wanted.emit
        self.panel, self.offer = LessonPanel(), LessonOffer(settings)
        self.examiner = Examiner(document, shell, settings, opener, shell.alone_wanted.emit)
        self.panel.addWidget(self.examiner.panel)
        self.lesson: Lesson | None = None
        self.index = 0
        self.is_answered = False
        self._writer = parts[Writer]
        self._library = Library(settings.lessons_folder, shell.fail)
        self._is_on_path = False
        self._follows = ""
        self._scene = LessonScene(document, shell, opener)
        self._wanted = State()
        self._guess: Given | None = None
        self._clicked: tuple[Node, Frame] | None = None
        self._is_on = False
        self._visit = 0
        self._connect(opener)

    def _connect(self, opener: Opener) -> None:
        document = self._document
        self.panel.begun.connect(self.begin)
        self.offer.taken.connect(lambda: self.teach(FIRST_LESSON))
        self.panel.path.clicked.connect(lambda: self.begin_path())
        self.panel.test.clicked.connect(self._open_test)
        self.panel.list_button.clicked.connect(self.end)
        self.panel.follow_button.clicked.connect(
            lambda: self.begin(self._follows, on_path=self._is_on_path)
        )
        self.examiner.left.connect(self.end)
        self.examiner.lesson_wanted.connect(self.begin)
        self.panel.leave_button.clicked.connect(self.end)
        self.panel.back_button.clicked.connect(self.go_back)
        self.panel.next_button.clicked.connect(self.go_on)
        self.panel.away.button.clicked.connect(self.return_to_step)
        self.panel.open_button.clicked.connect(opener.choose_image)
        self.panel.guess.guessed.connect(self._take_guess)
        self.panel.guess.moved.connect(self._show_mark)
        self.examiner.mark_changed.connect(self.mark_changed)
        self.mark_changed.connect(lambda _: self.asked.emit(self.is_asking))
        document.changed.connect(self._follow)
        document.frame_changed.connect(self._show_numbers)
        self._idle_jobs.trade_off_changed.connect(self._show_numbers)
        self._looking = once_after(0, self._look, self)

    def menu_items(self) -> Iterator[Item]:
        """Yield the lessons, which no menu holds: the finder lists them."""
        for k, (name, title) in enumerate(self._library.titles()):
            run, at = partial(self.teach, name), ("Lesson", k / 100)
            yield Action(f"Lesson: {title}", "Begin this lesson", run, at=at, opens=True)
        yield Action(
            "Export a &handout…",
            "Write the questions and answers of the lesson on screen on two pages (.pdf)",
            self._export_handout,
            at=("Export", 0.7),
            enabled=lambda: self.lesson is not None,
        )

    def _export_handout(self) -> None:
        lesson = self.lesson
        if lesson is not None:
            self._writer.ask_and_write(
                "handout", HANDOUT, lambda path, *_: write_handout(path, lesson)
            )

    def enter(self) -> None:
        """Show the lessons, or the step that was left."""
        self._is_on = True
        if self.examiner.is_open:
            self.examiner.enter()
        elif self.lesson is None:
            self._show_list()
        else:
            self._begin_step()

    @property
    def is_running(self) -> bool:
        """True while a step or a question is on screen, in any tab."""
        return self._is_on and (self.lesson is not None or self.examiner.index is not None)

    @property
    def is_asking(self) -> bool:
        """True while the learner is to guess before anything tells the answer."""
        step = self._step
        asked = step is not None and step.guess.kind != "none" and not self.is_answered
        there = self._is_there or (step is not None and step.is_own)
        return self.examiner.is_asking or (self._is_on and asked and there)

    def show_here(self) -> None:
        """Show the parts of the step in another tab, in which the lesson goes on."""
        step = self._step
        if self.examiner.is_open:
            self.examiner.show_here()
        elif step is not None:
            self._show_views(self._docks_of(step))

    def _docks_of(self, step: LessonStep) -> tuple[str, ...]:
        """Return the docks of a step; a slide has controls only if the step asks to move them."""
        moved = ("controls",) if step.free or step.guess.kind == "beat" else ()
        return (*step.views, *moved, *(step.answer_views if self.is_answered else ()))

    def leave(self) -> None:
        """Remove the lock."""
        self._is_on = False
        self._document.set_lock(None)
        self._show_mark()
        self._clear_marks()
        self.examiner.leave()

    def connect(self, parts: Parts) -> None:
        """Connect marks and clicks of the views; block highlights while a step asks for a pixel."""
        views = parts[Views]
        self._lights = Highlights(self._document, views, parts[Controls].panel)
        views.holds_back = lambda: self.awaits_pixel
        views.also_needed = lambda: self.needs
        for view in views.views.values():
            view.placed.connect(self.place)
            self.mark_changed.connect(view.show_mark)
            self.chart_changed.connect(view.show_alone)
            self.asked.connect(view.show_asked)
        self._pictures = views.pictures
        for picture in views.pictures:
            picture.node_clicked.connect(self.click)

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.panel.apply_theme(theme)
        self.examiner.panel.apply_theme(theme)

    def close(self) -> None:
        """Finish files being written."""
        self.examiner.finish()

    def _open_test(self) -> None:
        self.panel.setCurrentWidget(self.examiner.panel)
        self.examiner.open()
        self.examiner.panel.take_keyboard()

    def lessons(self) -> dict[str, Lesson]:
        """Return the program's lessons and those in the user's own folder, read once."""
        return self._library.lessons()

    def _show_list(self) -> None:
        lessons, done = self.lessons(), self._settings.lessons_done
        on_path = [lessons[name] for name in PATH if name in lessons]
        self.panel.show_list(list(lessons.values()), done)
        self.panel.show_path(on_path, done)
        self.panel.show_test(self.examiner.test.title, self.examiner.invitation)
        if self._is_on:
            self._show_views(())

    def teach(self, name: str = "", *, on_path: bool = False) -> None:
        """Show the Learn tab, and begin a lesson if there is a name."""
        self._shell.use_wanted.emit(LEARN)
        if name in self.lessons():  # of one that cannot be read, the reason is shown
            self.begin(name, on_path=on_path)

    def begin(self, name: str, *, on_path: bool = False) -> None:
        """Open a lesson's demo, and its first step."""
        self._is_on_path = on_path
        self._begin_on_its_picture(self.lessons()[name], 0)

    def begin_path(self) -> None:
        """Begin with the first lesson of the path that is not completed."""
        ahead = [name for name in PATH if name not in self._settings.lessons_done]
        self.begin((ahead or PATH)[0], on_path=True)

    def _begin_on_its_picture(self, lesson: Lesson, index: int) -> None:
        """Open the demo of a step, then begin it."""

        def begin_there(opened: State) -> State:
            self.lesson, self.index = lesson, index
            return self._state(opened, answered=False)

        self._open(lesson, index, begin_there, self._begin_with_keyboard)

    def _begin_with_keyboard(self) -> None:
        self._begin_step()
        self.panel.keyboard_wanted.emit()

    def _open(
        self,
        lesson: Lesson,
        index: int,
        wanted: Callable[[State], State],
        then: Callable[[], object],
    ) -> None:
        """Open the picture of a step, then continue, unless another tab was chosen meanwhile."""
        demo = lesson.demo_at(index)
        self._scene.open(demo, lesson.title, wanted, lambda: self._is_on and then())

    def _turn_to(self, index: int) -> None:
        """Show another step of the lesson; the user's own picture stays."""
        assert self.lesson is not None
        if self._scene.is_there and not self._scene.shows(self.lesson.demo_at(index)):
            self._begin_on_its_picture(self.lesson, index)
        else:
            self.index = index
            self._begin_with_keyboard()

    def end(self) -> None:
        """Leave the lesson, and show the list."""
        self._leave_lesson()
        self._show_list()
        self.panel.keyboard_wanted.emit()

    def _leave_lesson(self) -> None:
        self.lesson = None
        self._scene.forget()
        self._document.set_lock(None)
        self._show_mark()
        self._clear_marks()

    def _clear_marks(self) -> None:
        """Show the views without the marks of lessons."""
        self._lights.clear()
        self.chart_changed.emit(())

    def _finish(self, lesson: Lesson) -> None:
        """Show the summary of a lesson; at the end of the path, of all its lessons."""
        self._settings.lessons_done = {*self._settings.lessons_done, lesson.name}
        follows = self._library.after(lesson.name, on_path=self._is_on_path)
        is_all = self._is_on_path and follows is None
        lessons = [self.lessons()[name] for name in PATH] if is_all else [lesson]
        self._follows = "" if follows is None else follows.name
        learned = [sentence for one in lessons for sentence in one.learned]
        self._leave_lesson()
        self.panel.show_end(PATH_DONE if is_all else lesson.title, learned, follows)
        self.panel.keyboard_wanted.emit()

    def go_back(self) -> None:
        """Return to the step before."""
        self._turn_to(max(0, self.index - 1))

    def go_on(self) -> None:
        """Show the answer of the step, or the next step; after the last, finish the lesson."""
        step = self._step
        if step is None or self.lesson is None:
            return
        if step.then and not self.is_answered:
            self._show_answer(None)
        elif self.index + 1 < len(self.lesson.steps):
            self._turn_to(self.index + 1)
        else:
            self._finish(self.lesson)

    def return_to_step(self) -> None:
        """Set all as the step set it, on its own picture."""
        lesson = self.lesson
        if lesson is None:
            return
        self._visit += 1
        if self._scene.is_there:
            self._set_step()
        else:
            answered = self.is_answered
            self._open(
                lesson,
                self.index,
                lambda opened: self._state(opened, answered=answered),
                self._set_step,
            )

    @property
    def awaits_pixel(self) -> bool:
        """True if a click on a pixel is a guess now."""
        step = self._step
        asked = step is not None and step.guess.kind == "pixel"
        return self.examiner.awaits_pixel or (asked and not self.is_answered and self._is_there)

    @property
    def needs(self) -> frozenset[str]:
        """The results that the text of the step needs."""
        step = self._step
        if step is None or not (self._is_on and (step.is_own or step.guess.kind == "beat")):
            return frozenset()
        answer = step.guess.answer
        written = [*numbers(step.text), *numbers(step.then)]
        return results_for(written if answer is None else [*written, answer])

    @property
    def _is_beating(self) -> bool:
        """True if the step asks to beat a number, and its own picture is on screen."""
        step = self._step
        return step is not None and step.guess.kind == "beat" and self._is_there

    def click(self, node: Node) -> None:
        """Take a pixel that was clicked, if a step or a question asks for one."""
        if self.examiner.awaits_pixel:
            self.examiner.click(node)
            return
        frame = self._document.frame
        if self.awaits_pixel and frame is not None and not frame.coarse:
            self._clicked = node, frame
            self._show_answer(None)
            needs = frozenset({"truth"} if self._document.state.knows_truth else ())
            self._document.when_whole(self._show_pixel_answer, needs=needs)  # no view may need it

    def place(self, place: Place) -> None:
        """Take the place of the user's mark, see `mark_changed`."""
        panel = self.examiner.panel if self.examiner.is_open else self.panel
        panel.guess.place(place)

    def _show_mark(self) -> None:
        """Show the mark and the truth of the step until the user changes settings freely."""
        step = self._step
        if step is None or not self._is_on:
            shows = False
        elif step.is_own and not self._scene.is_there:
            shows = True
        else:
            is_set = self._scene.is_set(self._wanted, **self._pinned)
            shows = self._scene.is_there and (is_set or not self.is_answered)
        self.mark_changed.emit(self.panel.guess.mark if shows else None)

    @property
    def _step(self) -> LessonStep | None:
        return None if self.lesson is None else self.lesson.steps[self.index]

    @property
    def _is_there(self) -> bool:
        """True if the lesson's own picture is on screen, in Learn."""
        return self._is_on and self._scene.is_there

    def _follow(self, old: State, new: State) -> None:
        step = self._step
        if step is None or not self._is_on:
            return
        if new.picture is not old.picture:
            self._set_lock()
            if step.is_own and not self._scene.is_there:
                self._begin_step()  # it asks the same of this picture
        self._show_away()
        self._show_mark()

    def _show_away(self) -> None:
        """Offer to restore the settings of the step if the user changed them."""
        step, text = self._step, ""
        if step is not None and not self._scene.is_there:
            text = "" if step.is_own else OTHER_PICTURE
        elif step is not None and step.free and step.guess.kind == "none":
            text = ""  # it asks for changes, and nothing else
        elif not (self._is_beating or self._scene.is_set(self._wanted, **self._pinned)):
            text = MOVED
        self.panel.away.show_text(text)

    def _begin_step(self) -> None:
        assert self.lesson is not None
        self.is_answered, self._clicked, self._guess = False, None, None
        self._visit += 1
        text = shown(self.lesson.steps[self.index].text, self._as_shown)
        self.panel.show_step(self.lesson, self.index, text)
        self._set_step()
        self._looking.start()
        if self.needs:
            self._document.when_whole(lambda _: None, needs=self.needs)

    def _set_step(self) -> None:
        """Apply the settings of the step, and show its views."""
        step = self._step
        assert step is not None
        self._set_lock()
        self._wanted = self._state(answered=self.is_answered)
        before = self._document.frame, self._document.parameters
        self._scene.set(
            "Go through a lesson",
            self._wanted,
            (self.lesson, self.index, self.is_answered, self._visit),
            **self._pinned,
        )
        self._show_views(self._docks_of(step))
        self.chart_changed.emit(step.chart if self.is_answered else step.chart[:1])
        asks_for_changes = step.guess.kind == "pixel" and not step.right
        self._lights.show_since(*before, stay=asks_for_changes and self.is_answered)
        self._show_away()
        self._show_mark()

    def _show_answer(self, guess: Given | None) -> None:
        step = self._step
        assert step is not None
        assert self.lesson is not None
        self.is_answered, self._guess = True, guess
        then, is_last = shown(step.then, self._as_shown), self.index + 1 == len(self.lesson.steps)
        self.panel.show_answer(then, is_last=is_last)
        self._show_verdict(step)
        self._set_step()
        give_keyboard(self.panel, self.panel.next_button)

    def _show_verdict(self, step: LessonStep) -> None:
        """Show the right answer, if it is known, and the verdict on the guess."""
        answer, guess = step.guess.answer, self._guess
        if step.guess.kind == "beat":
            return  # `_show_score` shows it at every frame
        text = "" if answer is None else self._as_shown(answer)
        right = step.guess.cell or step.guess.counted(text)
        self.panel.guess.show_answer(guess, right)
        if guess is None or right is None:
            self.panel.show_verdict("")
        elif isinstance(guess, int) and guess != right and self._is_as_good(step, guess):
            self.panel.show_verdict(AS_GOOD.format(step.guess.written(guess), text))
        else:
            self.panel.show_verdict(verdict(step.guess, guess, right))

    def _is_as_good(self, step: LessonStep, guess: int) -> bool:
        """Return True if a step's rule takes a guess besides the best one."""
        frame = self._document.frame
        screen = None if frame is None else LessonScreen(frame, self._idle_jobs.trade_off)
        try:
            return bool(step.right) and is_right_answer(step, guess, screen)
        except ParameterError:
            return False  # not all windows are compared yet

    def _take_guess(self, guess: Given) -> None:
        step = self._step
        if step is not None and not self.is_answered:
            self._show_answer(guess)

    def _show_pixel_answer(self, frame: Frame) -> None:
        """Show if the clicked pixel is right, or the change of its state."""
        step = self._step
        if self._clicked is None or step is None or not self._is_there:
            return
        node, before = self._clicked
        if step.right:
            screen = LessonScreen(frame, None)
            self.panel.show_verdict(RIGHT if is_right_answer(step, node, screen) else WRONG)
            return
        old, new = (int(found.states[node]) for found in (before, frame))
        text = f"Your pixel stayed in state {new + 1}."
        if before.slots[old] != frame.like(before).slots[new]:
            text = f"Your pixel went from state {old + 1} to state {new + 1}."
        self.panel.show_verdict(text)

    def _show_score(self) -> None:
        """Show the user's score in steps that ask to beat a number."""
        step, frame = self._step, self._document.frame
        beaten = None if step is None else step.guess.answer
        if beaten is None or not self._is_beating or frame is None or frame.coarse:
            return
        screen = LessonScreen(frame, self._idle_jobs.trade_off)
        try:
            now = value(screen, beaten.expression, frame.request.parameters)
        except ParameterError:
            return
        shown_way = self.is_answered and self._scene.is_set(self._wanted, **self._pinned)
        won = BEATEN if is_better(beaten, now) and not shown_way else ""
        who = "This way" if shown_way else "You"
        verdict_text = f"{who}: {written(beaten, now)}. The program: {beaten.shown}. {won}"
        self.panel.show_verdict(verdict_text.strip())

    def _show_numbers(self, _news: object) -> None:
        """Update the texts that depend on the frame."""
        self._show_score()
        step = self._step
        if step is None or not (step.is_own and self._is_on):
            return
        self.panel.text.show_text(shown(step.text, self._as_shown))
        if self.is_answered:
            self.panel.then.show_text(shown(step.then, self._as_shown))
            self._show_verdict(step)
            self._show_mark()

    def _as_shown(self, number: Number) -> str:
        """Return a number from the lesson's text, or from the screen in a step about it."""
        step, frame = self._step, self._document.frame
        if step is None or not step.is_own:
            return number.shown
        if frame is None or frame.coarse or frame.request.picture is not self._document.picture:
            return UNKNOWN
        screen = LessonScreen(frame, self._idle_jobs.trade_off)
        try:
            return written(number, value(screen, number.expression, frame.request.parameters))
        except ParameterError:
            return UNKNOWN

    @property
    def _pinned(self) -> dict[str, tuple[Node, ...]]:
        """The clicked pixel and the step's own pins, as a field of the state."""
        if self._clicked is None:
            return {}
        node, others = self._clicked[0], self._wanted.pins
        return {"pins": others if node in others else (*others, node)}

    def _state(self, opened: State | None = None, *, answered: bool) -> State:
        """Return the settings of the step: those of all steps up to it on its picture, in order."""
        assert self.lesson is not None
        texts = self.lesson.texts_at(self.index)
        state = self._scene.opened if opened is None else opened
        for text in texts if answered else texts[:-1]:
            state = from_text(text, state)
        return state

    def _set_lock(self) -> None:
        step = self._step
        free = self.is_answered or self._is_beating or not self._is_there
        self._document.set_lock(
            None if step is None or free else Lock(frozenset(step.free), LOCKED)
        )

    def _look(self) -> None:
        """Zoom to the step's part of the picture, or show all of it."""
        step = self._step
        if step is None or not self._is_there:
            return
        canvas = next((v.canvas for v in self._pictures if v.isVisible()), None)
        if canvas is None:
            return
        if step.near is None:
            canvas.show_all()
        else:
            row, column, reach = step.near
            side = 2 * reach + 1
            canvas.show_part(QRectF(column - reach, row - reach, side, side))
