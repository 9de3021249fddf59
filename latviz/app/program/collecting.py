"""Python's collector of cycles, kept to the window's thread."""

import gc
import weakref
from collections.abc import Callable

from PyQt6 import sip
from PyQt6.QtCore import QObject, QTimer

from latviz.app.document.worker import Worker
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell

EVERY_MS = 500
"""Time between checks; with fewer new objects than Python's own threshold nothing is collected."""

_collectors: "weakref.WeakSet[Collector]" = weakref.WeakSet()
"""Python collects by itself without one."""


class Collector(QObject):
    """Frees cycles on the window's thread only, as long as it lives."""

    # Closed windows are in cycles with objects of Qt, which must be freed on the window's thread.
    # Python collects on any thread that makes the next object, as computing threads do. While
    # ``is_starting`` returns True, nothing is collected: the generations fill with imports, which
    # stay, and a search through them would stall the window

    def __init__(self, parent: QObject, is_starting: Callable[[], bool]) -> None:
        super().__init__(parent)
        self.is_starting = is_starting
        _collectors.add(self)
        gc.disable()
        # A function of a module: a closure may be destroyed by then.
        self.destroyed.connect(_leave)
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(_collect)
        self._timer.start()


class Collecting(Feature):
    """Has a collector while the window lives."""

    def __init__(self, parts: Parts) -> None:
        self.collector = Collector(parts[Shell].main_window, parts[Worker].is_starting)


def _collect() -> None:
    """Collect garbage that is due, unless a program is starting.

    Module-level, so that the garbage collector cannot free it while it runs.
    """
    there = [one for one in _collectors if not sip.isdeleted(one)]
    if not any(one.is_starting() for one in there):
        collect_what_is_due()


def collect_what_is_due() -> None:
    """Collect the oldest generation that Python would by now."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    due = [k for k in range(3) if counts[k] > thresholds[k]]
    if due:
        gc.collect(due[-1])


def _leave(_: QObject) -> None:
    """Leave it to Python later: now Qt is taking the window apart, and collecting would be due."""
    QTimer.singleShot(0, _enable)


def _enable() -> None:
    if all(sip.isdeleted(collector) for collector in _collectors):
        gc.enable()
