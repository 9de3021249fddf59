"""Windows that are closed leave nothing behind."""

import gc
import weakref

from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.compare.comparison import Comparing
from latviz.app.exporting.exporting import Exporter
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import settle


def collect() -> None:
    """Free all unreferenced objects: Qt deletes its part of some a little later."""
    for _ in range(3):
        gc.collect()
        QTest.qWait(10)


def opened_and_closed(qtbot: QtBot, picture: Picture) -> list[weakref.ref[object]]:
    """Return weak references to the objects of a window that showed a picture."""
    window = MainWindow(theme="light")
    window.show()
    window.document.open(picture, Parameters())
    settle(qtbot, window)
    held = [
        window.parts[Comparing],
        window.parts[Exporter],
        window.document.state,
        window.views["space"].plot,
    ]
    references = [weakref.ref(part) for part in held]
    discard(window)
    return references


def test_what_a_closed_window_held_goes(qtbot, no_leaked_threads, photo) -> None:
    gc.collect()
    gc.freeze()  # so that collecting skips older objects
    opened_and_closed(qtbot, photo)
    collect()
    widgets = len(QApplication.topLevelWidgets())
    references = opened_and_closed(qtbot, photo)
    collect()
    assert [reference() for reference in references] == [None] * len(references)
    assert len(QApplication.topLevelWidgets()) <= widgets
    gc.unfreeze()
