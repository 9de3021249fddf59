"""The paths of the states as w grows, drawn into the signature space."""

from collections.abc import Sequence

import numpy as np
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen, QPolygonF

from latviz.app.theme import Theme
from latviz.app.views.space.layout import FAINT, Disc, Mapping, Matrix, Scene
from latviz.app.widgets.painting import outline

_DOT = 2.0


def places(scene: Scene, mapping: Mapping) -> Matrix:
    """Return where each state is at each window, shape (windows, N, 2), in pixels.

    On a line the height says which window it is: the first is at the bottom.
    """
    assert scene.paths is not None
    n_windows, n_states, _ = scene.paths.shape
    pixels = mapping.to_pixels(scene.paths.reshape(-1, 2)).reshape(scene.paths.shape)
    if scene.on_line:
        top = mapping.to_pixel((0.0, 1.0)).y()
        heights = np.linspace(mapping.height - 2 * _DOT, top, n_windows)
        pixels[:, :, 1] = np.repeat(heights[:, None], n_states, axis=1)
    return np.asarray(pixels)


def draw_paths(painter: QPainter, scene: Scene, discs: Sequence[Disc], mapping: Mapping) -> None:
    """Draw a line through each state's codewords, a dot at each, and a ring around those of w."""
    found = scene.frame.paths
    if scene.paths is None or found is None:
        return
    window = scene.frame.request.parameters.effective_learning_window
    at, theme = places(scene, mapping), scene.theme
    for disc in discs:
        painter.setOpacity(FAINT if scene.faded(disc.state) else 1.0)
        points = [QPointF(x, y) for x, y in at[:, disc.state].tolist()]
        color = outline(scene.colors[disc.state], theme)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in _pens(theme.color("text") if scene.on_line else color, theme):
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF(points))
            if window in found.windows:
                radius = _DOT + 2 if scene.on_line else disc.radius + 4
                painter.drawEllipse(points[found.windows.index(window)], radius, radius)
        painter.setBrush(color)
        for point in points:
            painter.drawEllipse(point, _DOT, _DOT)
    painter.setOpacity(1.0)


def _pens(color: QColor, theme: Theme) -> tuple[QPen, QPen]:
    """Return what to draw a line with, so that it shows on any ground."""
    return QPen(theme.color("panel"), 3.5), QPen(color, 1.5)
