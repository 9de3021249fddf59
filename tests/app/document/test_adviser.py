"""The adviser in the window: what it offers, what becomes of it, and when it is silent."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from latviz.app.document.adviser import Adviser, Taken
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.exporting.exporting import Exporter
from latviz.app.program.window import MainWindow
from latviz.app.views.guide.view import ASKED, GuideView
from latviz.app.views.states.view import SHOWN_MS
from latviz.engine.advice.acts import Promise
from latviz.engine.advice.trying import Trying
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from tests.app.conftest import settle
from tests.app.frames import timer_of
from tests.engine.advice.cases import MAKERS, Case, with_grey

LARGE = with_grey(window=14)
"""A window that is too large for the picture."""


def wide_noise() -> Picture:
    return Picture(MAKERS["wide noise"](), "noisy")


def test_advice_is_tried_taken_and_undone(window, qtbot, monkeypatch, tmp_path) -> None:
    tried: list[object] = []
    advance = Trying.next
    monkeypatch.setattr(Trying, "next", lambda *given: tried.append(1) or advance(*given))
    window.tabs.enter("tradeoff")  # which fills in windows in idle time
    window.document.open(wide_noise(), LARGE)
    settle(qtbot, window)
    assert not window.views["guide"].isVisible()
    qtbot.waitUntil(lambda: window.parts[IdleJobs].trade_off is not None)
    assert not tried
    assert window.parts[Adviser].advice is None
    window.tabs.enter("explore")
    check_advice_appears_and_is_taken(window, qtbot)
    assert tried
    check_nothing_is_tried_again(window, qtbot, monkeypatch, tmp_path / "summary.json")
    check_what_was_undone_is_not_offered_again(window, qtbot)
    guide = window.views["guide"]
    guide.show_asked(True)
    assert guide.headline.whole_text() == ASKED
    assert guide.offer.isHidden()
    assert "windows here" not in guide.keyboard.accessibleDescription()
    guide.show_asked(False)
    assert guide.offer.isVisible()
    check_another_picture_clears(window, qtbot)
    # All was tried before another picture, which is undone before anything of it is tried.
    window.document.open(Picture(MAKERS["few"](), "few"), LARGE)
    window.document.undo_stack.undo()
    assert window.parts[Adviser].advice is None
    settle(qtbot, window)
    qtbot.waitUntil(window.views["guide"].offer.isVisible)
    check_little_is_said_of_little(window, qtbot)


def check_advice_appears_and_is_taken(window: MainWindow, qtbot: QtBot) -> None:
    guide, document = window.views["guide"], window.document
    assert isinstance(guide, GuideView)
    qtbot.waitUntil(guide.offer.isVisible)
    advice = window.parts[Adviser].advice
    assert advice.finding == "window"
    assert guide.headline.whole_text() == advice.says.removesuffix(".")
    assert advice.because in guide.keyboard.accessibleDescription()
    assert guide.offer.text() == advice.offer.text
    before, states = document.frame, window.views["states"]
    guide.offer.click()
    assert document.parameters == advice.offer.after == replace(LARGE, window=4)
    assert guide.offer.isHidden()  # until this was tried, too
    after = settle(qtbot, window)
    check_outcome(guide, advice.offer.promise, map_of(before) != map_of(after))
    assert states.kept_frame().states is before.states  # which is wiped away
    assert 0 < states.share_of_a() <= 1
    qtbot.waitUntil(states.changed_pixels.isVisible)
    assert states.kept_frame() is None
    timer_of(states, SHOWN_MS).timeout.emit()  # after a moment they fade
    qtbot.waitUntil(lambda: 0 < states.changed_pixels.opacity() < 1)
    qtbot.waitUntil(lambda: not states.changed_pixels.isVisible())
    guide.keep.setFocus()
    guide.keep.click()
    assert guide.window_control.slider.hasFocus()  # which Keep, hidden now, cannot have
    assert guide.changes.isHidden()
    assert guide.brief.isVisible()
    qtbot.waitUntil(guide.offer.isVisible)
    assert guide.offer.text().startswith("Try belief, refined: pixel error ")


def check_nothing_is_tried_again(window: MainWindow, qtbot: QtBot, monkeypatch, path: Path) -> None:
    """The summary has the advice on screen."""
    adviser = window.parts[Adviser]
    qtbot.waitUntil(lambda: adviser.advice is not None and adviser.advice.wanted is None)
    tried: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(Trying, "make", lambda *given: tried.append(given))
        patch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(path))
        window.parts[Exporter].export_results(".json")
        qtbot.waitUntil(path.exists)
    assert not tried
    assert json.loads(path.read_text("utf-8"))["advice"] == adviser.advice.to_plain()


def map_of(frame: Frame) -> NDArray[np.uint8]:
    """Return the colour of each pixel's state, which N and w keep."""
    return np.array(frame.slots)[frame.states]


