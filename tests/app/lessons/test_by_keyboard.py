"""Every lesson by keyboard alone, with right and with wrong answers, in both themes."""

from collections.abc import Callable

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.docking.uses import USES
from latviz.app.lessons.library import PATH
from latviz.app.lessons.panel import ASIDE
from latviz.app.lessons.teacher import BEATEN, PATH_DONE, RIGHT, Teacher
from latviz.app.panels.preferences import Preferences
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings, store
from latviz.app.views.picture import PictureView
from latviz.engine.lessons.lesson import Guess, LessonStep, read
from latviz.resources import FIRST_LESSON, lessons
from tests.app.conftest import settle
from tests.app.shell.test_action_finder import marked, opened
from tests.app.shell.test_keyboard import press
from tests.products import FULL

pytestmark = pytest.mark.usefixtures("few_views")

Key = Qt.Key
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
MOST_TABS = 40
LESSONS = list(lessons())
DAILY = {
    "light": {"01-signatures": False, "06-associativity": False, "13-challenge": True},
    "dark": {"02-simplex": True, "05-window": True},
}
CASES = (
    [(theme, dict.fromkeys(LESSONS, knows)) for theme in DAILY for knows in (True, False)]
    if FULL
    else list(DAILY.items())
)
"""Of each theme: lessons, and whether the student knows. Daily every kind of question is asked, and
the frequent ones are answered rightly and wrongly; lessons differ in nothing else."""


def focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def tab_to(is_there: Callable[[QWidget], bool]) -> QWidget:
    """Press Tab until the keyboard is there."""
    for _ in range(MOST_TABS):
        if is_there(focus()):
            return focus()
        press(Key.Key_Tab)
    raise AssertionError("Tab does not lead there")


