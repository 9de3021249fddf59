"""What a step of a lesson asks, and how far a guess was off."""

from collections.abc import Mapping
from functools import partial

from PyQt6.QtCore import QRectF, QSize, pyqtSignal
from PyQt6.QtGui import QPainter, QPen
from PyQt6.QtWidgets import QLabel, QPushButton, QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from latviz.app.widgets import painting as p
from latviz.app.widgets.slider import Slider
from latviz.engine.lessons.lesson import Guess

_GAP_HIGH = 34
_APART = 8


class Gap(p.Painted):
    """The guess and the answer over the slider that was guessed with, the gap between shaded."""

    def __init__(self, slider: Slider) -> None:
        super().__init__()
        self._slider = slider
        self._shown: tuple[int, int] | None = None

    def show_gap(self, guess: int | None, answer: int) -> None:
        """Show a guess, if there was one, and the answer."""
        self._shown = (answer if guess is None else guess), answer
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
        you = f"you: {guess}"
        places = self._places({you: first, str(answer): last})
        for x, color, text in ((first, "warning", you), (last, "good", str(answer))):
            if text == you and guess == answer:
                continue
            painter.setPen(QPen(self.theme.color(color), 2.0))
            painter.drawLine(round(x), round(high + 2), round(x), self.height())
            left, wide = places[text]
            painter.drawText(QRectF(left, 0, wide + 1, high), p.LEFT, text)

    def _places(self, at: Mapping[str, float]) -> dict[str, tuple[float, float]]:
        """Return where texts begin that are wanted over some places, and how wide they are.

        The first one, of the guess, gives way to the other one.
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
    """Asks for a number, one of several answers, or a pixel; then shows how far off it was.

    Signals
    -------
    guessed(int)
        The number, or that of the answer, from 1.
    """

    guessed = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self._guess = Guess()
        self.options: list[QPushButton] = []
        self.slider, self.box = Slider("log"), QSpinBox()
        self.gap = Gap(self.slider)
        self.done = QPushButton("That is my guess")
        self.hint = QLabel("Click a pixel in one of the pictures.")
        self.slider.setAccessibleName("Guess, slider")
        self.box.setAccessibleName("Guess, number")
        self.slider.setToolTip("Drag it to your guess")
        self.box.setToolTip("Your guess")
        self.done.setToolTip("Take this guess, and see what is so")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        for part in (self.gap, self.slider, self.box, self.done, self.hint):
            self._layout.addWidget(part)
        self.box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.slider.valueChanged.connect(self.box.setValue)
        self.box.valueChanged.connect(self.slider.setValue)
        self.done.clicked.connect(lambda: self.guessed.emit(self.box.value()))

    def ask(self, guess: Guess) -> None:
        """Ask anew."""
        self._guess = guess
        for button in self.options:
            self._layout.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self.options = [QPushButton(text) for text in guess.options]
        for k, button in enumerate(self.options, start=1):
            button.setToolTip("Guess that it is so")
            button.clicked.connect(partial(self.guessed.emit, k))
            self._layout.addWidget(button)
        by_number = guess.kind in ("window", "number")
        if by_number:
            self.slider.set_spacing("log" if guess.kind == "window" else "even")
            self.slider.setRange(*guess.bounds)
            self.box.setRange(*guess.bounds)
            self.box.setValue(guess.bounds[0])
        self.gap.forget()
        for part in (self.gap, self.slider, self.box, self.done):
            part.setVisible(by_number)
        self.hint.setVisible(guess.kind == "pixel")
        self.setVisible(guess.kind != "none")
        self._let(True)

    def tell(self, guess: int | None, right: int | None) -> None:
        """Show what is right, if that is known, beside a guess; ask no more."""
        self._let(False)
        self.hint.hide()
        self.done.hide()
        if right is None:
            return
        if self._guess.kind in ("window", "number"):
            self.gap.show_gap(guess, right)
            self.slider.setValue(right if guess is None else guess)
        for k, button in enumerate(self.options, start=1):
            mark = "✓ " if k == right else "✗ " if k == guess else ""
            button.setText(f"{mark}{self._guess.options[k - 1]}")

    def _let(self, free: bool) -> None:
        for part in (self.slider, self.box, *self.options):
            part.setEnabled(free)


def verdict(guess: Guess, given: int, right: int) -> str:
    """Return what is said of a number or of an answer that was chosen."""
    if guess.kind == "choice":
        return "So it is." if given == right else f"It is: {guess.options[right - 1]}."
    return "So it is." if given == right else f"You said {given}; it is {right}."
