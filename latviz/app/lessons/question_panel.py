"""The pages of the test of understanding: one question at a time, and the summary."""

from functools import partial
from pathlib import Path

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QLabel, QWidget

from latviz.app.lessons.guess import GuessArea
from latviz.app.lessons.pages import (
    HEADING,
    TEXT,
    AwayBar,
    Pages,
    clear,
    fit,
    give_keyboard,
    label,
    page,
)
from latviz.app.look.theme import Theme
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button
from latviz.core import digits
from latviz.engine.lessons.lesson import shown
from latviz.engine.lessons.understanding import (
    Answer,
    Question,
    Test,
    TestProgress,
    gain,
    n_right,
    n_wrong,
)

MARKS = {True: "✓", False: "✗"}
KEPT = "Your answers stay on this machine, in {path}. A code word stands for your name."
NOT_KEPT = "Your answers are not saved: they are lost when you close the program."


class TestPanel(Pages):
    """Shows the progress of the test, or one of its questions."""

    __test__ = False  # pytest must not collect it
    lesson_wanted = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.title, self.intro, self.total = label(), label(), label()
        self.where = label(muted=True)
        self.where.setTextFormat(Qt.TextFormat.PlainText)  # a path is not Markdown
        self.gains = QWidget()
        self._rows = QGridLayout(self.gains)
        self.begin_button = button("Begin", "Answer the questions, one after the other")
        self.lessons_button = button("To the lessons", "Show the lessons instead")
        self.folder_button = button("Open the folder", "Show the file of your answers")
        self.forget_button = button("Delete the answers…", "Delete the file, and begin again")
        self.place, self.heading, self.text = label(muted=True), label(), label()
        self.guess, self.away = GuessArea("answer"), AwayBar("Back to the question")
        tip = "Leave the test for now; you can continue here later"
        self.stop_button = button("Stop", tip, "Stop the test")
        tip = "Answer the previous question again"
        self.back_button = button("Back", tip, "Back to the question before")
        self.skip_button = button("I do not know", "Go on; this does not count as wrong")
        self.addWidget(self._summary_page())
        self.addWidget(self._question_page())
        self.fit_fonts(self.font().pointSizeF())

    def apply_theme(self, theme: Theme) -> None:
        """Take other colours."""
        self.guess.gap.apply_theme(theme)

    def _summary_page(self) -> QWidget:
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setColumnStretch(0, 1)
        files = layouts.row(self.folder_button, self.forget_button)
        parts = (self.title, self.intro, self.total, self.gains, self.where, files)
        made, self._area = page(parts, (self.lessons_button, 1, self.begin_button))
        return made

    def _question_page(self) -> QWidget:
        buttons = (self.stop_button, 1, self.back_button, self.skip_button)
        return page((self.place, self.heading, self.text, self.guess), buttons, self.away)[0]

    def take_keyboard(self) -> None:
        """Give the focus to the next thing to do."""
        begin = self.currentIndex() == 0
        give_keyboard(self, self.begin_button if begin else self.guess.first or self.skip_button)

    def fit_fonts(self, size: float) -> None:
        """Give texts their sizes, by that of all text."""
        for part in (self.title, self.heading):
            fit(part, size, HEADING, bold=True)
        for part in (self.intro, self.text):
            fit(part, size, TEXT)
        fit(self.total, size, TEXT, bold=True)

    def show_question(self, test: Test, index: int, number: int) -> None:
        """Ask a question in a round."""
        step = test.questions[index].step
        what = "first round" if number == 1 else f"round {number}"
        self.place.show_text(f"Question {index + 1} of {len(test.questions)} · {what}")
        self.heading.show_text(step.title)
        self.text.show_text(shown(step.text))
        self.guess.ask(step.guess)
        self.back_button.setEnabled(index > 0)
        self.setCurrentIndex(1)

    def show_summary(self, test: Test, progress: TestProgress, path: Path | None) -> None:
        """Show the progress, and the gain if the test was taken twice."""
        self.title.show_text(test.title)
        self.intro.show_text(introduction(test, progress))
        self.total.show_text(total(test, progress))
        self.total.setVisible(progress.first is not None)
        self.begin_button.setText(_begin_text(progress))
        self._show_gains(test, progress)
        self.where.show_text(NOT_KEPT if path is None else KEPT.format(path=path))
        has_answers = progress.first is not None or progress.has_begun
        self.folder_button.setVisible(path is not None and has_answers)
        self.forget_button.setVisible(has_answers)
        self.setCurrentIndex(0)
        self._area.ensureVisible(0, 0)

    def _show_gains(self, test: Test, progress: TestProgress) -> None:
        """Show a line for each question, once both rounds are there."""
        clear(self._rows)
        both = progress.first is not None and progress.last is not None
        self.gains.setVisible(both)
        if progress.first is None or progress.last is None:
            return
        for column, text in enumerate(("", "before", "after")):
            self._rows.addWidget(QLabel(text), 0, column)
        for k, question in enumerate(test.questions):
            before, after = progress.first[question.key], progress.last[question.key]
            self._add_gain(3 * k + 1, question, before, after)

    def _add_gain(self, row: int, question: Question, before: Answer, after: Answer) -> None:
        """Add a question's line, and two more with the right answer if the user missed it."""
        name = question.step.title
        self._rows.addWidget(QLabel(name), row, 0)
        for column, answer in ((1, before), (2, after)):
            mark = QLabel(MARKS[answer.is_right] if answer.is_known else "–")
            when = "before" if column == 1 else "after"
            result = "right" if answer.is_right else "wrong" if answer.is_known else "not known"
            mark.setAccessibleName(f"{name}, {when}: {result}")
            mark.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            self._rows.addWidget(mark, row, column)
        if not after.is_right:
            reason = label(muted=True)
            self._rows.addWidget(reason, row + 1, 0, 1, 3)
            reason.show_text(_reason(question))
            to_lesson = button("Go to its lesson", f"The lesson about “{name}”")
            to_lesson.setAccessibleName(f"Go to the lesson of {name}")
            to_lesson.clicked.connect(partial(self.lesson_wanted.emit, question.lesson))
            self._rows.addWidget(to_lesson, row + 2, 0, 1, 3)


