"""Runs the test of understanding: asks its questions, stores the answers, shows the gain."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PyQt6.QtCore import QDateTime, QObject, Qt, QUrl, pyqtSignal
from PyQt6.QtGui import QDesktopServices

from latviz.app.document.document import Document
from latviz.app.document.opening import Opener
from latviz.app.lessons.question_panel import TestPanel
from latviz.app.lessons.scene import LessonScene
from latviz.app.shell.dialogs import ask_to_delete
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.work.background import Background, failure_of
from latviz.core.disk.errors import FileError
from latviz.core.disk.writing import remove
from latviz.core.errors import ParameterError
from latviz.engine.keeping.session import demo_of, from_text
from latviz.engine.lessons.facts import LessonScreen, is_right_answer
from latviz.engine.lessons.understanding import (
    HEADER,
    Answer,
    Question,
    Test,
    from_rows,
    progress_of,
    read,
    to_row,
)
from latviz.engine.settings.given import Lock
from latviz.engine.settings.state import Node, State
from latviz.files.answers import add_row, read_rows, student_of
from latviz.resources import QUESTIONS, resource

LOCKED = "Answer the question first; then you can change everything."
MOVED = "You changed something."
PICTURE = "Picture of the question"
OTHER_PICTURE = "The question is about another picture."
CLOSE_S = 2.0
"""When the program ends, writing an answer is waited for so long."""


class Examiner(QObject):
    """Runs the test, in pages of the lesson panel and in the views."""

    # The user sees no result before answering all questions twice. Answers are added to a file one
    # by one, and only the file records the progress
    left = pyqtSignal()  # show lessons instead
    lesson_wanted = pyqtSignal(str)
    mark_changed = pyqtSignal(object)  # another place in the view of the question, or None

    def __init__(
        self,
        document: Document,
        shell: Shell,
        settings: Settings,
        opener: Opener,
        views_wanted: Callable[[Iterable[str]], object],
    ) -> None:
        super().__init__(document)
        self._document, self._shell, self._show_views = document, shell, views_wanted
        self._settings = settings
        self._scene = LessonScene(document, shell, opener)
        self._wanted = State()
        self._background = Background(self)
        self._background.failed.connect(shell.fail)
        self.panel = TestPanel()
        self.is_open = False
        self.index: int | None = None
        self._round = 1
        self._answers: list[Answer] | None = None
        self._test: Test | None = None
        self._is_on = False
        self._visit = 0
        self._connect()

    def _connect(self) -> None:
        panel = self.panel
        panel.begin_button.clicked.connect(self._go_on)
        panel.lessons_button.clicked.connect(self.close)
        panel.stop_button.clicked.connect(self._stop)
        panel.back_button.clicked.connect(self._go_back)
        panel.skip_button.clicked.connect(lambda: self._take("", right=False))
        panel.guess.guessed.connect(self._take_choice)
        panel.away.button.clicked.connect(self._ask)
        panel.lesson_wanted.connect(self._go_to_lesson)
        panel.folder_button.clicked.connect(self._open_folder)
        panel.forget_button.clicked.connect(self._ask_to_forget)
        panel.guess.moved.connect(self._show_mark)
        self._document.changed.connect(self._follow)

    @property
    def test(self) -> Test:
        """The questions, read once."""
        if self._test is None:
            self._test = read(resource(QUESTIONS))
        return self._test

    @property
    def _path(self) -> Path | None:
        return self._settings.answers_file  # found on first use: the start reads no folder

    @property
    def answers(self) -> list[Answer]:
        """All answers so far."""
        if self._answers is None:
            self._answers = []
            if self._path is not None:
                try:
                    self._answers = from_rows(read_rows(self._path))
                except FileError as error:
                    self._shell.fail(failure_of(error))
        return self._answers

    @property
    def invitation(self) -> str:
        """The line about the test in the list of lessons."""
        progress = progress_of(self.test, self.answers)
        if progress.has_begun:
            return f"Go on with question {progress.next + 1} of {len(self.test.questions)}."
        if progress.first is None:
            return "Twelve questions, before the lessons and after them. It is optional."
        return "Take it again after some lessons, and see what you learned."

    # From outside

    def enter(self) -> None:
        """Show the question that was left open, or the user's progress."""
        self._is_on = True
        if self.index is None:
            self.show_summary()
        else:
            self._show_question()
            self._set()

    def leave(self) -> None:
        """Remove the lock."""
        self._is_on = False
        self._document.set_lock(None)
        self._show_mark()

    def open(self) -> None:
        """Take over the panel."""
        self.is_open, self.index = True, None
        self.enter()

    def close(self) -> None:
        """Close the test, to show the lessons."""
        self.is_open, self.index = False, None
        self._scene.forget()
        self.leave()
        self.left.emit()

    def finish(self) -> None:
        """Wait until the last answer is written, unless the disk hangs."""
        self._background.finish(all_of_it=True, seconds=CLOSE_S)

    @property
    def awaits_pixel(self) -> bool:
        """True if a click on a pixel is an answer now."""
        question = self._question
        asked = question is not None and question.step.guess.kind == "pixel"
        return asked and self._is_on and self._scene.is_there

    @property
    def is_asking(self) -> bool:
        """True while a question about the picture on screen is open."""
        return self._is_on and self._question is not None and self._scene.is_there

    def show_here(self) -> None:
        """Show the views of the question in another tab."""
        question = self._question
        if question is not None:
            self._show_views(question.step.views)

    def click(self, node: Node) -> None:
        """Take a pixel that was clicked, if the question asks for one."""
        if self.awaits_pixel:
            self._judge(node, " ".join(map(str, node)))

    # One question after the other

    @property
    def _question(self) -> Question | None:
        return None if self.index is None else self.test.questions[self.index]

    def _go_on(self) -> None:
        progress = progress_of(self.test, self.answers)
        self._round, self.index = progress.round, progress.next
        self._ask()

    def _go_back(self) -> None:
        self.index = max(0, (self.index or 0) - 1)
        self._ask()

    def _stop(self) -> None:
        self.index = None
        self._show_mark()
        self.show_summary()
        self.panel.take_keyboard()

    def _ask(self) -> None:
        """Show a question, its demo and its views."""
        question = self._question
        assert question is not None
        self._show_question()
        self.panel.take_keyboard()
        demo = demo_of(question.step.state)
        if self._scene.shows(demo):
            self._set()
        else:
            wanted = partial(from_text, question.step.state)
            self._scene.open(demo, PICTURE, wanted, self._set)

    def _show_question(self) -> None:
        assert self.index is not None
        self._visit += 1
        self.panel.show_question(self.test, self.index, self._round)
        self._show_mark()

    def _set(self) -> None:
        question = self._question
        if question is None or not self._is_on:  # it was left meanwhile
            return
        gesture = self._round, self.index, self._visit
        self._wanted = from_text(question.step.state, self._scene.opened)
        self._scene.set("Answer a question", self._wanted, gesture)
        self._show_views(question.step.views)
        free = frozenset(question.step.free)
        self._document.set_lock(Lock(free, LOCKED) if self._scene.is_there else None)
        self._show_away()
        self._show_mark()

    def _show_mark(self) -> None:
        """Show the mark for the requested place, or none."""
        self.mark_changed.emit(self.panel.guess.mark if self.is_asking else None)

    def _follow(self, _old: State, _new: State) -> None:
        if self._is_on and self._question is not None:
            if not self._scene.is_there:
                self._document.set_lock(None)
                self._show_mark()
            self._show_away()

    def _show_away(self) -> None:
        text = "" if self._scene.is_set(self._wanted) else MOVED
        self.panel.away.show_text(text if self._scene.is_there else OTHER_PICTURE)

    def _take_choice(self, given: int) -> None:
        question = self._question
        if question is not None:
            options = question.step.guess.options
            self._judge(given, options[given - 1] if options else str(given))

    def _judge(self, given: int | Node, text: str) -> None:
        """Store an answer, right or wrong; states on screen decide about a pixel."""
        question, frame = self._question, self._document.frame
        if question is None:
            return
        screen = None if frame is None or frame.coarse else LessonScreen(frame, None)
        try:
            right = is_right_answer(question.step, given, screen)
        except ParameterError as error:
            self._shell.fail(failure_of(error))
            return
        self._take(text, right=right)

    def _take(self, text: str, *, right: bool) -> None:
        question = self._question
        if question is None or self.index is None:
            return
        answer = Answer(self._round, question.key, text, right)
        self.answers.append(answer)
        if self._path is not None:
            time = QDateTime.currentDateTime().toString(Qt.DateFormat.ISODate)
            row = to_row(answer, time, student_of(self._path))
            self._background.start(partial(add_row, self._path, HEADER, row), lambda _: None)
        if self.index + 1 < len(self.test.questions):
            self.index += 1
            self._ask()
        else:
            self._stop()

    # Before and after

    def show_summary(self) -> None:
        """Show the user's progress in the test, and the gain."""
        self._document.set_lock(None)
        progress = progress_of(self.test, self.answers)
        self.panel.show_summary(self.test, progress, self._path)

    def _go_to_lesson(self, name: str) -> None:
        self.close()
        self.lesson_wanted.emit(name)

    def _open_folder(self) -> None:
        if self._path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path.parent)))

    def _ask_to_forget(self) -> None:
        ask_to_delete(self._shell.main_window, "your answers", self._forget)

    def _forget(self) -> None:
        self.answers.clear()
        if self._path is not None:
            self._background.start(partial(remove, self._path), lambda _: None)
        self.show_summary()
