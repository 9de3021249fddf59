"""The paths of the states as w grows, drawn into the signature space."""

import numpy as np
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QPainter, QPen, QPolygonF

from latviz.app.views.painting import outline
from latviz.app.views.space_layout import FAINT, Mapping, Matrix, Scene

_DOT, _RING = 2.0, 5.0


def places(scene: Scene, mapping: Mapping) -> Matrix:
    """Return where each state is at each window, shape (windows, N, 2), in pixels.

    On a line the height says which window it is: the first is at the bottom.
    """
    assert scene.paths is not None
    n_windows, n_states, _ = scene.paths.shape
    pixels = mapping.to_pixels(scene.paths.reshape(-1, 2)).reshape(scene.paths.shape)
    if scene.on_line:
        top = mapping.to_pixel((0.0, 1.0)).y()
        heights = np.linspace(mapping.height - _RING, top, n_windows)
        pixels[:, :, 1] = np.repeat(heights[:, None], n_states, axis=1)
    return np.asarray(pixels)


def draw_paths(painter: QPainter, scene: Scene, mapping: Mapping) -> None:
    """Draw a line through each state's codewords, a dot at each, and a ring around those of w."""
    found = scene.frame.paths
    if scene.paths is None or found is None:
        return
    window = scene.frame.request.parameters.effective_learning_window
    for state, path in enumerate(places(scene, mapping).transpose(1, 0, 2).tolist()):
        painter.setOpacity(FAINT if scene.faded(state) else 1.0)
        line = QPolygonF([QPointF(x, y) for x, y in path])
        color = outline(scene.colors[state], scene.theme)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(scene.theme.color("panel"), 3.5))
        painter.drawPolyline(line)
        painter.setPen(QPen(color, 1.5))
        painter.drawPolyline(line)
        if window in found.windows:
            painter.drawEllipse(QPointF(*path[found.windows.index(window)]), _RING, _RING)
        painter.setBrush(color)
        for x, y in path:
            painter.drawEllipse(QPointF(x, y), _DOT, _DOT)
    painter.setOpacity(1.0)
