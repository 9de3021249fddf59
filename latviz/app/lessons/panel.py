"""The panel of lessons: a list of them, and the step that a person is at."""

from collections.abc import Collection, Sequence
from functools import partial

from PyQt6.QtCore import QEvent, Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import (
    QCommandLinkButton,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from latviz.app.docks import scrolled
from latviz.app.lessons.guess import GuessArea
from latviz.app.theme import Theme
from latviz.app.widgets.elided import WrappedLabel
from latviz.engine.lessons.lesson import Lesson

_TITLE, _TEXT = 1.4, 1.1
INTRO = (
    "Each lesson takes some five minutes, and runs on the real program. It asks before it tells: "
    "a guess that is wrong teaches most. **Next** passes over any of them."
)


class LessonPanel(QStackedWidget):
    """Shows lessons to choose from, or one step of a lesson.

    Signals
    -------
    begun(str)
        The name of the lesson that a person wants.
    left, back, forward
        The lesson is to end; the step before; what comes next.
    returned
        All is to be as the step set it.
    opening
        A picture of a person's own is to be opened.
    guessed(int)
        See `GuessArea`.
    """

    begun = pyqtSignal(str)
    left = pyqtSignal()
    back = pyqtSignal()
    forward = pyqtSignal()
    returned = pyqtSignal()
    opening = pyqtSignal()
    guessed = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.list = QWidget()
        self._entries = QVBoxLayout(self.list)
        self.entries: dict[str, QCommandLinkButton] = {}
        self.heading, self.place = _label(), _label(muted=True)
        self.text, self.verdict, self.then = _label(), _label(), _label()
        self.guess = GuessArea()
        self.guess.guessed.connect(self.guessed)
        self.leave_button = _button("All lessons", "End this lesson, and choose another")
        self.back_button = _button("Back", "The step before")
        self.next_button = _button("Next", "Go on, with or without a guess")
        self.open_button = _button("Open a picture…", "Go on with a picture of your own")
        self.return_button = _button("Back to the step", "Set all as the step set it")
        self.away = _label(muted=True)
        for button, signal in (
            (self.leave_button, self.left),
            (self.back_button, self.back),
            (self.next_button, self.forward),
            (self.open_button, self.opening),
            (self.return_button, self.returned),
        ):
            button.clicked.connect(signal)
        self.next_button.setDefault(True)
        self.addWidget(self._list_page())
        self.addWidget(self._step_page())
        self._fit_fonts()

    def _list_page(self) -> QWidget:
        page, intro = QWidget(), _label()
        intro.show_text(INTRO)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(10, 8, 10, 10)
        layout.addWidget(intro)
        layout.addWidget(scrolled(self.list), 1)
        self._entries.setContentsMargins(0, 0, 0, 0)
        return page

    def _step_page(self) -> QWidget:
        page, said, row = QWidget(), QWidget(), QHBoxLayout()
        body = QVBoxLayout(said)
        body.setContentsMargins(10, 8, 10, 8)
        body.setSpacing(10)
        for part in (self.place, self.heading, self.text, self.open_button, self.guess):
            body.addWidget(part)
        for label in (self.verdict, self.then):
            body.addWidget(label)
        body.addStretch(1)
        away = QHBoxLayout()
        away.addWidget(self.away, 1)
        away.addWidget(self.return_button)
        away.setContentsMargins(10, 4, 10, 0)
        row.addWidget(self.leave_button)
        row.addStretch(1)
        row.addWidget(self.back_button)
        row.addWidget(self.next_button)
        row.setContentsMargins(10, 4, 10, 8)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        self._area = scrolled(said)
        layout.addWidget(self._area, 1)
        layout.addLayout(away)
        layout.addLayout(row)
        self.show_away("")
        return page

    def changeEvent(self, event: QEvent | None) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event is not None and event.type() == QEvent.Type.FontChange:
            self._fit_fonts()  # by style sheets: those of the window would replace fonts

    def _fit_fonts(self) -> None:
        size = self.font().pointSizeF()
        self.heading.setStyleSheet(f"font-size: {size * _TITLE:g}pt; font-weight: bold")
        self.verdict.setStyleSheet(f"font-size: {size * _TEXT:g}pt; font-weight: bold")
        for label in (self.text, self.then):
            label.setStyleSheet(f"font-size: {size * _TEXT:g}pt")

    def apply_theme(self, theme: Theme) -> None:
        """Take other colours."""
        self.guess.gap.apply_theme(theme)

    def show_list(self, lessons: Sequence[Lesson], done: Collection[str]) -> None:
        """Show all lessons, and which of them were gone through."""
        while (item := self._entries.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.setParent(None)
                old.deleteLater()
        self.entries.clear()
        for lesson in lessons:
            mark = "✓ " if lesson.name in done else ""
            entry = QCommandLinkButton(f"{mark}{lesson.title}", lesson.summary)
            entry.clicked.connect(partial(self.begun.emit, lesson.name))
            self.entries[lesson.name] = entry
            self._entries.addWidget(entry)
        self._entries.addStretch(1)
        self.setCurrentIndex(0)

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

    def show_away(self, text: str) -> None:
        """Say that something is not as the step set it, and offer to set it again; or nothing."""
        self.away.show_text(text)
        self.away.setVisible(bool(text))
        self.return_button.setVisible(bool(text))

    def show_verdict(self, text: str) -> None:
        """Say what of a guess."""
        self.verdict.setVisible(bool(text))
        self.verdict.show_text(text)


def _label(*, muted: bool = False) -> WrappedLabel:
    label = WrappedLabel()
    label.setTextFormat(Qt.TextFormat.MarkdownText)
    if muted:
        label.setProperty("muted", True)
    return label


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    return button
