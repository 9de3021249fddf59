"""Python's collector of cycles, kept to the window's thread."""

import gc

from PyQt6.QtCore import QObject, QTimer

EVERY_MS = 500
"""How long what is due may wait; fewer objects than Python itself waits for are left alone."""

_collectors: list[int] = []
"""Those that are there; Python collects by itself while there are none."""


class Collector(QObject):
    """Frees cycles on the window's thread alone, as long as it lives.

    What was closed is in cycles with objects of Qt, and these must be freed on the window's thread.
    Python itself collects on whatever thread makes the next object, as those do that compute.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        own = id(self)
        _collectors.append(own)
        gc.disable()
        self.destroyed.connect(lambda: _leave(own))
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(collect_what_is_due)
        self._timer.start()


def collect_what_is_due() -> None:
    """Collect the oldest generation that Python would by now."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    due = [k for k in range(3) if counts[k] > thresholds[k]]
    if due:
        gc.collect(due[-1])


def _leave(collector: int) -> None:
    _collectors.remove(collector)
    if not _collectors:
        gc.enable()
