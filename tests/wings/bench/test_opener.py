"""The bench as the main window opens and closes it."""

import threading
from collections.abc import Iterator

import pytest

from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.wings.bench import document
from latviz.wings.bench.copies import Outcome
from latviz.wings.bench.document import keep
from latviz.wings.bench.opener import Bench
from tests.wings.bench.conftest import SMALL, settle

pytestmark = pytest.mark.usefixtures("few_views")


def open_bench(window: MainWindow) -> None:
    """Open the bench by its menu, with a small experiment."""
    keep(window.settings, SMALL)
    (action,) = (a for a in window.menus.actions if a.text() == "&Bench…")
    action.trigger()


def test_one_at_a_time_with_the_themes_of_the_window_and_closed_with_it(window, qtbot) -> None:
    open_bench(window)
    lab = window.parts[Bench].window
    settle(qtbot, lab)
    open_bench(window)
    assert window.parts[Bench].window is lab
    window.parts[Preferences].choose_theme("dark")
    panel = window.parts[Preferences].theme.color("panel")
    assert lab.curves.grab().toImage().pixelColor(2, 2) == panel
    worker = lab.document.worker
    lab.close()
    assert worker.wait(60_000)
    assert window.parts[Bench].window is None
    open_bench(window)
    again = window.parts[Bench].window
    assert again is not lab
    worker = again.document.worker
    window.close()
    assert worker.isFinished()
    assert window.parts[Bench].window is None


def test_the_main_window_does_not_wait_for_a_bench_that_is_closed(
    window, qtbot, monkeypatch
) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def hold(*_: object) -> Iterator[Outcome]:
        reached.set()
        go_on.wait(60)
        yield from ()

    monkeypatch.setattr(document, "run", hold)
    open_bench(window)
    lab = window.parts[Bench].window
    worker = lab.document.worker
    assert reached.wait(60)
    limit = threading.Timer(5, go_on.set)  # ends a test that fails
    limit.start()
    lab.close()
    assert worker.isRunning()
    assert window.parts[Bench].window is None
    open_bench(window)
    go_on.set()
    window.close()
    assert worker.isFinished()
    limit.cancel()
    limit.join()
