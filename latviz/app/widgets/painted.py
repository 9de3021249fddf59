"""Widgets that are painted, and know how long that took."""

import time
from typing import Any

from PyQt6.QtCore import QEvent, QPointF
from PyQt6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PyQt6.QtWidgets import QToolTip, QWidget

from latviz.app.theme import LIGHT, Theme


class Timed:
    """Times ``paintEvent``: list it before the widget's class whose painting it times."""

    painting = 0.0
    """Seconds."""

    def paintEvent(self, event: Any) -> None:
        """Paint, and note how long it took."""
        start = time.perf_counter()
        super().paintEvent(event)  # type: ignore[misc]
        self.painting = time.perf_counter() - start


class Painted(Timed, QWidget):
    """A widget that is painted on the empty panel, and tells what is under the pointer."""

    theme: Theme = LIGHT

    def paint_all(self, painter: QPainter) -> None:
        """Paint on the empty panel."""
        raise NotImplementedError

    def tip_at(self, _position: QPointF) -> str | None:
        """Return what to say of a position; None: leave it to Qt."""
        return None

    def apply_theme(self, theme: Theme) -> None:
        """Paint with other colours."""
        self.theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Paint the panel, and what there is."""
        start, painter = time.perf_counter(), QPainter(self)
        try:
            area = self.rect() if event is None else event.rect()
            painter.fillRect(area, self.theme.color("panel"))
            self.paint_all(painter)
        finally:
            painter.end()
        self.painting = time.perf_counter() - start

    def event(self, event: QEvent | None) -> bool:
        """Show the tool tip of what is under the pointer."""
        tip = self.tip_at(QPointF(event.pos())) if isinstance(event, QHelpEvent) else None
        if tip is None or not isinstance(event, QHelpEvent):
            return super().event(event)
        QToolTip.showText(event.globalPos(), tip, self)
        return True
