"""The mouse over the scenes of pyqtgraph."""

import math
from typing import Any

from PyQt6.QtCore import QEvent, Qt, pyqtSignal
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtWidgets import QApplication

from latviz.app.widgets.painting import Timed


class Scene(Timed):
    """Follows which buttons are held: list it before a widget of pyqtgraph."""

    # A menu or a window that opens meanwhile takes the release of a button. pyqtgraph would take
    # the next drag as one with that button

    # Any, as mypy knows no signals of a class that becomes a QObject with its subclasses only
    touched: Any = pyqtSignal()  # a button was pressed: a click or a drag may follow
    doubled: Any = pyqtSignal()  # a second click follows: the first one is to have no effect
    sceneObj: Any  # of pyqtgraph
    _touched_ms = -math.inf

    def end_hold(self) -> None:
        """End what the left button holds, if anything."""

    def viewportEvent(self, event: QEvent) -> bool:
        """Follow the buttons, before anything else does."""
        if isinstance(event, QMouseEvent):
            self._follow(event)
        return bool(super().viewportEvent(event))  # type: ignore[misc]

    def _follow(self, event: QMouseEvent) -> None:
        if event.type() == QEvent.Type.MouseButtonPress:
            self._drop_presses(event.buttons() & ~event.button())
            self._touched_ms = event.timestamp()
            self.touched.emit()
        elif event.type() == QEvent.Type.MouseButtonDblClick:
            # The first click may have been elsewhere, as on a menu.
            if event.timestamp() - self._touched_ms <= QApplication.doubleClickInterval():
                self.doubled.emit()
        elif not event.buttons() & Qt.MouseButton.LeftButton:
            self.end_hold()

    def _drop_presses(self, held: Qt.MouseButton) -> None:
        """Make pyqtgraph forget presses of buttons that are not held."""
        scene = self.sceneObj
        scene.clickEvents = [press for press in scene.clickEvents if press.button() & held]
        scene.dragButtons = [button for button in scene.dragButtons if button & held]
        if not scene.dragButtons:
            scene.dragItem = scene.lastDrag = None
