"""The shapes of a signature space in the coordinates of its plane, and its density's colours."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainterPath, QPen, QPolygonF, QTransform

from latviz.app.look.theme import Theme
from latviz.app.views.mark import Mark
from latviz.app.views.space import layout
from latviz.app.views.space.layout import FAINT, SpaceScene
from latviz.app.widgets.painting import outline
from latviz.core.types import Matrix
from latviz.engine.geometry.heat import LEAST_LEVEL, bar_heights

_MAX_SPOKES = 16
_HIGH = 4.0  # above all that can be seen of a line


@dataclass(frozen=True)
class Shape:
    """A path in the plane's coordinates; lines have the same width in pixels at any zoom."""

    path: QPainterPath
    fill: QColor | None = None
    line: QColor | None = None
    width: float = 1.0
    dashed: bool = False

    def pen(self) -> QPen:
        """Return the pen of its line."""
        if self.line is None:
            return QPen(Qt.PenStyle.NoPen)
        pen = QPen(self.line, self.width)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if self.dashed:
            pen.setDashPattern([4.0, 3.0])
        return pen


def closed(points: Matrix) -> QPainterPath:
    """Return the path around a polygon."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points.tolist()]))
    path.closeSubpath()
    return path


def outline_path(scene: SpaceScene) -> QPainterPath:
    """Return the path around all possible signatures; empty if they are unbounded."""
    corners = scene.space.corners
    return QPainterPath() if corners is None else closed(corners[scene.outer])


def lines(segments: Iterable[Sequence[Matrix] | Matrix]) -> QPainterPath:
    """Return a path of separate lines."""
    path = QPainterPath()
    for start, end in segments:
        path.moveTo(*start.tolist())
        path.lineTo(*end.tolist())
    return path


def translucent(color: QColor, alpha: int) -> QColor:
    """Return a colour with an opacity from 0 to 255."""
    result = QColor(color)
    result.setAlpha(alpha)
    return result


def ground(scene: SpaceScene) -> list[Shape]:
    """Return the shapes below the density: cells, outline and grid, or the parts of a line."""
    space = scene.space
    if scene.on_line:
        return _strips(scene)
    shapes = [
        Shape(closed(cell), translucent(scene.colors[state], _cell_alpha(scene, state)))
        for state, cell in enumerate(space.cells)
        if len(cell) > 2
    ]
    corners = space.corners
    if space.solid is not None:
        behind = lines(space.solid.edges[space.solid.hidden])
        shapes.append(Shape(behind, line=translucent(scene.theme.color("muted"), 150), dashed=True))
    if space.kind == "projection" and corners is not None and len(corners) <= _MAX_SPOKES:
        centre = corners[scene.outer].mean(axis=0)
        spokes = lines([(centre, corner) for corner in corners])
        shapes.append(Shape(spokes, line=scene.theme.color("line")))
    return shapes


def details(scene: SpaceScene) -> list[Shape]:
    """Return the shapes above the density: borders, outline and ellipses, or the bars of a line."""
    space, theme = scene.space, scene.theme
    if scene.on_line:
        return _bars(scene) + _dashes(scene)
    borders = translucent(theme.color("text"), 150)
    shapes = [Shape(closed(cell), line=borders, width=1.2) for cell in space.cells if len(cell) > 2]
    if space.kind == "triangle" and space.corners is not None:
        grid = translucent(theme.color("text"), 38)
        shapes.insert(0, Shape(_ternary_grid(space.corners), line=grid))
    if space.solid is not None:
        before = lines(space.solid.edges[~space.solid.hidden])
        shapes.append(Shape(before, line=theme.color("muted"), width=1.5))
    elif space.corners is not None:
        shapes.append(Shape(outline_path(scene), line=theme.color("muted"), width=1.5))
    if space.ellipses is not None:
        shapes += _ellipses(scene, space.ellipses)
    return shapes


def guessed(scene: SpaceScene, mark: Mark | None) -> list[Shape]:
    """Return the user's place on a line and the true one, with the gap shaded."""
    if mark is None or not takes(scene, mark):
        return []
    you, truth = (scene.theme.color(name) for name in ("warning", "good"))
    shapes = []
    if mark.gap is not None:
        gap = QPainterPath()
        gap.addRect(QRectF(mark.gap[0], 0.0, mark.gap[1] - mark.gap[0], _HIGH))
        shapes.append(Shape(gap, translucent(you, 80)))
    for place, color in ((mark.truth, truth), (mark.place, you)):
        if place is not None:
            line = lines([np.array([[place[0], 0.0], [place[0], _HIGH]])])
            shapes.append(Shape(line, line=color, width=2.5))
    return shapes


