"""Cycles of objects are freed on the window's thread, even if another thread makes objects."""

import gc
import threading
import weakref

import pytest
from PyQt6.QtCore import QObject
from pytestqt.qtbot import QtBot

from latviz.app.program import collecting
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings

pytestmark = pytest.mark.usefixtures("few_views")


class Told:
    """Takes note of the thread on which it is freed."""

    def __init__(self, freed: list[threading.Thread]) -> None:
        self.freed, self.itself = freed, self

    def __del__(self) -> None:
        self.freed.append(threading.current_thread())


def work() -> None:
    """Make enough objects that Python would collect all generations, several times."""
    for _ in range(40):
        assert len([[] for _ in range(10_000)]) == 10_000


def test_what_a_thread_makes_frees_nothing_there(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(window.worker.prepared.is_set)  # until then, no garbage is collected
    freed: list[threading.Thread] = []
    for _ in range(3):
        Told(freed)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert freed == []
    more = [[] for _ in range(2_000)]  # enough that collecting is due
    qtbot.waitUntil(lambda: len(freed) == 3, timeout=20_000)
    assert len(more) == 2_000
    assert set(freed) == {threading.main_thread()}


def test_while_kernels_are_loaded_nothing_is_collected(monkeypatch, qtbot) -> None:
    collected: list[bool] = []
    starting, parent = [True], QObject()
    monkeypatch.setattr(collecting, "collect_what_is_due", lambda: collected.append(starting[0]))
    collector = collecting.Collector(parent, lambda: starting[0])
    qtbot.wait(2 * collecting.EVERY_MS + 100)
    starting[0] = False
    qtbot.waitUntil(lambda: bool(collected))
    assert collected[0] is False
    assert collector.parent() is parent


def test_python_collects_by_itself_again_once_no_window_is_left(qtbot: QtBot) -> None:
    gc.collect()  # windows that other tests left
    qtbot.waitUntil(gc.isenabled)
    one, other = (MainWindow(Settings(), "light") for _ in range(2))
    assert not gc.isenabled()
    discard(one)
    qtbot.wait(20)
    assert not gc.isenabled()
    discard(other)
    assert not gc.isenabled()  # while Qt takes the window apart
    qtbot.waitUntil(gc.isenabled)


def test_a_window_that_nobody_closed_ends_its_thread_when_it_is_freed(qtbot: QtBot) -> None:
    window = MainWindow(Settings(), "light")
    thread, freed = window.worker, weakref.ref(window)
    qtbot.waitUntil(thread.isRunning)
    del window
    gc.collect()
    assert freed() is None
    qtbot.waitUntil(thread.isFinished)
