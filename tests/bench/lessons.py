"""Pictures of every step of every lesson: ``python -m tests.bench.lessons FOLDER [name ...]``.

Clicks through the lessons whose names contain one of the given words, in both themes, with wrong
guesses; grabs each step before and after its answer, and reports cut texts. ``sheet-*.png`` shows
three steps at a time.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from latviz.app.lessons.teacher import Teacher

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PyQt6.QtCore import qInstallMessageHandler
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QScrollArea

from latviz.app.exporting.drawing import image_of
from latviz.app.program.main import application, discard
from latviz.app.program.window import MainWindow
from latviz.engine.keeping.state_string import demo_of
from latviz.engine.lessons.lesson import Guess, LessonStep
from latviz.workspace import make_picture
from tests.bench.looking import THEMES, come_to_rest, cut_texts, sheet
from tests.screenshots import WINDOW, rgb_of, settle, wait_until

TEST = "test"
"""The name of the test of understanding here."""
NODE = (128, 20)
"""The pixel that is clicked if a step asks for one."""
IN_SHEET, SHRUNK = 3, 2
"""Steps in a sheet, one below the other, and the factor by which their pictures shrink."""


@dataclass(frozen=True)
class Look:
    """A picture of a step of a lesson, before or after its answer.

    ``faults`` are texts that are cut, and a lesson that needs scrolling; the results of the test of
    understanding, a line for each question, may need it.
    """

    lesson: str
    number: int
    phase: str
    theme: str
    image: QImage
    faults: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.lesson}-{self.number}-{self.phase}-{self.theme}"


@contextmanager
def learning(theme: str, size: tuple[int, int] = WINDOW) -> Iterator[MainWindow]:
    """Show the tab of lessons."""
    application()
    window = MainWindow(theme=theme, use="learn", patient=True)
    try:
        window.resize(*size)
        window.tabs.restore_default()
        window.show()
        window.document.open(*make_picture("blobs"))
        settle(window)
        yield window
    finally:
        discard(window)


def looks(window: MainWindow, name: str, theme: str) -> Iterator[Look]:
    """Go through a lesson, and yield each step twice."""
    teacher = window.parts[Teacher]
    teacher.panel.entries[name].click()
    wait_until(lambda: teacher.lesson is not None and window.document.frame is not None)
    while teacher.lesson is not None:
        step = _step(window)
        yield _look(window, name, "asked", theme)
        if step.then:
            _guess_wrong(window, step.guess)
            yield _look(window, name, "told", theme)
        teacher.panel.next_button.click()
        wait_until(lambda step=step: teacher.lesson is None or _step(window) is not step)


def _step(window: MainWindow) -> LessonStep:
    """Return the step on screen; its picture may have to be opened first."""
    teacher = window.parts[Teacher]
    assert teacher.lesson is not None
    return teacher.lesson.steps[teacher.index]


def questions(window: MainWindow, theme: str) -> Iterator[Look]:
    """Take the test of understanding twice, wrong and then right; yield the first time's pages."""
    panel, examiner = window.parts[Teacher].examiner.panel, window.parts[Teacher].examiner
    window.parts[Teacher].panel.test.click()
    yield _look(window, TEST, "summary-0", theme)
    for number in (1, 2):
        panel.begin_button.click()
        for index, question in enumerate(examiner.test.questions):
            wait_until(partial(_is_asked, window, index))
            settle(window)
            if number == 1:
                yield _look(window, TEST, "asked", theme)
            answer = question.step.guess.answer
            if question.step.guess.node is not None:
                window.views["states"].canvas.clicked.emit(
                    NODE if number == 1 else question.step.guess.node
                )
            elif answer is not None and panel.guess.options:
                right = int(answer.shown) - 1
                panel.guess.options[right if number == 2 else right - 1].click()
            elif answer is not None:
                panel.guess.box.setValue(int(answer.shown) * number)
                panel.guess.done.click()
        yield _look(window, TEST, f"summary-{number}", theme)


