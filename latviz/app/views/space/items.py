"""Graphics items of the signature space: layers in its plane, and marks of a fixed size on top."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF
from PyQt6.QtWidgets import QGraphicsItem, QGraphicsPathItem

from latviz.app.look.theme import Theme, legible_on
from latviz.app.views.space import layout
from latviz.app.views.space.layout import FAINT, Disc, Label, Mapping, SpaceScene
from latviz.app.views.space.shapes import Shape, translucent
from latviz.app.widgets.painting import (
    CENTER,
    LEFT,
    RIGHT,
    draw_on_screen,
    draw_symbol,
    outline,
    text_height,
)
from latviz.app.widgets.raster import RasterItem, takes_vectors
from latviz.core.types import Matrix

_DOT, _LINE = 2.0, 1.5
"""The radius of the dots on paths, to the middle of their outlines, and the width of lines."""


class Shapes(QGraphicsItem):
    """A layer of shapes."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes: Sequence[Shape] = ()
        self._bounds = QRectF()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show_shapes(self, shapes: Sequence[Shape]) -> None:
        """Draw these, in their order."""
        bounds = QRectF()
        for shape in shapes:
            bounds = bounds.united(shape.path.controlPointRect())
        margin = 0.1 * max(bounds.width(), bounds.height())
        self.prepareGeometryChange()
        self.shapes = shapes
        self._bounds = bounds.adjusted(-margin, -margin, margin, margin)
        self.update()

    def boundingRect(self) -> QRectF:
        """Leave room for the lines."""
        return self._bounds

    def paint(self, painter: QPainter | None, *_: Any) -> None:
        """Draw the shapes."""
        assert painter is not None
        # Not every program that shows vectors clips.
        cut = self.clipPath() if takes_vectors(painter) and self.isClipped() else None
        for shape in self.shapes:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, not shape.dashed)
            path = shape.path
            if cut is not None and shape.line is None:
                path = path.intersected(cut)
            if not path.isEmpty():  # or files of vectors would hold an empty path
                painter.setPen(shape.pen())
                painter.setBrush(shape.fill or QColor(0, 0, 0, 0))
                draw_on_screen(painter, path)


