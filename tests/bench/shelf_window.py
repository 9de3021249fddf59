"""The window on a folder, as `tests.bench.shelf` measures it: ``... shelf_window FOLDER STEPS``.

It shows one image after the other in *Images* and in *Inspect*, while the table of all images is
computed in the background. It prints each step before it is taken, and at the end the number of
images in the table.
"""

import os
import sys
import time

from latviz.app.document.opening import Opener
from latviz.app.gallery.gallery import Gallery

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PyQt6.QtCore import QEventLoop, QTimer, qInstallMessageHandler
from PyQt6.QtWidgets import QApplication

from latviz.app.docking.uses import IMAGES, INSPECT
from latviz.app.program.main import application, discard
from latviz.app.program.window import MainWindow
from tests.bench.looking import wait_until
from tests.screenshots import settle

LOOKED_AT_S = 3.0
"""Seconds to show each image after it is complete, while the table continues."""


def step_through(window: MainWindow, tab: str, n_steps: int) -> None:
    """Show one image after the other in a tab, with the table in front, and growing."""
    survey = window.parts[Gallery].survey
    window.tabs.enter(tab)
    window.shell.show("images")
    for step in range(n_steps):
        print(tab, step + 1, flush=True)
        if step:
            shown = _shown(window)
            window.parts[Gallery].step(1)
            wait_until(lambda shown=shown: _shown(window) != shown)  # type: ignore[misc]
        settle(window)
        if not step:
            wait_until(lambda: survey.fraction is not None and bool(survey.fresh))
        _look_for(LOOKED_AT_S)


def _shown(window: MainWindow) -> int:
    shelf = window.document.state.shelf
    assert shelf is not None
    return shelf.shown


def _look_for(seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        QTimer.singleShot(int(1000 * left) + 1, lambda: None)
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def main(folder: str, n_steps: int) -> None:
    """Open the folder and step through it."""
    qInstallMessageHandler(lambda *_: None)
    application()
    window = MainWindow(use=IMAGES)
    try:
        window.show()
        print("opening", flush=True)
        window.parts[Opener].open_file(folder)
        wait_until(lambda: window.document.state.shelf is not None)
        for tab in (IMAGES, INSPECT):
            step_through(window, tab, n_steps)
        print("table", len(window.parts[Gallery].survey.records), flush=True)
    finally:
        discard(window)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
