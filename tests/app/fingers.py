"""Two fingers on a touchpad, and a wheel."""

from collections.abc import Callable

from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QPointingDevice, QWheelEvent
from PyQt6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QSlider,
    QWidget,
)

PHASE = Qt.ScrollPhase
NO_KEYS = Qt.KeyboardModifier.NoModifier
PLACE = QPointF(210, 120)
"""A place of a viewport, away from its middle."""
VALUES: dict[type[QWidget], Callable[..., object]] = {
    QSlider: QSlider.value,
    QAbstractSpinBox: QAbstractSpinBox.text,
    QComboBox: QComboBox.currentIndex,
}
"""What the controls of each class are set to."""


def turn(widget, pixels, angle, phase=PHASE.ScrollUpdate, keys=NO_KEYS, device=None) -> bool:
    """Send an event of a wheel or of two fingers; return True if it is accepted."""
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    event = QWheelEvent(
        PLACE,
        target.mapToGlobal(PLACE),
        QPoint(*pixels),
        QPoint(*angle),
        Qt.MouseButton.NoButton,
        keys,
        phase,
        False,
        device=device or QPointingDevice.primaryPointingDevice(),
    )
    QApplication.sendEvent(target, event)
    return event.isAccepted()


def changed_by_fingers(window: QWidget) -> list[str]:
    """Return the names of controls that two fingers change, with the keyboard or without."""
    found = []
    for kind, value in VALUES.items():
        for control in window.findChildren(kind):
            control.setFocus()
            before = value(control)
            for pixels in (-60, 60):
                turn(control, (0, pixels), (0, 2 * pixels))
                if value(control) != before:
                    found.append(control.accessibleName())
    return found