class Density(RasterItem):
    """An image that is smoothed at any zoom."""

    def render(self) -> None:
        """Make the image; Qt smooths pixels with alpha premultiplied twice as fast as a palette."""
        super().render()
        if self.qimage is not None:
            self.qimage.convertTo(QImage.Format.Format_ARGB32_Premultiplied)

    def paint_pixels(self, painter: QPainter, *args: Any) -> None:
        """Draw the image."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        super().paint_pixels(painter, *args)


class Stencil(QGraphicsPathItem):
    """Shows its children only inside of a path; everything, if the path is empty."""

    def __init__(self) -> None:
        super().__init__()
        self.setPen(QPen(Qt.PenStyle.NoPen))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show_path(self, path: QPainterPath) -> None:
        """Clip to a path."""
        self.setFlag(self.GraphicsItemFlag.ItemClipsChildrenToShape, not path.isEmpty())
        self.setPath(path)


class Marks(QGraphicsItem):
    """Codewords, corners and the inspected signature, drawn in the pixels of a `ViewBox`."""

    def __init__(self, box: Any) -> None:
        super().__init__(box)
        self._box = box
        self._scene: SpaceScene | None = None
        self._inspected: tuple[Matrix, int] | None = None
        self._chosen: int | None = None
        self._labels: Sequence[Label] = ()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(100)
        box.sigResized.connect(self._resized)
        box.sigRangeChanged.connect(self._changed)

    def show_scene(self, scene: SpaceScene | None, labels: Sequence[Label]) -> None:
        """Draw the codewords and corners of a scene; clear them for None."""
        self._scene, self._labels = scene, labels
        self.update()

    def show_inspected(self, inspected: tuple[Matrix, int] | None) -> None:
        """Draw a point and the line to its nearest codeword, or none."""
        self._inspected = inspected
        self.update()

    def show_chosen(self, symbol: int | None) -> None:
        """Set off a corner, or none."""
        self._chosen = symbol
        self.update()

    def boundingRect(self) -> QRectF:
        """Cover the whole box."""
        return QRectF(0, 0, self._box.width(), self._box.height())

    def discs(self) -> list[Disc]:
        """Return the codewords' discs, in the order in which they are drawn."""
        scene = self._scene
        if scene is None:
            return []
        mapping = Mapping.of(self._box)
        at = mapping.to_pixels(scene.space.codewords)
        radii = layout.radii(scene, (mapping.width, mapping.height))
        if scene.on_line:
            at[:, 1] = layout.line_top(scene) + layout.lane_heights(at[:, 0], radii)
        occupied = scene.frame.occupancy > 0
        solid = scene.space.solid
        above = -radii if solid is None else solid.depths
        order = sorted(
            range(len(radii)), key=lambda j: (j == scene.state, bool(occupied[j]), above[j])
        )
        return [Disc(j, QPointF(*at[j].tolist()), float(radii[j])) for j in order]

    def symbol_at(self, pixel: QPointF) -> int | None:
        """Return the symbol whose corner is marked at a pixel of the plane."""
        for label, at in self.corners():
            if label.swatch.translated(at).adjusted(-2, -2, 2, 2).contains(pixel):
                return label.symbol
        return None

    def corners(self) -> list[tuple[Label, QPointF]]:
        """Return the corners' labels, and where the corners are."""
        if self._scene is None or self._scene.space.corners is None:
            return []
        mapping = Mapping.of(self._box)
        at = mapping.to_pixels(self._scene.space.corners).tolist()
        placed = [(label, QPointF(*at[label.symbol])) for label in self._labels]
        if self._scene.space.zooms:
            placed = [layout.at_edge(label, at, mapping.room) for label, at in placed]
        if not self._scene.loose:
            return placed
        return [(layout.in_view(label, at, mapping.room), at) for label, at in placed]

    def paint(self, painter: QPainter | None, *_: Any) -> None:
        """Draw the marks."""
        assert painter is not None
        if self._scene is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._scene.font)
        placed = self.corners()
        _draw_corners(painter, self._scene, placed, self.boundingRect())
        _draw_axes(painter, self._scene, Mapping.of(self._box), placed)
        self._draw_chosen(painter, self._scene, placed)
        if self._scene.space.kind == "segment":
            _draw_ends(painter, self._scene, Mapping.of(self._box))
        discs = self.discs()
        if self._scene.on_line:
            _draw_stems(painter, self._scene, discs, Mapping.of(self._box))
        draw_paths(painter, self._scene, discs, Mapping.of(self._box))
        found = self._inspected_at(discs)
        if found is not None:
            below = [_segment(*found)]
            if self._scene.on_line:
                below.append(_segment(found[0], QPointF(found[0].x(), self._box.height())))
            _draw_lines(painter, self._scene.theme, below, 1.2)
        for disc in discs:
            draw_disc(painter, self._scene, disc)
        if found is not None:
            _draw_lines(painter, self._scene.theme, [_cross(found[0])], 1.6)

    def _draw_chosen(
        self, painter: QPainter, scene: SpaceScene, placed: list[tuple[Label, QPointF]]
    ) -> None:
        """Draw a line around the corner that keys move."""
        for label, at in placed:
            if label.symbol == self._chosen:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(scene.theme.color("accent"), 2.0))
                painter.drawRect(label.swatch.translated(at).adjusted(-3, -3, 3, 3))

    def _inspected_at(self, discs: list[Disc]) -> tuple[QPointF, QPointF] | None:
        """Return the places of the inspected signature and its nearest codeword."""
        if self._inspected is None or self._scene is None:
            return None
        point, nearest = self._inspected
        at = QPointF(*Mapping.of(self._box).to_pixels(point[None])[0].tolist())
        centre = next((disc.centre for disc in discs if disc.state == nearest), at)
        if self._scene.on_line:
            at.setY(centre.y())
        return at, centre

    def _resized(self, *_: Any) -> None:
        self.prepareGeometryChange()

    def _changed(self, *_: Any) -> None:
        self.update()


def draw_disc(painter: QPainter, scene: SpaceScene, disc: Disc) -> None:
    """Draw a state's disc and number; it fades while another state is set off."""
    color, theme = scene.colors[disc.state], scene.theme
    painter.setOpacity(FAINT if scene.faded(disc.state) else 1.0)
    radius = disc.radius + (2.0 if disc.state == scene.state else 0.0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("panel"))
    painter.drawEllipse(disc.centre, radius + 1.5, radius + 1.5)
    painter.setPen(QPen(theme.color("text"), 2.0 if disc.state == scene.state else 1.0))
    painter.setBrush(color)
    painter.drawEllipse(disc.centre, radius, radius)
    painter.setPen(legible_on(color))
    painter.setFont(layout.number_font(scene.font, disc.radius))
    room = QRectF(disc.centre.x() - 20, disc.centre.y() - 20, 40, 40)
    painter.drawText(room, CENTER, str(disc.state + 1))
    painter.setOpacity(1.0)


def _draw_corners(
    painter: QPainter, scene: SpaceScene, placed: list[tuple[Label, QPointF]], room: QRectF
) -> None:
    names = layout.shown_names(placed)
    for (label, at), named in zip(placed, names, strict=True):
        swatch, name = label.swatch.translated(at), label.name.translated(at)
        if room.contains(swatch):
            color = scene.symbol_colors[label.symbol]
            draw_symbol(painter, swatch, color, scene.theme)
            if named and room.contains(name):
                painter.setPen(scene.theme.color("text"))
                side = LEFT if name.left() > swatch.left() else RIGHT
                painter.drawText(name, side, label.text)


def _draw_axes(
    painter: QPainter, scene: SpaceScene, mapping: Mapping, placed: list[tuple[Label, QPointF]]
) -> None:
    """Write the names of the axes of a three-dimensional space at their ends."""
    painter.setPen(scene.theme.color("muted"))
    for text, rect in layout.axis_names(scene, mapping, placed):
        painter.drawText(rect, CENTER, text)


