"""Frames of the signature space, and how to show and touch its view."""

import math
from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from skimage import data

from latviz.app.look.theme import LIGHT
from latviz.app.views.space.layout import Disc, Mapping
from latviz.app.views.space.view import SpaceView
from latviz.core.data.encoding import Encoding
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.parameters import Parameters
from tests.app import frames
from tests.app.frames import drag_to, frame_of, pixels, point_at, tip_at
from tests.new_frames import new_frame

KINDS = ["camera", "two states", "palette", "lab", "density"]
EVERY = [*KINDS, "one state", "32 states", "64 symbols", "texture", "checkerboard"]
FLAT = ["flat", "flat grey", "pixel", "flat palette", "flat colour"]
SIZES = [(180, 140), (240, 420), (380, 320), (900, 260), (900, 700)]
MEDIUM = (420, 360)
PRINCIPAL, POLYGON = Projection("principal"), Projection("polygon")
SYMBOLS = Projection("symbols", (4, 0, 2))


@cache
def picture(name: str) -> Picture:
    return Picture(getattr(data, name)(), name)


@cache
def pipeline(name: str) -> Pipeline:
    """Return a pipeline that remembers the codebooks and states of a photograph."""
    return Pipeline()


@cache
def computed(name, encoding, n_states, window, projection=PRINCIPAL) -> Frame:
    parameters = Parameters(encoding, n_states=n_states, window=window)
    return pipeline(name).run(Request(picture(name), parameters, projection=projection))


@cache
def flat(name: str) -> Frame:
    if name not in ("flat palette", "flat colour"):
        return frame_of(name)
    encoding = Encoding("palette", 4) if name == "flat palette" else Encoding("rgb")
    photo = Picture(np.full((20, 30, 3), 77, np.uint8), name)
    return new_frame(photo, Parameters(encoding, n_states=3))


def settled(view: SpaceView) -> None:
    """Let the view take the room that its axes and controls leave."""
    for _ in range(2):
        QApplication.processEvents()
        view.grab()


def in_each_size(view: SpaceView) -> Iterator[tuple[int, int]]:
    """Resize a view, and let it take its room."""
    for size in SIZES:
        view.resize(*size)
        settled(view)
        yield size


def shown(qtbot, view, frame, size, theme=LIGHT) -> SpaceView:
    widget = frames.shown(qtbot, view, frame, size, theme)
    settled(widget)
    return widget


def principal(n_symbols: int = 8) -> Frame:
    return computed("camera", Encoding("quantiles", n_symbols), 6, 4, PRINCIPAL)


def polygon() -> Frame:
    encoding = Encoding("palette", 16)
    return computed("astronaut", encoding, 12, 3, POLYGON)


def three_symbols() -> Frame:
    return computed("astronaut", Encoding("palette", 6), 8, 4, SYMBOLS)


def on_port(view: SpaceView, pixel: QPointF) -> QPoint:
    """Return where on the widget that takes the mouse a pixel of the plane is."""
    return QPoint(view.plot.mapFromScene(view.plot.box.mapToScene(pixel)))


def on_view(view: SpaceView, pixel: QPointF) -> tuple[int, int]:
    """Return where on the view a pixel of the plane is."""
    found = view.plot.viewport().mapTo(view, on_port(view, pixel))
    return found.x(), found.y()


def point_to(view: SpaceView, pixel: QPointF) -> None:
    """Move the pointer to a pixel of the plane."""
    place = on_port(view, pixel)
    point_at(view.plot.viewport(), place.x(), place.y())


def tip(view: SpaceView, pixel: QPointF) -> str:
    """Return the tool tip that comes up at a pixel of the plane."""
    place = on_port(view, pixel)
    return tip_at(view.plot.viewport(), place.x(), place.y())


def at_pixel(view: SpaceView, point: NDArray[np.float64]) -> QPointF:
    """Return the pixel of the plane at which a point is drawn."""
    return QPointF(*Mapping.of(view.plot.box).to_pixels(np.asarray(point)[None])[0].tolist())


def color_at(view: SpaceView, pixel: QPointF) -> list[int]:
    x, y = on_view(view, pixel)
    return [int(value) for value in pixels(view)[y, x]]


def state_color(frame: Frame, state: int) -> list[int]:
    return [int(value) for value in state_colors(frame.slots)[state]]


def below_number(disc: Disc) -> QPointF:
    """Return a place on a disc on which no number is written."""
    return disc.centre + QPointF(0, 0.72 * disc.radius)


def uncovered(view: SpaceView) -> Iterator[tuple[Disc, QPointF]]:
    """Return the discs, each with a place that no other disc covers."""
    discs = view.plot.discs()
    for k, disc in enumerate(discs):
        place = below_number(disc)
        later = discs[k + 1 :]
        if not any(math.dist(at(place), at(d.centre)) < d.radius + 4 for d in later):
            yield disc, place


def at(place: QPointF) -> tuple[float, float]:
    return place.x(), place.y()


def shown_range(view: SpaceView) -> list[float]:
    (left, right), (bottom, top) = view.plot.box.viewRange()
    return [left, right, bottom, top]


def scroll(view: SpaceView, pixel: QPointF, steps: int) -> None:
    """Turn the wheel over a pixel of the plane."""
    place = QPointF(on_port(view, pixel))
    event = QWheelEvent(
        place,
        QPointF(view.plot.viewport().mapToGlobal(place.toPoint())),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.plot.viewport(), event)


def drag(view: SpaceView, by: QPoint, start: QPoint | None = None) -> None:
    """Drag a place of the plane, or its middle, with the left button."""
    port, button = view.plot.viewport(), Qt.MouseButton.LeftButton
    start = start or port.rect().center()
    QTest.mousePress(port, button, pos=start)
    for step in range(1, 11):
        drag_to(port, start + by * (step / 10))
    QTest.mouseRelease(port, button, pos=start + by)
