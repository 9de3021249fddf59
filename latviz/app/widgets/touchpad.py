"""Two fingers on a touchpad, which Qt sends as turns of a wheel; and what neither may change."""

from PyQt6.QtCore import QEvent, QObject, QPointF, Qt
from PyQt6.QtGui import QGuiApplication, QInputDevice, QKeyEvent, QWheelEvent
from PyQt6.QtWidgets import QAbstractSpinBox, QComboBox, QScrollArea, QSlider, QWidget

from latviz.app.widgets import keys


def swipe_of(event: QWheelEvent) -> QPointF | None:
    """Return how far two fingers moved, in pixels of the screen; None if a wheel was turned."""
    # Pixels do not prove a touchpad: macOS and X11 have them for wheels, too. A phase does, which
    # macOS and Wayland have for fingers only. X11 has no phases, but the type of its devices;
    # its pixels depend on the driver, so the fingers move as much as in Qt's scroll areas. On macOS
    # mouse and touchpad may be one device, so types are not asked there. Windows does not
    # distinguish the two
    if event.phase() != Qt.ScrollPhase.NoScrollPhase:
        return QPointF(event.pixelDelta())
    device = event.pointingDevice()
    is_touchpad = device is not None and device.type() == QInputDevice.DeviceType.TouchPad
    if is_touchpad and QGuiApplication.platformName() == "xcb":
        return QPointF(event.angleDelta()) / 2  # 60 pixels a notch of 120
    return None


class WheelGuard(QObject):
    """Keeps turns of the wheel from changing the controls of a window by accident."""

    # In what scrolls, the wheel changes the control with the keyboard, and else scrolls. Two
    # fingers never change a control: Qt would take each of their many events as a step of a list

    def __init__(self, main_window: QWidget) -> None:
        super().__init__(main_window)
        for kind in (QSlider, QAbstractSpinBox, QComboBox):
            for control in main_window.findChildren(kind):
                if control.focusPolicy() == Qt.FocusPolicy.WheelFocus:  # Qt would give it first
                    control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                control.installEventFilter(self)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Pass wheel events on to what is around the control."""
        if not isinstance(watched, QWidget):
            return False
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            return _scrolls(watched) and _keeps(event)
        if not isinstance(event, QWheelEvent):
            return False
        if swipe_of(event) is None and (watched.hasFocus() or not _scrolls(watched)):
            return False
        event.ignore()
        return True


def _scrolls(control: QWidget) -> bool:
    """Return True if a control is in a part that scrolls."""
    holder = control.parentWidget()
    while holder is not None and not isinstance(holder, QScrollArea):
        holder = holder.parentWidget()
    return holder is not None


def _keeps(event: QKeyEvent) -> bool:
    """Leave the page keys, which also turn slices, to the control that has the keyboard."""
    if keys.bare(event) in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
        event.accept()
    return event.isAccepted()