class Student:
    """Does a lesson by keys."""

    def __init__(self, window: MainWindow, qtbot: QtBot, *, knows: bool) -> None:
        self.window, self.qtbot, self.knows = window, qtbot, knows
        self.teacher = window.parts[Teacher]
        self.panel = self.teacher.panel

    def begin(self, name: str) -> None:
        """Go to Learn, and choose a lesson in the list."""
        QTest.keyClick(self.window, getattr(Key, f"Key_{len(USES) - 1}"), CONTROL)
        self.qtbot.waitUntil(lambda: self.panel.entries[name].isVisible())
        tab_to(lambda widget: widget is self.panel.entries[name])
        press(Key.Key_Return)
        self.qtbot.waitUntil(lambda: self.teacher.lesson is not None)

    def step(self) -> LessonStep:
        """Return the step on screen."""
        return self.teacher.lesson.steps[self.teacher.index]

    def answer(self) -> None:
        """Answer the question of the step; then the focus is on the button that continues."""
        step = self.step()
        if step.guess.kind == "none":
            assert focus() is self.panel.next_button
            return
        by_kind = {"choice": self._choose, "pixel": self._point, "cell": self._enter_cell}
        by_kind.get(step.guess.kind, self._beat if step.guess.kind == "beat" else self._count)(
            step.guess
        )
        assert self.teacher.is_answered
        assert focus() is self.panel.next_button
        self.check_verdict(step)

    def check_verdict(self, step: LessonStep) -> None:
        kind, verdict = step.guess.kind, self.panel.verdict
        if kind == "beat":
            self.qtbot.waitUntil(lambda: verdict.text().endswith(BEATEN) == self.knows)
        elif kind == "pixel":
            self.qtbot.waitUntil(verdict.isVisible)
            if self.knows and step.right:
                assert verdict.text() == RIGHT
        elif not step.is_own:  # the right answer is known once the numbers are
            assert (verdict.text() == RIGHT) == self.knows

    def _choose(self, guess: Guess) -> None:
        assert focus() is self.panel.guess.options[0]
        right = int(guess.answer.shown) - 1
        press(Key.Key_Tab, right if self.knows else (right + 1) % len(guess.options))
        press(Key.Key_Space)

    def _count(self, guess: Guess) -> None:
        """Type a number, and take it."""
        assert focus() is self.panel.guess.slider
        right = guess.counted(guess.answer.shown)
        assert right is not None
        least, most = guess.bounds
        wrong = most if right < most else least
        press(Key.Key_Tab)
        press(Key.Key_A, keys=CONTROL)
        QTest.keyClicks(focus(), guess.written(right if self.knows else wrong))
        tab_to(lambda widget: widget is self.panel.guess.done)
        press(Key.Key_Space)

    def _point(self, guess: Guess) -> None:
        """Go to a pixel of a picture by the arrow keys."""
        pictures = [v for v in self.window.views.values() if isinstance(v, PictureView)]
        settle(self.qtbot, self.window)
        tab_to(lambda widget: widget in [view.canvas for view in pictures])
        press(Key.Key_Right)  # which begins in the middle
        found = self.window.document.inspector.node
        assert found is not None
        for at, to, keys in zip(found, guess.node or found, (_DOWN, _ACROSS), strict=True):
            ahead, back = keys
            key, far = (ahead, to - at) if to > at else (back, at - to)
            press(key, far // 10 if self.knows else 0, SHIFT)
            press(key, far % 10 if self.knows else 0)
        press(Key.Key_Return)

    def _enter_cell(self, guess: Guess) -> None:
        view = self.window.views["adjacency"]
        settle(self.qtbot, self.window)
        tab_to(lambda widget: widget is view)
        press(Key.Key_Right)
        found = view.spot.state, view.spot.item
        row, column = guess.cell if self.knows else (1 - guess.cell[0], guess.cell[1])
        press(Key.Key_Down if row > found[0] else Key.Key_Up, abs(row - found[0]))
        press(Key.Key_Right if column > found[1] else Key.Key_Left, abs(column - found[1]))
        press(Key.Key_Return)

    def _beat(self, _guess: Guess) -> None:
        """Move w until the program is beaten, or ask for a solution."""
        slider = self.window.controls.number("window").slider
        assert focus() is self.panel.next_button
        if self.knows:
            tab_to(lambda widget: widget is slider)
            press(Key.Key_Left, 3)
            self.qtbot.waitUntil(lambda: self.panel.verdict.text().endswith(BEATEN))
            tab_to(lambda widget: widget is self.panel.next_button)
        press(Key.Key_Space)

    def go_on(self) -> None:
        """Press the button that continues."""
        index = self.teacher.index
        press(Key.Key_Space)
        self.qtbot.waitUntil(lambda: self.teacher.lesson is None or self.teacher.index > index)


_DOWN, _ACROSS = (Key.Key_Down, Key.Key_Up), (Key.Key_Right, Key.Key_Left)


def kinds_of(name: str) -> set[str]:
    return {step.guess.kind for step in read(lessons()[name]).steps}


def test_every_kind_of_question_is_asked() -> None:
    daily = [name for chosen in DAILY.values() for name in chosen]
    assert set().union(*map(kinds_of, daily)) == set().union(*map(kinds_of, LESSONS))


@pytest.mark.parametrize(("theme", "chosen"), CASES)
def test_a_lesson_by_keyboard_alone(window, qtbot, theme, chosen) -> None:
    window.parts[Preferences].choose_theme(theme)
    for name, knows in chosen.items():
        student = Student(window, qtbot, knows=knows)
        student.begin(name)
        check_lesson(student, name)
        teacher = student.teacher
        if name != LESSONS[-1]:  # the next one begins
            qtbot.waitUntil(lambda teacher=teacher: teacher.lesson is not None)
        teacher.end()


def check_lesson(student: Student, name: str) -> None:
    panel, n_asked = student.panel, 0
    while student.teacher.lesson is not None:
        assert panel.isAncestorOf(focus())
        n_asked += student.step().guess.kind != "none"
        student.answer()
        assert panel.isAncestorOf(focus())
        assert student.step().guess.kind == "beat" or not panel.away.isVisible()
        student.go_on()
    assert n_asked == sum(step.guess.kind != "none" for step in read(lessons()[name]).steps)
    assert name in Settings().lessons_done
    assert focus() is (panel.list_button if name == LESSONS[-1] else panel.follow_button)
    press(Key.Key_Space)
    assert panel.isAncestorOf(focus())


def test_the_path_the_finder_and_what_is_not_known(window: MainWindow, qtbot: QtBot) -> None:
    check_the_path_ends_with_all_that_was_learned(window, qtbot)
    window.parts[Teacher].end()
    window.tabs.enter("inspect")
    student = Student(window, qtbot, knows=False)
    student.begin(FIRST_LESSON)
    assert student.panel.next_button.text() == ASIDE
    tab_to(lambda widget: widget is student.panel.next_button)
    press(Key.Key_Space)
    assert student.teacher.is_answered
    assert not student.panel.verdict.isVisible()
    assert focus() is student.panel.next_button
    window.parts[Teacher].end()
    window.tabs.enter("inspect")
    check_finder(window, qtbot)


def check_finder(window: MainWindow, qtbot: QtBot) -> None:
    teacher, finder = window.parts[Teacher], opened(window, qtbot)
    QTest.keyClicks(finder.edit, "lesson fooled")
    assert marked(finder) == "Lesson: Noise: fooled by a window"
    QTest.keyClick(finder.edit, Key.Key_Return)
    qtbot.waitUntil(lambda: teacher.lesson is not None)
    assert teacher.lesson.name == "07-fooled"
    window.activateWindow()  # as on a desktop when the finder is closed
    qtbot.waitUntil(window.isActiveWindow)
    assert teacher.panel.isAncestorOf(focus())


def check_the_path_ends_with_all_that_was_learned(window: MainWindow, qtbot: QtBot) -> None:
    teacher, panel = window.parts[Teacher], window.parts[Teacher].panel
    window.tabs.enter("learn")
    lessons_of_path = [teacher.lessons()[name] for name in PATH]
    assert [lesson.name[:2] for lesson in lessons_of_path] == ["01", "05", "07", "13"]
    assert all(lesson.learned for lesson in teacher.lessons().values())
    panel.path.click()
    for k, lesson in enumerate(lessons_of_path):
        qtbot.waitUntil(lambda lesson=lesson: teacher.lesson is lesson)
        while teacher.lesson is not None:
            before = teacher.index, teacher.is_answered
            panel.next_button.click()
            qtbot.waitUntil(
                lambda old=before: (teacher.index, teacher.is_answered) != old or not teacher.lesson
            )
        assert panel.follow_button.isVisible() == (k < 3)
        if k < 3:
            panel.follow_button.click()
    assert panel.finished.text() == PATH_DONE
    learned = [sentence for lesson in lessons_of_path for sentence in lesson.learned]
    assert all(sentence in panel.learned.text() for sentence in learned)


def test_the_first_lesson_is_near_the_first_screen(qtbot: QtBot) -> None:
    store().clear()
    window = MainWindow(Settings(), "light", use=Settings().use)
    window.show()
    teacher = window.parts[Teacher]
    qtbot.waitUntil(window.isActiveWindow)
    assert teacher.offer.isVisible()
    QTest.keyClick(window, Key.Key_Tab)
    n_tabs = 1
    while focus() is not teacher.offer.button:
        press(Key.Key_Tab)
        n_tabs += 1
    assert n_tabs <= 3
    press(Key.Key_Space)
    qtbot.waitUntil(lambda: teacher.lesson is not None)
    assert teacher.lesson.name == FIRST_LESSON
    qtbot.waitUntil(lambda: teacher.panel.isAncestorOf(focus()))
    window.tabs.enter("explore")
    assert teacher.offer.isVisible()
    teacher.offer.close_button.click()
    window.tabs.enter("inspect")
    window.tabs.enter("explore")
    assert not teacher.offer.isVisible()
    assert not Settings().offers_lesson
    window.close_now()
    discard(window)