def check_outcome(guide: GuideView, promise: Promise, changed: NDArray[np.bool_]) -> None:
    """The numbers are those of the promise, and of the two maps."""
    assert guide.changes.isVisible()
    assert guide.brief.isHidden()
    text = guide.changes.whole_text()
    assert guide.changes.text() == text  # uncut
    assert text in guide.keyboard.accessibleDescription()
    numbers = [float(x.replace("−", "-")) for x in re.findall(r"−?\d+\.?\d*", text)]
    assert numbers[:2] == pytest.approx([promise.before, promise.after], abs=0.005)
    assert numbers[2] == pytest.approx(100 * changed.mean(), abs=0.1)


def test_of_a_large_picture_the_numbers_are_those_of_the_middle(monkeypatch) -> None:
    monkeypatch.setattr("latviz.engine.advice.tries.SEEN", 3600)
    case = Case(MAKERS["wide noise"]())
    before = case.frame(LARGE)
    advice = case.final(before)
    assert advice.because.endswith(" Measured in the middle: 60 × 60 pixels.")
    taken = Taken(advice.offer, before, case.frame(advice.offer.after))
    numbers = [
        f"{number:.2f}" for number in (advice.offer.promise.before, advice.offer.promise.after)
    ]
    share = float((map_of(taken.before) != map_of(taken.after)).mean())
    of_all = f"{100 * share:.1f}\N{NO-BREAK SPACE}% of the pixels changed"
    assert taken.text == f"Pixel error {' → '.join(numbers)} bits in the middle, {of_all}"
    small = replace(advice.offer, middle="")
    assert "middle" not in replace(taken, offer=small).text


def check_what_was_undone_is_not_offered_again(window: MainWindow, qtbot: QtBot) -> None:
    guide, adviser = window.views["guide"], window.parts[Adviser]
    window.document.undo_stack.undo()
    assert window.document.parameters == LARGE
    settle(qtbot, window)
    qtbot.waitUntil(guide.offer.isVisible)
    assert adviser.advice.finding == "refined"
    window.document.set("w", window=15)
    settle(qtbot, window)
    window.document.set("w", window=14)
    settle(qtbot, window)
    qtbot.waitUntil(guide.offer.isVisible)
    assert adviser.advice.finding == "refined"


def check_another_picture_clears(window: MainWindow, qtbot: QtBot) -> None:
    """The same settings on the same numbers: what was undone may be offered again."""
    guide = window.views["guide"]
    window.document.open(wide_noise(), LARGE)
    assert window.parts[Adviser].advice is None
    assert guide.offer.isHidden()
    settle(qtbot, window)
    qtbot.waitUntil(guide.offer.isVisible)
    assert guide.offer.text().startswith("Go to w = 4: pixel error ")
    window.document.point(still=True)
    states = window.views["states"]
    guide.offer.click()
    qtbot.waitUntil(states.changed_pixels.isVisible)
    assert states.kept_frame() is None  # nothing moves
    timer_of(states, SHOWN_MS).timeout.emit()
    assert not states.changed_pixels.isVisible()
    assert guide.changes.isVisible()
    guide.undo.click()
    assert window.document.parameters == LARGE
    assert guide.changes.isHidden()
    settle(qtbot, window)
    qtbot.waitUntil(guide.offer.isVisible)
    assert not guide.offer.text().startswith("Go to w = 4")  # it was undone
    window.document.point(still=False)


def check_little_is_said_of_little(window: MainWindow, qtbot: QtBot) -> None:
    guide = window.views["guide"]
    window.document.open(Picture(MAKERS["few"](), "few"), LARGE)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: guide.headline.whole_text() == "There is too little to judge")
    assert guide.brief.whole_text() == "There are 399 pixels; 400 are needed."
    assert guide.offer.isHidden()
