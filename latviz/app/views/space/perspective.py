"""What a camera sees of a signature space, with a painter: marks on the screen, all in figures."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QLineF, QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PyQt6.QtWidgets import QWidget

from latviz.app.views.space import layout
from latviz.app.views.space.items import draw_disc
from latviz.app.views.space.layout import FAINT, Disc, Scene
from latviz.app.widgets.painting import CENTER
from latviz.app.widgets.raster import draw_pixels
from latviz.core.types import Matrix
from latviz.engine.projection import FRONT, Turn
from latviz.engine.signature_space import Cloud
from latviz.engine.solids import rotation_of

POINT = 3.0
"""Pixels of the screen across a signature."""
_OPACITY = 0.45


@dataclass(frozen=True)
class Perspective:
    """A camera's place: how the space is turned, its distance, and its angle across, in degrees."""

    turn: Turn = FRONT
    distance: float = 1.0
    angle: float = 30.0

    def to_pixels(self, points: Matrix, width: float, height: float) -> tuple[Matrix, Matrix]:
        """Return where points (k, 3) are in a room, (k, 2), and how large they look, (k,)."""
        turned = points @ rotation_of(self.turn).T
        nearness = self.distance / np.maximum(self.distance - turned[:, 2], 1e-9)
        unit = width / 2 / self._reach / self.distance
        x = width / 2 + unit * nearness * turned[:, 0]
        y = height / 2 - unit * nearness * turned[:, 1]
        return np.stack([x, y], axis=1), nearness

    def in_room(self, width: float, height: float) -> "Perspective":
        """Return the same with the angle in which a room shows what the square in it shows."""
        wider = max(1.0, width / max(height, 1.0))
        return replace(self, angle=2 * math.degrees(math.atan(wider * self._reach)))

    def square(self, width: float, height: float) -> "Perspective":
        """Return the same with the angle across the largest square in a room."""
        wider = max(1.0, width / max(height, 1.0))
        return replace(self, angle=2 * math.degrees(math.atan(self._reach / wider)))

    @property
    def _reach(self) -> float:
        return math.tan(math.radians(self.angle) / 2)


def point_colors(scene: Scene, cloud: Cloud) -> NDArray[np.float64]:
    """Return the colour and opacity of each state's signatures, from 0 to 1, shape (N, 4)."""
    colors = [QColor(scene.colors[state]) for state in range(len(cloud.codewords))]
    for state, color in enumerate(colors):
        color.setAlphaF(_OPACITY * (FAINT if scene.faded(state) else 1.0))
    return np.array([color.getRgbF() for color in colors])


def draw_marks(
    painter: QPainter, scene: Scene, cloud: Cloud, camera: Perspective, size: tuple[float, float]
) -> None:
    """Draw names, and on them the states, the nearest last."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(scene.font)
    _draw_names(painter, scene, cloud, camera, size)
    at, nearness = camera.to_pixels(cloud.codewords, *size)
    radii = layout.radii(scene, size, deep=False)
    for state in np.argsort(nearness, kind="stable").tolist():
        radius = float(radii[state] * nearness[state])
        draw_disc(painter, scene, Disc(state, QPointF(*at[state].tolist()), radius))


def _draw_names(
    painter: QPainter, scene: Scene, cloud: Cloud, camera: Perspective, size: tuple[float, float]
) -> None:
    names, ends = [text for text, _ in layout.axis_labels(scene)], cloud.axes
    if ends is None:
        names, ends = list(scene.frame.observations.names), cloud.corners
    assert ends is not None
    painter.setPen(scene.theme.color("text"))
    apart = layout.gap(scene, size) if cloud.axes is None else 5.0
    for text, (x, y) in zip(names, camera.to_pixels(ends, *size)[0].tolist(), strict=True):
        centre = QPointF(size[0] / 2, size[1] / 2)
        rect = layout.name_rect(scene, text, QPointF(x, y), centre, apart)
        painter.drawText(rect, CENTER, text)


class PaintedCloud(QWidget):
    """What a camera sees, for a figure: sharp at any resolution, and without OpenGL.

    The camera's angle is that of the largest square in the room.
    """

    def __init__(self, scene: Scene, cloud: Cloud, camera: Perspective) -> None:
        super().__init__()
        self._scene, self._cloud, self._square = scene, cloud, camera

    @property
    def _camera(self) -> Perspective:
        return self._square.in_room(self.width(), self.height())

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Draw the sample, the edges, names and states."""
        painter, room = QPainter(self), QRectF(self.rect())
        painter.fillRect(room, self._scene.theme.color("panel"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_pixels(painter, room, self._draw_points)
        size = room.width(), room.height()
        ends, _ = self._camera.to_pixels(self._cloud.edges.reshape(-1, 3), *size)
        painter.setPen(QPen(self._scene.theme.color("muted"), 1.0))
        for start, end in ends.reshape(-1, 2, 2).tolist():
            painter.drawLine(QLineF(QPointF(*start), QPointF(*end)))
        draw_marks(painter, self._scene, self._cloud, self._camera, size)
        painter.end()

    def _draw_points(self, painter: QPainter) -> None:
        colors = [
            QColor.fromRgbF(*rgba) for rgba in point_colors(self._scene, self._cloud).tolist()
        ]
        at, _ = self._camera.to_pixels(self._cloud.points, self.width(), self.height())
        painter.setPen(Qt.PenStyle.NoPen)
        for (x, y), state in zip(at.tolist(), self._cloud.states.tolist(), strict=True):
            painter.setBrush(colors[state])
            painter.drawEllipse(QPointF(x, y), POINT / 2, POINT / 2)