def _is_asked(window: MainWindow, index: int) -> bool:
    """Return True if a question is on screen, with its picture."""
    examiner, picture = window.parts[Teacher].examiner, window.document.picture
    demo = demo_of(examiner.test.questions[index].step.state)
    is_there = picture is not None and picture.origin.get("demo") == demo
    return examiner.index == index and is_there and window.document.lock is not None


def _guess_wrong(window: MainWindow, guess: Guess) -> None:
    """Guess wrong, as a user who does not know the answer."""
    teacher = window.parts[Teacher]
    asks, right = teacher.panel.guess, guess.answer
    if guess.kind == "pixel":
        window.views["states"].canvas.clicked.emit(NODE)
    elif guess.cell is not None:
        row, column = guess.cell
        window.views["adjacency"].placed.emit((column, 1 - row if row == column else row))
    elif guess.kind == "choice" and right is not None:
        asks.options[int(right.shown) % len(guess.options)].click()
    elif guess.kind != "none":
        asks.box.setValue(sum(guess.bounds) // 2)
        asks.done.click()
    else:
        teacher.panel.next_button.click()


def _look(window: MainWindow, name: str, phase: str, theme: str) -> Look:
    come_to_rest(window)
    examiner = window.parts[Teacher].examiner
    number = (window.parts[Teacher].index if examiner.index is None else examiner.index) + 1
    found = cut_texts(window) if phase.startswith("summary") else faults(window)
    return Look(name, number, phase, theme, image_of(window), tuple(found))


def faults(window: MainWindow) -> Iterator[str]:
    """Yield cut texts, and a line if the lesson does not fit."""
    yield from cut_texts(window)
    for area in window.parts[Teacher].panel.findChildren(QScrollArea):
        bar = area.verticalScrollBar()
        if area.isVisible() and bar is not None and bar.maximum() > 0:
            yield f"to be scrolled by {bar.maximum()} pixels"


def sheets(paths: Sequence[tuple[Path, ...]], folder: Path, name: str) -> None:
    """Draw steps below each other: questions at the left, answers at the right."""
    for first in range(0, len(paths), IN_SHEET):
        number = first // IN_SHEET + 1
        sheet(paths[first : first + IN_SHEET], SHRUNK, folder / f"sheet-{name}-{number}.png")


def run(folder: Path, words: Sequence[str], themes: Sequence[str]) -> int:
    """Go through the lessons; return the number of steps with faults."""
    faulty = 0
    for theme in themes:
        with learning(theme) as window:
            known = [*window.parts[Teacher].lessons(), TEST]
            wanted = [name for name in known if not words or any(word in name for word in words)]
            for name in wanted:
                rows: dict[object, tuple[Path, ...]] = {}
                seen = questions(window, theme) if name == TEST else looks(window, name, theme)
                for look in seen:
                    path = folder / f"{look.name}.png"
                    Image.fromarray(rgb_of(look.image)).save(path)
                    is_summary = look.phase.startswith("summary")
                    pair = (look.number - 1) // 2 if name == TEST else look.number
                    row = look.phase if is_summary else pair
                    rows[row] = (*rows.get(row, ()), path)
                    faulty += bool(look.faults)
                    print(look.name, *look.faults, sep="\n    ", flush=True)
                sheets(list(rows.values()), folder, f"{name}-{theme}")
    return faulty


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lessons", description=__doc__)
    parser.add_argument("folder", type=Path, help="where pictures are written")
    parser.add_argument("words", nargs="*", help="of the names of lessons; without, all lessons")
    parser.add_argument("--themes", nargs="+", choices=THEMES, default=THEMES)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    qInstallMessageHandler(lambda *_: None)
    faulty = run(asked.folder, asked.words, asked.themes)
    print(f"{faulty} pictures with faults")
    return int(faulty > 0)


if __name__ == "__main__":
    sys.exit(main())
