"""The adviser in the window: what it offers, what becomes of it, and when it is silent."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from latviz.app.document.adviser import Adviser
from latviz.app.program.window import MainWindow
from latviz.app.views.guide.view import ASKED, GuideView
from latviz.engine.advice.trying import Trying
from latviz.engine.pictures.picture import Picture
from tests.app.conftest import settle
from tests.engine.advice.cases import MAKERS, with_grey

LARGE = with_grey(window=14)
"""A window that is too large for the picture."""


def wide_noise() -> Picture:
    return Picture(MAKERS["wide noise"](), "noisy")


def test_advice_is_tried_taken_and_undone(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[object] = []
    advance = Trying.next
    monkeypatch.setattr(Trying, "next", lambda *given: tried.append(1) or advance(*given))
    check_nothing_is_tried_while_the_guide_is_hidden(window, qtbot, tried)
    window.tabs.enter("explore")
    check_advice_appears_and_is_taken(window, qtbot)
    assert tried
    check_what_was_undone_is_not_offered_again(window, qtbot)
    check_a_question_silences_it(window)
    check_another_picture_clears(window, qtbot)
    check_little_is_said_of_little(window, qtbot)


def check_nothing_is_tried_while_the_guide_is_hidden(
    window: MainWindow, qtbot: QtBot, tried: list[object]
) -> None:
    window.tabs.enter("tradeoff")  # which fills in windows in idle time
    window.document.open(wide_noise(), LARGE)
    settle(qtbot, window)
    assert not window.views["guide"].isVisible()
    qtbot.waitUntil(lambda: window.parts[Adviser]._idle.trade_off is not None)
    assert not tried
    assert window.parts[Adviser].advice is None


def check_advice_appears_and_is_taken(window: MainWindow, qtbot: QtBot) -> None:
    guide, document = window.views["guide"], window.document
    assert isinstance(guide, GuideView)
    qtbot.waitUntil(guide.offer.isVisible)
    advice = window.parts[Adviser].advice
    assert advice is not None
    assert advice.offer is not None
    assert advice.finding == "window"
    assert guide.headline.whole_text() == advice.says.removesuffix(".")
    assert advice.because in guide.keyboard.accessibleDescription()
    assert guide.offer.text() == advice.offer.text
    assert len(guide.band.curve) == 21  # of the windows that were tried
    guide.offer.click()
    assert document.parameters == advice.offer.after == replace(LARGE, window=4)
    assert guide.offer.isHidden()  # until this was tried, too
    settle(qtbot, window)
    qtbot.waitUntil(guide.offer.isVisible)
    assert guide.offer.text().startswith("Try belief, refined: pixel error ")


def check_what_was_undone_is_not_offered_again(window: MainWindow, qtbot: QtBot) -> None:
    guide, adviser = window.views["guide"], window.parts[Adviser]
    window.document.undo_stack.undo()
    assert window.document.parameters == LARGE
    settle(qtbot, window)
    qtbot.waitUntil(guide.offer.isVisible)
    assert adviser.advice is not None
    assert adviser.advice.finding == "refined"
    window.document.set("w", window=15)
    settle(qtbot, window)
    window.document.set("w", window=14)
    settle(qtbot, window)
    qtbot.waitUntil(guide.offer.isVisible)
    assert adviser.advice.finding == "refined"


def check_a_question_silences_it(window: MainWindow) -> None:
    guide = window.views["guide"]
    guide.show_asked(True)
    assert guide.headline.whole_text() == ASKED
    assert guide.offer.isHidden()
    assert "windows here" not in guide.keyboard.accessibleDescription()
    guide.show_asked(False)
    assert guide.offer.isVisible()


def check_another_picture_clears(window: MainWindow, qtbot: QtBot) -> None:
    """The same settings on the same numbers: what was undone may be offered again."""
    guide = window.views["guide"]
    window.document.open(wide_noise(), LARGE)
    assert window.parts[Adviser].advice is None
    assert guide.offer.isHidden()
    settle(qtbot, window)
    qtbot.waitUntil(guide.offer.isVisible)
    assert guide.offer.text().startswith("Go to w = 4: pixel error ")


def check_little_is_said_of_little(window: MainWindow, qtbot: QtBot) -> None:
    guide = window.views["guide"]
    window.document.open(Picture(MAKERS["few"](), "few"), LARGE)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: guide.headline.whole_text() == "There is too little to judge")
    assert guide.brief.whole_text() == "It has 399 pixels; 400 are needed."
    assert guide.offer.isHidden()
