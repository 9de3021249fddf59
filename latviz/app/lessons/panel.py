"""The panel of lessons: a list of them, and the step that a person is at."""

from collections.abc import Collection, Sequence
from functools import partial

from PyQt6.QtCore import QTimer, pyqtSignal
from PyQt6.QtWidgets import QCommandLinkButton, QVBoxLayout, QWidget

from latviz.app.docking.docks import scrolled
from latviz.app.lessons.guess import GuessArea
from latviz.app.lessons.pages import HEADING, TEXT, AwayBar, Pages, clear, fit, label, page
from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button
from latviz.app.widgets.link_arrow import draw_arrow
from latviz.engine.lessons.lesson import Lesson

INTRO = (
    "Each lesson takes some five minutes, and runs on the real program. It asks before it tells: "
    "a guess that is wrong teaches most. **Next** passes over any of them."
)


class LessonPanel(Pages):
    """Shows lessons to choose from, or one step of a lesson."""

    begun = pyqtSignal(str)  # str: the name of the lesson that the user chose

    def __init__(self) -> None:
        super().__init__()
        self.list = QWidget()
        self._entries = QVBoxLayout(self.list)
        self.entries: dict[str, QCommandLinkButton] = {}
        self._theme = LIGHT
        self.test = QCommandLinkButton()
        draw_arrow(self.test, self._theme)
        self.test.setAccessibleName("Test of understanding")
        self.test.setToolTip("See what you understand, before the lessons and after")
        self.test.hide()  # until it is known what it is about
        self.heading, self.place = label(), label(muted=True)
        self.text, self.verdict, self.then = label(), label(), label()
        self.guess = GuessArea()
        self.leave_button = button("All lessons", "End this lesson, and choose another")
        self.back_button = button("Back", "The step before")
        self.next_button = button("Next", "Go on, with or without a guess")
        self.open_button = button("Open a picture…", "Go on with a picture of your own")
        self.away = AwayBar("Back to the step")
        self.next_button.setDefault(True)
        self.addWidget(self._list_page())
        self.addWidget(self._step_page())
        self.fit_fonts(self.font().pointSizeF())

    def _list_page(self) -> QWidget:
        made, intro = QWidget(), label()
        intro.show_text(INTRO)
        layouts.column(intro, self.test, (scrolled(self.list), 1), of=made, margins=(10, 8, 10, 10))
        self._entries.setContentsMargins(0, 0, 0, 0)
        return made

    def _step_page(self) -> QWidget:
        asked = (self.place, self.heading, self.text, self.open_button, self.guess)
        buttons = (self.leave_button, 1, self.back_button, self.next_button)
        made, self._area = page((*asked, self.verdict, self.then), buttons, self.away)
        return made

    def fit_fonts(self, size: float) -> None:
        """Give texts their sizes, by that of all text."""
        fit(self.heading, size, HEADING, bold=True)
        fit(self.verdict, size, TEXT, bold=True)
        for said in (self.text, self.then):
            fit(said, size, TEXT)

    def apply_theme(self, theme: Theme) -> None:
        """Take other colours."""
        self._theme = theme
        self.guess.gap.apply_theme(theme)
        for entry in (self.test, *self.entries.values()):
            draw_arrow(entry, theme)

    def show_list(self, lessons: Sequence[Lesson], done: Collection[str]) -> None:
        """Show all lessons, and which of them were gone through."""
        clear(self._entries)
        self.entries.clear()
        for lesson in lessons:
            mark = "✓ " if lesson.name in done else ""
            entry = QCommandLinkButton(f"{mark}{lesson.title}", lesson.summary)
            draw_arrow(entry, self._theme)
            entry.clicked.connect(partial(self.begun.emit, lesson.name))
            self.entries[lesson.name] = entry
            self._entries.addWidget(entry)
        self._entries.addStretch(1)
        self.setCurrentIndex(0)

    def show_test(self, title: str, invitation: str) -> None:
        """Show what the test of understanding is about now."""
        self.test.setText(title)
        self.test.setDescription(invitation)
        self.test.show()

    def show_step(self, lesson: Lesson, index: int, text: str) -> None:
        """Show a step with its text, and ask what it asks."""
        step = lesson.steps[index]
        self.place.show_text(f"{lesson.title} · {index + 1} of {len(lesson.steps)}")
        self.heading.show_text(step.title)
        self.text.show_text(text)
        self.verdict.hide()
        self.then.hide()
        self.open_button.setVisible(step.is_own)
        self.guess.ask(step.guess)
        self.back_button.setEnabled(index > 0)
        self._area.ensureVisible(0, 0)
        self.next_button.setText("Next" if index + 1 < len(lesson.steps) or step.then else "Done")
        self.setCurrentIndex(1)

    def tell(self, then: str, *, is_last: bool) -> None:
        """Say what is so."""
        self.then.setVisible(bool(then))
        self.then.show_text(then)
        QTimer.singleShot(0, self._scroll_to_answer)
        self.next_button.setText("Done" if is_last else "Next")

    def _scroll_to_answer(self) -> None:
        """Bring all that was told into view, once it has its room."""
        self._area.ensureWidgetVisible(self.then)

    def show_verdict(self, text: str) -> None:
        """Say what of a guess."""
        self.verdict.setVisible(bool(text))
        self.verdict.show_text(text)