def _reason(question: Question) -> str:
    """Return the right answer and its reason."""
    guess = question.step.guess
    reason = shown(question.step.then)
    if guess.kind == "choice" and guess.answer is not None:
        return f"**{guess.options[int(guess.answer.shown) - 1]}.** {reason}"
    return reason


def _begin_text(progress: TestProgress) -> str:
    if progress.has_begun:
        return f"Go on with question {progress.next + 1}"
    return "Begin" if progress.first is None else "Take it again"


def introduction(test: Test, progress: TestProgress) -> str:
    """Return the next thing to do."""
    if progress.has_begun:
        return "You stopped before the last question. You can continue at any time."
    if progress.first is None:
        return f"{test.summary} You see the correct answers after the second round."
    if progress.last is None:
        return "Now go through some lessons. Then take the test again, and see what you learned."
    return "Your answers before and after the lessons. Each wrong answer comes with its reason."


def total(test: Test, progress: TestProgress) -> str:
    """Return the numbers of right answers in both rounds, and the gain."""
    if progress.first is None:
        return ""
    n, first = len(test.questions), n_right(progress.first)
    if progress.last is None:
        return f"{_counts(progress.first)}."
    share = gain(first, n_right(progress.last), n)
    text = f"Before: {_counts(progress.first)}. After: {_counts(progress.last)}."
    if share is None or share <= 0:
        return text
    return f"{text} You learned {digits.share(share)} of what you did not know."


def _counts(answers: dict[str, Answer]) -> str:
    """Return the numbers of right, wrong and unknown answers."""
    right, wrong = n_right(answers), n_wrong(answers)
    return f"{right} right, {wrong} wrong, {len(answers) - right - wrong} not known"