def _draw_ends(painter: QPainter, scene: SpaceScene, mapping: Mapping) -> None:
    """Write above the ends of a segment which symbol they stand for."""
    height = text_height(scene.font)
    width = mapping.width - 2 * layout.EDGE
    row = QRectF(layout.EDGE, layout.EDGE, width, height)
    side = 2 * layout.SWATCH
    top = row.center().y() - layout.SWATCH
    names = scene.frame.observations.names
    for color, left in zip(scene.symbol_colors, (row.left(), row.right() - side), strict=True):
        draw_symbol(painter, QRectF(left, top, side, side), color, scene.theme)
    painter.setPen(scene.theme.color("text"))
    painter.drawText(row.adjusted(side + 4, 0, 0, 0), LEFT, names[0])
    painter.drawText(row.adjusted(0, 0, -side - 4, 0), RIGHT, names[1])


def _draw_stems(painter: QPainter, scene: SpaceScene, discs: list[Disc], mapping: Mapping) -> None:
    """Draw a line from each codeword down to the axis, and its standard deviation."""
    ellipses = scene.space.ellipses
    for disc in discs:
        painter.setOpacity(FAINT if scene.faded(disc.state) else 1.0)
        x, y = disc.centre.x(), disc.centre.y()
        painter.setPen(QPen(translucent(scene.theme.color("text"), 130), 1.0))
        painter.drawLine(QPointF(x, y), QPointF(x, mapping.height))
        painter.setPen(QPen(outline(scene.colors[disc.state], scene.theme), 1.5))
        if ellipses is not None:
            reach = math.sqrt(max(float(ellipses[disc.state, 0, 0]), 0.0)) * mapping.x_scale
            painter.drawLine(QPointF(x - reach, y), QPointF(x + reach, y))
            for end in (x - reach, x + reach):
                painter.drawLine(QPointF(end, y - 4), QPointF(end, y + 4))
    painter.setOpacity(1.0)


def _draw_lines(painter: QPainter, theme: Theme, paths: list[QPainterPath], width: float) -> None:
    """Draw lines that show on any ground."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for color, extra in ((theme.panel, 2.5), (theme.text, 0.0)):
        painter.setPen(QPen(QColor(color), width + extra))
        for path in paths:
            painter.drawPath(path)


def _segment(start: QPointF, end: QPointF) -> QPainterPath:
    path = QPainterPath(start)
    path.lineTo(end)
    return path


def _cross(at: QPointF) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(at, 5.0, 5.0)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        path.moveTo(at + QPointF(x * 2.0, y * 2.0))
        path.lineTo(at + QPointF(x * 10.0, y * 10.0))
    return path


def path_places(scene: SpaceScene, mapping: Mapping) -> Matrix:
    """Return the place of each codeword at each window, shape (windows, N, 2), in pixels.

    On a line the height gives the window: the first is at the bottom.
    """
    assert scene.paths is not None
    n_windows, n_states, _ = scene.paths.shape
    pixels = mapping.to_pixels(scene.paths.reshape(-1, 2)).reshape(scene.paths.shape)
    if scene.on_line:
        top = mapping.to_pixel((0.0, 1.0)).y()
        heights = np.linspace(mapping.height - 2 * _DOT, top, n_windows)
        pixels[:, :, 1] = np.repeat(heights[:, None], n_states, axis=1)
    return np.asarray(pixels)


def draw_paths(
    painter: QPainter, scene: SpaceScene, discs: Sequence[Disc], mapping: Mapping
) -> None:
    """Draw a line through each state's codewords, a dot at each, and a ring at w_l."""
    found = scene.frame.paths
    if scene.paths is None or found is None:
        return
    window = scene.frame.request.parameters.effective_learning_window
    at, theme = path_places(scene, mapping), scene.theme
    for disc in discs:
        painter.setOpacity(FAINT if scene.faded(disc.state) else 1.0)
        points = [QPointF(x, y) for x, y in at[:, disc.state].tolist()]
        color = outline(scene.colors[disc.state], theme)
        line = theme.color("text") if scene.on_line else color
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in _path_pens(line, theme):
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF(points))
            if window in found.windows:
                radius = _DOT + 2 if scene.on_line else disc.radius + 4
                painter.drawEllipse(points[found.windows.index(window)], radius, radius)
        painter.setPen(Qt.PenStyle.NoPen)  # discs without an outline are drawn three times as fast
        rings = ((line, _DOT + _LINE / 2), (color, _DOT - _LINE / 2))
        for shade, radius in rings if scene.on_line else rings[:1]:
            painter.setBrush(shade)
            for point in points:
                painter.drawEllipse(point, radius, radius)
    painter.setOpacity(1.0)


def _path_pens(color: QColor, theme: Theme) -> tuple[QPen, QPen]:
    """Return the pens for a line that is visible on any background."""
    return QPen(theme.color("panel"), _LINE + 2), QPen(color, _LINE)
