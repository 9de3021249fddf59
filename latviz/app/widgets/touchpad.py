"""Two fingers on a touchpad, which Qt sends as turns of a wheel."""

from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QGuiApplication, QInputDevice, QWheelEvent


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
