"""Lessons in the window: they set, ask, lock, and explain."""

import shutil
from collections.abc import Iterator

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from latviz.app.lessons.library import Library
from latviz.app.lessons.teacher import AS_GOOD, LOCKED, MOVED, OTHER_PICTURE, RIGHT, Teacher
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings
from latviz.app.views.guide.view import ASKED
from latviz.app.views.indices.view import IndicesView
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import mixed
from latviz.core.parameter import rows
from latviz.engine.lessons.colors import REGION_COLORS
from latviz.engine.lessons.lesson import Lesson, parse
from latviz.engine.pictures.demos import make_demo
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import settle
from tests.app.frames import drag_to
from tests.screenshots import rgb_of

pytestmark = pytest.mark.usefixtures("few_views")

LESSON = """\
# A lesson
For tests.

- state: demo=figure1&window=0
- learned: That windows reach far.

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
- right: 4 <= guess <= 5

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


LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


TAUGHT: dict[str, Lesson] = {}
"""The lesson that `teach` began; none before."""


@pytest.fixture(autouse=True)
def _lessons_of_tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Offer the lesson that a test teaches, or those that there are."""
    known = Library.lessons
    monkeypatch.setattr(Library, "lessons", lambda library: TAUGHT or known(library))
    yield
    TAUGHT.clear()


def teach(window: MainWindow, qtbot: QtBot, text: str) -> MainWindow:
    """Begin a lesson."""
    teacher = window.parts[Teacher]
    TAUGHT["a"] = parse("a", text)
    window.tabs.enter("learn")
    teacher.end()
    teacher.panel.entries["a"].click()
    qtbot.waitUntil(lambda: teacher.lesson is not None)
    settle(qtbot, window)
    return window


def shown(window: MainWindow) -> set[str]:
    return {name for name, dock in window.docks.items() if dock.isVisible()}


TRY = """\
# Try
For tests.

- state: demo=figure1&window=0

## Your turn
- views: image, states
- free: window

Raise w.
"""


def test_what_a_step_asks_for_is_no_change(
    window: MainWindow, qtbot: QtBot, photo: Picture
) -> None:
    taught = teach(window, qtbot, TRY)
    away = taught.parts[Teacher].panel.away
    taught.document.set("Change w", window=4)
    assert taught.document.parameters.window == 4
    assert not away.isVisible()
    taught.document.open(photo, Parameters(window=5))
    assert away.text_label.text() == OTHER_PICTURE


def test_a_lesson_from_its_first_step_to_its_end(window: MainWindow, qtbot: QtBot) -> None:
    taught = teach(window, qtbot, LESSON)
    check_first_step(taught)
    assert taught.document.lock is not None
    taught.tabs.enter("inspect")
    assert taught.document.lock is None
    taught.document.set("Change w", window=6)
    taught.tabs.enter("learn")
    assert taught.document.parameters.window == 0
    assert taught.document.lock is not None
    check_present_goes_on_and_gives_nothing_away(taught, qtbot)
    check_told_and_set_again(taught)
    check_lock(taught)
    check_wrong_guess(taught)
    check_as_good_guess(taught)
    check_pixel(taught, qtbot)
    check_end(taught)


def check_first_step(taught: MainWindow) -> None:
    state, panel = taught.document.state, taught.parts[Teacher].panel
    assert state.picture.origin == {"demo": "figure1"}
    assert state.parameters.window == 0
    assert shown(taught) == {"lesson", "controls", "image", "states"}
    assert panel.heading.text() == "Choose"
    assert panel.place.text() == "A lesson · 1 of 4"
    assert "Figure 1" in make_demo("figure1").summary
    assert "Figure 1" not in taught.status.message.whole_text()  # it would give an answer away
    assert "Figure 1" not in taught.docks["image"].bar.heading.whole_text()
    colors = [bytes(color).hex() for color in taught.document.frame.colors]
    assert colors == [color.removeprefix("#") for color in REGION_COLORS["figure1"]]
    assert [button.text() for button in panel.guess.options] == ["Few", "Many"]
    assert not panel.then.isVisible()


