"""The panel of lessons: the list, the step on screen, and a summary at the end."""

from collections.abc import Collection, Sequence
from functools import partial

from PyQt6.QtCore import QPointF, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QFocusEvent, QIcon, QPainter, QPixmap, QPolygonF
from PyQt6.QtWidgets import QCommandLinkButton, QGridLayout, QWidget

from latviz.app.docking.docks import scrolled
from latviz.app.lessons.guess import GuessArea
from latviz.app.lessons.pages import (
    HEADING,
    TEXT,
    AwayBar,
    Pages,
    clear,
    fit,
    follow_by_tab,
    give_keyboard,
    label,
    page,
)
from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button
from latviz.app.widgets.lifetimes import painting_on
from latviz.engine.lessons.lesson import Lesson

INTRO = (
    "A lesson takes about {} minutes and uses the real program. It asks before it explains. "
    "A wrong guess costs nothing."
)
PATH_TITLE = "Begin here: {} minutes"
LEARNED = "What you learned"
ASIDE = "I do not know"
"""The button that continues without a guess."""
SHOW = "Show a way"
"""The same, where a number must be beaten."""


class LessonPanel(Pages):
    """Shows lessons to choose from, one step of a lesson, or its summary."""

    begun = pyqtSignal(str)  # str: the name of the lesson that the user chose
    keyboard_wanted = pyqtSignal()  # another page appears, even if docks change with it

    def __init__(self) -> None:
        super().__init__()
        self.list = QWidget()
        self._entries = QGridLayout(self.list)
        self._entries.setSpacing(2)
        self.entries: dict[str, QCommandLinkButton] = {}
        self._theme = LIGHT
        self.path, self.test = QCommandLinkButton("Begin here"), QCommandLinkButton()
        self.path.setToolTip("Three lessons and a challenge, one after the other")
        self.test.setAccessibleName("Test of understanding")
        self.test.setToolTip("See what you understand, before the lessons and after")
        self.test.hide()  # until its subject is known
        self.contest = QCommandLinkButton("Predict the change")
        self.contest.setDescription("On your own picture: paint where w will change the states.")
        self.contest.setToolTip("Paint first, then w moves, and the program scores what you hit")
        self.intro = label()
        self.heading, self.place = label(), label(muted=True)
        self.text, self.verdict, self.then = label(), label(), label()
        self.guess = GuessArea()
        self.leave_button = button("All lessons", "End this lesson, and choose another")
        self.back_button = button("Back", "The step before")
        self.next_button = button("Next", "Go on, with or without a guess")
        self.open_button = button("Open a picture…", "Go on with a picture of your own")
        self.away = AwayBar("Back to the step")
        self.finished, self.learned, self.follows = label(), label(), label(muted=True)
        self.list_button = button("All lessons", "Choose another lesson", "To all lessons")
        self.follow_button = button("Next lesson", "Go on with the lesson that follows")
        self.addWidget(self._list_page())
        self.addWidget(self._step_page())
        self.addWidget(self._end_page())
        self.fit_fonts(self.font().pointSizeF())

    def _list_page(self) -> QWidget:
        made, content = QWidget(), QWidget()
        self._entries.setContentsMargins(0, 0, 0, 0)
        parts = (self.intro, self.path, self.list, self.test, self.contest, 1)
        layouts.column(*parts, of=content, margins=(10, 8, 10, 10), spacing=8)
        layouts.column(scrolled(content), of=made)
        return made

    def _step_page(self) -> QWidget:
        asked = (self.place, self.heading, self.text, self.open_button, self.guess)
        buttons = (self.leave_button, 1, self.back_button, self.next_button)
        made, self._area = page((*asked, self.verdict, self.then), buttons, self.away)
        return made

    def _end_page(self) -> QWidget:
        buttons = (self.list_button, 1, self.follow_button)
        return page((self.finished, self.learned, self.follows), buttons)[0]

    def fit_fonts(self, size: float) -> None:
        """Give texts their sizes, by that of all text."""
        for shown_label in (self.heading, self.finished):
            fit(shown_label, size, HEADING, bold=True)
        fit(self.verdict, size, TEXT, bold=True)
        for shown_label in (self.text, self.then, self.learned):
            fit(shown_label, size, TEXT)

    def apply_theme(self, theme: Theme) -> None:
        """Take other colours."""
        self._theme = theme
        self.guess.gap.apply_theme(theme)
        for entry in (self.path, self.test, self.contest, *self.entries.values()):
            draw_arrow(entry, theme)

    def focusInEvent(self, event: QFocusEvent | None) -> None:
        """Give the focus to the next thing to do; a proxy would be one more stop for Tab."""
        super().focusInEvent(event)
        self.take_keyboard()

    def take_keyboard(self) -> None:
        """Give the focus to the next thing to do."""
        asked = self.guess.first
        step = self.next_button if asked is None or not asked.isEnabled() else asked
        of_pages = (self.path, self.test), (step,), (self.follow_button, self.list_button)
        if self.currentIndex() < len(of_pages):
            parts = of_pages[self.currentIndex()]
            give_keyboard(self, next((p for p in parts if not p.isHidden()), self.next_button))

    def show_list(self, lessons: Sequence[Lesson], done: Collection[str]) -> None:
        """Show all lessons, with the completed ones marked."""
        clear(self._entries)
        self.entries.clear()
        n_rows = (len(lessons) + 1) // 2
        for number, lesson in enumerate(lessons, start=1):
            entry = QCommandLinkButton(f"{number}  {_ticked(lesson, done)}")
            entry.setDescription(lesson.summary)
            draw_arrow(entry, self._theme)
            entry.clicked.connect(partial(self.begun.emit, lesson.name))
            self.entries[lesson.name] = entry
            self._entries.addWidget(entry, (number - 1) % n_rows, (number - 1) // n_rows)
        times = sorted(lesson.minutes for lesson in lessons)
        self.intro.show_text(INTRO.format(times[len(times) // 2]))
        follow_by_tab(self.path, *self.entries.values())
        self.setCurrentIndex(0)

    def show_path(self, lessons: Sequence[Lesson], done: Collection[str]) -> None:
        """Show the lessons of the path, and which are finished."""
        self.path.setVisible(bool(lessons))
        self.path.setText(PATH_TITLE.format(sum(lesson.minutes for lesson in lessons)))
        self.path.setDescription(" · ".join(_ticked(lesson, done) for lesson in lessons))

    def show_test(self, title: str, invitation: str) -> None:
        """Show the current subject of the test of understanding."""
        self.test.setText(title)
        self.test.setDescription(invitation)
        self.test.show()

    def show_step(self, lesson: Lesson, index: int, text: str) -> None:
        """Show a step with its text and its question."""
        step, is_last = lesson.steps[index], index + 1 == len(lesson.steps)
        self.place.show_text(f"{lesson.title} · {index + 1} of {len(lesson.steps)}")
        self.heading.show_text(step.title)
        self.text.show_text(text)
        self.verdict.hide()
        self.then.hide()
        self.open_button.setVisible(step.is_own)
        self.guess.ask(step.guess)
        self.back_button.setEnabled(index > 0)
        self._area.ensureVisible(0, 0)
        aside = SHOW if step.guess.kind == "beat" else ASIDE
        asks = step.guess.kind != "none"
        self._name_next(aside if asks else "Next" if step.then or not is_last else "Done")
        self.setCurrentIndex(1)

    def show_answer(self, then: str, *, is_last: bool) -> None:
        """Show the answer's text."""
        self.then.setVisible(bool(then))
        self.then.show_text(then)
        QTimer.singleShot(0, self._scroll_to_answer)
        self._name_next("Done" if is_last else "Next")

    def _name_next(self, text: str) -> None:
        self.next_button.setText(text)
        tips = {ASIDE: "Go on without a guess; it costs nothing", SHOW: "See one way to do it"}
        self.next_button.setToolTip(tips.get(text, "Go on"))

    def _scroll_to_answer(self) -> None:
        """Scroll to the whole answer, once it is laid out."""
        self._area.ensureWidgetVisible(self.then)

    def show_verdict(self, text: str) -> None:
        """Show the verdict on a guess."""
        self.verdict.setVisible(bool(text))
        self.verdict.show_text(text)

    def show_end(self, title: str, learned: Sequence[str], follows: Lesson | None) -> None:
        """Show the summary on one card, and offer the next lesson, if there is one."""
        self.finished.show_text(title)
        lines = "\n".join(f"- {sentence}" for sentence in learned)
        self.learned.show_text(f"{LEARNED}:\n\n{lines}" if learned else "")
        self.follows.show_text("" if follows is None else f"Next: {follows.title}")
        self.follow_button.setVisible(follows is not None)
        self.setCurrentIndex(2)


def _ticked(lesson: Lesson, done: Collection[str]) -> str:
    return f"✓ {lesson.title}" if lesson.name in done else lesson.title


SIDE = 16
_CORNERS = ((0.3, 0.15), (0.8, 0.5), (0.3, 0.85))


def draw_arrow(button: QCommandLinkButton, theme: Theme) -> None:
    """Give a button an arrow in the theme's colour: Qt's own is always black."""
    ratio = button.devicePixelRatioF()
    picture = QPixmap(round(SIDE * ratio), round(SIDE * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with painting_on(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawPolygon(QPolygonF([QPointF(SIDE * x, SIDE * y) for x, y in _CORNERS]))
    button.setIcon(QIcon(picture))
    button.setIconSize(QSize(SIDE, SIDE))
