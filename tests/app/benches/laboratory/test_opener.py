"""The laboratory as the main window opens and closes it."""

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from latviz.app.benches.laboratory import document
from latviz.app.benches.opener import Benches
from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.engine.benches.laboratory import Outcome
from latviz.engine.keeping.plain import to_line
from tests.app.benches.laboratory.conftest import SMALL, settle

pytestmark = pytest.mark.usefixtures("few_views")


def open_lab(window: MainWindow) -> None:
    """Open the laboratory by its menu, with a small experiment."""
    window.settings.keep_bench("lab", to_line(SMALL))
    (action,) = (
        a for a in window.menus.actions if a.text().replace("&", "").startswith("Bias and variance")
    )
    action.trigger()


def test_one_at_a_time_with_the_themes_of_the_window_and_closed_with_it(
    window: MainWindow, qtbot: QtBot
) -> None:
    open_lab(window)
    lab = window.parts[Benches].shown("lab")
    settle(qtbot, lab)
    open_lab(window)
    assert window.parts[Benches].shown("lab") is lab
    window.parts[Preferences].choose_theme("dark")
    panel = window.parts[Preferences].theme.color("panel")
    assert lab.curves.grab().toImage().pixelColor(2, 2) == panel
    worker = lab.document.worker
    lab.close()
    assert worker.wait(60_000)
    assert window.parts[Benches].shown("lab") is None
    open_lab(window)
    again = window.parts[Benches].shown("lab")
    assert again is not lab
    worker = again.document.worker
    window.close()
    assert worker.isFinished()
    assert window.parts[Benches].shown("lab") is None


def test_the_main_window_does_not_wait_for_a_laboratory_that_is_closed(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def hold(*_: object) -> Iterator[Outcome]:
        reached.set()
        go_on.wait(60)
        yield from ()

    monkeypatch.setattr(document, "run", hold)
    open_lab(window)
    lab = window.parts[Benches].shown("lab")
    worker = lab.document.worker
    assert reached.wait(60)
    limit = threading.Timer(5, go_on.set)  # ends a test that fails
    limit.start()
    lab.close()
    assert worker.isRunning()
    assert window.parts[Benches].shown("lab") is None
    open_lab(window)
    go_on.set()
    window.close()
    assert worker.isFinished()
    limit.cancel()
    limit.join()