def check_present_goes_on_and_gives_nothing_away(taught: MainWindow, qtbot: QtBot) -> None:
    """A question stays open in the room, and the guide gives no advice before the guess."""
    window, teacher, guide = taught, taught.parts[Teacher], taught.views["guide"]
    kept = window.docks["image"].bar.heading.whole_text()
    QTest.keyClick(window, Qt.Key.Key_6, CONTROL)
    assert window.tabs.use.name == "present"
    assert shown(window) == {"lesson", "image", "states"}  # a slide
    assert teacher.panel.heading.text() == "Choose"
    assert [button.text() for button in teacher.panel.guess.options] == ["Few", "Many"]
    assert window.document.lock is not None
    assert window.docks["image"].bar.heading.whole_text() == kept
    window.docks["guide"].toggle.trigger()  # it may be opened, but says nothing of the window
    settle(qtbot, window)
    assert guide.isVisible()
    assert guide.offer.isHidden()
    assert guide.rivers.river is None
    assert guide.headline.whole_text() == ASKED
    assert guide.keyboard.accessibleDescription().startswith(ASKED)
    QTest.keyClick(window, Qt.Key.Key_R, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert shown(window) == {"lesson", "image", "states"}
    teacher.panel.guess.options[1].click()  # goes on after the guess, with the other tab, too
    assert teacher.is_answered
    assert guide.says[0] != ASKED
    QTest.keyClick(window, Qt.Key.Key_5, CONTROL)
    assert teacher.is_answered
    assert window.tabs.use.name == "learn"
    assert "controls" in shown(window)
    teacher.return_to_step()
    window.tabs.enter("explore")
    window.tabs.enter("present")
    assert shown(window) == {"image", "states", "guide"}  # left in Explore, it does not run
    window.tabs.enter("learn")
    assert not teacher.is_answered


def check_told_and_set_again(taught: MainWindow) -> None:
    panel, teacher, document = taught.parts[Teacher].panel, taught.parts[Teacher], taught.document
    assert not panel.away.isVisible()
    panel.next_button.click()
    assert (teacher.index, teacher.is_answered) == (0, True)
    assert panel.then.isVisible()
    assert not panel.verdict.isVisible()
    assert document.parameters.window == 2
    document.undo_stack.undo()
    assert document.parameters.window == 0
    document.set("Change w", window=9)
    assert panel.away.text_label.text() == MOVED
    panel.away.button.click()
    assert document.parameters.window == 2
    assert not panel.away.isVisible()
    panel.next_button.click()
    assert (teacher.index, teacher.is_answered) == (1, False)


def check_lock(taught: MainWindow) -> None:
    teacher, document, controls = taught.parts[Teacher], taught.document, taught.controls
    assert controls["n_states"].isEnabled()
    assert not controls["window"].isEnabled()
    assert LOCKED in controls["window"].slider.toolTip()
    assert not taught.views["guide"].window_control.isEnabled()
    document.set("Change N", n_states=3)
    assert document.parameters.n_states == 3
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(taught, key, CONTROL)
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


def check_wrong_guess(taught: MainWindow) -> None:
    teacher, panel = taught.parts[Teacher], taught.parts[Teacher].panel
    panel.back_button.click()
    assert (teacher.index, teacher.is_answered) == (0, False)
    assert taught.document.parameters.window == 0
    assert not panel.back_button.isEnabled()
    panel.guess.options[0].click()
    assert panel.verdict.text() == "Not correct."
    assert [button.text() for button in panel.guess.options] == ["✗ Few", "✓ Many"]
    assert panel.then.text() == "Many."
    assert taught.document.parameters.window == 2
    panel.next_button.click()
    assert panel.heading.text() == "A window"
    assert taught.document.state.display.truth == "errors"
    assert taught.document.parameters.window == 2


def check_as_good_guess(taught: MainWindow) -> None:
    """An answer within the range that the step takes is correct, too."""
    teacher, panel = taught.parts[Teacher], taught.parts[Teacher].panel
    for given, said in ((4, AS_GOOD.format(4, 5)), (5, RIGHT), (6, "You said 6; it is 5.")):
        panel.guess.guessed.emit(given)
        assert panel.verdict.text() == said
        panel.back_button.click()
        teacher.go_on()
        teacher.go_on()
        assert (teacher.index, teacher.is_answered) == (1, False)


def check_pixel(taught: MainWindow, qtbot: QtBot) -> None:
    teacher, canvas = taught.parts[Teacher], taught.views["states"].canvas
    teacher.go_on()
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


def check_end(taught: MainWindow) -> None:
    teacher = taught.parts[Teacher]
    teacher.go_on()
    assert taught.document.state.pins == ()
    assert teacher.panel.next_button.text() == "Done"
    assert shown(taught) == {"lesson", "controls", "image"}
    teacher.panel.next_button.click()
    assert teacher.lesson is None
    assert Settings().lessons_done == {"a"}
    assert teacher.panel.finished.text() == "A lesson"
    assert "- That windows reach far." in teacher.panel.learned.text()
    assert not teacher.panel.follow_button.isVisible()  # no lesson follows
    teacher.panel.list_button.click()
    assert teacher.panel.entries["a"].text() == "1  ✓ A lesson"


LIT = """\
# What changed
For tests.

- state: demo=stripes&window=8

## Near
- views: image, states
- near: 100 40 10
- guess: pixel
- answer: 100 20
- right: (column < 60) * (errors(row, column) >= 0) == 1
- then: window=2

Where?

### Then
There.

## Curves
- views: image, states, tradeoff
- chart: code_length, accuracy
- state: n_states=3
- guess: This | That
- answer: 1

Which?

### Then
This.

## Asked
- views: image, states
- guess: pixel
- then: window=8

Which changes?

### Then
It.
"""


def test_steps_marks_and_places(window: MainWindow, qtbot: QtBot, photo: Picture) -> None:
    check_what_changed_is_lit_and_what_is_asked_about_is_near_or_alone(window, qtbot)
    check_places_on_a_gauge(window, qtbot, photo)
    placing = teach(window, qtbot, PLACES)
    go_to(placing, qtbot, 1)
    check_window(placing, qtbot)
    check_cells(placing, qtbot)
    go_to(placing, qtbot, 3)
    check_signature(placing, qtbot)


def check_what_changed_is_lit_and_what_is_asked_about_is_near_or_alone(window, qtbot) -> None:
    teach(window, qtbot, LIT)
    teacher, states = window.parts[Teacher], window.views["states"]
    qtbot.waitUntil(lambda: not states.canvas.whole)
    rows, columns = states.canvas.region
    assert rows.start <= 90 <= 110 < rows.stop
    assert columns.start <= 30 <= 50 < columns.stop
    before = settle(qtbot, window)
    states.canvas.clicked.emit((100, 70))
    assert lit(window) == {"window"}
    qtbot.waitUntil(states.changed_pixels.isVisible)
    qtbot.waitUntil(lambda: not states.changed_pixels.isVisible())
    after = settle(qtbot, window)
    changed = np.array(before.slots)[before.states] != np.array(after.slots)[after.states]
    assert 0 < changed.mean() < 1
    assert teacher.panel.verdict.text() == "Not there."
    teacher.go_on()
    assert lit(window) == {"n_states"}
    qtbot.waitUntil(lambda: states.canvas.whole)
    check_curves(window, qtbot)
    teacher.go_on()  # which shows the answer again
    teacher.go_on()
    settle(qtbot, window)
    states.canvas.clicked.emit((100, 70))
    qtbot.waitUntil(states.changed_pixels.isVisible)
    assert states.stays_lit  # until w moves: the step asks for them
    window.document.set("Change w", window=4)
    qtbot.waitUntil(lambda: not states.changed_pixels.isVisible())
    teacher.end()
    assert lit(window) == set()


def lit(window: MainWindow) -> set[str]:
    return {row.field for row in rows(Parameters()) if window.controls[row.field].property("lit")}


def check_curves(window: MainWindow, qtbot: QtBot) -> None:
    """One curve while it is the question, then both; the whole sheet after the lesson."""
    view, teacher = window.views["tradeoff"], window.parts[Teacher]

    def curves() -> list[str]:
        layout = view.sheet.layout_of(view.scene())
        assert bool(layout.maps) == (not view.sheet.alone)
        return [curve.name for curve, _ in layout.plots]

    qtbot.waitUntil(lambda: view.scene() is not None)
    assert curves() == ["code_length"]
    teacher.go_on()
    assert curves() == ["code_length", "accuracy"]
    teacher.leave()
    assert not view.sheet.alone
    teacher.enter()


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


def test_lessons_from_a_folder_about_two_demos_and_about_a_picture_of_ones_own(
    window, qtbot, photo
) -> None:
    check_folder(window)
    told = LESSON.replace("- views: image, states\n", "- views: image\n- told: states\n", 1)
    teach(window, qtbot, told)
    assert shown(window) == {"lesson", "controls", "image"}
    said = window.status.message.whole_text()
    assert make_demo("figure1").summary not in said  # the demo's sentence could give it away
    window.parts[Teacher].go_on()
    assert shown(window) == {"lesson", "controls", "image", "states"}
    check_another_demo(window, qtbot, photo)
    check_left_alone(window, qtbot, photo)
    check_own_picture(window, qtbot, photo)


def check_folder(window: MainWindow) -> None:
    folder = window.settings.lessons_folder
    folder.mkdir()
    lost = LESSON.replace("demo=figure1", "demo=nowhere")
    for name, text in (("mine", LESSON), ("wrong", "no lesson"), ("lost", lost)):
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    window.tabs.enter("learn")
    shutil.rmtree(folder)
    entries = window.parts[Teacher].panel.entries
    assert {"mine", "01-signatures"} <= entries.keys()
    assert entries.keys().isdisjoint({"wrong", "lost"})
    for name in ("lost.md", "wrong.md"):
        assert f"{name} is left out" in window.banner.label.text()


def check_another_demo(window: MainWindow, qtbot: QtBot, photo: Picture) -> None:
    teacher, document = window.parts[Teacher], window.document
    text = LESSON.replace("## A window\n", "## A window\n- picture: stripes\n- state: n_states=3\n")
    teach(window, qtbot, text.replace("- state: display.truth=errors\n", ""))
    teacher.go_on()
    teacher.go_on()
    assert teacher.panel.heading.text() == "Choose"  # until the demo is there
    qtbot.waitUntil(lambda: teacher.panel.heading.text() == "A window")
    settle(qtbot, window)
    assert document.picture.origin["demo"] == "stripes"
    assert (document.parameters.n_states, document.parameters.window) == (3, 3)
    assert document.lock is not None
    teacher.go_on()
    teacher.go_on()
    assert teacher.panel.heading.text() == "A pixel"  # on the same demo, at once
    teacher.go_back()
    teacher.go_back()
    qtbot.waitUntil(lambda: teacher.panel.heading.text() == "Choose")
    settle(qtbot, window)
    assert document.picture.origin["demo"] == "figure1"
    assert document.parameters.window == 0
    document.open(photo, Parameters(window=5))
    teacher.go_on()
    teacher.go_on()
    assert teacher.panel.heading.text() == "A window"
    assert document.picture is photo
    teacher.return_to_step()
    qtbot.waitUntil(lambda: document.picture.origin.get("demo") == "stripes")


def check_left_alone(window: MainWindow, qtbot: QtBot, photo: Picture) -> None:
    taught = teach(window, qtbot, LESSON)
    panel, document, teacher = taught.parts[Teacher].panel, taught.document, taught.parts[Teacher]
    teacher.go_on()
    document.open(photo, Parameters(window=5))
    assert document.lock is None
    assert panel.away.text_label.text() == OTHER_PICTURE
    panel.away.button.click()
    qtbot.waitUntil(lambda: document.parameters.window == 2)
    assert teacher.is_answered
    assert not panel.away.isVisible()
    document.open(photo, Parameters(window=5))
    teacher.go_on()
    assert panel.heading.text() == "A window"
    assert document.parameters.window == 5
    assert document.lock is None
    document.undo_stack.undo()
    assert document.lock is not None


def check_own_picture(window: MainWindow, qtbot: QtBot, photo: Picture) -> None:
    teach(window, qtbot, OWN)
    panel, document = window.parts[Teacher].panel, window.document
    assert panel.open_button.isVisible()
    assert panel.text.text() == "**2** states."
    document.open(photo, Parameters(n_states=3, window=5))
    frame = settle(qtbot, window)
    qtbot.waitUntil(lambda: panel.text.text() == "**3** states.")
    assert not panel.away.isVisible()
    inertia = frame.inertia
    panel.guess.box.setValue(7)
    panel.guess.done.click()
    said = f"You said 7; it is {100 * inertia:.0f}."
    qtbot.waitUntil(lambda: panel.verdict.text() == said)
    told = f"Inertia **{inertia:.2f}**, with w = 2 **…**."
    assert panel.then.text().replace("\N{NO-BREAK SPACE}", " ") == told
    assert document.parameters.window == 5  # none of its settings are applied
    document.set("Change w", window=2)
    qtbot.waitUntil(lambda: "**…**" not in panel.then.text())


PLACES = """\
# Places
For tests.

- state: demo=figure1&window=3

## A gauge
- views: image, states, indices
- guess: gauge associativity
- answer: {0.83|associativity(n_states=4)}
- then: n_states=4

Where?

### Then
There.

## A window
- views: image, states
- state: n_states=2
- guess: window
- answer: 5
- right: 4 <= guess <= 5

Which w?

### Then
That one.

## A cell
- views: image, states, adjacency
- guess: cell
- answer: {0.03|A(1, 2)}

Which?

### Then
That one.

## A signature
- views: image, states, space
- guess: signature
- answer: {0.70|B(2, 1, window=8, learning_window=8)}
- then: window=8&learning_window=null

Where?

### Then
There.
"""


def go_to(window: MainWindow, qtbot: QtBot, index: int) -> None:
    while window.parts[Teacher].index < index:
        window.parts[Teacher].go_on()
    settle(qtbot, window)
    qtbot.wait(100)  # until all views have their places


def drag(widget: QWidget, *places: QPointF) -> None:
    """Press at the first place, move over the others, and release at the last."""
    first, *others = (place.toPoint() for place in places)
    QTest.mousePress(widget, LEFT, pos=first)
    for place in others:
        drag_to(widget, place)
    QTest.mouseRelease(widget, LEFT, pos=places[-1].toPoint())


def on_gauge(view: IndicesView, index: str, share: float) -> QPointF:
    track = view.track_of(index)
    return QPointF(track.left() + share * track.width(), track.center().y())


def check_places_on_a_gauge(window: MainWindow, qtbot: QtBot, photo: Picture) -> None:
    placing = teach(window, qtbot, PLACES)
    teacher = placing.parts[Teacher]
    check_drag(placing, qtbot)
    teacher.go_back()  # which asks again
    check_keys(placing)
    teacher.go_back()
    check_no_guess(placing)
    check_play(placing, photo)
    teacher.end()
    assert placing.views["indices"].mark is None


def check_drag(placing: MainWindow, qtbot: QtBot) -> None:
    panel, view = placing.parts[Teacher].panel, placing.views["indices"]
    assert "gauge of Associativity" in panel.guess.hint.text()
    assert panel.guess.slider.accessibleName() == "Guess of associativity, slider"
    assert view.mark.place is None
    drag(view, *(on_gauge(view, "associativity", share) for share in (0.2, 0.45, 0.6)))
    assert panel.guess.box.text() == "0.60"
    assert panel.guess.slider.value() == 60
    assert view.mark.place == (0.6,)
    drag(view, on_gauge(view, "inertia", 0.3))
    assert view.mark.place == (0.6,)  # which is not asked for
    assert "Your guess: 0.60." in view.accessibleDescription()
    panel.guess.done.click()
    assert panel.verdict.text() == "You said 0.60; it is 0.83: you were 0.23 too low."
    assert not panel.guess.hint.isVisible()
    frame = settle(qtbot, placing)
    assert view.mark.gap == (0.6, 0.83)
    assert view.mark.gap[1] == pytest.approx(frame.associativity, abs=0.005)
    assert "Your guess: 0.60. Correct answer: 0.83." in view.accessibleDescription()
    drag(view, on_gauge(view, "associativity", 0.2))
    assert view.mark.place == (0.6,)  # it was shown
    check_gap(view)


def check_gap(view: IndicesView) -> None:
    """Check for the gap's colour between guess and truth on the gauge, and for none outside."""
    drawn, track = rgb_of(view.grab().toImage()).astype(int), view.track_of("associativity")
    panel, warning = (view.theme.color(name) for name in ("panel", "warning"))
    color = np.array(mixed(panel, warning, 0.35).getRgb()[:3])
    row = drawn[round(track.center().y()), round(track.left()) : round(track.right())]
    found = np.flatnonzero((np.abs(row - color) < 4).all(axis=1)) / len(row)
    assert found.min() == pytest.approx(0.6, abs=0.03)
    assert found.max() == pytest.approx(0.83, abs=0.03)


def check_keys(placing: MainWindow) -> None:
    guess, view = placing.parts[Teacher].panel.guess, placing.views["indices"]
    guess.slider.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(guess.slider, key)
    assert view.mark.place == (0.01,)
    guess.box.selectAll()
    QTest.keyClicks(guess.box, "0.83")
    QTest.keyClick(guess.box, Qt.Key.Key_Return)
    assert view.mark.place == (0.83,)
    assert guess.slider.value() == 83
    for wrong in ("2", "x", "-1"):
        QTest.keyClicks(guess.box, wrong)
        assert guess.box.value() == 83
    QTest.keyClick(guess.done, Qt.Key.Key_Space)
    assert placing.parts[Teacher].panel.verdict.text() == "Correct."


def check_no_guess(placing: MainWindow) -> None:
    teacher, view = placing.parts[Teacher], placing.views["indices"]
    drag(view, on_gauge(view, "associativity", 0.5))
    teacher.panel.next_button.click()
    assert (view.mark.place, view.mark.truth) == (None, (0.83,))
    assert not teacher.panel.verdict.isVisible()
    teacher.panel.next_button.click()
    assert view.mark is None
    teacher.panel.back_button.click()
    assert view.mark.is_free
    assert (view.mark.place, view.mark.truth) == (None, None)
    teacher.leave()
    assert view.mark is None
    teacher.enter()
    assert view.mark is not None


def check_play(placing: MainWindow, photo: Picture) -> None:
    teacher, view = placing.parts[Teacher], placing.views["indices"]
    teacher.go_on()
    placing.document.set("Change w", window=6)
    assert view.mark is None
    teacher.return_to_step()
    assert view.mark.truth == (0.83,)
    placing.document.open(photo, Parameters(window=5))
    assert view.mark is None
    placing.document.undo_stack.undo()
    assert view.mark is not None


def check_window(placing: MainWindow, qtbot: QtBot) -> None:
    panel, view = placing.parts[Teacher].panel, placing.views["states"]
    canvas, other = view.canvas, placing.views["image"]
    before = canvas.box.viewRect()
    drag(canvas.viewport(), *(on_canvas(canvas, 128 + far, 130) for far in (1, 5, 12)))
    assert panel.guess.box.value() == 12
    assert canvas.box.viewRect() == before  # the view has not moved
    assert placing.document.state.selection is None
    assert view.guessed.guess == QRectF(116, 116, 25, 25)
    assert other.guessed.guess == view.guessed.guess
    drag(canvas.viewport(), on_canvas(canvas, 128, 120))
    assert panel.guess.box.value() == 8
    drag(canvas.viewport(), on_canvas(canvas, 128, 120), on_canvas(canvas, 128, -60))
    assert panel.guess.box.value() == 64  # the widest there is
    panel.guess.slider.setValue(2)
    assert view.guessed.guess == QRectF(126, 126, 5, 5)
    placing.document.pin((50, 40))
    assert view.guessed.guess == QRectF(38, 48, 5, 5)  # around the pinned pixel
    panel.guess.done.click()
    assert panel.verdict.text() == "You said 2; it is 5."
    settle(qtbot, placing)
    assert (view.guessed.guess.width(), view.guessed.truth.width()) == (5, 11)
    gap = view.guessed.gap
    for column, inside in ((0, False), (3, True), (5, True), (7, False)):
        assert gap.contains(view.guessed.truth.center() + QPointF(column, 0)) == inside
    assert not canvas.placing
    canvas.clicked.emit((1, 1))
    assert placing.document.state.selection is not None  # a click is a click again


def on_canvas(canvas: Canvas, column: float, row: float) -> QPointF:
    """Return where the middle of a pixel is on screen."""
    scene = canvas.box.mapViewToScene(QPointF(column + 0.5, row + 0.5))
    return QPointF(canvas.mapFromScene(scene))


def check_cells(placing: MainWindow, qtbot: QtBot) -> None:
    teacher, view = placing.parts[Teacher], placing.views["adjacency"]
    go_to(placing, qtbot, 2)
    check_cell(placing)
    placing.document.select(None)
    teacher.go_back()
    go_to(placing, qtbot, 2)
    teacher.go_on()  # it is passed over
    assert (view.mark.place, view.mark.truth) == (None, (0, 1))
    teacher.go_back()
    go_to(placing, qtbot, 2)
    view.placed.emit((0, 1))
    assert teacher.panel.verdict.text() == "Correct."


def check_cell(placing: MainWindow) -> None:
    panel, view = placing.parts[Teacher].panel, placing.views["adjacency"]
    cells = view.map_layout(view.frame)
    header = QPointF(cells.cells.left() - 4, cells.cell(0, 0, 2).center().y()).toPoint()
    QTest.mouseClick(view, LEFT, pos=header)
    assert not placing.parts[Teacher].is_answered  # a state is not a cell
    QTest.mouseClick(view, LEFT, pos=cells.cell(1, 0, 2).center().toPoint())
    assert placing.document.state.selection is None
    assert view.mark.truth == (0, 1)
    found = view.mark.place
    said = f"You clicked row {found[0] + 1}, column {found[1] + 1}; it is row 1, column 2."
    assert panel.verdict.text() == said
    assert f"Your guess: row {found[0] + 1}" in view.accessibleDescription()
    assert not panel.guess.isVisible()
    warning = rgb_at(view, cells.cell(int(found[0]), int(found[1]), 2))
    assert warning == view.theme.color("warning").getRgb()[:3]
    assert rgb_at(view, cells.cell(0, 1, 2)) == view.theme.color("good").getRgb()[:3]
    QTest.mouseClick(view, LEFT, pos=cells.cell(0, 1, 2).center().toPoint())
    assert placing.document.state.selection is not None  # a click is a click again


def rgb_at(view: QWidget, cell: QRectF) -> tuple[int, ...]:
    """Return the colour at the lower edge of a cell."""
    drawn = rgb_of(view.grab().toImage())
    return tuple(drawn[round(cell.bottom()) - 2, round(cell.center().x())].tolist())


def check_signature(placing: MainWindow, qtbot: QtBot) -> None:
    panel, view = placing.parts[Teacher].panel, placing.views["space"]
    plot = view.plot
    qtbot.waitUntil(lambda: plot.shown is not None)
    plot.clicked.emit(plot.pixel_of(QPointF(0.5, 0.5)))
    assert panel.guess.box.text() == "0.50"
    assert view.mark.place == (0.5,)
    assert placing.document.state.selection is None
    assert plot.guessed.boundingRect().center().x() == pytest.approx(0.5, abs=0.01)
    panel.guess.box.setValue(40)
    assert plot.guessed.boundingRect().center().x() == pytest.approx(0.4, abs=0.01)
    panel.guess.done.click()
    assert panel.verdict.text() == "You said 0.40; it is 0.70: you were 0.30 too low."
    frame = settle(qtbot, placing)
    assert frame.codebook[1, 1] == pytest.approx(0.7, abs=0.005)
    gap = next(shape.path for shape in plot.guessed.shapes if shape.fill is not None)
    assert (gap.boundingRect().left(), gap.boundingRect().right()) == pytest.approx((0.4, 0.7))
    plot.clicked.emit(plot.pixel_of(QPointF(0.5, 0.5)))
    assert placing.document.state.selection is not None  # a click is a click again
