"""Lessons in the window: they set, ask, lock, and tell."""

from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot
from scipy import ndimage

from latviz.app.lessons.teacher import LOCKED, MOVED, OTHER_PICTURE
from latviz.app.settings import Settings
from latviz.app.window import MainWindow
from latviz.engine.demos import make_demo
from latviz.engine.lessons.lesson import parse
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture
from tests.app.conftest import settle

LESSON = """\
# A lesson
For tests.

- state: demo=figure1&window=0

## Choose
- views: image, states
- guess: Few | Many
- answer: 2
- then: window=2

How many are right?

### Then
Many.

## A window
- views: image, states, guide
- free: n_states
- state: display.truth=errors
- guess: window
- answer: 5

Which w?

### Then
That one.

## A pixel
- views: image, states, space
- guess: pixel
- then: window=9

Click one.

### Then
Look.

## Read
- views: image

Only text.
"""


@pytest.fixture
def taught(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window in which a lesson has begun."""
    window.teacher._lessons = {"a": parse("a", LESSON)}
    window.enter("learn")
    begin(window, qtbot)
    return window


def begin(window: MainWindow, qtbot: QtBot) -> None:
    window.teacher.panel.entries["a"].click()
    qtbot.waitUntil(lambda: window.teacher.lesson is not None)
    settle(qtbot, window)


def shown(window: MainWindow) -> set[str]:
    return {name for name, dock in window.docks.items() if dock.isVisible()}


def test_a_step_sets_its_state_and_shows_its_views(taught: MainWindow, qtbot: QtBot) -> None:
    state, panel = taught.document.state, taught.teacher.panel
    assert state.picture is not None
    assert state.picture.origin == {"demo": "figure1"}
    assert state.parameters.window == 0
    assert shown(taught) == {"lesson", "controls", "image", "states"}
    assert panel.heading.text() == "Choose"
    assert panel.place.text() == "A lesson · 1 of 4"
    assert "Figure 1" in make_demo("figure1").summary
    assert "Figure 1" not in taught.status.message.whole_text()  # it would tell an answer
    assert "Figure 1" not in taught.docks["image"].bar.heading.whole_text()
    assert [button.text() for button in panel.guess.options] == ["Few", "Many"]
    assert not panel.then.isVisible()


def test_a_wrong_guess_is_told_and_sets_what_is_so(taught: MainWindow, qtbot: QtBot) -> None:
    panel = taught.teacher.panel
    panel.guess.options[0].click()
    assert panel.verdict.text() == "It is: Many."
    assert [button.text() for button in panel.guess.options] == ["✗ Few", "✓ Many"]
    assert panel.then.text() == "Many."
    assert taught.document.parameters.window == 2
    panel.next_button.click()
    assert panel.heading.text() == "A window"
    assert taught.document.state.display.truth == "errors"
    assert taught.document.parameters.window == 2


def test_next_tells_before_it_goes_on_and_back_sets_what_was_set(
    taught: MainWindow, qtbot: QtBot
) -> None:
    panel, teacher = taught.teacher.panel, taught.teacher
    panel.next_button.click()
    assert (teacher.index, teacher.has_told) == (0, True)
    assert panel.then.isVisible()
    assert not panel.verdict.isVisible()
    panel.next_button.click()
    assert (teacher.index, teacher.has_told) == (1, False)
    panel.back_button.click()
    assert (teacher.index, teacher.has_told) == (0, False)
    assert taught.document.parameters.window == 0
    assert not panel.back_button.isEnabled()


def test_only_what_a_step_is_about_can_be_moved_until_it_has_told(
    taught: MainWindow, qtbot: QtBot
) -> None:
    teacher, document, controls = taught.teacher, taught.document, taught.controls
    teacher.go_on()
    teacher.go_on()
    assert controls["n_states"].isEnabled()
    assert not controls["window"].isEnabled()
    assert LOCKED in controls["window"].slider.toolTip()
    assert not taught.views["guide"].window_control.isEnabled()
    document.set("Change N", n_states=3)
    assert document.parameters.n_states == 3
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(taught, key, Qt.KeyboardModifier.ControlModifier)
    document.set("Change w", window=7)
    document.reset()
    assert document.parameters.window == 2
    assert document.parameters.n_states == 3
    assert taught.status.message.whole_text() == LOCKED
    teacher.panel.guess.box.setValue(3)
    teacher.panel.guess.done.click()
    assert teacher.panel.verdict.text() == "You said 3; it is 5."
    assert controls["window"].isEnabled()
    assert LOCKED not in controls["window"].slider.toolTip()
    document.set("Change w", window=7)
    assert document.parameters.window == 7


def test_a_click_on_a_pixel_is_a_guess(taught: MainWindow, qtbot: QtBot) -> None:
    teacher, canvas = taught.teacher, taught.views["states"].canvas
    for _ in range(4):
        teacher.go_on()
    assert teacher.awaits_pixel
    before = settle(qtbot, taught)
    canvas.clicked.emit((40, 50))
    assert taught.document.state.selection is None
    assert taught.document.state.pins == ((40, 50),)
    assert taught.document.parameters.window == 9
    after = settle(qtbot, taught)
    old, new = (int(frame.states[40, 50]) + 1 for frame in (before, after))
    said = f"Your pixel went from state {old} to state {new}."
    if old == new:
        said = f"Your pixel stayed in state {old}."
    qtbot.waitUntil(lambda: teacher.panel.verdict.text() == said)
    canvas.clicked.emit((1, 1))
    assert taught.document.state.selection is not None  # a click is a click again


def test_the_end_is_remembered(taught: MainWindow, qtbot: QtBot) -> None:
    teacher = taught.teacher
    for _ in range(6):
        teacher.go_on()
    assert teacher.panel.next_button.text() == "Done"
    assert shown(taught) == {"lesson", "controls", "image"}
    teacher.panel.next_button.click()
    assert teacher.lesson is None
    assert teacher.panel.entries["a"].text() == "✓ A lesson"
    assert Settings().lessons_done == {"a"}


def test_other_tabs_lock_nothing_and_the_lesson_waits(taught: MainWindow, qtbot: QtBot) -> None:
    assert taught.document.lock is not None
    taught.enter("inspect")
    assert taught.document.lock is None
    taught.document.set("Change w", window=6)
    taught.enter("learn")
    assert taught.document.parameters.window == 0
    assert taught.document.lock is not None


def test_a_picture_of_ones_own_is_left_alone(
    taught: MainWindow, qtbot: QtBot, photo: Picture
) -> None:
    taught.document.open(photo, Parameters(window=5))
    assert taught.document.lock is None
    teacher = taught.teacher
    teacher.go_on()
    teacher.go_on()
    assert teacher.panel.heading.text() == "A window"
    assert taught.document.parameters.window == 5
    assert taught.document.lock is None
    taught.document.undo_stack.undo()
    assert taught.document.lock is not None


OWN = """\
# Own
For tests.

- state: demo=figure1&window=3

## Yours
- picture: own
- views: image
- told: indices
- guess: number 0 100
- answer: {94|100 * inertia()}
- then: window=0

{2|n_states()} states.

### Then
Inertia {0.94|inertia()}, with w = 2 {0.99|inertia(window=2)}.
"""


def test_a_step_goes_on_with_a_picture_of_ones_own(
    window: MainWindow, qtbot: QtBot, photo: Picture
) -> None:
    teacher, document = window.teacher, window.document
    teacher._lessons = {"a": parse("a", OWN)}
    window.enter("learn")
    begin(window, qtbot)
    panel = teacher.panel
    assert panel.open_button.isVisible()
    assert panel.text.text() == "**2** states."
    document.open(photo, Parameters(n_states=3, window=5))
    frame = settle(qtbot, window)
    qtbot.waitUntil(lambda: panel.text.text() == "**3** states.")
    assert not panel.away.isVisible()
    states = frame.states
    shares = np.stack([box_mean(states == state, 5) for state in range(3)])
    inertia = float(np.sqrt((shares**2).sum(axis=0)).mean())
    panel.guess.box.setValue(7)
    panel.guess.done.click()
    said = f"You said 7; it is {100 * inertia:.0f}."
    qtbot.waitUntil(lambda: panel.verdict.text() == said)
    told = f"Inertia **{inertia:.2f}**, with w = 2 **…**."
    assert panel.then.text().replace("\N{NO-BREAK SPACE}", " ") == told
    assert document.parameters.window == 5  # nothing is set of it
    document.set("Change w", window=2)
    qtbot.waitUntil(lambda: "**…**" not in panel.then.text())


def test_a_step_may_be_about_another_demo(window: MainWindow, qtbot: QtBot, photo: Picture) -> None:
    teacher, document = window.teacher, window.document
    text = LESSON.replace("## A window\n", "## A window\n- picture: stripes\n- state: n_states=3\n")
    teacher._lessons = {"a": parse("a", text.replace("- state: display.truth=errors\n", ""))}
    window.enter("learn")
    begin(window, qtbot)
    teacher.go_on()
    teacher.go_on()
    assert teacher.panel.heading.text() == "Choose"  # until the demo is there
    qtbot.waitUntil(lambda: teacher.panel.heading.text() == "A window")
    settle(qtbot, window)
    assert demo_on_screen(window) == "stripes"
    assert (document.parameters.n_states, document.parameters.window) == (3, 3)
    assert document.lock is not None
    teacher.go_on()
    teacher.go_on()
    assert teacher.panel.heading.text() == "A pixel"  # on the same demo, at once
    teacher.go_back()
    teacher.go_back()
    qtbot.waitUntil(lambda: teacher.panel.heading.text() == "Choose")
    settle(qtbot, window)
    assert demo_on_screen(window) == "figure1"
    assert document.parameters.window == 0
    document.open(photo, Parameters(window=5))
    teacher.go_on()
    teacher.go_on()
    assert teacher.panel.heading.text() == "A window"
    assert document.picture is photo
    teacher.return_to_step()
    qtbot.waitUntil(lambda: demo_on_screen(window) == "stripes")


def demo_on_screen(window: MainWindow) -> str | None:
    assert window.document.picture is not None
    return window.document.picture.origin.get("demo")


def box_mean(marked: np.ndarray, w: int) -> np.ndarray:
    """Return the share of nodes that are marked in each clipped window."""
    side = 2 * w + 1
    inside = ndimage.uniform_filter(marked.astype(float), side, mode="constant")
    return inside / ndimage.uniform_filter(np.ones(marked.shape), side, mode="constant")


def test_what_a_person_changed_is_set_again(
    taught: MainWindow, qtbot: QtBot, photo: Picture
) -> None:
    panel, document, teacher = taught.teacher.panel, taught.document, taught.teacher
    assert not panel.away.isVisible()
    teacher.go_on()
    document.set("Change w", window=9)
    assert panel.away.said.text() == MOVED
    panel.away.button.click()
    assert document.parameters.window == 2
    assert not panel.away.isVisible()
    document.open(photo, Parameters(window=5))
    assert panel.away.said.text() == OTHER_PICTURE
    panel.away.button.click()
    qtbot.waitUntil(lambda: document.parameters.window == 2)
    assert teacher.has_told
    assert not panel.away.isVisible()


def test_views_that_give_the_answer_come_when_it_is_told(window: MainWindow, qtbot: QtBot) -> None:
    text = LESSON.replace("- views: image, states\n", "- views: image\n- told: states\n", 1)
    window.teacher._lessons = {"a": parse("a", text)}
    window.enter("learn")
    begin(window, qtbot)
    assert shown(window) == {"lesson", "controls", "image"}
    said = window.status.message.whole_text()
    assert make_demo("figure1").summary not in said  # the demo's sentence could give it away
    window.teacher.go_on()
    assert shown(window) == {"lesson", "controls", "image", "states"}


def test_undo_goes_through_what_a_lesson_set(taught: MainWindow, qtbot: QtBot) -> None:
    taught.teacher.go_on()
    assert taught.document.parameters.window == 2
    taught.document.undo_stack.undo()
    assert taught.document.parameters.window == 0


def test_lessons_of_ones_own_and_those_that_cannot_be_read(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.md").write_text(LESSON, encoding="utf-8")
    (tmp_path / "wrong.md").write_text("no lesson", encoding="utf-8")
    lost = LESSON.replace("demo=figure1", "demo=nowhere")
    (tmp_path / "lost.md").write_text(lost, encoding="utf-8")
    monkeypatch.setattr(Settings, "lessons_folder", tmp_path)
    window.enter("learn")
    entries = window.teacher.panel.entries
    assert "mine" in entries
    assert "01-signatures" in entries
    assert entries.keys().isdisjoint({"wrong", "lost"})
    for name in ("lost.md", "wrong.md"):
        assert f"{name} is left out" in window.banner.label.text()
