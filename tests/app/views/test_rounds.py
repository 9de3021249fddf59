"""States are painted first; views that take long together are drawn in several rounds."""

import math
from collections.abc import Callable

import pytest
from PyQt6.QtCore import QCoreApplication, QEvent, QObject
from PyQt6.QtGui import QImage, QPaintEvent
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.views.picture import PictureView
from latviz.app.views.registry import Views
from latviz.app.views.rounds import ROUND_S, Drawn, Rounds
from latviz.engine.frames.frame import Frame
from tests.app.conftest import settle


class Slow:
    """Something that takes a given time to draw, and takes note of when it was."""

    def __init__(self, name: str, seconds: float, rounds: Rounds, drawn: list[str]) -> None:
        self.name, self.seconds, self.rounds, self.drawn = name, seconds, rounds, drawn
        self.is_stale = False

    def change(self) -> None:
        self.is_stale = not self.rounds.admit(self)
        if not self.is_stale:
            self.drawn.append(self.name)

    def draw_if_stale(self) -> None:
        if self.is_stale:
            self.change()


@pytest.fixture
def drawn() -> list[str]:
    return []


@pytest.fixture
def rounds(qapp: QApplication) -> Rounds:
    return Rounds(qapp)


@pytest.fixture
def slow(rounds: Rounds, drawn: list[str]) -> Callable[[str, float], Slow]:
    """Return a function that makes a slow view, which writes its name when it is drawn."""
    return lambda name, seconds: Slow(name, seconds, rounds, drawn)


def test_what_takes_long_is_drawn_after_the_events_that_came_meanwhile(
    qtbot, rounds, drawn, slow
) -> None:
    parts = [slow(name, 0.4 * ROUND_S) for name in "abcde"]
    for part in parts:
        part.change()
    assert drawn == ["a", "b"]
    assert not rounds.is_over
    parts[2].change()
    assert drawn == ["a", "b"]
    QCoreApplication.processEvents()
    qtbot.waitUntil(lambda: rounds.is_over)
    assert drawn == ["a", "b", "c", "d", "e"]


def test_what_takes_longer_than_a_round_is_drawn_alone(qtbot, rounds, drawn, slow) -> None:
    parts = [slow(name, 3 * ROUND_S) for name in "abc"]
    for part in parts:
        part.change()
    assert drawn == ["a"]
    qtbot.waitUntil(lambda: rounds.is_over)
    assert drawn == ["a", "b", "c"]


def test_what_is_drawn_meanwhile_is_not_drawn_again(rounds, drawn, slow) -> None:
    first, second = (slow(name, ROUND_S) for name in "ab")
    first.change()
    second.change()
    second.seconds = 0.0
    second.change()
    assert drawn == ["a", "b"]
    assert rounds.is_over
    QCoreApplication.processEvents()
    assert drawn == ["a", "b"]


class Paintings(QObject):
    """Notes which frame a view had when its picture was painted all over."""

    def __init__(self, view: PictureView) -> None:
        super().__init__()
        self._view, self.frames = view, list[Frame | None]()
        viewport = view.canvas.viewport()
        self._least = 0.5 * viewport.width()
        viewport.installEventFilter(self)

    def eventFilter(self, _watched: QObject | None, event: QEvent | None) -> bool:
        """Take note of a painting."""
        if isinstance(event, QPaintEvent) and event.rect().width() > self._least:
            self.frames.append(self._view.frame)
        return False


def paintings(window: MainWindow, name: str) -> Paintings:
    return Paintings(window.views[name])


def check_states_are_painted_before_anyone_is_told_of_their_frame(window, qtbot) -> None:
    settle(qtbot, window)
    painted, before, told = paintings(window, "states"), window.document.frame, list[Frame]()

    def take(frame: Frame) -> None:
        told.append(frame)
        assert painted.frames
        shown = painted.frames[-1]
        assert shown.states is frame.states

    window.document.frame_changed.connect(take)
    window.document.set("w", window=before.request.parameters.window + 2)
    settle(qtbot, window)
    assert told
    states = {id(frame.states) for frame in told}
    assert len(painted.frames) <= len(states) + 1  # and once more at most, at the end of a move
    window.document.frame_changed.disconnect(take)
    check_an_image_is_not_painted_because_states_change(window, qtbot)


def check_an_image_is_not_painted_because_states_change(window: MainWindow, qtbot: QtBot) -> None:
    settle(qtbot, window)
    painted, before = paintings(window, "image"), window.document.frame
    window.document.set("N", n_states=len(before.slots) + 1)
    settle(qtbot, window)
    assert window.document.frame is not before
    assert painted.frames == []


def test_states_are_painted_first_and_views_drawn_in_rounds_show_the_same(
    window, qtbot, monkeypatch
) -> None:
    check_states_are_painted_before_anyone_is_told_of_their_frame(window, qtbot)
    check_a_first_drawing_fills_a_round(window, qtbot)
    window.parts[Views].rounds.limit = 0.0
    waited: list[str] = []
    admit = window.parts[Views].rounds.admit

    def admitted(view: Drawn) -> bool:
        may = admit(view)
        if not may:
            waited.append(type(view).__name__)
        return may

    monkeypatch.setattr(window.parts[Views].rounds, "admit", admitted)
    window.document.set("N", n_states=6)
    settle(qtbot, window)
    assert len(set(waited)) > 3
    in_rounds = shown(window)
    window.parts[Views].rounds.limit = 60.0
    for n_states in (5, 6):
        window.document.set("N", n_states=n_states)
        settle(qtbot, window)
    at_once = shown(window)
    assert at_once.keys() == in_rounds.keys()
    for name, image in at_once.items():
        assert image == in_rounds[name], name


def shown(window: MainWindow) -> dict[str, QImage]:
    return {n: view.grab().toImage() for n, view in window.views.items() if view.isVisible()}


def check_a_first_drawing_fills_a_round(window: MainWindow, qtbot: QtBot) -> None:
    """Its duration is unknown, so views that were never drawn are drawn in rounds of their own."""
    view = window.views["tree"]
    assert not view.isVisible()
    assert math.isinf(view.seconds)
    window.tabs.stage.open_dock("tree")
    qtbot.waitUntil(lambda: view.seconds < 60.0)
    assert all(view.seconds < 60.0 for view in window.views.values() if view.isVisible())
