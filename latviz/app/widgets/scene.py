"""The mouse and the touchpad over the scenes of pyqtgraph."""

import math
from typing import Any

from PyQt6.QtCore import QEvent, QPointF, Qt, pyqtSignal
from PyQt6.QtGui import QMouseEvent, QNativeGestureEvent, QWheelEvent
from PyQt6.QtWidgets import QApplication

from latviz.app.widgets.painting import Timed
from latviz.app.widgets.touchpad import swipe_of

TAP = 2.0
"""Magnification by a double tap of two fingers."""


class Scene(Timed):
    """Follows buttons and fingers: list it before a widget of pyqtgraph, whose view is `box`."""

    # A menu or a window that opens meanwhile takes the release of a button. pyqtgraph would take
    # the next drag as one with that button. Two fingers pan and pinching zooms; pyqtgraph would
    # zoom by both, and knows no pinching

    # Any, as mypy knows no signals of a class that becomes a QObject with its subclasses only
    touched: Any = pyqtSignal()  # a button was pressed: a click or a drag may follow
    doubled: Any = pyqtSignal()  # a second click follows: the first one is to have no effect
    sceneObj: Any  # of pyqtgraph
    box: Any  # a `ViewBox`
    _touched_ms = -math.inf

    def end_hold(self) -> None:
        """End what the left button holds, if anything."""

    @property
    def whole(self) -> bool:
        """True if all is in view, so that there is nothing to pan."""
        raise NotImplementedError

    def show_all(self) -> None:
        """Bring all into view."""
        raise NotImplementedError

    def viewportEvent(self, event: QEvent) -> bool:
        """Follow the buttons and fingers, before anything else does."""
        if isinstance(event, QMouseEvent):
            self._follow(event)
        if isinstance(event, QNativeGestureEvent) and self._take_gesture(event):
            return True
        if isinstance(event, QWheelEvent) and (by := _pan_of(event)) is not None:
            if self.whole:  # nothing to pan: the fingers scroll what is around
                event.ignore()
                return False
            self._pan(by)
            event.accept()
            return True
        return bool(super().viewportEvent(event))  # type: ignore[misc]

    def _pan(self, by: QPointF) -> None:
        """Move the picture by pixels of the screen."""
        if by.isNull():
            return
        start, stop = (self.box.mapSceneToView(point) for point in (by, QPointF()))
        across, along = self.box.mouseEnabled()
        self.box.translateBy(
            x=stop.x() - start.x() if across else None, y=stop.y() - start.y() if along else None
        )
        self.box.sigRangeChangedManually.emit([across, along])

    def _take_gesture(self, event: QNativeGestureEvent) -> bool:
        """Zoom by a pinch, or a double tap of two fingers; return False for other gestures."""
        kind = event.gestureType()
        if kind == Qt.NativeGestureType.ZoomNativeGesture:
            self._magnify(1 + event.value(), event.position())
        elif kind == Qt.NativeGestureType.SmartZoomNativeGesture and self.whole:
            self._magnify(TAP, event.position())
        elif kind == Qt.NativeGestureType.SmartZoomNativeGesture:
            self.show_all()
        else:
            return False
        event.accept()
        return True

    def _magnify(self, factor: float, position: QPointF) -> None:
        """Magnify about a place of the viewport, which stays where it is."""
        if factor <= 0:
            return
        scene = self.viewportTransform().inverted()[0].map(position)  # type: ignore[attr-defined]
        across, along = self.box.mouseEnabled()
        scales = [1 / factor if enabled else None for enabled in (across, along)]
        self.box.scaleBy(scales, center=self.box.mapSceneToView(scene))
        self.box.sigRangeChangedManually.emit([across, along])

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


def _pan_of(event: QWheelEvent) -> QPointF | None:
    """Return how far two fingers pan; None for a wheel, which zooms, as both do with Ctrl."""
    zooms = event.modifiers() & Qt.KeyboardModifier.ControlModifier
    return None if zooms else swipe_of(event)
