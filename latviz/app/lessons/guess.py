"""The question of a lesson's step, and the error of a guess."""

import re
from collections.abc import Callable, Mapping
from functools import partial

from PyQt6.QtCore import QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QPainter, QPen, QValidator
from PyQt6.QtWidgets import QPushButton, QSizePolicy, QWidget

from latviz.app.lessons.pages import discard, follow_by_tab, label
from latviz.app.views.mark import YOU, Mark, MarkKind, Place
from latviz.app.widgets import layouts
from latviz.app.widgets import painting as p
from latviz.app.widgets.number_boxes import WholeBox, plain_number
from latviz.app.widgets.shortcuts import keyed
from latviz.app.widgets.slider import Slider
from latviz.engine.lessons.lesson import HUNDREDTHS, Guess, GuessKind

Given = int | tuple[int, int]
"""A number, or that of an answer, from 1; or the row and column of a cell, from 0."""

_GAP_HIGH = 34
_APART = 8
_HINTS: Mapping[GuessKind, str] = {
    "pixel": keyed(
        "Click a pixel in a picture, or go to it with the arrow keys and press `Enter`."
    ),
    "beat": keyed("Change anything in Controls. `Undo` undoes a step."),
    "gauge": "Click on the gauge of {index}, or move the slider.",
    "signature": "Click the place in Signature simplex, or move the slider.",
    "window": "Drag in a picture from its middle to the edge of the window, or move the slider.",
    "cell": keyed(
        "Click the cell in State adjacency A, or go to it with the arrow keys and press `Enter`."
    ),
}
"""Hints for answering in a view, by kind of guess."""
_MARKS: Mapping[GuessKind, MarkKind] = {
    "gauge": "gauge",
    "signature": "signature",
    "window": "window",
    "cell": "cell",
}


class CountBox(WholeBox):
    """A number as the guess that is asked writes it: hundredths as "0.83"."""

    guess = Guess()

    def textFromValue(self, value: int) -> str:
        """Return a number as text."""
        return self.guess.written(value)

    def valueFromText(self, text: str | None) -> int:
        """Return the number of a text."""
        if not self.guess.is_share:
            return super().valueFromText(text)
        try:
            return round(HUNDREDTHS * float(text or ""))
        except ValueError:
            return self.value()

    def validate(self, text: str | None, at: int) -> tuple[QValidator.State, str, int]:
        """Accept texts that may become a number from 0 to 1."""
        written = plain_number(text or "")
        if not self.guess.is_share:
            return super().validate(text, at)
        if not re.fullmatch(r"[01]?\.?\d{0,2}", written):
            return QValidator.State.Invalid, written, at
        is_whole = re.fullmatch(r"0?\.\d\d?|0|1(\.00?)?", written)
        state = QValidator.State.Acceptable if is_whole else QValidator.State.Intermediate
        return state, written, at


