"""Two fingers on a touchpad pan, pinching zooms, and a wheel zooms as it did."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QInputDevice, QNativeGestureEvent, QPointingDevice
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.widgets import touchpad
from latviz.app.widgets.canvas import Canvas
from tests.app.fingers import NO_KEYS, PHASE, PLACE, turn

CONTROL = Qt.KeyboardModifier.ControlModifier


def gesture(canvas: Canvas, kind: Qt.NativeGestureType, value: float) -> None:
    port, device = canvas.viewport(), QPointingDevice.primaryPointingDevice()
    event = QNativeGestureEvent(
        kind, device, 2, PLACE, PLACE, port.mapToGlobal(PLACE), value, QPointF()
    )
    QApplication.sendEvent(port, event)


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[Canvas]:
    """A picture of 20 rows and 30 columns in 300 pixels of the screen, magnified."""
    made = Canvas()
    made.resize(300, 300)
    made.set_shape((20, 30))
    made.show()
    made.zoom(3.0)
    yield made
    made.hide()
    qtbot.wait(1)  # what follows is done before it is deleted
    made.deleteLater()


def under(canvas: Canvas) -> tuple[float, float]:
    """Return the column and row of the picture at the place."""
    point = canvas.box.mapSceneToView(canvas.mapToScene(PLACE.toPoint()))
    return point.x(), point.y()


def seen(canvas: Canvas) -> tuple[float, float, float, float]:
    view: QRectF = canvas.box.viewRect()
    return view.left(), view.top(), view.right(), view.bottom()


@pytest.mark.parametrize("phase", [PHASE.ScrollUpdate, PHASE.ScrollMomentum])
def test_the_picture_moves_with_two_fingers(canvas: Canvas, phase: Qt.ScrollPhase) -> None:
    before, scale = seen(canvas), canvas.scale_factor
    assert turn(canvas, (0, 0), (0, 0), PHASE.ScrollBegin)
    assert turn(canvas, (-6, 9), (-12, 18), phase)
    assert turn(canvas, (0, 0), (0, 0), PHASE.ScrollEnd)
    right, down = -6 / scale, 9 / scale
    left, top, *ends = before
    assert seen(canvas) == pytest.approx(
        (left - right, top - down, ends[0] - right, ends[1] - down)
    )
    assert canvas.scale_factor == pytest.approx(scale)


def test_fingers_without_a_phase_are_known_on_x11_alone(canvas, monkeypatch) -> None:
    """A notch of a touchpad is 60 pixels, as in scroll areas: three lines of 20."""
    kind, finger = QInputDevice.DeviceType.TouchPad, QPointingDevice.PointerType.Finger
    pad = QPointingDevice("pad", 7, kind, finger, QInputDevice.Capability.Scroll, 2, 0)
    scale, (x, y) = canvas.scale_factor, under(canvas)
    for name in ("cocoa", "windows"):
        monkeypatch.setattr(
            touchpad, "QGuiApplication", SimpleNamespace(platformName=lambda name=name: name)
        )
        turn(canvas, (0, 30), (0, 60), PHASE.NoScrollPhase, device=pad)
        turn(canvas, (0, -30), (0, -60), PHASE.NoScrollPhase, device=pad)
        assert under(canvas) == pytest.approx((x, y))
    monkeypatch.setattr(touchpad, "QGuiApplication", SimpleNamespace(platformName=lambda: "xcb"))
    turn(canvas, (0, 0), (0, -60), PHASE.NoScrollPhase, device=pad)
    assert canvas.scale_factor == pytest.approx(scale)
    assert under(canvas) == pytest.approx((x, y + 30 / scale))


def test_a_wheel_and_fingers_with_ctrl_zoom_about_the_pointer(canvas: Canvas) -> None:
    for phase, keys in ((PHASE.NoScrollPhase, NO_KEYS), (PHASE.ScrollUpdate, CONTROL)):
        scale, place = canvas.scale_factor, under(canvas)
        assert turn(canvas, (0, 20), (0, 120), phase, keys)  # macOS gives pixels of wheels, too
        assert canvas.scale_factor > 1.1 * scale
        assert under(canvas) == pytest.approx(place, abs=0.1 / scale)


def test_a_pinch_zooms_about_the_pointer(canvas: Canvas) -> None:
    scale, place = canvas.scale_factor, under(canvas)
    zoom = Qt.NativeGestureType.ZoomNativeGesture
    gesture(canvas, zoom, 0.25)
    assert canvas.scale_factor == pytest.approx(1.25 * scale)
    assert under(canvas) == pytest.approx(place, abs=0.1 / scale)
    gesture(canvas, zoom, -1.0)  # no magnification at all
    assert canvas.scale_factor == pytest.approx(1.25 * scale)
    gesture(canvas, zoom, -0.99)
    assert canvas.whole


def test_a_double_tap_shows_all_or_magnifies_what_is_tapped(canvas: Canvas) -> None:
    tap = Qt.NativeGestureType.SmartZoomNativeGesture
    gesture(canvas, tap, 1.0)
    assert canvas.whole
    scale, place = canvas.scale_factor, under(canvas)
    gesture(canvas, tap, 0.0)
    assert canvas.scale_factor == pytest.approx(2 * scale)
    assert under(canvas)[0] == pytest.approx(place[0], abs=0.1 / scale)
