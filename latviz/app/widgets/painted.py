"""Widgets that a painter paints."""

import time

from PyQt6.QtCore import QEvent, QPointF
from PyQt6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PyQt6.QtWidgets import QToolTip, QWidget

from latviz.app.theme import LIGHT, Theme
from latviz.app.widgets.timed import Timed


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
