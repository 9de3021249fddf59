"""How long the last refresh took, stage by stage and view by view, over the window."""

import math
import time
from collections import deque
from collections.abc import Mapping

from PyQt6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PyQt6.QtGui import QFontDatabase
from PyQt6.QtWidgets import QLabel, QWidget

from latviz.app.actions import Action, Item
from latviz.app.document import Document
from latviz.app.views.base import View
from latviz.engine.frame import Frame

REFRESH_MS = 250
RATE_OVER_S = 1.0
MARGIN = 12


class Latency(QLabel):
    """A table in the corner of its parent where it covers least; it lets the mouse through.

    While it is hidden nothing is counted but the frames of the last second.
    """

    def __init__(self, document: Document, views: Mapping[str, View], parent: QWidget) -> None:
        super().__init__(parent)
        self._document, self._views = document, views
        self._shown: deque[float] = deque()
        self._frame: Frame | None = None
        self.setObjectName("latency")
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Latency of the last refresh")
        self.hide()
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_MS)
        self._timer.timeout.connect(self.refresh)
        document.frame_changed.connect(self._take)
        parent.installEventFilter(self)

    def menu_items(self) -> tuple[Item, ...]:
        """Return what is offered in the menus."""
        return (
            Action(
                "L&atency",
                "Show how long the last refresh took, stage by stage and view by view",
                self.set_shown,
                "F12",
                ("View", 4.3),
                ticked=lambda: not self.isHidden(),
            ),
        )

    def set_shown(self, shown: bool) -> None:
        """Show or hide the table."""
        self.setVisible(shown)
        if shown:
            self.refresh()
            self._timer.start()
        else:
            self._timer.stop()

    def refresh(self) -> None:
        """Write the table anew."""
        self.setText(report(self._document, self._frame, self._views, self.rate()))
        self.adjustSize()
        self._place()
        self.raise_()

    def rate(self) -> float:
        """Return the frames a second, over the last second."""
        now = time.monotonic()
        while self._shown and now - self._shown[0] > RATE_OVER_S:
            self._shown.popleft()
        return len(self._shown) / RATE_OVER_S

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Stay in its place."""
        if event is not None and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _take(self, frame: Frame) -> None:
        self._shown.append(time.monotonic())
        self._frame = frame
        self.rate()

    def _place(self) -> None:
        parent = self.parentWidget()
        assert parent is not None
        right, bottom = parent.width() - self.width(), parent.height() - self.height()
        places = [
            QPoint(x, y)
            for y in (bottom - 3 * MARGIN, 3 * MARGIN)
            for x in (MARGIN, right - MARGIN)
        ]
        self.move(min(places, key=self._covered))

    def _covered(self, corner: QPoint) -> int:
        """Return how much of the drawn views is covered at a place, in square pixels."""
        place, area = QRect(corner, self.size()), 0
        for view in self._views.values():
            if view.isVisible() and view.window() is self.window() and not view.WRITTEN:
                shared = place & QRect(view.mapTo(self.window(), QPoint()), view.size())
                area += shared.width() * shared.height()
        return area


def report(document: Document, frame: Frame | None, views: Mapping[str, View], rate: float) -> str:
    """Return the table as lines of text; times in milliseconds."""
    lines = [
        "milliseconds",
        _line("asked to shown", document.timing.latency),
        f"{'frames a second':18}{rate:8.0f}",
        f"{'dropped requests':18}{document.timing.dropped:8}",
    ]
    if frame is not None:
        lines.append("stages")
        slowest = sorted(frame.timings.items(), key=lambda item: -item[1])
        lines += [_line(f"  {name}", seconds) for name, seconds in slowest]
    lines.append("views")
    lines += [_line(f"  {name}", view.seconds) for name, view in views.items() if view.isVisible()]
    return "\n".join(lines)


def _line(name: str, seconds: float | None) -> str:
    value = "–" if seconds is None or math.isinf(seconds) else f"{1000 * seconds:.1f}"
    return f"{name:18.18}{value:>8}"