class Gap(p.Painted):
    """The guess and the answer over the slider that was guessed with, the gap between shaded."""

    def __init__(self, slider: Slider) -> None:
        super().__init__()
        self._slider = slider
        self._shown: tuple[int, int] | None = None
        self._written: Callable[[int], str] = str

    def show_gap(self, guess: int | None, answer: int, written: Callable[[int], str]) -> None:
        """Show a guess, if any, and the answer, formatted by ``written``."""
        self._shown, self._written = ((answer if guess is None else guess), answer), written
        self.update()

    def forget(self) -> None:
        """Show nothing."""
        self._shown = None
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for a line of text and the marks."""
        return QSize(100, _GAP_HIGH)

    def minimumSizeHint(self) -> QSize:
        """Ask for the same height."""
        return QSize(60, _GAP_HIGH)

    def paint_all(self, painter: QPainter) -> None:
        """Shade the gap, and mark both ends."""
        if self._shown is None:
            return
        guess, answer = self._shown
        first, last = self._slider.x_of(guess), self._slider.x_of(answer)
        high = p.text_height(self.font())
        bar = QRectF(min(first, last), high + 2, abs(last - first), self.height() - high - 2)
        painter.fillRect(bar, p.mixed(self.theme.color("panel"), self.theme.color("warning"), 0.35))
        you, right = f"{YOU}: {self._written(guess)}", self._written(answer)
        places = self._places({you: first, right: last})
        for x, color, text in ((first, "warning", you), (last, "good", right)):
            if text == you and guess == answer:
                continue
            painter.setPen(QPen(self.theme.color(color), 2.0))
            painter.drawLine(round(x), round(high + 2), round(x), self.height())
            left, wide = places[text]
            painter.drawText(QRectF(left, 0, wide + 1, high), p.LEFT, text)

    def _places(self, at: Mapping[str, float]) -> dict[str, tuple[float, float]]:
        """Return the left edges and widths of texts centred over places, without overlap.

        The first text, of the guess, moves aside for the second one.
        """
        (guess, x), (answer, right) = at.items()
        wide, high = (p.text_width(self.font(), text) for text in at)
        room = self.width()
        there = min(max(right - high / 2, 0.0), room - high)
        left, after = min(x - wide / 2, there - wide - _APART), there + high + _APART
        if x > right:
            left = max(x - wide / 2, after)
        if left < 0:
            left = after
        elif left + wide > room:
            left = there - wide - _APART if x > right else room - wide
        return {guess: (left, wide), answer: (there, high)}


class GuessArea(QWidget):
    """Asks for a number, one of several answers, or a place in a view; then shows the error."""

    # ``what`` is the kind of input: a guess or an answer. `place` takes places from a view, and
    # `mark` is the view's mark, so both agree
    guessed = pyqtSignal(object)  # `Given`
    moved = pyqtSignal()  # the number on the slider changed

    def __init__(self, what: str = "guess") -> None:
        super().__init__()
        self._what, self._guess = what, Guess()
        self._place: Place | None = None
        self._truth: Place | None = None
        self._is_free = False
        self.options: list[QPushButton] = []
        self.slider, self.box = Slider("log"), CountBox()
        self.gap = Gap(self.slider)
        self.done = QPushButton(f"That is my {what}")
        self.hint = label()
        self.hint.setTextFormat(Qt.TextFormat.PlainText)
        self._name_parts(Guess())
        self.slider.setToolTip(f"Drag it to your {what}")
        self.box.setToolTip(f"Your {what}")
        self.done.setToolTip(f"Use this {what}")
        self._layout = layouts.column(
            self.hint, self.gap, self.slider, self.box, self.done, of=self
        )
        self.box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.slider.valueChanged.connect(self.box.setValue)
        self.box.valueChanged.connect(self.slider.setValue)
        self.box.valueChanged.connect(self._follow)
        self.done.clicked.connect(self._take)

    @property
    def first(self) -> QWidget | None:
        """The widget that takes the focus for an answer; None if a view takes the answer."""
        if self.options:
            return self.options[0]
        return self.slider if self._guess.is_number else None

    def ask(self, guess: Guess) -> None:
        """Start a new guess."""
        self._guess = self.box.guess = guess
        self._is_free, self._truth = False, None
        for button in self.options:
            self._layout.removeWidget(button)
            discard(button)
        self.options = [QPushButton(text) for text in guess.options]
        for k, button in enumerate(self.options, start=1):
            button.setToolTip(f"Choose this {self._what}")
            button.clicked.connect(partial(self.guessed.emit, k))
            self._layout.addWidget(button)
        follow_by_tab(self.done, *self.options)
        if guess.is_number:
            self._set_up(guess)
        self.gap.forget()
        for part in (self.gap, self.slider, self.box, self.done):
            part.setVisible(guess.is_number)
        self.hint.show_text(_HINTS.get(guess.kind, "").format(index=guess.index.capitalize()))
        self.hint.setVisible(guess.kind in _HINTS)
        self.setVisible(guess.kind != "none")
        for button in self.options:
            button.show()  # now: a layout shows it only later, and gives no focus
        self._let(True)
        self._place, self._is_free = None, True

    def _set_up(self, guess: Guess) -> None:
        """Prepare slider and box for a number."""
        self._name_parts(guess)
        self.slider.set_spacing("log" if guess.kind == "window" else "even")
        # Typing "0.83" begins with "0": the slider would follow, and set that.
        self.box.setKeyboardTracking(not guess.is_share)
        for part in (self.slider, self.box):
            part.setRange(*guess.bounds)
            part.setValue(guess.bounds[0])

    def _name_parts(self, guess: Guess) -> None:
        """Give slider and box accessible names."""
        asked = f"{self._what.capitalize()}{f' of {guess.index}' if guess.index else ''}"
        self.slider.setAccessibleName(f"{asked}, slider")
        self.box.setAccessibleName(f"{asked}, number")

    @property
    def mark(self) -> Mark | None:
        """The mark for the view in which the guess is made; None without such a view."""
        kind = _MARKS.get(self._guess.kind)
        if kind is None:
            return None
        free = self._is_free
        return Mark(kind, self._place, self._truth, self._guess.index, free, self._words())

    def _words(self) -> str:
        """Return the marks of the view in words, for screen readers."""
        sentences = [
            f"{text} {self._text_of(place)}."
            for text, place in (("Your guess:", self._place), ("Correct answer:", self._truth))
            if place is not None
        ]
        return " ".join(sentences)

    def _text_of(self, place: Place) -> str:
        if self._guess.kind == "cell":
            return cell_text((int(place[0]), int(place[1])))
        return self._guess.written(self._count_of(place))

    def _count_of(self, place: Place) -> int:
        return round(HUNDREDTHS * place[0] if self._guess.is_share else place[0])

    def _place_of(self, given: Given) -> Place:
        if not isinstance(given, int):
            return given
        return (given / HUNDREDTHS if self._guess.is_share else float(given),)

    def place(self, place: Place) -> None:
        """Take the place of the user's mark in a view; a cell is guessed at once."""
        if not self._is_free:
            return
        if self._guess.kind == "cell":
            self.guessed.emit((int(place[0]), int(place[1])))
            return
        self.box.setValue(self._count_of(place))
        self._follow()

    def _take(self) -> None:
        self.box.interpretText()
        self.guessed.emit(self.box.value())

    def _follow(self, *_: int) -> None:
        """Move the mark to the value of the number."""
        if self._is_free:
            self._place = self._place_of(self.box.value())
            self.moved.emit()

    def show_answer(self, guess: Given | None, right: Given | None) -> None:
        """Show the right answer, if known, next to a guess, and end the input."""
        self._let(False)
        self._is_free = False
        self._place = None if guess is None else self._place_of(guess)
        self._truth = None if right is None else self._place_of(right)
        self.hint.hide()
        self.done.hide()
        if not (self.options or self._guess.is_number):
            self.hide()
        if right is None:
            return
        if self._guess.is_number and isinstance(right, int) and not isinstance(guess, tuple):
            self.gap.show_gap(guess, right, self._guess.written)
            self.slider.setValue(right if guess is None else guess)
        for k, button in enumerate(self.options, start=1):
            mark = "✓ " if k == right else "✗ " if k == guess else ""
            button.setText(f"{mark}{self._guess.options[k - 1]}")

    def _let(self, free: bool) -> None:
        for part in (self.slider, self.box, *self.options):
            part.setEnabled(free)


def cell_text(cell: tuple[int, int]) -> str:
    """Return the name of a cell."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def verdict(guess: Guess, given: Given, right: Given) -> str:
    """Return the verdict on a number, a chosen answer or a cell."""
    if given == right:
        return "Correct."
    if isinstance(given, tuple) or isinstance(right, tuple):
        cells = [cell_text(cell) for cell in (given, right) if isinstance(cell, tuple)]
        return f"You clicked {'; it is '.join(cells)}."
    if guess.kind == "choice":
        return "Not correct."
    verdict_text = f"You said {guess.written(given)}; it is {guess.written(right)}"
    if not guess.is_share:
        return f"{verdict_text}."
    side = "too low" if given < right else "too high"
    return f"{verdict_text}: you were {guess.written(abs(given - right))} {side}."
