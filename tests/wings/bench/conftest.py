"""The bench, offscreen, in both of its modes."""

from collections.abc import Iterator
from threading import Event

import pytest
from PyQt6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from latviz.app.look import theme as themes
from latviz.app.shell.settings import Settings
from latviz.wings.bench.copies import Outcome
from latviz.wings.bench.document import BenchDocument, Moment, keep
from latviz.wings.bench.experiment import PRESETS, Experiment
from latviz.wings.bench.window import BenchWindow

SMALL = Experiment(side=64, region=16, replicates=20)
FIELD = PRESETS["smooth"].experiment(side=64)


def opened(experiment: Experiment, prepared: Event | None = None) -> BenchWindow:
    """Return a paused bench with an experiment, by default with its kernels loaded."""
    settings = Settings(lasting=False)
    keep(settings, experiment)
    if prepared is None:
        prepared = Event()
        prepared.set()
    window = BenchWindow(settings, prepared, themes.LIGHT, running=False)
    window.show()
    return window


def discard(window: BenchWindow) -> None:
    """Close a bench and delete it."""
    worker = window.document.worker
    window.close()
    assert worker.wait(60_000)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def settle(qtbot: QtBot, window: BenchWindow) -> Outcome:
    """Wait until all copies are on screen."""
    qtbot.waitUntil(lambda: window.document.activity.work == "idle", timeout=60_000)
    outcome = window.document.outcome
    assert outcome.complete
    assert outcome.experiment.copied == window.document.value.copied
    return outcome


def rest(qtbot: QtBot, window: BenchWindow) -> Moment:
    """Wait until all sweeps are on screen, and read."""

    def is_read(document: BenchDocument) -> bool:
        moment, order = document.moment, document.order
        if moment is None or moment.order is not order or moment.sweeps < order.sweeps:
            return False
        return moment.reading.truth is moment.states

    qtbot.waitUntil(lambda: is_read(window.document), timeout=120_000)
    assert window.document.moment is not None
    return window.document.moment


@pytest.fixture
def lab(qtbot: QtBot, no_leaked_threads: None) -> Iterator[BenchWindow]:
    """A bench with a small fixed truth, settled."""
    window = opened(SMALL)
    settle(qtbot, window)
    yield window
    discard(window)


@pytest.fixture
def play(qtbot: QtBot, no_leaked_threads: None) -> Iterator[BenchWindow]:
    """A paused bench with a small sampled truth of three states."""
    window = opened(FIELD)
    rest(qtbot, window)
    yield window
    discard(window)
