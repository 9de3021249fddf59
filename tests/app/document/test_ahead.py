"""While a slider is moved, its next values are computed in advance."""

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from latviz.app.document import document, worker
from latviz.app.program.window import MainWindow
from latviz.engine.flow import ahead
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame
from tests.app.conftest import begin_anew, settle

pytestmark = pytest.mark.usefixtures("few_views")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Assume that the slider still moves, even on a slow computer, and never rests."""
    monkeypatch.setattr(ahead, "HAND_S", 60.0)
    monkeypatch.setattr(document, "REST_MS", 350)
    monkeypatch.setattr(worker, "PAUSE_S", 0.1)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """Note the w of everything that is computed, and whether it is shown."""
    ended: list[tuple[int, bool]] = []
    known = Pipeline.run

    def noted(self: Pipeline, request: Any, listener: Any = None, **options: Any) -> Frame:
        frame = known(self, request, listener, **options)
        ended.append((request.parameters.window, listener.show is not None))
        return frame

    monkeypatch.setattr(Pipeline, "run", noted)
    return ended


def move_to(window: MainWindow, qtbot: QtBot, last: int) -> None:
    """Move w from 2 up to a value, each step once the one before is shown."""
    for w in range(2, last + 1):
        window.document.set("w", window=w)
        qtbot.waitUntil(lambda w=w: window.document.frame.request.parameters.window == w)


def test_steps_ahead_are_known_or_told(window, qtbot, run) -> None:
    check_the_next_step_of_a_slider_is_known_when_it_comes(window, qtbot, run)
    begin_anew(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_what_goes_wrong_ahead_is_told_when_it_is_asked_for(window, qtbot, patch)


def check_the_next_step_of_a_slider_is_known_when_it_comes(window, qtbot, run) -> None:
    frames: list[Frame] = []
    window.document.frame_changed.connect(frames.append)
    for w in (2, 3, 4):
        window.document.set("w", window=w)
        qtbot.waitUntil(lambda w=w: (w, True) in run)
    qtbot.waitUntil(lambda: (5, False) in run)
    qtbot.wait(20)
    assert {frame.request.parameters.window for frame in frames} <= {2, 3, 4}
    window.document.set("w", window=5)
    qtbot.waitUntil(lambda: frames[-1].request.parameters.window == 5)
    first = next(frame for frame in frames if frame.request.parameters.window == 5)
    assert first.whole  # frames of w = 4 may have come meanwhile
    assert first.request.number > frames[0].request.number
    assert (5, True) not in run  # it is the frame that was computed ahead


def check_what_goes_wrong_ahead_is_told_when_it_is_asked_for(window, qtbot, monkeypatch) -> None:
    known, failed, refused = Pipeline.run, [], []

    def fail(self: Pipeline, request: Any, *arguments: Any, **options: Any) -> Frame:
        if request.parameters.window == 5:
            refused.append(1)
            raise ValueError("five")
        return known(self, request, *arguments, **options)

    window.document.failed.connect(failed.append)
    monkeypatch.setattr(Pipeline, "run", fail)
    move_to(window, qtbot, 4)
    qtbot.waitUntil(lambda: bool(refused))
    qtbot.wait(50)
    assert failed == []
    window.document.set("w", window=5)
    qtbot.waitUntil(lambda: bool(failed))
    assert "five" in failed[0].message
    window.document.set("w", window=6)
    settle(qtbot, window)
    assert window.document.frame.request.parameters.window == 6
