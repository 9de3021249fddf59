"""The test of understanding in the window: it asks, hides results, keeps answers, shows a gain."""

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PyQt6.QtGui import QDesktopServices
from PyQt6.QtWidgets import QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from latviz.app.lessons.examiner import Examiner
from latviz.app.lessons.panel import SIDE
from latviz.app.lessons.teacher import Teacher
from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import settle

pytestmark = pytest.mark.usefixtures("few_views")

NAMES = ["time", "round", "question", "answer", "right", "student"]


@pytest.fixture
def examiner(window: MainWindow) -> Examiner:
    """The examiner, without answers from before."""
    window.settings.answers_file.unlink(missing_ok=True)
    window.tabs.enter("learn")
    window.parts[Teacher].panel.test.click()
    return window.parts[Teacher].examiner


def written(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def is_asked(window: MainWindow, title: str) -> Callable[[], bool]:
    """Return a test of whether a question is on screen, with its picture."""
    examiner = window.parts[Teacher].examiner
    return lambda: examiner.panel.heading.text() == title and window.document.lock is not None


def answer_all(window: MainWindow, qtbot: QtBot, wrong: set[str]) -> None:
    """Go through a round; skip the half-width, and answer the questions on a pixel."""
    examiner = window.parts[Teacher].examiner
    panel = examiner.panel
    panel.begin_button.click()
    for question in examiner.test.questions:
        qtbot.waitUntil(is_asked(window, question.step.title), timeout=20_000)
        if question.step.guess.node is not None:
            settle(qtbot, window)
            window.views["states"].canvas.clicked.emit(question.step.guess.node)
        elif not question.step.guess.options:
            panel.skip_button.click()
        else:
            right = int(question.step.guess.answer.shown) - 1
            panel.guess.options[right - (question.key in wrong)].click()


def test_questions_are_asked_left_and_gone_on_with(window, examiner, qtbot, photo) -> None:
    panel, document = examiner.panel, window.document
    assert panel.begin_button.text() == "Begin"
    assert not panel.forget_button.isVisible()
    panel.begin_button.click()
    qtbot.waitUntil(is_asked(window, "Signature"))
    assert document.picture.notes == ()  # a demo's own sentence would give too much away
    assert document.parameters.window == 2
    panel.guess.options[0].click()
    qtbot.waitUntil(is_asked(window, "Specks"))
    assert panel.place.text() == "Question 2 of 12 · first round"
    panel.back_button.click()
    qtbot.waitUntil(is_asked(window, "Signature"))
    panel.guess.options[2].click()
    qtbot.waitUntil(is_asked(window, "Specks"))
    panel.stop_button.click()
    assert document.lock is None
    assert panel.begin_button.text() == "Go on with question 2"
    panel.lessons_button.click()
    assert "question 2" in window.parts[Teacher].panel.test.description()
    path = window.settings.answers_file
    qtbot.waitUntil(lambda: path.is_file() and len(written(path)) == 3)
    rows = written(path)
    assert rows[0] == NAMES
    assert [row[1:] for row in rows[1:]] == [
        [
            "1",
            "signature",
            "The colour of P1 itself",
            "0",
            path.stem.removeprefix("understanding-"),
        ],
        ["1", "signature", "The share of each colour in the window", "1", rows[1][5]],
    ]
    window.parts[Teacher].panel.test.click()
    panel.begin_button.click()
    qtbot.waitUntil(is_asked(window, "Specks"))
    document.open(photo, Parameters(window=5))
    assert document.lock is None
    assert panel.away.isVisible()
    panel.away.button.click()
    qtbot.waitUntil(lambda: document.lock is not None)
    assert document.parameters.window == 1
    assert not panel.away.isVisible()
    panel.stop_button.click()
    forget(window, panel.forget_button)
    qtbot.waitUntil(lambda: not path.exists())
    assert panel.begin_button.text() == "Begin"
    check_half_width(window, examiner, qtbot)
    check_themes(window, examiner)


def check_half_width(window: MainWindow, examiner: Examiner, qtbot: QtBot) -> None:
    panel, view = examiner.panel, window.views["states"]
    panel.begin_button.click()
    while panel.heading.text() != "Half-width":
        before = panel.heading.text()
        assert view.mark is None
        panel.skip_button.click()
        qtbot.waitUntil(lambda before=before: panel.heading.text() != before)
    qtbot.waitUntil(is_asked(window, "Half-width"), timeout=20_000)
    assert panel.guess.slider.accessibleName() == "Answer, slider"
    view.placed.emit((2.0,))
    assert panel.guess.box.value() == 2
    assert view.guessed.guess.width() == 5
    panel.guess.done.click()
    assert view.mark is None
    assert examiner.answers[-1].is_right


def check_themes(window: MainWindow, examiner: Examiner) -> None:
    gap = examiner.panel.guess.gap
    for theme in ("dark", "light"):
        window.parts[Preferences].choose_theme(theme)
        assert gap.theme is window.parts[Preferences].theme
    entries = window.parts[Teacher].panel.test, *window.parts[Teacher].panel.entries.values()
    assert len(entries) > 12
    window.parts[Preferences].choose_theme("dark")
    accent = window.parts[Preferences].theme.color("accent")
    for entry in entries:  # Qt's own arrow is black
        arrow = entry.icon().pixmap(SIDE, SIDE).toImage()
        assert arrow.pixelColor(SIDE // 2, SIDE // 2) == accent


def test_the_second_time_shows_what_was_gained(window, examiner, qtbot, monkeypatch) -> None:
    panel, path = examiner.panel, window.settings.answers_file
    assert path is not None
    answer_all(window, qtbot, {"signature", "specks", "alpha"})
    assert panel.total.text() == "8 right, 3 wrong, 1 not known."
    assert not panel.gains.isVisible()
    assert f"{path}." in panel.where.text()
    answer_all(window, qtbot, {"specks"})
    assert (
        panel.total.text() == "Before: 8 right, 3 wrong, 1 not known. "
        "After: 10 right, 1 wrong, 1 not known. You learned 50.0\N{NO-BREAK SPACE}% of "
        "what you did not know."
    )
    marks = [label.accessibleName() for label in panel.gains.findChildren(QLabel)]
    assert "Signature, before: wrong" in marks
    assert "Signature, after: right" in marks
    assert "Half-width, after: not known" in marks
    names = {button.accessibleName(): button for button in panel.gains.findChildren(QPushButton)}
    assert set(names) == {"Go to the lesson of Specks", "Go to the lesson of Half-width"}
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    panel.folder_button.click()
    assert opened == [str(path.parent)]
    names["Go to the lesson of Specks"].click()
    qtbot.waitUntil(lambda: window.parts[Teacher].lesson is not None)
    assert window.parts[Teacher].lesson.name == "05-window"


def forget(window: MainWindow, button: QPushButton) -> None:
    button.click()
    box = window.findChild(QMessageBox, "delete")
    sure = next(b for b in box.buttons() if b.text() == "Delete")
    sure.click()


def test_answers_are_kept_beside_the_other_data(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("LATVIZ_HOME", str(tmp_path))
    path, other = Settings().answers_file, Settings().answers_file
    assert path.parent == tmp_path
    assert re.fullmatch(r"understanding-[a-z]+-\d{3}.csv", path.name)
    assert path != other  # each student has a code word
    path.with_name("understanding.csv").write_text("", encoding="utf-8")
    assert Settings().answers_file.name == "understanding.csv"  # from before code words
    assert Settings(lasting=False).answers_file is None
