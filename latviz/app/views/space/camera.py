"""A signature space of three dimensions through a camera; imported only if there is OpenGL."""

import math
from typing import Any

import numpy as np
import pyqtgraph.opengl as gl
from OpenGL import GL
from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QPainter, QPaintEvent, QQuaternion, QResizeEvent
from PyQt6.QtWidgets import QWidget

from latviz.app.theme import Theme
from latviz.app.views.space.layout import Scene
from latviz.app.views.space.perspective import POINT, Perspective, draw_marks, point_colors
from latviz.core.types import Matrix
from latviz.engine.projection import FRONT, Turn
from latviz.engine.signature_space import Cloud

_HALF_ANGLE = math.radians(15)
_DISTANCE = 4.8
"""How far the camera is, in radii of what is shown: it fills most of the view."""


class Camera(gl.GLViewWidget):  # type: ignore[misc]
    """Shows the signatures of a sample in the colours of their states.

    Signals
    -------
    turned(float, float)
        A person turned it by so many radians to the right, and downwards.
    """

    turned = pyqtSignal(float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._marks: _Marks | None = None
        super().__init__(parent, rotationMethod="quaternion")
        self._marks = _Marks(self)
        self._turn = FRONT
        self._radius = 0.0

    def draw_theme(self, theme: Theme) -> None:
        """Restyle the ground."""
        self.setBackgroundColor(theme.panel)

    def orbit(self, azim: float, elev: float) -> None:
        """Tell of a turn in degrees; what is shown turns when that is the projection's."""
        self.turned.emit(math.radians(-azim), math.radians(elev))

    def show_turn(self, turn: Turn) -> None:
        """Turn what is shown."""
        self._turn = turn
        self.opts["rotation"] = QQuaternion(*turn)
        self.update()

    def show_scene(self, scene: Scene, cloud: Cloud) -> None:
        """Draw a sample, the edges, the states and the names."""
        assert self._marks is not None
        radius = float(np.linalg.norm(cloud.edges, axis=2).max())
        if not math.isclose(radius, self._radius):
            self._radius = radius
            self.opts["distance"] = _DISTANCE * radius
        self.clear()
        colors = point_colors(scene, cloud)
        points = {"pos": cloud.points, "color": colors[cloud.states], "size": POINT}
        self._add(gl.GLScatterPlotItem(**points))
        muted = scene.theme.color("muted").getRgbF()
        edges = cloud.edges.reshape(-1, 3)
        self._add(gl.GLLinePlotItem(pos=edges, mode="lines", color=muted, antialias=True))
        self._marks.show_scene(scene, cloud)

    @property
    def perspective(self) -> Perspective:
        """Where the camera is."""
        return Perspective(self._turn, float(self.opts["distance"]), float(self.opts["fov"]))

    def to_pixels(self, points: Matrix) -> tuple[Matrix, Matrix]:
        """Return where points (k, 3) are on the widget, (k, 2), and how large they look, (k,)."""
        return self.perspective.to_pixels(points, self.width(), self.height())

    def update(self) -> None:
        """Draw anew, with the marks."""
        super().update()
        if self._marks is not None:
            self._marks.update()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Keep all of it in view: the angle, which is across, grows with the width."""
        super().resizeEvent(event)
        wider = max(1.0, self.width() / max(self.height(), 1))
        self.opts["fov"] = 2 * math.degrees(math.atan(wider * math.tan(_HALF_ANGLE)))
        if self._marks is not None:
            self._marks.setGeometry(self.rect())

    def _add(self, item: Any) -> None:
        """Draw an item over those before, wherever it is."""
        item.setGLOptions("translucent")
        item.updateGLOptions({GL.GL_DEPTH_TEST: False})
        item.setDepthValue(len(self.items))
        self.addItem(item)


class _Marks(QWidget):
    """The states and names over what the camera shows: text needs no OpenGL."""

    def __init__(self, camera: Camera) -> None:
        super().__init__(camera)
        self._camera = camera
        self._shown: tuple[Scene, Cloud] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_scene(self, scene: Scene, cloud: Cloud) -> None:
        """Draw the states and names of a scene."""
        self._shown = scene, cloud
        self.update()

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Draw names, and on them the states, the nearest last."""
        if self._shown is not None:
            painter = QPainter(self)
            size = float(self.width()), float(self.height())
            draw_marks(painter, *self._shown, self._camera.perspective, size)
            painter.end()