def takes(scene: SpaceScene, mark: Mark) -> bool:
    """Return True if the scene has a line of shares for a mark: with two symbols."""
    return mark.kind == "signature" and scene.space.kind == "segment"


def _cell_alpha(scene: SpaceScene, state: int) -> int:
    base = 90 if scene.theme.name == "light" else 120
    if scene.state is None:
        return base
    return base + 70 if scene.state == state else base // 3


def _ternary_grid(corners: Matrix) -> QPainterPath:
    segments = []
    for k in range(3):
        a, b, c = (corners[(k + j) % 3] for j in range(3))
        segments += [(a + s * (b - a), a + s * (c - a)) for s in np.arange(1, 5) / 5]
    return lines(segments)


def _ellipses(scene: SpaceScene, covariances: NDArray[np.float64]) -> list[Shape]:
    values, vectors = np.linalg.eigh(covariances)
    axes = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    circle = QPainterPath()
    circle.addEllipse(QPointF(0, 0), 1.0, 1.0)
    shapes = []
    for state, centre in enumerate(scene.space.codewords.tolist()):
        path = QTransform(*axes[state].T.ravel().tolist(), *centre).map(circle)
        strength = FAINT if scene.faded(state) else 1.0
        color = outline(scene.colors[state], scene.theme)
        fill = translucent(color, round(36 * strength))
        shapes.append(Shape(path, fill, translucent(color, round(255 * strength)), 2.0))
    return shapes


def _strips(scene: SpaceScene) -> list[Shape]:
    """Return the states' parts of a line, as wide as it can be seen."""
    left, _, width, _ = scene.space.extent
    reach = 0.0 if scene.space.kind == "segment" else 100.0 * width
    shapes = []
    for state, low, high in layout.line_cells(scene.space):
        low, high = max(low, left - reach), min(high, left + width + reach)
        if high > low:
            path = QPainterPath()
            path.addRect(QRectF(low, 0.0, high - low, _HIGH))
            alpha = _cell_alpha(scene, state) * 3 // 5
            shapes.append(Shape(path, translucent(scene.colors[state], alpha)))
    return shapes


def _bars(scene: SpaceScene) -> list[Shape]:
    """Return each state's part of the histogram."""
    left, _, width, _ = scene.space.extent
    heights = bar_heights(scene.space.density[0])
    edges = left + width * np.arange(len(heights) + 1) / len(heights)
    shapes = []
    for state, low, high in layout.line_cells(scene.space):
        first = max(int(np.searchsorted(edges, low, "right")) - 1, 0)
        last = min(int(np.searchsorted(edges, high, "left")), len(heights))
        if first < last:
            across = np.clip(edges[first : last + 1], low, high)
            steps = np.stack(
                [np.repeat(across, 2)[1:-1], np.repeat(heights[first:last], 2)], axis=1
            )
            path = closed(np.concatenate([steps, [[across[-1], 0.0], [across[0], 0.0]]]))
            shapes.append(_bar(scene, state, path))
    return shapes


def _bar(scene: SpaceScene, state: int, path: QPainterPath) -> Shape:
    """Return a shape in a state's colour, with a line around it if it needs one to show."""
    alpha = round(255 * FAINT) if scene.faded(state) else 255
    color = scene.colors[state]
    edge = outline(color, scene.theme)
    line = translucent(edge, alpha) if edge != color else None
    return Shape(path, translucent(color, alpha), line)


def _dashes(scene: SpaceScene) -> list[Shape]:
    at = scene.space.boundaries
    segments = [(np.array([x, 0.0]), np.array([x, _HIGH])) for x in at]
    color = translucent(scene.theme.color("text"), 170 if len(at) < 12 else 90)
    return [Shape(lines(segments), line=color, dashed=True)]


@cache
def heat_table(theme: Theme, over_cells: bool) -> NDArray[np.uint8]:
    """Return the theme's heat colours with opacities, read-only (256, 4): 0 is transparent."""
    opacity = np.interp(np.arange(256), [0, LEAST_LEVEL, 255], [0, 40 if over_cells else 110, 240])
    table = np.column_stack([theme.heat_table(), opacity])
    table = np.ascontiguousarray(np.rint(table).astype(np.uint8))
    table.flags.writeable = False
    return table
