"""The laboratory, offscreen."""

from collections.abc import Iterator
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from latviz.app.benches.laboratory.window import LabWindow
from latviz.app.look import theme as themes
from latviz.app.shell.settings import Settings
from latviz.engine.benches.laboratory import Experiment, Outcome
from latviz.engine.keeping.plain import to_line
from tests.app.benches.test_benches import discard

SMALL = Experiment(side=64, region=16, replicates=20)


def opened(settings: Settings, prepared: Event | None = None) -> LabWindow:
    """Return a laboratory, by default with its kernels loaded."""
    if prepared is None:
        prepared = Event()
        prepared.set()
    window = LabWindow(settings, prepared, themes.LIGHT)
    window.show()
    return window


def settle(qtbot: QtBot, window: LabWindow) -> Outcome:
    """Wait until all copies are on screen."""
    qtbot.waitUntil(lambda: window.document.activity.work == "idle", timeout=60_000)
    outcome = window.document.outcome
    assert outcome.complete
    assert outcome.experiment == window.document.value
    return outcome


@pytest.fixture
def lab(qtbot: QtBot, no_leaked_threads: None) -> Iterator[LabWindow]:
    """A laboratory with a small experiment, settled, with no stored settings."""
    settings = Settings(lasting=False)
    settings.keep_bench("lab", to_line(SMALL))
    window = opened(settings)
    settle(qtbot, window)
    yield window
    discard(window)
