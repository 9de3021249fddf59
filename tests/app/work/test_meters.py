"""Meters on screen at one moment for one job: all show the same progress."""

import re
import time
from typing import Any

import pytest
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QLabel, QProgressBar, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.program.window import MainWindow
from latviz.app.views.tradeoff.view import TradeOffView
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.work import latest_only
from latviz.app.work.activity import Activity, percent_done
from latviz.core.progress import Cancelled
from latviz.engine.advice.trying import Trying
from latviz.engine.choosing import sweeping
from tests.app.conftest import begin_anew

pytestmark = pytest.mark.usefixtures("few_views")

_PERCENT = re.compile(r"(\d+)\s*%")
_COUNT = re.compile(r"(\d+) of (\d+) copies")


def meters(*parts: QWidget) -> dict[str, int]:
    """Return the percentages that bars and words in some parts of a window show now."""
    found: dict[str, int] = {}
    for part in (inner for one in parts for inner in (one, *one.findChildren(QWidget))):
        if not part.isVisible():
            continue
        if isinstance(part, QProgressBar) and part.maximum() > 0:
            found[part.accessibleName()] = part.value()
            assert int(_PERCENT.search(part.text())[1]) == part.value()
        elif isinstance(part, QLabel):
            text = part.whole_text() if isinstance(part, ElidedLabel) else part.text()
            if (said := _PERCENT.search(text)) is not None:
                found[text] = int(said[1])
            if (counted := _COUNT.search(text)) is not None:
                found[text] = 100 * int(counted[1]) // int(counted[2])
    return found


class SlowJob:
    """A job that reports its ``fraction``, until it is cancelled or may end."""

    def __init__(self) -> None:
        self.fraction = 0.0

    def __call__(self, *given: Any, **named: Any) -> Any:
        progress = named.get("progress", given[-1] if given else None)
        while not progress.cancelled():
            progress.report(self.fraction)
            time.sleep(0.01)
        raise Cancelled


FRACTIONS = (0.125, 0.29, 0.375, 0.565, 0.625, 0.999)


def test_work_has_one_percentage(window: MainWindow, qtbot: QtBot) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_learning_opening_and_choosing_have_one_percentage_each(window, qtbot, patch)
    begin_anew(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_filling_in_is_not_told_as_choosing(window, qtbot, patch)


def check_learning_opening_and_choosing_have_one_percentage_each(
    window, qtbot, monkeypatch
) -> None:
    """The trade-off showed "4 % of the settings are there" next to the bar of choosing."""
    check_learning_and_opening(window, qtbot)
    window.tabs.stage.open_dock("tradeoff")
    view = window.views["tradeoff"]
    assert isinstance(view, TradeOffView)
    qtbot.waitUntil(lambda: bool(view.bar.rule.whole_text()), timeout=60_000)
    job = SlowJob()
    monkeypatch.setattr(Trying, "choose", job)
    window.parts[IdleJobs].choose("both")
    qtbot.waitUntil(view.bar.cancel.isVisible, timeout=60_000)
    for fraction, percent in zip(FRACTIONS, (12, 29, 37, 56, 62, 99), strict=True):
        job.fraction = fraction
        qtbot.waitUntil(lambda p=percent: view.bar.progress.value() == p)
        found = meters(window.status, view.bar)
        assert len(found) == 2
        assert set(found.values()) == {percent}
    view.bar.cancel.click()
    assert "of the settings are computed" in view.bar.rule.whole_text()


def check_learning_and_opening(window: MainWindow, qtbot: QtBot) -> None:
    status = window.status
    for fraction, percent in zip(FRACTIONS, (12, 29, 37, 56, 62, 99), strict=True):
        status.show_activity(Activity("learning", fraction))
        status.opening.show_fraction(None)
        qtbot.waitUntil(status.learning.under_way.isVisible)
        assert meters(status) == {"Learning from all signatures": percent}
    status.show_activity(Activity("idle"))
    for fraction, percent in zip(FRACTIONS, (12, 29, 37, 56, 62, 99), strict=True):
        status.opening.show_fraction(fraction)
        window.shell.say("Opening: the reference is computed again (Esc cancels)")
        qtbot.waitUntil(status.opening.isVisible)
        assert meters(status) == {"Opening": percent}
    status.opening.show_fraction(None)
    window.status.end_message()


def check_filling_in_is_not_told_as_choosing(window, qtbot, monkeypatch) -> None:
    asked: list[int] = []

    def fill(_self: object, _frame: object, progress: Any) -> None:
        progress.report(0.5)
        asked.append(1)

    monkeypatch.setattr(latest_only, "REPORT_S", 0.0)
    monkeypatch.setattr(sweeping.Sweeping, "next", fill)
    told: list[object] = []
    window.worker.choosing.connect(lambda *what: told.append(what))
    window.tabs.stage.open_dock("tradeoff")
    qtbot.waitUntil(lambda: bool(asked), timeout=60_000)
    QTest.qWait(50)
    assert told == []


@pytest.mark.parametrize(
    ("fraction", "percent"),
    [(0.0, 0), (0.005, 0), (0.29, 29), (0.57, 57), (0.9999, 99), (1.0, 100)],
)
def test_all_is_done_only_at_the_end(fraction: float, percent: int) -> None:
    assert percent_done(fraction) == percent
