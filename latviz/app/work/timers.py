"""Timers that act once."""

from collections.abc import Callable

from PyQt6.QtCore import QObject, QTimer


def once_after(milliseconds: int, act: Callable[[], object], parent: QObject) -> QTimer:
    """Return a timer that acts once, so long after it was started last."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(act)
    return timer
